"""Table 1 of Lazy Shape Analysis: claims that can fail, and one program for real."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heapwright.reproduce.lazy.measure import CONFIGURATIONS, Configuration, Measurement, measure
from heapwright.reproduce.lazy.published import TABLE_1
from heapwright.reproduce.lazy.table import (
    FIELDS_ALONE,
    SECTIONS,
    Row,
    as_row,
    claims,
    claims_of_sections,
    reasons,
    sections,
    table_1,
    twins,
)
from heapwright.reproduce.reproduction import Bounds


def as_published(program: str, configuration: Configuration) -> Measurement:
    """As if everything had gone as it should."""
    name = program.removesuffix("_buggy")
    reachability = int(name in {row.program for row in TABLE_1} - set(FIELDS_ALONE))
    stats = {"refinements": 3, "shape_operations": 100, "tracked_pointers": 3, "with_reachability": reachability}
    good = Measurement(program, "safe", 1.0, stats, refined=("9:1:null-deref", "9:1:assert", "8:1:null-deref"))
    if name != program:
        return replace(good, verdict="unsafe", violated=("9:assert",))
    proved = {row.program: row.shapes_prove for row in TABLE_1}.get(program, True)
    if configuration == "predicates" or (configuration == "shapes" and not proved):
        return replace(good, verdict="unknown", reason="line 9: it is not excluded")
    return good


def rows() -> list[Row]:
    found = []
    for row in TABLE_1:
        predicates, shapes, both = (as_published(row.program, one) for one in CONFIGURATIONS)
        found.append(Row(row, predicates, shapes, both, as_published(f"{row.program}_buggy", "both")))
    return found


def parts() -> dict[str, Measurement]:
    return {name: as_published(name, "both") for name in SECTIONS}


def held(found: list[Row]) -> list[bool]:
    return [claim.holds for claim in claims(found)]


def test_all_hold_where_all_is_well() -> None:
    assert held(rows()) == [True] * 6
    assert [claim.holds for claim in claims_of_sections(rows(), parts())] == [True] * 6


@pytest.mark.parametrize(
    ("program", "changes", "failing"),
    [
        ("five_lists", {"verdict": "unknown"}, {2}),
        ("five_lists", {"stats": {"tracked_pointers": 7, "shape_operations": 100}}, {2}),
        ("reversed_four_times", {"stats": {"shape_operations": 101}}, {3}),
        ("correlated", {"verdict": "unknown"}, {4}),
        ("last", {"verdict": "unknown"}, {5}),
    ],
)
def test_claims_of_sections_fail(program: str, changes: dict[str, object], failing: set[int]) -> None:
    found = parts()
    found[program] = replace(found[program], **changes)  # type: ignore[arg-type]  # the values have the fields' types
    assert {n for n, claim in enumerate(claims_of_sections(rows(), found)) if not claim.holds} == failing


def test_claims_about_refinements_fail() -> None:
    found = rows()
    found[0] = replace(found[0], both=replace(found[0].both, refined=("9:1:assert",) * 40))
    assert not claims_of_sections(found, parts())[0].holds
    found = rows()
    found[2] = replace(found[2], both=replace(found[2].both, stats={"with_reachability": 0}))
    assert not claims_of_sections(found, parts())[1].holds


@pytest.mark.parametrize(
    ("part", "changes", "failing"),
    [
        ("both", {"verdict": "unknown"}, {0}),
        ("predicates", {"verdict": "safe"}, {1}),
        ("shapes", {"verdict": "unknown"}, {2}),
        ("predicates", {"violated": ("9:assert",)}, {3}),
        ("twin", {"verdict": "unknown", "violated": ()}, {4}),
        ("twin", {"violated": ("9:null-deref",)}, {4}),
        ("both", {"stats": {"shape_operations": 251}}, {5}),
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
    assert "reversed four times" in sections(parts()).text()
    assert "9:assert" in twins(rows()).text()
    assert as_row(rows()[0])["published"]["both"] == {"time_s": 0.51, "refinements": 1}
    assert reasons(rows())[0] == "simple, predicates alone: line 9: it is not excluded"


def test_one_program_for_real() -> None:
    both, shapes = (measure("simple", one, Bounds(timeout=60)) for one in ("both", "shapes"))
    assert both.verdict == shapes.verdict == "safe"
    assert both.refinements > shapes.refinements == 0
    assert measure("simple_buggy", "both", Bounds(timeout=60)).verdict == "unsafe"
