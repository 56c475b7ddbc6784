"""The algorithm of section 3 of the paper, for any powerset domain whose elements can be written as formulas.

A step of a program is a relation between stores. An element that is to be followed over it is *extended* to one that
describes pairs of stores and knows nothing of the new half; it is *sharpened* by everything that a prover derives from
the element and the step, *split* where more could be derived of the cases, and *projected* to the new half. Whatever
the prover does not find out is not used, so that the result describes at least the stores that it should.

    back = Transformer(domain, prover, Direction.BACKWARD)
    back.apply(element, step)              # at least the stores from which the step leads into the element

The same code goes forwards: only `extend` and `project` of a domain look at the direction. The names of the paper are
EXTENDPRE, ASSERTIONS, IMPOSE, FOCUS, PROJECTPRE (the methods of `Domain`), SHARPEN (`Transformer.sharpen`),
BACKWARDTRANSFORM (`Transformer.apply`) and INFERPRECONDITION (`fixpoint`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, Protocol, TypeVar

E = TypeVar("E")  # an element of the domain
P = TypeVar("P")  # an element over pairs of stores
S = TypeVar("S")  # a step of the program
A = TypeVar("A")  # an assertion about pairs
M = TypeVar("M")  # a pair of stores that a prover found
A_contra = TypeVar("A_contra", contravariant=True)
P_contra = TypeVar("P_contra", contravariant=True)
S_contra = TypeVar("S_contra", contravariant=True)


class Direction(Enum):
    BACKWARD = "backward"
    FORWARD = "forward"


class ProverResult(Enum):
    """What a prover says of a question to which it has no model."""

    UNSAT = "there is none"
    UNKNOWN = "not found out"


class Domain(Protocol[E, P, S_contra, A]):
    def extend(self, element: E, step: S_contra, direction: Direction) -> Iterable[P]:
        """The pairs one half of which the element describes; together they leave out no pair of the step."""

    def exact(self, step: S_contra) -> bool:
        """Whether `extend` already tells all that there is to tell over this step, so that nothing need be proved."""

    def assertions(self, pair: P, step: S_contra) -> Sequence[A]:
        """What could be added to what the pair says."""

    def impose(self, pair: P, assertion: A) -> P:
        """The pair with an assertion that is known to hold of all that it describes."""

    def focus(self, pair: P, step: S_contra) -> Sequence[P]:
        """Cases that describe no less than the pair; the pair alone if there is nothing to tell apart. Every sequence
        of splits is finite."""

    def project(self, pair: P, step: S_contra, direction: Direction) -> E:
        """The half that `extend` added; it describes no less."""

    def covers(self, bigger: E, smaller: E) -> bool:
        """Whether the bigger element describes all that the smaller does; False where that is not known."""


class Prover(Protocol[P_contra, S_contra, A_contra, M]):
    def find(self, pair: P_contra, step: S_contra, broken: Sequence[A_contra]) -> M | ProverResult:
        """Two stores that the pair describes and the step connects, of which one of the assertions does not hold; with
        no assertions, any two stores."""

    def refutes(self, model: M, assertion: A_contra) -> bool:
        """Whether the assertion does not hold of the model."""

    def fit(self, model: M, case: P_contra) -> M | None:
        """The model as one of a case of the pair that it was found for; None if it is of another case."""


@dataclass(frozen=True, slots=True)
class Sharpened(Generic[P, M]):
    """A pair and the models that were found on the way."""

    pair: P
    models: tuple[M, ...]


@dataclass(frozen=True, slots=True)
class Transformer(Generic[E, P, S, A, M]):
    """`repeat`: more can follow from a pair once it says what follows, so that it is sharpened until nothing is new."""

    domain: Domain[E, P, S, A]
    prover: Prover[P, S, A, M]
    direction: Direction = Direction.BACKWARD
    repeat: bool = False

    def apply(self, element: E, step: S) -> list[E]:
        """Elements that together describe at least the stores on the other side of the step."""
        result: list[E] = []
        if self.domain.exact(step):
            for pair in self.domain.extend(element, step, self.direction):
                add(self.domain, result, self.domain.project(pair, step, self.direction))
            return result
        active: list[tuple[P, tuple[M, ...]]] = [
            (pair, ()) for pair in self.domain.extend(element, step, self.direction)
        ]
        while active:
            pair, models = active.pop()
            sharpened = self.sharpen(pair, step, models)
            if sharpened is None:
                continue
            cases = self.domain.focus(sharpened.pair, step)
            if len(cases) == 1 and cases[0] == sharpened.pair:
                add(self.domain, result, self.domain.project(sharpened.pair, step, self.direction))
                continue
            # A model of the whole is a model of the cases that it fits, and spares the questions that it answers.
            for case in cases:
                fitting = [self.prover.fit(model, case) for model in sharpened.models]
                active.append((case, tuple(model for model in fitting if model is not None)))
        return result

    def sharpen(self, pair: P, step: S, models: tuple[M, ...] = ()) -> Sharpened[P, M] | None:
        """The pair with every assertion that follows from it and the step; None if it describes nothing."""
        while True:
            found = self._sharpen(pair, step, models)
            if found is None or found.pair == pair or not self.repeat:
                return found
            fitting = [self.prover.fit(model, found.pair) for model in found.models]
            pair, models = found.pair, tuple(model for model in fitting if model is not None)

    def _sharpen(self, pair: P, step: S, models: tuple[M, ...]) -> Sharpened[P, M] | None:
        """What follows at once.

        One question is asked for all assertions that are open: a model settles those that it breaks, and if there is no
        model then all that are left hold. Where the prover does not know, each is asked about by itself."""
        if not models:
            found = self.prover.find(pair, step, ())
            if found is ProverResult.UNSAT:
                return None
            models = (found,) if not isinstance(found, ProverResult) else ()
        open_ = [
            one
            for one in self.domain.assertions(pair, step)
            if not any(self.prover.refutes(model, one) for model in models)
        ]
        while open_:
            found = self.prover.find(pair, step, open_)
            if found is ProverResult.UNSAT:
                break
            if isinstance(found, ProverResult):
                open_ = [one for one in open_ if self.prover.find(pair, step, (one,)) is ProverResult.UNSAT]
                break
            models = (*models, found)
            left = [one for one in open_ if not self.prover.refutes(found, one)]
            if len(left) == len(open_):  # a model that settles nothing would come back for ever
                open_ = [one for one in open_ if self.prover.find(pair, step, (one,)) is ProverResult.UNSAT]
                break
            open_ = left
        for one in open_:
            pair = self.domain.impose(pair, one)
        return Sharpened(pair, models)


def add(domain: Domain[E, P, S, A], elements: list[E], new: E) -> bool:
    """Puts an element into a set unless one is there that covers it; those that it covers go. Whether it was put."""
    if any(domain.covers(old, new) for old in elements):
        return False
    elements[:] = [old for old in elements if not domain.covers(new, old)]
    elements.append(new)
    return True


@dataclass(frozen=True, slots=True)
class Arc(Generic[S]):
    """A step from a place of the program to another, seen in the direction of the analysis."""

    source: int
    step: S
    target: int


def fixpoint(
    transformer: Transformer[E, P, S, A, M],
    arcs: Sequence[Arc[S]],
    initial: Iterable[tuple[int, E]],
    *,
    rank: Callable[[int], int] = lambda place: place,
    tick: Callable[[int, int], None] = lambda place, elements: None,
    keep: Callable[[int, E], bool] = lambda place, element: True,
) -> dict[int, list[E]]:
    """What reaches each place from the initial elements, along arcs. Places of the lowest rank come first; `tick` is
    told the place and the number of elements so far, and may raise to stop, after which nothing may be concluded. What
    is known not to matter at a place is not kept there."""
    leaving: dict[int, list[Arc[S]]] = {}
    for arc in arcs:
        leaving.setdefault(arc.source, []).append(arc)
    solution: dict[int, list[E]] = {}
    waiting: list[tuple[int, E]] = []

    def reach(place: int, element: E) -> None:
        if keep(place, element) and add(transformer.domain, solution.setdefault(place, []), element):
            waiting.append((place, element))

    for place, element in initial:
        reach(place, element)
    while waiting:
        at = min(range(len(waiting)), key=lambda i: (rank(waiting[i][0]), i))
        place, element = waiting.pop(at)
        if element not in solution[place]:
            continue  # a larger one came in the meantime
        tick(place, sum(len(elements) for elements in solution.values()))
        for arc in leaving.get(place, ()):
            for found in transformer.apply(element, arc.step):
                reach(arc.target, found)
    return solution
