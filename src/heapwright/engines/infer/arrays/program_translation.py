"""Translation of a program to steps over an array and integers.

    (task,) = translate_arrays(program, {"a": "n"})   # the parameter n is the number of cells of a
    task.arcs                                         # the steps, against the flow of control
    task.obligations                                  # obligations, and the steps by which they fail

The parameters are integers and pointers to the first cell of a block of integers, or null. There is a task for each
array that is accessed, in which the others are havocked: loads from them have any value, and stores to them may modify
this array, as two parameters may be the same array. The obligation of an access belongs to the task of its array, an
assertion to all tasks. Integers are index variables or data variables by their use (`integer_kinds`); integers that are
neither an index plus a constant nor a copy of an element are unconstrained.
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
from heapwright.engines.infer.arrays.stores import Step, Vocabulary
from heapwright.engines.infer.function_body import body_edges, closing, is_parameter, prologue
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
    `bound` has the variables to which the prologue assigns inputs. `length` is the name of the parameter that is the
    length. The body begins at the location `start`; `begin` is the entry of the backward analysis."""

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
    """A task for each array; all have the same inputs, except for the parameters that are lengths."""
    start, bound = prologue(program)
    edges = threaded(body_edges(program, start), start)
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


# --- supported programs ----------------------------------------------------------------------------------------------

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
    """The parameters that are lengths of arrays by the options."""
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
