"""The domain of abstract arrays against the concrete semantics: no store before a step may be missed.

Stores, steps and elements are drawn at random; elements are made from a store by merging neighbours, so that each of
them describes it. Whatever the prover finds out, what `apply` gives describes the store from which the step led there.
"""

from __future__ import annotations

import random

import pytest

from heapwright.engines.infer.algorithm import Direction, ProverResult, Transformer
from heapwright.engines.infer.arrays import abstract_arrays as segments
from heapwright.engines.infer.arrays.abstract_arrays import (
    ABOVE,
    ANYWHERE,
    BELOW,
    FREE,
    HALF,
    NO,
    ONE,
    SOME,
    YES,
    Element,
)
from heapwright.engines.infer.arrays.domain import Arrays
from heapwright.engines.infer.arrays.inclusion import covers
from heapwright.engines.infer.arrays.membership import describes
from heapwright.engines.infer.arrays.solver import ArrayProver
from heapwright.engines.infer.arrays.stores import (
    LENGTH,
    ZERO,
    ArrayStore,
    Gather,
    HavocData,
    HavocSpot,
    Idle,
    IsNull,
    Load,
    Move,
    Order,
    Outside,
    Put,
    Spot,
    Step,
    Take,
    Vocabulary,
    Weigh,
    after,
)
from heapwright.program.expressions import COMPARISONS
from heapwright.program.types import IntType

BYTE = IntType(8, True)
VOCABULARY = Vocabulary((("i", BYTE), ("j", BYTE)), ("d",), (0, 2), BYTE, 100)


def _store(draw: random.Random) -> ArrayStore:
    length = draw.choice([0, 0, 1, 2, 3, 4])
    cells = tuple(draw.randrange(-1, 4) for _ in range(length))
    spots = tuple(draw.choice([*range(-2, length + 3), -128, 127]) for _ in range(2))
    return ArrayStore(not length and draw.random() < 0.3, cells, spots, (draw.randrange(-1, 4),))


def _spot(draw: random.Random) -> Spot:
    return Spot(draw.choice([0, 1, 0, 1, ZERO, LENGTH]), draw.choice([-1, 0, 0, 1, 1, 2]), BYTE)


def _step(draw: random.Random) -> Step:
    variable = Spot(draw.randrange(2), 0, BYTE)
    steps: list[Step] = [
        Move(draw.randrange(2), _spot(draw)),
        Move(0, Spot(0, draw.choice([-1, 1]), BYTE)),
        HavocSpot(draw.randrange(2)),
        Order(draw.choice(COMPARISONS), _spot(draw), _spot(draw)),
        Load(draw.choice([0, 0, None]), variable),
        Put(variable, draw.choice([0, 1, 2])),
        Take(0, draw.randrange(3)),
        HavocData(0),
        Weigh(draw.choice(COMPARISONS), draw.randrange(3), draw.randrange(3)),
        IsNull(draw.random() < 0.5),
        Outside(variable),
        Idle(),
        Gather(),
    ]
    return draw.choice(steps)


def _exact(store: ArrayStore) -> Element:
    """Everything that can be said of a store: each position is a node."""
    length = len(store.cells)
    where = tuple(BELOW if value < 0 else ABOVE if value > length else value for value in store.spots)
    values = (*VOCABULARY.values(store), *store.cells)
    rel = tuple(
        tuple(segments.ANY if i == j >= 3 else segments.relation(x, y) for j, y in enumerate(values))
        for i, x in enumerate(values)
    )
    return Element(YES if store.null else NO, (ONE,) * (length + 1), where, rel)


def _vaguer(draw: random.Random, element: Element) -> Element:
    """An element that says less."""
    for variable in range(2):
        if draw.random() < 0.4:
            element = segments.with_where(element, variable, ANYWHERE)
    if draw.random() < 0.3:
        element = segments.forget_term(element, 0)
    for node in reversed(range(element.end - 1)):
        marks = element.landmarks()
        if node not in marks and node + 1 not in marks and draw.random() < 0.5:
            element = segments.merged(element, node)
    for node in range(element.end):
        if node not in element.landmarks() and draw.random() < 0.3:
            element = segments.with_size(element, node, draw.choice([SOME, FREE]) if element.sizes[node] else FREE)
        if draw.random() < 0.3:
            element = segments.forget_term(element, element.terms + node)
    if draw.random() < 0.3:
        element = Element(HALF, element.sizes, element.where, element.rel)
    return element


def _describes(element: Element, store: ArrayStore) -> bool:
    return describes(element, store, VOCABULARY.values(store))


def test_long_arrays_alone_are_unknown() -> None:
    """Models are short, but that there is no short one excludes nothing."""
    prover, element = ArrayProver(VOCABULARY), segments.anything(len(VOCABULARY.spots), VOCABULARY.terms)
    assert prover.possible(element, lambda names: [names.length >= 60]) is ProverResult.UNKNOWN
    assert prover.possible(element, lambda names: [names.length >= 20, names.length < 20]) is ProverResult.UNSAT
    assert isinstance(prover.possible(element, lambda names: [names.length >= 20]), ArrayStore)


@pytest.mark.parametrize("seed", range(4))
def test_no_store_before_a_step_is_missed(seed: int) -> None:
    draw = random.Random(seed)
    prover = ArrayProver(VOCABULARY)
    transformer = Transformer(Arrays(VOCABULARY), prover)
    steps = 0
    while steps < 60:
        store, step = _store(draw), _step(draw)
        then = after(store, step, VOCABULARY)
        if then is None:
            continue
        steps += 1
        element = _vaguer(draw, _exact(then))
        assert _describes(element, then)
        found = transformer.apply(element, step)
        assert any(_describes(one, store) for one in found), (store, step, element)
    assert prover.counts.models


@pytest.mark.parametrize("seed", range(4))
def test_no_store_after_a_step_is_missed(seed: int) -> None:
    draw = random.Random(seed)
    prover = ArrayProver(VOCABULARY)
    transformer = Transformer(Arrays(VOCABULARY), prover, Direction.FORWARD)
    steps = 0
    while steps < 60:
        store, step = _store(draw), _step(draw)
        then = after(store, step, VOCABULARY)
        if then is None:
            continue
        steps += 1
        element = _vaguer(draw, _exact(store))
        found = transformer.apply(element, step)
        assert any(_describes(one, then) for one in found), (store, step, element)
    assert prover.counts.models


def test_forwards_what_is_known_is_used() -> None:
    """From the last cell `i = i + 1` leads behind it; what is loaded there equals the cell, and what is stored, too."""
    prover = ArrayProver(VOCABULARY)
    transformer = Transformer(Arrays(VOCABULARY), prover, Direction.FORWARD)
    last = Element(NO, (FREE, ONE, ONE), (1, ANYWHERE), segments.anything(2, 4).rel)
    (moved,) = transformer.apply(last, Move(0, Spot(0, 1, BYTE)))
    assert moved.where[0] == moved.end
    (loaded,) = transformer.apply(last, Load(0, Spot(0, 0, BYTE)))
    assert loaded.rel[0][loaded.terms + loaded.where[0]] == segments.EQUAL
    (stored,) = transformer.apply(last, Put(Spot(0, 0, BYTE), 1))
    assert stored.rel[1][stored.terms + stored.where[0]] == segments.EQUAL


@pytest.mark.parametrize("seed", range(2))
def test_elements_of_one_store_meet(seed: int) -> None:
    draw = random.Random(seed)
    prover = ArrayProver(VOCABULARY)
    apart = 0
    for _ in range(60):
        store, other = _store(draw), _store(draw)
        one, two, three = (_vaguer(draw, _exact(of)) for of in (store, store, other))
        assert prover.meets(one, [two])
        assert prover.meets(one, [three, two])
        apart += not prover.meets(one, [three])
    assert apart


def test_what_is_known_is_used() -> None:
    """After `i = i + 1` with i behind the last cell, i was at the last cell, and nowhere else."""
    prover = ArrayProver(VOCABULARY)
    transformer = Transformer(Arrays(VOCABULARY), prover)
    end = segments.with_where(segments.anything(2, 3), 0, 1)
    found = transformer.apply(end, Move(0, Spot(0, 1, BYTE)))
    assert {(one.sizes, one.where[0]) for one in found} == {((FREE, ONE, ONE), 1), ((ONE,), BELOW)}


def test_overflow_leads_below() -> None:
    """The largest value plus one is the smallest, which is below 0."""
    prover = ArrayProver(VOCABULARY)
    transformer = Transformer(Arrays(VOCABULARY), prover)
    below = segments.with_where(segments.anything(2, 3), 0, BELOW)
    found = transformer.apply(below, Move(0, Spot(0, 1, BYTE)))
    assert {one.where[0] for one in found} == {BELOW, ABOVE}


@pytest.mark.parametrize("seed", range(3))
def test_order_merging_and_tightening_lose_no_store(seed: int) -> None:
    draw = random.Random(seed)
    related = 0
    for _ in range(400):
        store = _store(draw)
        element = _vaguer(draw, _exact(store))
        tight = segments.tighten(element)
        assert tight is not None
        for one in (tight, segments.blur(tight), segments.gather(tight)):
            assert _describes(one, store)
        assert covers(segments.gather(tight), tight)
        assert covers(_vaguer(draw, element), element)
        wide = _vaguer(draw, _vaguer(draw, _exact(store)))
        for its in (_store(draw) for _ in range(20)):
            if covers(wide, element) and _describes(element, its):
                related += 1
                assert _describes(wide, its)
    assert related


def test_an_element_of_nothing_has_no_model() -> None:
    prover = ArrayProver(VOCABULARY)
    element = segments.with_where(segments.anything(2, 3), 0, BELOW)
    assert prover.possible(element) is not ProverResult.UNSAT
    impossible = segments.with_mask(element, 0, 1, segments.LESS)
    impossible = segments.with_mask(impossible, 0, 2, segments.GREATER)  # less than 0 and greater than 2
    assert prover.possible(impossible) is ProverResult.UNSAT
    assert segments.tighten(segments.with_mask(impossible, 1, 2, segments.LESS)) is None
