"""Links between an owner and its parts, and casts: address arithmetic that dereferences nothing.

`list$` leads from a node to the list head inside it, `owner$node.list` back. The link to the owner is total: from an
object that is no such part it leads to a never-allocated object, at the address where an owner would be.

    owner_of(state, part_of(state, pointer, layout, "list"), layout, "list") == pointer
"""

from __future__ import annotations

from heapwright.program.semantics.memory import address, at_byte, element, first_element, is_blank, retype
from heapwright.program.semantics.objects import (
    JUNK,
    OUTSIDE,
    PARTIAL,
    UNKNOWN,
    Layout,
    MemoryObject,
    PointerValue,
    is_pointer,
    near_null,
    number_in,
    object_of,
    offset_from_null,
)
from heapwright.program.semantics.state import State, Stop


def at_same_address(state: State, number: int, type: str) -> int | None:
    """The object of that type with the address of another: an owner that it starts, or a part that starts it."""
    current = number
    while True:
        obj = state.objects[current]
        if obj.layout.name == type:
            return current
        if not obj.owner or obj.offset != state.objects[obj.owner].offset:
            break
        current = obj.owner
    return _starting_with(state, current, type)


def _starting_with(state: State, number: int, type: str) -> int | None:
    obj = state.objects[number]
    if obj.layout.name == type:
        return number
    inner = [part for part, layout in zip(obj.parts, obj.layout.parts, strict=True) if layout.offset == 0]
    if obj.elements is not None and obj.count:
        inner.append(element(state, number, 0))
    for part in inner:
        found = _starting_with(state, part, type)
        if found is not None:
            return found
    return None


def reinterpreted(state: State, pointer: PointerValue, type: str) -> PointerValue:
    """(type *) pointer"""
    if not is_pointer(pointer):
        return pointer
    if not isinstance(pointer, int):
        return _beside_array(state, pointer, type)
    obj = state.objects[pointer]
    if is_blank(state, obj):
        wanted = state.context.layouts.get(type)
        if wanted is None:
            return pointer
        retype(state, obj.block, wanted)
        return first_element(state, pointer)
    if obj.layout.name == type:
        return pointer
    found = at_same_address(state, pointer, type)
    return pointer if found is None else found


def _beside_array(state: State, pointer: tuple[int, int], type: str) -> PointerValue:
    """The object of a type at a position outside of an array, where that is inside of its block: the header before a
    flexible array, say."""
    obj = state.objects[pointer[0]]
    count = 0 if obj.layout is state.context.view else obj.count
    block, offset = address(state, pointer)
    if count is None or 0 <= pointer[1] < count or not 0 <= offset < state.blocks[block].size:
        return pointer
    try:
        there = at_byte(state, block, offset)
    except Stop:
        return pointer
    found = at_same_address(state, there, type) if isinstance(there, int) else None
    return pointer if found is None else found


def part_of(state: State, pointer: PointerValue, owner: Layout, part: str) -> PointerValue:
    """The part of the object that a pointer to an `owner` points to."""
    slot = owner.part_slots[part]
    offset = owner.parts[slot].offset
    if not is_pointer(pointer):
        from_null = offset_from_null(pointer)
        return _no_object(pointer) if from_null is None else near_null(from_null + offset)
    known = state.outside.get((pointer, owner.name, part, False))
    if known is not None:
        return known
    if isinstance(pointer, int):
        obj = state.objects[pointer]
        if obj.layout is not owner or obj.status == OUTSIDE:
            if is_blank(state, obj):
                retype(state, obj.block, owner)
            found = at_same_address(state, pointer, owner.name)
            obj = state.objects[found if found is not None else pointer]
        if obj.layout is owner and obj.status != OUTSIDE:
            return first_element(state, obj.parts[slot])
    block, start = address(state, pointer)
    if _inside(state, block, start + offset):
        return at_byte(state, block, start + offset)
    return _outside(
        state, pointer, state.context.layouts[owner.parts[slot].type], owner.name, part, False, block, start + offset
    )


def _no_object(pointer: PointerValue) -> PointerValue:
    return UNKNOWN if pointer == UNKNOWN or number_in(pointer) is not None else JUNK


def _inside(state: State, block: int, offset: int) -> bool:
    return state.blocks[block].status <= PARTIAL and 0 <= offset < state.blocks[block].size


def owner_of(state: State, pointer: PointerValue, owner: Layout, part: str) -> PointerValue:
    """The object that a pointer to its part belongs to; one that was never allocated if it belongs to none."""
    slot = owner.part_slots[part]
    offset = owner.parts[slot].offset
    if not is_pointer(pointer):
        from_null = offset_from_null(pointer)
        return _no_object(pointer) if from_null is None else near_null(from_null - offset)
    known = state.outside.get((pointer, owner.name, part, True))
    if known is not None:
        return known
    if isinstance(pointer, int):
        current = pointer
        while True:
            obj = state.objects[current]
            if not obj.owner:
                break
            above = state.objects[obj.owner]
            if above.layout is owner and obj.position == slot:
                return obj.owner
            if above.offset != obj.offset:
                break
            current = obj.owner
    block, start = address(state, pointer)
    by_bytes = state.objects[object_of(pointer)].layout is state.context.view
    if by_bytes and _inside(state, block, start - offset):
        return at_byte(state, block, start - offset)
    return _outside(state, pointer, owner, owner.name, part, True, block, start - offset)


def _outside(
    state: State, pointer: PointerValue, layout: Layout, owner: str, part: str, up: bool, block: int, offset: int
) -> int:
    """A never-allocated object at an address, the same one each time; the opposite link leads back."""
    number = state.next_id
    state.next_id += 1
    obj = MemoryObject(state.token, layout, block, 0, 0, offset)
    obj.status = OUTSIDE
    state.objects[number] = obj
    state.outside[(pointer, owner, part, up)] = number
    state.outside[(number, owner, part, not up)] = pointer
    return number
