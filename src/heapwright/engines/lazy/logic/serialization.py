"""Serialization of formulas: a term is its constant and the multiples of leaves, a leaf the name of a variable, or a
cell with the term of its object.

>>> from heapwright.engines.lazy.logic.terms import cell, eq, num, var
>>> serialize(eq(cell("node.h", var("p")), num(1)))
['==', -1, [[1, ['node.h', 0, [[1, 'p']]]]]]
>>> deserialize(serialize(eq(cell("node.h", var("p")), num(1)))) == eq(cell("node.h", var("p")), num(1))
True
"""

from __future__ import annotations

from typing import Any

from heapwright.engines.lazy.logic.terms import AtMost, Cell, Formula, Leaf, NotZero, Term, Variable, Zero
from heapwright.logic.connectives import Truth

SIGNS: dict[str, type[AtMost | Zero | NotZero]] = {"<=": AtMost, "==": Zero, "!=": NotZero}


def serialize(formula: Formula) -> list[Any] | bool:
    """A literal: how it compares its term with 0."""
    match formula:
        case Truth(value):
            return value
        case AtMost(term):
            return ["<=", *_term(term)]
        case Zero(term):
            return ["==", *_term(term)]
        case NotZero(term):
            return ["!=", *_term(term)]
    raise ValueError("it is no literal")


def _term(term: Term) -> list[Any]:
    return [term.constant, [[factor, _leaf(leaf)] for leaf, factor in term.parts]]


def _leaf(leaf: Leaf) -> str | list[Any]:
    match leaf:
        case Variable(name):
            return name
        case Cell(array, index):
            return [array, *_term(index)]
    raise ValueError("literals have no choices")


def deserialize(data: Any) -> Formula:
    if isinstance(data, bool):
        return Truth(data)
    sign, constant, parts = data
    return SIGNS[sign](_read_term(constant, parts))


def _read_term(constant: Any, parts: Any) -> Term:
    return Term(int(constant), tuple((_read_leaf(leaf), int(factor)) for factor, leaf in parts))


def _read_leaf(data: Any) -> Leaf:
    if isinstance(data, str):
        return Variable(data)
    array, constant, parts = data
    return Cell(str(array), _read_term(constant, parts))
