"""Formulas over integers, pointers and cells of objects, for predicates, path formulas and interpolants.

A term is linear: a constant and multiples of leaves. A leaf is a variable, a cell of an object (`Cell("node.h", p)` is
the h of what p points to), or a choice between two terms. Pointers are numbers: null is 0, junk is -1. Formulas are in
negation normal form, and their constructors simplify: what is equal is written alike.

>>> x = var("x")
>>> text(conj((le(x, num(3)), negation(le(x, num(3))))))
'false'
>>> text(eq(cell("node.h", var("p")), num(1)))
'p->h == 1'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from math import gcd
from typing import Any

from heapwright.base.immutable import Immutable
from heapwright.logic import connectives
from heapwright.logic.connectives import FALSE, TRUE, And, Or, Truth, flattened


class Variable(Immutable):
    name: str


class Cell(Immutable):
    """The cell of an object; `array` names the cell, and the state of all cells of that name."""

    array: str
    index: Term


class Choice(Immutable):
    """One of two terms. It stands only at the top of a term: cells of choices are choices of cells."""

    condition: Formula
    then: Term
    other: Term


Leaf = Variable | Cell | Choice


class Term(Immutable):
    """constant + sum of coefficient * leaf; leaves in a fixed order, no coefficient 0."""

    constant: int
    parts: tuple[tuple[Leaf, int], ...] = ()


class AtMost(Immutable):
    """term <= 0"""

    term: Term


class Zero(Immutable):
    """term == 0"""

    term: Term


class NotZero(Immutable):
    term: Term


class Stored(Immutable):
    """The cells `after` are those of `before`, but for one. Only in path formulas, and never negated."""

    after: str
    before: str
    index: Term
    value: Term


Atom = AtMost | Zero | NotZero
Formula = Truth | AtMost | Zero | NotZero | And["Formula"] | Or["Formula"] | Stored

NULL, JUNK = Term(0), Term(-1)
NEXT, STATUS = "#next", "#status"  # the number of the next object, and the cells that say what became of objects:
HEAP, FREED, ENDED, OTHER = 1, 2, 3, 4  # live on the heap, freed, scope left, live elsewhere


# --- terms ---------------------------------------------------------------------------------------------------------


def num(value: int) -> Term:
    return Term(value)


def var(name: str) -> Term:
    return Term(0, ((Variable(name), 1),))


def cell(array: str, index: Term) -> Term:
    found = _choice_in(index)
    if found is None:
        return Term(0, ((Cell(array, index), 1),))
    then, other = _split(index, found)
    return choice(found.condition, cell(array, then), cell(array, other))


def choice(condition: Formula, then: Term, other: Term) -> Term:
    if condition == TRUE or then == other:
        return then
    if condition == FALSE:
        return other
    return Term(0, ((Choice(condition, then, other), 1),))


@lru_cache(maxsize=100_000)
def _rank(leaf: Leaf) -> tuple[int, str]:
    match leaf:
        case Variable(name):
            return 0, name
        case Cell(array, index):
            return 1, f"{array} {_replay_violates(index)}"
        case Choice():
            return 2, repr(leaf)


def combination(constant: int, parts: Mapping[Leaf, int]) -> Term:
    kept = sorted(((leaf, k) for leaf, k in parts.items() if k), key=lambda part: _rank(part[0]))
    return Term(constant, tuple(kept))


def plus(left: Term, right: Term, factor: int = 1) -> Term:
    """left + factor * right"""
    parts = dict(left.parts)
    for leaf, k in right.parts:
        parts[leaf] = parts.get(leaf, 0) + factor * k
    return combination(left.constant + factor * right.constant, parts)


def minus(left: Term, right: Term) -> Term:
    return plus(left, right, -1)


def times(term: Term, factor: int) -> Term:
    return Term(term.constant * factor, tuple((leaf, k * factor) for leaf, k in term.parts)) if factor else num(0)


def _choice_in(term: Term) -> Choice | None:
    return next((leaf for leaf, _ in term.parts if isinstance(leaf, Choice)), None)


def _split(term: Term, found: Choice) -> tuple[Term, Term]:
    """The term with each of the two outcomes of a choice in it."""
    parts = dict(term.parts)
    factor = parts.pop(found)
    rest = combination(term.constant, parts)
    return plus(rest, found.then, factor), plus(rest, found.other, factor)


# --- atoms ---------------------------------------------------------------------------------------------------------


def le(left: Term, right: Term) -> Formula:
    return at_most(minus(left, right))


def lt(left: Term, right: Term) -> Formula:
    return at_most(plus(minus(left, right), num(1)))


def eq(left: Term, right: Term) -> Formula:
    return zero(minus(left, right))


def ne(left: Term, right: Term) -> Formula:
    return negation(eq(left, right))


def at_most(term: Term) -> Formula:
    """term <= 0"""
    found = _choice_in(term)
    if found is not None:
        then, other = _split(term, found)
        return either(found.condition, at_most(then), at_most(other))
    if not term.parts:
        return Truth(term.constant <= 0)
    divisor = gcd(*(k for _, k in term.parts))
    parts = tuple((leaf, k // divisor) for leaf, k in term.parts)
    return AtMost(Term(-(-term.constant // divisor), parts))


def zero(term: Term) -> Formula:
    found = _choice_in(term)
    if found is not None:
        then, other = _split(term, found)
        return either(found.condition, zero(then), zero(other))
    if not term.parts:
        return Truth(term.constant == 0)
    divisor = gcd(*(k for _, k in term.parts))
    if term.constant % divisor:
        return FALSE
    if term.parts[0][1] < 0:
        divisor = -divisor
    return Zero(Term(term.constant // divisor, tuple((leaf, k // divisor) for leaf, k in term.parts)))


# --- connectives ---------------------------------------------------------------------------------------------------


def negation(formula: Formula) -> Formula:
    match formula:
        case Truth(value):
            return Truth(not value)
        case AtMost(term):
            return AtMost(plus(num(1), term, -1))
        case Zero(term):
            return NotZero(term)
        case NotZero(term):
            return Zero(term)
        case And(operands):
            return disj(negation(operand) for operand in operands)
        case Or(operands):
            return conj(negation(operand) for operand in operands)
        case Stored():
            raise ValueError("a write is never negated")


def conj(formulas: Iterable[Formula]) -> Formula:
    return _joined(formulas, And, Or, FALSE)


def disj(formulas: Iterable[Formula]) -> Formula:
    return _joined(formulas, Or, And, TRUE)


Kind = type[And[Any] | Or[Any]]


def _joined(formulas: Iterable[Formula], kind: Kind, dual: Kind, zero: Truth) -> Formula:
    found = flattened(formulas, kind)
    if found is None:
        return zero
    known = set(found)
    if any(not isinstance(one, (dual, Stored)) and negation(one) in known for one in found):
        return zero
    kept = [one for one in found if not (isinstance(one, dual) and any(each in known for each in one.operands))]
    return Truth(not zero.value) if not kept else kept[0] if len(kept) == 1 else kind(tuple(kept))


def implies(left: Formula, right: Formula) -> Formula:
    return disj((negation(left), right))


def either(condition: Formula, then: Formula, other: Formula) -> Formula:
    """`then` where the condition holds, `other` elsewhere."""
    if then == other:
        return then
    if then == TRUE:
        return disj((condition, other))
    if other == TRUE:
        return disj((negation(condition), then))
    return disj((conj((condition, then)), conj((negation(condition), other))))


# --- looking at formulas -------------------------------------------------------------------------------------------


def atoms(formula: Formula) -> Iterator[Atom]:
    return (one for one in connectives.atoms(formula) if not isinstance(one, Stored))


def leaves(formula: Formula | Term) -> Iterator[Variable | Cell]:
    """Variables and cells, those inside of cells too."""
    match formula:
        case Term(_, parts):
            for leaf, _ in parts:
                match leaf:
                    case Variable():
                        yield leaf
                    case Cell(_, index):
                        yield leaf
                        yield from leaves(index)
                    case Choice(condition, then, other):
                        yield from leaves(condition)
                        yield from leaves(then)
                        yield from leaves(other)
        case AtMost(term) | Zero(term) | NotZero(term):
            yield from leaves(term)
        case And(operands) | Or(operands):
            for operand in operands:
                yield from leaves(operand)
        case Stored(_, _, index, value):
            yield from leaves(index)
            yield from leaves(value)


def names(formula: Formula | Term) -> frozenset[str]:
    """The variables."""
    return frozenset(leaf.name for leaf in leaves(formula) if isinstance(leaf, Variable))


def arrays(formula: Formula | Term) -> frozenset[str]:
    """The cells, by name."""
    return frozenset(leaf.array for leaf in leaves(formula) if isinstance(leaf, Cell))


def depth(term: Term) -> int:
    """The depth of nested dereferences."""
    return max((1 + depth(leaf.index) for leaf, _ in term.parts if isinstance(leaf, Cell)), default=0)


# --- text ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=100_000)
def _replay_violates(term: Term) -> str:
    return _sum(term.parts, term.constant)


def _leaf_text(leaf: Leaf) -> str:
    match leaf:
        case Variable(name):
            return name
        case Cell(array, index):
            base = _replay_violates(index)
            return f"{base if _is_leaf(index) else f'({base})'}->{array.rpartition('.')[2]}"
        case Choice(condition, then, other):
            return f"({text(condition)} ? {_replay_violates(then)} : {_replay_violates(other)})"


def _is_leaf(term: Term) -> bool:
    return len(term.parts) == 1 and term.parts[0][1] == 1 and not term.constant


def _sum(parts: Iterable[tuple[Leaf, int]], constant: int) -> str:
    shown = ""
    for leaf, k in parts:
        sign = (" - " if k < 0 else " + ") if shown else ("-" if k < 0 else "")
        shown += sign + (f"{abs(k)} * " if abs(k) != 1 else "") + _leaf_text(leaf)
    if not shown:
        return str(constant)
    return shown + (f" {'-' if constant < 0 else '+'} {abs(constant)}" if constant else "")


def _compared(term: Term, op: str) -> str:
    """Positive parts on the left, negative ones on the right."""
    left = [(leaf, k) for leaf, k in term.parts if k > 0]
    right = [(leaf, -k) for leaf, k in term.parts if k < 0]
    if not left:
        turned = {"<=": ">=", "==": "==", "!=": "!="}[op]
        return f"{_sum(right, 0)} {turned} {term.constant}"
    if not right:
        return f"{_sum(left, 0)} {op} {-term.constant}"
    return f"{_sum(left, 0)} {op} {_sum(right, -term.constant)}"


def text(formula: Formula) -> str:
    """As C would say it."""
    match formula:
        case Truth(value):
            return "true" if value else "false"
        case AtMost(term):
            return _compared(term, "<=")
        case Zero(term):
            return _compared(term, "==")
        case NotZero(term):
            return _compared(term, "!=")
        case And(operands):
            return " && ".join(f"({text(one)})" if isinstance(one, Or) else text(one) for one in operands)
        case Or(operands):
            return " || ".join(f"({text(one)})" if isinstance(one, And) else text(one) for one in operands)
        case Stored(after, before, index, value):
            return f"{after} = {before} with [{_replay_violates(index)}] = {_replay_violates(value)}"
