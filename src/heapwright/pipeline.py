"""From files to a result: parse, lower, analyse.

`build` makes a program, `analyze` runs engines on it one after the other, each on what the others left open, and has
their alarms confirmed or refuted. Both do their work where they are called; `schedule.py` runs several engines at a
time, and `checking.py` does it all inside limits.

    program = build(Input(("list.c",)), phase=print)
    result = analyze(program, Goal(), ("explore",), Limits(), Quiet())
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Literal

from heapwright.c.options import ParseOptions
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, Progress
from heapwright.errors import Contradiction, InputError
from heapwright.program.checks import Check, Goal
from heapwright.program.graph import Program
from heapwright.result import Outcome, Result, Verdict
from heapwright.steering import SEARCH, settle

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
    engines: Sequence[str],
    limits: Limits,
    progress: Progress,
    options: Mapping[str, str] | None = None,
) -> Result:
    """The combined result of several engines; a later one is asked only about what is unknown by then."""
    results: list[Result] = []
    prepared = engine_options(program, options or {})
    for name in engines:
        open_goal = still_open(goal, program, results[-1].outcomes) if results else goal
        found = load_engine(name, prepared).analyze(program, open_goal, limits, progress)
        found = checked(found, program, open_goal)
        found = replace(found, outcomes=settle(program, open_goal, found.outcomes, limits, progress))
        results = [reduce(combine, (*results, found))]
        if limits.expired() or all(outcome.verdict is not Verdict.UNKNOWN for outcome in results[0].outcomes):
            break
    return results[0]


def still_open(goal: Goal, program: Program, outcomes: Iterable[Outcome]) -> Goal:
    """The goal without what has been decided, which may be taken for granted from now on: a check that was proved does
    not fail, and the runs in which one fails that was violated end there and are told already."""
    decided = frozenset(outcome.check.id for outcome in outcomes if outcome.verdict is not Verdict.UNKNOWN)
    asked = frozenset(check.id for check in program.checks if goal.selects(check))
    return replace(goal, only=asked - decided, settled=goal.settled | decided)


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
    outcomes = tuple(more_telling(outcome, other.get(outcome.check.id, outcome)) for outcome in first.outcomes)
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
        limit=" | ".join(dict.fromkeys(part for part in (*_limits(first), *_limits(second)) if part)),
        invariants={**first.invariants, **second.invariants},
        proof=first.proof or second.proof,
        sections=(*first.sections, *second.sections),
    )


def _limits(result: Result) -> list[str]:
    """What cut a result short, with the names of the engines."""
    if " + " in result.engine or not result.limit:
        return result.limit.split(" | ")
    return [f"{result.engine}: {result.limit}"]


def more_telling(first: Outcome, second: Outcome) -> Outcome:
    """Of two outcomes for a check the one that says more: a verdict, a run, an abstract run, a reason. Between two
    verdicts there is nothing to choose."""
    verdicts = {outcome.verdict for outcome in (first, second)}
    if verdicts == {Verdict.PROVED, Verdict.VIOLATED}:
        raise contradiction(first, second)
    ranks = [
        (outcome.verdict is not Verdict.UNKNOWN, outcome.run is not None, bool(outcome.trace))
        for outcome in (first, second)
    ]
    later = ranks[1] > ranks[0] or (ranks[1] == ranks[0] and (second.trace or first.engine == SEARCH))
    return second if later and not ranks[0][0] else first


def contradiction(one: Outcome, other: Outcome) -> Contradiction:
    proof, violation = (one, other) if one.verdict is Verdict.PROVED else (other, one)
    assert violation.run is not None
    choices = tuple(choice.value for choice in violation.run.choices)
    return Contradiction(violation.check.id, proof.engine, violation.engine, choices)


def cut_short(checks: Sequence[Check], found: Mapping[str, Outcome], engine: str, reason: str) -> Result:
    """The result of an analysis that was stopped: what had been found, and nothing about the rest."""
    outcomes = tuple(found.get(check.id) or Outcome(check, Verdict.UNKNOWN, engine, reason=reason) for check in checks)
    return Result(engine, outcomes, sound=bool(outcomes), complete=False, limit=reason)
