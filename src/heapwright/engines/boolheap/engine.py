"""The engine `boolheap`: predicate abstraction over heap predicates, with abstract transformers computed by entailment.

Sound by construction: every definite update is an entailment that the prover confirmed; all others are unknown. For a
program with commands that are not supported nothing is proved, and the reason is reported.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from heapwright.base.errors import UsageError
from heapwright.engines.api import Limits, Progress
from heapwright.engines.boolheap.abstraction.cartesian_post import Deductions
from heapwright.engines.boolheap.concrete.formula_samples import Samples
from heapwright.engines.boolheap.concrete.run_heaps import heaps_of_runs
from heapwright.engines.boolheap.concrete.small_heaps import Signature, sample, signature_of
from heapwright.engines.boolheap.declaration import BoolHeapDeclaration
from heapwright.engines.boolheap.fixpoint import Analysis, ProverCost, run
from heapwright.engines.boolheap.heap_program import compared_by_assertions, translate, with_splits
from heapwright.engines.boolheap.invariant import BooleanHeapStates
from heapwright.engines.boolheap.logic.command_translation import chooses, has_inputs
from heapwright.engines.boolheap.logic.formulas import CHOSEN, Formula, Marked, atoms, names_of
from heapwright.engines.boolheap.logic.parser import parse
from heapwright.engines.boolheap.logic.printing import text
from heapwright.engines.boolheap.precomputation.abstraction_phase import precompute_rules
from heapwright.engines.boolheap.predicates.ghost_predicates import NO_GHOSTS, Ghosts, undefined_mark
from heapwright.engines.boolheap.predicates.suggested_predicates import live_pointers, suggested_predicates
from heapwright.engines.boolheap.prover.query_cache import CachingProver, EntailmentCache, default_path
from heapwright.engines.boolheap.refinement.cegar_loop import RefinementLoop, load_edges
from heapwright.engines.boolheap.typing.followed_program import FollowedProgram, unsupported
from heapwright.engines.kit.outcomes import INCOMPLETE, not_supported, proved_unless, unreached
from heapwright.engines.kit.statistics import statistics
from heapwright.program.checks import Check, CheckKind, Goal
from heapwright.program.dataflow.unmodelled_steps import behind_unmodelled, unprovable_checks
from heapwright.program.graph import Program
from heapwright.program.types import ValueKind
from heapwright.result.outcomes import NO_RUNS, Outcome, Result, Section, Verdict, section_of

if TYPE_CHECKING:
    from heapwright.result.explanation import Topic

NAME = BoolHeapDeclaration.name
HEAPS = 500  # size of the sample
LARGEST = 6  # maximum number of objects in a sampled heap
CHOICES = 24  # commands of a step, each of which may choose a number
INPUTS_LOST = "leak checks on input heaps are not supported: lost inputs and inputs never reached have equal vectors"


class BoolHeap(BoolHeapDeclaration):
    """The engine. `predicate`: heap predicates of the user; `refinements`: maximum number of refinements that add
    predicates; `splitting`: at every field load ("all") or on demand ("guided"); `jobs`: processes that precompute
    rules, 0 for none; `post`: in the context of the whole heap, or Cartesian (Definition 5), whose rules are all there
    before the fixpoint: those of a first fixpoint that asks for them, or with `jobs` all with few literals."""

    def __init__(
        self,
        predicate: Sequence[str] = (),
        refinements: int = 2,
        splitting: Literal["all", "guided"] = "all",
        ghosts: Ghosts = NO_GHOSTS,
        jobs: int = 0,
        post: Literal["state", "cartesian"] = "state",
    ) -> None:
        self.refinements = refinements
        self.given = tuple(map(parse, predicate))
        self.guided = splitting == "guided"
        self.ghosts, self.jobs, self.context = ghosts, jobs, post == "state"

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        start, cpu = time.monotonic(), time.process_time()
        checks = [check for check in self._checks(program) if goal.includes(check)]
        followed = FollowedProgram(program)
        reason = unsupported(followed)
        if reason:
            return not_supported(BoolHeap, checks, reason)
        prover = new_prover(stored=not goal.certificate)
        refinement_loop = self.refinement_loop(followed, goal, limits, progress, prover)
        analysis = refinement_loop.best
        inconclusive = "" if analysis.complete else refinement_loop.limit or INCOMPLETE
        unreached_locations = unreached(program, analysis.at, inconclusive)
        behind = unprovable_checks(followed.program, unreached_locations)
        outcomes = tuple(
            _outcome(check, analysis, inconclusive or behind.get(check.id, ""), has_inputs(program)) for check in checks
        )
        stats = statistics(
            program,
            start,
            analysis.posts,
            predicates=len(analysis.program.predicates),
            prover_calls=prover.statistics.queries,
            remembered=prover.statistics.hits,
            refinements=refinement_loop.refinements,
            splittings=refinement_loop.splittings,
            boolean_heaps=sum(map(len, analysis.at.values())),
            abstraction_calls=refinement_loop.abstraction.calls,
            abstraction_s=round(refinement_loop.abstraction.seconds, 3),
            fixpoint_calls=prover.statistics.queries - refinement_loop.abstraction.calls,
            fixpoint_s=round(time.process_time() - cpu - refinement_loop.abstraction.seconds, 3),
            prover_s=round(prover.seconds, 3),
            **({"cache_refused": prover.refusal} if prover.refusal else {}),
        )
        certified = goal.certificate and followed.is_exact
        lost = behind_unmodelled(followed.program, unreached_locations)
        states = BooleanHeapStates(analysis, program, lost) if goal.audit and analysis.complete else None
        return Result(
            NAME,
            outcomes,
            dropped=NO_RUNS,
            assumptions=program.assumptions,
            stats=stats,
            complete=analysis.complete,
            limit=inconclusive,
            states=states,
            topics=_topics(analysis, program) if goal.pictures and analysis.complete else (),
            sections=_sections(analysis, outcomes) if certified and not inconclusive else (),
            unreached=unreached_locations - lost,
        )

    def _checks(self, program: Program) -> tuple[Check, ...]:
        return (*program.checks, *self.ghosts.checks(program))

    def refinement_loop(
        self,
        followed: FollowedProgram,
        goal: Goal,
        limits: Limits,
        progress: Progress,
        prover: CachingProver | None = None,
    ) -> RefinementLoop:
        """The finished refinement loop for a supported program."""
        program = followed.original
        for one in (*self.given, *self.ghosts.formulas):
            check_vocabulary(one, program, self.ghosts)
        prover = prover or new_prover(stored=not goal.certificate)
        refinement_loop = RefinementLoop(
            program,
            frozenset(one.id for one in self._checks(program) if goal.includes(one) and one.kind is not CheckKind.LEAK),
            lambda given, unsplit, splits: self.prepare(
                followed, goal, limits, progress, given, unsplit, prover, splits
            ),
            self.refinements,
            limits,
            progress,
            load_edges(program) if self.guided else frozenset(),
            self.given,
        )
        refinement_loop.iterate()
        return refinement_loop

    def prepare(
        self,
        followed: FollowedProgram,
        goal: Goal,
        limits: Limits,
        progress: Progress,
        given: Sequence[Formula],
        unsplit: frozenset[int],
        prover: CachingProver,
        splits: Mapping[int, tuple[Formula, ...]] | None = None,
    ) -> Analysis:
        """An analysis before its fixpoint, after the abstraction phase if there is one."""
        program = followed.program
        predicates = suggested_predicates(
            program,
            (*self.ghosts.points, *self.ghosts.formulas, *given, *compared_by_assertions(program)),
        )
        consists = signature(program, predicates)
        samples = Samples(sample(consists, HEAPS, LARGEST), consists)
        for heap in heaps_of_runs(followed.original, limits.expired):
            samples.add(heap)
        leaks = frozenset(one.id for one in program.checks if one.kind is CheckKind.LEAK and goal.selects(one))
        if has_inputs(program):
            leaks = frozenset()  # they stay unknown
        heap_program = replace(
            translate(
                program,
                predicates,
                prover,
                self.ghosts,
                leaks=leaks,
                uncertain=followed.uncertain,
                folds=not goal.certificate,
            ),
            context=self.context,
        )
        heap_program = with_splits(heap_program, splits or {})
        analysis = Analysis(heap_program, Deductions(samples, prover), limits, progress, unsplit=unsplit)
        if self.jobs or not self.context:
            begin, calls = time.process_time(), prover.statistics.queries
            if self.jobs:
                new = partial(new_prover, stored=not goal.certificate)
                others = precompute_rules(analysis, followed.original, self.jobs, new)
                prover.statistics.queries += others
            else:
                run(replace(analysis))  # asks for all rules that are needed
                analysis.deductions.stop_queries()
            analysis.abstraction = ProverCost(prover.statistics.queries - calls, time.process_time() - begin)
        return analysis


def _sections(analysis: Analysis, outcomes: Sequence[Outcome]) -> tuple[Section, ...]:
    from heapwright.engines.boolheap.certificate import serialize  # for certificates alone

    part = serialize(analysis)
    return () if part is None else section_of(NAME, outcomes, [part])


def _topics(analysis: Analysis, program: Program) -> tuple[Topic, ...]:
    from heapwright.engines.boolheap.predicate_topics import predicate_topics  # for pages alone

    return predicate_topics(analysis, program)


def new_prover(*, stored: bool = True) -> CachingProver:
    """A prover; without `stored` answers, no proof depends on a file, as a certificate requires."""
    from heapwright.engines.boolheap.prover.entailment import Prover

    return CachingProver(Prover(), EntailmentCache(default_path() if stored else None))


def check_vocabulary(formula: Formula, program: Program, ghosts: Ghosts = NO_GHOSTS) -> None:
    """Raises UsageError if a formula names a variable, field or ghost predicate that does not exist."""
    speaks = signature_of([formula])
    pointers = {one.name for one in program.variables.values() if one.kind is ValueKind.POINTER}
    numbers = {one.name for one in program.variables.values() if one.kind is ValueKind.DATA}
    fields = [one for type in program.types.values() for one in type.fields]
    for names, there, what in (
        (speaks.variables, pointers, "pointer variable"),
        (speaks.numbers, numbers, "integer variable"),
        (speaks.fields, {one.name for one in fields if one.kind is ValueKind.POINTER}, "pointer field"),
        (speaks.data, {one.name for one in fields if one.kind is ValueKind.DATA}, "integer field"),
    ):
        for one in names:
            if one not in there:
                raise UsageError(
                    f"the predicate '{text(formula)}' names '{one}', which is no {what} of the program",
                    hint=f"the program has {', '.join(sorted(there)) or 'none'}",
                )
    if undefined_mark([formula], ghosts):
        raise UsageError(
            f"the predicate '{text(formula)}' has the mark '{undefined_mark([formula], ghosts)}', and nothing sets it",
            hint="heapwright boolheap FILE.c --mark 'LINE: NAME = FORMULA' sets one",
        )


def signature(program: Program, predicates: Iterable[Formula]) -> Signature:
    """The signature of the sampled heaps."""
    numbers = [one.name for one in program.variables.values() if one.kind is ValueKind.DATA]
    fields = {one.name for type in program.types.values() for one in type.fields if one.kind is ValueKind.POINTER}
    data = {one.name for type in program.types.values() for one in type.fields if one.kind is ValueKind.DATA}
    marks = {atom.mark for one in predicates for atom in atoms(one) if isinstance(atom, Marked)}
    unknown = [f"?{index}" for index in range(CHOICES)]
    pointers = {*live_pointers(program), *(one for formula in predicates for one in names_of(formula))}
    if chooses(program):
        pointers.add(CHOSEN.id)
    return Signature(
        tuple(sorted(pointers)),
        tuple(sorted(fields)),
        (*numbers, *unknown),
        tuple(sorted(data)),
        tuple(sorted(marks)),
    )


def _outcome(check: Check, analysis: Analysis, inconclusive: str, inputs: bool) -> Outcome:
    if check.kind is CheckKind.LEAK and inputs:
        return Outcome(check, Verdict.UNKNOWN, NAME, reason=INPUTS_LOST)
    alarm = analysis.alarms.get(check.id)
    if alarm is None:
        return proved_unless(BoolHeap, check, inconclusive)
    reason = inconclusive or "the check may fail in an abstract heap at this location"
    return Outcome(check, Verdict.UNKNOWN, NAME, reason=reason, path=alarm.path())
