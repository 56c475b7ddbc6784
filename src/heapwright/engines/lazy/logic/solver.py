"""Satisfiability, models and unsatisfiable cores of formulas of `terms`, by z3.

Results are memoised. `unknown` counts as satisfiable, which is sound.

>>> from heapwright.engines.lazy.logic.terms import le, num, var
>>> solver = Solver()
>>> solver.satisfiable((le(var("x"), num(0)), le(num(1), var("x"))))
False
>>> solver.core([("small", le(var("x"), num(0))), ("other", le(var("y"), num(7))), ("large", le(num(1), var("x")))])
['small', 'large']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from heapwright.engines.lazy.logic import terms as t
from heapwright.logic.connectives import FALSE, Truth
from heapwright.smt import session
from heapwright.smt import terms as smt
from heapwright.smt.encoder import Encoder
from heapwright.smt.session import Answer

UNITS = session.SECOND  # of one query; arithmetic and arrays take about four times as long
Name = TypeVar("Name")


class Model:
    """Numbers for which formulas hold."""

    def __init__(self, found: session.Model, term: Callable[[t.Term], smt.Term]) -> None:
        self._found = found
        self._term = term

    def value(self, term: t.Term) -> int:
        return self._found.number(self._term(term))


class Solver(Encoder[t.Formula]):
    def __init__(self) -> None:
        super().__init__()
        self._array = self.symbols.arrays(self.symbols.integers, self.symbols.integers)
        self._session = session.Session(self.symbols, UNITS, simple=False)
        self._terms: dict[t.Term, smt.Term] = {}
        self._memo: dict[frozenset[t.Formula], bool] = {}

    @property
    def queries(self) -> int:
        return self._session.statistics.queries

    # --- queries ---------------------------------------------------------------------------------------------------

    def satisfiable(self, formulas: Iterable[t.Formula]) -> bool:
        """Whether the conjunction is satisfiable; True if unknown."""
        asked = [one for one in formulas if one != Truth(True)]
        key = frozenset(asked)
        if FALSE in key:
            return False
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = self._session.answer(map(self.formula, asked)) is not Answer.UNSAT
        return found

    def implied(self, premises: Sequence[t.Formula], conclusion: t.Formula) -> bool:
        """Whether the conclusion is entailed; False if unknown."""
        return not self.satisfiable((*premises, t.negation(conclusion)))

    def core(self, formulas: Sequence[tuple[Name, t.Formula]]) -> list[Name] | None:
        """The names of a minimal unsatisfiable core, in order; None if the formulas are satisfiable or unknown."""
        marked = [self.marked(f"?{index}", formula) for index, (_, formula) in enumerate(formulas)]
        query = self._session.check([one for _, one in marked], [mark for mark, _ in marked])
        if query.answer is not Answer.UNSAT:
            return None
        indices = query.core()
        for index in reversed(indices.copy()):
            fewer = [other for other in indices if other != index]
            if not self.satisfiable(formulas[other][1] for other in fewer):
                indices = fewer
        return [formulas[index][0] for index in indices]

    def model(self, formulas: Iterable[t.Formula]) -> Model | None:
        """A model of all formulas; None if there is none, or unknown."""
        query = self._session.check(map(self.formula, formulas))
        self._session.statistics.queries -= 1  # whether there is one was asked before
        return Model(query.model(), self._term) if query.answer is Answer.SAT else None

    # --- encoding --------------------------------------------------------------------------------------------------

    def atom(self, atom: t.AtMost | t.Zero | t.NotZero | t.Stored) -> smt.Term:
        match atom:
            case t.AtMost(term):
                return self._term(term) <= 0
            case t.Zero(term):
                return self._term(term) == 0
            case t.NotZero(term):
                return self._term(term) != 0
            case t.Stored(after, before, index, value):
                return self._cells(after) == smt.store(self._cells(before), self._term(index), self._term(value))

    def _cells(self, array: str) -> smt.Term:
        return self.symbols.constant(array, self._array)

    def _term(self, term: t.Term) -> smt.Term:
        found = self._terms.get(term)
        if found is None:
            found = self.symbols.number(term.constant)
            for leaf, k in term.parts:
                found = found + k * self._leaf(leaf)
            self._terms[term] = found
        return found

    def _leaf(self, leaf: t.Variable | t.Cell | t.Choice) -> smt.Term:
        match leaf:
            case t.Variable(name):
                return self.symbols.integer(name)
            case t.Cell(array, index):
                return smt.select(self._cells(array), self._term(index))
            case t.Choice(condition, then, other):
                return smt.ite(self.formula(condition), self._term(then), self._term(other))
