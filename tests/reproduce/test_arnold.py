"""Table 2 of Arnold's paper: claims that can fail, tables that say what was measured, and the programs themselves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heapwright.reproduce.arnold.measure import Measured, measure
from heapwright.reproduce.arnold.published import TABLE, Published
from heapwright.reproduce.arnold.table import Pair, as_row, claims, deflation, failures, less, reproduce, structures
from heapwright.reproduce.reproduction import Bounds

PROVED = {"1:1:leak": "proved", "2:1:null-deref": "proved"}


def pairs() -> list[Pair]:
    """As if everything had gone as the paper says."""
    found: list[Pair] = []
    for row in TABLE:
        strict = Measured(
            row.program, "strict", row.locations, row.loops, row.strict.total, row.strict.top, 10.0, 4.0, 90.0, PROVED
        )
        loose = replace(strict, embedding="loose", total=row.loose.total, top=row.loose.top)
        found.append((row, strict, loose))
    return found


def held(found: list[Pair]) -> list[bool]:
    return [claim.holds for claim in claims(found)]


def test_what_the_paper_says_holds_of_its_own_figures() -> None:
    assert held(pairs()) == [True] * 5
    percent = [round(less(row.strict.total, row.loose.total)) for row in TABLE]
    assert (min(percent), max(percent)) == (45, 56)  # the paper rounds 55.7 down
    tops = [round(less(row.strict.top, row.loose.top)) for row in TABLE]
    assert (min(tops), max(tops)) == (47, 58)


@pytest.mark.parametrize(
    ("changes", "failing"),
    [
        ({"loops": 7}, {0}),
        ({"verdicts": {**PROVED, "1:1:leak": "unknown"}}, {1, 3}),
        ({"verdicts": {}}, {1, 3}),
    ],
)
def test_claims_fail_where_strict_runs_are_not_as_they_should(changes: dict[str, object], failing: set[int]) -> None:
    found = pairs()
    row, strict, loose = found[2]
    found[2] = (row, replace(strict, **changes), loose)  # type: ignore[arg-type]
    assert {number for number, holds in enumerate(held(found)) if not holds} == failing
    assert all(row.program in claim.seen for claim in claims(found) if not claim.holds)


@pytest.mark.parametrize(
    ("changes", "failing"),
    [
        ({"total": 485}, {4}),
        ({"total": 486}, {4}),
        ({"verdicts": {**PROVED, "1:1:leak": "unknown"}}, {2, 3}),
        ({"verdicts": None}, {2, 3, 4}),
    ],
)
def test_claims_fail_where_loose_runs_are_not_as_they_should(changes: dict[str, object], failing: set[int]) -> None:
    found = pairs()
    row, strict, loose = found[2]
    found[2] = (row, strict, replace(loose, **changes))  # type: ignore[arg-type]
    assert {number for number, holds in enumerate(held(found)) if not holds} == failing


def test_what_was_not_measured_is_a_dash() -> None:
    found = pairs()
    row, strict, _ = found[0]
    found[0] = (row, strict, Measured(row.program, "loose", failure="no time"))
    assert structures(found).rows[0][-3:] == ("- / 59", "- / 1.8", "- / 4")
    assert deflation(found).rows[0] == ("sll-loop", "- / 46", "- / 56")
    assert deflation(found).rows[1] == ("sll-reverse", "54 / 54", "56 / 56")
    assert as_row(found[0])["loose"] is None
    assert failures(found) == ["sll-loop (loose): no time"]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.program)
def test_programs_are_like_the_papers(row: Published) -> None:
    measured = measure(row.program, "strict", Bounds(timeout=60))
    assert measured.loops == row.loops
    assert abs(measured.locations - row.locations) <= 10
    assert measured.proved
    assert not measured.failure


def test_a_limit_is_told() -> None:
    assert "time" in measure("sll-loop", "strict", Bounds(timeout=0.01)).failure


@pytest.mark.slow
def test_the_whole_table() -> None:
    found = reproduce(lambda text: None, Bounds(timeout=120))
    assert found.held, found.claims
