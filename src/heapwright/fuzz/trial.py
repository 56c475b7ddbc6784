"""One fuzzing trial: no violated check may be proved, and every concrete heap must be in the engine states.

    trial = tried(text, [EngineConfig("tvl")], Bounds())
    trial.finds

The ground truth comes from the interpreter: a search through all small runs, and random ones. An engine runs with the
goal of a user, or with an audit of its states: every heap of a random run must be in the concretisation of its states
at that location.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build, engine_options
from heapwright.base.errors import HeapwrightError
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, NullProgress, OptionValue
from heapwright.fuzz.coverage import situations
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.dataflow.dead_ends import dead_ends
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine, finish
from heapwright.program.runs.snapshot import Snapshot, snapshots
from heapwright.result.outcomes import Result, Verdict

WRONG_PROOF, LOST_HEAP, MISSED, LATE = "wrong proof", "lost heap", "missed violation", "limit ignored"
CRASH, UNEQUAL = "crash", "other answer"
PREDICATE = re.compile(r"^// (\w+) predicate: (.*)$", re.MULTILINE)  # a comment of `generators/user_predicates`


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """An engine with its options."""

    engine: str
    options: tuple[tuple[str, OptionValue], ...] = ()

    @property
    def name(self) -> str:
        return " ".join([self.engine, *(f"{key}={_as_text(value)}" for key, value in self.options)])


def _as_text(value: OptionValue) -> str:
    return ("off", "on")[value] if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of the parts of a trial, in seconds and in states: those of an engine, and of the search for violations.
    `late` is how many seconds an engine may take beyond its limit."""

    engine_seconds: float = 5.0
    engine_states: int = 2_000_000
    search_seconds: float = 0.7
    search_states: int = 2_000_000
    runs: int = 40
    steps: int = 2_000
    audited_runs: int = 8
    audited_steps: int = 150
    late: float = 10.0


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding: its kind, the engine, and a description."""

    kind: str
    setting: str
    detail: str


@dataclass
class Trial:
    """Result of a trial. `seen` are the situations of its runs (coverage.py); the counts are by the name of a
    setting: checks proved, heaps audited, and whether it came to an end."""

    refused: str = ""
    finds: list[Finding] = field(default_factory=list)
    seen: frozenset[str] = frozenset()
    violated: int = 0
    proved: dict[str, int] = field(default_factory=dict)
    heaps: dict[str, int] = field(default_factory=dict)
    ended: dict[str, bool] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class GroundTruth:
    """Checks that runs violate: `violated` by exact runs, `possible` also by runs that depend on an approximation."""

    violated: frozenset[str]
    possible: frozenset[str]


def lowered(text: str, function: str = "main") -> Program:
    """The program, in a file whose name does not depend on the process: results contain spans."""
    with tempfile.TemporaryDirectory() as directory:
        here = os.getcwd()
        os.chdir(directory)
        try:
            Path("random.c").write_text(text, encoding="utf-8")
            return build(Input(("random.c",), None if function == "main" else function), lambda phase: None)
        finally:
            os.chdir(here)


def tried(
    text: str,
    settings: Sequence[EngineConfig],
    bounds: Bounds,
    *,
    function: str = "main",
    leaks: bool = True,
    audit: bool = True,
    on_setting: Callable[[str], None] = lambda name: None,
) -> Trial:
    """One program, all settings. `on_setting` is called before each one, so that an engine that does not return is
    identified."""
    trial = Trial()
    try:
        program = lowered(text, function)
    except HeapwrightError as error:
        trial.refused = error.message
        return trial
    goal = Goal() if leaks else Goal(frozenset(CheckKind) - {CheckKind.LEAK})
    machine = Machine(program, goal)
    truth = truth_of(machine, bounds)
    trial.violated = len(truth.violated)
    heaps = list(_heaps(machine, bounds))
    trial.seen = situations(program, heaps)
    for setting in settings:
        on_setting(setting.name)
        begin = time.process_time()  # on a busy machine wall-clock time passes without progress
        result = asked(program, replace(goal, audit=audit), setting, predicates_of(text, setting.engine), bounds)
        took = time.process_time() - begin
        trial.seconds[setting.name] = took
        trial.ended[setting.name] = result.complete
        trial.proved[setting.name] = sum(outcome.verdict is Verdict.PROVED for outcome in result.outcomes)
        trial.finds += _judged(result, truth, setting)
        if took > bounds.engine_seconds + bounds.late:
            trial.finds.append(Finding(LATE, setting.name, f"{took:.1f} s instead of {bounds.engine_seconds:g} s"))
        trial.heaps[setting.name], lost = audited(program, result, setting, heaps)
        trial.finds += lost
    return trial


# --- the truth -------------------------------------------------------------------------------------------------------


def truth_of(machine: Machine, bounds: Bounds) -> GroundTruth:
    limits = Limits(deadline=time.monotonic() + bounds.search_seconds, states=bounds.search_states, objects=6)
    found = run_engine(load_engine("explore"), machine.program, machine.goal, limits, NullProgress())
    violated = {outcome.check.id for outcome in found.outcomes if outcome.verdict is Verdict.VIOLATED}
    possible: set[str] = set()
    for seed in range(bounds.runs):
        made = finish(machine, machine.start(RandomChoices(seed)), bounds.steps)
        for violation, part in made.failures:
            (violated if part.exact else possible).add(violation.check.id)
    return GroundTruth(frozenset(violated), frozenset(violated | possible))


def _heaps(machine: Machine, bounds: Bounds) -> Iterator[tuple[int, Snapshot]]:
    """The heaps of some runs with their locations, each once. Dead ends are omitted, as engines may."""
    dead = dead_ends(machine.program)
    known: dict[Hashable, list[Snapshot]] = {}
    for seed in range(bounds.audited_runs):
        for location, heap in snapshots(machine, RandomChoices(seed), max_steps=bounds.audited_steps):
            if location in dead:
                break
            alike = known.setdefault((location, *heap.pointers.values(), *heap.data.values()), [])
            if heap not in alike:
                alike.append(heap)
                yield location, heap


# --- an engine -------------------------------------------------------------------------------------------------------


def predicates_of(text: str, engine: str) -> tuple[str, ...]:
    """The predicates of a user that a program has for an engine."""
    return tuple(found[2] for found in PREDICATE.finditer(text) if found[1] == engine)


def asked(program: Program, goal: Goal, setting: EngineConfig, predicates: Sequence[str], bounds: Bounds) -> Result:
    """The result of an engine, with the predicates of the program unless they do not fit (any more)."""
    options: dict[str, OptionValue] = dict(setting.options)
    with tempfile.TemporaryDirectory() as directory:
        if predicates and setting.engine == "tvl":
            file = Path(directory) / "predicates.tvp"
            file.write_text("\n".join(predicates), encoding="utf-8")
            with suppress(HeapwrightError):
                return _run(program, goal, setting.engine, {**options, "predicate-file": str(file)}, bounds)
        elif predicates:
            with suppress(HeapwrightError):
                return _run(program, goal, setting.engine, {**options, "predicate": tuple(predicates)}, bounds)
        return _run(program, goal, setting.engine, options, bounds)


def _run(program: Program, goal: Goal, engine: str, options: Mapping[str, OptionValue], bounds: Bounds) -> Result:
    limits = Limits(deadline=time.monotonic() + bounds.engine_seconds, states=bounds.engine_states)
    return run_engine(load_engine(engine, engine_options(program, options)), program, goal, limits, NullProgress())


def _judged(result: Result, truth: GroundTruth, setting: EngineConfig) -> list[Finding]:
    verdicts = {outcome.check.id: outcome.verdict for outcome in result.outcomes}
    proved = {check for check, verdict in verdicts.items() if verdict is Verdict.PROVED}
    finds = [Finding(WRONG_PROOF, setting.name, check) for check in sorted(truth.possible & proved)]
    if setting.engine == "explore" and result.complete and result.sound:
        missed = [check for check in sorted(truth.violated) if verdicts.get(check) is not Verdict.VIOLATED]
        finds += [Finding(MISSED, setting.name, check) for check in missed]
    return finds


def audited(
    program: Program, result: Result, setting: EngineConfig, heaps: list[tuple[int, Snapshot]]
) -> tuple[int, list[Finding]]:
    """The number of heaps that the states of an engine contain, and the first one that is missing."""
    count = 0
    for location, heap in heaps:
        answer = result.contains(location, heap)
        count += answer is True
        if answer is False:
            reached = program.graph.locations[location]
            lost = f"location {location} at {reached.span}: {described(heap)}"
            return count, [Finding(LOST_HEAP, setting.name, lost)]
    return count, []


def described(heap: Snapshot) -> str:
    pointers: Mapping[str, object] = heap.pointers
    return ", ".join(f"{name}={value}" for name, value in (*pointers.items(), *heap.data.items()))[:300]
