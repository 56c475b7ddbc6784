"""Reports for build servers and tables: JUnit XML, GitLab code quality, JSON lines, CSV.

In JUnit a unit is a test case: a violation is a failure, an unknown answer is skipped, a refusal or a crash an error.

>>> _text("a\\x00b")
'ab'
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import defaultdict
from typing import Any
from xml.etree import ElementTree

from heapwright.project.findings.merge import Finding, ProjectReport, UnitReport

# What XML 1.0 has no way to write.
_CONTROL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _text(value: str) -> str:
    return _CONTROL.sub("", value)


def junit_text(report: ProjectReport) -> str:
    by_unit: dict[str, list[Finding]] = defaultdict(list)
    for finding in report.findings:
        if finding.counts:
            for name in finding.units:
                by_unit[name].append(finding)
    suite = ElementTree.Element("testsuite", name="heapwright", tests=str(len(report.units)))
    counts = {"failure": 0, "error": 0, "skipped": 0}
    for unit in report.units:
        folder, _, name = unit.name.rpartition("/")
        case = ElementTree.SubElement(
            suite, "testcase", classname=_text(folder or "."), name=_text(name), time=f"{unit.seconds:.3f}"
        )
        kind, message, details = _case(unit, by_unit[unit.name])
        if kind:
            counts[kind] += 1
            element = ElementTree.SubElement(case, kind, message=_text(message))
            element.text = _text(details)
    suite.attrib.update(
        {"failures": str(counts["failure"]), "errors": str(counts["error"]), "skipped": str(counts["skipped"])}
    )
    suite.attrib["time"] = f"{report.seconds:.3f}"
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _case(unit: UnitReport, findings: list[Finding]) -> tuple[str, str, str]:
    """The element of a test case that did not pass, with its message and text."""
    if unit.verdict in ("refused", "failed"):
        return "error", f"{unit.verdict}: {unit.message}", ""
    if findings:
        lines = "\n".join(f"{one.path}:{one.line}:{one.column}: {one.message} [{one.rule}]" for one in findings)
        return "failure", f"{len(findings)} violated", lines
    if unit.is_open:
        return "skipped", unit.message or f"{unit.counts.get('unknown', 0)} checks are open", ""
    return "", "", ""


def code_quality_text(report: ProjectReport) -> str:
    """The violations that count, as GitLab shows them beside a merge request."""
    issues = [
        {
            "type": "issue",
            "check_name": one.rule,
            "description": one.message,
            "fingerprint": one.fingerprint,
            "severity": "minor" if one.rule == "leak" else "critical",
            "location": {"path": one.path, "lines": {"begin": max(one.line, 1)}},
        }
        for one in report.findings
        if one.counts
    ]
    return json.dumps(issues, indent=1, ensure_ascii=False) + "\n"


def json_lines(report: ProjectReport) -> str:
    """One object a line: units, then findings, then assumptions, then the summary."""
    objects: list[dict[str, Any]] = [
        {
            "type": "unit",
            "name": unit.name,
            "entry": unit.entry,
            "verdict": unit.verdict,
            "message": unit.message,
            "seconds": unit.seconds,
            "peak_mb": unit.peak_mb,
            "counts": unit.counts,
            "notes": list(unit.notes),
        }
        for unit in report.units
    ]
    objects += [
        {
            "type": "finding",
            "fingerprint": one.fingerprint,
            "rule": one.rule,
            "path": one.path,
            "line": one.line,
            "column": one.column,
            "function": one.function,
            "verdict": one.verdict,
            "message": one.message,
            "reason": one.reason,
            "units": one.units,
            "suppressed": one.suppressed,
            "baseline": one.state,
        }
        for one in report.findings
    ]
    objects += [
        {"type": "assumption", "text": text, "units": count} for text, count in sorted(report.assumptions.items())
    ]
    verdicts = {word: len(report.having(word)) for word in ("safe", "unsafe", "unknown", "refused", "failed")}
    summary = {"type": "summary", "units": verdicts, "checks": dict(report.checks), "revision": report.revision}
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in (*objects, summary))


def csv_text(report: ProjectReport) -> str:
    """One line for each finding, and one for each unit without an answer."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["path", "line", "column", "rule", "verdict", "function", "message", "units", "fingerprint"])
    for one in report.findings:
        verdict = "suppressed" if one.suppressed is not None else one.verdict
        row = [one.path, one.line, one.column, one.rule, verdict, one.function, one.message]
        table.writerow([_cell(value) for value in (*row, len(one.units), one.fingerprint)])
    for unit in report.units:
        if unit.verdict in ("refused", "failed"):
            table.writerow(
                [_cell(value) for value in (unit.path, "", "", "", unit.verdict, unit.entry, unit.message, 1, "")]
            )
    return out.getvalue()


def _cell(value: object) -> object:
    """A cell that a spreadsheet does not take for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value
