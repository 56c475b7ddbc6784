"""Floating-point arithmetic on bit patterns, as IEEE 754 and the platform have it: `float` and `double`, to nearest.

A floating-point variable holds the bits of its value as a signed integer, so that copies, also of its bytes, are those
of integers. What C leaves undefined (a conversion to an integer that cannot hold the value) has no result.

>>> apply("add", (bits(0.5, 8), bits(0.25, 8)), 8, IntType(64, True)) == bits(0.75, 8)
True
>>> apply("to_int", (bits(-2.5, 8),), 8, IntType(32, True))
-2
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable

from heapwright.program.types import IntType

_FORMATS = {4: ("<f", "<I", 23), 8: ("<d", "<Q", 52)}
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
}
_ROUNDINGS: dict[str, Callable[[float], int]] = {"floor": math.floor, "ceil": math.ceil, "trunc": math.trunc}
SIZES = frozenset(_FORMATS)
MANTISSA = 24  # significant bits of a float


def bits(value: float, size: int) -> int:
    """The bits of a value, as a signed integer."""
    form, word, _ = _FORMATS[size]
    try:
        packed = struct.pack(form, value)
    except OverflowError:
        packed = struct.pack(form, math.copysign(math.inf, value))
    return _signed(struct.unpack(word, packed)[0], size)


def number(pattern: int, size: int) -> float:
    """The value of a bit pattern."""
    form, word, _ = _FORMATS[size]
    found: float = struct.unpack(form, struct.pack(word, pattern & ((1 << 8 * size) - 1)))[0]
    return found


def apply(operation: str, operands: tuple[int, ...], size: int, type: IntType) -> int | None:
    """The result of an operation on values of so many bytes: the bits of a value of that size, an integer of the type,
    or, for `convert` and `from_int`, the bits of a value of the type's size. None: it is undefined."""
    if operation == "from_int":
        return bits(_rounded(operands[0]) if type.bits == 32 else float(operands[0]), type.bits // 8)
    first = number(operands[0], size)
    if operation == "neg":
        return _signed((operands[0] & _mask(size)) ^ (1 << (8 * size - 1)), size)
    if operation == "abs":
        return operands[0] & (_mask(size) >> 1)
    if operation == "to_int":
        whole = math.trunc(first) if math.isfinite(first) else None
        return whole if whole is not None and type.minimum <= whole <= type.maximum else None
    if operation == "convert":
        return _not_a_number(operands[:1], size, type.bits // 8) if math.isnan(first) else bits(first, type.bits // 8)
    second = number(operands[1], size) if len(operands) > 1 else 0.0
    if operation in _COMPARISONS:
        return int(_COMPARISONS[operation](first, second))
    result = _value(operation, first, second)
    return _not_a_number(operands, size, size) if math.isnan(result) else bits(result, size)


def _value(operation: str, first: float, second: float) -> float:
    if operation in _ARITHMETIC:
        return _ARITHMETIC[operation](first, second)
    if operation == "div":
        if second == 0:
            sign = math.copysign(1, first) * math.copysign(1, second)
            return math.nan if first == 0 or math.isnan(first) else math.copysign(math.inf, sign)
        return first / second
    if operation == "fmod":
        invalid = second == 0 or math.isinf(first) or math.isnan(first) or math.isnan(second)
        return math.nan if invalid else math.fmod(first, second)
    if operation == "sqrt":
        return math.sqrt(first) if first >= 0 else first if first == 0 else math.nan
    if not math.isfinite(first) or first == 0:
        return first
    return math.copysign(float(_ROUNDINGS[operation](first)), first)


def _not_a_number(operands: tuple[int, ...], size: int, result: int) -> int:
    """The first operand that is none, made quiet, else the platform's own."""
    fraction = _FORMATS[result][2]
    quiet = (((1 << (8 * result - 1 - fraction)) - 1) << fraction) | (1 << (fraction - 1))
    for pattern in operands:
        if math.isnan(number(pattern, size)):
            plain = pattern & _mask(size)
            shift = fraction - _FORMATS[size][2]
            payload = plain & ((1 << _FORMATS[size][2]) - 1)
            payload = payload << shift if shift >= 0 else payload >> -shift
            return _signed(quiet | payload | (plain >> (8 * size - 1)) << (8 * result - 1), result)
    return _signed(quiet | 1 << (8 * result - 1), result)


def _rounded(value: int) -> float:
    """An integer as a `float` has it, rounded once."""
    extra = abs(value).bit_length() - MANTISSA
    if extra <= 0:
        return float(value)
    quotient, rest = divmod(abs(value), 1 << extra)
    half = 1 << (extra - 1)
    quotient += rest > half or (rest == half and quotient % 2 == 1)
    return math.copysign(float(quotient << extra), value)


def _mask(size: int) -> int:
    return (1 << 8 * size) - 1


def _signed(pattern: int, size: int) -> int:
    return pattern - (1 << 8 * size) if pattern >> (8 * size - 1) else pattern
