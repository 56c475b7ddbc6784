"""Boolean heaps as sets of ternary vectors (Definitions 3 and 4).

A vector makes predicates true, false or unknown: two bit masks over the indices of the predicates. A heap is a set of
vectors; each object of each heap in its concretisation agrees with one of them. Predicates of the form `x = v` hold of
exactly one object, and heaps are split until they are true in one vector alone; closed predicates have one value in all
vectors.

`BooleanHeap` is the interface of the domain, independent of the representation: an analysis uses that of its initial
heap (bench/boolheaps.py runs on decision diagrams).

>>> heap = pruned({Vector(0b01, 0), Vector(0, 0b10)})
>>> [sorted(one) for one in heap.split(unique=0b01, closed=0b10)]
[[Vector(ones=3, zeros=0)], [Vector(ones=0, zeros=3), Vector(ones=1, zeros=2)]]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol, Self


class Vector(NamedTuple):
    ones: int
    zeros: int

    def within(self, other: Vector) -> bool:
        """Whether its literals include those of the other."""
        return not (other.ones & ~self.ones or other.zeros & ~self.zeros)

    def having(self, bit: int, value: bool) -> Vector:
        return Vector(self.ones | bit, self.zeros) if value else Vector(self.ones, self.zeros | bit)

    def only(self, mask: int) -> Vector:
        return Vector(self.ones & mask, self.zeros & mask)


class BooleanHeap(Protocol):
    """A set of vectors, none of which covers another. Equal heaps have equal vectors."""

    def __iter__(self) -> Iterator[Vector]: ...

    def __len__(self) -> int: ...

    def __hash__(self) -> int: ...

    def of(self, vectors: Iterable[Vector]) -> Self:
        """The heap of the same kind that has these vectors."""

    def covers(self, smaller: Self) -> bool:
        """Coverage: each vector of the other is covered by one of these."""

    def joined(self, other: Self) -> Self: ...

    def split(self, unique: int, closed: int) -> Iterable[Self]:
        """The case split: in each heap, one vector has each unique predicate, and all agree on the closed ones. A heap
        in which no vector has a unique predicate denotes no concrete heap."""


class VectorSet(frozenset[Vector]):
    """The vectors themselves."""

    __slots__ = ()

    def of(self, vectors: Iterable[Vector]) -> VectorSet:
        return pruned(vectors)

    def covers(self, smaller: Iterable[Vector]) -> bool:
        return all(any(one.within(other) for other in self) for one in smaller)

    def joined(self, other: Iterable[Vector]) -> VectorSet:
        return pruned((*self, *other))

    def split(self, unique: int, closed: int) -> Iterable[VectorSet]:
        heaps = [self]
        for bit in bits(closed):
            heaps = [half for one in heaps for half in _agreeing(one, bit)]
        for bit in bits(unique):
            heaps = [part for one in heaps for part in _with_one(one, bit, unique)]
        return dict.fromkeys(heaps)


def bits(mask: int) -> Iterator[int]:
    """The single bits of a mask, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest
        mask ^= lowest


def pruned(vectors: Iterable[Vector]) -> VectorSet:
    """The vectors without those that another one covers."""
    kept = list(dict.fromkeys(vectors))
    return VectorSet(one for one in kept if not any(one != other and one.within(other) for other in kept))


def _agreeing(heap: VectorSet, bit: int) -> Iterator[VectorSet]:
    for value in (True, False):
        against = [one.zeros if value else one.ones for one in heap]
        kept = [one.having(bit, value) for one, mask in zip(heap, against, strict=True) if not mask & bit]
        if kept:
            yield pruned(kept)


def _with_one(heap: VectorSet, bit: int, unique: int) -> Iterator[VectorSet]:
    """One heap for each vector that may have the predicate. A vector that has another unique predicate denotes one
    object, so that no copy of it remains."""
    others = {one: one.having(bit, False) for one in heap if not one.ones & bit}
    for chosen in sorted(heap):
        if not chosen.zeros & bit:
            alone = chosen.ones & unique
            rest = (after for one, after in others.items() if one != chosen or not alone)
            yield VectorSet((chosen.having(bit, True), *pruned(rest)))
