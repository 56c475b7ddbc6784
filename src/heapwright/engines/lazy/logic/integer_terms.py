"""C's integer expressions as terms, wrapping included.

A sum that can overflow by one period at most is a choice of two or three terms; further overflow and nonlinear
expressions are unknown values of the type. Quotients by constants are unknowns with defining constraints.

>>> from heapwright.program.expressions import Binary, Const, IntVar
>>> i32 = IntType(32, True)
>>> encoder = Encoder()
>>> t.text(t.le(encoder.term(Binary("+", IntVar("i", i32), Const(1, i32), i32)), t.num(0)))
'(i <= 2147483646 && i <= -1) || (i >= 2147483647 && i <= 4294967295)'
>>> encoder.unknowns
[]
"""

from __future__ import annotations

from heapwright.engines.lazy.logic import terms as t
from heapwright.logic.connectives import FALSE, TRUE
from heapwright.program.expressions import COMPARISONS, Binary, Compare, Const, Convert, Expr, IntVar, Unary
from heapwright.program.types import IntType

__all__ = ["Encoder", "in_range"]

Interval = tuple[int, int]


def in_range(name: str, type: IntType) -> t.Formula:
    return t.conj((t.le(t.num(type.minimum), t.var(name)), t.le(t.var(name), t.num(type.maximum))))


class Encoder:
    """`unknowns` are fresh names for values that terms do not support, with their constraints."""

    def __init__(self, prefix: str = "#") -> None:
        self.prefix = prefix
        self.unknowns: list[tuple[str, t.Formula]] = []

    def term(self, expr: Expr) -> t.Term:
        return self._encoded(expr)[0]

    def condition(self, literal: Compare) -> t.Formula:
        return self._compared(literal.op, literal.left, literal.right)

    def _unknown(self, type: IntType) -> tuple[t.Term, Interval]:
        name = f"{self.prefix}{len(self.unknowns)}"
        self.unknowns.append((name, in_range(name, type)))
        return t.var(name), (type.minimum, type.maximum)

    def _encoded(self, expr: Expr) -> tuple[t.Term, Interval]:
        match expr:
            case Const(value, _):
                return t.num(value), (value, value)
            case IntVar(name, type):
                return t.var(name), (type.minimum, type.maximum)
            case Convert(operand, type):
                return self._wrapped(*self._encoded(operand), type)
            case Unary("-", operand, type):
                term, (low, high) = self._encoded(operand)
                return self._wrapped(t.times(term, -1), (-high, -low), type)
            case Unary("!", operand, type):
                return self._truth(t.eq(self.term(operand), t.num(0)))
            case Binary(op, left, right, _) if op in COMPARISONS:
                return self._truth(self._compared(op, left, right))
            case Binary("+" | "-" as op, left, right, type):
                return self._sum(op, left, right, type)
            case Binary("*", left, right, type):
                return self._product(left, right, type)
            case Binary("/" | "%" as op, left, Const(divisor, _), type) if divisor > 0:
                return self._quotient(op, left, divisor, type)
        return self._unknown(expr.type)

    def _truth(self, formula: t.Formula) -> tuple[t.Term, Interval]:
        return t.choice(formula, t.num(1), t.num(0)), (0, 1)

    def _compared(self, op: str, left: Expr, right: Expr) -> t.Formula:
        one, other = self.term(left), self.term(right)
        match op:
            case "==":
                return t.eq(one, other)
            case "!=":
                return t.ne(one, other)
            case "<":
                return t.lt(one, other)
            case "<=":
                return t.le(one, other)
            case ">":
                return t.lt(other, one)
        return t.le(other, one)

    def _sum(self, op: str, left: Expr, right: Expr, type: IntType) -> tuple[t.Term, Interval]:
        one, (low, high) = self._encoded(left)
        other, (least, most) = self._encoded(right)
        if op == "+":
            return self._wrapped(t.plus(one, other), (low + least, high + most), type)
        return self._wrapped(t.minus(one, other), (low - most, high - least), type)

    def _product(self, left: Expr, right: Expr, type: IntType) -> tuple[t.Term, Interval]:
        one, first = self._encoded(left)
        other, second = self._encoded(right)
        if one.parts and not other.parts:
            one, other, second = other, one, first
        if one.parts:
            return self._unknown(type)
        ends = (one.constant * second[0], one.constant * second[1])
        return self._wrapped(t.times(other, one.constant), (min(ends), max(ends)), type)

    def _quotient(self, op: str, left: Expr, divisor: int, type: IntType) -> tuple[t.Term, Interval]:
        """C rounds towards 0."""
        dividend, (low, high) = self._encoded(left)
        name = f"{self.prefix}{len(self.unknowns)}"
        rest = t.minus(dividend, t.times(t.var(name), divisor))
        up = t.conj((t.le(t.num(0), dividend), t.le(t.num(0), rest), t.lt(rest, t.num(divisor))))
        down = t.conj((t.lt(dividend, t.num(0)), t.lt(t.num(-divisor), rest), t.le(rest, t.num(0))))
        self.unknowns.append((name, t.disj((up, down))))
        if op == "/":
            return t.var(name), (min(low, 0), max(high, 0))
        return rest, (max(min(low, 0), 1 - divisor), min(max(high, 0), divisor - 1))

    def _wrapped(self, term: t.Term, interval: Interval, type: IntType) -> tuple[t.Term, Interval]:
        """The number of a type that a number becomes."""
        low, high = interval
        if type.minimum <= low and high <= type.maximum:
            return term, interval
        period = 1 << type.bits
        whole = (type.minimum, type.maximum)
        if low < type.minimum - period or high > type.maximum + period:
            fits = t.conj((t.le(t.num(type.minimum), term), t.le(term, t.num(type.maximum))))
            return t.choice(fits, term, self._unknown(type)[0]), whole
        above = t.le(term, t.num(type.maximum)) if high > type.maximum else TRUE
        below = t.lt(term, t.num(type.minimum)) if low < type.minimum else FALSE
        inner = t.choice(below, t.plus(term, t.num(period)), term)
        return t.choice(above, inner, t.minus(term, t.num(period))), whole
