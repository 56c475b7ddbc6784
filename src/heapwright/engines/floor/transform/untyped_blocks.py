"""Blocks without a type, which get that of their first use."""

from __future__ import annotations

from heapwright.engines.floor.domain import pointers
from heapwright.engines.floor.domain.differences import count_of
from heapwright.engines.floor.domain.layouts import Layouts
from heapwright.engines.floor.domain.pointers import LOST, RECENT, SOMEWHERE, Indices, Key, Pointer, kind_of
from heapwright.engines.floor.domain.state import State, blocks_into, pointers_into
from heapwright.engines.floor.domain.zeroes import begin_zeroes


def retype(layouts: Layouts, state: State, key: Key, wanted: str) -> tuple[pointers.Path, Indices]:
    """Gives a block without a type the type of its first use; returns the position of its start."""
    block = state.blocks[key]
    found = layouts.first_use(wanted, block.size) if kind_of(key) == RECENT else None
    if found is None:
        state.blocks[key] = block._replace(type=None)
        state.havoc_block(key)
        return SOMEWHERE, LOST
    name, count = found
    type = layouts.types[name]
    fits = type.size <= block.size[0] if type.cells is None else type.cells.count is None
    if type.cells is not None and type.cells.count is not None:
        fits = type.cells.count * type.cells.stride <= block.size[0]
    exact = type.cells is not None and type.cells.count is None
    state.blocks[key] = block._replace(type=name, length=count, fits=fits, exact=exact)
    if type.cells is not None and type.cells.stride == 1 and type.cells.count is None:
        state.differences.add(count_of(key), ("%", key), 0)
        state.differences.add(("%", key), count_of(key), 0)
    begin_zeroes(layouts, state, key)
    path, at = layouts.first(name, ())
    if path != ():
        _move_roots(state, key, path)
    return path, at


def _move_roots(state: State, key: Key, path: pointers.Path) -> None:
    """Pointers to the root of a block are pointers to its first element now."""

    def moved(pointer: Pointer) -> Pointer:
        if (key, ()) not in pointer.targets:
            return pointer
        found = (((k, path) if (k, p) == (key, ()) else (k, p), at) for (k, p), at in pointer.targets.items())
        return pointers.made(pointer.flags, found)

    for name, pointer in pointers_into(state.pointers, key):
        state.pointers[name] = moved(pointer)
    for other, block in blocks_into(state.blocks, key):
        cells = {p: moved(v) if isinstance(v, Pointer) else v for p, v in block.cells.items()}
        state.blocks[other] = block._replace(cells=cells)
