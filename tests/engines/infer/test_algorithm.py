"""The algorithm of preconditions over a domain so small that everything can be counted.

A store is two numbers from 0 to 2; an element gives each of them a value or leaves it open; a step is any relation
between stores. No pair of a step may be missed, in either direction, whatever the prover fails to find out.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from heapwright.engines.infer.algorithm import Arc, Direction, ProverResult, Transformer, add, fixpoint

VALUES = range(3)
STORES = tuple(itertools.product(VALUES, VALUES))
Store = tuple[int, int]
Element = tuple[int | None, int | None]
Pair = tuple[Element, Element]  # before and after
Step = frozenset[tuple[Store, Store]]
Assertion = tuple[int, int, int]  # half, variable, value: equal to it


def fits(element: Element, store: Store) -> bool:
    return all(want is None or want == have for want, have in zip(element, store, strict=True))


def stores(elements: Sequence[Element]) -> set[Store]:
    return {store for store in STORES if any(fits(element, store) for element in elements)}


def with_value(pair: Pair, half: int, variable: int, value: int) -> Pair:
    changed = [list(pair[0]), list(pair[1])]
    changed[half][variable] = value
    return (changed[0][0], changed[0][1]), (changed[1][0], changed[1][1])


@dataclass(frozen=True)
class Toy:
    """Splits as long as it may: cases of the first variable that is open."""

    splits: bool

    def extend(self, element: Element, step: Step, direction: Direction) -> list[Pair]:
        nothing: Element = (None, None)
        return [(nothing, element) if direction is Direction.BACKWARD else (element, nothing)]

    def exact(self, step: Step) -> bool:
        return False

    def assertions(self, pair: Pair, step: Step) -> list[Assertion]:
        return [(h, v, n) for h in (0, 1) for v in (0, 1) for n in VALUES if pair[h][v] is None]

    def impose(self, pair: Pair, assertion: Assertion) -> Pair:
        return with_value(pair, *assertion)

    def focus(self, pair: Pair, step: Step) -> list[Pair]:
        if self.splits and pair[0][0] is None:
            return [with_value(pair, 0, 0, value) for value in VALUES]
        return [pair]

    def project(self, pair: Pair, step: Step, direction: Direction) -> Element:
        return pair[0] if direction is Direction.BACKWARD else pair[1]

    def covers(self, bigger: Element, smaller: Element) -> bool:
        return all(want is None or want == have for want, have in zip(bigger, smaller, strict=True))


class Enumerating:
    """A prover that looks at every pair; every so often it shrugs."""

    def __init__(self, shrugs: int = 0) -> None:
        self.shrugs = shrugs
        self.questions = 0

    def find(self, pair: Pair, step: Step, violated: Sequence[Assertion]) -> tuple[Store, Store] | ProverResult:
        self.questions += 1
        if self.shrugs and self.questions % self.shrugs == 0:
            return ProverResult.UNKNOWN
        for model in sorted(step):
            if self.fit(model, pair) and (not violated or any(self.refutes(model, one) for one in violated)):
                return model
        return ProverResult.UNSAT

    def refutes(self, model: tuple[Store, Store], assertion: Assertion) -> bool:
        half, variable, value = assertion
        return model[half][variable] != value

    def fit(self, model: tuple[Store, Store], case: Pair) -> tuple[Store, Store] | None:
        return model if fits(case[0], model[0]) and fits(case[1], model[1]) else None


store = st.sampled_from(STORES)
step = st.frozensets(st.tuples(store, store), max_size=12)
element = st.tuples(st.sampled_from([None, 0, 1, 2]), st.sampled_from([None, 0, 1, 2]))


@given(step, element, st.booleans(), st.sampled_from([0, 1, 2, 3]), st.sampled_from(Direction))
@settings(max_examples=300, deadline=None)
def test_no_store_is_missed(step: Step, element: Element, splits: bool, shrugs: int, direction: Direction) -> None:
    found = Transformer(Toy(splits), Enumerating(shrugs), direction).apply(element, step)
    back = direction is Direction.BACKWARD
    wanted = {a if back else b for a, b in step if fits(element, b if back else a)}
    assert wanted <= stores(found)


@given(step, element)
@settings(max_examples=200, deadline=None)
def test_a_prover_that_knows_all_gives_the_best_element_of_each_case(step: Step, element: Element) -> None:
    found = Transformer(Toy(True), Enumerating()).apply(element, step)
    for first in VALUES:
        wanted = {a for a, b in step if fits(element, b) and a[0] == first}
        best = stores([e for e in found if e[0] == first])
        seconds = {a[1] for a in wanted}
        expected = wanted if len(seconds) <= 1 else {(first, value) for value in VALUES}
        assert best == expected


@given(step, element)
@settings(max_examples=100, deadline=None)
def test_models_answer_most_questions(step: Step, element: Element) -> None:
    """One question for all open assertions: never more than there are distinct models, plus two."""
    prover = Enumerating()
    Transformer(Toy(False), prover).apply(element, step)
    assert prover.questions <= len(step) + 2


@given(st.lists(st.tuples(st.integers(0, 3), step, st.integers(0, 3)), max_size=5), st.integers(0, 3), element)
@settings(max_examples=200, deadline=None)
def test_the_complement_of_the_fixpoint_cannot_fail(
    edges: list[tuple[int, Step, int]], bad_place: int, bad: Element
) -> None:
    """Going back from the bad states, every store that can reach one is described where it is."""
    arcs = [Arc(target, relation, source) for source, relation, target in edges]
    solution = fixpoint(Transformer(Toy(False), Enumerating()), arcs, [(bad_place, bad)])
    failing = {(bad_place, s) for s in stores([bad])}
    while True:
        more = {
            (source, a) for source, relation, target in edges for a, b in relation if (target, b) in failing
        } - failing
        if not more:
            break
        failing |= more
    for place, s in failing:
        assert s in stores(solution.get(place, []))


def test_sets_keep_no_element_that_another_covers() -> None:
    elements: list[Element] = []
    assert add(Toy(False), elements, (0, 1))
    assert not add(Toy(False), elements, (0, 1))
    assert add(Toy(False), elements, (0, None))
    assert elements == [(0, None)]


def test_a_pair_that_describes_nothing_disappears() -> None:
    assert Transformer(Toy(False), Enumerating()).sharpen(((0, 0), (1, 1)), frozenset()) is None
    assert Transformer(Toy(True), Enumerating()).apply((1, 1), frozenset()) == []
