"""Extents of pointers: how many cells there are from a pointer to the end of the array that its block is. All other
pointers, null among them, have the extent 0. So `length <= extent of data` bounds an array that grows, and says that
it is not null where `i < length`.

The extent of a variable is an integer variable beside it, that of a field is a field beside it. Both are in the
intervals and the differences of a state like others, and say nothing of whether the block is still live.
"""

from __future__ import annotations

from heapwright.engines.floor.domain import intervals
from heapwright.engines.floor.domain.blocks import Value, is_single
from heapwright.engines.floor.domain.differences import Term, count_of, field_of
from heapwright.engines.floor.domain.intervals import ANYWHERE, FAR, Interval
from heapwright.engines.floor.domain.layouts import Layouts, Place, is_array_of_objects, stride
from heapwright.engines.floor.domain.pointers import (
    ELEMENT,
    ENVIRONMENT,
    NULL,
    NULL_POINTER,
    RECENT,
    Key,
    Path,
    Pointer,
    kind_of,
)
from heapwright.engines.floor.domain.state import State, active
from heapwright.engines.floor.transform.arithmetic import Linear, set_number
from heapwright.engines.floor.transform.scalars import Found
from heapwright.program.commands import New
from heapwright.program.graph import Program
from heapwright.program.types import Field, ValueKind

EXTENT = "extent of "  # no name of a variable or a field: it has spaces


def extent_of(name: str) -> str:
    return f"{EXTENT}{name}"


def extent_place(place: Place) -> Place:
    return place[0], f"{EXTENT}{place[1]}"


def grown_types(program: Program) -> frozenset[str]:
    """The types of arrays of no fixed count, and of their elements, in a program that allocates such."""
    news = (edge.command for edge in program.graph.edges if isinstance(edge.command, New))
    if not any(one.count is not None or one.size is not None for one in news):
        return frozenset()
    arrays = [type for type in program.types.values() if type.cells is not None and type.cells.count is None]
    objects = {type.cells.object for type in arrays if type.cells is not None and is_array_of_objects(type)}
    return frozenset({type.name for type in arrays} | objects)


class Extents:
    """`names` are the variables that have extents."""

    def __init__(self, program: Program, layouts: Layouts) -> None:
        self.layouts = layouts
        self.types = grown_types(program)
        self.names = frozenset(
            one.name for one in program.variables.values() if one.kind is ValueKind.POINTER and one.target in self.types
        )

    # --- variables ---------------------------------------------------------------------------------------------------

    def of_variable(self, state: State, name: str) -> Interval:
        return state.numbers.get(extent_of(name), ANYWHERE)

    def forget(self, state: State, name: str) -> None:
        if name in self.names:
            state.differences.forget(extent_of(name))
            state.numbers.pop(extent_of(name), None)

    def assign(self, state: State, target: str, value: Pointer, source: str | None) -> None:
        """target = value; `source`: another variable that has the same value."""
        if target not in self.names or source == target:
            return
        self.forget(state, target)
        if value == NULL_POINTER:
            state.numbers[extent_of(target)] = (0, 0)
        elif source in self.names:
            assert source is not None
            self.refresh(state, source)
            self._equal(state, target, extent_of(source), self.of_variable(state, source))

    def _equal(self, state: State, target: str, term: Term, value: Interval) -> None:
        set_number(state, extent_of(target), value)
        state.differences.same(extent_of(target), term)

    def refresh(self, state: State, name: str) -> None:
        """Where the block that a variable points to is known, its extent is what is left of the count."""
        pointer = state.pointers.get(name)
        if pointer is None or pointer.flags or len(pointer.targets) != 1 or extent_of(name) in state.numbers:
            return
        (((key, path), at),) = pointer.targets.items()
        index = at[active(path)] if path is not None else ANYWHERE
        if not self.is_root(state, key, path) or kind_of(key) != RECENT or index[0] != index[1]:
            return
        self.forget(state, name)
        self._equal(state, name, count_of(key), state.blocks[key].length)
        self._move(state, name, index[0])

    def _move(self, state: State, name: str, distance: int) -> None:
        """The pointer moves on by so many cells."""
        if distance:
            term = extent_of(name)
            low, high = self.of_variable(state, name)
            state.differences.move(term, -distance)
            state.numbers[term] = intervals.clamped((low - distance, high - distance))

    def is_root(self, state: State, key: Key, path: Path) -> bool:
        """Whether a position moves in the array that its block is."""
        root = self.layouts.types.get(state.blocks[key].type or "") if key != ENVIRONMENT else None
        if root is None or root.cells is None or path not in ((), (ELEMENT,)):
            return False
        if path == ():
            return not is_array_of_objects(root)
        element = self.layouts.types.get(root.cells.object)
        return element is not None and element.cells is None

    # --- movement and accesses ---------------------------------------------------------------------------------------

    def has(self, state: State, base: str, index: Interval, form: Linear | None) -> bool:
        """Whether the cell that is so many cells behind a pointer comes before the end of its array. Then that is not
        null, which is noted."""
        if base not in self.names or index[0] < 0:
            return False
        low, high = self.of_variable(state, base)
        if index[1] >= low:
            if form is None or form[0] is None or state.bound(form[0], extent_of(base)) + form[1] >= 0:
                return False
            state.numbers[extent_of(base)] = max(low, 1), max(high, 1)
        return True

    def is_filled(self, state: State, name: str) -> bool:
        """Whether a pointer surely leads into an array, before its end."""
        return name in self.names and self.of_variable(state, name)[0] > 0

    def shift(self, state: State, target: str, base: str, offset: Interval, *, inside: bool) -> None:
        """target = base + offset; `inside`: the cell there comes before the end of the array."""
        if target not in self.names:
            return
        low, high = self.of_variable(state, base) if base in self.names else ANYWHERE
        if not inside:
            self.forget(state, target)
        elif offset[0] == offset[1]:
            if target != base:
                self.forget(state, target)
                self._equal(state, target, extent_of(base), (low, high))
            self._move(state, target, offset[0])
        else:
            self.forget(state, target)
            state.numbers[extent_of(target)] = max(low - offset[1], 1), min(high - offset[0], FAR)

    def counts_in(self, state: State, pointer: Pointer, unit: int) -> bool:
        """Whether arithmetic in units of so many bytes moves by cells of the array."""
        return all(
            self.is_root(state, key, path) and unit in (0, self._stride(state, key)) for key, path in pointer.targets
        )

    def _stride(self, state: State, key: Key) -> int:
        return stride(self.layouts.types[state.blocks[key].type or ""])

    def length(self, state: State, target: str, base: str, pointer: Pointer) -> None:
        """The number of cells of an array at whose start a pointer is, or 0 for null, is its extent."""
        starts = all(
            self.is_root(state, key, path) and at[active(path or ())] == (0, 0)
            for (key, path), at in pointer.targets.items()
        )
        if base in self.names and not pointer.flags & ~NULL and starts:
            state.differences.same(target, extent_of(base))

    # --- fields ------------------------------------------------------------------------------------------------------

    def is_field(self, field: Field | None, place: Place) -> bool:
        return field is not None and field.kind is ValueKind.POINTER and field.target in self.types and is_single(place)

    def load(self, state: State, target: str, found: Found) -> None:
        """target = the field that is found"""
        if target not in self.names or found.everything:
            return
        value: Interval | None = None
        for key, place, field in found.accesses:
            if place is None or key == ENVIRONMENT or not self.is_field(field, place):
                return
            one = state.blocks[key].number(extent_place(place), ANYWHERE)
            value = one if value is None else intervals.join(value, one)
        place = found.accesses[0].place
        if found.strong and place is not None and value is not None:
            self._equal(state, target, field_of(found.accesses[0].key, *extent_place(place)), value)
        elif value is not None:
            state.numbers[extent_of(target)] = value

    def forget_field(self, state: State, key: Key, place: Place, cells: dict[Place, Value]) -> None:
        """A pointer of which nothing is known is written to the cell of a block."""
        cells[extent_place(place)] = ANYWHERE
        state.differences.forget(field_of(key, *extent_place(place)))

    def store(self, state: State, found: Found, value: Pointer, source: str | None) -> None:
        """A pointer was stored in the field that is found, of which nothing is known yet."""
        if not found.strong:
            return
        key, place, field = found.accesses[0]
        if place is None or not self.is_field(field, place):
            return
        extent: Interval = ANYWHERE
        if value == NULL_POINTER:
            extent = (0, 0)
        elif source in self.names:
            assert source is not None
            self.refresh(state, source)
            extent = self.of_variable(state, source)
        block = state.blocks[key]
        state.blocks[key] = block._replace(cells={**block.cells, extent_place(place): extent})
        if extent != (0, 0) and source in self.names:
            assert source is not None
            state.differences.same(field_of(key, *extent_place(place)), extent_of(source))
