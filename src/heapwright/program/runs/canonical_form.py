"""The canonical form of a state: equal for states that differ only in the names of objects and symbolic inputs.

Blocks are numbered in the order in which a walk from the variables meets them, symbols likewise. Variables that are not
read again, and blocks that nothing can reach, do not count; a walk also drops the latter from the state. Of an ended
block only its identity counts, and which blocks were allocated after its end, because those may share its address.
Recorded leaks do not count.
Integer fields that the program never reads do not count either.

    forms = Canonical(machine)
    forms.key(state)      # 16 bytes
"""

from __future__ import annotations

import marshal
from hashlib import blake2b
from typing import Any

from heapwright.program.checks import LEAK_KINDS
from heapwright.program.dataflow.liveness import slots
from heapwright.program.runs.interpreter import Machine
from heapwright.program.semantics.memory import forget, objects_of, view_of
from heapwright.program.semantics.objects import (
    OUTSIDE,
    PARTIAL,
    SCRAMBLED,
    UNSET,
    Bytes,
    Fragment,
    MemoryObject,
    Symbol,
    object_of,
)
from heapwright.program.semantics.state import Garbage, State
from heapwright.program.types import Storage


class Canonical:
    """Made once for a machine."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        program, goal = machine.program, machine.goal
        self._roots_count = any(
            check.kind in LEAK_KINDS and goal.selects(check) for edge in program.graph.edges for check in edge.checks
        )
        self._lost_blocks_count = machine.context.garbage is not Garbage.NONE
        self._variables: dict[int, tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = {}

    def _slots(self, location: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Pointers that are read again, pointers that only keep blocks alive, and integers that are read again."""
        known = self._variables.get(location)
        if known is None:
            live = self._machine.liveness
            mask = live.at(location)
            kept = live.pointers & ~live.temporaries & ~mask if self._roots_count else 0
            known = self._variables[location] = (
                slots(mask & live.pointers),
                slots(kept),
                slots(mask & ~live.pointers),
            )
        return known

    def key(self, state: State) -> bytes:
        """The canonical form, hashed; irrelevant blocks are dropped from the state."""
        walk = _Walk(state)
        pointers, keepers, numbers = self._slots(state.location)
        variables = state.vars
        out = walk.out
        out.append(state.location)
        out.append(state.answers)
        for slot in pointers:
            walk.pointer(variables[slot])
        for slot in keepers:
            walk.keeper(variables[slot])
        for slot in numbers:
            walk.data(variables[slot])
        walk.finish(self._lost_blocks_count)
        return blake2b(marshal.dumps(out, 2), digest_size=16).digest()


class _Walk:
    """One traversal. `out` collects plain values whose order determines the state up to renaming."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.out: list[Any] = []
        self.blocks: dict[int, int] = {}
        self.order: list[int] = []
        self.symbols: dict[int, int] = {}
        self.decided: set[int] = set()

    def pointer(self, value: Any) -> None:
        if type(value) is int:
            if value <= 0:
                self.out.append(value)
                return
            obj, index = self.state.objects[value], 0
        else:
            obj, index = self.state.objects[value[0]], value[1]
        number = self.blocks.get(obj.block)
        if number is None:
            number = self.blocks[obj.block] = len(self.order) + 1
            self.order.append(obj.block)
        if obj.owner or index or obj.offset or obj.status == OUTSIDE:
            self.out.append((number, obj.offset, obj.layout.index, index, obj.status == OUTSIDE))
        else:
            self.out.append(number)

    def keeper(self, value: Any) -> None:
        """A variable that is only a root: it matters if it leads to something live."""
        number = value if type(value) is int else value[0]
        obj = self.state.objects.get(number)
        if obj is None or self.state.blocks[obj.block].status > PARTIAL:
            self.out.append(None)
        else:
            self.pointer(value)

    def data(self, value: Any) -> None:
        if type(value) is int:
            self.out.append(value)
        elif value is UNSET:
            self.out.append(None)
        elif value is SCRAMBLED:
            self.out.append(False)
        elif type(value) is Symbol:
            self._symbol(value)
        else:
            self._bytes(value)

    def _bytes(self, value: Any) -> None:
        """An address in an integer, a byte of something, or several."""
        if isinstance(value, Bytes):
            self.out.append((len(value.digits), value.signed))
            for digit in value.digits:
                self.data(digit)
        elif isinstance(value, Fragment):
            self.out.append(value.position)
            self.data(value.value)
        elif object_of(value.pointer) in self.state.objects:
            self.out.append((value.offset, value.size))
            self.pointer(value.pointer)

    def _symbol(self, value: Symbol) -> None:
        known = self.state.symbols.get(value.id)
        if known is None:  # of a member of a union that is not read
            return
        number = self.symbols.get(value.id)
        if number is None:
            if known.low == known.high and known.used:
                self.decided.add(value.id)
                self.out.append(known.low + value.offset)
                return
            number = self.symbols[value.id] = len(self.symbols)
            for part in known.parts:
                self._symbol(Symbol(part, 0))
        self.out.append((number, value.offset))

    def finish(self, lost_blocks_count: bool) -> None:
        """Walks the blocks that were met, then those of the input heap that nothing leads to: an input pointer that is
        still open may."""
        self._blocks(0)
        for identity in (*self.state.inputs, *(one for one in self.state.escaped if one in self.state.blocks)):
            if identity not in self.blocks:
                self.order.append(identity)
                self.blocks[identity] = len(self.order)
                self._blocks(len(self.order) - 1)
        self._times()
        self._escapes()
        self._ranges()
        if self.state.suspects:
            self.out.append(tuple(sorted(self.blocks.get(one, 0) for one in self.state.suspects)))
        if len(self.state.blocks) > len(self.order):
            self._drop(lost_blocks_count)

    def _blocks(self, done: int) -> None:
        state, order, append = self.state, self.order, self.out.append
        while done < len(order):
            block = state.blocks[order[done]]
            done += 1
            root = state.objects[block.root]
            kind = (
                (block.storage is Storage.HEAP)
                + 2 * (block.storage is Storage.STACK)
                + 4 * block.input
                + 8 * block.zeroed
                + 16 * block.lent
            )
            append(block.status * 32 + kind)
            append(root.layout.index)
            append(block.size)
            if block.status > PARTIAL:
                continue
            if root.parts or root.elements is not None:
                self._whole(block.root)
            else:
                self._contents(root)
            if block.base is not None:
                self.data(block.base)
            view = view_of(state, order[done - 1]) if state.outside else None
            if view is not None:
                self._contents(state.objects[view])

    def _whole(self, root: int) -> None:
        """A block of several objects."""
        objects = self.state.objects
        for number in objects_of(self.state, root):
            obj = objects[number]
            if obj.owner and objects[obj.owner].elements is not None:
                self.out.append(obj.position)
            self._contents(obj)

    def _contents(self, obj: MemoryObject) -> None:
        append = self.out.append
        if obj.count is not None:
            append(obj.count)
        if obj.length is not None:
            self.data(obj.length)
            append(obj.rewritten)
        if obj.elements is not None:
            append(len(obj.elements))
        if obj.cells is not None:
            append(tuple(sorted(obj.cells)))
            visit = self.pointer if obj.layout.holds_pointers else self.data
            for index in sorted(obj.cells):
                value = obj.cells[index]
                if type(value) is Bytes:
                    self._bytes(value)
                else:
                    visit(value)
            return
        fields = obj.fields
        for slot in obj.layout.data_slots:
            value = fields[slot]
            if type(value) is int:
                append(value)
            else:
                self.data(value)
        for slot in obj.layout.pointer_slots:
            value = fields[slot]
            if type(value) is int and value <= 0:
                append(value)
            elif type(value) is Bytes:
                self._bytes(value)
            else:
                self.pointer(value)

    def _times(self) -> None:
        """Pairs of blocks: one came after the end of the other, or was moved from it."""
        blocks = self.state.blocks
        for number, identity in enumerate(self.order):
            end = blocks[identity].end
            if end >= 0:
                later = tuple(other for other, name in enumerate(self.order) if blocks[name].birth > end)
                if later:
                    self.out.append((number, later))
        for number, identity in enumerate(self.order):
            if blocks[identity].replaced in self.blocks:
                self.out.append((number, self.order.index(blocks[identity].replaced), blocks[identity].moved))

    def _escapes(self) -> None:
        """The blocks that the environment has, and those of them that existed at its last call."""
        state = self.state
        if state.called or state.escaped:
            known = [
                (self.blocks[one], state.blocks[one].end > state.called) for one in state.escaped if one in self.blocks
            ]
            self.out.append(tuple(known))

    def _ranges(self) -> None:
        state = self.state
        if len(state.symbols) > len(self.symbols) + len(self.decided):
            kept = self.decided.union(self.symbols)
            for symbol in [name for name in state.symbols if name not in kept]:
                state.settled = (state.settled, symbol, state.symbols.pop(symbol))
        for symbol in self.symbols:
            known = state.symbols[symbol]
            approximate = known.request is not None and known.request.approximate
            self.out.append((known.low, known.high, tuple(sorted(known.excluded)), approximate))

    def _drop(self, lost_blocks_count: bool) -> None:
        state = self.state
        lost: set[int] = set()
        for identity, block in list(state.blocks.items()):
            if identity in self.blocks:
                continue
            if lost_blocks_count and block.status <= PARTIAL and block.storage is Storage.HEAP:
                lost.add(state.objects[block.root].layout.index)
            elif not block.input:
                forget(state, identity)
        if lost:
            self.out.append(tuple(sorted(lost)))
