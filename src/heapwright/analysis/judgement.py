"""Judgement of results: what counts as proved or violated, and the merge of several results.

Soundness is decided here, once for all engines. `run_engine` is the only way to run one; it enforces the contract of a
result (`checked`):

- a check without a verdict of the engine is unknown;
- nothing is proved if runs were dropped or no fixpoint was reached;
- a violation requires an exact run: all its choices are inputs; other outcomes that an engine reports before its
  result do not count;
- a check is not proved if it is reachable from an unselected check that has undefined behaviour if it fails and is not
  proved: an engine may assume that no run continues there;
- nothing is proved, and no location counts as unreached, behind a step that is not modelled. For an engine that is no
  interpreter copies of bytes are such steps, and no write is proved that may be to read-only memory;
- nothing is proved behind an access through an unknown pointer that is not proved itself.

`combine` merges two results; `Findings` accumulates the results of several engines. `with_masked` is the last step:

- a proved check that no run reaches, behind a check that ends runs and is not proved, is masked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from heapwright.base.errors import Contradiction
from heapwright.engines.api import Engine, Limits, Progress
from heapwright.engines.kit.outcomes import INCOMPLETE
from heapwright.program.checks import Check, Goal
from heapwright.program.dataflow.protected_blocks import writes_to_protected
from heapwright.program.dataflow.unknown_pointers import behind_unknown
from heapwright.program.dataflow.unmodelled_steps import (
    behind_unmodelled,
    check_locations,
    unprovable_checks,
    without_bytes,
)
from heapwright.program.graph import Program
from heapwright.result.outcomes import NO_RUNS, Outcome, Result, Section, Verdict

SILENT = "the engine gave no verdict"
NO_DOUBTS: Mapping[str, str] = {}
APPROXIMATE = "the violating run depends on an approximation"

# --- one result ------------------------------------------------------------------------------------------------------


def run_engine(engine: Engine, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
    """The checked result of an engine."""
    early = _EarlyOutcomes(goal, progress)
    followed, doubts = followed_by(engine, program)
    return checked(engine.analyze(followed, goal, limits, early), followed, goal, doubts)


def followed_by(engine: Engine, program: Program) -> tuple[Program, Mapping[str, str]]:
    """The program as an engine gets it, and the checks that it cannot prove then, with the reasons: all engines but
    interpreters get a program without commands on bytes."""
    if engine.interprets:
        return program, NO_DOUBTS
    return without_bytes(program), writes_to_protected(program)


class _EarlyOutcomes:
    """The progress of an engine, of which only violations of selected checks with an exact run count: an outcome that
    is reported early survives a limit, and then no result comes that could be checked."""

    def __init__(self, goal: Goal, progress: Progress) -> None:
        self.goal, self.progress = goal, progress

    def update(self, message: str) -> None:
        self.progress.update(message)

    def note(self, message: str) -> None:
        self.progress.note(message)

    def found(self, outcome: Outcome) -> None:
        exact = outcome.run is not None and outcome.run.exact
        if outcome.verdict is Verdict.VIOLATED and exact and self.goal.selects(outcome.check):
            self.progress.found(outcome)


def checked(result: Result, program: Program, goal: Goal, doubts: Mapping[str, str] = NO_DOUBTS) -> Result:
    """Enforces the contract of a result: a verdict for each selected check, no proof if the result is unsound, no
    violation without an exact run. Verdicts on unselected checks are kept apart, in `unselected`."""
    given = {outcome.check.id: _justified(outcome, result) for outcome in result.outcomes}
    asked = [
        given.get(check.id) or Outcome(check, Verdict.UNKNOWN, result.engine, reason=SILENT)
        for check in program.checks
        if goal.includes(check)
    ]
    unselected = tuple(outcome for outcome in asked if not goal.selects(outcome.check))
    reasons = _behind(program, [outcome.check for outcome in unselected if outcome.verdict is not Verdict.PROVED])
    reasons.update(doubts)
    reasons.update(behind_unknown(program, goal.proved | _proved(asked)))
    unreached = result.unreached if result.sound and result.complete else frozenset()
    reasons.update(unprovable_checks(program, unreached))
    outcomes = tuple(_demoted(outcome, reasons) for outcome in asked if goal.selects(outcome.check))
    outcomes += _claims_of_a_user(given.values(), program, reasons)
    unselected += _unselected_assertions(given.values(), program, goal)
    proved = _proved(outcomes)
    return replace(
        result,
        outcomes=outcomes,
        unselected=tuple(_demoted(outcome, reasons) for outcome in unselected),
        unreached=unreached - behind_unmodelled(program, unreached),
        sections=tuple(_claiming(section, proved) for section in result.sections if proved & set(section.claims)),
    )


def _proved(outcomes: Iterable[Outcome]) -> frozenset[str]:
    return frozenset(outcome.check.id for outcome in outcomes if outcome.verdict is Verdict.PROVED)


def _claims_of_a_user(given: Iterable[Outcome], program: Program, reasons: Mapping[str, str]) -> tuple[Outcome, ...]:
    """Verdicts on claims of a user, which are not checks of the program. Their locations are known to the engine only,
    so that any open check may precede them."""
    of_program = {check.id for check in program.checks}
    claims = [outcome for outcome in given if outcome.check.id not in of_program]
    reason = next(iter(reasons.values()), "")
    return tuple(_demoted(outcome, {outcome.check.id: reason} if reason else {}) for outcome in claims)


def _unselected_assertions(given: Iterable[Outcome], program: Program, goal: Goal) -> tuple[Outcome, ...]:
    """Verdicts on checks that are not selected. A failing assertion ends runs, selected or not."""
    of_program = {check.id for check in program.checks if check.ends_run and not goal.includes(check)}
    return tuple(outcome for outcome in given if outcome.check.id in of_program)


def _claiming(section: Section, proved: frozenset[str]) -> Section:
    return replace(section, claims=tuple(claim for claim in section.claims if claim in proved))


def _justified(outcome: Outcome, result: Result) -> Outcome:
    if outcome.verdict is Verdict.PROVED and not (result.sound and result.complete):
        return replace(outcome, verdict=Verdict.UNKNOWN, reason=result.dropped or result.limit or INCOMPLETE)
    if outcome.verdict is Verdict.VIOLATED and (outcome.run is None or not outcome.run.exact):
        return replace(outcome, verdict=Verdict.UNKNOWN, reason=APPROXIMATE)
    return outcome


def _demoted(outcome: Outcome, reasons: Mapping[str, str]) -> Outcome:
    if outcome.verdict is not Verdict.PROVED or outcome.check.id not in reasons:
        return outcome
    return replace(outcome, verdict=Verdict.UNKNOWN, reason=reasons[outcome.check.id])


def _behind(program: Program, open_checks: Sequence[Check]) -> dict[str, str]:
    """Checks that are reachable from an open one, each with the reason why its proof does not hold."""
    reasons: dict[str, str] = {}
    if not open_checks:
        return reasons
    graph, sources = program.graph, check_locations(program)
    left = graph.after(source for check in open_checks for source in sources[check.id])
    for check in open_checks:
        here = graph.after(sources[check.id]) & left
        if here:
            left -= here
            reason = (
                f"the {check.kind.value} check at {check.span} is not selected and may fail, "
                "which would end the run before this check"
            )
            for identity, locations in sources.items():
                if not here.isdisjoint(locations):
                    reasons.setdefault(identity, reason)
    return reasons


def partial_result(checks: Sequence[Check], found: Mapping[str, Outcome], engine: str, reason: str) -> Result:
    """The result of an analysis that was stopped: the outcomes found so far; other checks are unknown."""
    outcomes = tuple(found.get(check.id) or Outcome(check, Verdict.UNKNOWN, engine, reason=reason) for check in checks)
    return Result(engine, outcomes, dropped=NO_RUNS if outcomes else reason, complete=False, limit=reason)


# --- several results -------------------------------------------------------------------------------------------------


@dataclass
class Findings:
    """Results of several engines on one program. A check keeps its first verdict, proved or violated; a check that is
    both is an internal error."""

    program: Program
    goal: Goal
    results: list[Result] = field(default_factory=list)
    decided: dict[str, Outcome] = field(default_factory=dict)
    proved_unselected: set[str] = field(default_factory=set)

    def decide(self, outcome: Outcome) -> bool:
        """Records a verdict; returns whether it is new."""
        if outcome.verdict is Verdict.UNKNOWN:
            return False
        first = self.decided.setdefault(outcome.check.id, outcome)
        if first.verdict is not outcome.verdict:
            raise contradiction(first, outcome)
        return first is outcome

    def add(self, result: Result) -> Iterator[Outcome]:
        """Records a checked result; yields its new verdicts."""
        self.results.append(result)
        self.proved_unselected |= {one.check.id for one in result.unselected if one.verdict is Verdict.PROVED}
        yield from [outcome for outcome in result.outcomes if self.decide(outcome)]

    def open_checks(self) -> list[Check]:
        return [check for check in self.program.checks if self.goal.selects(check) and check.id not in self.decided]

    def open_goal(self) -> Goal:
        """The goal restricted to open checks."""
        return replace(
            self.goal,
            only=frozenset(check.id for check in self.open_checks()),
            proved=self.goal.proved | self._having(Verdict.PROVED) | self.proved_unselected,
            violated=self.goal.violated | self._having(Verdict.VIOLATED),
        )

    def _having(self, verdict: Verdict) -> frozenset[str]:
        return frozenset(identity for identity, one in self.decided.items() if one.verdict is verdict)

    def result(self) -> Result:
        """The merged result: decided verdicts, and the most informative unknown of the other checks."""
        whole = reduce(combine, self.results)
        outcomes = tuple(self.decided.get(outcome.check.id, outcome) for outcome in whole.outcomes)
        if any(outcome.verdict is Verdict.UNKNOWN for outcome in outcomes):
            remarks = tuple(dict.fromkeys((result.engine, remark(result)) for result in self.results))
            return replace(whole, outcomes=outcomes, remarks=remarks)
        engines = " + ".join(dict.fromkeys(outcome.engine for outcome in outcomes)) or whole.engine
        return replace(whole, engine=engines, outcomes=outcomes, dropped=NO_RUNS, complete=True, limit="")


def remark(result: Result) -> str:
    """The open checks of an engine and the reason, in one sentence."""
    unknown = [outcome.reason or SILENT for outcome in result.outcomes if outcome.verdict is Verdict.UNKNOWN]
    if not unknown:
        return "decided every check that was open"
    (reason, _), *_ = Counter(unknown).most_common(1)
    return f"{len(unknown)} of {len(result.outcomes)} checks open: {result.limit or reason}"


def combine(first: Result, second: Result) -> Result:
    """Merges two results: per check the first verdict that is not unknown. A proof says that no run violates the check,
    so that proofs of different engines hold together. `dropped` and `complete` of a result that contributes no
    verdict are ignored."""
    decided = [outcome.verdict is not Verdict.UNKNOWN for outcome in first.outcomes]
    parts = [first] * all(decided) or [first] * any(decided) + [second]
    names = [name for result in (first, second) for name in result.engine.split(" + ")]
    return Result(
        engine=" + ".join(dict.fromkeys(names)),
        outcomes=_merged(first.outcomes, second.outcomes),
        unselected=_merged(first.unselected, second.unselected),
        assumptions=tuple(dict.fromkeys((*first.assumptions, *second.assumptions))),
        stats={**first.stats, **second.stats},
        dropped=" | ".join(dict.fromkeys(result.dropped for result in parts if result.dropped)),
        complete=all(result.complete for result in parts),
        limit=" | ".join(dict.fromkeys(part for part in (*_limits(first), *_limits(second)) if part)),
        unreached=first.unreached | second.unreached,
        invariants={**first.invariants, **second.invariants},
        proof=first.proof or second.proof,
        sections=(*first.sections, *second.sections),
    )


def _merged(first: Iterable[Outcome], second: Iterable[Outcome]) -> tuple[Outcome, ...]:
    other = {outcome.check.id: outcome for outcome in second}
    both = tuple(more_informative(outcome, other.pop(outcome.check.id, outcome)) for outcome in first)
    return (*both, *other.values())


def _limits(result: Result) -> list[str]:
    """The limits that a result reached, with the names of their engines."""
    if " + " in result.engine or not result.limit:
        return result.limit.split(" | ")
    return [f"{result.engine}: {result.limit}"]


def more_informative(first: Outcome, second: Outcome) -> Outcome:
    """The more informative of two outcomes of a check: by verdict, run, abstract counterexample, reason."""
    verdicts = {outcome.verdict for outcome in (first, second)} - {Verdict.UNKNOWN}
    if Verdict.VIOLATED in verdicts and len(verdicts) > 1:
        raise contradiction(first, second)
    ranks = [
        (outcome.verdict is not Verdict.UNKNOWN, outcome.run is not None, bool(outcome.trace))
        for outcome in (first, second)
    ]
    later = ranks[1] > ranks[0] or (ranks[1] == ranks[0] and (second.trace or first.engine == "explore"))
    return second if later and not ranks[0][0] else first


def contradiction(one: Outcome, other: Outcome) -> Contradiction:
    proof, violation = (other, one) if one.verdict is Verdict.VIOLATED else (one, other)
    assert violation.run is not None
    choices = tuple(choice.value for choice in violation.run.choices)
    return Contradiction(violation.check.id, proof.engine, violation.engine, choices)


# --- checks that no run reaches --------------------------------------------------------------------------------------


def with_masked(result: Result, program: Program) -> Result:
    """The final result: proved checks that no run reaches are masked, if they lie behind a check that ends runs and is
    violated or unknown, selected or not. Checks in dead code that no such check precedes stay proved."""
    sources, unreached = check_locations(program), result.unreached
    hidden = [
        outcome
        for outcome in result.outcomes
        if outcome.verdict is Verdict.PROVED and unreached.issuperset(sources.get(outcome.check.id, (-1,)))
    ]
    if not hidden:
        return result
    verdicts = {outcome.check.id: outcome.verdict for outcome in (*result.unselected, *result.outcomes)}
    ends = [
        (check, verdicts.get(check.id, Verdict.UNKNOWN))
        for check in program.checks
        if check.ends_run and not unreached.issuperset(sources[check.id])
    ]
    reasons: dict[str, str] = {}
    for verdict, phrase in (
        (Verdict.VIOLATED, "every run ends before it at"),
        (Verdict.UNKNOWN, "every run ends before it, perhaps at"),
    ):
        for check in [check for check, known in ends if known is verdict]:
            behind = program.graph.after(sources[check.id])
            for outcome in hidden:
                if not behind.isdisjoint(sources[outcome.check.id]):
                    where = f"{check.span.file}:{check.span.line}"
                    reasons.setdefault(outcome.check.id, f"not reached: {phrase} {where}")
    masked = {
        outcome.check.id: replace(outcome, verdict=Verdict.MASKED, reason=reasons[outcome.check.id])
        for outcome in hidden
        if outcome.check.id in reasons
    }
    return replace(result, outcomes=tuple(masked.get(outcome.check.id, outcome) for outcome in result.outcomes))
