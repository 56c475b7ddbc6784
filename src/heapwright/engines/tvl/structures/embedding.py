"""Embedding: whether the concretisation of one structure includes that of another.

S embeds in T when the nodes of S map onto those of T (maybe-active nodes of T need not be met) so that every
value in T is that of S or 1/2, and a node of T that several nodes or a summary node map to is a summary. The search
first allows each node the nodes that its unary values allow, then tries them, checking binary values as it goes. For
blurred structures with definite names nothing is left to try: the names decide.

>>> from heapwright.logic.vocabulary import Predicate, Vocabulary
>>> signature = Signature(Vocabulary((Predicate("x", 1),)))
>>> two, many = Draft.empty(signature, 2), Draft.empty(signature, 1)
>>> many.may[SUMMARY] = 1
>>> embeds(signature, two, many), embeds(signature, many, two)
(True, False)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from heapwright.engines.tvl.structures.bit_sets import bits
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft, Signature, Structure

__all__ = ["Draft", "Values", "embeds", "maximal"]


class Values(Protocol):
    """The common interface of structures and drafts."""

    @property
    def n(self) -> int: ...

    @property
    def may(self) -> Sequence[int]: ...

    @property
    def must(self) -> Sequence[int]: ...


def embeds(signature: Signature, small: Values, big: Values) -> bool:
    for p in signature.nullary:
        if small.may[p] & ~big.may[p] or big.must[p] & ~small.must[p]:
            return False
    allowed = candidates(signature, small, big)
    if not all(allowed):
        return False
    needed = big.must[ACTIVE]
    order = sorted(range(small.n), key=lambda u: allowed[u].bit_count())
    return _search(signature, small, big, allowed, order, 0, [-1] * small.n, needed, big.may[SUMMARY])


def candidates(signature: Signature, small: Values, big: Values) -> list[int]:
    """For each node the nodes that it may map to, by unary values, self-loops and summaries."""
    full = (1 << big.n) - 1
    allowed = []
    for u in range(small.n):
        mask = full
        for p in signature.unary:
            if small.may[p] >> u & 1:
                mask &= big.may[p]
            if not small.must[p] >> u & 1:
                mask &= ~big.must[p]
        allowed.append(mask)
    return allowed


def _search(
    signature: Signature,
    small: Values,
    big: Values,
    allowed: list[int],
    order: list[int],
    index: int,
    image: list[int],
    needed: int,
    many: int,
) -> bool:
    """Map the nodes of `order` from a index on. `needed` are nodes that are not met yet."""
    if index == len(order):
        return not needed
    if needed.bit_count() > len(order) - index:
        return False
    u = order[index]
    taken = 0
    for other in order[:index]:
        taken |= 1 << image[other]
    for target in bits(allowed[u] & ~(taken & ~many)):
        image[u] = target
        if _consistent(signature, small, big, order[: index + 1], image, u) and _search(
            signature, small, big, allowed, order, index + 1, image, needed & ~(1 << target), many
        ):
            return True
    image[u] = -1
    return False


def _consistent(
    signature: Signature, small: Values, big: Values, mapped: Iterable[int], image: list[int], u: int
) -> bool:
    """Do the pairs of a node with those mapped so far keep their values?"""
    n, m = small.n, big.n
    for p in signature.binary:
        may, must, big_may, big_must = small.may[p], small.must[p], big.may[p], big.must[p]
        if big_may == (1 << m * m) - 1 and not big_must:
            continue
        for v in mapped:
            for a, b in ((u, v), (v, u)):
                cell, target = a * n + b, image[a] * m + image[b]
                if may >> cell & 1 and not big_may >> target & 1:
                    return False
                if big_must >> target & 1 and not must >> cell & 1:
                    return False
    return True


def maximal(signature: Signature, structures: Iterable[Structure]) -> list[Structure]:
    """The structures that embed in no other; of two that embed in each other, the first."""
    kept: list[Structure] = []
    for structure in structures:
        if any(embeds(signature, structure, other) for other in kept):
            continue
        kept = [other for other in kept if not embeds(signature, other, structure)]
        kept.append(structure)
    return kept
