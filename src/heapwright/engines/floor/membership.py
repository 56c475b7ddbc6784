"""Membership of concrete heaps in the states, for audits.

A concrete block is one of the sites whose statement allocated it. Of the live blocks of one site only the one that was
allocated last may be the most recent; it is not if a later one has ended. Where a statement has several sites, or the
heap does not tell (input objects), every abstract block is tried; so False is certain, unless blocks have been lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heapwright.base.source import Span
from heapwright.engines.floor.domain.differences import Term, owner_of
from heapwright.engines.floor.domain.intervals import FAR
from heapwright.engines.floor.domain.layouts import CELLS, TERMINATOR
from heapwright.engines.floor.domain.pointers import (
    ELEMENT,
    ENVIRONMENT,
    GONE,
    JUNK,
    KINDS,
    NEAR_NULL,
    NULL,
    OLDER,
    RECENT,
    Key,
    Pointer,
    is_never,
)
from heapwright.engines.floor.domain.state import State
from heapwright.engines.floor.domain.terms_of_strings import terminator_of
from heapwright.engines.floor.transform.access import Memory
from heapwright.program.commands import New
from heapwright.program.dataflow.liveness import Liveness
from heapwright.program.graph import Program
from heapwright.program.runs.snapshot import Address, HeapObject, Snapshot


class RecencyStates:
    """The states of a finished analysis, by location."""

    def __init__(
        self, program: Program, memory: Memory, liveness: Liveness, states: Mapping[int, Sequence[State]]
    ) -> None:
        self.program = program
        self.memory = memory
        self.liveness = liveness
        self.states = states
        self.sites: dict[Span, list[int]] = {}
        for number, edge in enumerate(program.graph.edges, start=1):
            if isinstance(edge.command, New):
                self.sites.setdefault(edge.span, []).append(number)

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        keys = self._keys(heap)
        found = any(_Heap(self, one, heap, keys, location).matches() for one in self.states.get(location, ()))
        if location not in self.states:
            return False
        return None if not found and heap.lost is not False else found

    def _keys(self, heap: Snapshot) -> dict[int, tuple[Key, ...] | None]:
        """The abstract blocks that a concrete block, by its root, may be in; None: all."""
        keys: dict[int, tuple[Key, ...] | None] = {}
        last: dict[int, int] = {}
        for number, obj in heap.objects.items():
            root = obj.root or number
            sites = None if obj.allocated is None else self.sites.get(obj.allocated)
            if sites is None:
                keys[root] = None
            elif obj.status in ("freed", "ended"):
                keys[root] = tuple(site * KINDS + GONE for site in sites)
                if len(sites) == 1:
                    last[sites[0]] = max(last.get(sites[0], 0), root)
            elif obj.status == "live":
                both = [site * KINDS + kind for site in sites for kind in (RECENT, OLDER)]
                keys[root] = tuple(both)
                if len(sites) == 1:
                    last[sites[0]] = max(last.get(sites[0], 0), root)
        for root, known in keys.items():
            if known is not None and len(known) == 2 and known[0] % KINDS == RECENT:
                site = known[0] // KINDS
                keys[root] = known if last[site] == root else known[1:]
        return keys


class _Heap:
    """One heap and one state."""

    def __init__(
        self,
        states: RecencyStates,
        state: State,
        heap: Snapshot,
        keys: Mapping[int, tuple[Key, ...] | None],
        location: int,
    ) -> None:
        self.states = states
        self.state = state
        self.heap = heap
        self.keys = keys
        self.live = states.liveness.at(location)

    def _is_read(self, name: str) -> bool:
        return bool(self.live & self.states.liveness.bit(name))

    def matches(self) -> bool:
        pointers = all(
            self._points(self._pointer(name), at) for name, at in self.heap.pointers.items() if self._is_read(name)
        )
        numbers = all(
            self._is_in(value, self.state.numbers.get(name))
            for name, value in self.heap.data.items()
            if self._is_read(name)
        )
        strings = all(map(self._ends, self.state.strings))
        return (
            pointers and numbers and strings and self._differ() and all(map(self._object, self.heap.objects.values()))
        )

    def _ends(self, name: str) -> bool:
        """Whether a zero is where a pointer is said to have one."""
        at = self.heap.pointers.get(name)
        obj = self.heap.objects.get(at.object) if at is not None and self._is_read(name) else None
        if at is None or obj is None or obj.status != "live":
            return True
        low, high = self.state.value(terminator_of(name))
        return _has_zero(obj, at.index + low, at.index + high)

    def _pointer(self, name: str) -> Pointer:
        return self.states.memory.pointer(self.state, name)

    @staticmethod
    def _is_in(value: int | None, known: tuple[int, int] | None) -> bool:
        return value is None or known is None or known[0] <= value <= known[1]

    def _points(self, pointer: Pointer, at: Address) -> bool:
        if pointer.unknown or at.object < -1:
            return True
        if at.object == 0:
            return bool(pointer.flags & (NULL if at.index == 0 else NEAR_NULL))
        if at.object == -1:
            return bool(pointer.flags & JUNK)
        obj = self.heap.objects.get(at.object)
        if obj is None:
            return True
        keys = self.keys.get(obj.root or at.object)
        for (key, path), indices in pointer.targets.items():
            if keys is not None and key not in keys:
                continue
            if path is None or key == ENVIRONMENT or keys is None or key % KINDS == GONE:
                return True
            if obj.status == "outside" and is_never(path):
                return True
            if obj.status != "outside" and self._is_at(path, indices, at.object, obj, at.index):
                return True
        return False

    def _path(self, number: int, obj: HeapObject) -> tuple[tuple[str, ...], int]:
        """The path of an object, and the index of the last element on it."""
        if not obj.owner:
            return (), 0
        owner = self.heap.objects[obj.owner]
        path, outer = self._path(obj.owner, owner)
        if obj.position.isdigit() and owner.count is not None:
            return (*path, ELEMENT), int(obj.position)
        return (*path, obj.position), outer

    def _is_at(
        self,
        path: tuple[str, ...],
        indices: tuple[tuple[int, int], tuple[int, int]],
        number: int,
        obj: HeapObject,
        index: int,
    ) -> bool:
        own, outer = self._path(number, obj)
        type = self.states.program.types.get(obj.type)
        if type is not None and type.cells is not None and type.cells.field is None:
            own, outer, index = (*own, ELEMENT), index, 0
        inside = indices[1][0] <= index <= indices[1][1]
        return own == path and inside and (ELEMENT not in path or indices[0][0] <= outer <= indices[0][1])

    # --- contents ----------------------------------------------------------------------------------------------------

    def _object(self, obj: HeapObject) -> bool:
        if obj.status != "live":
            return True
        number = next(number for number, one in self.heap.objects.items() if one is obj)
        keys = self.keys.get(obj.root or number)
        if keys is None:
            return True
        path, _ = self._path(number, obj)
        return any(self._holds(key, path, obj) for key in keys)

    def _holds(self, key: Key, path: tuple[str, ...], obj: HeapObject) -> bool:
        block = self.state.blocks.get(key)
        if block is None:
            return False
        if not block.type:
            return True
        ends = block.cells.get((path, TERMINATOR))
        if isinstance(ends, tuple) and ends[0] >= 0 and not _has_zero(obj, *ends):
            return False
        for name, at in obj.pointers.items():
            value = block.pointer((path, name))
            if value.flags < 16 and not self._points(value, at):
                return False
        for name, number in obj.data.items():
            if not self._is_in(number, block.number((path, name), (-FAR, FAR))):
                return False
        for cell in obj.cells.values():
            if isinstance(cell, Address):
                value = block.pointer((path, CELLS))
                if value.flags < 16 and not self._points(value, cell):
                    return False
            elif not self._is_in(cell, block.number((path, CELLS), (-FAR, FAR))):
                return False
        return path != () or obj.count is None or block.length[0] <= obj.count <= block.length[1]

    # --- differences -------------------------------------------------------------------------------------------------

    def _differ(self) -> bool:
        for left, right, bound in self.state.differences.bounds():
            one, other = self._value(left), self._value(right)
            if one is not None and other is not None and one - other > bound:
                return False
        return True

    def _value(self, term: Term) -> int | None:
        """The number that a term stands for, None if it is not known or does not exist."""
        if isinstance(term, str):
            return self.heap.data.get(term) if term in self.heap.data and self._is_read(term) else None
        if term[0] == "@":
            return None
        owner = owner_of(term)
        assert isinstance(owner, int)
        roots = [root for root, keys in self.keys.items() if keys is None or owner in keys]
        others = [key for root in roots for key in self.keys[root] or (ENVIRONMENT,) if key != owner]
        if len(roots) != 1 or any(key in self.state.blocks for key in others):
            return None
        obj = self.heap.objects.get(roots[0])
        if obj is None or obj.status != "live":
            return None
        if term[0] == "#":
            return obj.count
        if term[0] == "c" and term[2] == ():
            return obj.data.get(str(term[3]))
        return None


def _has_zero(obj: HeapObject, low: int, high: int) -> bool:
    """Whether one of these cells of an array may be a zero. Cells that were never accessed are as at the beginning."""
    if obj.count is None:
        return True
    positions = range(max(low, 0), min(high, obj.count - 1) + 1)
    known = set(obj.cells) & set(positions) if len(positions) < len(obj.cells) else set(obj.cells)
    inside = [obj.cells[position] for position in known if position in positions]
    return len(inside) < len(positions) or any(cell is None or cell == 0 for cell in inside)
