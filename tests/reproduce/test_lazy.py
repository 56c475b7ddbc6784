"""Table 1 of Lazy Shape Analysis: claims that can fail, and one program for real."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heapwright.reproduce.lazy.measure import Measurement, measure
from heapwright.reproduce.lazy.published import TABLE_1
from heapwright.reproduce.lazy.table import Row, as_row, claims, reasons, table_1, twins
from heapwright.reproduce.reproduction import Bounds


def rows() -> list[Row]:
    """As if everything had gone as it should."""
    found = []
    for row in TABLE_1:
        good = Measurement(row.program, "safe", 1.0, {"refinements": 3, "shape_operations": 100})
        unknown = replace(good, verdict="unknown", reason="line 9: it is not excluded")
        shapes = good if row.shapes_prove else unknown
        found.append(Row(row, unknown, shapes, good, replace(good, verdict="unsafe", violated=("9:assert",))))
    return found


def held(found: list[Row]) -> list[bool]:
    return [claim.holds for claim in claims(found)]


def test_all_hold_where_all_is_well() -> None:
    assert held(rows()) == [True] * 6


@pytest.mark.parametrize(
    ("part", "changes", "failing"),
    [
        ("both", {"verdict": "unknown"}, {0}),
        ("predicates", {"verdict": "safe"}, {1}),
        ("shapes", {"verdict": "unknown"}, {2}),
        ("predicates", {"violated": ("9:assert",)}, {3}),
        ("twin", {"verdict": "unknown", "violated": ()}, {4}),
        ("twin", {"violated": ("9:null-deref",)}, {4}),
        ("both", {"stats": {"shape_operations": 151}}, {5}),
    ],
)
def test_claims_fail(part: str, changes: dict[str, object], failing: set[int]) -> None:
    found = rows()
    changed = replace(getattr(found[0], part), **changes)
    found[0] = replace(found[0], **{part: changed})
    assert {number for number, holds in enumerate(held(found)) if not holds} == failing


def test_tables_and_rows() -> None:
    assert "4 / 5" not in table_1(rows()).text()
    assert "3 / 7" in table_1(rows()).text()
    assert "9:assert" in twins(rows()).text()
    assert as_row(rows()[0])["published"]["both"] == {"time_s": 0.51, "refinements": 1}
    assert reasons(rows())[0] == "simple, predicates alone: line 9: it is not excluded"


def test_one_program_for_real() -> None:
    both, shapes = (measure("simple", one, Bounds(timeout=60)) for one in ("both", "shapes"))
    assert both.verdict == shapes.verdict == "safe"
    assert both.refinements > shapes.refinements == 0
    assert measure("simple_buggy", "both", Bounds(timeout=60)).verdict == "unsafe"
