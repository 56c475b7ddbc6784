"""The values of integer variables, where they are few: forward, flow-sensitive, by sets of up to `MOST` values.

    for (i = 0; i < 10; i++) a[i] = 0;      # at the store, i is one of 0, ..., 9

Only variables are tracked on which an index, a length or a size depends. A variable that is not in the sets of a
location may have any value there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import product
from math import prod

from heapwright.program.commands import (
    Assert,
    Assume,
    Command,
    Compute,
    LoadCell,
    LoadDataCell,
    New,
    Shift,
    StoreCell,
    StoreDataCell,
)
from heapwright.program.dataflow.liveness import Liveness, defined
from heapwright.program.expressions import (
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    IntVar,
    Unary,
    compare,
    evaluate,
    variables_of,
)
from heapwright.program.graph import Edge, Program

MOST = 16  # values of a variable
MOST_TOGETHER = 256  # combinations of the values of several

Values = Mapping[str, frozenset[int]]


class ValueSets:
    """`at(location)` has the variables whose values are known there; None: no run comes there."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.indices = _closed(program, {name for e in program.graph.edges for name in _indices(e.command)})
        sizes = {name for edge in program.graph.edges for name in _sizes(edge.command)}
        self.names = _closed(program, self.indices | sizes)
        self._found: dict[int, dict[str, frozenset[int]]] = {program.graph.entry: {}}
        if self.names:
            self._run()

    def at(self, location: int) -> Values | None:
        return self._found.get(location)

    def _run(self) -> None:
        graph = self.program.graph
        rank = {location: -index for index, location in enumerate(graph.postorder)}
        waiting = {graph.entry}
        while waiting:
            location = min(waiting, key=rank.__getitem__)
            waiting.remove(location)
            for edge in graph.successors[location]:
                after = self._after(edge, self._found[location])
                if after is not None and self._joined(edge.target, after):
                    waiting.add(edge.target)

    def _joined(self, location: int, values: dict[str, frozenset[int]]) -> bool:
        """Whether the values have changed."""
        before = self._found.get(location)
        if before is None:
            self._found[location] = values
            return True
        both = {name: before[name] | values[name] for name in before if name in values}
        joined = {name: found for name, found in both.items() if len(found) <= MOST}
        self._found[location] = joined
        return joined != before

    def _after(self, edge: Edge[Command], values: Values) -> dict[str, frozenset[int]] | None:
        command, after = edge.command, dict(values)
        if isinstance(command, Assume | Assert) and isinstance(command.literal, Compare):
            return _where(command.literal, after)
        target = defined(command)
        if target in self.names:
            assert target is not None
            after.pop(target, None)
            found = results(command.value, values) if isinstance(command, Compute) else None
            if found is not None and len(found) <= MOST:
                after[target] = found
        return after

    # --- what follows -------------------------------------------------------------------------------------------------

    @cached_property
    def counters(self) -> dict[str, tuple[int, ...]]:
        """Variables that decide an index and have few values wherever they are live, though more than one; none if
        there are too many combinations of them."""
        if not self.indices:
            return {}
        live, graph = Liveness(self.program), self.program.graph
        known: dict[str, set[int]] = {name: set() for name in self.indices}
        most = 1
        for location in graph.postorder:
            values = self.at(location)
            if values is None:
                continue
            here = [name for name in known if live.at(location) & live.bit(name)]
            for name in here:
                if name in values:
                    known[name] |= values[name]
                else:
                    del known[name]
            most = max(most, prod(len(values[name]) for name in here if name in known))
        if most > MOST_TOGETHER:
            return {}
        return {name: tuple(sorted(found)) for name, found in sorted(known.items()) if 1 < len(found) <= MOST}

    def folded(self) -> Program:
        """The program with constants for variables that have one value; edges and locations keep their numbers."""
        if not self.names:
            return self.program
        graph = self.program.graph
        edges = tuple([self._folded(edge) for edge in graph.edges])
        return replace(self.program, graph=replace(graph, edges=edges)) if edges != graph.edges else self.program

    def _folded(self, edge: Edge[Command]) -> Edge[Command]:
        values = self.at(edge.source) or {}
        single = {name: value for name, found in values.items() if len(found) == 1 for value in found}
        command = _with_constants(edge.command, single) if single else edge.command
        return edge if command == edge.command else replace(edge, command=command)


def _indices(command: Command) -> Iterator[str]:
    if isinstance(command, LoadCell | StoreCell | LoadDataCell | StoreDataCell):
        yield from variables_of(command.index)


def _sizes(command: Command) -> Iterator[str]:
    if isinstance(command, New):
        for expr in (command.count, command.size):
            yield from variables_of(expr) if expr is not None else ()
    elif isinstance(command, Shift):
        yield from variables_of(command.offset)


def _closed(program: Program, names: set[str]) -> set[str]:
    """Variables with those that their values, or conditions about them, depend on."""
    found = set(names)
    while True:
        before = len(found)
        for edge in program.graph.edges if found else ():
            match edge.command:
                case Compute(target, value) if target in found:
                    found |= variables_of(value)
                case Assume(Compare(_, left, right)) if found & (together := variables_of(left) | variables_of(right)):
                    found |= together
        if len(found) == before:
            return found


def assignments(names: frozenset[str], values: Values) -> list[dict[str, int]] | None:
    """The combinations of values of some variables; None if they are not known, or too many."""
    if not all(name in values for name in names) or prod(len(values[name]) for name in names) > MOST_TOGETHER:
        return None
    order = sorted(names)
    return [dict(zip(order, one, strict=True)) for one in product(*(sorted(values[name]) for name in order))]


def results(expr: Expr, values: Values) -> frozenset[int] | None:
    """The values of an expression; None if they are not known."""
    found = assignments(variables_of(expr), values)
    return None if found is None else frozenset(evaluate(expr, one) for one in found)


def holds(literal: Compare, values: Mapping[str, int]) -> bool:
    return compare(literal.op, evaluate(literal.left, values), evaluate(literal.right, values))


def _where(literal: Compare, values: dict[str, frozenset[int]]) -> dict[str, frozenset[int]] | None:
    """The values for which a condition may hold; None: for none."""
    names = variables_of(literal.left) | variables_of(literal.right)
    found = assignments(names, values)
    if found is None:
        return values
    kept = [one for one in found if holds(literal, one)]
    return {**values, **{name: frozenset(one[name] for one in kept) for name in names}} if kept else None


def _with_constants(command: Command, values: Mapping[str, int]) -> Command:
    match command:
        case New(count=count, size=size):
            return replace(command, count=count and _folded(count, values), size=size and _folded(size, values))
        case LoadCell() | StoreCell() | LoadDataCell() | StoreDataCell():
            return replace(command, index=_folded(command.index, values))
        case Shift():
            return replace(command, offset=_folded(command.offset, values))
        case Compute(_, value):
            return replace(command, value=_folded(value, values))
        case Assume(Compare(op, left, right)):
            return replace(command, literal=Compare(op, _folded(left, values), _folded(right, values)))
        case Assert(Compare(op, left, right), _):
            return replace(command, literal=Compare(op, _folded(left, values), _folded(right, values)))
    return command


def _folded(expr: Expr, values: Mapping[str, int]) -> Expr:
    names = variables_of(expr)
    if names and all(name in values for name in names):
        return Const(evaluate(expr, values), expr.type)
    match expr:
        case Unary() | Convert():
            return replace(expr, operand=_folded(expr.operand, values))
        case Binary(_, left, right, _):
            return replace(expr, left=_folded(left, values), right=_folded(right, values))
        case IntVar() | Const():
            return expr
