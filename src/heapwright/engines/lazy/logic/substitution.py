"""Substitution: weakest preconditions of assignments and writes, and renaming.

>>> from heapwright.engines.lazy.logic.terms import cell, eq, num, text, var
>>> text(before_write(eq(cell("node.h", var("q")), num(1)), "node.h", var("p"), num(1)))
'p == q || q->h == 1'
"""

from __future__ import annotations

from collections.abc import Mapping

from heapwright.engines.lazy.logic import terms as t
from heapwright.logic.connectives import And, Or


class Rebuild:
    """Rebuilds a formula with other leaves; memoised."""

    def __init__(self) -> None:
        self._terms: dict[t.Term, t.Term] = {}
        self._formulas: dict[t.Formula, t.Formula] = {}

    def variable(self, leaf: t.Variable) -> t.Term:
        return t.Term(0, ((leaf, 1),))

    def cell(self, array: str, index: t.Term) -> t.Term:
        return t.cell(array, index)

    def term(self, term: t.Term) -> t.Term:
        found = self._terms.get(term)
        if found is None:
            found = t.num(term.constant)
            for leaf, k in term.parts:
                found = t.plus(found, self._leaf(leaf), k)
            self._terms[term] = found
        return found

    def _leaf(self, leaf: t.Leaf) -> t.Term:
        match leaf:
            case t.Variable():
                return self.variable(leaf)
            case t.Cell(array, index):
                return self.cell(array, self.term(index))
            case t.Choice(condition, then, other):
                return t.choice(self.formula(condition), self.term(then), self.term(other))

    def formula(self, formula: t.Formula) -> t.Formula:
        found = self._formulas.get(formula)
        if found is None:
            found = self._formulas[formula] = self._formula(formula)
        return found

    def _formula(self, formula: t.Formula) -> t.Formula:
        match formula:
            case t.AtMost(term):
                return t.at_most(self.term(term))
            case t.Zero(term):
                return t.zero(self.term(term))
            case t.NotZero(term):
                return t.negation(t.zero(self.term(term)))
            case And(operands):
                return t.conj(self.formula(operand) for operand in operands)
            case Or(operands):
                return t.disj(self.formula(operand) for operand in operands)
        return formula


class _Substitution(Rebuild):
    def __init__(self, values: Mapping[str, t.Term]) -> None:
        super().__init__()
        self.values = values

    def variable(self, leaf: t.Variable) -> t.Term:
        return self.values.get(leaf.name) or super().variable(leaf)


class _Write(Rebuild):
    def __init__(self, array: str, index: t.Term, value: t.Term) -> None:
        super().__init__()
        self.array, self.index, self.value = array, index, value

    def cell(self, array: str, index: t.Term) -> t.Term:
        if array != self.array:
            return t.cell(array, index)
        return t.choice(t.eq(index, self.index), self.value, t.cell(array, index))


class _Renaming(Rebuild):
    """Other names for variables and for the states of cells."""

    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__()
        self.names = names

    def variable(self, leaf: t.Variable) -> t.Term:
        return t.var(self.names.get(leaf.name, leaf.name))

    def cell(self, array: str, index: t.Term) -> t.Term:
        return t.cell(self.names.get(array, array), index)


def substituted(formula: t.Formula, values: Mapping[str, t.Term]) -> t.Formula:
    """The formula with terms in place of variables."""
    return _Substitution(values).formula(formula)


def before_write(formula: t.Formula, array: str, index: t.Term, value: t.Term) -> t.Formula:
    """The weakest precondition of a formula over a write to a cell."""
    return _Write(array, index, value).formula(formula)


def renamed(formula: t.Formula, names: Mapping[str, str]) -> t.Formula:
    return _Renaming(names).formula(formula)


def renamed_term(term: t.Term, names: Mapping[str, str]) -> t.Term:
    return _Renaming(names).term(term)
