"""Inputs of which a shape is assumed as soon as they are there, as `hw_any_list` and its like do.

Only a pointer that is passed once counts, if no other input has its type, and if the program follows no pointer of its
objects but those of the shape. For a doubly linked list these are the forward ones: nothing is assumed of the link back
of its first node.

    shaped_inputs(program, read)        # [ShapedInput(AnyPointer("$1", "node"), acyclic($1, next), ("next",), 4)]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heapwright.program.commands import AnyPointer, Assume, Command
from heapwright.program.expressions import ShapeLiteral, Var
from heapwright.program.graph import Edge, Program
from heapwright.program.types import Field, ValueKind

FOLLOWED = {"acyclic": 1, "dll": 1, "tree": 2}  # how many fields of a shape lead on


@dataclass(frozen=True, slots=True)
class ShapedInput:
    """The input, what is assumed of it, the fields of the shape, and the location in between."""

    command: AnyPointer
    literal: ShapeLiteral
    fields: tuple[str, ...]
    location: int


def shaped_inputs(program: Program, read: frozenset[str]) -> list[ShapedInput]:
    found = [one for step in program.graph.edges for one in _assumed(program, step) if _is_closed(program, one, read)]
    known = {one.command.type for one in found}
    others = [name for name in program.types if name not in known]
    led_to = {field.target for name in others for field in read_pointers(program, name, read)}
    return [one for one in found if one.command.type not in led_to]


def _assumed(program: Program, step: Edge[Command]) -> Iterator[ShapedInput]:
    """An input that is followed by an assumption about it, and by nothing else."""
    command, graph = step.command, program.graph
    after = graph.successors[step.target]
    if not isinstance(command, AnyPointer) or command.environment or command.count or len(after) != 1:
        return
    match after[0].command:
        case Assume(ShapeLiteral(predicate, (Var(command.target),), fields, False) as literal):
            again = step.source in graph.after([step.target])
            if predicate in FOLLOWED and not again and len(graph.predecessors[step.target]) == 1:
                yield ShapedInput(command, literal, fields[: FOLLOWED[predicate]], step.target)


def _is_closed(program: Program, one: ShapedInput, read: frozenset[str]) -> bool:
    """Whether the objects of an input lead to one another only, and no other input to them."""
    name, known = one.command.type, program.types.get(one.command.type)
    inputs = [step.command.type for step in program.graph.edges if isinstance(step.command, AnyPointer)]
    if known is None or known.cells is not None or known.parts or inputs.count(name) > 1:
        return False
    own = {field.name for field in known.fields if field.target == name}
    return {field.name for field in read_pointers(program, name, read)} == set(one.fields) <= own


def read_pointers(program: Program, type: str, read: frozenset[str]) -> list[Field]:
    known = program.types.get(type)
    fields = known.fields if known is not None else ()
    return [field for field in fields if field.kind is ValueKind.POINTER and f"{type}.{field.name}" in read]
