"""Substitution of terms and integers in heap formulas.

>>> from heapwright.engines.boolheap.logic.formulas import V, eq, field, name
>>> from heapwright.engines.boolheap.logic.printing import text
>>> text(instantiated(eq(field("next", V), name("x")), name("y")))
'x = y.next'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from heapwright.engines.boolheap.logic import formulas as f
from heapwright.logic.connectives import And, Not, Or, Truth


def instantiated(formula: f.Formula, object: f.Term) -> f.Formula:
    """The formula with another object for `v`."""
    return substituted(formula, {f.V: object})


def substituted_term(term: f.Term, terms: Mapping[f.Name, f.Term]) -> f.Term:
    return (
        terms.get(term, term) if isinstance(term, f.Name) else f.field(term.field, substituted_term(term.base, terms))
    )


def substituted(
    formula: f.Formula, terms: Mapping[f.Name, f.Term], numbers: Mapping[str, f.Numeric] | None = None
) -> f.Formula:
    """Names of objects, and of numbers, replaced at once."""
    given = numbers or {}

    def number(one: f.Numeric) -> f.Numeric:
        match one:
            case f.Number(id):
                return given.get(id, one)
            case f.Data(name, base):
                return f.Data(name, substituted_term(base, terms))
            case f.Sum(inner, constant):
                return f.plus(number(inner), constant)
        return one

    return mapped(formula, lambda one: substituted_term(one, terms), number)


def mapped(formula: f.Formula, term: Callable[[f.Term], f.Term], number: Callable[[f.Numeric], f.Numeric]) -> f.Formula:
    """The formula with terms and numbers mapped by functions."""

    def change(one: f.Atom) -> f.Formula:
        match one:
            case f.Equal(left, right):
                return f.eq(term(left), term(right))
            case f.Alive(object):
                return f.alive(term(object))
            case f.Marked(mark, object):
                return f.Marked(mark, term(object))
            case f.Between(name, start, middle, end) if middle == end:
                return f.reach(name, term(start), term(end))
            case f.Between(name, start, middle, end):
                return f.between(name, term(start), term(middle), term(end))
            case f.Less(left, right):
                return f.less(number(left), number(right))
            case f.Same(left, right):
                return f.same(number(left), number(right))

    return over_atoms(formula, change)


def over_atoms(formula: f.Formula, change: Callable[[f.Atom], f.Formula]) -> f.Formula:
    """The formula with formulas in place of atoms."""
    match formula:
        case Truth():
            return formula
        case Not(operand):
            return f.negation(over_atoms(operand, change))
        case And(operands):
            return f.conj(*(over_atoms(operand, change) for operand in operands))
        case Or(operands):
            return f.disj(*(over_atoms(operand, change) for operand in operands))
    return change(formula)
