"""Tables 1 and 2 of Siegel and Simon's paper: claims that can fail, and one program for real."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heapwright.engines.api import OptionValue
from heapwright.reproduce.fesa.measure import Measured, measure
from heapwright.reproduce.fesa.published import TABLE_1, TABLE_2
from heapwright.reproduce.fesa.table import TRUE_ERROR, Row, as_row, claims, failures, table_1, table_2
from heapwright.reproduce.reproduction import Bounds

STATS: dict[str, float | int | str] = {"quantifications": 7, "average_size": 30.5, "loop_iterations": "3/2"}
ERROR = ("33:5:use-after-free",)
SEARCH = Measured(TRUE_ERROR, warnings=ERROR, violated=ERROR)


def rows() -> list[Row]:
    """As if everything had gone as it should."""
    found = []
    for row in TABLE_1:
        good = Measured(row.program, 12.0, 4.0, STATS, ERROR if row.program == TRUE_ERROR else ())
        many = tuple(f"{line}:1:null-deref" for line in range(row.without.warnings))
        found.append(Row(row, replace(good, warnings=many), good))
    return found


def held(found: list[Row], search: Measured = SEARCH) -> list[bool]:
    return [claim.holds for claim in claims(found, search)]


def test_all_hold_where_all_is_well() -> None:
    assert held(rows()) == [True] * 4


@pytest.mark.parametrize(
    ("place", "changes", "failing"),
    [
        (1, {"failure": "stopped: timeout"}, {0}),
        (1, {"warnings": ("1:1:null-deref",)}, {1}),
        (6, {"warnings": ()}, {2}),
        (6, {"warnings": (*ERROR, "9:1:null-deref")}, {2}),
        (6, {"warnings": ("9:1:use-after-free",)}, {2}),  # one that no run shows
    ],
)
def test_claims_fail(place: int, changes: dict[str, object], failing: set[int]) -> None:
    found = rows()
    found[place] = replace(found[place], instrumented=replace(found[place].instrumented, **changes))  # type: ignore[arg-type]
    assert {number for number, holds in enumerate(held(found)) if not holds} == failing


def test_instrumentation_must_buy_something() -> None:
    found = rows()
    found[2] = replace(found[2], without=found[2].instrumented)
    assert held(found) == [True, True, True, False]


def test_an_error_that_no_run_shows_is_none() -> None:
    assert held(rows(), replace(SEARCH, violated=())) == [True, True, False, True]


def test_tables_have_ours_beside_theirs() -> None:
    found = rows()
    text = table_1(found).text()
    assert "7 / 42" in text  # projections of the singly linked list with instrumentation
    assert "1 / 1" in text
    beside = [(row, Measured(row.program, 9.0, stats=STATS)) for row in TABLE_2]
    assert "deallocate-tree" in table_2(beside, found).text()
    assert "stopped" not in table_2(beside, found).text()
    beside[1] = (TABLE_2[1], Measured(TABLE_2[1].program, failure="stopped: timeout"))
    assert "stopped" in table_2(beside, found).text()
    assert as_row(found[0])["published"]["without"]["warnings"] == 1
    failed = replace(found[0], without=Measured("three-element-list", failure="stopped: timeout"))
    assert failures([failed]) == ["three-element-list: stopped: timeout"]


@pytest.mark.parametrize(("options", "warnings"), [({}, 0), ({"instrumentation": False}, 1)])
def test_a_list_of_three(options: dict[str, OptionValue], warnings: int) -> None:
    found = measure("three-element-list", "fesa", options, Bounds(timeout=60))
    assert found.failure == ""
    assert len(found.warnings) == warnings


@pytest.mark.slow
def test_with_a_sat_solver_as_the_paper_has_it() -> None:
    found = measure("singly-linked-list", "fesa", {"numeric": "sat"}, Bounds(timeout=300))
    assert (found.failure, found.warnings) == ("", ())
