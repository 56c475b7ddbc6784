"""A report as data for the page, described by `schemas/page.json`: checks with their verdicts, sources, assumptions.

page_object(report, films={"list.c:9:3:leak": 0})
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heapwright.report.advice import engine_sentences, next_step
from heapwright.report.html.parts import blank_page, files_of, span_row, told, topic_object
from heapwright.report.html.refinements import proof_topics
from heapwright.report.messages import ADVICE, claim, message
from heapwright.report.model import Report
from heapwright.result.outcomes import Outcome, Verdict

Json = dict[str, Any]


def page_object(report: Report, films: Mapping[str, int]) -> Json:
    """The report; `films` has the number of the film of each check that has one, by the identity of the check."""
    outcomes = [(outcome, None) for outcome in report.outcomes]
    entries = [*outcomes, *((entry.outcome, entry.reason) for entry in report.suppressed)]
    entries.sort(key=lambda entry: (entry[0].check.span, entry[0].check.kind.value))
    return blank_page(
        report.name,
        function=report.function,
        property=report.goal.name,
        verdict=report.verdict.value,
        summary=report.summary,
        engine=report.result.engine,
        seconds=float(report.result.stats.get("time_s", 0)),
        complete=report.result.complete,
        limit=report.result.limit,
        next_step=next_step(report),
        engines=[{"engine": engine, "text": text} for engine, text in engine_sentences(report)],
        files=files_of([*report.files, *(outcome.check.span.file for outcome, _ in entries)], report.sources),
        checks=[_check(outcome, reason, films) for outcome, reason in entries],
        assumptions=told(report.assumptions),
        warnings=[{"text": warning.text, "place": str(warning.span)} for warning in report.warnings],
        topics=[topic_object(topic) for topic in (*proof_topics(report.result.proof), *report.result.topics)],
    )


def _check(outcome: Outcome, suppressed: str | None, films: Mapping[str, int]) -> Json:
    check = outcome.check
    open_ = outcome.verdict in (Verdict.VIOLATED, Verdict.UNKNOWN)
    return {
        "id": check.id,
        "kind": check.kind.value,
        "verdict": outcome.verdict.value,
        "engine": outcome.engine,
        "span": span_row(check.span),
        "function": check.function,
        "claim": claim(check),
        "message": message(outcome),
        "reason": outcome.reason,
        "advice": ADVICE[check.kind] if open_ else "",
        "suppressed": suppressed,
        "exact": outcome.run is None or outcome.run.exact,
        "film": films.get(check.id, -1),
    }
