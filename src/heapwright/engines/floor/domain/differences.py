"""Bounds of differences between integers (difference-bound matrices, Dill 1989), sparse and not closed.

`u - v <= c` relates terms: integer variables, and integers that exist only while their block or pointer does: the count
and the size of a block, the index of a pointer variable, an integer field of a block. A bound says nothing of states in
which one of its terms does not exist. So a bound is derived through a term in between only if that exists wherever the
two ends do: through variables, and through terms of the same owner.

>>> known = Differences()
>>> known.add("i", "n", -1)
>>> known.add("n", ("#", 4), 0)
>>> known.paths("i", 4)[("#", 4)]
-1
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from heapwright.engines.floor.domain.pointers import Key

Term = str | tuple[Hashable, ...]  # a variable, or (sort, owner, ...)

MOST_BOUNDS = 12  # of one term
MOST_STEPS = 60  # of one query


def count_of(key: Key) -> Term:
    return "#", key


def size_of(key: Key) -> Term:
    return "%", key


def index_of(pointer: str) -> Term:
    return "@", pointer


def field_of(key: Key, path: tuple[str, ...], name: str) -> Term:
    return "c", key, path, name


def owner_of(term: Term) -> Hashable:
    """What must exist for a term to exist; None for a variable."""
    return None if isinstance(term, str) else term[1]


class Differences:
    """`below[u][v]` is the bound of `u - v`, `above[v][u]` the same. Inner mappings are shared between copies and
    replaced, never changed."""

    __slots__ = ("above", "below")

    def __init__(self) -> None:
        self.below: dict[Term, dict[Term, int]] = {}
        self.above: dict[Term, dict[Term, int]] = {}

    def copy(self) -> Differences:
        twin = Differences()
        twin.below, twin.above = self.below.copy(), self.above.copy()
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Differences) and self.below == other.below

    __hash__ = None  # type: ignore[assignment]  # it changes

    def bounds(self) -> Iterator[tuple[Term, Term, int]]:
        for left, known in self.below.items():
            for right, bound in known.items():
                yield left, right, bound

    def add(self, left: Term, right: Term, bound: int) -> None:
        """`left - right <= bound`"""
        known = self.below.get(left)
        if left == right or (known is not None and known.get(right, bound + 1) <= bound):
            return
        if known is not None and right not in known and len(known) >= MOST_BOUNDS:
            return
        beside = self.above.get(right)
        if beside is not None and left not in beside and len(beside) >= MOST_BOUNDS:
            return
        self.below[left] = {**(known or {}), right: bound}
        self.above[right] = {**(beside or {}), left: bound}

    def drop(self, left: Term, right: Term) -> None:
        _remove(self.below, left, right)
        _remove(self.above, right, left)

    def forget(self, term: Term) -> None:
        """Drops a term. What follows through it stays, if it always exists."""
        if term not in self.below and term not in self.above:
            return
        below, above = self.below.pop(term, {}), self.above.pop(term, {})
        for right in below:
            _remove(self.above, right, term)
        for left in above:
            _remove(self.below, left, term)
        self._close(term, above, below)

    def close(self, term: Term) -> None:
        """Adds what follows through a term, if it always exists."""
        self._close(term, self.above.get(term, {}), self.below.get(term, {}))

    def _close(self, term: Term, above: dict[Term, int], below: dict[Term, int]) -> None:
        for left, first in above.items():
            for right, second in below.items():
                if between(term, left, right):
                    self.add(left, right, first + second)

    def move(self, term: Term, distance: int) -> None:
        """The term grows by a distance."""
        for right, bound in self.below.get(term, {}).items():
            self.below[term] = {**self.below[term], right: bound + distance}
            self.above[right] = {**self.above[right], term: bound + distance}
        for left, bound in self.above.get(term, {}).items():
            self.above[term] = {**self.above[term], left: bound - distance}
            self.below[left] = {**self.below[left], term: bound - distance}

    def same(self, term: Term, other: Term) -> None:
        """A new term that equals another and exists where that does: it has the same bounds."""
        for right, bound in self.below.get(other, {}).items():
            self.add(term, right, bound)
        for left, bound in self.above.get(other, {}).items():
            self.add(left, term, bound)
        self.add(term, other, 0)
        self.add(other, term, 0)

    def paths(self, start: Term, end: Hashable) -> dict[Term, int]:
        """The bounds of `start - t` for the terms t that lead on, or that an owner has."""
        found: dict[Term, int] = {start: 0}
        waiting = [start]
        steps = 0
        while waiting and steps < MOST_STEPS:
            term = waiting.pop(0)
            steps += 1
            if term is not start and not _leads_on(term, start, end):
                continue
            for right, bound in self.below.get(term, {}).items():
                distance = found[term] + bound
                if distance < found.get(right, distance + 1) and right != start:
                    found[right] = distance
                    waiting.append(right)
        return found


def _leads_on(term: Term, start: Term, end: Hashable) -> bool:
    owner = owner_of(term)
    return owner is None or owner == end or owner == owner_of(start)


def between(term: Term, left: Term, right: Term) -> bool:
    """Whether a term exists wherever both others do."""
    return _leads_on(term, left, owner_of(right))


def _remove(table: dict[Term, dict[Term, int]], first: Term, second: Term) -> None:
    known = table.get(first)
    if known is not None and second in known:
        rest = {term: bound for term, bound in known.items() if term != second}
        if rest:
            table[first] = rest
        else:
            del table[first]
