"""Open inputs: ranges split as they are compared, and agree with plain numbers."""

from __future__ import annotations

import operator

from hypothesis import given
from hypothesis import strategies as st

from heapwright.program.semantics.state import Range, sample
from heapwright.program.semantics.symbolic_inputs import candidates, narrowed

OPERATORS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

small = st.integers(-6, 6)


def members(known: Range | None) -> set[int]:
    if known is None:
        return set()
    return {value for value in range(known.low, known.high + 1) if value not in known.excluded}


@st.composite
def ranges(draw: st.DrawFn) -> Range:
    low = draw(small)
    high = draw(st.integers(low, 8))
    known: Range | None = Range(low, high)
    for excluded in draw(st.lists(small, max_size=3)):
        smaller = narrowed(known, "!=", excluded) if known is not None else None
        known = smaller or known
    assert known is not None
    return known


@given(ranges(), st.sampled_from(sorted(OPERATORS)), small)
def test_narrowing_keeps_exactly_the_numbers_that_satisfy(known: Range, op: str, bound: int) -> None:
    expected = {value for value in members(known) if OPERATORS[op](value, bound)}
    assert members(narrowed(known, op, bound)) == expected


@given(ranges())
def test_a_sample_is_a_member_nearest_to_zero(known: Range) -> None:
    assert abs(sample(known)) == min(abs(value) for value in members(known))


@given(ranges(), st.integers(0, 3))
def test_candidates_are_members(known: Range, values: int) -> None:
    found, whole = candidates(known, values)
    assert found
    assert set(found) <= members(known)
    assert not whole or set(found) == members(known)


def test_a_wide_range_is_tried_in_part() -> None:
    found, whole = candidates(Range(-(2**31), 2**31 - 1), 2)
    assert found == [0, 1, -1, 2, -2]
    assert not whole
