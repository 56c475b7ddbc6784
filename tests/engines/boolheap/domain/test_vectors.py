"""Boolean heaps against what they stand for: sets of complete vectors, listed."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from heapwright.engines.boolheap.domain.vectors import BooleanHeap, Vector, VectorSet, pruned

WIDTH = 4
ALL = (1 << WIDTH) - 1


@st.composite
def vectors(draw: st.DrawFn) -> Vector:
    said = draw(st.integers(0, ALL))
    ones = draw(st.integers(0, ALL)) & said
    return Vector(ones, said & ~ones)


heaps = st.lists(vectors(), max_size=5).map(pruned)


def complete(heap: BooleanHeap) -> frozenset[int]:
    """The complete vectors that objects may have."""
    return frozenset(ones for ones in range(ALL + 1) if any(Vector(ones, ALL & ~ones).within(one) for one in heap))


@given(st.lists(vectors(), max_size=6))
def test_pruning_changes_nothing_but_the_vectors(given_vectors: list[Vector]) -> None:
    heap = pruned(given_vectors)
    assert complete(heap) == complete(VectorSet(given_vectors))
    assert not any(one != other and one.within(other) for one, other in itertools.product(heap, repeat=2))
    assert heap.of(reversed(given_vectors)) == heap


@given(heaps, heaps)
def test_covering_and_joining(one: VectorSet, other: VectorSet) -> None:
    joined = one.joined(other)
    assert complete(joined) == complete(one) | complete(other)
    assert joined == other.joined(one)
    assert joined.covers(one)
    assert joined.covers(other)
    assert one.covers(one)
    if one.covers(other):
        assert joined == one
        assert complete(other) <= complete(one)
        assert not other.covers(one) or one == other


def states(heap: BooleanHeap, unique: int, closed: int) -> set[tuple[int, ...]]:
    """Up to three objects that a heap may have: one has each unique predicate, and all agree on the closed ones."""
    check_vocabulary = set()
    for count in (1, 2, 3):
        for objects in itertools.combinations_with_replacement(sorted(complete(heap)), count):
            once = all(sum(one >> place & 1 for one in objects) == 1 for place in range(WIDTH) if unique >> place & 1)
            if once and len({one & closed for one in objects}) == 1:
                check_vocabulary.add(objects)
    return check_vocabulary


@given(heaps, st.sampled_from([(0b0001, 0), (0b0011, 0), (0b0001, 0b1000), (0, 0b1100), (0b0111, 0b1000)]))
def test_splitting_loses_no_state(heap: VectorSet, masks: tuple[int, int]) -> None:
    unique, closed = masks
    parts = list(heap.split(unique, closed))
    assert set().union(*(states(one, unique, closed) for one in parts)) == states(heap, unique, closed)
    for part in parts:
        assert heap.covers(part)
        assert all(sum(one.ones >> place & 1 for one in part) <= 1 for place in range(WIDTH) if unique >> place & 1)
        assert all((one.ones | one.zeros) & closed == closed for one in part)
