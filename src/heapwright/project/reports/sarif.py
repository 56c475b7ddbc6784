"""The report of a project as SARIF 2.1.0: one run, its violations with their code flows.

Code hosts take at most 5,000 results of a run; violations that no baseline has come first. `automationDetails.id` lets
them tell the results of this project from those of other tools and shards.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from heapwright.base.source import Span
from heapwright.project.findings.merge import Finding, ProjectReport
from heapwright.report.sarif import KINDS, SCHEMA_URI, driver, location

MOST_RESULTS = 5000
MOST_STEPS = 1000
FINGERPRINT = "heapwrightFinding/v1"
_INDEX = {kind.value: number for number, kind in enumerate(KINDS)}

Json = dict[str, Any]


def sarif_text(report: ProjectReport, category: str) -> str:
    results = sorted(_results(report), key=lambda one: one[0])[:MOST_RESULTS]
    whole = {
        "$schema": SCHEMA_URI,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver()},
                "automationDetails": {"id": f"heapwright/{category}/"},
                "columnKind": "unicodeCodePoints",
                "invocations": [_invocation(report)],
                "results": [result for _, _, result in results],
                "properties": {"checks": dict(report.checks), "units": len(report.units)},
            }
        ],
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _results(report: ProjectReport) -> Iterator[tuple[int, int, Json]]:
    """Results with their order: new violations, known ones, suppressed ones, and those that are gone."""
    for number, finding in enumerate(report.findings):
        if finding.verdict == "violated" or finding.suppressed is not None:
            order = 2 if finding.suppressed is not None else 0 if finding.state == "new" else 1
            yield order, number, _result(finding, with_baseline=report.baseline is not None)
    for number, entry in enumerate(report.stale):
        yield (
            3,
            number,
            {
                "ruleId": entry["rule"],
                "message": {"text": entry["message"]},
                "locations": [location(Span(entry["path"], 0, 0))],
                "partialFingerprints": {FINGERPRINT: entry["fingerprint"]},
                "baselineState": "absent",
            },
        )


def _result(finding: Finding, *, with_baseline: bool) -> Json:
    span = Span(finding.path, finding.line, finding.column)
    result: Json = {
        "ruleId": finding.rule,
        "ruleIndex": _INDEX[finding.rule],
        "message": {"text": finding.message},
        "locations": [location(span, function=finding.function)],
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
        "properties": {"units": finding.units[:20]},
    }
    failed = finding.verdict == "violated"
    result |= {"kind": "fail", "level": "error"} if failed else {"kind": "open", "level": "none"}
    if with_baseline:
        result["baselineState"] = finding.state
    if finding.suppressed is not None:
        result["suppressions"] = [{"kind": "inSource", "justification": finding.suppressed}]
    steps = [step for step in finding.trace if step["line"]][:MOST_STEPS]
    if steps:
        flow = [
            {
                "executionOrder": number,
                "importance": "essential" if step["important"] else "unimportant",
                "location": location(Span(step["path"], step["line"], step["column"]), step["text"], step["function"]),
            }
            for number, step in enumerate(steps, 1)
        ]
        result["codeFlows"] = [{"threadFlows": [{"locations": flow}]}]
    return result


def _invocation(report: ProjectReport) -> Json:
    notifications = [
        {"level": "error" if unit.verdict == "failed" else "warning", "message": {"text": f"{unit.name}: {text}"}}
        for unit in report.units
        if unit.verdict != "unsafe" and (text := unit.message)
    ]
    notifications += [
        {"level": "note", "message": {"text": f"assumption ({count} units): {text}"}}
        for text, count in sorted(report.assumptions.items())
    ]
    return {"executionSuccessful": not report.having("failed"), "toolExecutionNotifications": notifications}
