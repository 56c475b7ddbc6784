"""The report as one JSON object, described by `schemas/report.json`.

text = json_text(report)
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from heapwright import __version__
from heapwright.base.source import Span
from heapwright.program.heap_picture import Fact, HeapNode, HeapPicture
from heapwright.program.trace import Run, TraceStep
from heapwright.report.advice import engine_sentences, next_step
from heapwright.report.messages import message
from heapwright.report.model import Report
from heapwright.report.places import Place
from heapwright.result.outcomes import Outcome, Proof

SCHEMA = Path(__file__).parent / "schemas" / "report.json"

Json = dict[str, Any]


def json_text(report: Report) -> str:
    return json.dumps(json_object(report), indent=2, ensure_ascii=False) + "\n"


def json_object(report: Report) -> Json:
    """The whole report. Suppressed checks are listed with their reason and do not count for the verdict."""
    checks = [_check(outcome, None) for outcome in report.outcomes]
    checks += [_check(entry.outcome, entry.reason) for entry in report.suppressed]
    return {
        "tool": "heapwright",
        "version": __version__,
        "file": report.files[0],
        "files": list(report.files),
        "function": report.function,
        "property": report.goal.name,
        "verdict": report.verdict.value,
        "svcomp": report.svcomp,
        "engine": report.result.engine,
        "analysed": report.analysed,
        "sound": report.result.sound,
        "complete": report.result.complete,
        "limit": report.result.limit,
        "suppressed": len(report.suppressed),
        "counts": report.counts,
        "summary": report.summary,
        "next_step": next_step(report),
        "engines": [{"engine": engine, "text": text} for engine, text in engine_sentences(report)],
        "places": [_open_place(place) for place in report.places],
        "checks": sorted(checks, key=lambda check: (check["file"], check["line"], check["column"], check["kind"])),
        "warnings": [{"message": warning.text, **_span(warning.span)} for warning in report.warnings],
        "assumptions": [
            {"text": assumption.text, **(_span(assumption.span) if assumption.span else {})}
            for assumption in report.assumptions
        ],
        "stats": _stats(report.result.stats),
        **({"proof": _proof(report.result.proof)} if report.result.proof is not None else {}),
    }


def _open_place(place: Place) -> Json:
    return {
        **_span(place.span),
        "function": place.function,
        "subject": place.subject,
        "text": place.text,
        "checks": [outcome.check.id for outcome in place.outcomes],
    }


def _proof(proof: Proof) -> Json:
    return {
        "refinements": [
            {
                "check": step.check,
                "lines": list(step.lines),
                "interpolants": list(step.interpolants),
                "added": list(step.added),
            }
            for step in proof.refinements
        ],
        "tracked": list(proof.shape_precision),
        "known": [
            {
                "location": invariant.location,
                **_span(invariant.span),
                "function": invariant.function,
                "invariant": invariant.invariant,
                "expression": invariant.expression,
                "structures": invariant.structures,
            }
            for invariant in proof.invariants
        ],
    }


def _check(outcome: Outcome, suppressed: str | None) -> Json:
    check = outcome.check
    entry: Json = {
        "id": check.id,
        "kind": check.kind.value,
        **_span(check.span),
        "function": check.function,
        "subject": check.subject,
        "message": message(outcome),
        "verdict": outcome.verdict.value,
        "engine": outcome.engine,
        "reason": outcome.reason,
        "trace": [],
    }
    if suppressed is not None:
        entry["suppressed"] = suppressed
    if outcome.run is not None:
        entry |= _run(outcome.run)
    elif outcome.trace:
        entry["trace"] = _steps(outcome.trace)
    return entry


def _steps(steps: Sequence[TraceStep]) -> list[Json]:
    return [_step(step, last=step is steps[-1]) for step in steps]


def _run(run: Run) -> Json:
    entry: Json = {
        "trace": _steps(run.steps),
        "choices": [
            {"kind": choice.kind.value, "source": choice.source, "value": choice.value, **_span(choice.span)}
            for choice in run.choices
        ],
    }
    violation = run.violation
    if violation is not None:
        if violation.holder:
            entry["holder"] = violation.holder
        if violation.allocated:
            entry["allocated"] = _span(violation.allocated)
        if violation.freed:
            entry["freed"] = _span(violation.freed)
    return entry


def _step(step: TraceStep, *, last: bool) -> Json:
    """One step. Heaps are large: only important steps and the last one have theirs."""
    entry: Json = {
        **_span(step.span),
        "function": step.function,
        "text": step.text,
        "notes": list(step.notes),
        "important": step.important,
    }
    if step.heap is not None and (step.important or last):
        entry["heap"] = heap_object(step.heap)
    return entry


def heap_object(picture: HeapPicture) -> Json:
    """A picture. Keys of abstract heaps (`summary`, `optional`, `certain`) are omitted if they have their defaults."""
    return {
        "variables": dict(picture.data),
        "objects": [_object(node) for node in picture.nodes],
        "arrows": [
            {"source": a.source, "label": a.label, "target": a.target, **({} if a.certain else {"certain": False})}
            for a in picture.arrows
        ],
        **({"facts": _facts(picture.facts)} if picture.facts else {}),
    }


def _object(node: HeapNode) -> Json:
    return {
        "id": node.id,
        "type": node.type,
        "region": node.storage,
        "state": node.state,
        "data": dict(node.data),
        **({"count": node.count} if node.count is not None else {}),
        **({"summary": True} if node.summary else {}),
        **({"optional": True} if node.optional else {}),
        **({"facts": _facts(node.facts)} if node.facts else {}),
    }


def _facts(facts: Sequence[Fact]) -> list[Json]:
    return [{"text": fact.text, "certain": fact.certain} for fact in facts]


def _span(span: Span) -> Json:
    return {"file": span.file, "line": span.line, "column": span.column}


def _stats(stats: Mapping[str, float | int | str]) -> Json:
    """The statistics of every report, and those of the engine."""
    return {"time_s": 0.0, "peak_mb": 0.0, "locations": 0, "iterations": 0, **stats}
