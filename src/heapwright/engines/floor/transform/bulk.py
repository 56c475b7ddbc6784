"""Commands on whole blocks: copies and fills of bytes, protection, and calls of functions without a body."""

from __future__ import annotations

from heapwright.base.immutable import EMPTY
from heapwright.engines.floor.domain import intervals, pointers
from heapwright.engines.floor.domain.blocks import (
    ANYTHING,
    ARGUMENTS,
    EXTERNAL,
    PERHAPS_PROTECTED,
    PROTECTED,
    ZEROES,
    Value,
    joined_block,
)
from heapwright.engines.floor.domain.differences import size_of
from heapwright.engines.floor.domain.intervals import Interval
from heapwright.engines.floor.domain.layouts import CELLS, stride
from heapwright.engines.floor.domain.pointers import (
    ENVIRONMENT,
    GONE,
    LOST,
    RECENT,
    SOMEWHERE,
    ZERO,
    Key,
    Pointer,
    is_never,
    kind_of,
)
from heapwright.engines.floor.domain.state import State
from heapwright.engines.floor.domain.zeroes import begin_zeroes
from heapwright.engines.floor.transform.access import Memory
from heapwright.engines.floor.transform.arithmetic import evaluate, linear, multiplied
from heapwright.engines.floor.transform.held_pointers import havoc_all
from heapwright.engines.floor.transform.outside import write_outside
from heapwright.engines.floor.transform.positions import Positions
from heapwright.engines.floor.transform.scalars import Failures
from heapwright.program.checks import CheckKind
from heapwright.program.commands import Copy, External, Fill
from heapwright.program.expressions import Expr


class Bulk:
    def __init__(self, memory: Memory, positions: Positions) -> None:
        self.memory = memory
        self.positions = positions

    # --- bytes -------------------------------------------------------------------------------------------------------

    def _check(self, state: State, pointer: Pointer, size: Expr | None, failures: Failures, *, writes: bool) -> None:
        """So many bytes from a pointer on must lie in a block that is live, and that may be written."""
        for (key, path), at in pointer.targets.items():
            block = state.blocks[key]
            if path is None or is_never(path):
                failures.add(CheckKind.INVALID_DEREF)
            if writes and block.protected:
                failures.add(CheckKind.INVALID_DEREF)
            if size is None and self.positions.starts_block(state, key, path, at):
                continue  # no more than both blocks have
            if size is None or not self._fits(state, key, path, at, size):
                failures.add(CheckKind.BOUNDS)

    def _fits(self, state: State, key: Key, path: pointers.Path, at: pointers.Indices, size: Expr) -> bool:
        start = self.positions.bytes_before(state, key, path, at)
        if start is None or start[0] < 0 or key == ENVIRONMENT:
            return False
        if start[1] + evaluate(state, size)[1] <= state.blocks[key].size[0]:
            return True
        form = linear(state, size)
        if form is None or form[0] is None or kind_of(key) != RECENT:
            return False
        return state.bound(form[0], size_of(key)) + form[1] + start[1] <= 0

    def _valid(self, state: State, base: str, size: Interval, failures: Failures) -> Pointer:
        """The pointer of a copy; nothing is accessed if there is nothing to copy."""
        if size[0] > 0:
            return self.memory.valid(state, base, failures)
        known = state.pointers.get(base)
        found = self.memory.valid(state, base, failures)
        if known is not None:
            state.pointers[base] = known
        return found

    def copy(self, state: State, command: Copy, failures: Failures) -> bool:
        size = (1, intervals.FAR) if command.size is None else evaluate(state, command.size)
        if size == ZERO:
            return True
        target = self._valid(state, command.base, size, failures)
        source = self._valid(state, command.source, size, failures)
        if target.empty or source.empty:
            return size[0] <= 0
        self._check(state, target, command.size, failures, writes=True)
        self._check(state, source, command.size, failures, writes=False)
        if target.unknown:
            havoc_all(state)
            return True
        clean = self._is_clean(state, command)
        for (key, path), at in target.targets.items():
            self._copy_to(state, key, path, at, source, clean)
        return True

    def _copy_to(
        self, state: State, key: Key, path: pointers.Path, at: pointers.Indices, source: Pointer, clean: bool
    ) -> None:
        """The cells of a block may be those of others; `clean`: no cell is overwritten in part."""
        if key in self.memory.arguments:
            write_outside(state, self.memory.arguments, pointers.ANY_POINTER)
        if key == ENVIRONMENT:
            write_outside(state, self.memory.arguments, None)
            held = [value for one in source.blocks() for value in state.blocks[one].cells.values()]
            plain = not source.unknown and all(
                state.blocks[one].initial & (ANYTHING | EXTERNAL | ARGUMENTS) == 0 for one in source.blocks()
            )
            state.hold_outside(_joined(held) if plain and clean else pointers.ANY_POINTER)
            return
        state.same_blocks.drop_objects(key)
        block = state.blocks[key]
        starts = self.positions.starts_block(state, key, path, at)
        alike = self._array_cells(state, key, path)
        for (other, below), start in source.targets.items():
            twin = state.blocks[other]
            whole = starts and self.positions.starts_block(state, other, below, start) and clean
            like = self._array_cells(state, other, below)
            if source.unknown or other == ENVIRONMENT:
                state.havoc_block(key)
                return
            if whole and block.type == twin.type and block.type:
                names = ("length", "size", "fits", "exact", "protected", "single")
                kept = {name: getattr(block, name) for name in names}
                block = joined_block(block, twin._replace(**kept))
            elif path is not None and below is not None and alike is not None and alike == like:
                read = twin.number((below, CELLS), alike[0]) if clean else alike[0]
                cell = intervals.join(block.number((path, CELLS), alike[0]), read)
                block = block._replace(cells={**block.cells, (path, CELLS): cell})
            else:
                state.havoc_block(key)
                return
        state.blocks[key] = block
        state.forget_fields(key)
        state.forget_terminators(key)

    def _is_clean(self, state: State, command: Copy) -> bool:
        """Whether a copy overwrites whole cells alone: that of realloc, to a new block, or of whole objects."""
        if command.size is None:
            return True
        size = evaluate(state, command.size)
        for name in (command.base, command.source):
            type = self.memory.program.types.get(self.memory.program.variables[name].target)
            if type is None:
                continue
            step = stride(type) if type.cells is None or type.cells.field is None else type.cells.stride
            if size[0] == size[1] and size[0] % step == 0:
                continue
            if step != 1 and multiplied(state, command.size, step) is None:
                return False
        return self._cells_are_whole(state, command, size)

    def _cells_are_whole(self, state: State, command: Copy, size: Interval) -> bool:
        """Whether the blocks have no cells that the size, a number of objects of the declared types, cuts."""
        for name in (command.base, command.source):
            for key, path in self.memory.pointer(state, name).targets:
                type = None if path is None else self.memory.layouts.type_at(state.blocks[key].type or "", path)
                if type is None:
                    return False
                step = stride(type)
                whole = size[0] == size[1] and size[0] % step == 0
                if not whole and step != 1 and (command.size is None or multiplied(state, command.size, step) is None):
                    return False
        return True

    def _array_cells(self, state: State, key: Key, path: pointers.Path) -> tuple[Interval, object] | None:
        """The range and the type of the integer cells of the array at a path."""
        root = state.blocks[key].type
        if path is None or not root or key == ENVIRONMENT:
            return None
        type = self.memory.layouts.type_at(root, path)
        cell = None if type is None or type.cells is None else type.cells.field
        if cell is None or cell.type is None:
            return None
        return intervals.range_of(cell.type), (cell.type, cell.size)

    def fill(self, state: State, command: Fill, failures: Failures) -> bool:
        size, value = evaluate(state, command.size), evaluate(state, command.value)
        if size == ZERO:
            return True
        target = self._valid(state, command.base, size, failures)
        if target.empty:
            return size[0] <= 0
        self._check(state, target, command.size, failures, writes=True)
        if target.unknown:
            havoc_all(state)
            return True
        for (key, path), at in target.targets.items():
            if key == ENVIRONMENT or key in self.memory.arguments:
                write_outside(
                    state, self.memory.arguments, pointers.NULL_POINTER if value == ZERO else pointers.ANY_POINTER
                )
            if key == ENVIRONMENT:
                continue
            if value != ZERO or state.blocks[key].type in ("", None):
                state.havoc_block(key)
            else:
                sure = target.only() == key and kind_of(key) == RECENT and path == () and at[1] == ZERO
                self._zero(state, key, whole=sure and size[0] == size[1] == state.blocks[key].size[0])
        return True

    def _zero(self, state: State, key: Key, *, whole: bool) -> None:
        state.same_blocks.drop_objects(key)
        block = state.blocks[key]
        zeroed = block._replace(initial=ZEROES, cells=EMPTY)
        state.blocks[key] = zeroed if whole and block.size[0] == block.size[1] else joined_block(block, zeroed)
        state.forget_fields(key)
        state.forget_terminators(key)
        begin_zeroes(self.memory.layouts, state, key)

    def protect(self, state: State, base: str) -> None:
        pointer = self.memory.pointer(state, base)
        keys = list(state.blocks) if pointer.unknown else sorted(pointer.blocks())
        surely = pointer.only() is not None
        for key in keys:
            if kind_of(key) != GONE:
                sure = surely and kind_of(key) == RECENT
                level = PROTECTED if sure else max(state.blocks[key].protected, PERHAPS_PROTECTED)
                state.blocks[key] = state.blocks[key]._replace(protected=level)

    # --- the environment ---------------------------------------------------------------------------------------------

    def call(self, state: State, command: External) -> None:
        """Everything that the environment can reach may be written by it."""
        state.same_blocks.drop_objects()
        handed = [self.memory.pointer(state, name) for name in command.pointers]
        known = Pointer(0, {(key, SOMEWHERE): LOST for key in state.escaped if key in state.blocks})
        reached = state.reachable([*handed, known, state.outside()])
        lent = [self.memory.pointer(state, name) for name, _ in command.lent]
        behind = state.reachable(self._held(state, lent))
        for key in sorted(reached | behind):
            if key != ENVIRONMENT and kind_of(key) != GONE:
                state.havoc_block(key, EXTERNAL)
        write_outside(state, self.memory.arguments, None)
        escaped = {key for key in reached if key != ENVIRONMENT}
        state.escaped |= escaped
        state.hold_outside(pointers.made(pointers.NULL, (((key, SOMEWHERE), LOST) for key in sorted(escaped))))

    def _held(self, state: State, lent: list[Pointer]) -> list[Pointer]:
        """The pointers that the blocks hold which are lent."""
        found: list[Pointer] = []
        for pointer in lent:
            if pointer.unknown:
                return [pointer]
            for key in pointer.blocks():
                block = state.blocks[key]
                if kind_of(key) == GONE:
                    continue
                found += [value for value in block.cells.values() if isinstance(value, Pointer)]
                if block.initial & ANYTHING:
                    found.append(pointers.ANY_POINTER)
                if block.initial & (EXTERNAL | ARGUMENTS) or key == ENVIRONMENT:
                    found.append(state.outside())
        return found


def _joined(values: list[Value]) -> Pointer:
    found = Pointer(0)
    for value in values:
        if isinstance(value, Pointer):
            found = pointers.join(found, value)
    return found
