"""Terminators of arrays of characters where blocks begin, and where characters are overwritten.

begin_zeroes(layouts, state, key)          # the block was allocated by calloc: each array ends with a zero
end_terminator(state, key, place, field)   # a character was written to some cell of an array
"""

from __future__ import annotations

from heapwright.engines.floor.domain.blocks import ZEROES, Value
from heapwright.engines.floor.domain.differences import count_of, field_of
from heapwright.engines.floor.domain.intervals import ANYWHERE
from heapwright.engines.floor.domain.layouts import CELLS, TERMINATOR, Layouts, Place, is_character
from heapwright.engines.floor.domain.pointers import RECENT, Key, kind_of
from heapwright.engines.floor.domain.state import State
from heapwright.engines.floor.domain.terms_of_strings import terminator_place
from heapwright.program.types import Field


def begin_zeroes(layouts: Layouts, state: State, key: Key) -> None:
    """The terminators of a block of zeroes are the last cells of its arrays."""
    block = state.blocks[key]
    if block.initial != ZEROES or block.cells or not block.type or not block.fits:
        return
    cells: dict[Place, Value] = {}
    for path in layouts.texts(block.type):
        count = layouts.count(block.type, path, block.length, block.size)
        if count[0] < 1:
            continue
        cells[(path, TERMINATOR)] = count[0] - 1, count[1] - 1
        if path == () and kind_of(key) == RECENT:
            term = field_of(key, path, TERMINATOR)
            state.differences.add(term, count_of(key), -1)
            state.differences.add(count_of(key), term, 1)
    if cells:
        state.blocks[key] = block._replace(cells=cells)


def end_field(state: State, key: Key, place: Place, cells: dict[Place, Value]) -> None:
    """A pointer of which nothing is known is written to the cell of a block."""
    held = terminator_place(place)
    if place[1] != CELLS and held in cells:
        cells[held] = ANYWHERE
        state.differences.forget(field_of(key, *held))


def end_terminator(state: State, key: Key, place: Place, field: Field | None) -> None:
    """Nothing is known of zeroes in an array any more, if that is one of characters of which one is written."""
    if place[1] == CELLS and is_character(field):
        state.forget_terminators(key)
        block = state.blocks[key]
        state.blocks[key] = block._replace(cells={**block.cells, (place[0], TERMINATOR): ANYWHERE})
