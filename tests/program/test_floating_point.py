"""Floating-point operations against doubles of Python, and against exact fractions where it has no single precision."""

from __future__ import annotations

import math
import random
import struct
from fractions import Fraction

import pytest

from heapwright.program.floating_point import apply, bits, number
from heapwright.program.types import IntType

I32, I64 = IntType(32, True), IntType(64, True)
SPECIAL = (0.0, -0.0, 1.0, -1.5, math.inf, -math.inf, 5e-324, 1e308, 0.1)
OPERATIONS = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_doubles_are_those_of_the_platform(operation: str) -> None:
    for left in SPECIAL:
        for right in SPECIAL:
            expected = OPERATIONS[operation](left, right)
            found = apply(operation, (bits(left, 8), bits(right, 8)), 8, I64)
            assert found is not None
            assert struct.pack("<d", number(found, 8)) == struct.pack("<d", expected) or math.isnan(expected)


def test_integers_become_floats_with_one_rounding() -> None:
    chosen = random.Random(1)
    for _ in range(2000):
        value = chosen.getrandbits(chosen.randrange(1, 64)) * chosen.choice((1, -1))
        found = number(apply("from_int", (value,), 4, I32) or 0, 4)
        below, above = math.nextafter(found, -math.inf), math.nextafter(found, math.inf)
        error = abs(Fraction(found) - value)
        pattern = bits(found, 4)
        for step in (-1, 1):
            neighbour = number(pattern + step, 4) if found else below if step < 0 else above
            assert math.isnan(neighbour) or error <= abs(Fraction(neighbour) - value)
    assert number(apply("from_int", (2**60 + 2**36 + 1,), 4, I32) or 0, 4) == 2.0**60 + 2.0**37


def test_what_no_integer_can_hold_is_undefined() -> None:
    for value in (math.inf, math.nan, 2147483648.0, -2147483649.0):
        assert apply("to_int", (bits(value, 8),), 8, I32) is None
    assert apply("to_int", (bits(-2147483648.9, 8),), 8, I32) == -2147483648


def test_what_is_no_number_is_unequal_to_itself_and_keeps_its_bits() -> None:
    none = apply("div", (bits(0.0, 8), bits(0.0, 8)), 8, I64)
    assert none is not None
    assert apply("ne", (none, none), 8, I32) == 1
    assert apply("le", (none, none), 8, I32) == 0
    assert apply("add", (none, bits(1.0, 8)), 8, I64) == none
    assert none & (2**64 - 1) == 0xFFF8000000000000
    assert number(apply("convert", (none,), 8, I32) or 0, 4) != 0


def test_singles_round_and_overflow() -> None:
    assert apply("add", (bits(0.1, 4), bits(0.2, 4)), 4, I32) == bits(0.3, 4)
    assert number(apply("mul", (bits(3e38, 4), bits(10.0, 4)), 4, I32) or 0, 4) == math.inf
    assert number(apply("div", (bits(1.0, 4), bits(-0.0, 4)), 4, I32) or 0, 4) == -math.inf
    assert apply("neg", (bits(0.0, 4),), 4, I32) == bits(-0.0, 4)
