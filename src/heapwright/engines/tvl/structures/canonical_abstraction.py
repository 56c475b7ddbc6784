"""Canonical abstraction (blur): nodes with the same canonical name become one.

The name of a node is its values of the unary abstraction predicates, each of 0, 1/2 and 1 distinct. Names are never
spelled out: the set of nodes is split predicate by predicate, and the order in which the parts come to lie is the order
of names. Nodes are numbered in that order, so that bounded structures that are isomorphic become equal.

>>> from heapwright.logic.vocabulary import Predicate, Vocabulary
>>> signature = Signature(Vocabulary((Predicate("x", 1),)))
>>> draft = Draft.empty(signature, 3)
>>> draft.may[4] = draft.must[4] = 0b001     # x = {0}
>>> blurred = blur(signature, draft)
>>> blurred.n, blurred.may[4], blurred.may[SUMMARY]
(2, 2, 1)
"""

from __future__ import annotations

from heapwright.engines.tvl.structures.bit_sets import bits
from heapwright.engines.tvl.structures.structure import INSTANCE, NEW, SUMMARY, Draft, Signature, Structure


def parts_by_name(signature: Signature, may: list[int], must: list[int], n: int) -> list[int]:
    """The sets of nodes that share a name, in the order of names."""
    if n == 0:
        return []
    full = (1 << n) - 1
    parts = [full]
    for p in signature.unary_names:
        holds, certain = may[p], must[p]
        if not holds or certain == full:
            continue
        split: list[int] = []
        for part in parts:
            true = part & certain
            if true != part:
                unknown = part & holds & ~certain
                false = part & ~holds
                if false:
                    split.append(false)
                if unknown:
                    split.append(unknown)
            if true:
                split.append(true)
        parts = split
        if len(parts) == n:
            break
    return parts


def blur(signature: Signature, draft: Draft) -> Structure:
    """The canonical abstraction of a structure, its nodes in canonical order."""
    n, may, must = draft.n, draft.may, draft.must
    parts = parts_by_name(signature, may, must, n)
    m = len(parts)
    if m == n and all(part == 1 << i for i, part in enumerate(parts)):
        return Structure(n, tuple(may), tuple(must))
    new_may, new_must = may.copy(), must.copy()
    for p in signature.unary:
        holds, certain = may[p], must[p]
        if holds:
            new_may[p] = gather(holds, parts)
            if certain:
                new_must[p] = new_may[p] if holds == certain and m == n else gather_all(certain, parts)
    if m < n:
        for i, part in enumerate(parts):
            if part & part - 1:
                new_may[SUMMARY] |= 1 << i
    members = [list(bits(part)) for part in parts]
    for p in signature.binary:
        if may[p]:
            new_may[p], new_must[p] = merged(may[p], must[p], n, parts, members)
    return Structure(m, tuple(new_may), tuple(new_must))


def gather(mask: int, parts: list[int]) -> int:
    """The parts that a set meets."""
    result = 0
    bit = 1
    for part in parts:
        if mask & part:
            result |= bit
        bit <<= 1
    return result


def gather_all(mask: int, parts: list[int]) -> int:
    """The parts that lie within a set."""
    result = 0
    bit = 1
    for part in parts:
        if mask & part == part:
            result |= bit
        bit <<= 1
    return result


def merged(may: int, must: int, n: int, parts: list[int], members: list[list[int]]) -> tuple[int, int]:
    """A relation between parts: it may hold where it does for one pair of members, and must where it does for all."""
    full = (1 << n) - 1
    m = len(parts)
    new_may = new_must = 0
    for i in range(m):
        some, every = 0, full
        for u in members[i]:
            some |= may >> u * n & full
            every &= must >> u * n
        if some:
            new_may |= gather(some, parts) << i * m
            if every:
                new_must |= gather_all(every, parts) << i * m
    return new_may, new_must


def aged(draft: Draft) -> Draft:
    """The draft after an action, when nodes are no longer new."""
    draft.may[NEW] = draft.must[NEW] = draft.may[INSTANCE] = draft.must[INSTANCE] = 0
    return draft
