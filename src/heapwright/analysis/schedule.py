"""Schedules: several engines on one program, in order, two at a time, each with the checks that are open at its start.

    run_schedule(program, Goal(), SCHEDULES["auto"], Limits(), NullProgress())

An engine runs in a process of its own, so that it can be stopped at any time and its crash is contained. Its verdicts
count immediately; when no check is open, the running engines are stopped. Engines that start later assume the checks
decided so far. Verdicts do not depend on the order in which engines finish, but the engine named with a verdict may. If
a check is proved by one engine and violated by a run of another, the schedule raises `Contradiction`, an internal
error.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from heapwright.analysis.judgement import Findings, partial_result, with_masked
from heapwright.analysis.limits.process import Cause, ProcessResult, RunningTask, Send
from heapwright.analysis.limits.progress import Note, ProgressSender, Update
from heapwright.analysis.pipeline import analyze
from heapwright.engines import ENGINES, unknown_engine
from heapwright.engines.api import Limits, OptionValue, Progress
from heapwright.program.checks import Goal
from heapwright.program.graph import Program
from heapwright.result.outcomes import Outcome, Result

PROCESSES = 2
PATIENCE = 0.02  # seconds to wait for a message of an engine
GRACE = 2.0  # seconds between the deadline of an engine and its termination
FLOOR = "recency"  # the engine that `--floor off` leaves out
UNLIMITED = 600.0  # seconds that shares refer to without a time limit


@dataclass(frozen=True, slots=True)
class Stage:
    """An engine and its time: a share of the remaining time, with a maximum in seconds. A `first` stage runs before all
    others in the scheduler's process, which saves a process for easy programs. `options` are defaults that the user may
    override."""

    engine: str
    share: float = 1.0
    seconds: float = float("inf")
    options: tuple[tuple[str, OptionValue], ...] = ()
    first: bool = False

    def limits(self, limits: Limits) -> Limits:
        now = time.monotonic()
        left = UNLIMITED if limits.deadline is None else limits.deadline - now
        return replace(limits, deadline=now + min(self.share * left, self.seconds))


SCHEDULES: Mapping[str, tuple[Stage, ...]] = {
    # What needs no shapes is settled first. A short search decides small programs; unbounded ones need an abstraction,
    # or a longer search.
    "auto": (
        Stage("recency", share=0.4, seconds=30, first=True),
        Stage("explore", seconds=2, first=True),
        Stage("fesa", share=0.25, seconds=20),
        Stage("tvl", share=0.75),
        Stage("explore", share=0.4),
        Stage("lazy", share=0.7),
        Stage("boolheap"),
    ),
}


def stages_of(name: str) -> tuple[Stage, ...]:
    """The stages of a schedule, or of a single engine, by name.

    >>> [stage.engine for stage in stages_of("explore")]
    ['explore']
    """
    if name in SCHEDULES:
        return SCHEDULES[name]
    if name in ENGINES:
        return (Stage(name),)
    raise unknown_engine(name, SCHEDULES)


def run_schedule(
    program: Program,
    goal: Goal,
    stages: Sequence[Stage],
    limits: Limits,
    progress: Progress,
    options: Mapping[str, OptionValue] | None = None,
    *,
    memory_mb: float | None = None,
    processes: int | None = None,
) -> Result:
    """The merged result of the stages. A single stage runs in this process with the whole time."""
    if len(stages) == 1:
        return with_masked(analyze(program, goal, stages[0].engine, limits, progress, options), program)
    count = processes or min(PROCESSES, os.cpu_count() or 1)
    scheduler = _Scheduler(Findings(program, goal), limits, progress, dict(options or {}), memory_mb, count)
    return with_masked(scheduler.run(stages), program)


# --- in the process of the scheduler ---------------------------------------------------------------------------------


@dataclass
class _RunningStage:
    """A stage with its process."""

    stage: Stage
    process: RunningTask[Result]
    until: float  # time of its termination, on the clock of `time.monotonic`
    activity: str = ""


@dataclass(frozen=True)
class _NamedProgress:
    """The progress of an engine in the process of the scheduler, with its name."""

    engine: str
    progress: Progress

    def update(self, message: str) -> None:
        self.progress.update(f"{self.engine}: {message}")

    def note(self, message: str) -> None:
        self.progress.note(f"{self.engine}: {message}")

    def found(self, outcome: Outcome) -> None:
        self.progress.found(outcome)


@dataclass
class _Scheduler:
    findings: Findings
    limits: Limits
    progress: Progress
    options: Mapping[str, OptionValue]
    memory_mb: float | None
    processes: int
    running: list[_RunningStage] = field(default_factory=list)

    def run(self, stages: Sequence[Stage]) -> Result:
        if self.options.get("floor") == "off" or self.findings.goal.certificate or not self._open():
            stages = [stage for stage in stages if stage.engine != FLOOR]  # it has no certificates
        for stage in stages:
            if stage.first and (self._open() or not self.findings.results):
                self._record(self._analyzed(stage))
        waiting = deque(stage for stage in stages if not stage.first)
        try:
            while self._open() and (waiting or self.running):
                while waiting and len(self.running) < self.processes and not self.limits.expired():
                    self._start(waiting.popleft())
                if not self.running:
                    break
                for one in tuple(self.running):
                    self._poll(one)
            for one in self.running:
                one.process.step(0)  # a last message must not contradict the verdicts
        finally:
            for one in self.running:
                one.process.stop(Cause.INTERRUPTED)
        return self.findings.result()

    def _open(self) -> bool:
        return bool(self.findings.open_checks())

    def _analyzed(self, stage: Stage) -> Result:
        found, limits = self.findings, stage.limits(self.limits)
        progress = _NamedProgress(stage.engine, self.progress)
        goal = found.open_goal() if found.results else found.goal
        return analyze(found.program, goal, stage.engine, limits, progress, self._options(stage))

    def _options(self, stage: Stage) -> Mapping[str, OptionValue]:
        return {**dict(stage.options), **self.options}

    def _start(self, stage: Stage) -> None:
        limits = stage.limits(self.limits)
        assert limits.deadline is not None
        until = limits.deadline + GRACE
        task = _StageTask(self.findings.program, self.findings.open_goal(), stage.engine, limits, self._options(stage))
        one = _RunningStage(stage, RunningTask(task, lambda message: self._receive(one, message)), until)
        self.running.append(one)

    def _poll(self, one: _RunningStage) -> None:
        ended = one.process.step(PATIENCE)
        if ended is None and time.monotonic() > one.until:
            ended = one.process.stop(Cause.TIME)
        if ended is None and self._too_big():
            ended = one.process.stop(Cause.MEMORY)
        if ended is not None:
            self.running.remove(one)
            self._record(self._result(one, ended))

    def _too_big(self) -> bool:
        """Whether the running engines together exceed the memory limit; they are stopped one by one."""
        held = sum(one.process.resident_mb() for one in self.running)
        return self.memory_mb is not None and held >= self.memory_mb

    def _receive(self, one: _RunningStage, message: object) -> None:
        if isinstance(message, Outcome):
            if message.run is not None and message.run.exact and self.findings.decide(message):
                self.progress.found(message)  # a violation; proofs come with the result
        elif isinstance(message, Note):
            self.progress.note(f"{one.stage.engine}: {message.text}")
        elif isinstance(message, Update):
            one.activity = message.text
            self.progress.update("; ".join(f"{other.stage.engine}: {other.activity}" for other in self.running))

    def _record(self, result: Result) -> None:
        """Records a result and reports its new verdicts, so that they survive a crash of a later engine."""
        for outcome in self.findings.add(result):
            self.progress.found(outcome)

    def _result(self, one: _RunningStage, ended: ProcessResult[Result]) -> Result:
        """The result of a stage; without verdicts, but with a reason, if its process did not finish."""
        if ended.cause is Cause.FINISHED and ended.value is not None:
            return ended.value
        name = one.stage.engine
        match ended.cause:
            case Cause.TIME:
                reason = f"{name} ran out of time"
            case Cause.MEMORY:
                reason = f"{name} ran out of memory"
            case Cause.REFUSED if ended.error is not None:
                reason = f"{name}: {ended.error.message}"
            case _:
                reason = f"{name} failed with an internal error: {ended.text}"
        found = self.findings
        checks = [check for check in found.program.checks if found.goal.selects(check)]
        return partial_result(checks, {}, name, reason)


# --- in the process of an engine -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _StageTask:
    program: Program
    goal: Goal
    engine: str
    limits: Limits
    options: Mapping[str, OptionValue]

    def __call__(self, send: Send) -> Result:
        return analyze(self.program, self.goal, self.engine, self.limits, ProgressSender(send), self.options)
