"""The abstraction phase: rules of a Boolean heap program, computed before the fixpoint.

Without context, all of `hwp#` is computed (`abstract_updates`) for every step and predicate, and the fixpoint makes no
prover queries. With context there are too many possible queries, but random runs predict most of them: each heap of a
run is abstracted, and every step from it is computed as in the fixpoint. This gives implicants and countermodels; the
fixpoint makes the remaining queries.

The work is divided among processes. Its division is fixed, and results are merged in one order, so that they do not
depend on timing.

    calls_of_others = precompute_rules(analysis, program, 2, new_prover)
    analysis.run()
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait

from heapwright.engines.boolheap.abstraction.cartesian_post import Deductions
from heapwright.engines.boolheap.concrete.run_heaps import heaps_at_locations
from heapwright.engines.boolheap.concrete.small_heaps import Heap
from heapwright.engines.boolheap.domain.predicate_columns import AtomTable
from heapwright.engines.boolheap.domain.vectors import Vector
from heapwright.engines.boolheap.fixpoint import Analysis
from heapwright.engines.boolheap.invariant import BooleanHeapStates
from heapwright.engines.boolheap.logic.formulas import Formula
from heapwright.engines.boolheap.precomputation.abstract_updates import complete, inherit_implicants, tasks
from heapwright.engines.boolheap.prover.implicants import Cube
from heapwright.engines.boolheap.prover.query_cache import CachingProver
from heapwright.program.graph import Program

Job = Callable[[], None]
Work = Callable[[Analysis], Sequence[Job]]  # the jobs; the same for equal analyses
NewProver = Callable[[], CachingProver]


@dataclass(frozen=True, slots=True)
class Rule:
    """Implicants of one query over an atom table."""

    columns: AtomTable
    supposed: Formula
    goal: Formula
    proving: tuple[Cube, ...]
    refuting: tuple[Cube, ...]


@dataclass(frozen=True, slots=True)
class WorkerResult:
    """The result of one process, with the number of its prover calls."""

    rules: tuple[Rule, ...]
    heaps: tuple[Heap, ...]
    calls: int


def precompute_rules(analysis: Analysis, program: Program, jobs: int, new_prover: NewProver) -> int:
    """Computes rules of an analysis before its fixpoint; returns the number of prover calls in other processes."""
    work: list[tuple[str, Work]] = [("runs", _steps_from_runs(analysis, program))]
    if not analysis.program.context:
        work = [("predicates", _predicates), ("updates", _updates), *work]
    calls = sum(_run_jobs(analysis, what, one, jobs, new_prover) for what, one in work)
    if not analysis.program.context:
        analysis.deductions.stop_queries()
    return calls


# --- jobs ------------------------------------------------------------------------------------------------------------


def _predicates(analysis: Analysis) -> Sequence[Job]:
    """Entailments between predicates of one object."""
    return [partial(complete, one) for one in tasks(analysis)[0]]


def _updates(analysis: Analysis) -> Sequence[Job]:
    jobs = [partial(complete, one) for one in tasks(analysis)[1]]
    inherit_implicants(analysis)
    return jobs


def _steps_from_runs(analysis: Analysis, program: Program) -> Work:
    """Steps from the heaps of random runs."""
    reached = run_vectors(analysis, program)
    edges = [number for number, edge in enumerate(analysis.program.graph.edges) if edge.source in reached]

    def precompute(own: Analysis, number: int) -> None:
        source = own.program.graph.edges[number].source
        for vectors in reached[source]:
            for heap in own.split_and_sharpen(own.program.initial.of(vectors), source):
                if not own.limits.expired():
                    own.precompute_step(heap, number)

    return lambda own: [partial(precompute, own, number) for number in edges]


def run_vectors(analysis: Analysis, program: Program) -> dict[int, list[frozenset[Vector]]]:
    """By location: the abstractions of heaps of random runs."""
    known = BooleanHeapStates(analysis, program)
    found: dict[int, dict[frozenset[Vector], None]] = {}
    for location, heap in heaps_at_locations(program):
        found.setdefault(location, {})[frozenset(known.vectors(location, heap))] = None
    return {location: list(heaps) for location, heaps in found.items()}


# --- processes -------------------------------------------------------------------------------------------------------


def _run_jobs(analysis: Analysis, what: str, work: Work, jobs: int, new_prover: NewProver) -> int:
    """Prover calls in other processes. If a process fails, only its rules are lost."""
    todo = work(analysis)
    if jobs <= 1:
        for index, job in enumerate(todo):
            if not analysis.limits.expired():
                analysis.progress.update(f"abstraction, {what}: {index} of {len(todo)}")
                job()
        return 0
    context = multiprocessing.get_context("fork")
    workers = []
    for start in range(min(jobs, len(todo))):
        receiving, sending = context.Pipe(duplex=False)
        share = range(start, len(todo), jobs)
        worker = context.Process(target=_work, args=(sending, analysis, work, share, new_prover), daemon=True)
        worker.start()
        sending.close()
        workers.append((worker, receiving))
    found = _collect_results(analysis, f"{what}: ", len(todo), [receiving for _, receiving in workers])
    for worker, _ in workers:
        worker.join()
    for one in found:
        if one is not None:
            merge(analysis.deductions, one)
    return sum(one.calls for one in found if one is not None)


def _collect_results(
    analysis: Analysis, what: str, count: int, pipes: Sequence[Connection]
) -> list[WorkerResult | None]:
    """The result of each process; None if it failed. Progress is reported per job."""
    found: list[WorkerResult | None] = [None] * len(pipes)
    waiting, done = list(pipes), 0
    while waiting:
        for pipe in wait(waiting):
            assert isinstance(pipe, Connection)
            try:
                message = pipe.recv()
            except EOFError:
                message = None
            if isinstance(message, int):
                done += 1
                analysis.progress.update(f"abstraction, {what}{done} of {count}")
            else:
                found[pipes.index(pipe)] = message
                waiting.remove(pipe)
    return found


def _work(sending: Connection, analysis: Analysis, work: Work, share: Sequence[int], new_prover: NewProver) -> None:
    samples, prover = analysis.deductions.samples, new_prover()
    begin = len(samples.heaps)
    deductions = Deductions(samples, prover)
    own = Analysis(
        analysis.program,
        deductions,
        analysis.limits,
        analysis.progress,
        unsplit=analysis.unsplit,
    )
    merge(deductions, WorkerResult(_rules(analysis.deductions), (), 0))
    todo = work(own)
    for number in share:
        if own.limits.expired():
            break
        todo[number]()
        sending.send(number)
    sending.send(WorkerResult(_rules(deductions), tuple(samples.heaps[begin:]), prover.statistics.queries))


def _rules(deductions: Deductions) -> tuple[Rule, ...]:
    return tuple(
        Rule(columns, one.supposed, one.goal, tuple(one.proving.found), tuple(one.refuting.found))
        for columns, deduction in deductions.all()
        for one in deduction.queries
        if one.proving.found or one.refuting.found
    )


def merge(deductions: Deductions, found: WorkerResult) -> None:
    for rule in found.rules:
        query = deductions.of(rule.columns).query(rule.supposed, rule.goal)
        for known, more in ((query.proving, rule.proving), (query.refuting, rule.refuting)):
            there = set(known.found)
            known.found += [cube for cube in more if cube not in there]
    for heap in found.heaps:
        deductions.samples.add(heap)
