"""Abstraction cache: `canonical_abstraction.blur`, memoised.

Structures of an analysis differ in some predicates and agree in most, so that the same canonical names, partitions and
relations recur. Tables are filled as they are used: from the values of the abstraction predicates to the partition of
the nodes and these values after the merge; from a partition and a set or relation to what it becomes.

>>> from heapwright.logic.vocabulary import Predicate, Vocabulary
>>> signature = Signature(Vocabulary((Predicate("x", 1),)))
>>> draft = Draft.empty(signature, 3)
>>> draft.may[4] = draft.must[4] = 0b001     # x = {0}
>>> Abstraction(signature).blur(draft) == blur(signature, draft)
True
"""

from __future__ import annotations

from heapwright.engines.tvl.structures.bit_sets import CACHE_SIZE, bits, picker
from heapwright.engines.tvl.structures.canonical_abstraction import blur, gather, gather_all, merged, parts_by_name
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft, Signature, Structure

__all__ = ["Abstraction", "blur"]


class Partition:
    """A partition of the nodes to merge, and the images of sets and relations under the merge."""

    __slots__ = ("m", "members", "n", "parts", "sets", "several")

    def __init__(self, n: int, parts: list[int]) -> None:
        self.n = n
        self.m = len(parts)
        self.parts = parts
        self.members = [list(bits(part)) for part in parts]
        self.several = sum(1 << i for i, part in enumerate(parts) if part & part - 1)
        self.sets: dict[tuple[int, int], tuple[int, int]] = {}

    @property
    def trivial(self) -> bool:
        return self.parts == [1 << i for i in range(self.n)]

    def set_of(self, may: int, must: int) -> tuple[int, int]:
        found = self.sets.get((may, must))
        if found is None:
            found = self.sets[may, must] = (gather(may, self.parts), gather_all(must, self.parts))
        return found


class Abstraction:
    """Blur, for one signature. `optional`: a merged node is active if one of its members is."""

    def __init__(self, signature: Signature, *, optional: bool = False) -> None:
        self.signature = signature
        self.optional = optional
        self._names = picker(signature.unary_names)
        self._other = [p for p in signature.unary if p not in signature.unary_names]
        self._partitions: dict[tuple[int, tuple[int, ...]], Partition] = {}
        self._relations: dict[tuple[Partition, int, int], tuple[int, int]] = {}
        # By the number of nodes and the values of abstraction predicates: the partition, and the values that change.
        self._known: dict[object, tuple[Partition, list[tuple[int, int, int]]] | None] = {}

    def blur(self, draft: Draft) -> Structure:
        """The canonical abstraction of a structure, its nodes in canonical order."""
        n, may, must = draft.n, draft.may, draft.must
        key = (n, self._names(may), self._names(must))
        try:
            known = self._known[key]
        except KeyError:
            known = self._learn(key, draft)
        if known is None:
            return Structure(n, tuple(may), tuple(must))
        partition, changes = known
        new_may, new_must = may.copy(), must.copy()
        for p, holds, certain in changes:
            new_may[p] = holds
            new_must[p] = certain
        for p in self._other:
            if may[p]:
                new_may[p], new_must[p] = partition.set_of(may[p], must[p])
        new_may[SUMMARY] |= partition.several
        if self.optional:
            new_must[ACTIVE] = gather(must[ACTIVE], partition.parts)
        relations = self._relations
        for p in self.signature.binary:
            if may[p]:
                pair = partition, may[p], must[p]
                new_may[p], new_must[p] = relations.get(pair) or self._merge(*pair)
        return Structure(partition.m, tuple(new_may), tuple(new_must))

    def _merge(self, partition: Partition, may: int, must: int) -> tuple[int, int]:
        if len(self._relations) >= CACHE_SIZE:
            self._relations.clear()
        found = merged(may, must, partition.n, partition.parts, partition.members)
        self._relations[partition, may, must] = found
        return found

    def _learn(self, key: object, draft: Draft) -> tuple[Partition, list[tuple[int, int, int]]] | None:
        parts = parts_by_name(self.signature, draft.may, draft.must, draft.n)
        partition = self._partitions.get((draft.n, tuple(parts)))
        if partition is None:
            partition = self._partitions[draft.n, tuple(parts)] = Partition(draft.n, parts)
        known = None
        if not partition.trivial:
            changes = []
            for p in self.signature.unary_names:
                before = draft.may[p], draft.must[p]
                after = partition.set_of(*before)
                if before != after:
                    changes.append((p, *after))
            known = partition, changes
        if len(self._known) >= CACHE_SIZE:
            self._known.clear()
        self._known[key] = known
        return known
