"""What is learned of a pointer holds for all that surely lead into the same block; and what unknown writes leave."""

from __future__ import annotations

from collections.abc import Callable

from heapwright.engines.floor.domain import same_blocks
from heapwright.engines.floor.domain.pointers import JUNK, NEAR_NULL, NULL, WRITTEN_OUTSIDE, Pointer
from heapwright.engines.floor.domain.same_blocks import Holder
from heapwright.engines.floor.domain.state import State


def narrow_pointer(state: State, name: str, value: Pointer) -> None:
    """A variable has one of these values; so what surely points into the same block does not point into others."""
    state.pointers[name] = value
    if value.unknown:
        return
    keys = value.blocks()
    null = 0 if value.flags & (NULL | NEAR_NULL) else NULL | NEAR_NULL
    junk = 0 if value.flags & JUNK else JUNK

    def left(other: Pointer) -> Pointer:
        return other if other.unknown else other.without(null | junk).where(lambda key: key in keys)

    for holder in state.same_blocks.beside(name):
        replace_held(state, holder, left)


def replace_held(state: State, holder: Holder, new: Callable[[Pointer], Pointer]) -> None:
    """Replaces the value of a variable or cell, not that of a field behind a variable."""
    if isinstance(holder, str):
        known = state.pointers.get(holder)
        if known is not None and new(known) is not known:
            state.pointers[holder] = new(known)
    elif (found := same_blocks.as_cell(holder)) is not None and found[0] in state.blocks:
        key, place = found
        block = state.blocks[key]
        held = block.cells.get(place)
        if isinstance(held, Pointer) and not held.flags & WRITTEN_OUTSIDE and new(held) is not held:
            state.blocks[key] = block._replace(cells={**block.cells, place: new(held)})


def havoc_all(state: State) -> None:
    """Any cell of any block may have any value."""
    for key in list(state.blocks):
        state.havoc_block(key)
