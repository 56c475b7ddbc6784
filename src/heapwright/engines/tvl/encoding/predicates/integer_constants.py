"""Integers that are set to constants and tested against a few: `i==c` of a variable, `T.d==c` of a data field.

Counters are variables of which all values are known (program/dataflow/value_sets.py): one of their predicates holds
while they are live, so that expressions and conditions over them are decided by cases.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from heapwright.engines.tvl.encoding.predicate_names import IS_NEW, equals
from heapwright.engines.tvl.encoding.predicates.family import Data, Family
from heapwright.engines.tvl.encoding.predicates.offset_tags import all_of, any_of
from heapwright.logic.actions import Action, Update
from heapwright.logic.formulas import FALSE, HALF, TRUE, And, Exists, Formula, IfThenElse, Not, atom
from heapwright.logic.vocabulary import Constraint, Predicate
from heapwright.program.commands import Compute, Havoc, LoadData, New, StoreData
from heapwright.program.dataflow.tracked_integers import (
    bare,
    compared,
    comparison,
    equality,
    field_name,
    tracked_constants,
)
from heapwright.program.dataflow.value_sets import assignments, holds
from heapwright.program.expressions import Compare, Const, Expr, IntVar, Literal, evaluate, variables_of
from heapwright.program.graph import Program


@dataclass(frozen=True)
class Constants(Family):
    """`cells` has the names of the cells of new blocks; values of `unnamed` ones keep no objects apart."""

    program: Program
    cells: Callable[[New], frozenset[str]]
    counters: Mapping[str, tuple[int, ...]] = dataclasses.field(default_factory=dict)
    unnamed: frozenset[str] = frozenset()

    @cached_property
    def values(self) -> dict[str, tuple[int, ...]]:
        """The values of interest of variables and fields."""
        found = tracked_constants(self.program, truth_values=True)
        counted = {name: {*values, *found.get(name, ())} for name, values in self.counters.items()}
        return found | {name: tuple(sorted(values)) for name, values in counted.items()}

    def _is_field(self, name: str) -> bool:
        return name not in self.program.variables

    def predicates(self) -> Iterable[Predicate]:
        for name, values in self.values.items():
            arity, named = (1 if self._is_field(name) else 0), name not in self.unnamed
            yield from (Predicate(equals(name, value), arity, abstraction=named) for value in values)

    def constraints(self) -> Iterable[Constraint]:
        for name, values in self.values.items():
            if name in self.counters:
                continue  # they get their values together
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
        """A load makes the value of the field definite, so that a later test of the variable is a test of the field."""
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
        counted = self._by_cases(variables_of(expr), lambda values: evaluate(expr, values) == value)
        if counted is not None:
            return counted
        if isinstance(source, IntVar) and value in self.values.get(source.name, ()):
            return atom(equals(source.name, value))
        test = comparison(expr)
        if test is None:
            return HALF
        true = self.meaning(test) or HALF
        return FALSE if value not in (0, 1) else true if value else Not(true)

    def _by_cases(self, names: frozenset[str], test: Callable[[Mapping[str, int]], bool]) -> Formula | None:
        """When something holds that depends on counters alone."""
        cases = assignments(names, self._all_values) if names else None
        if cases is None:
            return None
        told = {True: list[Formula](), False: list[Formula]()}
        for case in cases:
            told[test(case)].append(all_of([atom(equals(name, value)) for name, value in case.items()]))
        known = any_of([*told[True], *told[False]])
        return IfThenElse(known, any_of(told[True]), HALF)

    @cached_property
    def _all_values(self) -> dict[str, frozenset[int]]:
        return {name: frozenset(values) for name, values in self.counters.items()}

    def gone(self, names: frozenset[str]) -> Iterable[Action]:
        dead = [name for name in self.counters if name in names]
        if dead:
            updates = [Update(equals(name, value), (), HALF) for name in dead for value in self.values[name]]
            yield Action(f"{', '.join(dead)} gone", updates=tuple(updates))

    def meaning(self, literal: Literal) -> Formula | None:
        if isinstance(literal, Compare):
            names = variables_of(literal.left) | variables_of(literal.right)
            counted = self._by_cases(names, lambda values: holds(literal, values))
            if counted is not None:
                return counted
            pair = compared(literal)
            if pair is not None:
                return self._equal(*pair, literal.op == "==")
        found = equality(literal) if isinstance(literal, Compare) else None
        if found is None or found[1] not in self.values.get(found[0], ()):
            return None
        equal = atom(equals(found[0], found[1]))
        return equal if found[2] else Not(equal)

    def _equal(self, one: str, other: str, equal: bool) -> Formula | None:
        """When two variables are equal, or different, as far as their values are known."""
        values = sorted(set(self.values.get(one, ())) & set(self.values.get(other, ())))
        if not values:
            return None
        pairs = [(atom(equals(one, value)), atom(equals(other, value))) for value in values]
        same = any_of([And(pair) for pair in pairs])
        apart = any_of([And((first, Not(second))) for pair in pairs for first, second in (pair, pair[::-1])])
        return IfThenElse(same, TRUE if equal else FALSE, IfThenElse(apart, FALSE if equal else TRUE, HALF))

    def learned(self, literal: Literal) -> Iterable[Update]:
        """Updates after a test against a constant."""
        found = equality(literal) if isinstance(literal, Compare) else None
        if found is None:
            return
        name, value, equal = found
        for known in self.values.get(name, ()):
            if known == value:
                yield Update(equals(name, known), (), TRUE if equal else FALSE)
            elif equal:
                yield Update(equals(name, known), (), FALSE)
