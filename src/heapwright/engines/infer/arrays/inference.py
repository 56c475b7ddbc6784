"""Backward analysis of all obligations of a function over arrays.

found = infer_arrays(translate_arrays(program))
found.results[0].failing                   # the abstract arrays of inputs from which the first obligation may fail
"""

from __future__ import annotations

import time

from heapwright.engines.infer import obligation_analysis
from heapwright.engines.infer.algorithm import ProverResult, Transformer
from heapwright.engines.infer.arrays import abstract_arrays as segments
from heapwright.engines.infer.arrays.abstract_arrays import ANYWHERE, Element
from heapwright.engines.infer.arrays.domain import Arrays, Assertion, Pair
from heapwright.engines.infer.arrays.negated_assertions import FAILED, Obligation
from heapwright.engines.infer.arrays.program_translation import Task
from heapwright.engines.infer.arrays.solver import ArrayProver, Model
from heapwright.engines.infer.arrays.stores import Step
from heapwright.engines.infer.obligation_analysis import Counts, Monitor, Problem, Tell
from heapwright.engines.infer.query_cache import Cache

ObligationResult = obligation_analysis.ObligationResult[Obligation, Element]
Inferred = obligation_analysis.InferenceResult[tuple[Task, ...], Obligation, Element]


def infer_arrays(
    tasks: tuple[Task, ...],
    *,
    deadline: float | None = None,
    tell: Tell = lambda text: None,
    cache: Cache | None = None,
    iterate: int = 0,
) -> Inferred:
    """Failing inputs of every obligation; `iterate`: maximum number of alternations with a forward analysis. Raises
    `LimitReached` at the deadline, as an unfinished fixpoint proves nothing."""
    start = time.monotonic()
    monitor = Monitor(tell, deadline)
    results: list[ObligationResult] = []
    counts = Counts()
    for task in tasks:
        prover = ArrayProver(task.vocabulary, cache=cache)
        results += [
            obligation_analysis.analyse(obligation, _problem(task, obligation, prover, iterate), monitor)
            for obligation in task.obligations
        ]
        counts += prover.counts
    return Inferred(tasks, tuple(results), counts, time.monotonic() - start)


def _problem(
    task: Task, obligation: Obligation, prover: ArrayProver, iterate: int
) -> Problem[Element, Pair, Step, Assertion, Model]:
    def about(element: Element) -> Element | None:
        found = _about_inputs(task, element)
        return None if found is None or prover.possible(found) is ProverResult.UNSAT else found

    return Problem(
        Transformer(Arrays(task.vocabulary), prover),
        (*obligation.arcs, *task.arcs),
        [(FAILED, start_element(task))],
        task.begin,
        {location: index for index, location in enumerate(task.program.graph.postorder)},
        prover.meets,
        about,
        prover.counts,
        iterate,
    )


def start_element(task: Task) -> Element:
    """Every store, with the order of constants."""
    vocabulary = task.vocabulary
    element = segments.anything(len(vocabulary.spots), vocabulary.terms)
    for i, one in enumerate(vocabulary.constants):
        for j, two in enumerate(vocabulary.constants):
            first, second = len(vocabulary.data) + i, len(vocabulary.data) + j
            element = segments.with_mask(element, first, second, segments.relation(one, two))
    return element


def _about_inputs(task: Task, element: Element) -> Element | None:
    """Projection of an element to the inputs; other variables are uninitialised at the entry."""
    for index in range(len(task.vocabulary.spots)):
        if index not in task.spots:
            element = segments.with_where(element, index, ANYWHERE)
    for term in range(len(task.vocabulary.data)):
        if term not in task.data:
            element = segments.forget_term(element, term)
    settled = segments.tighten(element)
    return None if settled is None else segments.blur(settled)
