"""Reachable blocks: from pointers, through fields of live blocks and links both ways.

reachable_blocks(state, [state.vars[slot] for slot in roots])
"""

from __future__ import annotations

from heapwright.program.semantics.objects import (
    PARTIAL,
    MemoryObject,
    PointerValue,
    digits_in,
    held_pointers,
    is_pointer,
    object_of,
)
from heapwright.program.semantics.state import State


def reachable_blocks(state: State, pointers: list[PointerValue], wanted: int = 0) -> set[int] | None:
    """The blocks that can be reached through fields of live blocks; None as soon as the `wanted` one is among them."""
    objects, blocks = state.objects, state.blocks
    seen: set[int] = set()
    pending: list[int] = []
    for pointer in pointers:
        obj = objects.get(object_of(pointer))
        if obj is not None and obj.block not in seen:
            if obj.block == wanted:
                return None
            seen.add(obj.block)
            pending.append(obj.block)
    while pending:
        block = blocks[pending.pop()]
        if block.status > PARTIAL:
            continue
        root = objects[block.root]
        if root.parts or root.cells or root.elements or root.guarded:
            values = pointers_in(state, block.root)
        else:  # most blocks are one struct
            fields = root.fields
            values = [fields[slot] for slot in root.layout.pointer_slots]
        for value in values:
            if type(value) is int:
                if value <= 0:
                    continue
                obj = objects[value]
            else:
                obj = objects[value[0]]  # type: ignore[index]  # a pair, since it is no int
            if obj.block not in seen:
                if obj.block == wanted:
                    return None
                seen.add(obj.block)
                pending.append(obj.block)
    return seen


def writable_blocks(state: State, pointer: PointerValue, protected: str) -> set[int]:
    """The blocks that can be written through a pointer to const objects of a type: those of other types that pointers
    lead to which are not to const. Behind a field that points to const, objects of its type are protected instead."""
    objects, blocks = state.objects, state.blocks
    start = (objects[object_of(pointer)].block, protected)
    seen, pending, found = {start}, [start], set[int]()
    while pending:
        identity, kept = pending.pop()
        if blocks[identity].status > PARTIAL:
            continue
        for value, lends in _pointers_in(state, blocks[identity].root):
            below = objects[object_of(value)].block
            layout = objects[blocks[below].root].layout
            inside = (layout.cells.object if layout.cells is not None else "") or layout.name
            if not lends and kept not in (layout.name, inside):
                found.add(below)
            step = (below, inside if lends else kept)
            if step not in seen:
                seen.add(step)
                pending.append(step)
    return found


def pointers_in(state: State, root: int) -> list[PointerValue]:
    """The addresses that an object and its parts hold."""
    return [value for value, _ in _pointers_in(state, root)]


def _pointers_in(state: State, root: int) -> list[tuple[PointerValue, bool]]:
    """The addresses that an object and its parts hold, and whether their fields are pointers to const."""
    found: list[tuple[PointerValue, bool]] = []
    pending = [root]
    while pending:
        obj = state.objects[pending.pop()]
        for slot in obj.layout.pointer_slots:
            value = obj.fields[slot]
            if is_pointer(value):
                found.append((value, obj.layout.fields[slot].lends))
        if obj.parts:
            pending.extend(obj.parts)
        if obj.cells and obj.layout.holds_pointers:
            found.extend((value, False) for value in obj.cells.values() if is_pointer(value))
        if obj.elements:
            pending.extend(obj.elements.values())
        if obj.guarded:
            found.extend((value, False) for value in _held_by_bytes(state, obj))
    return found


def _held_by_bytes(state: State, obj: MemoryObject) -> list[PointerValue]:
    """The addresses that data of an object holds, or bytes of its block that no object has."""
    held = held_pointers(digits_in((*obj.fields, *(obj.cells or {}).values())))
    view = (
        None
        if obj.owner or not state.outside
        else state.outside.get((state.blocks[obj.block].root, "", "bytes", False))
    )
    if view is not None:
        held += held_pointers(digits_in((state.objects[object_of(view)].cells or {}).values()))
    return [pointer for pointer in held if object_of(pointer) in state.objects]


def escaped_roots(state: State) -> list[PointerValue]:
    """The blocks that the environment holds."""
    return [state.blocks[one].root for one in state.escaped if one in state.blocks]
