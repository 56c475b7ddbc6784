"""Assignment of one cell of a heap that is enumerated cell by cell.

assigned(heap, (3, "next"), Address(4)).objects[3].pointers["next"]
"""

from __future__ import annotations

from dataclasses import replace

from heapwright.program.runs.snapshot import UNDECIDED_ADDRESS, Address, Snapshot

Cell = tuple[int, str]  # an object and one of its fields, or 0 and a variable


def assigned(heap: Snapshot, cell: Cell, address: Address) -> Snapshot:
    number, name = cell
    if not number:
        return Snapshot({**heap.pointers, name: address}, heap.data, heap.objects)
    item = heap.objects[number]
    others = {other: target for other, target in item.pointers.items() if other != name}
    known = {} if address == UNDECIDED_ADDRESS else {name: address}
    changed = replace(item, pointers={**others, **known})
    return Snapshot(heap.pointers, heap.data, {**heap.objects, number: changed})


def assigned_number(heap: Snapshot, cell: Cell, value: int) -> Snapshot:
    number, name = cell
    if not number:
        return Snapshot(heap.pointers, {**heap.data, name: value}, heap.objects)
    item = heap.objects[number]
    return Snapshot(heap.pointers, heap.data, {**heap.objects, number: replace(item, data={**item.data, name: value})})
