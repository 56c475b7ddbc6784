"""The theorems of the paper, with all small heaps as the oracle."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest
from engines.boolheap.heaps import all_heaps, run

from heapwright.engines.boolheap.abstraction.cartesian_post import Deductions, Sharpening, Step
from heapwright.engines.boolheap.concrete.formula_samples import Samples
from heapwright.engines.boolheap.concrete.small_heaps import (
    Evaluator,
    Heap,
    Signature,
    evaluator,
    sample,
)
from heapwright.engines.boolheap.domain.predicate_columns import AtomTable
from heapwright.engines.boolheap.domain.vectors import BooleanHeap, Vector, VectorSet, pruned
from heapwright.engines.boolheap.logic.formulas import JUNK, NULL, alive, eq, field, name, negation
from heapwright.engines.boolheap.logic.heap_commands import Create, End, Link, Point, Suppose
from heapwright.engines.boolheap.logic.parser import parse
from heapwright.engines.boolheap.logic.weakest_preconditions import hwp
from heapwright.engines.boolheap.prover.entailment import Prover

X, Y = name("x"), name("y")
COMMANDS = {
    "assign": (Point("x", Y),),
    "load": (Suppose(alive(X)), Point("x", field("next", X))),
    "store": (Suppose(alive(X)), Link(X, "next", Y)),
    "new": (Create("x"),),
    "free": (Suppose(alive(X)), Link(X, "next", JUNK), End(X)),
    "assume": (Suppose(negation(eq(X, NULL))),),
}
POOL = [
    "x = v",
    "y = v",
    "null = v",
    "junk = v",
    "alive(v)",
    "reach(x, v, next)",
    "reach(y, v, next)",
    "reach(v, null, next)",
    "v.next = y",
    "x = y",
    "null = v.next",
]


@pytest.fixture(scope="module")
def heaps() -> list[Heap]:
    return [heap for size in (1, 2, 3) for heap in all_heaps(Signature(("x", "y"), ("next",)), size)]


@pytest.mark.parametrize("kind", COMMANDS)
def test_theorem_2(kind: str, heaps: list[Heap]) -> None:
    theorem_2(kind, heaps, rounds=3)


@pytest.mark.slow
@pytest.mark.parametrize("kind", COMMANDS)
def test_theorem_2_with_four_objects(kind: str) -> None:
    theorem_2(kind, list(all_heaps(Signature(("x", "y"), ("next",)), 4)), rounds=1)


def theorem_2(kind: str, heaps: list[Heap], rounds: int) -> None:
    """alpha_Cart ∘ hpost#, by running the command on every heap, is what hwp# gives, by evaluating preconditions."""
    chance = random.Random(kind)
    commands = COMMANDS[kind]
    after = [run(heap, commands) for heap in heaps]
    for _ in range(rounds):
        predicates = [parse(one) for one in chance.sample(POOL, 5)]
        holds = [evaluator(one) for one in predicates]
        pulled = [hwp(commands, one) for one in predicates]
        supposed = evaluator(pulled[0].supposed)
        before = [evaluator(one.formula) for one in pulled]

        posts: dict[tuple[bool, ...], set[tuple[bool, ...]]] = {}  # hpost#, of each vector
        entails: dict[tuple[bool, ...], list[set[bool]]] = {}  # what the preconditions are, of each vector
        for heap, successor in zip(heaps, after, strict=True):
            for v in heap.everything:
                vector = tuple(one(heap, v) for one in holds)
                seen = posts.setdefault(vector, set())
                values = entails.setdefault(vector, [set() for _ in predicates])
                if successor is not None:
                    seen.add(tuple(one(successor, v) for one in holds))
                if supposed(heap, v):
                    for place, one in enumerate(before):
                        values[place].add(one(heap, v))

        for vector, successors in posts.items():
            for place in range(len(predicates)):
                for wanted in (True, False):
                    cartesian = all(one[place] == wanted for one in successors)  # alpha_Cart(hpost#(C)) |= p
                    sharp = entails[vector][place] <= {wanted}  # C |= hwp#(p)
                    assert cartesian == sharp
            # where both p and its negation are entailed, the vector disappears
            assert (not successors) == all(not values for values in entails[vector])


def test_the_oracle_of_theorem_2_can_tell_a_wrong_precondition(heaps: list[Heap]) -> None:
    """Without the object that was changed, a precondition of a store is another one."""
    commands, predicate = COMMANDS["store"], parse("v.next = y")
    wrong = evaluator(predicate)
    right = evaluator(predicate)
    differs = [
        (heap, v)
        for heap in heaps
        if (successor := run(heap, commands)) is not None
        for v in heap.everything
        if wrong(heap, v) != right(successor, v)
    ]
    assert differs


PREDICATES = tuple(
    parse(one)
    for one in (
        "null = v",
        "junk = v",
        "alive(v)",
        "x = v",
        "y = v",
        "reach(x, v, next)",
        "reach(y, v, next)",
        "reach(v, null, next)",
    )
)


def abstract_heap(heap: Heap, holds: Sequence[Evaluator]) -> VectorSet:
    """The vectors of a heap."""
    found = []
    for v in heap.everything:
        vector = Vector(0, 0)
        for place, one in enumerate(holds):
            vector = vector.having(1 << place, one(heap, v))
        found.append(vector)
    return pruned(found)


@pytest.mark.parametrize("kind", COMMANDS)
def test_theorem_1(kind: str, heaps: list[Heap], capsys: pytest.CaptureFixture[str]) -> None:
    """The post covers every successor; how many values it leaves open that the oracle knows is printed."""
    commands, columns = COMMANDS[kind], AtomTable(PREDICATES)
    everything = (1 << len(PREDICATES)) - 1
    signature = Signature(("x", "y"), ("next",))
    deductions = Deductions(Samples(sample(signature, 200), signature), Prover())
    step = Step(commands, columns, everything, everything, deductions)
    sharpening = Sharpening(columns, deductions.of(columns))
    holds = [evaluator(one) for one in PREDICATES]
    open_values = values = 0
    abstract: dict[VectorSet, list[BooleanHeap]] = {}
    for heap in random.Random(kind).sample(heaps, 150):
        before = abstract_heap(heap, holds)
        if before not in abstract:
            moved = (part for one in step.post(before) for part in one.split(columns.unique, columns.closed))
            sharper = (sharpening.sharpen(one, everything) for one in moved)
            abstract[before] = [one for one in sharper if one is not None]
        successor = run(heap, commands)
        if successor is None:
            continue
        concrete = abstract_heap(successor, holds)
        assert any(all(any(one.within(other) for other in found) for one in concrete) for found in abstract[before]), (
            heap,
            kind,
        )
        for vector in itertools.chain.from_iterable(abstract[before]):
            values += len(PREDICATES)
            open_values += len(PREDICATES) - (vector.ones | vector.zeros).bit_count()
    with capsys.disabled():
        print(f" [{kind}: {open_values} of {values} values open]", end="")
    assert open_values <= values * 0.2
