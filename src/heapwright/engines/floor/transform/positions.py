"""Address arithmetic on abstract pointers: links between owners and parts, casts, and movement in arrays.

The rules are those of `program/semantics/links.py` and `memory.py`. Where the object that a step leads to is not known,
or was never allocated, the position is anywhere in or beside the block.
"""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.engines.floor.domain import intervals, pointers
from heapwright.engines.floor.domain.intervals import Interval
from heapwright.engines.floor.domain.layouts import OF_ENVIRONMENT, is_array_of_objects, stride
from heapwright.engines.floor.domain.pointers import (
    ELEMENT,
    ENVIRONMENT,
    GONE,
    LOST,
    NEAR_NULL,
    NEVER,
    NULL,
    SOMEWHERE,
    ZERO,
    Indices,
    Key,
    Path,
    Pointer,
    Where,
    is_never,
    kind_of,
)
from heapwright.engines.floor.domain.state import State, active
from heapwright.engines.floor.transform.access import Memory
from heapwright.engines.floor.transform.untyped_blocks import retype
from heapwright.program.commands import Follow, Reinterpret

Position = tuple[Where, Indices]


def _near_null(flags: int) -> int:
    """Null and what is near it, after a step of some bytes."""
    return flags | NULL | NEAR_NULL if flags & (NULL | NEAR_NULL) else flags


def _at(key: Key, path: tuple[str, ...], at: Indices, other: tuple[str, ...]) -> Position:
    """The position of an object at another path, whose last element may be that of the first one."""
    before, after = path.count(ELEMENT), other.count(ELEMENT)
    if 0 < after < before:
        return (key, SOMEWHERE), LOST
    return (key, other), (at[0] if 0 < after == before else ZERO, ZERO)


class Positions:
    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.layouts = memory.layouts

    def _root(self, state: State, key: Key) -> str | None:
        block = state.blocks[key]
        return "" if key == ENVIRONMENT else block.type

    # --- links -------------------------------------------------------------------------------------------------------

    def follow(self, state: State, command: Follow) -> Pointer:
        pointer = self.memory.pointer(state, command.base)
        if pointer.unknown:
            return pointer
        step = self._up if command.up else self._down
        found = [step(state, command, key, path, at) for (key, path), at in pointer.targets.items()]
        return pointers.made(_near_null(pointer.flags), iter(found))

    def _down(self, state: State, command: Follow, key: Key, path: Path, at: Indices) -> Position:
        root = self._root(state, key)
        if root == "" and path == () and kind_of(key) != GONE:
            path, at = retype(self.layouts, state, key, command.owner)
            root = self._root(state, key)
        if path is None or root is None or kind_of(key) == GONE:
            return (key, SOMEWHERE), LOST
        if path[-1:] == (f"{NEVER}{command.owner}.{command.part}",):
            return (key, path[:-1]), at
        if at[1] != ZERO or is_never(path) or not self.memory.element_exists(state, command.base, key, path, at):
            return (key, SOMEWHERE), LOST
        owner = self.layouts.same_address(root, path, command.owner, at[0] == ZERO)
        if owner is None:
            return (key, SOMEWHERE), LOST
        below, _ = self.layouts.first(root, (*owner, command.part))
        return ((key, SOMEWHERE), LOST) if below is None else _at(key, path, at, below)

    def _up(self, state: State, command: Follow, key: Key, path: Path, at: Indices) -> Position:
        root = self._root(state, key)
        if path is None or root is None or at[1] != ZERO or kind_of(key) == GONE:
            return (key, SOMEWHERE), LOST
        first, start = at[0] == ZERO, path
        while path and not is_never(path):
            if path[-1] == ELEMENT or path[-1].startswith(OF_ENVIRONMENT):
                if not first or ELEMENT in path[:-1] or path[-1] != ELEMENT:
                    return (key, SOMEWHERE), LOST
            else:
                owner, part = self.layouts.type_at(root, path[:-1]), self.layouts.part(root, path)
                if owner is not None and owner.name == command.owner and path[-1] == command.part:
                    outer = at[0] if ELEMENT in path[:-1] else ZERO
                    return (key, path[:-1]), (outer, ZERO)
                if part is None or part.offset != 0:
                    break
            path = path[:-1]
        if is_never(start) or not root:
            return (key, SOMEWHERE), LOST
        return (key, (*start, f"{NEVER}{command.owner}.{command.part}")), at

    # --- casts -------------------------------------------------------------------------------------------------------

    def reinterpret(self, state: State, command: Reinterpret) -> Pointer:
        pointer = self.memory.pointer(state, command.base)
        if pointer.unknown:
            return pointer
        untyped = [key for (key, path) in pointer.targets if path == () and self._root(state, key) == ""]
        if command.type in self.layouts.types:
            for key in untyped:
                if kind_of(key) != GONE:
                    retype(self.layouts, state, key, command.type)
            pointer = self.memory.pointer(state, command.base)
        return pointers.made(pointer.flags, self._cast(state, pointer, command.type))

    def _cast(self, state: State, pointer: Pointer, type: str) -> Iterator[Position]:
        for (key, path), at in pointer.targets.items():
            root = self._root(state, key)
            if path is None or root is None or kind_of(key) == GONE:
                yield (key, SOMEWHERE), LOST
                continue
            here = self.layouts.type_at(root, path)
            if here is not None and here.name == type and at[1] == ZERO:
                yield (key, path), at
            elif at[1] != ZERO or here is None:
                yield self._beside(state, key, path, at)
            else:
                yield self._same_address(root, key, path, at, type)

    def _same_address(self, root: str, key: Key, path: tuple[str, ...], at: Indices, type: str) -> Position:
        other = self.layouts.same_address(root, path, type, at[0] == ZERO)
        if other is None:
            return (key, path), at
        here = self.layouts.type_at(root, other)
        if here is not None and is_array_of_objects(here):
            return (key, SOMEWHERE), LOST
        return _at(key, path, at, other)

    def _beside(self, state: State, key: Key, path: tuple[str, ...], at: Indices) -> Position:
        """A position outside of an array may be that of another object of its block."""
        exact = state.blocks[key].exact and not path
        if exact or self.memory.within(state, key, path, at[1], None):
            return (key, path), at
        return (key, SOMEWHERE), LOST

    # --- movement ----------------------------------------------------------------------------------------------------

    def shifted(self, state: State, pointer: Pointer, distance: Interval, unit: int) -> Pointer:
        if distance == ZERO or pointer.unknown:
            return pointer
        found = [self._moved(state, key, path, at, distance, unit) for (key, path), at in pointer.targets.items()]
        return pointers.made(_near_null(pointer.flags), iter(found))

    def _moved(self, state: State, key: Key, path: Path, at: Indices, distance: Interval, unit: int) -> Position:
        root = self._root(state, key)
        if path is None or root is None:
            return (key, SOMEWHERE), LOST
        type = self.layouts.type_at(root, path)
        if type is None:
            return (key, SOMEWHERE), LOST
        if active(path) == 0:
            array = self.layouts.type_at(root, path[:-1])
            if array is None or at[1] != ZERO:
                return (key, SOMEWHERE), LOST
            if stride(array) == unit or (not unit and type.cells is None):
                return (key, path), (intervals.clamped(intervals.plus(at[0], distance)), ZERO)
            if type.cells is None or type.cells.stride != unit:
                return (key, SOMEWHERE), LOST
        if unit not in (0, stride(type)):
            return (key, SOMEWHERE), LOST
        return (key, path), (at[0], intervals.clamped(intervals.plus(at[1], distance)))

    def moves_active(self, state: State, key: Key, path: Path) -> bool:
        """Whether arithmetic moves the index of a pointer (`State.value` of its index): not in the rows of a matrix."""
        root = self._root(state, key)
        if path is None or root is None:
            return False
        type = self.layouts.type_at(root, path)
        return type is not None and (active(path) == 1 or type.cells is None)

    def distance(self, state: State, left: Pointer, right: Pointer, unit: int) -> Interval | None:
        """The cells between two pointers into one block, None if they may be anything."""
        if left.flags or right.flags or len(left.targets) != 1 or len(right.targets) != 1:
            return None
        ((key, path), one), ((other, below), two) = *left.targets.items(), *right.targets.items()
        root = self._root(state, key)
        if key != other or path != below or path is None or root is None or kind_of(key) != pointers.RECENT:
            return None
        type = self.layouts.type_at(root, path[:-1] if active(path) == 0 else path)
        if type is None or unit not in (0, stride(type)) or (active(path) == 0 and (one[1], two[1]) != (ZERO, ZERO)):
            return None
        if path.count(ELEMENT) > (1 if active(path) == 0 else 0):
            return None
        return intervals.minus(one[active(path)], two[active(path)])

    def starts_block(self, state: State, key: Key, path: Path, at: Indices) -> bool:
        """Whether a position is surely the first byte of its block."""
        root = self._root(state, key)
        if path is None or root is None or at[1] != ZERO:
            return False
        offset = self.layouts.offset(root, path) if path else 0
        return offset == 0 and (ELEMENT not in path or at[0] == ZERO)

    def bytes_before(self, state: State, key: Key, path: Path, at: Indices) -> Interval | None:
        """The offset of a position in its block, None if it is not known."""
        root = self._root(state, key)
        if path is None or root is None:
            return None
        if path == ():
            type = self.layouts.type_at(root, path)
            step = 1 if type is None else stride(type)
            return intervals.times(at[1], (step, step))
        offset = self.layouts.offset(root, path)
        type, array = self.layouts.type_at(root, path), self.layouts.type_at(root, path[:-1])
        if offset is None or type is None or array is None:
            return None
        found = intervals.plus((offset, offset), intervals.times(at[1], (stride(type), stride(type))))
        if path[-1] == ELEMENT:
            found = intervals.plus(found, intervals.times(at[0], (stride(array), stride(array))))
        return found
