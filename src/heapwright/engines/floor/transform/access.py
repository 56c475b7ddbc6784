"""Accesses to memory: the scalars that one may refer to, and the checks that it may fail.

The rules are those of `program/semantics/access.py`: an access finds a scalar of its kind and size at the byte where it
starts. Where the abstract state does not tell which, the whole block is read as anything, or overwritten.
"""

from __future__ import annotations

from heapwright.engines.floor.domain import intervals, pointers, same_blocks
from heapwright.engines.floor.domain.blocks import PROTECTED, Block, Value
from heapwright.engines.floor.domain.differences import Term, count_of, field_of, index_of
from heapwright.engines.floor.domain.intervals import ANYWHERE, Interval
from heapwright.engines.floor.domain.layouts import CELLS, OF_ENVIRONMENT, Layouts, Place, is_other_activation, stride
from heapwright.engines.floor.domain.pointers import (
    ANY_POINTER,
    ELEMENT,
    ENVIRONMENT,
    GONE,
    JUNK,
    JUNK_POINTER,
    LOST,
    NEAR_NULL,
    NULL,
    RECENT,
    SOMEWHERE,
    WRITTEN_OUTSIDE,
    ZERO,
    Indices,
    Key,
    Pointer,
    is_never,
    kind_of,
    site_of,
)
from heapwright.engines.floor.domain.same_blocks import Holder
from heapwright.engines.floor.domain.state import State
from heapwright.engines.floor.domain.zeroes import end_field, end_terminator
from heapwright.engines.floor.transform.arithmetic import Linear, evaluate, upper
from heapwright.engines.floor.transform.extents import Extents
from heapwright.engines.floor.transform.held_pointers import havoc_all, narrow_pointer
from heapwright.engines.floor.transform.outside import argument_blocks, write_outside
from heapwright.engines.floor.transform.scalars import Access, Failures, Found, Want, by_block
from heapwright.engines.floor.transform.terminators import Terminators
from heapwright.engines.floor.transform.untyped_blocks import retype
from heapwright.engines.kit.ended_blocks import access_failures
from heapwright.program.checks import DEREF_KINDS, CheckKind
from heapwright.program.expressions import Expr
from heapwright.program.graph import Program
from heapwright.program.semantics.byte_memory.storage import alike
from heapwright.program.types import Field, IntType, ObjectType, Storage, ValueKind

NUMBER = IntType(64, True)


class Memory:
    """Accesses of one program. `storage` is that of the blocks of a site."""

    def __init__(
        self,
        program: Program,
        layouts: Layouts,
        storage: dict[int, Storage],
        sources: frozenset[str],
        extents: Extents,
        terminators: Terminators,
    ) -> None:
        self.program = program
        self.layouts = layouts
        self.storage = storage
        self.sources = sources
        self.extents = extents
        self.terminators = terminators
        self.overlapping = program.entry.overlapping
        self.arguments = argument_blocks(program)
        self.closes = program.closes

    def pointer(self, state: State, name: str) -> Pointer:
        found = state.pointers.get(name)
        if found is not None:
            return found
        return JUNK_POINTER if name in self.sources else ANY_POINTER

    def want_field(self, base: str, name: str, kind: ValueKind) -> Want:
        type = self.program.types.get(self.program.variables[base].target)
        field = self.layouts.field(type.name, name) if type is not None else None
        return Want(type if field is not None else None, field, name, kind)

    def want_cell(self, base: str, kind: ValueKind) -> Want:
        type = self.program.types.get(self.program.variables[base].target)
        field: Field | None = None
        if type is not None and type.cells is not None:
            field = type.cells.field
        elif type is not None and len(type.fields) == 1:
            field = type.fields[0]
        return Want(type if field is not None else None, field, CELLS, kind, cell=True)

    # --- validity ----------------------------------------------------------------------------------------------------

    def valid(self, state: State, base: str, failures: Failures) -> Pointer:
        """The pointers with which an access goes on; the variable is narrowed to them."""
        pointer = self.filled(state, base)
        if pointer.unknown:
            failures.update(DEREF_KINDS)
            return pointer
        if pointer.flags & (NULL | NEAR_NULL):
            failures.add(CheckKind.NULL_DEREF)
        if pointer.flags & JUNK:
            failures.add(CheckKind.INVALID_DEREF)
        for key in pointer.blocks():
            if kind_of(key) == GONE:
                failures.update(access_failures(self.storage_of(key), self.closes))
        left = Pointer(0, pointer.targets).where(lambda key: kind_of(key) != GONE)
        if left != pointer:
            narrow_pointer(state, base, left)
        return left

    def filled(self, state: State, name: str) -> Pointer:
        """The value of a pointer. It is neither null nor junk if there are cells before the end of its array."""
        pointer = self.pointer(state, name)
        if pointer.unknown or not pointer.flags or not self.extents.is_filled(state, name):
            return pointer
        left = Pointer(0, pointer.targets)
        narrow_pointer(state, name, left)
        return left

    def storage_of(self, key: Key) -> Storage:
        return self.storage.get(site_of(key), Storage.HEAP)

    def within(self, state: State, key: Key, path: tuple[str, ...], index: Interval, form: Linear | None) -> bool:
        """Whether an index lies in the array at a path."""
        block = state.blocks[key]
        count = self.layouts.count(block.type or "", path, block.length, block.size)
        if index[0] < 0:
            return False
        if index[1] < count[0]:
            return True
        if path or kind_of(key) != RECENT or form is None or form[0] is None:
            return False
        return state.bound(form[0], count_of(key)) + form[1] < 0

    def element_exists(self, state: State, base: str, key: Key, path: tuple[str, ...], at: Indices) -> bool:
        """Whether the element that a path ends with is in its array."""
        if path[-1:] != (ELEMENT,) or (at[0][0] >= 0 and self.extents.is_filled(state, base)):
            return True
        return self.within(state, key, path[:-1], at[0], (index_of(base), 0))

    # --- the scalar of an access -------------------------------------------------------------------------------------

    def locate(self, state: State, base: str, want: Want, index: Expr | None, failures: Failures) -> Found | None:
        """What an access refers to; None if no run gets past it."""
        number = ZERO if index is None else evaluate(state, index)
        form: Linear | None = (None, 0) if index is None else upper(state, index)
        filled = self.extents.is_filled(state, base) if index is None else self.extents.has(state, base, number, form)
        pointer = self.valid(state, base, failures)
        inside = filled or self.terminators.has(state, base, index)
        if pointer.unknown:
            return Found([], everything=True)
        found: list[Access] = []
        for (key, path), at in sorted(pointer.targets.items(), key=by_block):
            if path is None:
                failures.update((CheckKind.INVALID_DEREF, CheckKind.BOUNDS))
                found.append(Access(key, None))
                continue
            if is_never(path):
                failures.add(CheckKind.INVALID_DEREF)
                continue
            if state.blocks[key].type == "" and want.type is not None and key != ENVIRONMENT:
                path, at = retype(self.layouts, state, key, want.type.name)
                if path is None:
                    failures.update((CheckKind.INVALID_DEREF, CheckKind.BOUNDS))
                    found.append(Access(key, None))
                    continue
            if want.type is not None and is_other_activation(state.blocks[key].type, want.type.name):
                continue
            local: Failures = set()
            if not self.element_exists(state, base, key, path, at):
                local.add(CheckKind.BOUNDS)
            access = self._scalar(state, base, key, path, at, want, number, form, local, inside=inside)
            if local and not state.blocks[key].exact and key != ENVIRONMENT:
                access = Access(key, None)
            failures |= local
            found.append(access)
        return Found(found) if found else None

    def _scalar(
        self,
        state: State,
        base: str,
        key: Key,
        path: tuple[str, ...],
        at: Indices,
        want: Want,
        number: Interval,
        form: Linear | None,
        failures: Failures,
        *,
        inside: bool,
    ) -> Access:
        block = state.blocks[key]
        type = self.layouts.type_at(block.type or "", path)
        if type is None:
            failures.add(CheckKind.BOUNDS)
            return Access(key, None)
        inner = at[1]
        if type.cells is not None:
            cell = type.cells.field
            like = cell is not None and (cell.kind is want.kind if want.field is None else alike(cell, want.field))
            if not like or (not want.cell and want.field is not None and want.field.offset):
                self._check_bytes(state, key, path, at, type, want, number, failures)
                return Access(key, None)
            total, shifted = intervals.clamped(intervals.plus(inner, number)), form
            if inner != ZERO:
                outer = path[-1:] == (ELEMENT,)
                shifted = (index_of(base), number[0]) if number[0] == number[1] and not outer else None
            if not (inside and total[0] >= 0) and not self.within(state, key, path, total, shifted):
                failures.add(CheckKind.BOUNDS)
            if not block.fits and key != ENVIRONMENT:
                failures.add(CheckKind.BOUNDS)
            return Access(key, (path, CELLS), cell)
        if inner != ZERO:
            failures.add(CheckKind.BOUNDS)
        return self._field(block, key, path, type, want, number, failures)

    def _field(
        self,
        block: Block,
        key: Key,
        path: tuple[str, ...],
        type: ObjectType,
        want: Want,
        number: Interval,
        failures: Failures,
    ) -> Access:
        place: Place | None = None
        if want.field is None:
            field = self.layouts.field(type.name, want.name)
            if field is not None and field.kind is want.kind:
                place = (path, want.name)
        elif want.type is not None and want.type.name == type.name and not want.cell:
            place, field = (path, want.name), want.field
        elif number[0] == number[1] or not want.cell:
            step = stride(want.type) if want.type is not None else want.field.size
            below = self.layouts.scalar(type.name, number[0] * step if want.cell else want.field.offset, want.field)
            if below is not None:
                place = ((*path, *below[0]), below[1])
                owner = self.layouts.type_at(block.type or "", place[0])
                field = None if owner is None else self.layouts.field(owner.name, below[1])
        if place is None or field is None:
            failures.add(CheckKind.BOUNDS)
            return Access(key, None)
        if not block.fits and key != ENVIRONMENT:
            offset = self.layouts.offset(block.type or "", place[0])
            if offset is None or ELEMENT in place[0] or offset + field.extent[1] > block.size[0]:
                failures.add(CheckKind.BOUNDS)
        return Access(key, place, field)

    def _check_bytes(
        self,
        state: State,
        key: Key,
        path: tuple[str, ...],
        at: Indices,
        type: ObjectType,
        want: Want,
        number: Interval,
        failures: Failures,
    ) -> None:
        """An access to bytes of other scalars must lie in the block."""
        offset, field = self.layouts.offset(state.blocks[key].type or "", path), want.field
        if offset is None or field is None or path[-1:] == (ELEMENT,) or key == ENVIRONMENT:
            failures.add(CheckKind.BOUNDS)
            return
        step = stride(want.type) if want.type is not None else field.size
        start = intervals.plus((offset, offset), intervals.times(at[1], (stride(type), stride(type))))
        start = intervals.plus(start, intervals.times(number, (step, step)) if want.cell else (field.offset,) * 2)
        inside = at[1] == ZERO or self.within(state, key, path, at[1], None)
        if not inside or start[0] < 0 or start[1] - field.offset + field.extent[1] > state.blocks[key].size[0]:
            failures.add(CheckKind.BOUNDS)

    # --- reading and writing -----------------------------------------------------------------------------------------

    def from_outside(self, state: State, type: str) -> Pointer:
        """A pointer of a type that the environment has written, or that an input holds."""
        path, at = SOMEWHERE, LOST
        if type in self.program.types:
            path, at = self.layouts.first("", (f"{OF_ENVIRONMENT}{type}",))
        found = pointers.join(Pointer(NULL, {(ENVIRONMENT, path): at}), state.outside())
        return ANY_POINTER if self.overlapping else found

    def read_pointer(self, state: State, found: Found, want: Want) -> Pointer:
        if found.everything:
            return ANY_POINTER
        value = Pointer(0)
        for key, place, field in found.accesses:
            if place is None:
                return ANY_POINTER
            target = (field or want.field).target if field or want.field else ""  # type: ignore[union-attr]  # one is
            if key == ENVIRONMENT:
                value = pointers.join(value, self.from_outside(state, target))
                continue
            one = state.blocks[key].pointer(place)
            if one.flags & WRITTEN_OUTSIDE:
                one = pointers.join(one.without(WRITTEN_OUTSIDE), self.from_outside(state, target))
            value = pointers.join(value, one)
        return value

    def read_number(self, state: State, found: Found, want: Want, whole: Interval) -> Interval:
        if found.everything or not found.accesses:
            return whole
        value: Interval | None = None
        for key, place, field in found.accesses:
            one = whole
            if place is not None and key != ENVIRONMENT and field is not None:
                one = state.blocks[key].number(place, intervals.range_of(field.type or NUMBER))
                if want.field is not None and want.field.type is not None and field.type != want.field.type:
                    one = intervals.wrapped(one, want.field.type)
            value = one if value is None else intervals.join(value, one)
        return value or whole

    def term(self, found: Found) -> Term | None:
        """The integer field that is accessed, if it is one."""
        if not found.strong or found.accesses[0].place is None:
            return None
        return field_of(found.accesses[0].key, *found.accesses[0].place)

    def holders(self, found: Found, base: str, field: str | None) -> list[Holder]:
        """The cell that is accessed, if it is one, and the field of what the base points to, if that is what is."""
        one = found.accesses[0] if found.strong else None
        holders = [same_blocks.cell(one.key, one.place)] if one is not None and one.place is not None else []
        plain = all(at.place is not None and at.place[1] == field and at.key != ENVIRONMENT for at in found.accesses)
        if field is not None and plain and not found.everything:
            holders.append(same_blocks.field_behind(base, field))
        return holders

    def check_writable(self, state: State, found: Found, failures: Failures) -> Found | None:
        """Read-only memory must not be written; what is left to write, None if nothing is."""
        if any(state.blocks[one.key].protected for one in found.accesses):
            failures.add(CheckKind.INVALID_DEREF)
        left = [one for one in found.accesses if state.blocks[one.key].protected != PROTECTED]
        return Found(left, found.everything) if left or found.everything else None

    def write(self, state: State, found: Found, want: Want, value: Value) -> None:
        if found.everything:
            state.same_blocks.drop_objects()
            havoc_all(state)
            return
        for key, place, field in found.accesses:
            if key == ENVIRONMENT or key in self.arguments:
                write_outside(state, self.arguments, value if isinstance(value, Pointer) else None)
            if place is None and key != ENVIRONMENT:
                state.havoc_block(key)
            elif key != ENVIRONMENT:
                if not found.keeps and place is not None:
                    end_terminator(state, key, place, field)
                self._write_one(state, Access(key, place, field), want, value, strong=found.strong)

    def _write_one(self, state: State, access: Access, want: Want, value: Value, *, strong: bool) -> None:
        key, place, field = access
        assert place is not None
        block = state.blocks[key]
        state.same_blocks.drop_field(place[1])
        state.same_blocks.drop(same_blocks.cell(key, place))
        stored, whole = value, intervals.range_of((field.type if field is not None else None) or NUMBER)
        if isinstance(value, Pointer):
            if not strong:
                stored = pointers.join(block.pointer(place), value)
        else:
            if (
                want.field is not None
                and field is not None
                and field.type is not None
                and field.type != want.field.type
            ):
                value = intervals.wrapped(value, field.type)
            stored = value if strong else intervals.join(block.number(place, whole), value)
            state.differences.forget(field_of(key, *place))
        cells = {**block.cells, place: stored}
        if isinstance(value, Pointer):
            end_field(state, key, place, cells)
        if isinstance(value, Pointer) and self.extents.is_field(field, place):
            self.extents.forget_field(state, key, place, cells)
        if field is not None and field != want.field and place[1] != CELLS:
            self._scramble_overlapping(state, key, place, field, cells)
        state.blocks[key] = block._replace(cells=cells)

    def _scramble_overlapping(
        self, state: State, key: Key, place: Place, field: Field, cells: dict[Place, Value]
    ) -> None:
        """Members of a union that share bytes with one that was written through another type."""
        type = self.layouts.type_at(state.blocks[key].type or "", place[0])
        for other in type.fields if type is not None else ():
            overlap = other.extent[0] < field.extent[1] and field.extent[0] < other.extent[1]
            if overlap and other.name != field.name:
                state.same_blocks.drop_objects(key)
                cells[(place[0], other.name)] = ANY_POINTER if other.kind is ValueKind.POINTER else ANYWHERE
                self.extents.forget_field(state, key, (place[0], other.name), cells)
                end_field(state, key, (place[0], other.name), cells)
                state.differences.forget(field_of(key, place[0], other.name))
