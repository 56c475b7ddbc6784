"""A program as steps over an array and integers, or the reason why it is not one.

    (task,) = read_arrays(program, {"a": "n"})   # the parameter n is the number of cells of a
    task.arcs                                    # the steps, against the flow of control
    task.demands                                 # what must hold, and how it fails

The function gets pointers to the first cell of a block of integers each, or null, and integers. There is a task for
each array that is accessed, in which the others are not followed: what is loaded from them may be anything, and what is
stored into them may be stored into this one, as callers may give the same array twice. A demand on an access is of the
task of its array; an assertion is of all of them. Integers are index
variables or data variables by what they are used for (`integer_kinds`); what is neither a position plus a constant nor
a copy of an element may have any value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.engines.infer.algorithm import Arc
from heapwright.engines.infer.arrays.array_pointers import HINT, Access, Pointers, pointers_of
from heapwright.engines.infer.arrays.command_translation import INDEX, WIDE, CommandTranslation
from heapwright.engines.infer.arrays.integer_kinds import kinds_of
from heapwright.engines.infer.arrays.jump_threading import threaded
from heapwright.engines.infer.arrays.negated_assertions import Obligation, Obligations
from heapwright.engines.infer.arrays.stores import (
    Step,
    Vocabulary,
)
from heapwright.engines.infer.function_body import closing, is_parameter, prologue, region
from heapwright.program.commands import (
    Assert,
    Assign,
    Assume,
    Command,
    Compute,
    Distance,
    Havoc,
    LoadDataCell,
    Shift,
    Skip,
    StoreDataCell,
)
from heapwright.program.graph import Edge, Program
from heapwright.program.printer import format_command
from heapwright.program.types import IntType


@dataclass(frozen=True, slots=True)
class Task:
    """`array` is the parameter, `spots` and `data` the inputs that are index and data variables, by their numbers;
    `bound` is what the prologue puts the inputs into. `length` is the name of the parameter that is the length. The
    body begins at the location `start`; what is known of inputs is known at the place `begin`."""

    program: Program
    array: str
    length: str | None
    start: int
    begin: int
    spots: tuple[int, ...]
    data: tuple[int, ...]
    bound: tuple[tuple[str, str], ...]
    vocabulary: Vocabulary
    arcs: tuple[Arc[Step], ...]
    obligations: tuple[Obligation, ...]

    def shown(self, name: str) -> str:
        return self.program.variables[name].source_name or name


def about_arrays(program: Program) -> bool:
    """Whether a function accesses cells of arrays, and no objects."""
    return any(isinstance(edge.command, Access) for edge in program.graph.edges)


def translate_arrays(program: Program, lengths: Mapping[str, str] | None = None) -> tuple[Task, ...]:
    """A task for each array; all have the same inputs, but for the parameters that are lengths."""
    start, bound = prologue(program)
    edges = threaded(region(program, start), start)
    _all_supported(edges)
    arrays = pointers_of(program, edges, bound, start)
    parameters = tuple(target for target, _ in bound if is_parameter(program, target))
    known = _lengths(program, lengths or {}, [one.array for one in arrays], parameters, edges)
    tasks = [_task(program, edges, start, bound, parameters, one, known.get(one.array)) for one in arrays]
    return tuple(
        replace(task, obligations=tuple(replace(obligation, array=number) for obligation in task.obligations))
        for number, task in enumerate(tasks)
    )


def _task(
    program: Program,
    edges: list[Edge[Command]],
    start: int,
    bound: list[tuple[str, str]],
    parameters: tuple[str, ...],
    pointers: Pointers,
    length: str | None,
) -> Task:
    kinds = kinds_of(edges, {length} if length is not None else set())
    spots = tuple((name, _type(program, name)) for name in sorted(kinds.spots - {length}))
    data = tuple(sorted(kinds.data))
    index = (*spots, *((name, WIDE) for name in sorted(pointers.moving)), (INDEX, WIDE))
    measured = [type_ for _, type_ in spots] + ([_type(program, length)] if length is not None else [])
    longest = min((type_.maximum for type_ in measured), default=IntType(32, True).maximum)
    vocabulary = Vocabulary(index, data, tuple(sorted(kinds.constants)), pointers.cell, longest)
    translation = CommandTranslation(program, vocabulary, length, pointers)
    round_ = closing(edges, start)
    arcs = [arc for edge in edges for arc in translation.arcs(edge, closes=edge in round_)]
    begin, arriving = translation.arriving(start, [name for name in parameters if name in pointers.moving])
    return Task(
        program,
        pointers.array,
        length,
        start,
        begin,
        tuple(k for k, (name, _) in enumerate(spots) if name in parameters),
        tuple(k for k, name in enumerate(data) if name in parameters),
        tuple(bound),
        vocabulary,
        (*arcs, *arriving),
        Obligations(translation).of(edges),
    )


def _type(program: Program, name: str) -> IntType:
    found = program.variables[name].type
    assert found is not None
    return found


# --- what is in reach ------------------------------------------------------------------------------------------------

_SUPPORTED = Assign | Shift | Distance | Compute | Havoc | LoadDataCell | StoreDataCell | Assume | Assert | Skip


def _all_supported(edges: list[Edge[Command]]) -> None:
    for edge in edges:
        if not isinstance(edge.command, _SUPPORTED):
            raise UnsupportedError(f"'{format_command(edge.command)}' in a precondition", edge.span, hint=HINT)


def _lengths(
    program: Program,
    lengths: Mapping[str, str],
    arrays: list[str],
    parameters: tuple[str, ...],
    edges: list[Edge[Command]],
) -> dict[str, str]:
    """The parameters that are said to be the lengths of arrays."""
    found: dict[str, str] = {}
    by_name = {program.variables[name].source_name: name for name in parameters}
    for shown, length in lengths.items():
        array, chosen = by_name.get(shown), by_name.get(length)
        if array not in arrays or array is None:
            raise InputError(f"'{shown}' is no array that the function accesses")
        if chosen is None or program.variables[chosen].type is None:
            raise InputError(f"the function has no integer parameter '{length}' that could be the length of '{shown}'")
        found[array] = chosen
    for edge in edges:
        command = edge.command
        if isinstance(command, Compute | Havoc | LoadDataCell) and command.target in found.values():
            shown = program.variables[command.target].source_name
            raise UnsupportedError(f"'{shown}', which is the length of an array and changes", edge.span)
    return found
