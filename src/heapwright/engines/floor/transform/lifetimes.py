"""Blocks begin and end: allocation, `free`, the ends of scopes, and the length of blocks."""

from __future__ import annotations

from heapwright.engines.floor.domain import intervals, pointers
from heapwright.engines.floor.domain.blocks import INDETERMINATE, ZEROES, Block
from heapwright.engines.floor.domain.differences import count_of, index_of, size_of
from heapwright.engines.floor.domain.intervals import Interval
from heapwright.engines.floor.domain.layouts import stride
from heapwright.engines.floor.domain.pointers import (
    ELEMENT,
    ENVIRONMENT,
    GONE,
    JUNK,
    NEAR_NULL,
    NULL,
    NULL_POINTER,
    RECENT,
    SOMEWHERE,
    ZERO,
    Key,
    Pointer,
    gone,
    kind_of,
    recent,
)
from heapwright.engines.floor.domain.state import State
from heapwright.engines.floor.domain.zeroes import begin_zeroes
from heapwright.engines.floor.transform.access import Memory
from heapwright.engines.floor.transform.arithmetic import (
    assign,
    evaluate,
    linear,
    multiplied,
    set_number,
)
from heapwright.engines.floor.transform.conditions import constrain_halves
from heapwright.engines.floor.transform.held_pointers import replace_held
from heapwright.engines.floor.transform.positions import Positions
from heapwright.engines.floor.transform.scalars import Failures
from heapwright.engines.kit.ended_blocks import access_failures, free_failures
from heapwright.program.checks import CheckKind
from heapwright.program.commands import New
from heapwright.program.expressions import Binary, Const, Expr
from heapwright.program.graph import Program
from heapwright.program.semantics.transitions import LARGEST_COUNT, LARGEST_SIZE
from heapwright.program.types import Storage

COUNTS: Interval = (0, LARGEST_COUNT)
COUNT = "count of block "  # no name of a variable: it has spaces
SIZES: Interval = (0, LARGEST_SIZE)


class Lifetimes:
    def __init__(self, program: Program, memory: Memory, positions: Positions) -> None:
        self.types = program.types
        self.memory = memory
        self.positions = positions

    # --- allocation --------------------------------------------------------------------------------------------------

    def allocate(self, state: State, site: int, command: New) -> bool:
        """`new`: the block before of this site is one of the older ones now. What it may fail for says nothing."""
        if not command.may_fail:
            for expr, limits in ((command.count, COUNTS), (command.size, SIZES)):
                if expr is not None and not constrain_halves(state, expr, limits):
                    return False
            return self._allocate(state, site, command)
        made = self._allocate(state, site, command)
        self.memory.extents.forget(state, command.target)
        _set(state, command.target, _with_null(state.pointers[command.target]) if made else NULL_POINTER)
        return True

    def _allocate(self, state: State, site: int, command: New) -> bool:
        """A block of possible size; whether there may be one."""
        block = self._block(state, command)
        if block is None:
            return False
        count = None if command.count is None else linear(state, command.count)
        size = None if command.size is None else linear(state, command.size)
        state.age(site)
        key = recent(site)
        state.blocks[key] = block
        for term, form in ((count_of(key), count), (size_of(key), size)):
            if form is not None and form[0] is not None:
                state.differences.add(term, form[0], form[1])
                state.differences.add(form[0], term, -form[1])
            elif form is None and term == count_of(key) and command.count is not None:
                self._name_count(state, site, command.count)
        begin_zeroes(self.memory.layouts, state, key)
        path, at = self.memory.layouts.first(block.type or "", ())
        self.memory.extents.forget(state, command.target)
        _set(state, command.target, Pointer(0, {(key, path): at}))
        if command.target in self.memory.extents.names:
            self.memory.extents.refresh(state, command.target)
        return True

    def _name_count(self, state: State, site: int, count: Expr) -> None:
        """A variable for a count that is not a term plus a number, so that what is computed alike is known to equal
        it."""
        name = f"{COUNT}{site}"
        match count:
            case Binary("/", left, Const(divisor, _), _) if divisor > 0:
                count = multiplied(state, left, divisor) or count
        assign(state, name, count)
        state.differences.add(name, count_of(recent(site)), 0)
        state.differences.add(count_of(recent(site)), name, 0)

    def _block(self, state: State, command: New) -> Block | None:
        count: Interval | None = (1, 1)
        size: Interval | None = None
        if command.count is not None:
            count = intervals.meet(evaluate(state, command.count), COUNTS)
        if command.size is not None:
            size = intervals.meet(evaluate(state, command.size), SIZES)
        if count is None or (size is None and command.size is not None):
            return None
        initial = ZEROES if command.zeroed else INDETERMINATE
        type = self.types.get(command.type)
        if type is None:
            return Block("", count, size or ZERO, initial)
        if command.count is None and type.cells is not None:
            fixed = type.cells.count if type.cells.count is not None else 1
            count = (fixed, fixed)
        step = stride(type)
        natural = (type.size, type.size) if command.count is None and type.cells is None else _scaled(count, step)
        if command.count is not None and type.cells is None:
            return Block(None, count, size or natural, initial)
        if size is None:
            return Block(type.name, count, natural, initial, fits=True, exact=True)
        divided = command.count is not None and _is_quotient(command.count, command.size, step)
        return Block(
            type.name,
            count,
            size,
            initial,
            fits=divided or natural[1] <= size[0],
            exact=divided or size[1] <= natural[0],
        )

    # --- ends --------------------------------------------------------------------------------------------------------

    def free(self, state: State, base: str, closes: bool, failures: Failures) -> bool:
        pointer = self.memory.pointer(state, base)
        beside = state.same_blocks.beside(base)
        state.same_blocks.drop_objects()
        if pointer.unknown:
            failures.update((CheckKind.DOUBLE_FREE, CheckKind.INVALID_FREE))
            for key in list(state.blocks):
                if kind_of(key) != GONE and (closes or self._on_heap(key)):
                    state.end(key, surely=False)
            return True
        if pointer.flags & (NEAR_NULL | JUNK):
            failures.add(CheckKind.INVALID_FREE)
        freed: list[Key] = []
        for (key, path), at in pointer.targets.items():
            if kind_of(key) == GONE:
                failures.update(free_failures(self.memory.storage_of(key), self.memory.closes))
            elif not closes and not self._on_heap(key):
                failures.add(CheckKind.INVALID_FREE)
            else:
                if (key == ENVIRONMENT and not closes) or not self.positions.starts_block(state, key, path, at):
                    failures.add(CheckKind.INVALID_FREE)
                freed.append(key)
        if not freed and not pointer.flags & NULL:
            return False
        one = freed[0] if len(set(freed)) == 1 and not pointer.flags & NULL else None
        ended = Pointer(pointer.flags & NULL, {(gone(key), SOMEWHERE): pointers.LOST for key in freed})
        for key in sorted(set(freed)):
            state.end(key, surely=key == one and state.is_one(key))
        state.pointers[base] = ended
        for holder in beside:
            replace_held(state, holder, lambda value: _ended_with(value, ended))
        return True

    def inspect(self, state: State, base: str, failures: Failures) -> None:
        """What an access through the pointer, or a `free` of it, may fail."""
        pointer = self.memory.pointer(state, base)
        if pointer.unknown:
            failures.update((CheckKind.INVALID_DEREF, CheckKind.USE_AFTER_FREE))
        if pointer.flags & JUNK:
            failures.add(CheckKind.INVALID_DEREF)
        for key in pointer.blocks():
            if kind_of(key) == GONE:
                failures.update(access_failures(self.memory.storage_of(key), self.memory.closes))
        self.free(state.copy(), base, False, failures)

    def _on_heap(self, key: Key) -> bool:
        return self.memory.storage_of(key) is Storage.HEAP

    def leave(self, state: State, base: str) -> None:
        pointer = self.memory.pointer(state, base)
        state.same_blocks.drop_objects()
        keys = sorted(state.blocks) if pointer.unknown else sorted(pointer.blocks())
        live = [key for key in keys if kind_of(key) != GONE]
        surely = pointer.only() is not None and all(path is not None for _, path in pointer.targets)
        for key in live:
            state.end(key, surely=surely and state.is_one(key))

    # --- length ------------------------------------------------------------------------------------------------------

    def length(self, state: State, target: str, base: str, whole: Interval) -> None:
        """target = the number of cells of the array that base points into, 1 for a single object, 0 for no object"""
        pointer = self.memory.pointer(state, base)
        found: Interval | None = ZERO if pointer.flags else None
        for where in pointer.targets:
            one = self._length(state, *where)
            found = one if found is None else intervals.join(found, one)
        set_number(state, target, whole if found is None or pointer.unknown else intervals.meet(found, whole) or whole)
        key = pointer.only()
        if key is not None and kind_of(key) == RECENT and all(self._in_root(state, *one) for one in pointer.targets):
            state.differences.add(target, count_of(key), 0)
            state.differences.add(count_of(key), target, 0)
        self.memory.extents.length(state, target, base, pointer)

    def _in_root(self, state: State, key: Key, path: pointers.Path) -> bool:
        """Whether the array that a pointer moves in is the root of its block."""
        type = self.types.get(state.blocks[key].type or "")
        if type is None or type.cells is None or path not in ((), (ELEMENT,)):
            return False
        element = self.types.get(type.cells.object)
        return path == () or (element is not None and element.cells is None)

    def _length(self, state: State, key: Key, path: pointers.Path) -> Interval:
        block = state.blocks[key]
        if path is None or kind_of(key) == GONE or key == ENVIRONMENT or block.type is None:
            return intervals.ANYWHERE
        layouts = self.memory.layouts
        type = layouts.type_at(block.type, path)
        if type is not None and type.cells is not None:
            return layouts.count(block.type, path, block.length, block.size)
        if path[-1:] == (ELEMENT,):
            return layouts.count(block.type, path[:-1], block.length, block.size)
        return 1, 1


def _set(state: State, target: str, value: Pointer) -> None:
    state.differences.forget(index_of(target))
    state.forget_terminator(target)
    state.same_blocks.drop_variable(target)
    state.pointers[target] = value


def _ended_with(value: Pointer, ended: Pointer) -> Pointer:
    """A pointer into the block, if any, that has ended with another pointer to it."""
    if value.unknown:
        return value
    null = value.flags & (NULL | NEAR_NULL) if ended.flags & NULL else 0
    return Pointer(null, {(key, SOMEWHERE): pointers.LOST for key in value.blocks() & ended.blocks()})


def _with_null(pointer: Pointer) -> Pointer:
    return Pointer(pointer.flags | NULL, pointer.targets)


def _scaled(value: Interval, by: int) -> Interval:
    return value[0] * by, value[1] * by


def _is_quotient(count: Expr, size: Expr | None, by: int) -> bool:
    """Whether the count is the number of cells that fit in the size."""
    match count:
        case Binary("/", left, Const(divisor, _), _):
            return left == size and divisor == by
    return count == size and by == 1
