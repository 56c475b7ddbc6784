"""From files to a result: parse, lower, analyse.

`build` makes a program, `analyze` runs engines on it one after the other, each on what the others left open, and has
their alarms confirmed or refuted. Both do their work where they are called; `checking.py` calls them inside limits.

    program = build(Input(("list.c",)), phase=print)
    result = analyze(program, Goal(), ("explore",), Limits(), Quiet())
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Literal

from heapwright.c.options import ParseOptions
from heapwright.engines import ENGINES, load_engine
from heapwright.engines.api import Limits, Progress
from heapwright.errors import InputError, UsageError
from heapwright.program.checks import Check, Goal
from heapwright.program.graph import Program
from heapwright.result import Outcome, Result, Verdict
from heapwright.steering import settle


@dataclass(frozen=True, slots=True)
class Stage:
    """An engine and the time it gets: a share of what is left, and no more than so many seconds."""

    engine: str
    share: float = 1.0
    seconds: float = float("inf")

    def limits(self, limits: Limits) -> Limits:
        now = time.monotonic()
        left = float("inf") if limits.deadline is None else self.share * (limits.deadline - now)
        seconds = min(left, self.seconds)
        return limits if seconds == float("inf") else replace(limits, deadline=now + seconds)


SCHEDULES: Mapping[str, tuple[Stage, ...]] = {
    # A search that ends at once decides what is small; what is unbounded is for an abstraction, or a longer search.
    "auto": (Stage("explore", seconds=2), Stage("tvl", share=0.7), Stage("explore")),
}

DataModelName = Literal["LP64", "ILP32"]


@dataclass(frozen=True, slots=True)
class Input:
    """What is read, and how. `function` None is main."""

    files: tuple[str, ...]
    function: str | None = None
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    std: str = "gnu17"
    system_headers: bool = False
    compile_commands: str | None = None
    data_model: DataModelName = "LP64"
    malloc_may_fail: bool = False


def stages_of(name: str) -> tuple[Stage, ...]:
    """The engines that a name on the command line stands for.

    >>> [stage.engine for stage in stages_of("explore")]
    ['explore']
    """
    if name in SCHEDULES:
        return SCHEDULES[name]
    if name in ENGINES:
        return (Stage(name),)
    raise UsageError(f"no engine is called '{name}'", hint="engines: " + ", ".join((*SCHEDULES, *ENGINES)))


# --- from files to a program -----------------------------------------------------------------------------------------


def build(source: Input, phase: Callable[[str], None]) -> Program:
    """The program that the files make together. `phase` is told what is being done."""
    for file in source.files:
        _readable(file)
    from heapwright.c.lower import lower
    from heapwright.c.parse import parse

    try:
        units = []
        for file in source.files:
            phase(f"parsing {file}")
            units.append(parse(file, _parse_options(file, source)))
        phase("lowering")
        return lower(units, function=source.function or "main", malloc_may_fail=source.malloc_may_fail)
    except RecursionError:
        raise InputError(f"'{source.files[0]}' is nested too deeply to be analysed") from None


def _readable(file: str) -> None:
    """Refuses what is no file before anything else looks at it."""
    path = Path(file)
    if path.is_dir():
        raise InputError(f"'{file}' is a directory", hint="name the C files in it")
    try:
        with path.open("rb"):
            pass
    except FileNotFoundError:
        raise InputError(f"'{file}' does not exist") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read '{file}': {getattr(error, 'strerror', None) or error}") from None


def _parse_options(file: str, source: Input) -> ParseOptions:
    options = ParseOptions(source.data_model, source.std, source.include, source.define, source.system_headers)
    if source.compile_commands is None:
        return options
    from heapwright.c.compile_commands import options_for

    return options_for(file, source.compile_commands, options)


# --- from a program to a result --------------------------------------------------------------------------------------


def analyze(
    program: Program,
    goal: Goal,
    engines: Sequence[Stage | str],
    limits: Limits,
    progress: Progress,
    options: Mapping[str, str] | None = None,
) -> Result:
    """The combined result of several engines; a later one is asked only while something is unknown. The name of an
    engine stands for a stage with all the time there is."""
    results: list[Result] = []
    prepared = engine_options(program, options or {})
    for stage in [Stage(engine) if isinstance(engine, str) else engine for engine in engines]:
        engine = load_engine(stage.engine, prepared)
        found = checked(engine.analyze(program, goal, stage.limits(limits), progress), program, goal)
        results.append(replace(found, outcomes=settle(program, goal, found.outcomes, limits, progress)))
        if len(results) == len(engines) or limits.expired() or not _open(reduce(combine, results)):
            break
        for outcome in results[-1].outcomes:
            if outcome.verdict is not Verdict.UNKNOWN:
                progress.found(outcome)  # so that it survives whatever happens to the next engine
    return reduce(combine, results)


def engine_options(program: Program, options: Mapping[str, str]) -> Mapping[str, object]:
    """What engines are told: a file of predicates has been read, and fits the program."""
    path = options.get("predicates")
    if path is None:
        return options
    from heapwright.engines.tvl.programs.vocabulary import HeapVocabulary
    from heapwright.tvp.added import AddedPredicates

    supplied = AddedPredicates(path)
    supplied(HeapVocabulary(program).vocabulary)  # complains about what is wrong with them
    return {**options, "predicates": supplied}


def _open(result: Result) -> bool:
    return any(outcome.verdict is Verdict.UNKNOWN for outcome in result.outcomes)


def checked(result: Result, program: Program, goal: Goal) -> Result:
    """Holds an engine to what every result promises: a verdict on each check that was asked about, no proof when runs
    were dropped, no violation without a run that rests on inputs alone."""
    given = {outcome.check.id: _kept(outcome, result) for outcome in result.outcomes}
    missing = "the engine gave no verdict"
    outcomes = tuple(
        given.get(check.id) or Outcome(check, Verdict.UNKNOWN, result.engine, reason=missing)
        for check in program.checks
        if goal.selects(check)
    )
    return replace(result, outcomes=outcomes)


def _kept(outcome: Outcome, result: Result) -> Outcome:
    if outcome.verdict is Verdict.PROVED and not result.sound:
        reason = result.limit or "not every run was looked at"
        return replace(outcome, verdict=Verdict.UNKNOWN, reason=reason)
    if outcome.verdict is Verdict.VIOLATED and (outcome.run is None or not outcome.run.exact):
        return replace(outcome, verdict=Verdict.UNKNOWN, reason="the run that breaks it rests on an approximation")
    return outcome


def combine(first: Result, second: Result) -> Result:
    """What two engines know together: per check the first verdict that is not unknown. Proofs of a check say that it
    is never the first to fail, so that those of different engines hold together. A flag of a result that contributes
    nothing does not count."""
    other = {outcome.check.id: outcome for outcome in second.outcomes}
    outcomes = tuple(
        outcome if outcome.verdict is not Verdict.UNKNOWN else other.get(outcome.check.id, outcome)
        for outcome in first.outcomes
    )
    decided = [outcome.verdict is not Verdict.UNKNOWN for outcome in first.outcomes]
    parts = [first] * all(decided) or [first] * any(decided) + [second]
    names = [name for result in (first, second) for name in result.engine.split(" + ")]
    return Result(
        engine=" + ".join(dict.fromkeys(names)),
        outcomes=outcomes,
        assumptions=tuple(dict.fromkeys((*first.assumptions, *second.assumptions))),
        stats={**first.stats, **second.stats},
        sound=all(result.sound for result in parts),
        complete=all(result.complete for result in parts),
        limit="; ".join(dict.fromkeys(result.limit for result in (first, second) if result.limit)),
        invariants={**first.invariants, **second.invariants},
        proof=first.proof or second.proof,
    )


def cut_short(checks: Sequence[Check], found: Mapping[str, Outcome], engine: str, reason: str) -> Result:
    """The result of an analysis that was stopped: what had been found, and nothing about the rest."""
    outcomes = tuple(found.get(check.id) or Outcome(check, Verdict.UNKNOWN, engine, reason=reason) for check in checks)
    return Result(engine, outcomes, sound=bool(outcomes), complete=False, limit=reason)
