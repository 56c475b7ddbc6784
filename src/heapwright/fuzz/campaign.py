"""Fuzzing campaign: many programs against engines, in child processes; findings are shrunk and saved.

    campaign = Campaign(Plan((EngineConfig("tvl"),), count=100))
    campaign.run()

Programs come from generators, and from changes of programs whose runs met something new (coverage.py); or they are
mutants of given ones. They go in rounds: which programs are in a round depends on the seed and on earlier rounds alone,
so that the same plan gives the same programs, whatever the speed of the processes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from heapwright.analysis.limits.process import Cause, ProcessResult, RunningTask, Send, run_limited
from heapwright.base.output_files import make_folder, write_whole
from heapwright.fuzz.determinism import same_answer
from heapwright.fuzz.generators.recipes import KINDS, Recipe
from heapwright.fuzz.mutate import drawn, mutants
from heapwright.fuzz.shrink import shrunk
from heapwright.fuzz.trial import CRASH, LATE, UNEQUAL, Bounds, EngineConfig, Finding, Trial, tried

ROUND = 16  # programs
CHANGED = 0.4  # of the programs are changes of earlier ones
AUDITED = 0.75  # of the programs are audited; the others are only checked
CORPUS = 400  # programs at most are kept to be changed
PATIENCE = 0.02


@dataclass(frozen=True)
class Plan:
    """`texts` are programs to mutate, instead of random ones. One of `repeated` programs is checked again with other
    hash seeds; 0: none is. `shrinking` are the attempts to make a find smaller."""

    settings: tuple[EngineConfig, ...]
    kinds: tuple[str, ...] = tuple(KINDS)
    count: int = 100
    seed: int = 0
    seconds: float = float("inf")
    bounds: Bounds = field(default_factory=Bounds)
    jobs: int = 2
    texts: tuple[str, ...] = ()
    folder: Path | None = None
    repeated: int = 50
    shrinking: int = 400


@dataclass(frozen=True, slots=True)
class Candidate:
    """A program to try."""

    name: str
    text: str
    function: str = "main"
    leaks: bool = True
    audit: bool = True


@dataclass
class Tally:
    """Counts of a campaign, by engine configuration where that matters."""

    programs: int = 0
    refused: int = 0
    broken: int = 0  # programs with a violation
    repeated: int = 0
    situations: set[str] = field(default_factory=set)
    ended: Counter[str] = field(default_factory=Counter)
    proved: Counter[str] = field(default_factory=Counter)
    heaps: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    finds: list[tuple[Candidate, Finding]] = field(default_factory=list)

    def add(self, candidate: Candidate, trial: Trial) -> bool:
        """Counts a program; true if it covered a new situation."""
        self.programs += 1
        self.refused += bool(trial.refused)
        self.broken += trial.violated > 0
        for name in trial.proved:
            self.ended[name] += trial.ended[name]
            self.proved[name] += trial.proved[name]
            self.heaps[name] += trial.heaps.get(name, 0)
            self.seconds[name] += round(trial.seconds[name], 3)  # type: ignore[assignment]
        self.finds += [(candidate, find) for find in trial.finds]
        new = not trial.seen <= self.situations
        self.situations |= trial.seen
        return new


class Campaign:
    def __init__(self, plan: Plan, progress: Callable[[Tally, float], None] = lambda tally, seconds: None) -> None:
        self.plan = plan
        self.progress = progress
        self.tally = Tally()
        self.corpus: list[Candidate] = []
        self.begin = time.monotonic()

    def run(self) -> Tally:
        """Tries programs until the count or the time limit is reached."""
        for candidates in self._rounds():
            for candidate, trial in zip(candidates, self._tried(candidates), strict=False):
                if self.tally.add(candidate, trial) and len(self.corpus) < CORPUS and not trial.refused:
                    self.corpus.append(candidate)
                for find in {(find.kind, find.setting): find for find in trial.finds}.values():
                    self._keep(candidate, find)
            self._repeat(candidates)
            if self._expired():
                break
        return self.tally

    def _expired(self) -> bool:
        return time.monotonic() - self.begin > self.plan.seconds

    # --- which programs ----------------------------------------------------------------------------------------------

    def _rounds(self) -> Iterator[list[Candidate]]:
        if self.plan.texts:
            each = -(-self.plan.count // len(self.plan.texts))
            found = drawn(self.plan.texts, each, self.plan.seed)[: self.plan.count]
            all_ = [Candidate(f"mutant_{n}_{one.kind}", one.text) for n, one in enumerate(found)]
            for start in range(0, len(all_), ROUND):
                yield all_[start : start + ROUND]
            return
        for start in range(0, self.plan.count, ROUND):
            yield [self._candidate(number) for number in range(start, min(start + ROUND, self.plan.count))]

    def _candidate(self, number: int) -> Candidate:
        random = Random(f"{self.plan.seed} {number}")
        audit = random.random() < AUDITED
        if self.corpus and random.random() < CHANGED:
            old = random.choice(self.corpus)
            changes = list(mutants(old.text))
            if changes:
                return Candidate(f"changed_{number}", random.choice(changes).text, old.function, old.leaks, audit)
        name = random.choice(self.plan.kinds)
        kind = KINDS[name]
        recipe = Recipe(name, self.plan.seed * 1_000_003 + number, random.randint(1, kind.size))
        return Candidate(recipe.name, recipe.text(), kind.function, kind.leaks, audit)

    # --- trying them -------------------------------------------------------------------------------------------------

    def _tried(self, candidates: list[Candidate]) -> list[Trial]:
        """The trials of a round, in its order."""
        waiting = list(enumerate(candidates))
        running: dict[int, _Attempt] = {}
        trials: dict[int, Trial] = {}
        try:
            while waiting or running:
                while waiting and len(running) < self.plan.jobs:
                    number, candidate = waiting.pop(0)
                    running[number] = _Attempt(candidate, self.plan)
                for number, attempt in list(running.items()):
                    trial = attempt.step()
                    if trial is not None:
                        trials[number] = trial
                        del running[number]
                        self.progress(self.tally, time.monotonic() - self.begin)
                if self._expired():
                    waiting.clear()
        finally:
            for attempt in running.values():
                attempt.running.stop(Cause.INTERRUPTED)
        return [trials[number] for number in sorted(trials)]

    def _repeat(self, candidates: list[Candidate]) -> None:
        """One program of a round now and then, checked again in other processes with other hash seeds."""
        plan = self.plan
        if not plan.repeated or self.tally.programs % plan.repeated >= ROUND:
            return
        for setting in plan.settings:
            candidate = candidates[0]
            self.tally.repeated += 1
            difference = same_answer(candidate.text, candidate.function, setting, plan.bounds.engine_seconds)
            if difference:
                find = Finding(UNEQUAL, setting.name, difference)
                self.tally.finds.append((candidate, find))
                self._keep(candidate, find)

    # --- what is found -----------------------------------------------------------------------------------------------

    def _keep(self, candidate: Candidate, find: Finding) -> None:
        """Writes the shrunk program of a finding."""
        if self.plan.folder is None:
            return
        make_folder(str(self.plan.folder))
        settings = tuple(one for one in self.plan.settings if one.name == find.setting) or self.plan.settings
        text = candidate.text
        if find.kind not in (LATE, UNEQUAL):
            text = shrunk(text, _Fails(candidate, find, settings, self.plan.bounds), self.plan.shrinking) + "\n"
        file = self.plan.folder / f"{candidate.name}_{find.kind.replace(' ', '_')}.c"
        write_whole(str(file), f"// {find.setting}: {find.kind}: {find.detail}\n{text}")


class _Attempt:
    """A program that is being tried in a process of its own."""

    def __init__(self, candidate: Candidate, plan: Plan) -> None:
        bounds = plan.bounds
        self.setting = ""
        self.limit = 120 + len(plan.settings) * 6 * (bounds.engine_seconds + bounds.late)
        self.running: RunningTask[Trial] = RunningTask(_Task(candidate, plan.settings, bounds), self._told)

    def _told(self, message: object) -> None:
        self.setting = str(message)

    def step(self) -> Trial | None:
        ended = self.running.step(PATIENCE)
        if ended is None and self.running.seconds > self.limit:
            ended = self.running.stop(Cause.TIME)
        return None if ended is None else _trial(ended, self.setting)


def _trial(ended: ProcessResult[Trial], setting: str) -> Trial:
    if ended.cause is Cause.FINISHED and ended.value is not None:
        return ended.value
    kind = LATE if ended.cause is Cause.TIME else CRASH
    text = (ended.traceback.strip().splitlines() or [""])[-1]
    where = [line.strip() for line in ended.traceback.splitlines() if "heapwright" in line]
    detail = " ".join([ended.cause.value, text or ended.text, *where[-1:]])
    return Trial(finds=[Finding(kind, setting or "front end", detail)])


@dataclass(frozen=True)
class _Task:
    candidate: Candidate
    settings: tuple[EngineConfig, ...]
    bounds: Bounds

    def __call__(self, send: Send) -> Trial:
        one = self.candidate
        return tried(
            one.text,
            self.settings,
            self.bounds,
            function=one.function,
            leaks=one.leaks,
            audit=one.audit,
            on_setting=send,
        )


@dataclass(frozen=True)
class _Fails:
    """Whether a text still has the finding."""

    candidate: Candidate
    find: Finding
    settings: tuple[EngineConfig, ...]
    bounds: Bounds

    def __call__(self, text: str) -> bool:
        one = replace(self.candidate, text=text)
        seconds = 30 + 4 * self.bounds.engine_seconds
        setting: list[str] = []
        task = _Task(one, self.settings, self.bounds)
        ended = run_limited(task, timeout=seconds, on_message=lambda message: setting.append(str(message)))
        trial = _trial(ended, setting[-1] if setting else "")
        return any((one.kind, one.setting) == (self.find.kind, self.find.setting) for one in trial.finds)
