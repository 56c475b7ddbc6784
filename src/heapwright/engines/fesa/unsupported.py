"""Unsupported programs of `fesa`, with the reason for the user.

unsupported(program)    # "" if all is supported, else such as "a.c:3:5: fesa does not support ..."
"""

from __future__ import annotations

from heapwright.engines.fesa.transfer.cells import fields_read
from heapwright.engines.fesa.transfer.commands import SUPPORTED
from heapwright.engines.fesa.transfer.input_heaps import types_read
from heapwright.engines.fesa.transfer.pointer_offsets import PointerOffsets
from heapwright.engines.kit.outcomes import escapes, takes_environment_memory
from heapwright.program.commands import AnyPointer, Command, Free, LoadDataCell, New, Shift, StoreDataCell
from heapwright.program.explanation.source_words import source_of
from heapwright.program.expressions import Const
from heapwright.program.graph import Program
from heapwright.program.types import ObjectType


def unsupported(program: Program) -> str:
    """The reason why a program is not supported, "" if it is."""
    if escapes(program) or takes_environment_memory(program):
        return escapes(program) or takes_environment_memory(program)
    offsets = PointerOffsets(program)
    for edge in program.graph.edges:
        array = isinstance(edge.command, New) and offsets.is_array(edge.command.type)
        if array and edge.source in program.graph.after([edge.target]):
            return f"{edge.span}: fesa does not support '{source_of(program, edge.span)}', which may make many arrays"
        if not isinstance(edge.command, SUPPORTED) or _beyond(offsets, edge.command):
            return f"{edge.span}: fesa does not support '{source_of(program, edge.span)}'"
    if any(type.parts for type in program.types.values()):
        if offsets.mixed is not None:
            edge = next(edge for edge in program.graph.edges if edge.command == offsets.mixed)
            return f"{edge.span}: fesa does not support '{source_of(program, edge.span)}', which mixes types"
        for name, type in sorted(program.types.items()):
            if _overlaps(program, offsets, type):
                return f"fesa does not support pointers to members that overlap others, as in {name}"
    return _refused_inputs(program)


def _beyond(offsets: PointerOffsets, command: Command) -> bool:
    """Whether a command makes a block that is no single object of a known type, or a pointer into one."""
    match command:
        case New(type=type, count=count, size=size):
            counted = offsets.is_data(type) or (offsets.is_array(type) and size is None)
            return not type or (not counted and (count is not None or size is not None))
        case Shift(base=base, offset=offset):
            still = isinstance(offset, Const) and offset.value == 0
            return not still and not all(
                offsets.is_data(type) or type in offsets.elements for type in offsets.types_of(base)
            )
        case LoadDataCell(base=base) | StoreDataCell(base=base):
            return not all(offsets.is_data(type) for type in offsets.types_of(base))
    return False


def _overlaps(program: Program, offsets: PointerOffsets, type: ObjectType) -> bool:
    """Whether a part of an object shares bytes with something else of it, or has objects for cells."""
    spans = [(field.offset, field.offset + field.size) for field in type.fields]
    for part in type.parts:
        inner = program.types[part.type]
        if offsets.is_array(part.type):
            return True
        start, end = part.offset, part.offset + inner.size
        if any(start < other_end and other_start < end for other_start, other_end in spans):
            return True
        spans.append((start, end))
    return False


def _refused_inputs(program: Program) -> str:
    parts = {part.type for type in program.types.values() for part in type.parts}
    for name in types_read(program, fields_read(program)):
        type = program.types.get(name)
        if type is None:
            return "fesa does not support input pointers to blocks of unknown type"
        if type.cells is not None or type.parts or name in parts:
            return f"fesa does not support input objects of type {name}, which have parts or are parts of others"
    inputs = {edge.source for edge in program.graph.edges if isinstance(edge.command, AnyPointer)}
    for edge in program.graph.edges:
        # An object that is freed and that nothing points to is forgotten, but an input may still lead to it.
        if isinstance(edge.command, Free) and inputs & program.graph.after([edge.target]):
            return f"{edge.span}: fesa does not support input pointers that are passed after a 'free'"
    return ""
