"""The SARIF report, loaded with a typed model of the format."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sarif_pydantic import Sarif

from heapwright.base.source import Span
from heapwright.program.checks import CheckKind
from heapwright.program.trace import Run
from heapwright.report.model import Report
from heapwright.report.sarif import fingerprints, sarif_object, sarif_text
from heapwright.result.outcomes import Outcome, Verdict

MakeReport = Callable[..., Report]


def results(report: Report, *, unknown: bool = False) -> list[dict[str, Any]]:
    Sarif.model_validate(json.loads(sarif_text(report, unknown=unknown)))
    found: list[dict[str, Any]] = sarif_object(report, unknown=unknown)["runs"][0]["results"]
    return found


def test_violation(report: Report) -> None:
    (result,) = results(report)
    assert (result["ruleId"], result["kind"], result["level"]) == ("use-after-free", "fail", "error")
    assert result["message"]["text"] == "'x' points to freed memory"
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 12, "startColumn": 9, "endLine": 12, "endColumn": 16}
    flow = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["physicalLocation"]["region"]["startLine"] for step in flow] == [5, 6, 7, 9, 9, 11, 12]
    assert [place["message"]["text"] for place in result["relatedLocations"]] == ["allocated here", "freed here"]


def test_the_typed_model_reads_it_back(report: Report) -> None:
    model = Sarif.model_validate_json(sarif_text(report, unknown=True))
    assert model.version == "2.1.0"
    (run,) = model.runs
    assert run.tool.driver.name == "heapwright"
    assert {rule.id for rule in run.tool.driver.rules or ()} == {kind.value for kind in CheckKind}
    assert len(run.results or ()) == 4
    assert all(result.code_flows for result in run.results or () if result.level and result.level.value == "error")


def test_rules_have_help_and_results_point_to_them(report: Report) -> None:
    rules = sarif_object(report)["runs"][0]["tool"]["driver"]["rules"]
    assert all(rule["help"]["text"] and rule["shortDescription"]["text"] for rule in rules)
    for result in results(report, unknown=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_unknown_results_are_open_and_only_there_when_asked_for(report: Report) -> None:
    assert len(results(report)) == 1
    kinds = [(result["kind"], result["level"]) for result in results(report, unknown=True)]
    assert kinds.count(("open", "none")) == 3


def test_suppressed_results_say_so(make: MakeReport, violated: Outcome, source: str) -> None:
    text = source.replace("x->data;", "x->data; // heapwright: ignore[use-after-free] known")
    (result,) = results(make((violated,), source=text))
    assert result["suppressions"] == [{"kind": "inSource", "justification": "known"}]


def test_fingerprints_survive_moving_lines(make: MakeReport, violated: Outcome, source: str) -> None:
    moved_check = replace(violated.check, span=Span("list.c", 14, 9, 14, 16))
    before = fingerprints(make((violated,)))
    after = fingerprints(make((replace(violated, check=moved_check),), source="\n// new\n" + source))
    assert set(before.values()) == set(after.values())


def test_fingerprints_tell_checks_apart(report: Report) -> None:
    marks = fingerprints(report)
    assert len(set(marks.values())) == len(marks) == 5


def test_equal_lines_are_counted(make: MakeReport, violated: Outcome) -> None:
    source = "free(x);\nfree(x);\n"
    checks = [replace(violated.check, span=Span("list.c", line, 1)) for line in (1, 2)]
    marks = fingerprints(make(tuple(replace(violated, check=check) for check in checks), source=source))
    assert len(set(marks.values())) == 2


def uri(file: str, make: MakeReport, violated: Outcome) -> dict[str, str]:
    check = replace(violated.check, span=Span(file, 1, 1))
    (result,) = results(make((replace(violated, check=check),)))
    found: dict[str, str] = result["locations"][0]["physicalLocation"]["artifactLocation"]
    return found


def test_addresses_are_relative(
    make: MakeReport, violated: Outcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    root = "%SRCROOT%"
    assert uri("./src/my list.c", make, violated) == {"uri": "src/my%20list.c", "uriBaseId": root}
    assert uri(str(tmp_path / "src" / "list.c"), make, violated) == {"uri": "src/list.c", "uriBaseId": root}
    assert uri("/elsewhere/list.c", make, violated) == {"uri": "file:///elsewhere/list.c"}


def test_long_runs_are_cut(make: MakeReport, violated: Outcome) -> None:
    assert violated.run is not None
    steps = violated.run.steps * 1000
    run: Run = replace(violated.run, steps=steps)
    (result,) = results(make((replace(violated, run=run),)))
    assert len(result["codeFlows"][0]["threadFlows"][0]["locations"]) <= 1000


def test_alarms_show_the_abstract_run(make: MakeReport, violated: Outcome) -> None:
    assert violated.run is not None
    alarm = replace(violated, verdict=Verdict.UNKNOWN, run=None, trace=violated.run.steps)
    (result,) = results(make((alarm,)), unknown=True)
    flow = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["physicalLocation"]["region"]["startLine"] for step in flow] == [5, 6, 7, 9, 9, 11, 12]
    assert "relatedLocations" not in result


def test_limits_and_warnings_are_notifications(make: MakeReport, source: str) -> None:
    report = make((), source=source + "// heapwright: ignore[magic] because\n", limit="the time limit was reached")
    notes = sarif_object(report)["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    texts = [note["message"]["text"] for note in notes]
    assert "the time limit was reached" in texts
    assert any(text.startswith("unknown kind of check 'magic'") for text in texts)


def test_masked_checks_are_open(make: MakeReport, violated: Outcome) -> None:
    masked = replace(
        violated, verdict=Verdict.MASKED, run=None, reason="not reached: every run ends before it at a.c:5"
    )
    assert results(make((masked,))) == []
    (result,) = results(make((masked,)), unknown=True)
    assert (result["kind"], result["message"]["text"]) == ("open", masked.reason)
