"""What the engine does not follow, in a sentence for the user.

refused(program)    # "" where it follows everything, else such as "a.c:3:5: the engine does not follow ..."
"""

from __future__ import annotations

from heapwright.engines.fesa.inputs import input_types
from heapwright.engines.fesa.transfer import SUPPORTED, fields_read
from heapwright.program.commands import AnyPointer, Free, New
from heapwright.program.graph import Program
from heapwright.program.printer import format_command


def refused(program: Program) -> str:
    """Why a program cannot be analysed, "" if it can."""
    for edge in program.graph.edges:
        command = edge.command
        if not isinstance(command, SUPPORTED):
            return f"{edge.span}: the engine does not follow '{format_command(command)}'"
        if isinstance(command, New) and (command.count or command.size or not command.type):
            return f"{edge.span}: the engine does not follow arrays and blocks of unknown type"
    return _refused_inputs(program)


def _refused_inputs(program: Program) -> str:
    parts = {part.type for type in program.types.values() for part in type.parts}
    for name in input_types(program, fields_read(program)):
        type = program.types.get(name)
        if type is None:
            return "the engine does not follow input pointers to blocks of unknown type"
        if type.cells is not None or type.parts or name in parts:
            return f"the engine does not follow input objects of type {name}, which have parts or are parts of others"
    for edge in program.graph.edges:
        # An object that is freed and that nothing points to is forgotten, but an input may still lead to it.
        if isinstance(edge.command, Free) and _leads_to_an_input(program, edge.target):
            return f"{edge.span}: the engine does not follow input pointers that are passed after a 'free'"
    return ""


def _leads_to_an_input(program: Program, location: int) -> bool:
    seen, waiting = {location}, [location]
    while waiting:
        for edge in program.graph.successors[waiting.pop()]:
            if isinstance(edge.command, AnyPointer):
                return True
            if edge.target not in seen:
                seen.add(edge.target)
                waiting.append(edge.target)
    return False
