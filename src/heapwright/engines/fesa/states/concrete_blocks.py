"""Concrete heaps as the engine sees them: an object is a whole block, with the fields of all its parts.

whole_blocks(heap, offsets.several).objects[1].pointers["link.next"]

A pointer to one of several parts of a type has a number as well, like an integer of its name: its offset in the block.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from heapwright.program.runs.snapshot import Address, Snapshot

Several = Callable[[str, str], Mapping[int, str]]  # prefixes of the parts of a type in a block, by their offsets


def whole_blocks(heap: Snapshot, several: Several) -> Snapshot | None:
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
        told = _offsets(heap, item.pointers, several)
        data[root[number]].update({prefix + name: offset for name, offset in told.items()})
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
    return Snapshot(variables, {**heap.data, **_offsets(heap, heap.pointers, several)}, objects, heap.lost)


def _offsets(heap: Snapshot, pointers: Mapping[str, Address], several: Several) -> dict[str, int]:
    """The offsets of pointers to one of several parts of a type."""
    found = {}
    for name, address in pointers.items():
        item = heap.objects.get(address.object)
        if item is not None and item.owner:
            block, prefix = heap.objects[_root(heap, address.object)].type, _prefix(heap, address.object)
            for offset, start in several(block, item.type).items():
                if start == prefix:
                    found[name] = offset
    return found


def _root(heap: Snapshot, number: int) -> int:
    while heap.objects[number].owner:
        number = heap.objects[number].owner
    return number


def _prefix(heap: Snapshot, number: int) -> str:
    """The prefix of the names of an object's fields in its block."""
    item = heap.objects[number]
    return _prefix(heap, item.owner) + f"{item.position}." if item.owner else ""


def _at_blocks(pointers: Mapping[str, Address], root: Mapping[int, int]) -> dict[str, Address]:
    return {name: Address(root.get(address.object, address.object)) for name, address in pointers.items()}
