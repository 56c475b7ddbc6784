"""Comparisons of pointers. Junk, ended blocks and blocks that realloc may have left in place are equal to others or
not; all other pointers into different blocks differ."""

from __future__ import annotations

from collections.abc import Mapping

from heapwright.engines.floor.domain.differences import index_of
from heapwright.engines.floor.domain.pointers import (
    ANY_POINTER,
    ELEMENT,
    GONE,
    JUNK,
    JUNK_POINTER,
    NEAR_NULL,
    NULL,
    NULL_POINTER,
    RECENT,
    Key,
    Pointer,
    kind_of,
    site_of,
)
from heapwright.engines.floor.domain.state import State, active
from heapwright.engines.floor.transform.access import Memory
from heapwright.engines.floor.transform.conditions import narrow, relate
from heapwright.engines.floor.transform.held_pointers import narrow_pointer
from heapwright.engines.floor.transform.positions import Positions
from heapwright.program.commands import New
from heapwright.program.expressions import Junk, Null, Var
from heapwright.program.expressions import Pointer as PointerOperand


class PointerConditions:
    def __init__(self, memory: Memory, positions: Positions, sites: Mapping[int, New]) -> None:
        self.memory = memory
        self.positions = positions
        self.replacing = frozenset(site for site, command in sites.items() if command.replaces)
        self.replacing |= frozenset(map(site_of, memory.arguments))  # memory of the environment may be the same

    def _value(self, state: State, operand: PointerOperand) -> Pointer:
        match operand:
            case Null():
                return NULL_POINTER
            case Junk(unknown):
                return ANY_POINTER if unknown else JUNK_POINTER
            case Var(name):
                return self.memory.pointer(state, name)

    def assume(self, state: State, op: str, left: PointerOperand, right: PointerOperand) -> bool:
        """Whether a comparison may hold; the state is narrowed to where it does."""
        one, other = self._value(state, left), self._value(state, right)
        match op:
            case "==":
                return self._narrow(state, left, one, other) and self._narrow(state, right, other, one)
            case "!=":
                if self._same(one, other):
                    return False
                return self._without_null(state, left, one, other) and self._without_null(state, right, other, one)
        return self._ordered(state, op, left, right, one, other)

    def _narrow(self, state: State, operand: PointerOperand, value: Pointer, other: Pointer) -> bool:
        """The values that may equal another."""
        if value.unknown or other.unknown or other.flags & JUNK:
            return True
        reused = any(self._reused(key) for key in other.blocks())
        flags = value.flags & JUNK
        flags |= value.flags & (NULL | NEAR_NULL) & other.flags
        keys = other.blocks()
        left = Pointer(flags, value.targets).where(
            lambda key: reused or key in keys or (bool(keys) and self._reused(key))
        )
        if left.empty:
            return False
        if isinstance(operand, Var) and left != value:
            narrow_pointer(state, operand.name, left)
        return True

    def _reused(self, key: Key) -> bool:
        """Whether a block may have the address of another."""
        return kind_of(key) == GONE or site_of(key) in self.replacing

    def _without_null(self, state: State, operand: PointerOperand, value: Pointer, other: Pointer) -> bool:
        if value.unknown or other != NULL_POINTER or not value.flags & NULL:
            return True
        left = value.without(NULL)
        if isinstance(operand, Var):
            narrow_pointer(state, operand.name, left)
        return not left.empty

    def _same(self, one: Pointer, other: Pointer) -> bool:
        """Whether two pointers are surely equal."""
        if one == NULL_POINTER == other:
            return True
        if one.flags or other.flags or len(one.targets) != 1 or one.targets != other.targets:
            return False
        ((key, path), at), *_ = one.targets.items()
        single = all(low == high for low, high in at)
        return kind_of(key) == RECENT and path is not None and single and path.count(ELEMENT) < 2

    def _ordered(
        self, state: State, op: str, left: PointerOperand, right: PointerOperand, one: Pointer, other: Pointer
    ) -> bool:
        """Positions in one array are ordered by their indices."""
        if one.flags or other.flags or len(one.targets) != 1 or len(other.targets) != 1:
            return True
        (key, path), *_ = one.targets
        (twin, below), *_ = other.targets
        if key != twin or path != below or kind_of(key) != RECENT or path is None:
            return True
        if not self.positions.moves_active(state, key, path) or path.count(ELEMENT) > int(path[-1:] == (ELEMENT,)):
            return True
        if not isinstance(left, Var) or not isinstance(right, Var):
            return True
        if not relate(state, op, index_of(left.name), index_of(right.name), 0):
            return False
        moving = active(path)
        narrowed = narrow(op, one.targets[key, path][moving], other.targets[key, path][moving])
        if narrowed is None:
            return False
        for name, value, index in ((left.name, one, narrowed[0]), (right.name, other, narrowed[1])):
            outer, inner = value.targets[key, path]
            state.pointers[name] = Pointer(0, {(key, path): (index, inner) if moving == 0 else (outer, index)})
        return True
