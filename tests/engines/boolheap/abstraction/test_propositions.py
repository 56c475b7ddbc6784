"""Propositions 1 to 3 and the soundness of both posts, over all heaps of up to three objects.

The best abstract post of a Boolean heap (`post#`, section 6) is computed by enumeration: every heap of its
concretisation is run, and its successor abstracted. Everything else must be above it.
"""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Sequence
from functools import cache

import pytest
from engines.boolheap.heaps import all_heaps, run

from heapwright.engines.boolheap.abstraction.cartesian_post import Deductions, Sharpening, Step
from heapwright.engines.boolheap.concrete.formula_samples import Samples
from heapwright.engines.boolheap.concrete.small_heaps import Evaluator, Heap, Signature, evaluator, sample
from heapwright.engines.boolheap.domain.predicate_columns import AtomTable
from heapwright.engines.boolheap.domain.vectors import BooleanHeap, Vector, VectorSet, pruned
from heapwright.engines.boolheap.logic.formulas import (
    JUNK,
    NULL,
    Formula,
    alive,
    conj,
    disj,
    eq,
    field,
    name,
    negation,
)
from heapwright.engines.boolheap.logic.heap_commands import Create, End, HeapCommand, Link, Point, Suppose
from heapwright.engines.boolheap.logic.parser import parse
from heapwright.engines.boolheap.logic.weakest_preconditions import hwp
from heapwright.engines.boolheap.prover.entailment import Prover

X, Y = name("x"), name("y")
SIGNATURE = Signature(("x", "y"), ("next",))
COMMANDS: dict[str, tuple[HeapCommand, ...]] = {
    "assign": (Point("x", Y),),
    "load": (Suppose(alive(X)), Point("x", field("next", X))),
    "store": (Suppose(alive(X)), Link(X, "next", Y)),
    "new": (Create("x"),),
    "free": (Suppose(alive(X)), Link(X, "next", JUNK), End(X)),
    "assume": (Suppose(negation(eq(X, NULL))),),
    "two steps": (Suppose(alive(X)), Point("y", field("next", X)), Link(X, "next", NULL)),
}
FORMULAS = [
    parse(one)
    for one in (
        *("x = v", "null = v", "alive(v)", "reach(x, v, next)", "reach(v, null, next)", "v.next = y"),
        *("x = y", "v.next = v.next.next", "between(x, v, y, next)", "x.next = v", "reach(v.next, v, next)"),
    )
]
PREDICATES = tuple(
    parse(one)
    for one in ("null = v", "junk = v", "alive(v)", "x = v", "y = v", "reach(x, v, next)", "reach(v, null, next)")
)
ALL = (1 << len(PREDICATES)) - 1


@cache
def heaps() -> tuple[Heap, ...]:
    return tuple(heap for size in (1, 2, 3) for heap in all_heaps(SIGNATURE, size))


@pytest.mark.parametrize("kind", COMMANDS)
def test_proposition_2(kind: str) -> None:
    """hwp by substitution is what the successor says, of every object of every heap."""
    commands = COMMANDS[kind]
    pulled = [hwp(commands, one) for one in FORMULAS]
    supposed = evaluator(pulled[0].supposed)
    pairs = [(evaluator(one.formula), evaluator(formula)) for one, formula in zip(pulled, FORMULAS, strict=True)]
    compared = 0
    for heap in heaps():
        successor = run(heap, commands)
        for v in heap.everything:
            assert (successor is not None) == supposed(heap, v)
            if successor is not None:
                for before, after in pairs:
                    assert before(heap, v) == after(successor, v)
                    compared += 1
    assert compared > 5_000


def combined(chance: random.Random) -> Formula:
    """A random combination of formulas."""
    parts = [one if chance.random() < 0.7 else negation(one) for one in chance.sample(FORMULAS, chance.choice((1, 2)))]
    return (conj if chance.random() < 0.5 else disj)(*parts)


@pytest.mark.parametrize("kind", COMMANDS)
def test_proposition_1(kind: str) -> None:
    """hpost(p) is within q if and only if p is within hwp(q), for both answers."""
    chance, commands = random.Random(kind), COMMANDS[kind]
    runs = [(heap, run(heap, commands)) for heap in chance.sample(heaps(), min(len(heaps()), 250))]
    answers: dict[bool, int] = defaultdict(int)
    for _ in range(60):
        p, q = combined(chance), combined(chance)
        p = conj(p, hwp(commands, q).formula) if chance.random() < 0.4 else p
        precondition = hwp(commands, q)
        holds, wanted = evaluator(p), evaluator(q)
        supposed, before = evaluator(precondition.supposed), evaluator(precondition.formula)
        forward = backward = True
        for heap, successor in runs:
            for v in heap.everything:
                if holds(heap, v):
                    forward &= successor is None or wanted(successor, v)
                    backward &= not supposed(heap, v) or before(heap, v)
        assert forward == backward
        answers[forward] += 1
    assert min(answers[True], answers[False]) > 3


# --- abstract posts --------------------------------------------------------------------------------------------------


def vectors(heap: Heap, holds: Sequence[Evaluator]) -> frozenset[Vector]:
    found = []
    for v in heap.everything:
        vector = Vector(0, 0)
        for place, one in enumerate(holds):
            vector = vector.having(1 << place, one(heap, v))
        found.append(vector)
    return frozenset(found)


class Oracle:
    """All small heaps with their vectors before and after a command."""

    def __init__(self, commands: Sequence[HeapCommand]) -> None:
        holds = [evaluator(one) for one in PREDICATES]
        self.runs: list[tuple[frozenset[Vector], frozenset[Vector] | None]] = []
        self.moved: dict[Vector, set[Vector]] = defaultdict(set)  # hpost#, vector by vector
        for heap in heaps():
            successor = run(heap, commands)
            self.runs.append((vectors(heap, holds), None if successor is None else vectors(successor, holds)))
            if successor is not None:
                for v in heap.everything:
                    before, after = Vector(0, 0), Vector(0, 0)
                    for place, one in enumerate(holds):
                        before = before.having(1 << place, one(heap, v))
                        after = after.having(1 << place, one(successor, v))
                    self.moved[before].add(after)

    def post(self, given: frozenset[Vector]) -> set[frozenset[Vector]]:
        """post#: the abstractions of the successors of all heaps in the concretisation."""
        return {after for before, after in self.runs if after is not None and before <= given}

    def hpost(self, given: frozenset[Vector]) -> set[Vector]:
        return {after for before in given for after in self.moved.get(before, ())}


def given_heaps(oracle: Oracle, chance: random.Random, count: int) -> list[frozenset[Vector]]:
    """Boolean heaps: of one concrete heap, or of two together."""
    found = []
    for _ in range(count):
        one, other = chance.choice(oracle.runs)[0], chance.choice(oracle.runs)[0]
        found.append(one if chance.random() < 0.6 else one | other)
    return list(dict.fromkeys(found))


@pytest.mark.slow
@pytest.mark.parametrize("kind", COMMANDS)
def test_proposition_3_and_both_theorems(kind: str) -> None:
    """post# is within hpost#, and that within the Cartesian post; and post# within the post of the engine."""
    oracle, chance = Oracle(COMMANDS[kind]), random.Random(kind)
    deductions = Deductions(Samples(sample(SIGNATURE, 200), SIGNATURE), Prover())
    steps = {context: make_step(COMMANDS[kind], deductions, context) for context in (True, False)}
    checked = best = engine = 0
    for given in given_heaps(oracle, chance, 25):
        after, moved = oracle.post(given), oracle.hpost(given)
        assert all(one <= moved for one in after)  # Proposition 3
        for context, (step, sharpening) in steps.items():
            found = posts(step, sharpening, pruned(given))
            for one in after:  # Theorem 1
                assert any(all(any(v.within(w) for w in heap) for v in one) for heap in found), (context, given, one)
                checked += 1
            if context:
                best += len(after)
                engine += len(found)
        local = [w for heap in posts_without_splits(COMMANDS[kind], deductions, pruned(given)) for w in heap]
        assert all(any(v.within(w) for w in local) for v in moved)  # Theorem 2, one direction
    assert checked > 20
    assert engine <= 4 * max(best, 1)  # not far above the best one


def make_step(commands: Sequence[HeapCommand], deductions: Deductions, context: bool) -> tuple[Step, Sharpening]:
    columns = AtomTable(PREDICATES, context=context)
    return Step(commands, columns, ALL, ALL, deductions), Sharpening(columns, deductions.of(columns))


def posts(step: Step, sharpening: Sharpening, given: VectorSet) -> list[BooleanHeap]:
    columns = step.plain
    starts = [sharpening.sharpen(one, ALL) for one in given.split(columns.unique, columns.closed)]
    moved = [after for one in starts if one is not None for after in step.post(one)]
    parts = [part for one in moved for part in one.split(columns.unique, columns.closed)]
    return [one for one in (sharpening.sharpen(part, ALL) for part in parts) if one is not None]


def posts_without_splits(
    commands: Sequence[HeapCommand], deductions: Deductions, given: VectorSet
) -> list[BooleanHeap]:
    """Definition 5 as it is printed: every vector updated by itself."""
    columns, nothing = AtomTable(PREDICATES, context=False), Vector(0, 0)
    step = Step(commands, columns, ALL, ALL, deductions, splitting=False)
    return [given.of(step._update_vector(one, nothing, one) for one in given)]


def test_the_oracle_tells_posts_apart() -> None:
    """Two heaps together have successors that neither has, as Figure 5 shows: post# of a join is more than the join."""
    oracle = Oracle(COMMANDS["load"])
    pairs = itertools.combinations([before for before, after in oracle.runs if after is not None][:60], 2)
    assert any(oracle.post(one | other) > oracle.post(one) | oracle.post(other) for one, other in pairs)
