"""Boolean heaps as sets of ternary vectors (Definitions 3 and 4).

A vector says of some predicates that they hold of an object, of some that they do not, and nothing of the others: two
bit masks over the places of the predicates. A heap is a set of vectors; each object of each state that it stands for
agrees with one of them. Predicates of the form `x = v` hold of exactly one object, and a heap is kept split until one
vector alone has them; closed predicates have one value in all vectors.

>>> heap = frozenset({Vector(0b01, 0), Vector(0, 0b10)})
>>> [sorted(one) for one in split(heap, unique=0b01, closed=0b10)]
[[Vector(ones=3, zeros=0)], [Vector(ones=0, zeros=3), Vector(ones=1, zeros=2)]]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Vector(NamedTuple):
    ones: int
    zeros: int

    def within(self, other: Vector) -> bool:
        """Whether it says all that the other says."""
        return not (other.ones & ~self.ones or other.zeros & ~self.zeros)

    def having(self, bit: int, value: bool) -> Vector:
        return Vector(self.ones | bit, self.zeros) if value else Vector(self.ones, self.zeros | bit)

    def only(self, mask: int) -> Vector:
        return Vector(self.ones & mask, self.zeros & mask)


BooleanHeap = frozenset[Vector]


def bits(mask: int) -> Iterator[int]:
    """The single bits of a mask, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest
        mask ^= lowest


def pruned(vectors: Iterable[Vector]) -> BooleanHeap:
    """Without vectors that say more than another one."""
    kept = list(dict.fromkeys(vectors))
    return frozenset(one for one in kept if not any(one != other and one.within(other) for other in kept))


def covers(bigger: BooleanHeap, smaller: BooleanHeap) -> bool:
    return all(any(one.within(other) for other in bigger) for one in smaller)


def split(heap: BooleanHeap, unique: int, closed: int) -> Iterator[BooleanHeap]:
    """The heaps in which exactly one vector has each of the unique predicates, and all agree on the closed ones."""
    heaps = [heap]
    for bit in bits(closed):
        heaps = [half for one in heaps for half in _agreeing(one, bit)]
    for bit in bits(unique):
        heaps = [part for one in heaps for part in _with_one(one, bit, unique)]
    yield from dict.fromkeys(heaps)


def _agreeing(heap: BooleanHeap, bit: int) -> Iterator[BooleanHeap]:
    for value in (True, False):
        against = [one.zeros if value else one.ones for one in heap]
        kept = [one.having(bit, value) for one, mask in zip(heap, against, strict=True) if not mask & bit]
        if kept:
            yield pruned(kept)


def _with_one(heap: BooleanHeap, bit: int, unique: int) -> Iterator[BooleanHeap]:
    """One heap for each vector that may have the predicate. A vector that has another unique predicate stands for one
    object, so that none of its kind is left beside it."""
    others = {one: one.having(bit, False) for one in heap if not one.ones & bit}
    for chosen in sorted(heap):
        if not chosen.zeros & bit:
            alone = chosen.ones & unique
            rest = (after for one, after in others.items() if one != chosen or not alone)
            yield frozenset((chosen.having(bit, True), *pruned(rest)))
