"""Facts of the text of a program that steer the analysis: its constants, and the variables that it compares.

thresholds_of(edges)           # where widening stops: (-1, 0, 1, 9, 10, 11, ...)
compared_variables(program)    # {"i": {"n"}, "n": {"i"}}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from heapwright.program.commands import (
    Assert,
    Assume,
    Command,
    Compute,
    Copy,
    Fill,
    LoadCell,
    LoadDataCell,
    New,
    Shift,
    StoreCell,
    StoreData,
    StoreDataCell,
)
from heapwright.program.expressions import Binary, Compare, Const, Convert, Expr, Unary, variables_of
from heapwright.program.graph import Edge, Graph, Program

ALWAYS = (
    -(1 << 63),
    -(1 << 31),
    -1,
    0,
    1,
    (1 << 31) - 1,
    1 << 32,
    (1 << 32) - 1,
    1 << 40,
    (1 << 63) - 1,
    (1 << 64) - 1,
)
MOST = 60  # thresholds of the program; the smallest are kept


def expressions(command: Command) -> Iterator[Expr]:
    """The expressions in a command."""
    match command:
        case Assume(Compare(_, left, right)) | Assert(Compare(_, left, right)):
            yield from (left, right)
        case Compute(_, value) | StoreData(_, _, value):
            yield value
        case LoadCell(_, _, index) | LoadDataCell(_, _, index) | StoreCell(_, index, _) | Shift(_, _, index):
            yield index
        case StoreDataCell(_, index, value):
            yield from (index, value)
        case New():
            yield from (expr for expr in (command.count, command.size) if expr is not None)
        case Copy(_, _, size) if size is not None:
            yield size
        case Fill(_, value, size):
            yield from (value, size)


def _constants(expr: Expr) -> Iterator[int]:
    match expr:
        case Const(value, _):
            yield value
        case Unary(_, operand, _) | Convert(operand, _):
            yield from _constants(operand)
        case Binary(_, left, right, _):
            yield from _constants(left)
            yield from _constants(right)


def thresholds_of(edges: Iterable[Edge[Command]]) -> tuple[int, ...]:
    found = {
        value + near
        for edge in edges
        for expr in expressions(edge.command)
        for value in _constants(expr)
        for near in (-1, 0, 1)
    }
    return tuple(sorted({*ALWAYS, *sorted(found, key=lambda value: (abs(value), value))[:MOST]}))


def loop_thresholds(graph: Graph[Command], rank: Mapping[int, int], back: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """For each head of a loop the thresholds of its own edges: those between the head and its last edge back."""
    last: dict[int, int] = {}
    for number in back:
        edge = graph.edges[number]
        last[edge.target] = max(last.get(edge.target, 0), rank[edge.source])
    by_rank: list[list[Edge[Command]]] = [[] for _ in rank]
    for edge in graph.edges:
        if edge.source in rank:
            by_rank[rank[edge.source]].append(edge)
    return {
        head: thresholds_of(edge for edges in by_rank[rank[head] : end + 1] for edge in edges)
        for head, end in sorted(last.items())
    }


def compared_variables(program: Program) -> dict[str, frozenset[str]]:
    """For each integer variable those that it is compared with."""
    found: dict[str, set[str]] = {}
    for edge in program.graph.edges:
        match edge.command:
            case Assume(Compare(_, left, right)) | Assert(Compare(_, left, right)):
                for one in variables_of(left):
                    for other in variables_of(right):
                        if one != other:
                            found.setdefault(one, set()).add(other)
                            found.setdefault(other, set()).add(one)
    return {name: frozenset(sorted(others)[:6]) for name, others in found.items()}
