"""Heap snapshots with indices in place of addresses: the objects in order, one unallocated object, null and junk.

heap = indexed_heap(program, snapshot) heap.fields["next"][heap.indices[7]]    # the index of the target of object 7, or
UNKNOWN, or ABSENT
"""

from __future__ import annotations

from dataclasses import dataclass

from heapwright.program.graph import Program
from heapwright.program.runs.snapshot import ANY_ADDRESS, UNDECIDED_ADDRESS, Address, Snapshot
from heapwright.program.types import ValueKind

UNKNOWN = -1  # any value, as in an unread input cell
ABSENT = -2  # the object has no such field


@dataclass(frozen=True)
class IndexedHeap:
    """`size` is the index of null, and the next one that of junk. Fields of objects that are not live are junk."""

    size: int
    indices: dict[int, int]
    variables: dict[str, int]
    fields: dict[str, list[int]]


def indexed_heap(program: Program, snapshot: Snapshot) -> IndexedHeap:
    indices = {one: index for index, one in enumerate(snapshot.objects)}
    size = len(indices) + 1

    def target(address: Address) -> int:
        if address in (ANY_ADDRESS, UNDECIDED_ADDRESS):
            return UNKNOWN
        return indices.get(address.object, size if address.object == 0 else size + 1)

    types = {name: _pointers(program, name) for name in program.types}
    fields = {name: [size + 1] * size for names in types.values() for name in names}
    for number, item in snapshot.objects.items():
        index, own = indices[number], types.get(item.type, fields.keys())
        for name in fields.keys() - own:
            fields[name][index] = ABSENT
        if item.status == "live" and item.type not in types:  # a block without a type yet, whatever it may become
            for name in fields:
                fields[name][index] = UNKNOWN
        if item.status == "live" and item.start == UNDECIDED_ADDRESS:
            for name in own:
                fields[name][index] = UNKNOWN
        for name, address in item.pointers.items():
            fields[name][index] = target(address)
    return IndexedHeap(size, indices, {name: target(address) for name, address in snapshot.pointers.items()}, fields)


def _pointers(program: Program, type: str) -> dict[str, None]:
    return {one.name: None for one in program.types[type].fields if one.kind is ValueKind.POINTER}
