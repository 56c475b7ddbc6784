"""The JSON report against its schema."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import jsonschema
import pytest

from heapwright.program.checks import CheckKind
from heapwright.report.json_report import SCHEMA, json_object, json_text
from heapwright.report.model import Report
from heapwright.result.outcomes import Outcome, Verdict

MakeReport = Callable[..., Report]


def valid(report: Report) -> dict[str, object]:
    loaded = json.loads(json_text(report))
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(loaded, schema)
    return dict(loaded)


def test_unsafe(report: Report) -> None:
    loaded = valid(report)
    assert loaded["verdict"] == "unsafe"
    assert loaded["svcomp"] == "false(valid-deref)"
    check = next(c for c in json_object(report)["checks"] if c["verdict"] == "violated")
    assert check["id"] == "list.c:12:9:use-after-free"
    assert check["message"] == "'x' points to freed memory"
    assert check["freed"] == {"file": "list.c", "line": 11, "column": 2}
    assert [choice["value"] for choice in check["choices"]] == [2]
    assert [step["line"] for step in check["trace"]] == [5, 6, 7, 9, 9, 11, 12]
    assert check["trace"][-1]["heap"]["objects"][0]["state"] == "freed"


def test_an_alarm_has_its_abstract_run(make: MakeReport, alarmed: Outcome) -> None:
    valid(make((alarmed,)))
    (check,) = json_object(make((alarmed,)))["checks"]
    assert [step["line"] for step in check["trace"]] == [5, 6, 12]
    assert "heap" not in check["trace"][1]
    heap = check["trace"][2]["heap"]
    assert [node.get("summary", False) for node in heap["objects"]] == [False, True]
    assert heap["objects"][1]["facts"] == [{"text": "r[x]", "certain": True}, {"text": "c", "certain": False}]
    assert [arrow.get("certain", True) for arrow in heap["arrows"]] == [True, False, True]
    assert heap["facts"] == [{"text": "n != 0", "certain": True}]


def test_empty(make: MakeReport) -> None:
    assert valid(make(()))["verdict"] == "safe"
    assert valid(make((), analysed=False, limit="the time limit of 1 s was reached"))["verdict"] == "unknown"


def test_suppressed_are_listed_and_marked(make: MakeReport, violated: Outcome, proved: Outcome, source: str) -> None:
    text = source.replace("x->data;", "x->data; // heapwright: ignore[use-after-free] known")
    loaded = valid(make((violated, proved), source=text))
    assert (loaded["verdict"], loaded["suppressed"]) == ("safe", 1)
    assert loaded["svcomp"] == "false(valid-deref)"
    checks = json_object(make((violated, proved), source=text))["checks"]
    assert [check.get("suppressed") for check in checks] == [None, "known"]


def test_kinds_in_the_schema_are_the_kinds() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert set(schema["$defs"]["check"]["properties"]["kind"]["enum"]) == {kind.value for kind in CheckKind}


def test_the_schema_refuses_a_violation_without_a_run(make: MakeReport, violated: Outcome) -> None:
    with pytest.raises(jsonschema.ValidationError):
        valid(make((replace(violated, run=None),)))


def test_statistics_are_there_even_if_an_engine_counts_nothing(make: MakeReport) -> None:
    report = make(())
    bare = replace(report, result=replace(report.result, stats={}))
    assert set(valid(bare)["stats"]) == {"time_s", "peak_mb", "locations", "iterations"}  # type: ignore[call-overload]


def test_same_report_same_text(make: MakeReport) -> None:
    assert json_text(make()) == json_text(make())


def test_unknown_verdicts_have_their_reason(report: Report) -> None:
    reasons = {c["reason"] for c in json_object(report)["checks"] if c["verdict"] == Verdict.UNKNOWN.value}
    assert reasons == {
        "a store of an uninitialised pointer is not supported",
        "not all runs were explored: a run has more than 10000 steps (--steps)",
    }


def test_masked_checks_say_where_runs_end(make: MakeReport, violated: Outcome) -> None:
    reason = "not reached: every run ends before it at list.c:5"
    masked = replace(violated, verdict=Verdict.MASKED, run=None, reason=reason)
    found = valid(make((masked,)))
    assert found["verdict"] == "unknown"
    (check,) = json_object(make((masked,)))["checks"]
    assert (check["verdict"], check["message"], check["reason"]) == ("masked", reason, reason)
