"""Leaks: a step loses nothing if every block that it drops a pointer to has ended, or is surely held otherwise.

A step drops what `program/semantics/leaks.py` says: the old value of a variable or cell, the contents of a block that
ends, temporaries that are dead after it. A block is surely held if it is the most recent of its site and a root, or a
cell of a block that is held, points to it and to nothing else; if it has escaped to the environment; or if something
that is held surely points into the same block as what was dropped (`domain/same_blocks.py`).

The values of dead temporaries are not kept. A step that overwrites one may lose its block only if that became
unreachable before without being noticed, by a step that has no leak check; so such steps are watched, too.
"""

from __future__ import annotations

from heapwright.engines.floor.domain import pointers
from heapwright.engines.floor.domain.blocks import ANYTHING, Block, is_single
from heapwright.engines.floor.domain.pointers import (
    ANY_POINTER,
    ENVIRONMENT,
    GONE,
    LOST,
    RECENT,
    SOMEWHERE,
    Key,
    Pointer,
    kind_of,
    site_of,
)
from heapwright.engines.floor.domain.same_blocks import BEHIND, Holder, cell, field_behind
from heapwright.engines.floor.domain.state import State, blocks_into, pointers_into
from heapwright.engines.floor.transform.access import Memory
from heapwright.engines.floor.transform.scalars import Want
from heapwright.program.commands import (
    AnyPointer,
    Command,
    Copy,
    Fill,
    Free,
    Leave,
    New,
    Scramble,
    Store,
    StoreCell,
)
from heapwright.program.dataflow.liveness import Liveness, defined, slots
from heapwright.program.expressions import Expr
from heapwright.program.graph import Edge, Program
from heapwright.program.types import Storage, ValueKind

Drop = tuple[Pointer, Holder | None]  # a pointer that a step drops, and what held it

DROPPED = "dropped pointer "  # no name of a variable: it has spaces


class Leaks:
    def __init__(self, program: Program, memory: Memory, liveness: Liveness) -> None:
        self.program = program
        self.memory = memory
        self.liveness = liveness
        self.names = list(program.variables)
        inputs = (edge.command for edge in program.graph.edges if isinstance(edge.command, AnyPointer))
        self.input_heap = any(not (one.environment or one.count) for one in inputs)

    # --- what a step drops -------------------------------------------------------------------------------------------

    def note_dropped(self, state: State, edge: Edge[Command]) -> None:
        """Keeps the pointers that a step drops in the state, so that they are renamed as the others are."""
        dropped = [drop for drop in self._dropped(state, edge) if drop[0].unknown or drop[0].targets]
        for number, (pointer, holder) in enumerate(dropped):
            state.pointers[f"{DROPPED}{number}"] = pointer
            if holder is not None:
                state.same_blocks.follow(f"{DROPPED}{number}", holder)

    def take_dropped(self, state: State, location: int) -> list[Pointer]:
        """Those pointers after the step to a location, without those into blocks that something else surely holds."""
        dropped: list[tuple[str, Pointer]] = []
        while (pointer := state.pointers.pop(name := f"{DROPPED}{len(dropped)}", None)) is not None:
            dropped.append((name, pointer))
        found = [
            pointer
            for name, pointer in dropped
            if not any(self._holds(state, one, location) for one in state.same_blocks.covering(name))
        ]
        for name, _ in dropped:
            state.same_blocks.drop(name)
        return found

    def _holds(self, state: State, holder: Holder, location: int) -> bool:
        """Whether a holder is reachable from the roots at a location."""
        if isinstance(holder, str):
            return self._is_root(holder, location)
        if holder[0] == BEHIND:
            return self._is_root(str(holder[1]), location)
        return self._is_held(state, location, int(holder[0]))

    def _is_root(self, name: str, location: int) -> bool:
        if name.startswith(DROPPED):
            return False
        return name in self.memory.sources or bool(self.liveness.at(location) & self.liveness.bit(name))

    def is_stale(self, edge: Edge[Command]) -> bool:
        """Whether a step overwrites a temporary that is dead already. Then it loses no block unless one was lost before
        by a step without a leak check."""
        name, live = defined(edge.command), self.liveness
        return name is not None and bool(live.bit(name) & live.pointers & live.temporaries & ~live.at(edge.source))

    def _dropped(self, state: State, edge: Edge[Command]) -> list[Drop]:
        """The pointers that a step drops, in the state before it, each with what holds it."""
        live = self.liveness
        dying = live.pointers & live.temporaries & live.at(edge.source) & ~live.at(edge.target)
        names = [self.names[slot] for slot in slots(dying)]
        found: list[Drop] = [(self.memory.pointer(state, one), one) for one in names]
        name = defined(edge.command)
        pointer = name is not None and self.program.variables[name].kind is ValueKind.POINTER
        if name is not None and pointer and not self.is_stale(edge):
            found.append((self.memory.pointer(state, name), name))
        match edge.command:
            case Free(base) | Leave(base) | Copy(base) | Fill(base):
                found += self._contents(state, base)
            case Store(base, field) | Scramble(base, field):
                found += self._old(state, base, self.memory.want_field(base, field, ValueKind.POINTER), None)
            case StoreCell(base, index):
                found += self._old(state, base, self.memory.want_cell(base, ValueKind.POINTER), index)
        return found

    def _contents(self, state: State, base: str) -> list[Drop]:
        pointer = self.memory.pointer(state, base)
        if pointer.unknown:
            return [(ANY_POINTER, None)]
        found: list[Drop] = []
        for key in pointer.blocks():
            block = state.blocks[key]
            if key == ENVIRONMENT:
                found.append((_of_environment(state), None))
            elif kind_of(key) != GONE:
                paths = {path for other, path in pointer.targets if other == key}
                for place, value in block.cells.items():
                    if isinstance(value, Pointer):
                        behind = field_behind(base, place[1]) if paths == {place[0]} and is_single(place) else None
                        held = cell(key, place)
                        found.append((value, held if held in state.same_blocks.classes else behind))
                found += [(ANY_POINTER, None)] if block.initial & ANYTHING else []
        return found

    def _old(self, state: State, base: str, want: Want, index: Expr | None) -> list[Drop]:
        found = self.memory.locate(state.copy(), base, want, index, set())
        if found is None:
            return []
        if found.everything or any(one.place is None for one in found.accesses):
            return [(ANY_POINTER, None)]
        holders = self.memory.holders(found, base, want.name if index is None else None)
        holder = next((one for one in holders if one in state.same_blocks.classes), None)
        return [
            (_of_environment(state) if key == ENVIRONMENT else state.blocks[key].pointer(place), holder)
            for key, place, _ in found.accesses
            if place is not None
        ]

    # --- what is lost ------------------------------------------------------------------------------------------------

    def may_lose(self, state: State, edge: Edge[Command], dropped: list[Pointer]) -> bool:
        """Whether a step may have lost a block, in the state after it."""
        if isinstance(edge.command, New):
            dropped = [*dropped, self.memory.pointer(state, edge.command.target)]
        waiting = [pointer for pointer in dropped if pointer.unknown or pointer.targets]
        seen: set[Key] = set()
        while waiting:
            pointer = waiting.pop()
            if pointer.unknown:
                return True
            for key in pointer.blocks() - seen:
                seen.add(key)
                block = state.blocks.get(key)
                if block is None or kind_of(key) == GONE or key in state.escaped:
                    continue
                if key == ENVIRONMENT:
                    if self.input_heap:
                        return True
                    continue
                if self._is_held(state, edge.target, key):
                    continue
                if self.memory.storage[site_of(key)] is Storage.HEAP or block.initial & ANYTHING:
                    return True
                waiting += [value for value in block.cells.values() if isinstance(value, Pointer)]
        return False

    def _is_held(self, state: State, location: int, key: Key) -> bool:
        """Whether a block is surely reachable from the roots at a location: sought backwards from it."""
        waiting, seen = [key], {key}
        while waiting:
            held = waiting.pop()
            if kind_of(held) != RECENT:
                continue
            for name, pointer in pointers_into(state.pointers, held):
                if pointer.only() == held and self._is_root(name, location):
                    return True
            for holder, block in blocks_into(state.blocks, held):
                if holder not in seen and _surely_leads(block, held):
                    seen.add(holder)
                    waiting.append(holder)
        return False

    def any_left(self, state: State) -> bool:
        """Whether a heap block may be live."""
        return any(
            kind_of(key) != GONE and key not in state.escaped and self.memory.storage[site_of(key)] is Storage.HEAP
            for key in state.blocks
            if key != ENVIRONMENT
        ) or (self.input_heap and ENVIRONMENT in state.blocks)


def _surely_leads(block: Block, key: Key) -> bool:
    return any(
        isinstance(value, Pointer) and value.only() == key and is_single(place) for place, value in block.cells.items()
    )


def _of_environment(state: State) -> Pointer:
    """What a cell of an input object, or of memory of the environment, may hold."""
    return pointers.join(Pointer(0, {(ENVIRONMENT, SOMEWHERE): LOST}), state.outside())
