"""Abstract blocks: their type, extent and cells, and the join of two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from heapwright.base.immutable import EMPTY
from heapwright.engines.floor.domain import intervals, pointers
from heapwright.engines.floor.domain.intervals import ANYWHERE, Interval
from heapwright.engines.floor.domain.layouts import CELLS, OF_ENVIRONMENT, TERMINATOR_OF, Place
from heapwright.engines.floor.domain.pointers import ANY_POINTER, ELEMENT, JUNK, NULL, WRITTEN_OUTSIDE, Pointer
from heapwright.program.semantics.transitions import LARGEST_SIZE

WRITABLE, PERHAPS_PROTECTED, PROTECTED = 0, 1, 2  # whether a block is read-only
ZEROES, INDETERMINATE, ANYTHING, EXTERNAL = 1, 2, 4, 8  # what cells hold that were not written: sets of these
ARGUMENTS = 16  # strings of the environment and then null
OUTSIDE: Place = ((), OF_ENVIRONMENT)  # in the block of the environment: the pointers that its memory holds

Value = Interval | Pointer
Cells = Mapping[Place, Value]


INITIAL_POINTERS = [
    Pointer(
        (NULL if set & ZEROES else 0)
        | (JUNK if set & INDETERMINATE else 0)
        | (WRITTEN_OUTSIDE if set & (EXTERNAL | ARGUMENTS) else 0)
    )
    for set in range(2 * ARGUMENTS)
]


class Block(NamedTuple):
    """`type` is "" before the first use of a block without a type, None where it is not known; `initial` is what cells
    without a value hold. `fits`: all that its type says lies in the block; `exact`: nothing else does. `single`: all
    pointers with known targets that lead to it lead to one concrete block. Cells are shared between states and
    replaced, never changed."""

    type: str | None
    length: Interval
    size: Interval
    initial: int
    cells: Cells = EMPTY
    fits: bool = False
    exact: bool = False
    protected: int = WRITABLE
    single: bool = False

    def pointer(self, place: Place) -> Pointer:
        found = self.cells.get(place)
        if isinstance(found, Pointer):
            return found
        if self.initial & ANYTHING or found is not None:
            return ANY_POINTER
        return INITIAL_POINTERS[self.initial]

    def number(self, place: Place, whole: Interval) -> Interval:
        """The value of an integer cell whose type has the range `whole`."""
        found = self.cells.get(place)
        if isinstance(found, tuple):
            return intervals.meet(found, whole) or whole
        if place[1].startswith(TERMINATOR_OF):
            return whole
        return (0, 0) if self.initial == ZEROES and found is None else whole


def is_single(place: Place) -> bool:
    """Whether a place in one block is one scalar."""
    return place[1] != CELLS and ELEMENT not in place[0]


def joined_block(one: Block, other: Block) -> Block:
    return merged_block(one, other, intervals.join, pointers.join)


def _possible(extent: Interval) -> Interval:
    """A count or a size, which is not negative and not beyond the greatest."""
    return intervals.meet(extent, (0, LARGEST_SIZE)) or extent


def merged_block(
    one: Block,
    other: Block,
    number: Callable[[Interval, Interval], Interval],
    pointer: Callable[[Pointer, Pointer], Pointer],
) -> Block:
    if one == other:
        return one
    cells: dict[Place, Value] = {}
    for place in {**one.cells, **other.cells}:
        first, second = one.cells.get(place), other.cells.get(place)
        if first is second and first is not None:
            cells[place] = first
        elif isinstance(first, Pointer) or isinstance(second, Pointer):
            cells[place] = pointer(one.pointer(place), other.pointer(place))
        else:
            cells[place] = number(one.number(place, ANYWHERE), other.number(place, ANYWHERE))
    initial = one.initial | other.initial
    same = one.type == other.type
    return Block(
        one.type if same else None,
        _possible(number(one.length, other.length)),
        _possible(number(one.size, other.size)),
        initial if same else initial | ANYTHING,
        cells if same else {},
        one.fits and other.fits,
        one.exact and other.exact,
        one.protected if one.protected == other.protected else PERHAPS_PROTECTED,
        one.single and other.single,
    )
