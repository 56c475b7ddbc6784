"""Backward analysis of one obligation for any domain; optionally alternating with a forward analysis (section 3.2.2).

The elements at the entry contain every input from which the obligation fails. A failing run begins there, and all its
states are in the result of a forward analysis of the same domain from there: the next backward analysis drops elements
that are disjoint from it, so that the failing inputs only become fewer. The forward analysis drops elements that are
disjoint from the backward result in the same way.

    analyse(obligation, Problem(...), monitor)          # the elements of inputs from which the obligation may fail
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Generic, Protocol, TypeVar

from heapwright.base.errors import LimitReached
from heapwright.base.source import Span
from heapwright.engines.infer.algorithm import Arc, Direction, Transformer, add, fixpoint
from heapwright.smt.statistics import Statistics

A = TypeVar("A")
D = TypeVar("D", bound="AnyObligation")
E = TypeVar("E")
M = TypeVar("M")
P = TypeVar("P")
S = TypeVar("S")
T = TypeVar("T")
Tell = Callable[[str], None]
MOST_AHEAD = 20  # maximum of forward elements for each backward one; beyond it the alternation stops


class AnyObligation(Protocol):
    """Obligation of any domain; `untracked` is what it depends on that the domain does not track."""

    @property
    def id(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def span(self) -> Span: ...

    @property
    def text(self) -> str: ...

    @property
    def untracked(self) -> str: ...


@dataclass(frozen=True)
class ObligationResult(Generic[D, E]):
    """An obligation, and the abstract inputs from which it may be the first to fail."""

    obligation: D
    failing: tuple[E, ...]
    elements: int  # at all locations together
    rounds: int = 0  # of forward and backward analysis


@dataclass(slots=True)
class Counts:
    """Queries of a prover by their answers."""

    solver: Statistics = field(default_factory=Statistics)
    cache: Statistics = field(default_factory=Statistics)
    models: int = 0
    unknown: int = 0
    proved: tuple[int, ...] = ()  # unsatisfiable queries, by the number of axiom stages that the proof took

    @property
    def questions(self) -> int:
        return self.solver.queries

    @property
    def kept(self) -> int:
        """Answers from the persistent query cache."""
        return self.cache.stored

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.solver + other.solver,
            self.cache + other.cache,
            self.models + other.models,
            self.unknown + other.unknown,
            tuple(map(sum, zip_longest(self.proved, other.proved, fillvalue=0))),
        )


@dataclass(frozen=True)
class InferenceResult(Generic[T, D, E]):
    """Result of the backward analysis of a function, obligation by obligation."""

    task: T
    results: tuple[ObligationResult[D, E], ...]
    counts: Counts
    seconds: float

    @property
    def elements(self) -> int:
        return sum(result.elements for result in self.results)


@dataclass(frozen=True, slots=True)
class Monitor:
    """Progress callback and deadline."""

    tell: Tell
    deadline: float | None

    def at(self, obligation: AnyObligation, what: str, counts: Counts) -> None:
        self.tell(f"{obligation.span.line}: {obligation.kind}: {what}, {counts.questions} queries")
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise LimitReached("the time limit was reached before the precondition was found")


@dataclass(frozen=True)
class Problem(Generic[E, P, S, A, M]):
    """Backward analysis of one obligation: arcs lead from its failure to the location `start`, the entry. Locations
    that the program does not have are negative. `meets`: whether the concretisations of an element and of one of the
    others may overlap. `about`: projection of an element to the inputs, None if it is inconsistent. `rounds`: maximum
    number of alternations with a forward analysis."""

    back: Transformer[E, P, S, A, M]
    arcs: Sequence[Arc[S]]
    failing: Sequence[tuple[int, E]]
    start: int
    ranks: Mapping[int, int]
    meets: Callable[[E, Sequence[E]], bool]
    about: Callable[[E], E | None]
    counts: Counts
    rounds: int = 0


class _TooMuch(Exception):
    """The forward analysis has reached its maximum of elements."""


def analyse(obligation: D, problem: Problem[E, P, S, A, M], monitor: Monitor) -> ObligationResult[D, E]:
    def tick(location: int, elements: int) -> None:
        monitor.at(obligation, f"{elements} elements", problem.counts)

    solution = fixpoint(
        problem.back, problem.arcs, problem.failing, rank=lambda location: problem.ranks.get(location, 0), tick=tick
    )
    done = 0
    for _ in range(problem.rounds):
        cut = _round(problem, solution, tick)
        if cut is None:
            break
        done += 1
        solution, old = cut, solution
        if {location: len(found) for location, found in cut.items()} == {
            location: len(found) for location, found in old.items()
        }:
            break
    domain, failing = problem.back.domain, list[E]()
    for element in solution.get(problem.start, ()):
        about = problem.about(element)
        if about is not None:
            add(domain, failing, about)
    elements = sum(len(found) for location, found in solution.items() if location >= 0)
    return ObligationResult(obligation, tuple(failing), elements, done)


def _round(
    problem: Problem[E, P, S, A, M], solution: dict[int, list[E]], tick: Callable[[int, int], None]
) -> dict[int, list[E]] | None:
    """Backward solution restricted to the forward one; None if there is no failing input or the maximum was reached."""
    entry = solution.get(problem.start)
    if not entry:
        return None

    most = MOST_AHEAD * sum(map(len, solution.values()))

    def ahead(location: int, elements: int) -> None:
        tick(location, elements)
        if elements > most:
            raise _TooMuch

    try:
        reached = fixpoint(
            replace(problem.back, direction=Direction.FORWARD),
            [Arc(arc.target, arc.step, arc.source) for arc in problem.arcs],
            [(problem.start, element) for element in entry],
            rank=lambda location: -problem.ranks.get(location, 0),
            tick=ahead,
            keep=lambda location, element: problem.meets(element, solution.get(location, ())),
        )
    except _TooMuch:
        return None
    return fixpoint(
        problem.back,
        problem.arcs,
        problem.failing,
        rank=lambda location: problem.ranks.get(location, 0),
        tick=tick,
        keep=lambda location, element: problem.meets(element, reached.get(location, ())),
    )
