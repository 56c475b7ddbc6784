"""Renumbering of nodes, and the images of sets and relations under it.

>>> swapped = Renumbering(2, (1, 0))
>>> swapped.set_of(0b01), swapped.relation_of(0b00_10)         # {0}, and 0 -> 1
(2, 4)
"""

from __future__ import annotations

from heapwright.engines.tvl.structures.bit_sets import CACHE_SIZE


class Renumbering:
    """Node i comes from node `origins[i]` of n. `sets` and `relations` memoise images."""

    __slots__ = ("n", "origins", "relations", "sets")

    def __init__(self, n: int, origins: tuple[int, ...]) -> None:
        self.n = n
        self.origins = origins
        self.sets: dict[int, int] = {0: 0}
        self.relations: dict[int, int] = {0: 0}

    def set_of(self, members: int) -> int:
        result = 0
        for i, origin in enumerate(self.origins):
            if members >> origin & 1:
                result |= 1 << i
        self.sets[members] = result
        return result

    def relation_of(self, relation: int) -> int:
        full, m, result = (1 << self.n) - 1, len(self.origins), 0
        for i, origin in enumerate(self.origins):
            row = relation >> origin * self.n & full
            if row:
                result |= (self.sets.get(row) or self.set_of(row)) << i * m
        if len(self.relations) >= CACHE_SIZE:
            self.relations.clear()
        self.relations[relation] = result
        return result
