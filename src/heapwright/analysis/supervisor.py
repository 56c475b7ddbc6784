"""Checks files within resource limits: the pipeline runs in a child process and streams its outcomes.

    found = check(Job(Input(("list.c",))))
    found.result.verdict

An analysis that is stopped has the verdicts found so far; other checks are unknown, and the reason names the limit and
the phase in which it was reached.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from heapwright.analysis.judgement import partial_result
from heapwright.analysis.limits.process import Cause, ProcessResult, Send, run_limited
from heapwright.analysis.limits.progress import Note, ProgressSender, Update
from heapwright.analysis.pipeline import Input, build
from heapwright.analysis.schedule import Stage, run_schedule, stages_of
from heapwright.base.errors import Contradiction, InputError, InternalError, LimitReached
from heapwright.engines.api import Limits, OptionValue
from heapwright.program.checks import Check, Goal
from heapwright.program.graph import Assumption, Program
from heapwright.result.outcomes import Outcome, Result, Verdict

KILLED = "SIGKILL"  # by the system, for want of memory


@dataclass(frozen=True)
class Job:
    """Input, goal and limits of one analysis. `bounds` are bounds of the search, by their names in `Limits`; `options`
    apply to the engines that declare them."""

    source: Input
    goal: Goal = field(default_factory=Goal)
    engine: str = "auto"
    bounds: Mapping[str, int] = field(default_factory=dict)
    timeout: float | None = None
    memory_mb: float | None = None
    keep_program: bool = False
    options: Mapping[str, OptionValue] = field(default_factory=dict)


@dataclass(frozen=True)
class LoweredFacts:
    """Facts about the lowered program. The program itself is large and is sent only if `Job.keep_program` is set."""

    checks: tuple[Check, ...]
    assumptions: tuple[Assumption, ...]
    sources: Mapping[str, str]
    locations: int
    program: Program | None = None


@dataclass(frozen=True)
class JobResult:
    """The result of a job. `lowered` is None if a limit was reached before the program was lowered. `fault` is an
    internal error that occurred after a violation had been found."""

    result: Result
    lowered: LoweredFacts | None
    interrupted: bool = False
    fault: InternalError | None = None


@dataclass(frozen=True, slots=True)
class _Phase:
    text: str


def check(
    job: Job,
    on_progress: Callable[[float, str], None] = lambda seconds, text: None,
    on_note: Callable[[str], None] = lambda text: None,
) -> JobResult:
    """Runs a job. `on_progress` is called many times a second with the elapsed seconds and the current activity,
    `on_note` with each note of an engine."""
    stages = stages_of(job.engine)
    limits = limits_of(job)
    collector = MessageCollector(job, names(stages), on_note)
    ended = run_limited(
        JobTask(job, stages, limits),
        timeout=job.timeout,
        memory_mb=job.memory_mb,
        on_message=collector.receive,
        on_tick=lambda seconds: on_progress(seconds, collector.activity),
    )
    return collector.job_result(ended)


def names(stages: tuple[Stage, ...]) -> str:
    return " + ".join(dict.fromkeys(stage.engine for stage in stages))


def limits_of(job: Job) -> Limits:
    """The limits of a job that starts now. Engines observe a deadline shortly before the hard limit, so that they can
    still return a result."""
    deadline = None if job.timeout is None else time.monotonic() + job.timeout - _notice(job.timeout)
    return Limits(deadline=deadline, **job.bounds)


def _notice(timeout: float) -> float:
    return min(1.0, timeout / 10)


# --- in the child process --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class JobTask:
    """The work of a job. `processes` is the number of engines that run at a time (None: as many as there are cores)."""

    job: Job
    stages: tuple[Stage, ...]
    limits: Limits
    processes: int | None = None

    def __call__(self, send: Send) -> Result:
        try:
            return self._result(send)
        except RecursionError:
            raise InputError(f"'{self.job.source.files[0]}' is nested too deeply to be analysed") from None

    def _result(self, send: Send) -> Result:
        program = build(self.job.source, lambda text: send(_Phase(text)))
        selected = tuple(check for check in program.checks if self.job.goal.selects(check))
        send(
            LoweredFacts(
                selected,
                program.assumptions,
                dict(program.sources),
                len(program.graph.locations),
                program if self.job.keep_program else None,
            )
        )
        send(_Phase("analysing with " + self.stages[0].engine if len(self.stages) == 1 else "analysing"))
        job = self.job
        return run_schedule(
            program,
            job.goal,
            self.stages,
            self.limits,
            ProgressSender(send),
            job.options,
            memory_mb=job.memory_mb,
            processes=self.processes,
        )


# --- in the parent process -------------------------------------------------------------------------------------------


@dataclass
class MessageCollector:
    """Collects the messages of a `JobTask`, and makes a result of them at its end, whatever that is."""

    job: Job
    engine: str
    on_note: Callable[[str], None] = lambda text: None
    phase: str = "starting"
    update: str = ""
    lowered: LoweredFacts | None = None
    found: dict[str, Outcome] = field(default_factory=dict)

    @property
    def activity(self) -> str:
        return f"{self.phase}: {self.update}" if self.update else self.phase

    def receive(self, message: object) -> None:
        match message:
            case _Phase(text):
                self.phase, self.update = text, ""
            case Update(text):
                self.update = text
            case Note(text):
                self.on_note(text)
            case LoweredFacts():
                self.lowered = message
            case Outcome(check=check):
                self.found[check.id] = message

    def job_result(self, ended: ProcessResult[Result]) -> JobResult:
        match ended.cause:
            case Cause.FINISHED if ended.value is not None:
                return JobResult(self._with_stats(self._with_time_limit(ended.value, ended), ended), self.lowered)
            case Cause.REFUSED if ended.error and not (self.lowered and isinstance(ended.error, LimitReached)):
                if isinstance(ended.error, Contradiction) and self.lowered is not None:
                    ended.error.sources.update(self.lowered.sources)
                raise ended.error
            case Cause.CRASHED:
                return self._failed(InternalError(f"{ended.text} while {self.phase}", ended.traceback), ended)
            case Cause.DIED if self.lowered is None or ended.text != KILLED:
                fault = InternalError(f"the process was terminated by {ended.text} while {self.phase}")
                return self._failed(fault, ended)
        result = self._partial(f"{self._cause(ended)} while {self.phase}", ended)
        if result.limit and ended.cause is not Cause.INTERRUPTED:
            result = replace(result, limit=f"{self._cause(ended)} while {self.activity}")
        return JobResult(result, self.lowered, ended.cause is Cause.INTERRUPTED)

    def _failed(self, fault: InternalError, ended: ProcessResult[Result]) -> JobResult:
        """An internal error is no answer, except if a violation had been found."""
        if not any(outcome.verdict is Verdict.VIOLATED for outcome in self.found.values()):
            raise fault
        return JobResult(self._partial(f"an internal error while {self.phase}", ended), self.lowered, fault=fault)

    def _with_time_limit(self, result: Result, ended: ProcessResult[Result]) -> Result:
        """Adds the time limit to `limit` if an engine observed it and stopped."""
        timeout = self.job.timeout
        if timeout is None or not result.limit or ended.seconds < timeout - _notice(timeout):
            return result
        reached = f"the time limit of {timeout:g} s was reached while {self.phase}"
        return replace(result, limit=f"{reached}; {result.limit}", complete=False)

    def _cause(self, ended: ProcessResult[Result]) -> str:
        match ended.cause:
            case Cause.TIME:
                return f"the time limit of {self.job.timeout:g} s was reached"
            case Cause.MEMORY:
                return f"the memory limit of {self.job.memory_mb or 0:g} MB was reached"
            case Cause.INTERRUPTED:
                return "interrupted"
            case Cause.REFUSED if ended.error:
                return ended.error.message
        return f"the process of the engine was terminated by {ended.text}"

    def _partial(self, reason: str, ended: ProcessResult[Result]) -> Result:
        checks = self.lowered.checks if self.lowered else ()
        return self._with_stats(partial_result(checks, self.found, self.engine, reason), ended)

    def _with_stats(self, result: Result, ended: ProcessResult[Result]) -> Result:
        assumptions = self.lowered.assumptions if self.lowered else ()
        stats = {
            "iterations": 0,
            **result.stats,
            "time_s": round(ended.seconds, 3),
            "peak_mb": round(ended.peak_mb, 1),
            "locations": self.lowered.locations if self.lowered else 0,
        }
        merged = tuple(dict.fromkeys((*assumptions, *result.assumptions)))
        return replace(result, stats=stats, assumptions=merged)
