"""The abstraction phase: rules of a Boolean heap program found before the fixpoint, in several processes at once.

What will be asked is not known beforehand, but runs of the program tell most of it: each heap that a run passes is
described by the predicates, and every step from there is computed as the fixpoint would compute it. That gives
implicants, good for whatever vectors contain them, and heaps that refute. The fixpoint then finds most of its questions
answered, and asks for the rest. Edges are shared out among the processes; what they find is merged in one order, so
that it does not depend on who is faster.

    rehearsed(analysis, program, 4, new_prover)
    analysis.run()
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

from heapwright.engines.boolheap.analysis import Analysis
from heapwright.engines.boolheap.audit import Known
from heapwright.engines.boolheap.cache import Remembering
from heapwright.engines.boolheap.columns import Columns
from heapwright.engines.boolheap.deduction import Cube
from heapwright.engines.boolheap.formulas import Formula
from heapwright.engines.boolheap.heaps import Heap
from heapwright.engines.boolheap.post import Deductions
from heapwright.engines.boolheap.runs import heaps_at_locations
from heapwright.engines.boolheap.samples import Samples
from heapwright.engines.boolheap.vectors import BooleanHeap
from heapwright.program.graph import Program


@dataclass(frozen=True, slots=True)
class Rule:
    """Implicants of one question over some columns."""

    columns: Columns
    supposed: Formula
    goal: Formula
    proving: tuple[Cube, ...]
    refuting: tuple[Cube, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What one process found; `calls` of the prover."""

    rules: tuple[Rule, ...]
    heaps: tuple[Heap, ...]
    calls: int


def rehearsed(analysis: Analysis, program: Program, jobs: int, new_prover: Callable[[], Remembering]) -> int:
    """Fills the rules of an analysis that has not run yet; how often provers were called. A process that fails costs
    nothing but its rules."""
    places = described(analysis, program)
    edges = [number for number, edge in enumerate(analysis.program.graph.edges) if edge.source in places]
    shares = [share for share in (edges[start::jobs] for start in range(jobs)) if share]
    context = multiprocessing.get_context("fork")
    workers = []
    for share in shares:
        receiving, sending = context.Pipe(duplex=False)
        worker = context.Process(target=_work, args=(sending, analysis, places, share, new_prover), daemon=True)
        worker.start()
        sending.close()
        workers.append((worker, receiving))
    calls = 0
    for worker, receiving in workers:
        try:
            found: Found | None = receiving.recv()
        except EOFError:
            found = None
        worker.join()
        if found is not None:
            calls += found.calls
            _merge(analysis.deductions, found)
    return calls


def described(analysis: Analysis, program: Program) -> dict[int, list[BooleanHeap]]:
    """By location: Boolean heaps that runs pass."""
    known = Known(analysis, program)
    found: dict[int, dict[BooleanHeap, None]] = {}
    for location, heap in heaps_at_locations(program):
        for one in analysis.settled(analysis.program.initial.of(known.vectors(location, heap)), location):
            found.setdefault(location, {})[one] = None
    return {location: list(heaps) for location, heaps in found.items()}


def _work(
    sending: Connection,
    analysis: Analysis,
    places: dict[int, list[BooleanHeap]],
    share: Sequence[int],
    new_prover: Callable[[], Remembering],
) -> None:
    samples, prover = analysis.deductions.samples, new_prover()
    begin = len(samples.heaps)
    deductions = Deductions(samples, prover)
    own = Analysis(
        analysis.program,
        deductions,
        analysis.limits,
        analysis.progress,
        context=analysis.context,
        unsplit=analysis.unsplit,
    )
    for number in share:
        for heap in places[own.program.graph.edges[number].source]:
            if own.limits.expired():
                break
            own.rehearse(heap, number)
    sending.send(Found(_rules(deductions), tuple(samples.heaps[begin:]), prover.calls))


def _rules(deductions: Deductions) -> tuple[Rule, ...]:
    return tuple(
        Rule(columns, one.supposed, one.goal, tuple(one.proving.found), tuple(one.refuting.found))
        for columns, deduction in deductions.all()
        for one in deduction.questions
        if one.proving.found or one.refuting.found
    )


def _merge(deductions: Deductions, found: Found) -> None:
    for rule in found.rules:
        question = deductions.of(rule.columns).question(rule.supposed, rule.goal)
        for known, more in ((question.proving, rule.proving), (question.refuting, rule.refuting)):
            known.found += [cube for cube in more if cube not in known.found]
    samples: Samples = deductions.samples
    for heap in found.heaps:
        samples.add(heap)
