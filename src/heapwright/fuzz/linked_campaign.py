"""Campaign over programs in two files: the interpreter against gcc on all of them, and engines on the visible files.

LinkedCampaign(LinkedPlan(("externals",), count=1_000)).run().finds
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from heapwright.analysis.limits.process import Cause, Send, run_limited
from heapwright.base.errors import HeapwrightError
from heapwright.base.output_files import make_folder, write_whole
from heapwright.fuzz.compiled_batch import run_batch
from heapwright.fuzz.generators.hidden_programs import TWO_FILE_KINDS
from heapwright.fuzz.generators.two_files import HIDDEN, VISIBLE, TwoFiles
from heapwright.fuzz.linked_trial import LinkedTrial
from heapwright.fuzz.shrink import shrunk
from heapwright.fuzz.trial import CRASH, Bounds, EngineConfig, Finding
from heapwright.result.outcomes import Verdict

BATCH = 100  # programs in one call of the compiler


@dataclass(frozen=True)
class LinkedPlan:
    """The same seed gives the same programs. `shrinking` are the attempts to make each file of a find smaller."""

    kinds: tuple[str, ...] = tuple(TWO_FILE_KINDS)
    count: int = 100
    seed: int = 0
    seconds: float = float("inf")
    settings: tuple[EngineConfig, ...] = ()
    bounds: Bounds = field(default_factory=Bounds)
    folder: Path | None = None
    shrinking: int = 60


@dataclass(frozen=True, slots=True)
class Candidate:
    name: str
    files: TwoFiles


@dataclass
class LinkedTally:
    """Counts. `compared`: programs whose runs were compared with gcc's; `failed`: those whose run violates a check of
    the visible file; the others by engine configuration."""

    programs: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    compared: int = 0
    failed: int = 0
    checked: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    proved: Counter[str] = field(default_factory=Counter)
    heaps: Counter[str] = field(default_factory=Counter)
    finds: list[tuple[Candidate, Finding]] = field(default_factory=list)


@dataclass(frozen=True)
class Answer:
    """The result of an engine on a visible file."""

    ended: bool
    proved: int
    heaps: int
    finds: tuple[Finding, ...]


class LinkedCampaign:
    def __init__(self, plan: LinkedPlan, progress: Callable[[LinkedTally, float], None] = lambda *_: None) -> None:
        self.plan = plan
        self.progress = progress
        self.tally = LinkedTally()
        self.begin = time.monotonic()

    def run(self) -> LinkedTally:
        for start in range(0, self.plan.count, BATCH):
            if self._expired():
                break
            self._batch([self._candidate(n) for n in range(start, min(start + BATCH, self.plan.count))])
        return self.tally

    def _expired(self) -> bool:
        return time.monotonic() - self.begin > self.plan.seconds

    def _candidate(self, number: int) -> Candidate:
        random = Random(f"{self.plan.seed} {number}")
        kind = random.choice(self.plan.kinds)
        write, size = TWO_FILE_KINDS[kind]
        seed = self.plan.seed * 1_000_003 + number
        return Candidate(f"{kind}_{seed}", write(seed, random.randint(2, size)))

    def _batch(self, candidates: Sequence[Candidate]) -> None:
        trials = []
        for candidate in candidates:
            self.tally.programs[candidate.name.partition("_")[0]] += 1
            trial = self._read(candidate)
            if trial is not None:
                trials.append((candidate, trial))
        self._compare([one for one in trials if one[1].comparable])
        for candidate, trial in trials if self.plan.settings else ():
            if self._expired():
                break
            self.progress(self.tally, time.monotonic() - self.begin)
            for setting in self.plan.settings:
                self._hold(candidate, trial, setting)
        self.progress(self.tally, time.monotonic() - self.begin)

    def _read(self, candidate: Candidate) -> LinkedTrial | None:
        try:
            return LinkedTrial(candidate.files)
        except HeapwrightError as error:
            self.tally.refused[error.message] += 1
        except Exception as error:  # a crash is a find
            self._found(candidate, Finding(CRASH, "front end", f"{type(error).__name__}: {error}"))
        return None

    def _compare(self, trials: Sequence[tuple[Candidate, LinkedTrial]]) -> None:
        outputs = run_batch([candidate.files for candidate, _ in trials])
        for (candidate, trial), output in zip(trials, outputs, strict=True):
            self.tally.compared += 1
            self.tally.failed += bool(trial.execution.failed)
            find = trial.compare(output)
            if find is not None:
                self._found(candidate, find)

    def _hold(self, candidate: Candidate, trial: LinkedTrial, setting: EngineConfig) -> None:
        answer = answered(trial, setting, self.plan.bounds)
        name = setting.name
        self.tally.checked[name] += 1
        self.tally.ended[name] += answer.ended
        self.tally.proved[name] += answer.proved
        self.tally.heaps[name] += answer.heaps
        for find in answer.finds:
            self._found(candidate, find)

    # --- finds -------------------------------------------------------------------------------------------------------

    def _found(self, candidate: Candidate, find: Finding) -> None:
        self.tally.finds.append((candidate, find))
        if self.plan.folder is None:
            return
        small = smaller(candidate.files, find, self.plan)
        folder = self.plan.folder / f"{candidate.name}_{find.kind.replace(' ', '_')}"
        make_folder(str(self.plan.folder))
        make_folder(str(folder))
        title = f"{find.setting}: {find.kind}: {find.detail}".replace("\n", "\n// ")
        head = f"// function: {small.function}\n// inputs: {small.inputs}\n// {title}\n"
        write_whole(str(folder / VISIBLE), head + small.visible)
        write_whole(str(folder / HIDDEN), small.hidden)


def answered(trial: LinkedTrial, setting: EngineConfig, bounds: Bounds) -> Answer:
    """The answer of an engine, in a process of its own."""
    limit = 60 + 6 * (bounds.engine_seconds + bounds.late)
    done = run_limited(_Question(trial, setting, bounds), timeout=limit)
    if done.cause is Cause.FINISHED and done.value is not None:
        return done.value
    text = (done.traceback.strip().splitlines() or [done.text])[-1]
    return Answer(False, 0, 0, (Finding(CRASH, setting.name, f"{done.cause.value} {text}"),))


@dataclass(frozen=True)
class _Question:
    trial: LinkedTrial
    setting: EngineConfig
    bounds: Bounds

    def __call__(self, send: Send) -> Answer:
        try:
            result, heaps, finds = self.trial.hold(self.setting, self.bounds)
        except HeapwrightError:  # what is read is not always supported without the hidden file
            return Answer(False, 0, 0, ())
        proved = sum(one.verdict is Verdict.PROVED for one in result.outcomes)
        return Answer(result.complete, proved, heaps, tuple(finds))


def smaller(files: TwoFiles, find: Finding, plan: LinkedPlan) -> TwoFiles:
    """The files without what is not needed for a find of the same kind."""

    def fails(changed: TwoFiles) -> bool:
        return any((one.kind, one.setting) == (find.kind, find.setting) for one in found(changed, find, plan))

    hidden = shrunk(files.hidden, lambda text: fails(replace(files, hidden=text)), plan.shrinking)
    files = replace(files, hidden=hidden + "\n")
    visible = shrunk(files.visible, lambda text: fails(replace(files, visible=text)), plan.shrinking)
    return replace(files, visible=visible + "\n")


def found(files: TwoFiles, like: Finding, plan: LinkedPlan) -> Iterator[Finding]:
    """The finds in a program, by the engine of a given one, or in comparison with gcc."""
    try:
        trial = LinkedTrial(files)
        setting = next((one for one in plan.settings if one.name == like.setting), None)
        if setting is not None:
            yield from answered(trial, setting, plan.bounds).finds
        elif trial.comparable:
            find = trial.compare(run_batch([files])[0])
            if find is not None:
                yield find
    except HeapwrightError:
        return
    except Exception as error:
        yield Finding(CRASH, "front end", f"{type(error).__name__}: {error}")
