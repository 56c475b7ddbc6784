"""Dereferences: the scalar that an access refers to, or the check that it fails.

Ordinary accesses (a live object of the type that the pointer is declared with) are compiled to two list look-ups; all
others are handled here. An access is matched by layout: at the byte where it starts there must be a scalar of its kind
and size, in this object or in one that shares its block.

    place = locate(state, pointer, AccessType(layout, field))   # raises Fault or Stop
    read_pointer(state, place, span)
"""

from __future__ import annotations

from typing import Any, NamedTuple

from heapwright.base.source import Span
from heapwright.program.checks import CheckKind
from heapwright.program.choices import ChoiceRequest
from heapwright.program.graph import Program
from heapwright.program.semantics.environment import is_environment, leave_environment_object
from heapwright.program.semantics.input_heap import any_pointer, any_string, not_zero
from heapwright.program.semantics.memory import element, retype
from heapwright.program.semantics.objects import (
    FREED,
    JUNK,
    LEFT,
    NULL,
    OUTSIDE,
    SCRAMBLED,
    UNREAD,
    UNSET,
    IntValue,
    Layout,
    MemoryObject,
    PointerValue,
    Symbol,
    is_pointer,
    object_of,
    offset_from_null,
)
from heapwright.program.semantics.state import Fault, SearchContext, State, Stop
from heapwright.program.semantics.symbolic_inputs import decide, fitted
from heapwright.program.trace import ChoiceKind, Ending
from heapwright.program.types import Field, IntType, ValueKind

ANY_INT = IntType(64, True)


class AccessType(NamedTuple):
    """The type at which memory is accessed: the declared type of the pointer, and the scalar in it. `layout` and
    `field` are None where the declaration does not say; then the name decides."""

    layout: Layout | None
    field: Field | None
    name: str
    kind: ValueKind
    cell: bool = False  # an array access: `field` describes a cell


class AccessTypes:
    """The types at which the commands of a program access memory, from the declared types of its variables."""

    def __init__(self, program: Program, context: SearchContext) -> None:
        self._variables = program.variables
        self._layouts = context.layouts

    def field(self, base: str, name: str, kind: ValueKind) -> AccessType:
        layout = self._layouts.get(self._variables[base].target)
        slot = layout.slots.get(name) if layout is not None else None
        if layout is None or slot is None:
            return AccessType(None, None, name, kind)
        return AccessType(layout, layout.fields[slot], name, kind)

    def cell(self, base: str, kind: ValueKind) -> AccessType:
        layout = self._layouts.get(self._variables[base].target)
        field: Field | None = None
        if layout is not None and layout.cells is not None:
            field = layout.cells.field
        elif layout is not None and len(layout.fields) == 1:
            field = layout.fields[0]
        return AccessType(layout if field is not None else None, field, "[]", kind, cell=True)


class ScalarRef(NamedTuple):
    """A scalar: a slot of an object's fields, or an index of its cells."""

    number: int
    key: int
    cell: bool
    field: Field


class TypeMismatch(Stop):
    """There is no scalar of the type of an access where it starts; the bytes there are those of others."""

    def __init__(self, reason: str, block: int, start: int, field: Field) -> None:
        super().__init__(Ending.CUT, reason)
        self.block = block
        self.start = start
        self.field = field


def check_writable(state: State, pointer: PointerValue) -> None:
    """Read-only memory must not be written."""
    if check_alive(state, pointer).protected:
        raise Fault(CheckKind.INVALID_DEREF, pointer)


def check_alive(state: State, pointer: PointerValue) -> MemoryObject:
    """The object that a pointer points to, if that may be accessed."""
    if offset_from_null(pointer) is not None:
        raise Fault(CheckKind.NULL_DEREF, pointer)
    if not is_pointer(pointer):
        raise Fault(CheckKind.INVALID_DEREF, pointer)
    obj = state.objects[object_of(pointer)]
    status = obj.status if obj.status == OUTSIDE else state.blocks[obj.block].status
    if status == FREED:
        raise Fault(CheckKind.USE_AFTER_FREE, pointer)
    if status in (LEFT, OUTSIDE):
        raise Fault(CheckKind.INVALID_DEREF, pointer)
    return obj


def locate(state: State, pointer: PointerValue, want: AccessType, index: int = 0) -> ScalarRef:
    """The scalar that `pointer.field`, or `pointer[index]`, means."""
    obj = check_alive(state, pointer)
    try:
        return _locate(state, pointer, obj, want, index)
    except Fault as fault:
        if fault.kind is CheckKind.BOUNDS and state.escaped and is_environment(state, obj.block):
            leave_environment_object(state, obj.block)
        raise


def _locate(state: State, pointer: PointerValue, obj: MemoryObject, want: AccessType, index: int) -> ScalarRef:
    number, shift = (pointer, 0) if isinstance(pointer, int) else pointer
    if obj.layout is state.context.untyped and want.layout is not None:
        retype(state, obj.block, want.layout)
        obj = state.objects[number]
    place = _locate_cell(state, number, obj, shift + index, want) if want.cell else None
    if place is None:
        place = _locate_field(state, number, obj, shift, index, want)
    _check_size(state, pointer, place)
    return place


def _locate_cell(state: State, number: int, obj: MemoryObject, index: int, want: AccessType) -> ScalarRef | None:
    """A cell of an array of scalars, the usual case of an array access."""
    cell = obj.layout.cells.field if obj.layout.cells else None
    if cell is not None and obj.length is not None and (want.field is None or alike(cell, want.field)):
        if index < 0 or not decide(state, "<=", index, obj.length):
            raise Fault(CheckKind.BOUNDS, (number, index))
        return ScalarRef(number, index, True, cell)
    if cell is None or obj.count is None or (want.field is not None and not alike(cell, want.field)):
        return None
    if not 0 <= index < obj.count:
        raise Fault(CheckKind.BOUNDS, (number, index))
    return ScalarRef(number, index, True, cell)


def alike(one: Field, other: Field) -> bool:
    """Whether both are the same bytes; a bit-field is like nothing but itself."""
    if one.kind is not other.kind or one.size != other.size:
        return False
    return one == other or not (is_bit_field(one) or is_bit_field(other))


def is_bit_field(field: Field) -> bool:
    return field.type is not None and field.type.bits != 8 * field.size


def _locate_field(state: State, number: int, obj: MemoryObject, shift: int, index: int, want: AccessType) -> ScalarRef:
    if want.field is None:
        cell = obj.layout.cells.field if obj.layout.cells else None
        if cell is not None and obj.count is not None and cell.kind is want.kind:
            if not 0 <= shift < obj.count:
                raise Fault(CheckKind.BOUNDS, (number, shift))
            return ScalarRef(number, shift, True, cell)
        _check_position(state, obj, number, shift)
        slot = obj.layout.slots.get(want.name)
        if slot is None or obj.layout.fields[slot].kind is not want.kind:
            raise _confusion(obj, want)
        return ScalarRef(number, slot, False, obj.layout.fields[slot])
    field = want.field
    _check_position(state, obj, number, shift)
    stride = want.layout.stride if want.layout is not None else field.size
    start = obj.offset + shift * obj.layout.stride + (index * stride if want.cell else field.offset)
    if start < 0 or start + field.size > state.blocks[obj.block].size:
        raise Fault(CheckKind.BOUNDS, (number, shift + index) if shift + index else number)
    place = _scalar_at(state, number, start, field)
    if place is None:
        place = _scalar_at(state, state.blocks[obj.block].root, start, field)
    if place is None:
        reason = _confusion(obj, want).reason
        raise (
            TypeMismatch(reason, obj.block, start, field) if field.kind is ValueKind.DATA else Stop(Ending.CUT, reason)
        )
    return place


def _check_position(state: State, obj: MemoryObject, number: int, shift: int) -> None:
    """A position beside a single object, or outside of an array, is out of bounds whatever lies there; but a block may
    be larger than its typed part, as in `malloc(sizeof(struct header) + length)`."""
    if shift == 0 or (obj.count is not None and 0 <= shift < obj.count):
        return
    block = state.blocks[obj.block]
    root = state.objects[block.root]
    known = root.layout.size if root.count is None else root.layout.stride * root.count
    if known <= obj.offset + shift * obj.layout.stride < block.size:
        raise Stop(Ending.CUT, "access to the untyped end of a block")
    raise Fault(CheckKind.BOUNDS, (number, shift))


def _scalar_at(state: State, number: int, start: int, wanted: Field) -> ScalarRef | None:
    """The scalar of an object or its parts that begins at a byte of the block."""
    obj = state.objects[number]
    offset = start - obj.offset
    cells = obj.layout.cells
    if cells is not None:
        index, rest = divmod(offset, cells.stride)
        if obj.count is None or not 0 <= index < obj.count:
            return None
        if cells.field is not None:
            return ScalarRef(number, index, True, cells.field) if rest == 0 and alike(cells.field, wanted) else None
        return _scalar_at(state, element(state, number, index), start, wanted)
    fields = [(slot, field) for slot, field in enumerate(obj.layout.fields) if field.offset == offset]
    for slot, field in sorted(fields, key=lambda known: known[1] != wanted):  # in a union there may be several
        if alike(field, wanted):
            return ScalarRef(number, slot, False, field)
    for inner, part in zip(obj.parts, obj.layout.parts, strict=True):
        if part.offset <= offset:
            found = _scalar_at(state, inner, start, wanted)
            if found is not None:
                return found
    return None


def _check_size(state: State, pointer: PointerValue, place: ScalarRef) -> None:
    """The block may be smaller than its type."""
    obj = state.objects[place.number]
    offset = place.key * obj.layout.stride if place.cell else place.field.offset
    if obj.offset + offset + place.field.size > state.blocks[obj.block].size:
        raise Fault(CheckKind.BOUNDS, pointer)


def _confusion(obj: MemoryObject, want: AccessType) -> Stop:
    there = obj.layout.name or "no type"
    wanted = want.layout.name if want.layout is not None else f"something with a field {want.name}"
    if there == wanted:
        wanted = f"{wanted}.{want.name}"
    return Stop(Ending.CUT, f"object of type {there} accessed as {wanted}")


# --- reading and writing ---------------------------------------------------------------------------------------------


def _raw(state: State, place: ScalarRef) -> Any:
    obj = state.objects[place.number]
    if not place.cell:
        return obj.fields[place.key]
    assert obj.cells is not None
    known = obj.cells.get(place.key)
    if known is not None:
        return known
    block = state.blocks[obj.block]
    if block.zeroed:
        return 0
    if place.field.kind is ValueKind.DATA:
        return UNSET
    return UNREAD if block.input else JUNK


def write(state: State, place: ScalarRef, value: Any) -> None:
    obj = state.own(place.number)
    if place.cell:
        assert obj.cells is not None
        obj.cells[place.key] = value
    else:
        obj.fields[place.key] = value


def write_as(state: State, place: ScalarRef, value: Any, want: AccessType) -> None:
    """Write through a pointer of any type. Where that is not the type of the object, lowering did not see which members
    of a union share the bytes: they become indeterminate."""
    write(state, place, value)
    if place.cell or place.field == want.field:
        return
    obj = state.own(place.number)
    start, end = place.field.offset, place.field.offset + place.field.size
    for slot, field in enumerate(obj.layout.fields):
        if slot != place.key and field.offset < end and start < field.offset + field.size:
            obj.fields[slot] = JUNK if field.kind is ValueKind.POINTER else SCRAMBLED


def read_pointer(state: State, place: ScalarRef, span: Span) -> PointerValue:
    value: PointerValue = _raw(state, place)
    length = state.objects[place.number].length
    if value == UNREAD and length is not None:
        value = NULL if decide(state, "==", place.key, length) else any_string(state, place.field.target, span)
        write(state, place, value)
    if value == UNREAD:
        block, offset = _where(state, place)
        identity = state.objects[place.number].block
        environment = identity in state.escaped or state.blocks[identity].lent
        target = place.field.target
        value = any_pointer(state, target, span, block, offset, place.field.size, environment=environment)
        write(state, place, value)
    return value


def read_data(state: State, place: ScalarRef, span: Span) -> IntValue:
    value = _raw(state, place)
    layout = state.objects[place.number].layout
    if not place.cell and place.key not in layout.data_slots:
        # States that differ in this field count as equal: the search must restart.
        state.context.misread.add((layout.name, place.field.name))
        if isinstance(value, Symbol) and value.id not in state.symbols:
            raise Stop(Ending.CUT, "a field is read through a pointer of another type")
    if value is UNSET or value is SCRAMBLED:
        length = state.objects[place.number].length
        if length is not None and decide(state, "==", place.key, length):
            value = 0
        else:
            value = state.fresh(_request(state, place, span, value is SCRAMBLED))
            value = value if length is None else not_zero(state, value)
        write(state, place, value)
    result: IntValue = value
    return result


def _where(state: State, place: ScalarRef) -> tuple[int, int]:
    """Number of the heap block, -1 for other blocks, and byte offset in it."""
    obj = state.objects[place.number]
    offset = obj.offset + (place.key * obj.layout.stride if place.cell else place.field.offset)
    return state.blocks[obj.block].number, offset


def _request(state: State, place: ScalarRef, span: Span, scrambled: bool) -> ChoiceRequest:
    obj = state.objects[place.number]
    block = state.blocks[obj.block]
    type = place.field.type or ANY_INT
    number, offset = _where(state, place)
    name = "[]" if place.cell else place.field.name
    constants = state.context.constants.get((obj.layout.name, name), ())
    kind = ChoiceKind.APPROXIMATE if scrambled else ChoiceKind.INPUT
    source = "approximation" if scrambled else "input data" if block.input else "uninitialised"
    return ChoiceRequest(kind, source, span, type.minimum, type.maximum, number, offset, place.field.size, constants)


def converted(state: State, value: IntValue, type: IntType | None) -> IntValue:
    """A value as another integer type sees it; accesses by layout may mix signed and unsigned."""
    if type is None:
        return value
    return fitted(state, value, type) if isinstance(value, Symbol) else type.wrap(value)
