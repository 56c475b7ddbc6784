"""The whole for one function over an array: what may fail, demand by demand, followed back to the inputs.

found = infer_arrays(read_arrays(program))
found.parts[0].bad                         # the abstract arrays of inputs from which the first demand may fail
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from heapwright.engines.infer.algorithm import Transformer, Verdict, add, fixpoint
from heapwright.engines.infer.arrays import segments
from heapwright.engines.infer.arrays.domain import Arrays
from heapwright.engines.infer.arrays.prover import ArrayProver
from heapwright.engines.infer.arrays.reading import FAILED, Demand, Task
from heapwright.engines.infer.arrays.segments import ANYWHERE, Element
from heapwright.engines.infer.cache import Cache
from heapwright.errors import LimitReached

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Part:
    """A demand, and the abstract arrays of inputs from which it may be the first to fail."""

    demand: Demand
    bad: tuple[Element, ...]
    elements: int  # at all locations together


@dataclass(frozen=True, slots=True)
class Inferred:
    task: Task
    parts: tuple[Part, ...]
    questions: int
    models: int
    unknown: int
    kept: int
    seconds: float


def infer_arrays(
    task: Task, *, deadline: float | None = None, tell: Tell = lambda text: None, cache: Cache | None = None
) -> Inferred:
    """Follows every demand back. Raises `LimitReached` at the deadline: half of a fixpoint says nothing."""
    start = time.monotonic()
    prover = ArrayProver(task.vocabulary, cache=cache)
    parts = tuple(_part(task, demand, prover, deadline, tell) for demand in task.demands)
    counts = prover.counts
    seconds = time.monotonic() - start
    return Inferred(task, parts, counts.questions, counts.models, counts.unknown, counts.kept, seconds)


def _part(task: Task, demand: Demand, prover: ArrayProver, deadline: float | None, tell: Tell) -> Part:
    ranks = {location: place for place, location in enumerate(task.program.graph.postorder)}

    def tick(place: int, elements: int) -> None:
        tell(f"{demand.span.line}: {demand.kind}: {elements} abstract arrays, {prover.counts.questions} questions")
        if deadline is not None and time.monotonic() >= deadline:
            raise LimitReached("the time limit was reached before the precondition was found")

    domain = Arrays(task.vocabulary)
    initial = [(FAILED, start_element(task))]
    solution = fixpoint(
        Transformer(domain, prover),
        (*demand.arcs, *task.arcs),
        initial,
        rank=lambda place: ranks.get(place, 0),
        tick=tick,
    )
    bad: list[Element] = []
    for element in solution.get(task.begin, ()):
        about = _about_inputs(task, element)
        if about is not None and prover.possible(about) is not Verdict.NONE:
            add(domain, bad, about)
    return Part(demand, tuple(bad), sum(map(len, solution.values())) - len(initial))


def start_element(task: Task) -> Element:
    """Every store, with what is known of constants."""
    vocabulary = task.vocabulary
    element = segments.anything(len(vocabulary.spots), vocabulary.terms)
    for i, one in enumerate(vocabulary.constants):
        for j, two in enumerate(vocabulary.constants):
            first, second = len(vocabulary.data) + i, len(vocabulary.data) + j
            element = segments.with_mask(element, first, second, segments.relation(one, two))
    return element


def _about_inputs(task: Task, element: Element) -> Element | None:
    """What an element says of the inputs; nobody has given the other variables a value."""
    for place in range(len(task.vocabulary.spots)):
        if place not in task.spots:
            element = segments.with_where(element, place, ANYWHERE)
    for term in range(len(task.vocabulary.data)):
        if term not in task.data:
            element = segments.forget_term(element, term)
    settled = segments.tighten(element)
    return None if settled is None else segments.blur(settled)
