"""Tables 1 and 2 of Siegel and Simon's paper: claims that can fail, and one program for real."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heapwright.engines.api import OptionValue
from heapwright.reproduce.fesa.figures import figures
from heapwright.reproduce.fesa.measure import Measurement, measure
from heapwright.reproduce.fesa.published import TABLE_1, TABLE_2
from heapwright.reproduce.fesa.table import TRUE_ERROR, Row, as_row, claims, failures, table_1, table_2
from heapwright.reproduce.reproduction import Bounds

STATS: dict[str, float | int | str] = {"quantifications": 7, "average_size": 30.5}
ERROR = ("33:5:use-after-free",)
SEARCH = Measurement(TRUE_ERROR, warnings=ERROR, violated=ERROR)


def rows() -> list[Row]:
    """As if everything had gone as it should."""
    found = []
    for row in TABLE_1:
        stats = {**STATS, "loop_iterations": row.instrumented.iterations}
        good = Measurement(row.program, 12.0, 4.0, stats, ERROR if row.program == TRUE_ERROR else ())
        many = tuple(f"{line}:1:null-deref" for line in range(row.without.warnings))
        found.append(Row(row, replace(good, warnings=many), good))
    return found


def held(found: list[Row], search: Measurement = SEARCH) -> list[bool]:
    return [claim.holds for claim in claims(found, search)]


def failing(found: list[Row], search: Measurement = SEARCH) -> set[int]:
    return {number for number, holds in enumerate(held(found, search)) if not holds}


def test_all_hold_where_all_is_well() -> None:
    assert all(held(rows()))


@pytest.mark.parametrize(
    ("place", "changes", "expected"),
    [
        (1, {"failure": "stopped: timeout"}, {0}),
        (1, {"warnings": ("1:1:null-deref",)}, {1, 4}),
        (6, {"warnings": ()}, {2}),
        (6, {"warnings": (*ERROR, "9:1:null-deref")}, {2, 4}),
        (6, {"warnings": ("9:1:use-after-free",)}, {2}),  # one that no run shows
        (1, {"stats": {**STATS, "loop_iterations": "6/3"}}, {5}),
        (1, {"stats": {**STATS, "loop_iterations": "5"}}, {5}),
        (6, {"stats": {**STATS, "loop_iterations": "7"}}, {9}),
    ],
)
def test_claims_fail(place: int, changes: dict[str, object], expected: set[int]) -> None:
    found = rows()
    found[place] = replace(found[place], instrumented=replace(found[place].instrumented, **changes))  # type: ignore[arg-type]
    assert failing(found) == expected


def test_instrumentation_must_buy_something() -> None:
    found = rows()
    found[2] = replace(found[2], without=found[2].instrumented)
    assert failing(found) == {3}


def test_an_error_that_no_run_shows_is_none() -> None:
    assert failing(rows(), replace(SEARCH, violated=())) == {2}


def test_tables_have_ours_beside_theirs() -> None:
    found = rows()
    text = table_1(found).text()
    assert "7 / 42" in text  # projections of the singly linked list with instrumentation
    assert "1 / 1" in text
    beside = [(row, Measurement(row.program, 9.0, stats=STATS)) for row in TABLE_2]
    assert "deallocate-tree" in table_2(beside, found).text()
    assert "stopped" not in table_2(beside, found).text()
    beside[1] = (TABLE_2[1], Measurement(TABLE_2[1].program, failure="stopped: timeout"))
    assert "stopped" in table_2(beside, found).text()
    assert as_row(found[0])["published"]["without"]["warnings"] == 1
    failed = replace(found[0], without=Measurement("three-element-list", failure="stopped: timeout"))
    assert failures([failed]) == ["three-element-list: stopped: timeout"]


def test_figures_are_those_of_the_paper() -> None:
    assert [claim.text for claim in figures() if not claim.holds] == []


@pytest.mark.parametrize(("options", "warnings"), [({}, 0), ({"instrumentation": False}, 1)])
def test_a_list_of_three(options: dict[str, OptionValue], warnings: int) -> None:
    found = measure("three-element-list", "fesa", options, Bounds(timeout=60))
    assert found.failure == ""
    assert len(found.warnings) == warnings


@pytest.mark.slow
def test_with_a_sat_solver_as_the_paper_has_it() -> None:
    found = measure("singly-linked-list", "fesa", {"numeric": "sat"}, Bounds(timeout=300))
    assert (found.failure, found.warnings) == ("", ())
