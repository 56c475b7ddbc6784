"""Laws of meet: against the definition on all small heaps, and how it goes together with joins.

Meet distributes over the join of the powerset, which keeps structures apart. Under partial join, which merges those
with the same names, it does not: what the merged structure adds is not taken away again.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from functools import cache

import pytest
from engines.tvl.reference import random_draft
from engines.tvl.structures.meet import meet, meet_sets

from heapwright.engines.tvl.structures.embedding import embeds, maximal
from heapwright.engines.tvl.structures.join import Partial, names
from heapwright.engines.tvl.structures.structure import Draft, Signature, Structure
from heapwright.logic.vocabulary import Predicate, Vocabulary

SMALL = Signature(Vocabulary((Predicate("b", 0), Predicate("x", 1), Predicate("n", 2))))
B, X, N = 4, 5, 6


@cache
def heaps() -> tuple[Structure, ...]:
    """Every 2-valued structure with up to 3 nodes, one of each up to isomorphism."""
    found = []
    for n in range(4):
        for b, x, edges in itertools.product(range(2), range(1 << n), range(1 << n * n)):
            if all((x, edges) <= moved(x, edges, order) for order in itertools.permutations(range(n))):
                draft = Draft.empty(SMALL, n)
                for predicate, value in ((B, b), (X, x), (N, edges)):
                    draft.may[predicate] = draft.must[predicate] = value
                found.append(draft.freeze())
    return tuple(found)


def moved(x: int, edges: int, order: tuple[int, ...]) -> tuple[int, int]:
    n = len(order)
    nodes = sum((x >> old & 1) << new for new, old in enumerate(order))
    pairs = itertools.product(enumerate(order), repeat=2)
    return nodes, sum((edges >> u * n + v & 1) << i * n + j for (i, u), (j, v) in pairs)


def meaning(structures: Sequence[Structure]) -> set[Structure]:
    """The small heaps that a set of structures stands for."""
    return {heap for heap in heaps() if any(embeds(SMALL, heap, structure) for structure in structures)}


def some(source: random.Random, most: int = 3) -> Structure:
    draft = random_draft(source, SMALL, source.randint(0, most))
    if draft.n:
        draft.may[N] |= source.getrandbits(draft.n**2)
    return draft.freeze()


def below(lower: Sequence[Structure], upper: Sequence[Structure]) -> bool:
    return all(any(embeds(SMALL, one, other) for other in upper) for one in lower)


def test_the_small_heaps_are_there() -> None:
    # Digraphs with loops on nodes of two colours: 1, 4, 36 and 752 of them up to isomorphism, each with b and without.
    assert len(heaps()) == 2 * (1 + 4 + 36 + 752)


@pytest.mark.parametrize("seed", range(25))
def test_meet_is_intersection_on_heaps_of_up_to_three_nodes(seed: int) -> None:
    source = random.Random(seed)
    left, right = some(source), some(source)
    assert meaning(meet(SMALL, left, right)) == meaning([left]) & meaning([right])


@pytest.mark.parametrize("seed", range(60))
def test_meet_is_the_greatest_lower_bound(seed: int) -> None:
    source = random.Random(seed)
    left, right, third = some(source), some(source), some(source)
    found = meet(SMALL, left, right)
    assert below(found, [left])
    assert below(found, [right])
    for lower in (*meet_sets(SMALL, found, [third]), third, left, right):
        if embeds(SMALL, lower, left) and embeds(SMALL, lower, right):
            assert meaning([lower]) <= meaning(found)


@pytest.mark.parametrize("seed", range(40))
def test_meet_distributes_over_the_join_of_sets(seed: int) -> None:
    source = random.Random(seed)
    start, first, second = ([some(source) for _ in range(source.randint(1, 3))] for _ in range(3))
    whole = meet_sets(SMALL, start, maximal(SMALL, [*first, *second]))
    parts = maximal(SMALL, [*meet_sets(SMALL, start, first), *meet_sets(SMALL, start, second)])
    assert below(parts, whole)
    assert below(whole, parts)


@pytest.mark.parametrize("seed", range(40))
def test_meet_is_associative(seed: int) -> None:
    """What lets refining sets be met one after the other instead of all their combinations at once."""
    source = random.Random(seed)
    start, first, second = ([some(source, 2) for _ in range(2)] for _ in range(3))
    stepwise = meet_sets(SMALL, meet_sets(SMALL, start, first), second)
    at_once = meet_sets(SMALL, start, meet_sets(SMALL, first, second))
    assert below(stepwise, at_once)
    assert below(at_once, stepwise)


def two_nodes(there: int, back: int) -> Structure:
    """x on node 0 only; n from 0 to 1 and from 1 to 0 as told: 0, 1, or 2 for unknown."""
    draft = Draft.empty(SMALL, 2)
    draft.may[X] = draft.must[X] = 0b01
    for cell, value in ((1, there), (2, back)):
        draft.may[N] |= bool(value) << cell
        draft.must[N] |= (value == 1) << cell
    return draft.freeze()


def test_meet_does_not_distribute_over_partial_join() -> None:
    first, second, start = two_nodes(1, 0), two_nodes(0, 1), two_nodes(1, 2)
    assert names(SMALL, first) == names(SMALL, second)

    def partial(structures: Sequence[Structure]) -> list[Structure]:
        store = Partial(SMALL)
        for structure in structures:
            store.add(structure)
        return list(store)

    whole = meet_sets(SMALL, [start], partial([first, second]))
    parts = partial([*meet_sets(SMALL, [start], [first]), *meet_sets(SMALL, [start], [second])])
    assert below(parts, whole)
    assert not below(whole, parts)
    assert meaning(whole) - meaning(parts)  # arrows both ways, in neither of the two
    apart = maximal(SMALL, [first, second])
    assert below(meet_sets(SMALL, [start], apart), parts)
