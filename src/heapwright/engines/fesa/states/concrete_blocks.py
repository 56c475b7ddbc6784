"""Concrete heaps as the engine sees them: an object is a whole block, with the fields of all its parts.

whole_blocks(heap).objects[1].pointers["link.next"]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from heapwright.program.runs.snapshot import Address, Snapshot


def whole_blocks(heap: Snapshot) -> Snapshot | None:
    """None if a pointer leads beside a block, since it is unknown which."""
    if not any(item.owner or item.status == "outside" for item in heap.objects.values()):
        return heap
    root = {number: _root(heap, number) for number in heap.objects}
    pointers: dict[int, dict[str, Address]] = {number: {} for number in root.values()}
    data: dict[int, dict[str, int | None]] = {number: {} for number in root.values()}
    for number, item in heap.objects.items():
        prefix = _prefix(heap, number)
        for name, address in _at_blocks(item.pointers, root).items():
            pointers[root[number]][prefix + name] = address
        data[root[number]].update({prefix + name: value for name, value in item.data.items()})
    variables = _at_blocks(heap.pointers, root)
    outside = {number for number, item in heap.objects.items() if item.status == "outside"}
    everything = [variables, *(pointers[number] for number in pointers if number not in outside)]
    if any(address.object in outside for held in everything for address in held.values()):
        return None
    objects = {
        number: replace(heap.objects[number], pointers=pointers[number], data=data[number])
        for number in pointers
        if number not in outside
    }
    return Snapshot(variables, heap.data, objects, heap.lost)


def _root(heap: Snapshot, number: int) -> int:
    while heap.objects[number].owner:
        number = heap.objects[number].owner
    return number


def _prefix(heap: Snapshot, number: int) -> str:
    """How the names of an object's fields begin in its block."""
    item = heap.objects[number]
    return _prefix(heap, item.owner) + f"{item.position}." if item.owner else ""


def _at_blocks(pointers: Mapping[str, Address], root: Mapping[int, int]) -> dict[str, Address]:
    return {name: Address(root.get(address.object, address.object)) for name, address in pointers.items()}
