"""The algorithm of section 3 of the paper, for any powerset domain whose elements can be written as formulas.

A step of a program is a relation between stores. To propagate an element over it, the element is *extended* to pairs of
stores whose new half is unconstrained, *sharpened* by the assertions that the prover derives from element and step,
*focused* into cases of which more can be derived, and *projected* to the new half. An unknown answer of the prover is
not used, so that the result over-approximates.

    back = Transformer(domain, prover, Direction.BACKWARD)
    back.apply(element, step)              # at least the stores from which the step leads into the element

The same code runs forwards: only `extend` and `project` of a domain depend on the direction. The names of the paper are
EXTENDPRE, ASSERTIONS, IMPOSE, FOCUS, PROJECTPRE (the methods of `Domain`), SHARPEN (`Transformer.sharpen`),
BACKWARDTRANSFORM (`Transformer.apply`) and INFERPRECONDITION (`fixpoint`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, Protocol, TypeVar

from heapwright.engines.kit.worklist import Worklist

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
    """Answer of a prover that has no model: the query is unsatisfiable, or unknown in the limits."""

    UNSAT = "unsat"
    UNKNOWN = "unknown"


class Domain(Protocol[E, P, S_contra, A]):
    def extend(self, element: E, step: S_contra, direction: Direction) -> Iterable[P]:
        """Pairs whose given half is the element; together they cover all pairs of the step."""

    def exact(self, step: S_contra) -> bool:
        """Whether `extend` is the best transformer of this step, so that no query is needed."""

    def assertions(self, pair: P, step: S_contra) -> Sequence[A]:
        """Candidate assertions that would sharpen the pair."""

    def impose(self, pair: P, assertion: A) -> P:
        """The pair with an assertion that was proved of its concretisation."""

    def focus(self, pair: P, step: S_contra) -> Sequence[P]:
        """Case split that covers the pair; the pair alone if there is nothing to focus on. Every sequence of splits
        is finite."""

    def project(self, pair: P, step: S_contra, direction: Direction) -> E:
        """Over-approximation of the half that `extend` added."""

    def covers(self, bigger: E, smaller: E) -> bool:
        """Coverage of the smaller element by the bigger one; may be False where it holds."""


class Prover(Protocol[P_contra, S_contra, A_contra, M]):
    def find(self, pair: P_contra, step: S_contra, violated: Sequence[A_contra]) -> M | ProverResult:
        """Model of pair and step that violates one of the assertions; with no assertions, any model."""

    def refutes(self, model: M, assertion: A_contra) -> bool:
        """Whether the model violates the assertion."""

    def fit(self, model: M, case: P_contra) -> M | None:
        """The model as a model of a case of its pair; None if it belongs to another case."""


@dataclass(frozen=True, slots=True)
class SharpenedPair(Generic[P, M]):
    """A sharpened pair and the models of its queries."""

    pair: P
    models: tuple[M, ...]


@dataclass(frozen=True, slots=True)
class Transformer(Generic[E, P, S, A, M]):
    """`repeat`: sharpen until the pair no longer changes, as an imposed assertion may make others provable."""

    domain: Domain[E, P, S, A]
    prover: Prover[P, S, A, M]
    direction: Direction = Direction.BACKWARD
    repeat: bool = False

    def apply(self, element: E, step: S) -> list[E]:
        """Abstract transformer: elements that together cover the stores on the other side of the step."""
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
            # A model of the pair is a model of the cases that it fits, which saves their queries.
            for case in cases:
                fitting = [self.prover.fit(model, case) for model in sharpened.models]
                active.append((case, tuple(model for model in fitting if model is not None)))
        return result

    def sharpen(self, pair: P, step: S, models: tuple[M, ...] = ()) -> SharpenedPair[P, M] | None:
        """The pair with every assertion that follows from it and the step; None if it describes nothing."""
        while True:
            found = self._sharpen(pair, step, models)
            if found is None or found.pair == pair or not self.repeat:
                return found
            fitting = [self.prover.fit(model, found.pair) for model in found.models]
            pair, models = found.pair, tuple(model for model in fitting if model is not None)

    def _sharpen(self, pair: P, step: S, models: tuple[M, ...]) -> SharpenedPair[P, M] | None:
        """One round of sharpening.

        One query is made for all open assertions: a model refutes those that it violates, and if it is unsatisfiable
        then all that are left hold. Where the answer is unknown, each assertion is a query by itself."""
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
            if len(left) == len(open_):  # a model that refutes nothing would be found again
                open_ = [one for one in open_ if self.prover.find(pair, step, (one,)) is ProverResult.UNSAT]
                break
            open_ = left
        for one in open_:
            pair = self.domain.impose(pair, one)
        return SharpenedPair(pair, models)


def add(domain: Domain[E, P, S, A], elements: list[E], new: E) -> bool:
    """Adds an element to a set unless it is covered, and removes those that it covers. Whether it was added."""
    if any(domain.covers(old, new) for old in elements):
        return False
    elements[:] = [old for old in elements if not domain.covers(new, old)]
    elements.append(new)
    return True


@dataclass(frozen=True, slots=True)
class Arc(Generic[S]):
    """A step from a location of the program to another, in the direction of the analysis."""

    source: int
    step: S
    target: int


def fixpoint(
    transformer: Transformer[E, P, S, A, M],
    arcs: Sequence[Arc[S]],
    initial: Iterable[tuple[int, E]],
    *,
    rank: Callable[[int], int] = lambda location: location,
    tick: Callable[[int, int], None] = lambda location, elements: None,
    keep: Callable[[int, E], bool] = lambda location, element: True,
) -> dict[int, list[E]]:
    """Least fixpoint over the initial elements: the elements of each location. Locations of the lowest rank come first.
    `tick` gets the location and the number of elements so far, and may raise to stop the analysis, which then has no
    result. Elements that `keep` rejects are dropped."""
    leaving: dict[int, list[Arc[S]]] = {}
    for arc in arcs:
        leaving.setdefault(arc.source, []).append(arc)
    solution: dict[int, list[E]] = {}
    waiting: Worklist[tuple[int, E]] = Worklist()

    def reach(location: int, element: E) -> None:
        if keep(location, element) and add(transformer.domain, solution.setdefault(location, []), element):
            waiting.push(rank(location), (location, element))

    for location, element in initial:
        reach(location, element)
    while waiting:
        ((location, element),) = waiting.pop(together=False)
        if element not in solution[location]:
            continue  # covered in the meantime
        tick(location, sum(len(elements) for elements in solution.values()))
        for arc in leaving.get(location, ()):
            for found in transformer.apply(element, arc.step):
                reach(arc.target, found)
    return solution
