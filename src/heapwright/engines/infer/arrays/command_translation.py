"""Commands over an array and integers as steps of the backward analysis.

An index that is an index variable plus a constant, and a copied or compared element, are tracked; any other integer is
havocked. A command may become a chain of steps through locations that the program does not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heapwright.engines.infer.algorithm import Arc
from heapwright.engines.infer.arrays import stores as s
from heapwright.engines.infer.arrays.array_pointers import Pointers
from heapwright.engines.infer.arrays.integer_kinds import constant_of, plain_of
from heapwright.program import commands as c
from heapwright.program import expressions as e
from heapwright.program.graph import Edge, Program
from heapwright.program.types import IntType

INDEX = "index"  # of an access that is not a variable
WIDE = IntType(80, True)  # wide enough for every index


@dataclass
class CommandTranslation:
    """Commands as steps over the index and data variables of one array."""

    program: Program
    vocabulary: s.Vocabulary
    length: str | None
    pointers: Pointers

    def __post_init__(self) -> None:
        self.spots = {name: k for k, (name, _) in enumerate(self.vocabulary.spots)}
        self.data = {name: k for k, name in enumerate(self.vocabulary.data)}
        self.index = s.Spot(self.spots[INDEX], 0, WIDE)
        self.locations = len(self.program.graph.locations)

    def arcs(self, edge: Edge[c.Command], *, closes: bool) -> Iterator[Arc[s.Step]]:
        """The arcs of an edge; after a back edge segments are merged (`Gather`)."""
        gather: list[s.Step] = [s.Gather()] if closes else []
        for steps in self._ways(edge.command):
            yield from self.chain(edge.target, [*steps, *gather], edge.source)

    def arriving(self, start: int, moving: list[str]) -> tuple[int, list[Arc[s.Step]]]:
        """The entry of the analysis, and the arcs from the beginning of the body to it: moving parameters point to the
        first cell."""
        steps: list[s.Step] = [s.Move(self.spots[name], s.Spot(s.ZERO, 0, WIDE)) for name in moving]
        self.locations += 1
        begin = self.locations
        return begin, list(self.chain(start, steps or [s.Idle()], begin))

    def chain(self, source: int, steps: list[s.Step], target: int) -> Iterator[Arc[s.Step]]:
        """Arcs of a sequence of steps, given in the order of execution, between two locations."""
        for step in reversed(steps[1:]):
            self.locations += 1
            yield Arc(source, step, self.locations)
            source = self.locations
        yield Arc(source, steps[0], target)

    def _ways(self, command: c.Command) -> list[list[s.Step]]:
        """The steps of a command, one list for each outcome."""
        match command:
            case c.Compute(target, value):
                return [[self._computed(target, value)]]
            case c.Havoc(target):
                return [[self._forgotten(target)]]
            case c.Assign(target, e.Var(name)) if target in self.pointers.moving:
                return [[s.Move(self.spots[target], self._pointer(name))]]
            case c.Assign(target, _) if target in self.pointers.moving:
                return [[s.HavocSpot(self.spots[target])]]
            case c.Shift(target, base, offset) if target in self.pointers.moving:
                spot = self.position(base, offset)
                return [[s.HavocSpot(self.spots[target]) if spot is None else s.Move(self.spots[target], spot)]]
            case c.Distance(target, left, right) if target in self.spots:
                known = right in self.pointers.fixed and left in self.pointers.within
                return [[s.Move(self.spots[target], self._pointer(left)) if known else self._forgotten(target)]]
            case c.Distance(target):
                return [[self._forgotten(target)]]
            case c.LoadDataCell(target, base) if base not in self.pointers.within:
                return [[self._forgotten(target)]]
            case c.StoreDataCell(base) if base not in self.pointers.within:
                return [[s.HavocCells()]]
            case c.LoadDataCell(target, base, index):
                way: list[s.Step] = [*self.indexed(base, index), s.Load(self._loaded(target), self.access(base, index))]
                return [way if self._loaded(target) is not None else [*way, self._forgotten(target)]]
            case c.StoreDataCell(base, index, value):
                stored = self._term(value) if value.type == self.vocabulary.cell else None
                return [[*self.indexed(base, index), s.Put(self.access(base, index), stored)]]
            case c.Assume(literal) | c.Assert(literal):
                return [[self.test(literal) or s.Idle()]]
            case _:
                return [[s.Idle()]]

    def _loaded(self, target: str) -> int | None:
        return self.data.get(target) if self.program.variables[target].type == self.vocabulary.cell else None

    def _computed(self, target: str, value: e.Expr) -> s.Step:
        if target in self.data:
            term = self._term(value) if value.type == self.program.variables[target].type else None
            return s.HavocData(self.data[target]) if term is None else s.Take(self.data[target], term)
        if target in self.spots:
            spot = self._spot(value)
            if spot is not None and value.type == self.vocabulary.spots[self.spots[target]][1]:
                return s.Move(self.spots[target], spot)
        return self._forgotten(target)

    def _forgotten(self, target: str) -> s.Step:
        if target in self.data:
            return s.HavocData(self.data[target])
        return s.HavocSpot(self.spots[target]) if target in self.spots else s.Idle()

    def access(self, base: str, index: e.Expr) -> s.Spot:
        spot = self.position(base, index)
        return spot if spot is not None and spot.base >= 0 and spot.offset == 0 else self.index

    def indexed(self, base: str, index: e.Expr) -> list[s.Step]:
        """Steps that assign the index of an access to a variable, unless it is one."""
        spot = self.position(base, index)
        if spot is None:
            return [s.HavocSpot(self.index.base)]
        return [] if spot.base >= 0 and spot.offset == 0 else [s.Move(self.index.base, spot)]

    def position(self, base: str, index: e.Expr) -> s.Spot | None:
        """The position of a pointer plus an index; None if it is not tracked."""
        if base not in self.pointers.moving:
            return self._spot(index)
        offset = constant_of(index)
        return None if offset is None else s.Spot(self.spots[base], offset, WIDE)

    def _pointer(self, name: str) -> s.Spot:
        return s.Spot(self.spots[name] if name in self.pointers.moving else s.ZERO, 0, WIDE)

    def _spot(self, expr: e.Expr) -> s.Spot | None:
        """An expression as a position plus a constant; None for any other expression."""
        constant = constant_of(expr)
        if constant is not None:
            return s.Spot(s.ZERO, constant, expr.type)
        match expr:
            case e.IntVar(name, type_) if name == self.length:
                return s.Spot(s.LENGTH, 0, type_)
            case e.IntVar(name, type_) if name in self.spots:
                return s.Spot(self.spots[name], 0, type_)
            case e.Convert(operand, type_):
                inner = plain_of(expr)
                return self._spot(operand) if inner is not expr else None
            case e.Binary("+" | "-" as op, left, right, type_):
                base, offset = self._spot(left), constant_of(right)
                if base is None or offset is None:
                    base, offset = (self._spot(right), constant_of(left)) if op == "+" else (None, None)
                if base is None or offset is None or base.offset:
                    return None
                return s.Spot(base.base, offset if op == "+" else -offset, type_)
        return None

    def _term(self, expr: e.Expr) -> int | None:
        constant = constant_of(expr)
        if constant is not None:
            constants = self.vocabulary.constants
            return len(self.data) + constants.index(constant) if constant in constants else None
        inner = plain_of(expr)
        return self.data.get(inner.name) if isinstance(inner, e.IntVar) else None

    def test(self, literal: e.Literal) -> s.Step | None:
        """A test as a step; None if it depends on values that are not tracked."""
        match literal:
            case e.Compare(op, left, right):
                one, two = self._term(left), self._term(right)
                known = len(self.data)
                if one is not None and two is not None and (one < known or two < known):
                    return s.Weigh(op, one, two)
                first, second = self._spot(left), self._spot(right)
                if first is not None and second is not None:
                    return s.Order(op, first, second)
            case e.PointerCompare("==" | "!=" as op, e.Var(name), e.Null()) | e.PointerCompare(
                "==" | "!=" as op, e.Null(), e.Var(name)
            ) if name in self.pointers.within:
                if name in self.pointers.moving and op == "!=":
                    return None  # null plus an offset is not null
                return s.IsNull(op == "==")
            case e.PointerCompare(op, e.Var(one), e.Var(two)) if {one, two} <= self.pointers.within:
                return s.Order(op, self._pointer(one), self._pointer(two))
        return None
