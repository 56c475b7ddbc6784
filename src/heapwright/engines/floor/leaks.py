"""Leaks: a step loses nothing if every block that it drops a pointer to has ended, or is surely held otherwise.

A step drops what `program/semantics/leaks.py` says: the old value of a variable or cell, the contents of a block that
ends, temporaries that are dead after it. A block is surely held if it is the most recent of its site and a root, or a
cell of a block that is held, points to it and to nothing else; or if it has escaped to the environment.

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
        dropped = [pointer for pointer in self._dropped(state, edge) if pointer.unknown or pointer.targets]
        for number, pointer in enumerate(dropped):
            state.pointers[f"{DROPPED}{number}"] = pointer

    def take_dropped(self, state: State) -> list[Pointer]:
        """Those pointers after the step."""
        found: list[Pointer] = []
        while (pointer := state.pointers.pop(f"{DROPPED}{len(found)}", None)) is not None:
            found.append(pointer)
        return found

    def is_stale(self, edge: Edge[Command]) -> bool:
        """Whether a step overwrites a temporary that is dead already. Then it loses no block unless one was lost before
        by a step without a leak check."""
        name, live = defined(edge.command), self.liveness
        return name is not None and bool(live.bit(name) & live.pointers & live.temporaries & ~live.at(edge.source))

    def _dropped(self, state: State, edge: Edge[Command]) -> list[Pointer]:
        """The pointers that a step drops, in the state before it."""
        live = self.liveness
        dying = live.pointers & live.temporaries & live.at(edge.source) & ~live.at(edge.target)
        found = [self.memory.pointer(state, self.names[slot]) for slot in slots(dying)]
        name = defined(edge.command)
        pointer = name is not None and self.program.variables[name].kind is ValueKind.POINTER
        if name is not None and pointer and not self.is_stale(edge):
            found.append(self.memory.pointer(state, name))
        match edge.command:
            case Free(base) | Leave(base) | Copy(base) | Fill(base):
                found += self._contents(state, base)
            case Store(base, field) | Scramble(base, field):
                found += self._old(state, base, self.memory.want_field(base, field, ValueKind.POINTER), None)
            case StoreCell(base, index):
                found += self._old(state, base, self.memory.want_cell(base, ValueKind.POINTER), index)
        return found

    def _contents(self, state: State, base: str) -> list[Pointer]:
        pointer = self.memory.pointer(state, base)
        if pointer.unknown:
            return [ANY_POINTER]
        found: list[Pointer] = []
        for key in pointer.blocks():
            block = state.blocks[key]
            if key == ENVIRONMENT:
                found.append(_of_environment(state))
            elif kind_of(key) != GONE:
                found += [value for value in block.cells.values() if isinstance(value, Pointer)]
                found += [ANY_POINTER] if block.initial & ANYTHING else []
        return found

    def _old(self, state: State, base: str, want: Want, index: Expr | None) -> list[Pointer]:
        found = self.memory.locate(state.copy(), base, want, index, set())
        if found is None:
            return []
        if found.everything or any(one.place is None for one in found.accesses):
            return [ANY_POINTER]
        return [
            _of_environment(state) if key == ENVIRONMENT else state.blocks[key].pointer(place)
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
        live = self.liveness.at(location)
        waiting, seen = [key], {key}
        while waiting:
            held = waiting.pop()
            if kind_of(held) != RECENT:
                continue
            for name, pointer in pointers_into(state.pointers, held):
                if pointer.only() == held and (name in self.memory.sources or live & self.liveness.bit(name)):
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
