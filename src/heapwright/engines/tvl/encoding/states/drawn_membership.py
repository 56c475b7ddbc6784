"""Membership with pictures: which picture of a location shows a concrete heap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heapwright.engines.tvl.encoding.states.membership import Membership
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.engines.tvl.structures.structure import Signature, Structure
from heapwright.program.heap_picture import HeapPicture
from heapwright.program.runs.snapshot import Snapshot


class DrawnMembership(Membership):
    """`drawn` has a picture for each structure, in their order; equal pictures are one."""

    def __init__(
        self,
        heap: HeapVocabulary,
        signature: Signature,
        structures: Sequence[Sequence[Structure]],
        drawn: Mapping[int, Sequence[HeapPicture]],
    ) -> None:
        super().__init__(heap, signature, structures)
        self.drawn = drawn

    def picture_of(self, location: int, heap: Snapshot) -> int | None:
        pictures = self.drawn.get(location, ())
        different = list(dict.fromkeys(pictures))
        for number, structure in enumerate(self.structures[location][: len(pictures)]):
            if self.described(location, heap, (structure,), (location, number)):
                return different.index(pictures[number])
        return None
