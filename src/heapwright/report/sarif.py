"""The report as SARIF 2.1.0, for code hosts and editors.

Each kind of check is a rule, each violation a result with its run as a code flow. Fingerprints are computed from the
kind, the function, the text of the line and its number among equal ones, not from line numbers, so that a result keeps
its identity when the code around it moves.

    text = sarif_text(report)
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from heapwright import __version__
from heapwright.base.source import Span
from heapwright.program.checks import Check, CheckKind
from heapwright.program.trace import TraceStep, Violation
from heapwright.report.advice import next_step
from heapwright.report.messages import ADVICE, DESCRIPTIONS, WEAKNESSES, message
from heapwright.report.model import Report
from heapwright.report.places import Place
from heapwright.report.terminal.source_excerpt import line_of
from heapwright.result.outcomes import Outcome, Verdict

SCHEMA_URI = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "heapwrightCheck/v1"
ROOT = "%SRCROOT%"
MOST_STEPS = 1000  # per code flow: code hosts reject more

Json = dict[str, Any]
KINDS = tuple(CheckKind)


def sarif_text(report: Report, *, unknown: bool = False) -> str:
    return json.dumps(sarif_object(report, unknown=unknown), indent=2, ensure_ascii=False) + "\n"


def sarif_object(report: Report, *, unknown: bool = False) -> Json:
    """The whole report; with `unknown`, unknown and masked checks are reported as open results."""
    wanted = {Verdict.VIOLATED, Verdict.UNKNOWN, Verdict.MASKED} if unknown else {Verdict.VIOLATED}
    marks = fingerprints(report)
    results = [_result(o, marks[o.check.id]) for o in report.outcomes if o.verdict in wanted]
    for entry in report.suppressed:
        suppression = {"kind": "inSource", "justification": entry.reason}
        results.append({**_result(entry.outcome, marks[entry.outcome.check.id]), "suppressions": [suppression]})
    return {
        "$schema": SCHEMA_URI,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver()},
                "columnKind": "unicodeCodePoints",
                "invocations": [_invocation(report)],
                "results": results,
                "properties": {
                    "verdict": report.verdict.value,
                    "engine": report.result.engine,
                    "counts": report.counts,
                    "summary": report.summary,
                    "places": [_open_place(place) for place in report.places],
                },
            }
        ],
    }


def _open_place(place: Place) -> Json:
    return {
        "location": location(place.span, place.text, place.function),
        "checks": [outcome.check.id for outcome in place.outcomes],
    }


def fingerprints(report: Report) -> dict[str, str]:
    """Fingerprints by check. All checks are counted, whatever their verdict, so that repairing one does not change the
    fingerprints of equal ones."""
    outcomes = sorted(
        (*report.outcomes, *(entry.outcome for entry in report.suppressed)),
        key=lambda outcome: (outcome.check.span, outcome.check.kind.value),
    )
    seen: Counter[tuple[str, ...]] = Counter()
    marks: dict[str, str] = {}
    for check in (outcome.check for outcome in outcomes):
        identity = _identity(check, report.sources)
        seen[identity] += 1
        marks[check.id] = hashlib.sha256(repr((*identity, seen[identity])).encode()).hexdigest()[:32]
    return marks


def _identity(check: Check, sources: Mapping[str, str]) -> tuple[str, ...]:
    text = " ".join((line_of(sources, check.span) or "").split())
    return (PurePath(check.span.file).name, check.kind.value, check.function, text)


# --- the tool --------------------------------------------------------------------------------------------------------


def driver() -> Json:
    """The tool with its rules, one per kind of check; the index of a rule is that of its kind in `KINDS`."""
    return {
        "name": "heapwright",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(kind) for kind in KINDS],
    }


def _rule(kind: CheckKind) -> Json:
    name = "".join(word.capitalize() for word in kind.value.split("-"))
    return {
        "id": kind.value,
        "name": name,
        "shortDescription": {"text": DESCRIPTIONS[kind]},
        "fullDescription": {"text": f"{DESCRIPTIONS[kind]} Each result has a run of the program that shows it."},
        "help": {"text": ADVICE[kind]},
        "defaultConfiguration": {"level": "error"},
        "properties": _properties(kind),
    }


def _properties(kind: CheckKind) -> Json:
    """Tags by which code hosts sort results, and the severity of a weakness, from 0 to 10 as text."""
    weakness = WEAKNESSES.get(kind)
    if weakness is None:
        return {"tags": ["correctness"]}
    tags = ["security", "memory-safety", f"external/cwe/cwe-{weakness.cwe:03}"]
    return {"tags": tags, "security-severity": f"{weakness.severity:.1f}"}


def _invocation(report: Report) -> Json:
    notifications: list[Json] = [
        {"level": "warning", "message": {"text": warning.text}, "locations": [location(warning.span)]}
        for warning in report.warnings
    ]
    advice = next_step(report)
    if report.places:
        text = f"{report.summary}" + (f"; {advice}" if advice else "")
        notifications.append({"level": "note", "message": {"text": text}})
    if report.result.limit:
        notifications.append({"level": "warning", "message": {"text": report.result.limit}})
    notifications += [
        {
            "level": "note",
            "message": {"text": f"assumption: {assumption.text}"},
            **_locations(assumption.span),
        }
        for assumption in report.assumptions
    ]
    return {"executionSuccessful": report.analysed, "toolExecutionNotifications": notifications}


# --- one result ------------------------------------------------------------------------------------------------------


def _result(outcome: Outcome, fingerprint: str) -> Json:
    check = outcome.check
    reason = f" ({outcome.reason})" if outcome.verdict is Verdict.UNKNOWN and outcome.reason else ""
    result: Json = {
        "ruleId": check.kind.value,
        "ruleIndex": KINDS.index(check.kind),
        "message": {"text": message(outcome) + reason},
        "locations": [location(check.span, function=check.function)],
        "partialFingerprints": {FINGERPRINT: fingerprint},
    }
    if outcome.verdict is Verdict.VIOLATED:
        result |= {"kind": "fail", "level": "error"}
    else:
        result |= {"kind": "open", "level": "none"}  # only a failure may have another level
    flow = _flow(outcome.run.steps if outcome.run is not None else outcome.trace)
    if flow:
        result["codeFlows"] = [{"threadFlows": [{"locations": flow}]}]
    if outcome.run is not None and outcome.run.violation is not None:
        result["relatedLocations"] = list(_related(outcome.run.violation))
    return result


def _related(violation: Violation) -> Iterable[Json]:
    for number, (span, text) in enumerate(
        ((violation.allocated, "allocated here"), (violation.freed, "freed here")), 1
    ):
        if span is not None and span.line:
            yield {"id": number, **location(span, text)}


def _flow(run: Sequence[TraceStep]) -> list[Json]:
    """The steps of a run, concrete or abstract; if it is long, only important steps and the last one."""
    steps = [step for step in run if step.span.line]
    if len(steps) > MOST_STEPS:
        steps = [*(step for step in steps[:-1] if step.important), steps[-1]]
        steps = steps[: MOST_STEPS // 2] + steps[-MOST_STEPS // 2 :] if len(steps) > MOST_STEPS else steps
    return [_flow_step(number, step) for number, step in enumerate(steps, 1)]


def _flow_step(number: int, step: TraceStep) -> Json:
    text = step.text + (f" ({'; '.join(step.notes)})" if step.notes else "")
    return {
        "executionOrder": number,
        "importance": "essential" if step.important else "unimportant",
        "location": location(step.span, text, step.function),
    }


# --- source locations ------------------------------------------------------------------------------------------------


def _locations(span: Span | None) -> Json:
    return {"locations": [location(span)]} if span is not None and span.line else {}


def location(span: Span, text: str = "", function: str = "") -> Json:
    physical: Json = {"artifactLocation": _artifact(span.file)}
    if span.line:
        physical["region"] = _region(span)
    found: Json = {"physicalLocation": physical}
    if text:
        found["message"] = {"text": text}
    if function:
        found["logicalLocations"] = [{"name": function, "kind": "function"}]
    return found


def _region(span: Span) -> Json:
    region = {"startLine": span.line, "startColumn": max(span.column, 1)}
    if (span.end_line, span.end_column) > (span.line, span.column):
        region |= {"endLine": span.end_line, "endColumn": span.end_column}
    return region


def _artifact(file: str) -> Json:
    """The location of a file, relative to the working directory if it is inside it, with forward slashes."""
    path = Path(file)
    if path.is_absolute():
        if not path.is_relative_to(Path.cwd()):
            return {"uri": path.as_uri()}
        path = path.relative_to(Path.cwd())
    return {"uri": quote(os.fsencode(Path(os.path.normpath(path)).as_posix())), "uriBaseId": ROOT}
