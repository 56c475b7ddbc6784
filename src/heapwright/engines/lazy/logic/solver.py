"""z3 behind a small interface: satisfiability, models and cores of formulas of `terms`.

Nothing else knows of z3. Answers are remembered. `unknown` counts as satisfiable, so that nothing is proved by it.

>>> from heapwright.engines.lazy.logic.terms import le, num, var
>>> solver = Solver()
>>> solver.satisfiable((le(var("x"), num(0)), le(num(1), var("x"))))
False
>>> solver.core([("small", le(var("x"), num(0))), ("other", le(var("y"), num(7))), ("large", le(num(1), var("x")))])
['small', 'large']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import z3

from heapwright.engines.lazy.logic.terms import (
    FALSE,
    And,
    AtMost,
    Cell,
    Choice,
    Formula,
    NotZero,
    Or,
    Stored,
    Term,
    Truth,
    Variable,
    Zero,
    negation,
)

MILLISECONDS = 4_000  # of one query
Name = TypeVar("Name")


class Model:
    """Numbers for which formulas hold."""

    def __init__(self, found: Any, term: Callable[[Term], Any]) -> None:
        self._found = found
        self._term = term

    def value(self, term: Term) -> int:
        return int(self._found.eval(self._term(term), model_completion=True).as_long())


class Solver:
    def __init__(self) -> None:
        self._context: Any = z3.Context()
        self._integers: Any = z3.IntSort(self._context)
        self._array: Any = z3.ArraySort(self._integers, self._integers)
        self._formulas: dict[Formula, Any] = {}
        self._terms: dict[Term, Any] = {}
        self._memo: dict[frozenset[Formula], bool] = {}
        self._incremental: Any = self._fresh()
        self.queries = 0

    # --- questions -------------------------------------------------------------------------------------------------

    def satisfiable(self, formulas: Iterable[Formula]) -> bool:
        """Whether all of them can hold together; True if that is not found out."""
        asked = [one for one in formulas if one != Truth(True)]
        key = frozenset(asked)
        if FALSE in key:
            return False
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = self._ask(asked)
        return found

    def implied(self, premises: Sequence[Formula], conclusion: Formula) -> bool:
        """Whether the conclusion follows; False if that is not found out."""
        return not self.satisfiable((*premises, negation(conclusion)))

    def core(self, formulas: Sequence[tuple[Name, Formula]]) -> list[Name] | None:
        """The names of some formulas that cannot hold together, in their order, none of which can be left out; None if
        all can, or if that is not found out."""
        kept = self._first_core(formulas)
        if kept is None:
            return None
        places = sorted(kept)
        for place in reversed(places.copy()):
            fewer = [other for other in places if other != place]
            if not self.satisfiable(formulas[other][1] for other in fewer):
                places = fewer
        return [formulas[place][0] for place in places]

    def model(self, formulas: Iterable[Formula]) -> Model | None:
        """Numbers for which all formulas hold; None if there are none, or if they are not found."""
        asked = self._fresh()
        asked.add(*(self._formula(formula) for formula in formulas))
        if asked.check() != z3.sat:
            return None
        return Model(asked.model(), self._term)

    # --- z3 --------------------------------------------------------------------------------------------------------

    def _fresh(self) -> Any:
        solver = z3.Solver(ctx=self._context)
        solver.set("timeout", MILLISECONDS)
        return solver

    def _ask(self, formulas: list[Formula]) -> bool:
        self.queries += 1
        solver = self._incremental
        solver.push()
        try:
            for formula in formulas:
                solver.add(self._formula(formula))
            return bool(solver.check() != z3.unsat)
        finally:
            solver.pop()

    def _first_core(self, formulas: Sequence[tuple[Name, Formula]]) -> set[int] | None:
        self.queries += 1
        solver = self._fresh()
        markers: list[Any] = []
        for place, (_, formula) in enumerate(formulas):
            marker = z3.Bool(f"?{place}", self._context)
            solver.add(z3.Implies(marker, self._formula(formula)))
            markers.append(marker)
        if solver.check(*markers) != z3.unsat:
            return None
        return {int(str(marker)[1:]) for marker in solver.unsat_core()}

    def _formula(self, formula: Formula) -> Any:
        found = self._formulas.get(formula)
        if found is None:
            found = self._formulas[formula] = self._translated(formula)
        return found

    def _translated(self, formula: Formula) -> Any:
        match formula:
            case Truth(value):
                return z3.BoolVal(value, self._context)
            case AtMost(term):
                return self._term(term) <= 0
            case Zero(term):
                return self._term(term) == 0
            case NotZero(term):
                return self._term(term) != 0
            case And(operands):
                return z3.And(*(self._formula(operand) for operand in operands))
            case Or(operands):
                return z3.Or(*(self._formula(operand) for operand in operands))
            case Stored(after, before, index, value):
                stored = z3.Store(z3.Const(before, self._array), self._term(index), self._term(value))
                return z3.Const(after, self._array) == stored

    def _term(self, term: Term) -> Any:
        found = self._terms.get(term)
        if found is None:
            found = z3.IntVal(term.constant, self._context)
            for leaf, k in term.parts:
                found = found + k * self._leaf(leaf)
            self._terms[term] = found
        return found

    def _leaf(self, leaf: Variable | Cell | Choice) -> Any:
        match leaf:
            case Variable(name):
                return z3.Const(name, self._integers)
            case Cell(array, index):
                return z3.Select(z3.Const(array, self._array), self._term(index))
            case Choice(condition, then, other):
                return z3.If(self._formula(condition), self._term(then), self._term(other))
