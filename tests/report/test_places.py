"""Open checks by place: one line per access, the likeliest cause first; alike in all reports."""

from __future__ import annotations

import json
from dataclasses import replace

import jsonschema
import pytest
from report.conftest import MakeReport, alarm, run

from heapwright.base.source import Span
from heapwright.program.checks import Check, CheckKind
from heapwright.report.json_report import SCHEMA, json_object
from heapwright.report.places import by_function, open_places
from heapwright.report.sarif import sarif_object
from heapwright.report.terminal.console import render
from heapwright.result.outcomes import Outcome, Verdict


def unknown(kind: CheckKind, line: int, subject: str = "p", function: str = "f", column: int = 5) -> Outcome:
    return Outcome(Check(kind, Span("a.c", line, column), function, subject), Verdict.UNKNOWN, "tvl", reason="too far")


ACCESS = [
    unknown(CheckKind.NULL_DEREF, 3),
    unknown(CheckKind.USE_AFTER_FREE, 3),
    unknown(CheckKind.INVALID_DEREF, 3),
    unknown(CheckKind.BOUNDS, 3),
]


@pytest.mark.parametrize(
    ("outcomes", "texts"),
    [
        (ACCESS[:1], ["'p' may be null"]),
        (ACCESS[:2], ["'p' may be null or freed"]),
        (ACCESS, ["'p' may be null, freed, invalid or out of bounds"]),
        ([ACCESS[0], unknown(CheckKind.BOUNDS, 3, "p[i]")], ["'p' may be null; 'p[i]' may be out of bounds"]),
        ([ACCESS[0], unknown(CheckKind.LEAK, 3, "")], ["'p' may be null; memory may leak"]),
        ([unknown(CheckKind.LEAK, 3, "")], ["memory may leak"]),
        ([ACCESS[0], unknown(CheckKind.NULL_DEREF, 3, "q")], ["'p' may be null", "'q' may be null"]),
        ([ACCESS[0], unknown(CheckKind.NULL_DEREF, 3, column=9)], ["'p' may be null", "'p' may be null"]),
        (
            [unknown(CheckKind.DOUBLE_FREE, 3), unknown(CheckKind.INVALID_FREE, 3)],
            ["'p' may be freed already or not the start of a heap block"],
        ),
        ([unknown(CheckKind.ASSERT, 3, "x > 0")], ["'x > 0' may be false"]),
        ([unknown(CheckKind.SHAPE, 3, "")], ["the assertion may fail"]),
    ],
)
def test_what_is_open_about_an_access(outcomes: list[Outcome], texts: list[str]) -> None:
    assert [place.text for place in open_places(outcomes)] == texts


def test_every_kind_has_words() -> None:
    for kind in CheckKind:
        assert open_places([unknown(kind, 1)])[0].text


def test_other_verdicts_are_not_open() -> None:
    decided = [replace(ACCESS[0], verdict=verdict) for verdict in Verdict if verdict is not Verdict.UNKNOWN]
    assert open_places(decided) == ()


def test_the_likeliest_cause_first() -> None:
    """A run says more than an abstract counterexample, and that more than nothing; then the order of the source."""
    late_run = replace(unknown(CheckKind.NULL_DEREF, 9, function="g"), run=run())
    shown = replace(unknown(CheckKind.NULL_DEREF, 7), trace=alarm().trace)
    outcomes = [unknown(CheckKind.NULL_DEREF, 2), unknown(CheckKind.NULL_DEREF, 4), shown, late_run]
    ordered = by_function(open_places(outcomes))
    assert {name: [place.span.line for place in places] for name, places in ordered.items()} == {
        "g": [9],
        "f": [7, 2, 4],
    }


def test_all_reports_count_alike(make: MakeReport, proved: Outcome) -> None:
    report = make((proved, *ACCESS, unknown(CheckKind.LEAK, 5, "")))
    text = "1 of 6 checks proved; 5 open at 2 places"
    assert f"list.c: unknown: {text} (explore" in render(report)
    assert "  in f:\n    a.c:3:5: 'p' may be null, freed, invalid or out of bounds [null-deref, use" in render(report)
    as_json = json_object(report)
    jsonschema.validate(as_json, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert (as_json["summary"], as_json["counts"]["places"], len(as_json["places"])) == (text, 2, 2)
    assert as_json["places"][0]["checks"] == [outcome.check.id for outcome in ACCESS]
    properties = sarif_object(report)["runs"][0]["properties"]
    assert (properties["summary"], properties["counts"]) == (text, as_json["counts"])
    assert properties["places"][0]["location"]["message"]["text"] == as_json["places"][0]["text"]


def test_summaries(make: MakeReport, proved: Outcome, violated: Outcome) -> None:
    assert make((proved,)).summary == "1 proved"
    assert make((proved, violated)).summary == "1 violated, 1 proved"
    assert make((proved, violated, ACCESS[0])).summary == "1 violated, 1 of 3 checks proved; 1 open at 1 place"
    masked = replace(ACCESS[1], verdict=Verdict.MASKED)
    assert make((violated, masked)).summary == "1 violated, 1 masked"
