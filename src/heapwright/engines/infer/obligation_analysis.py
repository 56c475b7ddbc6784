"""A demand followed back to the inputs, for any domain; and, where asked, forwards and backwards in turn (3.2.2).

Every input that breaks the demand is among what arrives at the entry. So a run that breaks it begins there, and all its
states are among what a forward analysis of the same domain finds from there: what the next backward analysis meets
outside of that is dropped, and what is left at the entry is no more than before. Forwards, what the backward analysis
did not reach is dropped in the same way.

    analyse(demand, Problem(...), watch)                   # the elements of inputs from which the demand may fail
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
MOST_AHEAD = 20  # elements of a forward analysis for each of the backward one; beyond that the answer so far has to do


class AnyObligation(Protocol):
    """What must hold, as far as it is the same in all domains; not `followed`: it depends on what is not followed."""

    @property
    def id(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def span(self) -> Span: ...

    @property
    def text(self) -> str: ...

    @property
    def followed(self) -> bool: ...


@dataclass(frozen=True)
class ObligationResult(Generic[D, E]):
    """A demand, and the elements of inputs from which it may be the first to fail."""

    obligation: D
    failing: tuple[E, ...]
    elements: int  # at all locations together
    rounds: int = 0  # forwards and back again


@dataclass(slots=True)
class Counts:
    """Queries of a prover, and what came of them."""

    solver: Statistics = field(default_factory=Statistics)
    cache: Statistics = field(default_factory=Statistics)
    models: int = 0
    unknown: int = 0
    proved: tuple[int, ...] = ()  # queries without a model, by how much of the axioms it took

    @property
    def questions(self) -> int:
        return self.solver.queries

    @property
    def kept(self) -> int:
        """Answers that an earlier analysis has left."""
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
class Inferred(Generic[T, D, E]):
    """What was found of a function: its task, and a part for each demand."""

    task: T
    results: tuple[ObligationResult[D, E], ...]
    counts: Counts
    seconds: float

    @property
    def elements(self) -> int:
        return sum(result.elements for result in self.results)


@dataclass(frozen=True, slots=True)
class Monitor:
    """Who is told what happens, and when to stop."""

    tell: Tell
    deadline: float | None

    def at(self, obligation: AnyObligation, what: str, counts: Counts) -> None:
        self.tell(f"{obligation.span.line}: {obligation.kind}: {what}, {counts.questions} questions")
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise LimitReached("the time limit was reached before the precondition was found")


@dataclass(frozen=True)
class Problem(Generic[E, P, S, A, M]):
    """How to follow one demand back: arcs lead from where it fails to the place `start`, where inputs are given. Places
    that are none of the program's are negative. `meets`
    tells whether an element may have a store in common with others; `about` what an element says of the inputs, None if
    nothing is like it. `rounds`: how often to go forwards and back again at most."""

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
    """The forward analysis has become too large to be of use."""


def analyse(obligation: D, problem: Problem[E, P, S, A, M], monitor: Monitor) -> ObligationResult[D, E]:
    def tick(place: int, elements: int) -> None:
        monitor.at(obligation, f"{elements} elements", problem.counts)

    solution = fixpoint(
        problem.back, problem.arcs, problem.failing, rank=lambda place: problem.ranks.get(place, 0), tick=tick
    )
    done = 0
    for _ in range(problem.rounds):
        cut = _round(problem, solution, tick)
        if cut is None:
            break
        done += 1
        solution, old = cut, solution
        if {place: len(found) for place, found in cut.items()} == {place: len(found) for place, found in old.items()}:
            break
    domain, failing = problem.back.domain, list[E]()
    for element in solution.get(problem.start, ()):
        about = problem.about(element)
        if about is not None:
            add(domain, failing, about)
    elements = sum(len(found) for place, found in solution.items() if place >= 0)
    return ObligationResult(obligation, tuple(failing), elements, done)


def _round(
    problem: Problem[E, P, S, A, M], solution: dict[int, list[E]], tick: Callable[[int, int], None]
) -> dict[int, list[E]] | None:
    """What is left of a solution once it has been followed forwards; None if that leads nowhere."""
    entry = solution.get(problem.start)
    if not entry:
        return None

    most = MOST_AHEAD * sum(map(len, solution.values()))

    def ahead(place: int, elements: int) -> None:
        tick(place, elements)
        if elements > most:
            raise _TooMuch

    try:
        reached = fixpoint(
            replace(problem.back, direction=Direction.FORWARD),
            [Arc(arc.target, arc.step, arc.source) for arc in problem.arcs],
            [(problem.start, element) for element in entry],
            rank=lambda place: -problem.ranks.get(place, 0),
            tick=ahead,
            keep=lambda place, element: problem.meets(element, solution.get(place, ())),
        )
    except _TooMuch:
        return None
    return fixpoint(
        problem.back,
        problem.arcs,
        problem.failing,
        rank=lambda place: problem.ranks.get(place, 0),
        tick=tick,
        keep=lambda place, element: problem.meets(element, reached.get(place, ())),
    )
