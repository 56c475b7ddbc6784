"""The reports of a project: what other tools read is valid, whatever the messages are."""

from __future__ import annotations

import csv
import json
from collections import Counter
from xml.etree import ElementTree

from sarif_pydantic import Sarif

from heapwright.project.findings.merge import Finding, ProjectReport, UnitReport
from heapwright.project.reports.machine import code_quality_text, csv_text, json_lines, junit_text
from heapwright.project.reports.sarif import MOST_RESULTS, MOST_STEPS, sarif_text
from heapwright.project.reports.summary import markdown_text, summary_text
from heapwright.report.terminal.colours import PLAIN

STEP = {"path": "a.c", "line": 1, "column": 1, "function": "f", "text": "x = 0", "important": True}


def finding(number: int = 1, **changes: object) -> Finding:
    made = Finding(f"mark{number}", "leak", "a/b.c", number, 2, "f", "violated", "`p` <leaks> | here", trace=[STEP])
    made.units.append("a/b.c")
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def report() -> ProjectReport:
    units = [
        UnitReport("a/b.c", "k", "main", "unsafe", "", 1.0, 2.0, {"violated": 1}),
        UnitReport("a/c.c:f", "k", "f", "refused", "a \x1b[31m\x00 sign", 1.0, 2.0, {}),
        UnitReport("d.c", "k", "main", "unknown", "the time limit", 1.0, 2.0, {"unknown": 1}, ("a note",), True),
        UnitReport("e.c", "k", "main", "failed", "internal error", 1.0, 2.0, {}),
        UnitReport("f.c", "k", "main", "safe", "", 1.0, 2.0, {"proved": 3}),
    ]
    findings = [finding(), finding(2, state="unchanged"), finding(3, suppressed="why"), finding(4, verdict="unknown")]
    stale = [{"fingerprint": "gone", "message": "m", "path": "g.c", "rule": "leak"}]
    return ProjectReport(
        "/p", units, findings, Counter(proved=3, violated=2), Counter({"malloc": 5}), stale=stale, baseline="b"
    )


def test_sarif_is_one_valid_run_with_states_and_limits() -> None:
    text = sarif_text(report(), "shard1")
    Sarif.model_validate_json(text)
    (run,) = json.loads(text)["runs"]
    assert run["automationDetails"]["id"] == "heapwright/shard1/"
    assert [one.get("baselineState") for one in run["results"]] == ["new", "unchanged", "new", "absent"]
    assert run["results"][2]["suppressions"][0]["justification"] == "why"
    leak = next(rule for rule in run["tool"]["driver"]["rules"] if rule["id"] == "leak")
    assert "external/cwe/cwe-401" in leak["properties"]["tags"]
    assert leak["properties"]["security-severity"] == "4.0"
    many = ProjectReport("/p", [], [finding(number, trace=[STEP] * 1500) for number in range(1, 3)])
    flow = json.loads(sarif_text(many, "x"))["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
    assert len(flow) == MOST_STEPS
    most = ProjectReport("/p", [], [finding(number, trace=[]) for number in range(1, MOST_RESULTS + 9)])
    assert len(json.loads(sarif_text(most, "x"))["runs"][0]["results"]) == MOST_RESULTS


def test_junit_has_a_case_for_each_unit() -> None:
    suite = ElementTree.fromstring(junit_text(report()))
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5",
        "failures": "1",
        "errors": "2",
        "skipped": "1",
    }
    kinds = {case.get("name"): [child.tag for child in case] for case in suite}
    assert kinds == {"b.c": ["failure"], "c.c:f": ["error"], "d.c": ["skipped"], "e.c": ["error"], "f.c": []}


def test_code_quality_json_lines_and_csv() -> None:
    (issue,) = json.loads(code_quality_text(report()))
    assert (issue["fingerprint"], issue["location"]) == ("mark1", {"path": "a/b.c", "lines": {"begin": 1}})
    kinds = Counter(json.loads(line)["type"] for line in json_lines(report()).splitlines())
    assert kinds == {"unit": 5, "finding": 4, "assumption": 1, "summary": 1}
    rows = list(csv.DictReader(csv_text(report()).splitlines()))
    assert [row["verdict"] for row in rows] == ["violated", "violated", "suppressed", "unknown", "refused", "failed"]
    formula = ProjectReport("/p", [], [finding(path="=cmd()")])
    assert list(csv.reader(csv_text(formula).splitlines()))[1][0] == "'=cmd()"


def test_people_read_violations_refusals_and_assumptions() -> None:
    text = summary_text(report(), PLAIN)
    for part in (
        "a/b.c:1:2: error: `p` <leaks> | here [leak]",
        "a/c.c:f: refused: a ",
        "e.c: failed: internal error",
        "note: a note (1 unit)",
        "assumption: malloc (5 units)",
        "baseline: 1 known violation, 1 stale",
        "5 units: 1 safe, 1 unsafe, 1 unknown, 1 refused, 1 failed; 3 of 5 checks proved, 1 new violated",
    ):
        assert part in text
    assert "\x1b" not in text
    assert "assumption: malloc" in summary_text(report(), PLAIN, quiet=True)
    marked = markdown_text(report())
    assert "| `a/b.c:1` | leak | \\`p\\` &lt;leaks\\> \\| here |" in marked
    assert "\x1b" not in marked
