"""The record of a unit: its result as JSON, with paths from the root, as the store keeps it.

Suppressions, excerpts and the baseline are no part of it; they are applied when it is reported. A violation has its
run in words and, if it is not too long, as a film, compressed as in a page (report.html.page.packed).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from heapwright.analysis.function_contracts import Contract
from heapwright.analysis.supervisor import JobResult
from heapwright.base.errors import HeapwrightError, InternalError, LimitReached, StaleSnapshot
from heapwright.base.source import Span
from heapwright.program.checks import Goal
from heapwright.program.graph import Program
from heapwright.program.runs.recording import Frame, record
from heapwright.program.trace import Run, TraceStep
from heapwright.project.findings.fingerprint import Lines
from heapwright.project.store.database import Answer
from heapwright.project.store.digests import INSTALLED, PACKAGE
from heapwright.project.store.limits import UnitLimits
from heapwright.project.units.unit import beneath
from heapwright.report.html.film import film_object
from heapwright.report.html.page import packed
from heapwright.report.messages import claim, message
from heapwright.result.outcomes import Outcome, ProgramVerdict, Verdict, verdict_of

MOST_STEPS = 1000  # of a run; code hosts reject more
MOST_FRAMES = 2000  # of a film
MOST_FILM = 300_000  # characters

Json = dict[str, Any]


class Recorder:
    """Makes the record of one unit."""

    def __init__(
        self, root: str, limits: UnitLimits, contract: Contract | None = None, goal: Goal | None = None
    ) -> None:
        """`contract`: the precondition under which the unit was analysed, an assumption of its answer. With a `goal`
        there are films of violations."""
        self.root = root
        self.limits = limits
        self.contract = contract
        self.goal = goal
        self._lines: dict[str, Lines] = {}

    def of_result(self, found: JobResult, *, final: bool = True, program: Program | None = None) -> Answer:
        """Not `final`: more time may find a precondition, and with it another answer. With the `program`, violations
        have films."""
        result, analysed = found.result, found.lowered is not None
        sources = found.lowered.sources if found.lowered else {}
        verdict = verdict_of((one.verdict for one in result.outcomes), result.sound and analysed)
        undecided = any(one.verdict is Verdict.UNKNOWN for one in result.outcomes)
        complete = analysed and not found.interrupted and found.fault is None and result.complete and not result.limit
        decided = analysed and result.sound and not undecided and found.fault is None
        final = final or verdict is ProgramVerdict.SAFE
        checks = [self._check(outcome, sources, program) for outcome in result.outcomes]
        kept = self.contract.assumptions if self.contract is not None else ()
        body: Json = {
            "engine": result.engine,
            "analysed": analysed,
            "sound": result.sound,
            "limit": result.limit,
            "checks": checks,
            "assumptions": [
                {"text": one.text, **(self._span(one.span) if one.span else {})} for one in (*kept, *result.assumptions)
            ],
            "precondition": list(self.contract.words) if self.contract is not None else [],
            "fault": str(found.fault) if found.fault is not None else "",
        }
        stats = result.stats
        return self._answer(
            verdict.value, final and (complete or decided), body, stats.get("time_s", 0), stats.get("peak_mb", 0)
        )

    def of_error(self, error: HeapwrightError, seconds: float = 0.0, peak_mb: float = 0.0) -> Answer:
        """The record of a unit that has no result: refused, stopped by a limit, or failed."""
        text = str(error) + (f" ({error.hint})" if error.hint else "")
        if isinstance(error, InternalError):
            return self._answer("failed", False, {"fault": text, "checks": []}, seconds, peak_mb)
        if isinstance(error, LimitReached):
            return self._answer("unknown", False, {"limit": text, "checks": [], "fault": ""}, seconds, peak_mb)
        again = isinstance(error, StaleSnapshot)
        return self._answer("refused", not again, {"error": text, "checks": [], "fault": ""}, seconds, peak_mb)

    def _answer(self, verdict: str, complete: bool, body: Json, seconds: object, peak_mb: object) -> Answer:
        numbers = [float(one) if isinstance(one, int | float) else 0.0 for one in (seconds, peak_mb)]
        return answer_of(self._relative(answer_object(verdict, complete, self.limits, numbers, body)))

    def _relative(self, value: Any) -> Any:
        """The value with paths in texts relative to the root and to the package."""
        if isinstance(value, str):
            inside = self.root.rstrip("/") + "/"
            return value.replace(inside, "").replace(f"{PACKAGE}/", INSTALLED)
        if isinstance(value, list):
            return [self._relative(one) for one in value]
        if isinstance(value, dict):
            return {name: self._relative(one) for name, one in value.items()}
        return value

    def _check(self, outcome: Outcome, sources: Mapping[str, str], program: Program | None) -> Json:
        check = outcome.check
        kind = check.kind.value + (":unsupported" if check.unsupported else "") + (":cleanup" if check.cleanup else "")
        path = beneath(self.root, check.span.file)
        if check.span.file not in self._lines:
            self._lines[check.span.file] = Lines(self._text(check.span.file, sources))
        lines = self._lines[check.span.file]
        entry: Json = {
            "fingerprint": lines.fingerprint(path, kind, check.function, check.span.line, self._column(check.span)),
            "kind": check.kind.value,
            **self._span(check.span),
            "function": check.function,
            "verdict": outcome.verdict.value,
            "claim": claim(check),
            "engine": outcome.engine,
        }
        if outcome.verdict is not Verdict.PROVED:
            entry |= {"subject": check.subject, "message": message(outcome), "reason": outcome.reason}
        if check.unsupported:
            entry["unsupported"] = True
        if outcome.verdict is Verdict.VIOLATED and outcome.run is not None:
            steps = outcome.run.steps
            kept = (
                steps if len(steps) <= MOST_STEPS else [s for s in steps if s.important or s is steps[-1]][-MOST_STEPS:]
            )
            entry["trace"] = [self._step(step) for step in kept]
            film = self._film(program, outcome.run, check.id) if program is not None and self.goal is not None else ""
            if film:
                entry["film"] = film
        return entry

    def _film(self, program: Program, run: Run, check: str) -> str:
        assert self.goal is not None
        recording = record(program, replace(self.goal, only=None), run.choices, check=check, most=MOST_FRAMES)
        if self.contract is not None:
            recording = replace(recording, frames=tuple(map(self._in_source, recording.frames)))
        film = packed(self._relative(film_object(recording)))
        return film if len(film) <= MOST_FILM else ""

    def _in_source(self, frame: Frame) -> Frame:
        span = frame.span
        end = self.contract.column(span.file, span.end_line, span.end_column) if self.contract else span.end_column
        return replace(frame, span=replace(span, column=self._column(span), end_column=end))

    def _text(self, file: str, sources: Mapping[str, str]) -> str:
        """The text of a file as it is, without the contract."""
        text, contract = sources.get(file, ""), self.contract
        return text if contract is None or file != contract.file else text.replace(contract.text, "", 1)

    def _step(self, step: TraceStep) -> Json:
        text = step.text + (f" ({'; '.join(step.notes)})" if step.notes else "")
        return {**self._span(step.span), "function": step.function, "text": text, "important": step.important}

    def _span(self, span: Span) -> Json:
        return {"path": beneath(self.root, span.file), "line": span.line, "column": self._column(span)}

    def _column(self, span: Span) -> int:
        return span.column if self.contract is None else self.contract.column(span.file, span.line, span.column)


# --- as JSON ---------------------------------------------------------------------------------------------------------


def answer_object(verdict: str, complete: bool, limits: UnitLimits, numbers: list[float], body: Json) -> Json:
    return {
        "verdict": verdict,
        "complete": complete,
        "limits": {"timeout": limits.timeout, "memory_mb": limits.memory_mb, "bounds": dict(limits.bounds)},
        "seconds": numbers[0],
        "peak_mb": numbers[1],
        "body": body,
    }


def answer_of(value: Json) -> Answer:
    """The answer of a JSON object, with its findings."""
    limits = UnitLimits(value["limits"]["timeout"], value["limits"]["memory_mb"], value["limits"]["bounds"])
    checks = value["body"]["checks"]
    findings = tuple((one["fingerprint"], one["kind"], one["path"], int(one["line"]), one["verdict"]) for one in checks)
    return Answer(
        value["verdict"], bool(value["complete"]), limits, value["seconds"], value["peak_mb"], value["body"], findings
    )


def answer_text(answer: Answer) -> str:
    numbers = [answer.seconds, answer.peak_mb]
    return json.dumps(answer_object(answer.verdict, answer.complete, answer.limits, numbers, answer.body))


def canonical(answer: Answer) -> Json:
    """What must be the same on every machine: without times, memory and the names of engines."""
    checks = [{name: value for name, value in one.items() if name != "engine"} for one in answer.body["checks"]]
    left_out = ("engine", "limit")
    body = {name: value for name, value in answer.body.items() if name not in left_out}
    return {"verdict": answer.verdict, "complete": answer.complete, "body": {**body, "checks": checks}}
