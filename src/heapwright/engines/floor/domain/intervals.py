"""Intervals of integers, and the operations of C on them (Cousot, Cousot 1977).

An interval is a pair of its bounds, both included. The operations are those of `program/expressions.py`: results wrap,
division by zero gives 0, and shift counts are taken modulo the width.

>>> i32 = IntType(32, True)
>>> binary("+", (1, 4), (10, 10), i32), wrapped((250, 260), IntType(8, False))
((11, 14), (0, 255))
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from heapwright.program.types import IntType

Interval = tuple[int, int]

FAR = 1 << 80  # beyond every number of a program: no bound
ANYWHERE: Interval = (-FAR, FAR)
TRUE: Interval = (1, 1)
FALSE: Interval = (0, 0)
EITHER: Interval = (0, 1)


def range_of(type: IntType) -> Interval:
    return type.minimum, type.maximum


def join(one: Interval, other: Interval) -> Interval:
    if one == other:
        return one
    return min(one[0], other[0]), max(one[1], other[1])


def meet(one: Interval, other: Interval) -> Interval | None:
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return None if low > high else (low, high)


def widen(old: Interval, new: Interval, thresholds: Sequence[int]) -> Interval:
    """The old interval, with bounds that do not hold moved to the next threshold beyond the new one."""
    low, high = old
    if new[0] < low:
        place = bisect_right(thresholds, new[0])
        low = thresholds[place - 1] if place else -FAR
    if new[1] > high:
        place = bisect_left(thresholds, new[1])
        high = thresholds[place] if place < len(thresholds) else FAR
    return low, high


def wrapped(value: Interval, type: IntType) -> Interval:
    """An interval converted to a type."""
    low, high = value
    if type.minimum <= low and high <= type.maximum:
        return value
    if high - low < 1 << type.bits:
        first, last = type.wrap(low), type.wrap(high)
        if last - first == high - low:
            return first, last
    return range_of(type)


def plus(one: Interval, other: Interval) -> Interval:
    return one[0] + other[0], one[1] + other[1]


def minus(one: Interval, other: Interval) -> Interval:
    return one[0] - other[1], one[1] - other[0]


def times(one: Interval, other: Interval) -> Interval:
    corners = (one[0] * other[0], one[0] * other[1], one[1] * other[0], one[1] * other[1])
    return min(corners), max(corners)


def clamped(value: Interval) -> Interval:
    """An interval whose bounds are none where they are too far."""
    return max(value[0], -FAR), min(value[1], FAR)


def _truncated(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _divided(one: Interval, other: Interval) -> Interval:
    found: list[int] = [0] if other[0] <= 0 <= other[1] else []
    for low, high in ((max(other[0], 1), other[1]), (other[0], min(other[1], -1))):
        if low <= high:
            found += [_truncated(a, b) for a in one for b in (low, high)]
    return min(found), max(found)


def _remainder(one: Interval, other: Interval) -> Interval:
    most = max(abs(other[0]), abs(other[1])) - 1
    if one[0] >= 0 and other[0] > one[1]:
        return one
    low = max(min(one[0], 0), -most) if most > 0 else 0
    high = min(max(one[1], 0), most) if most > 0 else 0
    return low, high


def _bits(op: str, one: Interval, other: Interval) -> Interval:
    width = max(abs(bound).bit_length() for bound in (*one, *other))
    positive = one[0] >= 0, other[0] >= 0
    if op == "&" and any(positive):
        return 0, min(bounds[1] for bounds, known in zip((one, other), positive, strict=True) if known)
    if all(positive):
        return (max(one[0], other[0]) if op == "|" else 0), (1 << width) - 1
    return -(1 << width), (1 << width) - 1


def _shifted(op: str, one: Interval, other: Interval, type: IntType) -> Interval:
    if not 0 <= other[0] <= other[1] < type.bits:
        other = (0, type.bits - 1)
    if op == "<<":
        return times(one, (1 << other[0], 1 << other[1]))
    corners = [value >> count for value in one for count in other]
    return min(corners), max(corners)


def compared(op: str, one: Interval, other: Interval) -> Interval:
    """The truth values of a comparison."""
    match op:
        case ">" | ">=":
            return compared("<" if op == ">" else "<=", other, one)
        case "<":
            return TRUE if one[1] < other[0] else FALSE if one[0] >= other[1] else EITHER
        case "<=":
            return TRUE if one[1] <= other[0] else FALSE if one[0] > other[1] else EITHER
    apart = one[1] < other[0] or other[1] < one[0]
    same = one == other and one[0] == one[1]
    return EITHER if not apart and not same else TRUE if same == (op == "==") else FALSE


def exact(op: str, one: Interval, other: Interval, type: IntType) -> Interval:
    """An arithmetic operation before its result wraps."""
    match op:
        case "+":
            return plus(one, other)
        case "-":
            return minus(one, other)
        case "*":
            return times(one, other)
        case "/":
            return _divided(one, other)
        case "%":
            return _remainder(one, other)
        case "<<" | ">>":
            return _shifted(op, one, other, type)
    return _bits(op, one, other)


def binary(op: str, one: Interval, other: Interval, type: IntType) -> Interval:
    if op in ("==", "!=", "<", "<=", ">", ">="):
        return compared(op, one, other)
    return wrapped(exact(op, one, other, type), type)


def unary(op: str, value: Interval, type: IntType) -> Interval:
    if op == "-":
        return wrapped((-value[1], -value[0]), type)
    if op == "~":
        return wrapped((~value[1], ~value[0]), type)
    return compared("==", value, FALSE)
