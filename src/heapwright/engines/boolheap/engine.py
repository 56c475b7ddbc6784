"""The engine `boolheap`: predicates of heap objects, and abstract programs computed by deduction.

Sound by construction: every update is an entailment that the prover confirmed, and what it does not confirm is open. It
proves nothing of leaks. What it does not follow, it says, and proves nothing then.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterable, Sequence

from heapwright.engines.api import Limits, Progress
from heapwright.engines.boolheap.analysis import Analysis, TooMany
from heapwright.engines.boolheap.audit import Known
from heapwright.engines.boolheap.cache import Cache, Remembering, default_path
from heapwright.engines.boolheap.deduction import Entailment
from heapwright.engines.boolheap.formulas import Formula, Marked, atoms, names_of, text
from heapwright.engines.boolheap.heap_program import translated
from heapwright.engines.boolheap.heaps import Signature, sample, signature_of
from heapwright.engines.boolheap.meaning import unsupported
from heapwright.engines.boolheap.obligations import PROVES
from heapwright.engines.boolheap.post import Deductions
from heapwright.engines.boolheap.predicates import live_pointers, proposed
from heapwright.engines.boolheap.refinement import suggested
from heapwright.engines.boolheap.runs import heaps_of_runs
from heapwright.engines.boolheap.samples import Samples
from heapwright.engines.boolheap.syntax import parse
from heapwright.errors import UsageError
from heapwright.program.checks import Check, Goal
from heapwright.program.graph import Program
from heapwright.program.types import ValueKind
from heapwright.result import Outcome, Result, Verdict

NAME = "boolheap"
HEAPS = 500  # in the sample
LARGEST = 6  # objects of one of them


class BoolHeap:
    """The engine. `predicate` has formulas of a user's own, one a line; `refinements` says how often alarms may
    suggest more."""

    name = NAME
    proves = PROVES
    options = frozenset({"predicate", "refinements"})

    def __init__(self, predicate: str = "", refinements: str = "2") -> None:
        self.refinements = int(refinements)
        self.given = tuple(parse(one) for one in predicate.splitlines() if one.strip())

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        start = time.monotonic()
        selected = [check for check in program.checks if goal.selects(check)]
        reason = unsupported(program)
        if reason:
            return Result(NAME, _unknown(selected, reason), complete=False, limit=reason)
        prover = Remembering(_new_prover(), Cache(default_path()))
        analysis, limit, rounds = self._refined(program, goal, limits, progress, prover)
        doubt = _doubt(program, analysis, goal, limit)
        outcomes = tuple(_outcome(check, analysis, doubt) for check in selected)
        stats: dict[str, float | int | str] = {
            "time_s": round(time.monotonic() - start, 3),
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "locations": len(program.graph.locations),
            "iterations": analysis.posts,
            "predicates": len(analysis.program.predicates),
            "prover_calls": prover.calls,
            "remembered": prover.hits,
            "refinements": rounds,
            "boolean_heaps": sum(map(len, analysis.at.values())),
        }
        states = Known(analysis, program) if goal.audit and analysis.complete else None
        return Result(
            NAME, outcomes, program.assumptions, stats, complete=analysis.complete, limit=doubt, states=states
        )

    def _refined(
        self, program: Program, goal: Goal, limits: Limits, progress: Progress, prover: Remembering
    ) -> tuple[Analysis, str, int]:
        """The best analysis, why it is not complete, and how often predicates were added. Each round is an analysis of
        its own; a later one counts only if it came to an end with fewer alarms."""
        begin = time.monotonic()
        best, limit = _run(self.prepared(program, limits, progress, self.given, prover))
        given, rounds, latest = self.given, 0, best
        while best.complete and rounds < self.refinements and _worth_it(begin, limits):
            more = suggested(latest, sorted(_open_alarms(latest, program, goal)))
            if not more:
                break
            rounds, given = rounds + 1, (*given, *more)
            progress.update(f"boolheap: round {rounds}, {len(given)} predicates more than proposed")
            latest, _ = _run(self.prepared(program, limits, progress, given, prover))
            if not latest.complete:
                break
            if len(_open_alarms(latest, program, goal)) < len(_open_alarms(best, program, goal)):
                best = latest
        return best, limit, rounds

    def prepared(
        self,
        program: Program,
        limits: Limits,
        progress: Progress,
        given: Sequence[Formula] | None = None,
        prover: Remembering | None = None,
    ) -> Analysis:
        """The analysis of a program that is followed, not yet run."""
        chosen = self.given if given is None else given
        for one in self.given:
            fitting(one, program)
        predicates = proposed(program, chosen)
        asked = prover or Remembering(_new_prover(), Cache(default_path()))
        consists = signature(program, predicates)
        samples = Samples(sample(consists, HEAPS, LARGEST), consists)
        for heap in heaps_of_runs(program):
            samples.add(heap)
        return Analysis(translated(program, predicates), Deductions(samples, asked), limits, progress)


def _new_prover() -> Entailment:
    from heapwright.engines.boolheap.prover import Prover

    return Prover()


def _run(analysis: Analysis) -> tuple[Analysis, str]:
    try:
        analysis.run()
    except TooMany as crowd:
        return analysis, str(crowd)
    return analysis, ""


def _open_alarms(analysis: Analysis, program: Program, goal: Goal) -> set[str]:
    return {one.id for one in program.checks if one.id in analysis.alarms and goal.selects(one)}


def _worth_it(begin: float, limits: Limits) -> bool:
    """Whether there is time for a round that takes twice as long as all before it."""
    now = time.monotonic()
    return limits.deadline is None or now + 2 * (now - begin) < limits.deadline


def fitting(formula: Formula, program: Program) -> None:
    """Complains where a formula speaks of what the program does not have."""
    speaks = signature_of([formula])
    pointers = {one.name for one in program.variables.values() if one.kind is ValueKind.POINTER}
    numbers = {one.name for one in program.variables.values() if one.kind is ValueKind.DATA}
    fields = [one for type in program.types.values() for one in type.fields]
    for asked, there, what in (
        (speaks.variables, pointers, "pointer variable"),
        (speaks.numbers, numbers, "integer variable"),
        (speaks.fields, {one.name for one in fields if one.kind is ValueKind.POINTER}, "pointer field"),
        (speaks.data, {one.name for one in fields if one.kind is ValueKind.DATA}, "integer field"),
    ):
        for one in asked:
            if one not in there:
                raise UsageError(
                    f"the predicate '{text(formula)}' names '{one}', which is no {what} of the program",
                    hint=f"there are: {', '.join(sorted(there)) or 'none'}",
                )
    if speaks.marks:
        raise UsageError(f"the predicate '{text(formula)}' has a mark, and nothing sets one")


def signature(program: Program, predicates: Iterable[Formula]) -> Signature:
    """What the heaps of the sample consist of."""
    numbers = [one.name for one in program.variables.values() if one.kind is ValueKind.DATA]
    fields = {one.name for type in program.types.values() for one in type.fields if one.kind is ValueKind.POINTER}
    data = {one.name for type in program.types.values() for one in type.fields if one.kind is ValueKind.DATA}
    marks = {atom.mark for one in predicates for atom in atoms(one) if isinstance(atom, Marked)}
    unknown = [f"?{place}" for place in range(8)]
    return Signature(
        tuple(sorted({*live_pointers(program), *(one for formula in predicates for one in names_of(formula))})),
        tuple(sorted(fields)),
        (*numbers, *unknown),
        tuple(sorted(data)),
        tuple(sorted(marks)),
    )


def _unknown(checks: Iterable[Check], reason: str) -> tuple[Outcome, ...]:
    return tuple(Outcome(check, Verdict.UNKNOWN, NAME, reason=reason) for check in checks)


def _doubt(program: Program, analysis: Analysis, goal: Goal, limit: str) -> str:
    """Why nothing at all is proved, "" if that is not so."""
    if not analysis.complete:
        return limit or "the analysis did not come to an end"
    for check in program.checks:
        if check.id in analysis.alarms and goal.unasked(check):
            return f"{check.kind.value} may happen at {check.span} and is not among the checks"
    return ""


def _outcome(check: Check, analysis: Analysis, doubt: str) -> Outcome:
    if check.kind not in PROVES:
        return Outcome(check, Verdict.UNKNOWN, NAME, reason=f"the engine proves nothing of the kind {check.kind.value}")
    alarm = analysis.alarms.get(check.id)
    if alarm is not None:
        reason = doubt or "a heap that the predicates describe may break it"
        return Outcome(check, Verdict.UNKNOWN, NAME, reason=reason, path=analysis.path(*alarm))
    if doubt:
        return Outcome(check, Verdict.UNKNOWN, NAME, reason=doubt)
    return Outcome(check, Verdict.PROVED, NAME)
