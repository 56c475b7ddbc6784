"""Campaign over random functions and their preconditions, each function in a process of its own.

    tally = PreconditionCampaign(PreconditionPlan(("lists", "trees"), count=2_000)).run()
    tally.finds

The same seed gives the same functions. Analyses are bounded by visits, so that what they answer does not depend on the
machine; what takes `MOST_SECONDS` counts like what reaches that bound, and is no find.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from heapwright.analysis.limits.process import Cause, ProcessResult, RunningTask, Send, run_limited
from heapwright.base.output_files import make_folder, write_whole
from heapwright.fuzz.preconditions.functions import KINDS, random_function
from heapwright.fuzz.preconditions.trial import Bounds, PreconditionTrial, tried
from heapwright.fuzz.shrink import shrunk
from heapwright.fuzz.trial import CRASH, Finding

MOST_SECONDS = 900
PATIENCE = 0.05


@dataclass(frozen=True)
class PreconditionPlan:
    """`shrinking` are the attempts to make a find smaller."""

    kinds: tuple[str, ...] = tuple(KINDS)
    count: int = 100
    seed: int = 0
    seconds: float = float("inf")
    bounds: Bounds = field(default_factory=Bounds)
    jobs: int = 2
    folder: Path | None = None
    shrinking: int = 200


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    kind: str
    text: str


@dataclass
class PreconditionTally:
    """Counts, by kind of functions: those that were tried, refused, or stopped at the bound; and of the others how many
    preconditions exclude no safe small heap, are false, or have a contract that was put in."""

    functions: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)
    heaps: Counter[str] = field(default_factory=Counter)
    failing: Counter[str] = field(default_factory=Counter)
    weakest: Counter[str] = field(default_factory=Counter)
    impossible: Counter[str] = field(default_factory=Counter)
    contracts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    finds: list[tuple[Function, Finding]] = field(default_factory=list)

    def add(self, function: Function, trial: PreconditionTrial) -> None:
        kind = function.kind
        self.functions[kind] += 1
        self.finds += [(function, find) for find in trial.finds]
        if trial.refused:
            self.refused[kind] += 1
            self.reasons[trial.refused] += 1
        elif trial.reached:
            self.reached[kind] += 1
        elif trial.heaps:
            self.heaps[kind] += trial.heaps
            self.failing[kind] += trial.heaps - trial.safe
            self.weakest[kind] += not trial.excluded
            self.impossible[kind] += trial.impossible
            self.contracts[kind] += trial.contracted


class PreconditionCampaign:
    def __init__(
        self, plan: PreconditionPlan, progress: Callable[[PreconditionTally, float], None] = lambda *_: None
    ) -> None:
        self.plan = plan
        self.progress = progress
        self.tally = PreconditionTally()
        self.begin = time.monotonic()

    def run(self) -> PreconditionTally:
        """Tries functions until the count or the time limit is reached."""
        plan, number = self.plan, 0
        running: dict[int, tuple[Function, RunningTask[PreconditionTrial]]] = {}
        try:
            while running or (number < plan.count and not self._expired()):
                while len(running) < plan.jobs and number < plan.count and not self._expired():
                    function = self._function(number)
                    running[number] = function, RunningTask(_Task(function, plan.bounds), lambda message: None)
                    number += 1
                for which, (function, task) in list(running.items()):
                    ended = task.step(PATIENCE)
                    if ended is None and task.seconds > MOST_SECONDS:
                        ended = task.stop(Cause.TIME)
                    if ended is not None:
                        del running[which]
                        self._ended(function, ended)
        finally:
            for _, task in running.values():
                task.stop(Cause.INTERRUPTED)
        return self.tally

    def _expired(self) -> bool:
        return time.monotonic() - self.begin > self.plan.seconds

    def _function(self, number: int) -> Function:
        kind, seed = self.plan.kinds[number % len(self.plan.kinds)], self.plan.seed * 1_000_003 + number
        return Function(f"{kind}_{seed}", kind, random_function(kind, seed))

    def _ended(self, function: Function, ended: ProcessResult[PreconditionTrial]) -> None:
        trial = _trial(ended)
        self.tally.add(function, trial)
        for find in trial.finds:
            self._keep(function, find)
        self.progress(self.tally, time.monotonic() - self.begin)

    def _keep(self, function: Function, find: Finding) -> None:
        """Writes the shrunk function of a find."""
        if self.plan.folder is None:
            return
        make_folder(str(self.plan.folder))
        text = shrunk(function.text, _Fails(function, find, self.plan.bounds), self.plan.shrinking)
        name = f"{function.name}_{find.kind}".replace(" ", "_")
        write_whole(str(self.plan.folder / f"{name}.c"), f"// infer: {find.kind}: {find.detail}\n{text}\n")


@dataclass(frozen=True)
class _Task:
    function: Function
    bounds: Bounds

    def __call__(self, send: Send) -> PreconditionTrial:
        return tried(self.function.kind, self.function.text, self.bounds)


@dataclass(frozen=True)
class _Fails:
    """Whether a text still has the find."""

    function: Function
    find: Finding
    bounds: Bounds

    def __call__(self, text: str) -> bool:
        ended = run_limited(_Task(Function("", self.function.kind, text), self.bounds), timeout=MOST_SECONDS)
        return any(find.kind == self.find.kind for find in _trial(ended).finds)


def _trial(ended: ProcessResult[PreconditionTrial]) -> PreconditionTrial:
    if ended.cause is Cause.FINISHED and ended.value is not None:
        return ended.value
    if ended.cause is Cause.REFUSED and ended.error is not None:
        return PreconditionTrial(refused=ended.error.message)
    if ended.cause is Cause.TIME:
        return PreconditionTrial(reached=True)
    text = (ended.traceback.strip().splitlines() or [ended.text])[-1]
    return PreconditionTrial(finds=(Finding(CRASH, "infer", f"{ended.cause.value} {text}"),))
