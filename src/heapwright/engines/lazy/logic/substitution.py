"""Substitution: weakest preconditions of assignments and writes, and renaming.

>>> from heapwright.engines.lazy.logic.terms import eq, num, text, var
>>> text(before_write(eq(cell("node.h", var("q")), num(1)), "node.h", var("p"), num(1)))
'p == q || q->h == 1'
"""

from __future__ import annotations

from collections.abc import Mapping

from heapwright.engines.lazy.logic.terms import (
    AtMost,
    Cell,
    Choice,
    Formula,
    Leaf,
    NotZero,
    Term,
    Variable,
    Zero,
    at_most,
    cell,
    choice,
    conj,
    disj,
    eq,
    negation,
    num,
    plus,
    var,
    zero,
)
from heapwright.logic.connectives import And, Or


class Rebuild:
    """Rebuilds a formula with other leaves; memoised."""

    def __init__(self) -> None:
        self._terms: dict[Term, Term] = {}
        self._formulas: dict[Formula, Formula] = {}

    def variable(self, leaf: Variable) -> Term:
        return Term(0, ((leaf, 1),))

    def cell(self, array: str, index: Term) -> Term:
        return cell(array, index)

    def term(self, term: Term) -> Term:
        found = self._terms.get(term)
        if found is None:
            found = num(term.constant)
            for leaf, k in term.parts:
                found = plus(found, self._leaf(leaf), k)
            self._terms[term] = found
        return found

    def _leaf(self, leaf: Leaf) -> Term:
        match leaf:
            case Variable():
                return self.variable(leaf)
            case Cell(array, index):
                return self.cell(array, self.term(index))
            case Choice(condition, then, other):
                return choice(self.formula(condition), self.term(then), self.term(other))

    def formula(self, formula: Formula) -> Formula:
        found = self._formulas.get(formula)
        if found is None:
            found = self._formulas[formula] = self._formula(formula)
        return found

    def _formula(self, formula: Formula) -> Formula:
        match formula:
            case AtMost(term):
                return at_most(self.term(term))
            case Zero(term):
                return zero(self.term(term))
            case NotZero(term):
                return negation(zero(self.term(term)))
            case And(operands):
                return conj(self.formula(operand) for operand in operands)
            case Or(operands):
                return disj(self.formula(operand) for operand in operands)
        return formula


class _Substitution(Rebuild):
    def __init__(self, values: Mapping[str, Term]) -> None:
        super().__init__()
        self.values = values

    def variable(self, leaf: Variable) -> Term:
        return self.values.get(leaf.name) or super().variable(leaf)


class _Write(Rebuild):
    def __init__(self, array: str, index: Term, value: Term) -> None:
        super().__init__()
        self.array, self.place, self.value = array, index, value

    def cell(self, array: str, index: Term) -> Term:
        if array != self.array:
            return cell(array, index)
        return choice(eq(index, self.place), self.value, cell(array, index))


class _Renaming(Rebuild):
    """Other names for variables and for the states of cells."""

    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__()
        self.names = names

    def variable(self, leaf: Variable) -> Term:
        return var(self.names.get(leaf.name, leaf.name))

    def cell(self, array: str, index: Term) -> Term:
        return cell(self.names.get(array, array), index)


def substituted(formula: Formula, values: Mapping[str, Term]) -> Formula:
    """The formula with terms in place of variables."""
    return _Substitution(values).formula(formula)


def before_write(formula: Formula, array: str, index: Term, value: Term) -> Formula:
    """The weakest precondition of a formula over a write to a cell."""
    return _Write(array, index, value).formula(formula)


def renamed(formula: Formula, names: Mapping[str, str]) -> Formula:
    return _Renaming(names).formula(formula)


def renamed_term(term: Term, names: Mapping[str, str]) -> Term:
    return _Renaming(names).term(term)
