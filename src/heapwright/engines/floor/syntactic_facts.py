"""Facts of the text of a program that steer the analysis: its constants, and the variables that it compares.

thresholds_of(edges)           # where widening stops: (-1, 0, 1, 9, 10, 11, ...)
split_joins(graph, ...)        # joins behind which is tested what was set to constants before them
compared_variables(program)    # {"i": {"n"}, "n": {"i"}}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from heapwright.program.commands import (
    Assert,
    Assign,
    Assume,
    Command,
    Compute,
    Copy,
    External,
    Fill,
    LoadCell,
    LoadDataCell,
    New,
    Shift,
    StoreCell,
    StoreData,
    StoreDataCell,
)
from heapwright.program.dataflow.liveness import defined
from heapwright.program.expressions import (
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    PointerCompare,
    Unary,
    Var,
    variables_of,
)
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


# --- joins of results ------------------------------------------------------------------------------------------------

LONGEST_WAY = 24  # commands from a join to the test of a result
MOST_WAYS = 8  # to a join


def split_joins(graph: Graph[Command], joins: Iterable[int], heads: Iterable[int]) -> tuple[set[int], set[int]]:
    """Joins, of no loops, behind which a variable is tested that was set to a constant on a way to them, as the result
    of a function is: states are not joined before the test, so that what holds on a way is known where it led. And
    where the branches of these tests lead: there they are joined."""
    plain, split, ends = set(joins) - set(heads) - {graph.entry}, set[int](), set[int]()
    all_joins = set(joins)
    for join in sorted(plain):
        found = _tested_behind(graph, join, all_joins)
        if found is None or join in ends or len(graph.predecessors[join]) > MOST_WAYS:
            continue
        targets, names = found
        if not targets & (split | {join}) and any(_sets(graph, edge, names) for edge in graph.predecessors[join]):
            split.add(join)
            ends |= targets
    return split, ends


def _tested_behind(graph: Graph[Command], join: int, joins: set[int]) -> tuple[set[int], frozenset[str]] | None:
    """The targets of the branches behind a join, and the variables there whose values they depend on."""
    at, way = join, list[Command]()
    while len(graph.successors[at]) == 1 and len(way) < LONGEST_WAY:
        (edge,) = graph.successors[at]
        if edge.target in joins or isinstance(edge.command, New | External):
            return None
        way.append(edge.command)
        at = edge.target
    branches = graph.successors[at]
    names: set[str] = set()
    for edge in branches:
        if len(branches) < 2 or not isinstance(edge.command, Assume):
            return None
        names |= _tested(edge.command)
    for command in reversed(way):
        name = defined(command)
        if name in names:
            names = names - {name} | _copied(command)
    return {edge.target for edge in branches}, frozenset(names)


def _tested(command: Assume) -> set[str]:
    match command.literal:
        case Compare(_, left, right):
            return set(variables_of(left) | variables_of(right))
        case PointerCompare(_, one, other):
            return {operand.name for operand in (one, other) if isinstance(operand, Var)}
    return set()


def _copied(command: Command) -> set[str]:
    match command:
        case Assign(_, Var(name)):
            return {name}
        case Compute(_, expr):
            return set(variables_of(expr))
    return set()


def _sets(graph: Graph[Command], edge: Edge[Command], names: frozenset[str]) -> bool:
    """Whether one of the variables is set to a constant on the way that ends with an edge."""
    for _ in range(LONGEST_WAY):
        if defined(edge.command) in names:
            constant = isinstance(edge.command, Assign) and not isinstance(edge.command.value, Var)
            return constant or (isinstance(edge.command, Compute) and isinstance(edge.command.value, Const))
        before = graph.predecessors[edge.source]
        if len(before) != 1:
            return False
        (edge,) = before
    return False
