"""Boolean functions as explicit sets of vectors, fold and expand: the definitions that tests hold the others to.

A function is a tuple of the flags that it knows and the set of their values; it is exponential and meant for few flags.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from heapwright.engines.fesa.numeric.api import F, Flag, Numeric, Sizes
from heapwright.engines.fesa.numeric.serialization import Clauses


@dataclass(frozen=True)
class VectorSet:
    flags: tuple[Flag, ...]
    vectors: frozenset[tuple[bool, ...]]


class Explicit:
    def __init__(self) -> None:
        self.sizes = Sizes()

    def fresh(self) -> Explicit:
        return Explicit()

    def top(self) -> VectorSet:
        return VectorSet((), frozenset({()}))

    def bottom(self) -> VectorSet:
        return VectorSet((), frozenset())

    def literal(self, flag: Flag, value: bool = True) -> VectorSet:
        return VectorSet((flag,), frozenset({(value,)}))

    def _over(self, function: VectorSet, flags: tuple[Flag, ...]) -> frozenset[tuple[bool, ...]]:
        """The vectors over more flags."""
        place = {flag: i for i, flag in enumerate(function.flags)}
        free = [flag for flag in flags if flag not in place]
        found = set()
        for vector in function.vectors:
            for values in product((False, True), repeat=len(free)):
                extra = dict(zip(free, values, strict=True))
                found.add(tuple(vector[place[flag]] if flag in place else extra[flag] for flag in flags))
        return frozenset(found)

    def _together(self, left: VectorSet, right: VectorSet) -> tuple[Flag, ...]:
        return tuple(dict.fromkeys((*left.flags, *right.flags)))

    def meet(self, left: VectorSet, right: VectorSet) -> VectorSet:
        flags = self._together(left, right)
        return VectorSet(flags, self._over(left, flags) & self._over(right, flags))

    def join(self, left: VectorSet, right: VectorSet) -> VectorSet:
        flags = self._together(left, right)
        return VectorSet(flags, self._over(left, flags) | self._over(right, flags))

    def drop(self, function: VectorSet, flags: Iterable[Flag]) -> VectorSet:
        self.sizes.add(self.size(function))
        gone = set(flags)
        kept = [i for i, flag in enumerate(function.flags) if flag not in gone]
        vectors = frozenset(tuple(vector[i] for i in kept) for vector in function.vectors)
        return VectorSet(tuple(function.flags[i] for i in kept), vectors)

    def rename(self, function: VectorSet, names: Mapping[Flag, Flag]) -> VectorSet:
        return VectorSet(tuple(names.get(flag, flag) for flag in function.flags), function.vectors)

    def leq(self, left: VectorSet, right: VectorSet) -> bool:
        flags = self._together(left, right)
        return self._over(left, flags) <= self._over(right, flags)

    def is_bottom(self, function: VectorSet) -> bool:
        return not function.vectors

    def values(self, function: VectorSet, flag: Flag) -> tuple[bool, bool]:
        found = set(self._vectors(function, (flag,)))
        return (False,) in found, (True,) in found

    def possible(self, function: VectorSet, flags: Iterable[Flag]) -> set[Flag]:
        return {flag for flag in flags if self.values(function, flag)[1]}

    def size(self, function: VectorSet) -> tuple[int, int]:
        return len(function.flags), len(function.vectors)

    def _vectors(self, function: VectorSet, flags: tuple[Flag, ...]) -> Iterator[tuple[bool, ...]]:
        everything = tuple(dict.fromkeys((*flags, *function.flags)))
        yield from sorted({vector[: len(flags)] for vector in self._over(function, everything)})

    def written(self, function: VectorSet) -> Clauses:
        others = (v for v in product((False, True), repeat=len(function.flags)) if v not in function.vectors)
        return Clauses(tuple(tuple((f, not value) for f, value in zip(function.flags, v, strict=True)) for v in others))


def fold(domain: Numeric[F], function: F, onto: Mapping[Flag, Flag]) -> F:
    """Definition 1 as it is printed."""
    both = {**onto, **{kept: away for away, kept in onto.items()}}
    return domain.drop(domain.join(function, domain.rename(function, both)), list(onto))


def expand(domain: Numeric[F], function: F, copies: Mapping[Flag, Flag]) -> F:
    """Definition 1 as it is printed."""
    both = {**copies, **{copy: kept for kept, copy in copies.items()}}
    added = domain.drop(function, list(copies.values()))
    return domain.meet(added, domain.rename(added, both))
