"""Meet of structures by matching (Arnold, section 3.3.2): the structures whose concretisations are the intersection.

A structure of the meet has a node for each pair of a matching between the two sets of nodes: a single node is matched
exactly once, a summary at least once, a node that may be absent possibly not at all. The value of a tuple is what the
two values agree on; where they contradict each other, the matching gives nothing. The node of two summaries is one.
Results are not bounded: two nodes may have the same name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heapwright.engines.tvl.structures.bit_sets import bits
from heapwright.engines.tvl.structures.embedding import Values
from heapwright.engines.tvl.structures.isomorphism import normal_form
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft, Signature, Structure

Matching = tuple[tuple[int, int], ...]


def meet(signature: Signature, left: Values, right: Values) -> list[Structure]:
    for p in signature.nullary:
        if (left.must[p] | right.must[p]) & ~(left.may[p] & right.may[p]):
            return []
    return [
        structure.freeze()
        for matching in matchings(signature, left, right)
        if (structure := common(signature, left, right, matching)) is not None
    ]


def meet_sets(signature: Signature, left: Iterable[Values], right: Iterable[Values]) -> list[Structure]:
    """The meet of two sets of structures, each result once up to isomorphism."""
    others = list(right)
    found = (structure for one in left for other in others for structure in meet(signature, one, other))
    return list(dict.fromkeys(normal_form(signature, structure) for structure in found))


def matchings(signature: Signature, left: Values, right: Values) -> Iterator[Matching]:
    """The sets of pairs of nodes that agree on unary predicates and keep to the quotas."""
    partners = [_agreeing(signature, left, right, u) for u in range(left.n)]
    single_right = (1 << right.n) - 1 & ~right.may[SUMMARY]

    def extend(u: int, used: int) -> Iterator[Matching]:
        if u == left.n:
            if not right.must[ACTIVE] & ~used:
                yield ()
            return
        free = partners[u] & ~(used & single_right)
        for chosen in _choices(free, left.may[SUMMARY] >> u & 1, not left.must[ACTIVE] >> u & 1):
            pairs = tuple((u, v) for v in bits(chosen))
            for rest in extend(u + 1, used | chosen):
                yield pairs + rest

    return extend(0, 0)


def _agreeing(signature: Signature, left: Values, right: Values, u: int) -> int:
    mask = (1 << right.n) - 1
    for p in signature.unary:
        if p == SUMMARY:
            continue
        if left.must[p] >> u & 1:
            mask &= right.may[p]
        if not left.may[p] >> u & 1:
            mask &= ~right.must[p]
    return mask


def _choices(free: int, many: int, maybe: bool) -> Iterator[int]:
    """Sets of partners: one, for a summary also several, for a node that may be absent also none."""
    if maybe:
        yield 0
    if not many:
        for v in bits(free):
            yield 1 << v
        return
    subset = free
    while subset:
        yield subset
        subset = subset - 1 & free


def common(signature: Signature, left: Values, right: Values, matching: Matching) -> Draft | None:
    """The structure of a matching, unless the two contradict each other."""
    n = len(matching)
    result = Draft.empty(signature, n)
    for p in signature.nullary:
        result.may[p], result.must[p] = left.may[p] & right.may[p], left.must[p] | right.must[p]
    for p in signature.unary:
        may = must = 0
        for i, (u, v) in enumerate(matching):
            may |= (left.may[p] >> u & right.may[p] >> v & 1) << i
            must |= ((left.must[p] >> u | right.must[p] >> v) & 1) << i
        result.may[p], result.must[p] = may, must
    for p in signature.binary:
        may = must = 0
        for i, (u, v) in enumerate(matching):
            for j, (w, z) in enumerate(matching):
                first, second, cell = u * left.n + w, v * right.n + z, i * n + j
                may |= (left.may[p] >> first & right.may[p] >> second & 1) << cell
                must |= ((left.must[p] >> first | right.must[p] >> second) & 1) << cell
        if must & ~may:
            return None
        result.may[p], result.must[p] = may, must
    return result
