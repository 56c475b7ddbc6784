"""Live variables (backward may-analysis).

Sets of variables are bit masks over the order of `Program.variables`.

    live = Liveness(program)
    live.at(location) & live.bit("x")
"""

from __future__ import annotations

from heapwright.program.commands import (
    AnyPointer,
    Assert,
    Assign,
    Assume,
    Command,
    Compute,
    Copy,
    Distance,
    External,
    Fill,
    Follow,
    Free,
    FromInteger,
    Havoc,
    Inspect,
    Leave,
    Length,
    Load,
    LoadCell,
    LoadData,
    LoadDataCell,
    New,
    Padding,
    Protect,
    Reinterpret,
    Scramble,
    Shift,
    Skip,
    Store,
    StoreCell,
    StoreData,
    StoreDataCell,
    ToInteger,
)
from heapwright.program.expressions import Compare, Expr, Literal, Pointer, PointerCompare, Var, variables_of
from heapwright.program.graph import Program
from heapwright.program.types import ValueKind


def defined(command: Command) -> str | None:
    """The variable that a command writes."""
    match command:
        case (
            Store()
            | StoreData()
            | StoreCell()
            | StoreDataCell()
            | Copy()
            | Fill()
            | Protect()
            | Inspect()
            | Scramble()
            | Free()
            | Leave()
            | Assume()
            | Assert()
            | Skip()
            | External()
        ):
            return None
        case (
            Assign()
            | Load()
            | Follow()
            | Shift()
            | Reinterpret()
            | New()
            | AnyPointer()
            | Compute()
            | LoadData()
            | Havoc()
            | Distance()
            | Length()
            | LoadCell()
            | LoadDataCell()
        ):
            return command.target


def _of_pointers(*pointers: Pointer) -> frozenset[str]:
    return frozenset(pointer.name for pointer in pointers if isinstance(pointer, Var))


def _names(*names: str) -> frozenset[str]:
    """Without those that are empty."""
    return frozenset(name for name in names if name)


def _of_bytes(command: FromInteger | ToInteger | Copy | Fill) -> frozenset[str]:
    match command:
        case FromInteger():
            return _of_expressions(command.integer)
        case ToInteger():
            return _names(command.pointer)
        case Copy(base, source, size):
            return _of_expressions(size) | {base, source}
        case Fill(base, value, size):
            return _of_expressions(value, size) | {base}


def _of_skip(command: Skip) -> frozenset[str]:
    if isinstance(command, Padding):
        return _of_expressions(command.value, command.size) | _names(command.base, command.source)
    return _of_expressions(*(command.request.operands if command.request else ())) | _names(command.summarize)


def _of_expressions(*exprs: Expr | None) -> frozenset[str]:
    return frozenset[str]().union(*(variables_of(expr) for expr in exprs if expr is not None))


def literal_variables(literal: Literal) -> frozenset[str]:
    match literal:
        case Compare(_, left, right):
            return variables_of(left) | variables_of(right)
        case PointerCompare(_, first, second):
            return _of_pointers(first, second)
        case _:
            return _of_pointers(*literal.pointers)


def used(command: Command) -> frozenset[str]:
    """The variables that a command reads."""
    match command:
        case FromInteger() | ToInteger() | Copy() | Fill():
            return _of_bytes(command)
        case Assign(_, value):
            return _of_pointers(value)
        case Store(base, _, value):
            return _of_pointers(value) | {base}
        case (
            Load()
            | Follow()
            | Reinterpret()
            | Free()
            | Leave()
            | LoadData()
            | Scramble()
            | Length()
            | Protect()
            | Inspect()
        ):
            return frozenset((command.base,))
        case Shift(_, base, offset):
            return _of_expressions(offset) | {base}
        case New():
            return _of_expressions(command.count, command.size) | _names(command.replaces)
        case Compute(_, value):
            return variables_of(value)
        case StoreData(base, _, value):
            return variables_of(value) | {base}
        case Distance(_, left, right):
            return frozenset((left, right))
        case LoadCell(_, base, index) | LoadDataCell(_, base, index):
            return variables_of(index) | {base}
        case StoreCell(base, index, pointer):
            return variables_of(index) | _of_pointers(pointer) | {base}
        case StoreDataCell(base, index, value):
            return variables_of(index) | variables_of(value) | {base}
        case Assume(literal) | Assert(literal, _):
            return literal_variables(literal)
        case Skip():
            return _of_skip(command)
        case External(_, pointers, lent):
            return frozenset((*pointers, *(pointer for pointer, _ in lent)))
        case AnyPointer(_, _, _, count):
            return _names(count)
        case Havoc():
            return _of_expressions(*command.reads)


def slots(mask: int) -> tuple[int, ...]:
    """The indices of the variables in a set.

    >>> slots(0b1010)
    (1, 3)
    """
    found: list[int] = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(found)


class Liveness:
    """Computed once for a program; `at(location)` is a bit mask, and so are `pointers` and `temporaries`."""

    def __init__(self, program: Program) -> None:
        self._bits = {name: 1 << index for index, name in enumerate(program.variables)}
        variables = program.variables.values()
        self.pointers = self.mask([one.name for one in variables if one.kind is ValueKind.POINTER])
        self.temporaries = self.mask([one.name for one in variables if one.temporary])
        graph = program.graph
        gen = [self.mask(used(edge.command)) for edge in graph.edges]
        kill = [self.mask([name] if (name := defined(edge.command)) else []) for edge in graph.edges]
        outgoing: list[list[tuple[int, int, int]]] = [[] for _ in graph.locations]
        for index, edge in enumerate(graph.edges):
            outgoing[edge.source].append((edge.target, gen[index], kill[index]))
        live = [0] * len(graph.locations)
        pending = list(reversed(graph.postorder))
        waiting = set(pending)
        while pending:
            location = pending.pop()
            waiting.discard(location)
            mask = 0
            for target, generated, killed in outgoing[location]:
                mask |= (live[target] & ~killed) | generated
            if mask != live[location]:
                live[location] = mask
                for edge in graph.predecessors[location]:
                    if edge.source not in waiting:
                        waiting.add(edge.source)
                        pending.append(edge.source)
        self._live = live

    def bit(self, name: str) -> int:
        return self._bits[name]

    def mask(self, names: frozenset[str] | list[str]) -> int:
        mask = 0
        for name in names:
            mask |= self._bits[name]
        return mask

    def at(self, location: int) -> int:
        return self._live[location]
