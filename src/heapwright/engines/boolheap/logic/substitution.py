"""Substitution of terms and integers in heap formulas.

>>> from heapwright.engines.boolheap.logic.formulas import V, eq, field, name
>>> from heapwright.engines.boolheap.logic.printing import text
>>> text(instantiated(eq(field("next", V), name("x")), name("y")))
'x = y.next'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from heapwright.engines.boolheap.logic.formulas import (
    Alive,
    Atom,
    Between,
    Data,
    Equal,
    Formula,
    Less,
    Marked,
    Name,
    Number,
    Numeric,
    Same,
    Sum,
    Term,
    V,
    alive,
    between,
    conj,
    disj,
    eq,
    field,
    less,
    negation,
    plus,
    reach,
    same,
)
from heapwright.logic.connectives import And, Not, Or, Truth


def instantiated(formula: Formula, object: Term) -> Formula:
    """The formula with another object for `v`."""
    return substituted(formula, {V: object})


def substituted_term(term: Term, terms: Mapping[Name, Term]) -> Term:
    return terms.get(term, term) if isinstance(term, Name) else field(term.field, substituted_term(term.base, terms))


def substituted(formula: Formula, terms: Mapping[Name, Term], numbers: Mapping[str, Numeric] | None = None) -> Formula:
    """Names of objects, and of numbers, replaced at once."""
    given = numbers or {}

    def number(one: Numeric) -> Numeric:
        match one:
            case Number(id):
                return given.get(id, one)
            case Data(name, base):
                return Data(name, substituted_term(base, terms))
            case Sum(inner, constant):
                return plus(number(inner), constant)
        return one

    return mapped(formula, lambda one: substituted_term(one, terms), number)


def mapped(formula: Formula, term: Callable[[Term], Term], number: Callable[[Numeric], Numeric]) -> Formula:
    """The formula with terms and numbers mapped by functions."""

    def change(one: Atom) -> Formula:
        match one:
            case Equal(left, right):
                return eq(term(left), term(right))
            case Alive(object):
                return alive(term(object))
            case Marked(mark, object):
                return Marked(mark, term(object))
            case Between(name, start, middle, end) if middle == end:
                return reach(name, term(start), term(end))
            case Between(name, start, middle, end):
                return between(name, term(start), term(middle), term(end))
            case Less(left, right):
                return less(number(left), number(right))
            case Same(left, right):
                return same(number(left), number(right))

    return over_atoms(formula, change)


def over_atoms(formula: Formula, change: Callable[[Atom], Formula]) -> Formula:
    """The formula with formulas in place of atoms."""
    match formula:
        case Truth():
            return formula
        case Not(operand):
            return negation(over_atoms(operand, change))
        case And(operands):
            return conj(*(over_atoms(operand, change) for operand in operands))
        case Or(operands):
            return disj(*(over_atoms(operand, change) for operand in operands))
    return change(formula)
