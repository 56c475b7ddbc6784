"""Concrete heaps as the engine sees them: an object is a whole block, with the fields of all its parts.

whole_blocks(heap, offsets).objects[1].pointers["link.next"]

A pointer to one of several parts of a type has a number as well, like an integer of its name: its offset in the block.
Arrays are their elements, the first one and the rest; a pointer that has left its array leads to one of the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from heapwright.engines.fesa.graph.abstract_heap import FIRST, REST
from heapwright.engines.fesa.transfer.pointer_offsets import PointerOffsets
from heapwright.program.runs.snapshot import JUNK_ADDRESS, NULL_ADDRESS, Address, HeapObject, Snapshot
from heapwright.program.types import ValueKind

MOST_ELEMENTS = 40  # of an array


def whole_blocks(heap: Snapshot, offsets: PointerOffsets) -> Snapshot | None:
    """None if a pointer leads beside a block, since it is unknown which, or an array is very large."""
    if any(offsets.is_array(item.type) for item in heap.objects.values()):
        without_arrays = _elements(heap, offsets)
        return None if without_arrays is None else _whole_blocks(without_arrays, offsets)
    return _whole_blocks(heap, offsets)


def _whole_blocks(heap: Snapshot, offsets: PointerOffsets) -> Snapshot | None:
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
        told = _offsets(heap, item.pointers, offsets)
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
    return Snapshot(variables, {**heap.data, **_offsets(heap, heap.pointers, offsets)}, objects, heap.lost)


def _elements(heap: Snapshot, offsets: PointerOffsets) -> Snapshot | None:
    """The heap with the elements of arrays as objects of their own."""
    arrays = {number: item for number, item in heap.objects.items() if offsets.is_array(item.type)}
    if any((item.count or 0) > MOST_ELEMENTS for item in arrays.values()):
        return None
    objects = {number: item for number, item in heap.objects.items() if number not in arrays}
    places: dict[int, dict[int, int]] = {number: {} for number in arrays}  # by index
    for number, item in heap.objects.items():
        if item.owner in arrays:
            places[item.owner][int(item.position)] = number
            objects[number] = replace(item, owner=0, position=FIRST if item.position == "0" else REST)
    for array, item in arrays.items():
        for index in range(max(item.count or 0, 1)):
            if index not in places[array]:
                places[array][index] = new = max(objects.keys() | arrays.keys()) + 1
                objects[new] = _element(item, index, offsets)

    def moved(address: Address) -> Address:
        if address.object not in arrays:
            return address
        there = places[address.object]
        other = there.get(address.index, there.get(1))
        return JUNK_ADDRESS if other is None else Address(other)

    return Snapshot(
        {name: moved(address) for name, address in heap.pointers.items()},
        heap.data,
        {
            number: replace(item, pointers={name: moved(address) for name, address in item.pointers.items()})
            for number, item in objects.items()
        },
        heap.lost,
        heap.overlaid,
    )


def _element(array: HeapObject, index: int, offsets: PointerOffsets) -> HeapObject:
    """An element that is no object yet, or a cell."""
    type = offsets.element(array.type)
    pointers: dict[str, Address] = {}
    data: dict[str, int | None] = {}
    for name, _, field in offsets.fields(type) if array.status == "live" else ():
        if field.kind is ValueKind.POINTER:
            held = array.cells.get(index, array.start)
            pointers[name] = held if isinstance(held, Address) else JUNK_ADDRESS
        else:
            data[name] = 0 if array.start == NULL_ADDRESS else None
    return replace(
        array, type=type, pointers=pointers, data=data, owner=0, count=None, cells={}, position=REST if index else FIRST
    )


def _offsets(heap: Snapshot, pointers: Mapping[str, Address], offsets: PointerOffsets) -> dict[str, int]:
    """The offsets of pointers to one of several parts of a type."""
    found = {}
    for name, address in pointers.items():
        item = heap.objects.get(address.object)
        if item is not None and item.owner:
            block, prefix = heap.objects[_root(heap, address.object)].type, _prefix(heap, address.object)
            for offset, start in offsets.several(block, item.type).items():
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
