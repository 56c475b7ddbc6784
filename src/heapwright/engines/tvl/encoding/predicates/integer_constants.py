"""Integers that are set to constants and tested against a few: `i==c` of a variable, `T.d==c` of a data field."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from heapwright.engines.tvl.encoding.predicate_names import IS_NEW, equals
from heapwright.engines.tvl.encoding.predicates.family import Data, Family
from heapwright.logic.actions import Update
from heapwright.logic.formulas import FALSE, HALF, TRUE, And, Exists, Formula, IfThenElse, Not, atom
from heapwright.logic.vocabulary import Constraint, Predicate
from heapwright.program.commands import Compute, Havoc, LoadData, New, StoreData
from heapwright.program.dataflow.tracked_integers import bare, comparison, equality, field_name, tracked_constants
from heapwright.program.expressions import Compare, Const, Expr, IntVar, Literal
from heapwright.program.graph import Program


@dataclass(frozen=True)
class Constants(Family):
    """`cells` has the names of the cells of new blocks."""

    program: Program
    cells: Callable[[New], frozenset[str]]

    @cached_property
    def values(self) -> dict[str, tuple[int, ...]]:
        """The values of interest of variables and fields."""
        return tracked_constants(self.program, truth_values=True)

    def _is_field(self, name: str) -> bool:
        return name not in self.program.variables

    def predicates(self) -> Iterable[Predicate]:
        for name, values in self.values.items():
            yield from (Predicate(equals(name, value), 1 if self._is_field(name) else 0) for value in values)

    def constraints(self) -> Iterable[Constraint]:
        for name, values in self.values.items():
            arguments = ("v",) if self._is_field(name) else ()
            for one in values:
                for other in values:
                    if one != other:
                        is_one, is_other = (atom(equals(name, value), *arguments) for value in (one, other))
                        yield Constraint(is_one, Not(is_other))

    def created(self, command: New) -> Iterable[Update]:
        fresh = atom(IS_NEW, "v")
        for name, values in self.values.items():
            if name in self.cells(command):
                for value in values:
                    start: Formula = (TRUE if value == 0 else FALSE) if command.zeroed else HALF
                    known = equals(name, value)
                    yield Update(known, ("v",), IfThenElse(fresh, start, atom(known, "v")))

    def focus_computed(self, command: Data) -> Iterable[Formula]:
        """What is loaded is the value of the field from then on: a later test of one is a test of the other."""
        if isinstance(command, LoadData):
            name = field_name(self.program, command.base, command.field)
            for c in set(self.values.get(command.target, ())) & set(self.values.get(name, ())):
                yield self._loaded(command.base, name, c)

    def _loaded(self, base: str, name: str, value: int) -> Formula:
        return Exists(("v",), And((atom(base, "v"), atom(equals(name, value), "v"))))

    def computed(self, command: Data) -> Iterable[Update]:
        match command:
            case LoadData(target, base, field):
                name = field_name(self.program, base, field)
                for c in self.values.get(target, ()):
                    known = self._loaded(base, name, c) if c in self.values.get(name, ()) else HALF
                    yield Update(equals(target, c), (), known)
            case StoreData(base, field, expr):
                name = field_name(self.program, base, field)
                for c in self.values.get(name, ()):
                    here, before = atom(base, "v"), atom(equals(name, c), "v")
                    yield Update(equals(name, c), ("v",), IfThenElse(here, self._is_value(expr, c), before))
            case Compute(target, expr):
                for c in self.values.get(target, ()):
                    yield Update(equals(target, c), (), self._is_value(expr, c))
            case Havoc(target):
                yield from (Update(equals(target, c), (), HALF) for c in self.values.get(target, ()))

    def _is_value(self, expr: Expr, value: int) -> Formula:
        source = bare(expr)
        if isinstance(source, Const):
            return TRUE if source.value == value else FALSE
        if isinstance(source, IntVar) and value in self.values.get(source.name, ()):
            return atom(equals(source.name, value))
        test = comparison(expr)
        if test is None:
            return HALF
        holds = self.meaning(test) or HALF
        return FALSE if value not in (0, 1) else holds if value else Not(holds)

    def meaning(self, literal: Literal) -> Formula | None:
        found = equality(literal) if isinstance(literal, Compare) else None
        if found is None or found[1] not in self.values.get(found[0], ()):
            return None
        holds = atom(equals(found[0], found[1]))
        return holds if found[2] else Not(holds)

    def learned(self, literal: Literal) -> Iterable[Update]:
        """What a test against a constant tells."""
        found = equality(literal) if isinstance(literal, Compare) else None
        if found is None:
            return
        name, value, equal = found
        for known in self.values.get(name, ()):
            if known == value:
                yield Update(equals(name, known), (), TRUE if equal else FALSE)
            elif equal:
                yield Update(equals(name, known), (), FALSE)
