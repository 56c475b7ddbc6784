"""C's integer expressions as terms, wrapping included.

A sum that can overflow by one period at most is a choice of two or three terms; further overflow and nonlinear
expressions are unknown values of the type. Quotients by constants are unknowns with defining constraints.

>>> from heapwright.program.expressions import Binary, Const, IntVar
>>> i32 = IntType(32, True)
>>> encoder = Encoder()
>>> text(le(encoder.term(Binary("+", IntVar("i", i32), Const(1, i32), i32)), num(0)))
'(i <= 2147483646 && i <= -1) || (i >= 2147483647 && i <= 4294967295)'
>>> encoder.unknowns
[]
"""

from __future__ import annotations

from heapwright.engines.lazy.logic.terms import (
    Formula,
    Term,
    choice,
    conj,
    disj,
    eq,
    le,
    lt,
    minus,
    ne,
    num,
    plus,
    text,
    times,
    var,
)
from heapwright.logic.connectives import FALSE, TRUE
from heapwright.program.expressions import COMPARISONS, Binary, Compare, Const, Convert, Expr, IntVar, Unary
from heapwright.program.types import IntType

__all__ = ["Encoder", "in_range", "text"]

Interval = tuple[int, int]


def in_range(name: str, type: IntType) -> Formula:
    return conj((le(num(type.minimum), var(name)), le(var(name), num(type.maximum))))


class Encoder:
    """`unknowns` are fresh names for values that terms cannot express, with their constraints."""

    def __init__(self, prefix: str = "#") -> None:
        self.prefix = prefix
        self.unknowns: list[tuple[str, Formula]] = []

    def term(self, expr: Expr) -> Term:
        return self._encoded(expr)[0]

    def condition(self, literal: Compare) -> Formula:
        return self._compared(literal.op, literal.left, literal.right)

    def _unknown(self, type: IntType) -> tuple[Term, Interval]:
        name = f"{self.prefix}{len(self.unknowns)}"
        self.unknowns.append((name, in_range(name, type)))
        return var(name), (type.minimum, type.maximum)

    def _encoded(self, expr: Expr) -> tuple[Term, Interval]:
        match expr:
            case Const(value, _):
                return num(value), (value, value)
            case IntVar(name, type):
                return var(name), (type.minimum, type.maximum)
            case Convert(operand, type):
                return self._wrapped(*self._encoded(operand), type)
            case Unary("-", operand, type):
                term, (low, high) = self._encoded(operand)
                return self._wrapped(times(term, -1), (-high, -low), type)
            case Unary("!", operand, type):
                return self._truth(eq(self.term(operand), num(0)))
            case Binary(op, left, right, _) if op in COMPARISONS:
                return self._truth(self._compared(op, left, right))
            case Binary("+" | "-" as op, left, right, type):
                return self._sum(op, left, right, type)
            case Binary("*", left, right, type):
                return self._product(left, right, type)
            case Binary("/" | "%" as op, left, Const(divisor, _), type) if divisor > 0:
                return self._quotient(op, left, divisor, type)
        return self._unknown(expr.type)

    def _truth(self, formula: Formula) -> tuple[Term, Interval]:
        return choice(formula, num(1), num(0)), (0, 1)

    def _compared(self, op: str, left: Expr, right: Expr) -> Formula:
        one, other = self.term(left), self.term(right)
        match op:
            case "==":
                return eq(one, other)
            case "!=":
                return ne(one, other)
            case "<":
                return lt(one, other)
            case "<=":
                return le(one, other)
            case ">":
                return lt(other, one)
        return le(other, one)

    def _sum(self, op: str, left: Expr, right: Expr, type: IntType) -> tuple[Term, Interval]:
        one, (low, high) = self._encoded(left)
        other, (least, most) = self._encoded(right)
        if op == "+":
            return self._wrapped(plus(one, other), (low + least, high + most), type)
        return self._wrapped(minus(one, other), (low - most, high - least), type)

    def _product(self, left: Expr, right: Expr, type: IntType) -> tuple[Term, Interval]:
        one, first = self._encoded(left)
        other, second = self._encoded(right)
        if one.parts and not other.parts:
            one, other, second = other, one, first
        if one.parts:
            return self._unknown(type)
        ends = (one.constant * second[0], one.constant * second[1])
        return self._wrapped(times(other, one.constant), (min(ends), max(ends)), type)

    def _quotient(self, op: str, left: Expr, divisor: int, type: IntType) -> tuple[Term, Interval]:
        """C rounds towards 0."""
        dividend, (low, high) = self._encoded(left)
        name = f"{self.prefix}{len(self.unknowns)}"
        rest = minus(dividend, times(var(name), divisor))
        up = conj((le(num(0), dividend), le(num(0), rest), lt(rest, num(divisor))))
        down = conj((lt(dividend, num(0)), lt(num(-divisor), rest), le(rest, num(0))))
        self.unknowns.append((name, disj((up, down))))
        if op == "/":
            return var(name), (min(low, 0), max(high, 0))
        return rest, (max(min(low, 0), 1 - divisor), min(max(high, 0), divisor - 1))

    def _wrapped(self, term: Term, interval: Interval, type: IntType) -> tuple[Term, Interval]:
        """The number of a type that a number becomes."""
        low, high = interval
        if type.minimum <= low and high <= type.maximum:
            return term, interval
        period = 1 << type.bits
        whole = (type.minimum, type.maximum)
        if low < type.minimum - period or high > type.maximum + period:
            fits = conj((le(num(type.minimum), term), le(term, num(type.maximum))))
            return choice(fits, term, self._unknown(type)[0]), whole
        above = le(term, num(type.maximum)) if high > type.maximum else TRUE
        below = lt(term, num(type.minimum)) if low < type.minimum else FALSE
        inner = choice(below, plus(term, num(period)), term)
        return choice(above, inner, minus(term, num(period))), whole
