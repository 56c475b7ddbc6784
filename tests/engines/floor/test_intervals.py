"""Every operation on intervals contains the operation on every number in them: all intervals of small types."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import pytest

from heapwright.engines.floor.domain import intervals
from heapwright.engines.floor.domain.intervals import Interval
from heapwright.program.expressions import apply_binary
from heapwright.program.types import IntType

SIGNED, UNSIGNED = IntType(3, True), IntType(3, False)
OPERATIONS = ("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=")


def every(type: IntType) -> list[Interval]:
    return list(combinations_with_replacement(range(type.minimum, type.maximum + 1), 2))


@pytest.mark.parametrize("type", [SIGNED, UNSIGNED], ids=str)
@pytest.mark.parametrize("op", OPERATIONS)
def test_operations_contain_the_concrete_ones(op: str, type: IntType) -> None:
    numbers = range(type.minimum, type.maximum + 1)
    table = {(a, b): apply_binary(op, a, b, type) for a, b in product(numbers, numbers)}
    for one, other in product(every(type), every(type)):
        low, high = intervals.binary(op, one, other, type)
        for a, b in product(range(one[0], one[1] + 1), range(other[0], other[1] + 1)):
            assert low <= table[a, b] <= high, (op, one, other, a, b)


@pytest.mark.parametrize("type", [SIGNED, UNSIGNED], ids=str)
def test_conversions_and_unary_operations(type: IntType) -> None:
    for low, high in combinations_with_replacement(range(-20, 21), 2):
        first, last = intervals.wrapped((low, high), type)
        assert all(first <= type.wrap(value) <= last for value in range(low, high + 1))
    for low, high in every(type):
        for op in ("-", "~", "!"):
            first, last = intervals.unary(op, (low, high), type)
            for value in range(low, high + 1):
                concrete = {"-": type.wrap(-value), "~": type.wrap(~value), "!": int(value == 0)}[op]
                assert first <= concrete <= last, (op, low, high, value)


def test_widening_contains_both_and_stops_at_thresholds() -> None:
    assert intervals.widen((0, 1), (0, 5), (0, 10)) == (0, 10)
    assert intervals.widen((0, 1), (-3, 11), (0, 10)) == (-intervals.FAR, intervals.FAR)
