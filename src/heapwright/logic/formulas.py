"""Formulas of first-order logic with transitive closure, over nullary, unary and binary predicates.

Formulas are immutable values; variables are names. `r*(u, v)` is `u == v | TC(u, v)(a, b) r(a, b)`.

>>> reach = Or((Equal("u", "v"), TransitiveClosure("u", "v", "a", "b", Atom("n", ("a", "b")))))
>>> sorted(free_variables(Exists(("u",), reach)))
['v']
>>> text(Exists(("u",), And((Atom("x", ("u",)), Atom("n", ("u", "v"))))))
'E(u) (x(u) & n(u,v))'
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache

from heapwright.base.immutable import Immutable


class Kleene(Enum):
    """The truth values of 3-valued logic."""

    FALSE = "0"
    TRUE = "1"
    HALF = "1/2"


class Truth(Immutable):
    value: Kleene


class Atom(Immutable):
    predicate: str
    arguments: tuple[str, ...]


class Equal(Immutable):
    left: str
    right: str


class Not(Immutable):
    operand: Formula


class And(Immutable):
    operands: tuple[Formula, ...]


class Or(Immutable):
    operands: tuple[Formula, ...]


class Iff(Immutable):
    left: Formula
    right: Formula


class IfThenElse(Immutable):
    """More precise than its encoding by And and Or: with an unknown condition it is the join of the branches."""

    condition: Formula
    then: Formula
    other: Formula


class Exists(Immutable):
    variables: tuple[str, ...]
    body: Formula


class ForAll(Immutable):
    variables: tuple[str, ...]
    body: Formula


class TransitiveClosure(Immutable):
    """TC(left, right)(source, target) body: a path of one or more steps `body` leads from left to right; source and
    target are bound in body, which may have other free variables."""

    left: str
    right: str
    source: str
    target: str
    body: Formula


Formula = Truth | Atom | Equal | Not | And | Or | Iff | IfThenElse | Exists | ForAll | TransitiveClosure

TRUE = Truth(Kleene.TRUE)
FALSE = Truth(Kleene.FALSE)
HALF = Truth(Kleene.HALF)


@cache
def atom(predicate: str, *variables: str) -> Atom:
    return Atom(predicate, variables)


def free_variables(formula: Formula) -> frozenset[str]:
    match formula:
        case Truth():
            return frozenset()
        case Atom(_, arguments):
            return frozenset(arguments)
        case Equal(left, right):
            return frozenset((left, right))
        case Not(operand):
            return free_variables(operand)
        case And(operands) | Or(operands):
            return frozenset[str]().union(*(free_variables(operand) for operand in operands))
        case Iff(first, second):
            return free_variables(first) | free_variables(second)
        case IfThenElse(condition, then, other):
            return free_variables(condition) | free_variables(then) | free_variables(other)
        case Exists(variables, body) | ForAll(variables, body):
            return free_variables(body) - set(variables)
        case TransitiveClosure(left, right, source, target, body):
            return (free_variables(body) - {source, target}) | {left, right}


def text(formula: Formula, spelled: Callable[[str], str] = str) -> str:
    """A formula in the notation of TVLA; it reads back as the same formula. `spelled` says how names of predicates are
    written."""

    def grouped(inner: Formula) -> str:
        """In parentheses where a formula would take in what follows: the body of a quantifier or closure extends to the
        right as far as it can."""
        open_ended = isinstance(inner, Exists | ForAll | TransitiveClosure)
        return f"({text(inner, spelled)})" if open_ended else text(inner, spelled)

    match formula:
        case Truth(value):
            return value.value
        case Atom(predicate, arguments):
            return f"{spelled(predicate)}({','.join(arguments)})"
        case Equal(left, right):
            return f"{left} == {right}"
        case Not(Equal(left, right)):
            return f"{left} != {right}"
        case Not(operand):
            return f"!{grouped(operand)}"
        case And(operands):
            return "(" + " & ".join(map(grouped, operands)) + ")" if operands else "1"
        case Or(operands):
            return "(" + " | ".join(map(grouped, operands)) + ")" if operands else "0"
        case Iff(first, second):
            return f"({grouped(first)} <-> {grouped(second)})"
        case IfThenElse(condition, then, other):
            return f"({grouped(condition)} ? {grouped(then)} : {grouped(other)})"
        case Exists(variables, body):
            return f"E({','.join(variables)}) {text(body, spelled)}"
        case ForAll(variables, body):
            return f"A({','.join(variables)}) {text(body, spelled)}"
        case TransitiveClosure(left, right, source, target, body):
            return f"TC({left},{right})({source},{target}) {text(body, spelled)}"
