"""Reachable blocks: from pointers, through fields of live blocks and links both ways.

reachable_blocks(state, [state.vars[slot] for slot in roots])
"""

from __future__ import annotations

from heapwright.program.semantics.objects import PARTIAL, PointerValue, is_pointer, object_of
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
        if root.parts or root.cells or root.elements:
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
    lead to which are not to const."""
    objects, blocks = state.objects, state.blocks
    start = objects[object_of(pointer)].block
    seen, pending, found = {start}, [start], set[int]()
    while pending:
        block = blocks[pending.pop()]
        if block.status > PARTIAL:
            continue
        for value in pointers_in(state, block.root, lends=False):
            identity = objects[object_of(value)].block
            if identity in seen:
                continue
            seen.add(identity)
            pending.append(identity)
            layout = objects[blocks[identity].root].layout
            if protected not in (layout.name, layout.cells.object if layout.cells is not None else ""):
                found.add(identity)
    return found


def pointers_in(state: State, root: int, *, lends: bool = True) -> list[PointerValue]:
    """The addresses that an object and its parts hold; without `lends`, those in fields that point to const are left
    out."""
    found: list[PointerValue] = []
    pending = [root]
    while pending:
        obj = state.objects[pending.pop()]
        for slot in obj.layout.pointer_slots:
            value = obj.fields[slot]
            if (type(value) is tuple or value > 0) and (lends or not obj.layout.fields[slot].lends):
                found.append(value)
        if obj.parts:
            pending.extend(obj.parts)
        if obj.cells and obj.layout.holds_pointers:
            found.extend(value for value in obj.cells.values() if is_pointer(value))
        if obj.elements:
            pending.extend(obj.elements.values())
    return found


def escaped_roots(state: State) -> list[PointerValue]:
    """The blocks that the environment holds."""
    return [state.blocks[one].root for one in state.escaped if one in state.blocks]
