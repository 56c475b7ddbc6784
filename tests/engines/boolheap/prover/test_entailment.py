"""What the prover says is entailed holds on every small heap, and it misses little."""

from __future__ import annotations

import random

import pytest
from engines.boolheap.heaps import all_heaps

from heapwright.engines.boolheap.concrete.small_heaps import Heap, Signature, evaluator, sample
from heapwright.engines.boolheap.logic.formulas import conj, negation
from heapwright.engines.boolheap.logic.parser import parse
from heapwright.engines.boolheap.logic.printing import text
from heapwright.engines.boolheap.prover.entailment import Prover

ATOMS = [
    "x = v",
    "y = v",
    "x = y",
    "null = v",
    "junk = v",
    "alive(v)",
    "alive(x)",
    "reach(x, v, next)",
    "reach(y, v, next)",
    "reach(v, null, next)",
    "reach(y, x, next)",
    "v.next = x",
    "x.next = v",
    "x.next = y",
    "between(x, v, y, next)",
    "fresh = v",
]


@pytest.fixture(scope="module")
def heaps() -> list[Heap]:
    small = [heap for size in (1, 2, 3) for heap in all_heaps(Signature(("x", "y"), ("next",)), size)]
    return small + list(sample(Signature(("x", "y"), ("next",)), 400, largest=6, seed=2))


def test_no_entailment_fails_on_a_heap(heaps: list[Heap]) -> None:
    chance, prover, answers = random.Random(11), Prover(), {True: 0, False: 0}
    missed = 0
    for _ in range(120):
        literals = [parse(one) for one in chance.sample(ATOMS, 4)]
        literals = [one if chance.random() < 0.5 else negation(one) for one in literals]
        goal, assumptions = literals[0], literals[1:]
        core = prover.entails(assumptions, goal)
        bad = evaluator(conj(*assumptions, negation(goal)))
        holds = not any(bad(heap, v) for heap in heaps for v in heap.everything)
        assert core is None or holds, [text(one) for one in literals]
        answers[core is not None] += 1
        missed += core is None and holds
        if core is not None:
            enough = evaluator(conj(*(assumptions[place] for place in core), negation(goal)))
            assert not any(enough(heap, v) for heap in heaps for v in heap.everything)
    assert min(answers.values()) >= 10
    assert missed <= 3  # where only larger heaps tell


def test_calls_are_counted() -> None:
    prover = Prover()
    prover.entails([], parse("x = v"))
    prover.entails([parse("x = v")], parse("x = v"))
    assert prover.statistics.queries == 2


def test_models_are_near_to_heaps_that_show_why(heaps: list[Heap]) -> None:
    """A candidate model of z3 counts only if it is a heap."""
    chance, prover, shown, asked = random.Random(5), Prover(), 0, 0
    for _ in range(60):
        literals = [parse(one) for one in chance.sample(ATOMS, 4)]
        literals = [one if chance.random() < 0.5 else negation(one) for one in literals]
        if prover.entails(literals[1:], literals[0]) is None:
            asked += 1
            assert prover.candidate is not None
            heap, v = prover.candidate
            shown += evaluator(conj(*literals[1:], negation(literals[0])))(heap, v)
    assert asked >= 20
    assert shown >= 0.6 * asked


def test_a_model_tells_numbers_and_data() -> None:
    prover = Prover()
    assumptions = [parse("x#key < #i"), parse("#i < v#key"), parse("x != v"), parse("alive(x)"), parse("alive(v)")]
    assert prover.entails(assumptions, parse("#i = 0")) is None
    assert prover.candidate is not None
    heap, v = prover.candidate
    assert all(evaluator(one)(heap, v) for one in (*assumptions, parse("#i != 0")))
