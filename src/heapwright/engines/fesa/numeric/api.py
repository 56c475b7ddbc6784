"""Boolean domains: sets of 0/1-vectors, each dimension named by a flag.

A flag that a function does not mention may have either value. `fold` and `expand` (Definition 1) are built from the
rest: folding j onto i keeps what holds for both, expanding copies the constraints on i to j without equating them.
Summaries are made by the one, and taken apart by the other.

    function = domain.meet(domain.literal("a"), domain.literal("b", False))
    domain.values(function, "a")            # (False, True): a is never 0, and may be 1
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from heapwright.engines.fesa.numeric.serialization import SerializedFunction

Flag = Any  # hashable and ordered names of dimensions
F = TypeVar("F")


class Numeric(Protocol[F]):
    """An over-approximation is allowed wherever a set of vectors comes out; `leq` may say no where yes is true."""

    @property
    def sizes(self) -> Sizes:
        """Of the functions from which flags were dropped so far."""
        ...

    def fresh(self) -> Numeric[F]:
        """The domain for another analysis, with sizes of its own."""
        ...

    def top(self) -> F: ...

    def bottom(self) -> F: ...

    def literal(self, flag: Flag, value: bool = True) -> F: ...

    def meet(self, left: F, right: F) -> F: ...

    def join(self, left: F, right: F) -> F: ...

    def drop(self, function: F, flags: Iterable[Flag]) -> F:
        """Forgets the values of flags."""
        ...

    def rename(self, function: F, names: Mapping[Flag, Flag]) -> F:
        """All at once, so that two flags may be swapped. Nothing may be known of a new name that is not an old one."""
        ...

    def leq(self, left: F, right: F) -> bool: ...

    def is_bottom(self, function: F) -> bool: ...

    def values(self, function: F, flag: Flag) -> tuple[bool, bool]:
        """Whether a flag may be 0, and whether it may be 1."""
        ...

    def possible(self, function: F, flags: Iterable[Flag]) -> set[Flag]:
        """The flags among these that may be 1."""
        ...

    def size(self, function: F) -> tuple[int, int]:
        """The size of the representation: its flags, and nodes or clauses."""
        ...

    def serialize(self, function: F) -> SerializedFunction:
        """The same set of vectors as plain data."""
        ...


@dataclass
class Sizes:
    """The sizes of functions from which flags were dropped, summed up."""

    number: int = 0
    flags: int = 0
    rest: int = 0

    def add(self, size: tuple[int, int]) -> None:
        self.number += 1
        self.flags += size[0]
        self.rest += size[1]

    @property
    def average(self) -> tuple[float, float]:
        number = max(self.number, 1)
        return self.flags / number, self.rest / number


def fold(domain: Numeric[F], function: F, onto: Mapping[Flag, Flag]) -> F:
    """Definition 1: the flags j are folded onto i, for every `onto[j] = i`. Dropping the flags j from the function with
    i and j swapped is to drop i, and to rename j."""
    swapped = domain.rename(domain.drop(function, list(onto.values())), onto)
    return domain.join(domain.drop(function, list(onto)), swapped)


def expand(domain: Numeric[F], function: F, copies: Mapping[Flag, Flag], known: F) -> F:
    """Definition 1: what is known of i is also known of j, for every `copies[i] = j`. What else is `known` of the
    result is put in first, which keeps the functions on the way to it small."""
    return domain.meet(domain.meet(domain.rename(function, copies), known), function)


def conjunction(domain: Numeric[F], functions: Iterable[F]) -> F:
    result = domain.top()
    for function in functions:
        result = domain.meet(result, function)
    return result


def disjunction(domain: Numeric[F], functions: Iterable[F]) -> F:
    result = domain.bottom()
    for function in functions:
        result = domain.join(result, function)
    return result


def same(domain: Numeric[F], one: Flag, other: Flag) -> F:
    """Two flags are equal."""
    both = domain.meet(domain.literal(one), domain.literal(other))
    none = domain.meet(domain.literal(one, False), domain.literal(other, False))
    return domain.join(both, none)


def vectors(domain: Numeric[F], function: F, flags: tuple[Flag, ...]) -> Iterator[tuple[bool, ...]]:
    """The values that these flags may have together."""
    if domain.is_bottom(function):
        return
    if not flags:
        yield ()
        return
    for value in (False, True):
        part = domain.meet(function, domain.literal(flags[0], value))
        yield from ((value, *rest) for rest in vectors(domain, part, flags[1:]))


def at_most_one(domain: Numeric[F], flags: Iterable[Flag]) -> F:
    """No two of the flags are 1. Pairwise, so that a domain of implications can represent it."""
    found = list(flags)
    return conjunction(
        domain,
        (
            domain.join(domain.literal(one, False), domain.literal(other, False))
            for index, one in enumerate(found)
            for other in found[index + 1 :]
        ),
    )
