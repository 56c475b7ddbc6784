"""Dereferences: the scalar that an access refers to, or the check that it fails.

Ordinary accesses (a live object of the type that the pointer is declared with) are compiled to two list look-ups; all
others are handled here. An access is matched by layout: at the byte where it starts there must be a scalar of its kind
and size, in this object or in one that shares its block.

    scalar = locate(state, pointer, AccessType(layout, field))   # raises Fault or Stop
    read_pointer(state, scalar, span)
"""

from __future__ import annotations

from typing import NamedTuple

from heapwright.base.source import Span
from heapwright.program.checks import CheckKind
from heapwright.program.choices import ChoiceRequest
from heapwright.program.graph import Program
from heapwright.program.semantics.byte_memory.memory_values import followed, initialised
from heapwright.program.semantics.byte_memory.storage import ScalarRef, alike, noticed, raw, write
from heapwright.program.semantics.environment import is_environment, leave_environment_object
from heapwright.program.semantics.input_heap import any_pointer, any_string, not_zero
from heapwright.program.semantics.memory import element, is_blank, retype
from heapwright.program.semantics.objects import (
    FREED,
    LEFT,
    NULL,
    OUTSIDE,
    PARTIAL,
    SCRAMBLED,
    UNREAD,
    UNSET,
    Bytes,
    Fragment,
    IntValue,
    Layout,
    MemoryObject,
    PointerValue,
    Symbol,
    is_pointer,
    may_be_valid,
    object_of,
    offset_from_null,
)
from heapwright.program.semantics.state import Execute, Fault, SearchContext, State, Stop
from heapwright.program.semantics.symbolic_inputs import decide, fitted, force, force_bound
from heapwright.program.trace import ChoiceKind, Ending
from heapwright.program.types import Field, IntType, Storage, ValueKind

ANY_INT = IntType(64, True)


class AccessType(NamedTuple):
    """The type at which memory is accessed: the declared type of the pointer, and the scalar in it. `layout` and
    `field` are None where the declaration does not say; then the name decides."""

    layout: Layout | None
    field: Field | None
    name: str
    kind: ValueKind
    cell: bool = False  # an array access: `field` describes a cell
    direct: bool = True  # of an array in the source, not of what a pointer points to


class AccessTypes:
    """The types at which the commands of a program access memory, from the declared types of its variables."""

    def __init__(self, program: Program, context: SearchContext) -> None:
        self._variables = program.variables
        self._layouts = context.layouts

    def field(self, base: str, name: str, kind: ValueKind) -> AccessType:
        layout = self._layouts.get(self._variables[base].target)
        slot = layout.slots.get(name) if layout is not None else None
        if layout is None or slot is None:
            return AccessType(None, None if layout is None else _box_field(name), name, kind)
        return AccessType(layout, layout.fields[slot], name, kind)

    def cell(self, base: str, kind: ValueKind, *, direct: bool) -> AccessType:
        layout = self._layouts.get(self._variables[base].target)
        field: Field | None = None
        if layout is not None and layout.cells is not None:
            field = layout.cells.field
        elif layout is not None and len(layout.fields) == 1:
            field = layout.fields[0]
        if field is not None and field.kind is not kind:
            field = None
        return AccessType(layout if field is not None else None, field, "[]", kind, cell=True, direct=direct)


def _box_field(name: str) -> Field | None:
    """The number that the field of a box is, by its name: `i32`, `f64`."""
    if name[:1] not in ("i", "f") or not name[1:].isdigit():
        return None
    bits = int(name[1:])
    return Field(name, ValueKind.DATA, 0, bits // 8, IntType(bits, True)) if bits in (8, 16, 32, 64, 128) else None


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
        if may_be_valid(pointer):
            raise Stop(Ending.CUT, "a pointer is used whose bytes are not those of one")
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
    if want.layout is not None and is_blank(state, obj):
        retype(state, obj.block, want.layout)
        obj = state.objects[number]
    scalar = _locate_cell(state, number, obj, shift + index, want) if want.cell else None
    if scalar is None:
        scalar = _locate_field(state, number, obj, shift, index, want)
    _check_size(state, pointer, scalar)
    return scalar


def _locate_cell(state: State, number: int, obj: MemoryObject, index: int, want: AccessType) -> ScalarRef | None:
    """A cell of an array of scalars, the usual case of an array access."""
    cell = obj.layout.cells.field if obj.layout.cells else None
    if cell is not None and want.field is None and cell.kind is not want.kind:
        return None
    if cell is not None and obj.length is not None and (want.field is None or alike(cell, want.field)):
        if index < 0 or not decide(state, "<=", index, obj.length):
            raise Fault(CheckKind.BOUNDS, (number, index))
        return ScalarRef(number, index, True, cell)
    if cell is None or obj.count is None or (want.field is not None and not alike(cell, want.field)):
        return None
    if not 0 <= index < obj.count:
        if not want.direct and _in_other_row(state, obj, index):
            raise Stop(Ending.CUT, "a matrix is accessed as one array, beyond a row")
        raise Fault(CheckKind.BOUNDS, (number, index))
    return ScalarRef(number, index, True, cell)


def _in_other_row(state: State, row: MemoryObject, index: int) -> bool:
    """Whether an index of a row of a matrix leads to another row: the standard leaves that undefined, compilers and
    programs do not."""
    matrix = row
    while matrix.owner and state.objects[matrix.owner].layout.cells is not None:
        matrix = state.objects[matrix.owner]
    start = row.offset + index * row.layout.stride
    return matrix is not row and matrix.offset <= start < matrix.offset + matrix.layout.stride * (matrix.count or 0)


def settled_index(state: State, pointer: PointerValue, index: IntValue, want: AccessType) -> int:
    """The number of a cell that is accessed. Outside of an array all numbers fail alike, so that one of them is enough;
    inside the number matters."""
    if not isinstance(index, Symbol):
        return force(state, index)
    obj = state.objects.get(object_of(pointer)) if is_pointer(pointer) else None
    cell = obj.layout.cells.field if obj is not None and obj.layout.cells else None
    if obj is None or cell is None or obj.count is None or obj.length is not None:
        return force(state, index)
    if want.field is not None and not alike(cell, want.field):
        return force(state, index)
    shift = 0 if isinstance(pointer, int) else pointer[1]
    if decide(state, "<", index, -shift):
        return force_bound(state, index, highest=True)
    if decide(state, ">=", index, obj.count - shift):
        return force_bound(state, index, highest=False)
    return force(state, index)


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
    if start < 0 or start - field.offset + field.extent[1] > state.blocks[obj.block].size:
        raise Fault(CheckKind.BOUNDS, (number, shift + index) if shift + index else number)
    scalar = _scalar_at(state, number, start, field)
    if scalar is None:
        scalar = _scalar_at(state, state.blocks[obj.block].root, start, field)
    if scalar is None:
        reason = _confusion(obj, want).reason
        raise TypeMismatch(reason, obj.block, start, field)
    return scalar


def _check_position(state: State, obj: MemoryObject, number: int, shift: int) -> None:
    """A position beside a single object, or outside of an array, is out of bounds whatever lies there; but a block may
    be larger than its typed part, as in `malloc(sizeof(struct header) + length)`."""
    if shift == 0 or (obj.count is not None and 0 <= shift < obj.count) or obj.layout in state.context.of_bytes:
        return
    block = state.blocks[obj.block]
    root = state.objects[block.root]
    known = root.layout.size if root.count is None else root.layout.stride * root.count
    if not known <= obj.offset + shift * obj.layout.stride < block.size:
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


def _check_size(state: State, pointer: PointerValue, scalar: ScalarRef) -> None:
    """The block may be smaller than its type."""
    obj = state.objects[scalar.number]
    start = obj.offset + (scalar.key * obj.layout.stride if scalar.cell else 0)
    if start + scalar.field.extent[1] > state.blocks[obj.block].size:
        raise Fault(CheckKind.BOUNDS, pointer)


def _confusion(obj: MemoryObject, want: AccessType) -> Stop:
    there = obj.layout.name or "no type"
    wanted = want.layout.name if want.layout is not None else f"something with a field {want.name}"
    if there == wanted:
        wanted = f"{wanted}.{want.name}"
    return Stop(Ending.CUT, f"object of type {there} accessed as {wanted}")


# --- reading and writing ---------------------------------------------------------------------------------------------


def read_pointer(state: State, scalar: ScalarRef, span: Span) -> PointerValue:
    value: PointerValue | Bytes = raw(state, scalar)
    if isinstance(value, Bytes):
        return followed(state, value)
    length = state.objects[scalar.number].terminator
    if value == UNREAD and length is not None:
        value = NULL if decide(state, "==", scalar.key, length) else any_string(state, scalar.field.target, span)
        write(state, scalar, value)
    if value == UNREAD:
        block, offset = _where(state, scalar)
        identity = state.objects[scalar.number].block
        environment = identity in state.escaped or state.blocks[identity].lent
        target = scalar.field.target
        value = any_pointer(state, target, span, block, offset, scalar.field.size, environment=environment)
        write(state, scalar, value)
    return value


def read_data(state: State, scalar: ScalarRef, span: Span) -> IntValue:
    value = noticed(state, scalar)
    if isinstance(value, Symbol) and value.id not in state.symbols:
        raise Stop(Ending.CUT, "a field is read through a pointer of another type")
    if isinstance(value, Bytes):
        for digit in value.digits:
            if isinstance(digit, Fragment) and isinstance(digit.value, Symbol) and digit.value.id not in state.symbols:
                raise Stop(Ending.CUT, "a field is read through a pointer of another type")
        value = initialised(state, value, _request(state, scalar, span, scrambled=False))
        write(state, scalar, value)
    if value is UNSET or value is SCRAMBLED:
        length = state.objects[scalar.number].terminator
        if length is not None and decide(state, "==", scalar.key, length):
            value = 0
        else:
            value = state.fresh(_request(state, scalar, span, value is SCRAMBLED))
            value = value if length is None else not_zero(state, value)
        write(state, scalar, value)
    result: IntValue = value
    return result


def _where(state: State, scalar: ScalarRef) -> tuple[int, int]:
    """Number of the heap block, -1 for other blocks, and byte offset in it."""
    obj = state.objects[scalar.number]
    offset = obj.offset + (scalar.key * obj.layout.stride if scalar.cell else scalar.field.offset)
    return state.blocks[obj.block].number, offset


def _request(state: State, scalar: ScalarRef, span: Span, scrambled: bool) -> ChoiceRequest:
    obj = state.objects[scalar.number]
    block = state.blocks[obj.block]
    type = scalar.field.type or ANY_INT
    number, offset = _where(state, scalar)
    name = "[]" if scalar.cell else scalar.field.name
    constants = state.context.constants.get((obj.layout.name, name), ())
    kind = ChoiceKind.APPROXIMATE if scrambled else ChoiceKind.INPUT
    source = "approximation" if scrambled else "input data" if block.input else "uninitialised"
    return ChoiceRequest(kind, source, span, type.minimum, type.maximum, number, offset, scalar.field.size, constants)


def converted(state: State, value: IntValue, type: IntType | None) -> IntValue:
    """A value as another integer type sees it; accesses by layout may mix signed and unsigned."""
    if type is None:
        return value
    return type.wrap(value) if isinstance(value, int) else fitted(state, value, type)


# --- without an access ------------------------------------------------------------------------------------------------


def freed_block(state: State, pointer: PointerValue, *, closes: bool = False) -> int:
    """The block that `free` of a pointer ends: a live one on the heap, at whose start it points. What is closed may be
    elsewhere."""
    if not is_pointer(pointer):
        if may_be_valid(pointer):
            raise Stop(Ending.CUT, "a pointer is freed whose bytes are not those of one")
        raise Fault(CheckKind.INVALID_FREE, pointer)
    obj = state.objects[object_of(pointer)]
    block = state.blocks[obj.block]
    if block.status == FREED:
        raise Fault(CheckKind.DOUBLE_FREE, pointer)
    offset = obj.offset + (0 if isinstance(pointer, int) else pointer[1] * obj.layout.stride)
    elsewhere = block.storage is not Storage.HEAP and not closes
    misplaced = offset != 0 or elsewhere or block.status > PARTIAL
    if misplaced and (closes or not is_environment(state, obj.block)):
        raise Fault(CheckKind.INVALID_FREE, pointer)
    return obj.block


def inspected(base: int, frees: bool, target: int) -> Execute:
    def inspect(state: State) -> int:
        pointer = state.vars[base]
        if frees and pointer != NULL:
            freed_block(state, pointer)
        elif not frees and offset_from_null(pointer) is None and not may_be_valid(pointer):
            _check_block(state, pointer)
        return target

    return inspect


def _check_block(state: State, pointer: PointerValue) -> None:
    """A pointer leads into a block that has not ended."""
    if not is_pointer(pointer):
        raise Fault(CheckKind.INVALID_DEREF, pointer)
    obj = state.objects[object_of(pointer)]
    if obj.status == OUTSIDE:
        return
    status = state.blocks[obj.block].status
    if status == FREED:
        raise Fault(CheckKind.USE_AFTER_FREE, pointer)
    if status == LEFT:
        raise Fault(CheckKind.INVALID_DEREF, pointer)
