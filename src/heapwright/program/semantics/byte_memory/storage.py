"""Scalars in memory: where they are, what they hold, and the bytes that they share.

A scalar is a field of an object or a cell of an array. Members of a union share bytes: writing one gives the others
what their bytes say then. Bytes of a block that no scalar has (padding, memory beyond its type) are cells of its
*view*, an array of bytes over the whole block, which is also what pointers to the middle of a scalar point into.

    write(state, scalar, 7)                      # the other members of a union follow
    digits = read_digits(state, block, 0, 8, span)     # what memcpy copies
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from heapwright.program.semantics.byte_memory.memory_values import as_integer, as_pointer, content_digits
from heapwright.program.semantics.memory import element, make_view, view_of
from heapwright.program.semantics.objects import (
    JUNK,
    PARTIAL,
    SCRAMBLED,
    UNREAD,
    UNSET,
    AddressNumber,
    Bytes,
    Digit,
    Fragment,
    MemoryObject,
    digits_in,
    held_pointers,
    object_of,
)
from heapwright.program.semantics.reachability import escaped_roots, reachable_blocks
from heapwright.program.semantics.state import State, Stop
from heapwright.program.trace import Ending
from heapwright.program.types import Field, Storage, ValueKind


class ScalarRef(NamedTuple):
    """A scalar: a slot of an object's fields, or an index of its cells."""

    number: int
    key: int
    cell: bool
    field: Field


def alike(one: Field, other: Field) -> bool:
    """Whether both are the same bytes; a bit-field is like nothing but itself."""
    if one.kind is not other.kind or one.size != other.size:
        return False
    return one == other or not (is_bit_field(one) or is_bit_field(other))


def is_bit_field(field: Field) -> bool:
    return field.type is not None and field.type.bits != 8 * field.size


def scalars(state: State, number: int, start: int, end: int) -> Iterator[tuple[int, ScalarRef]]:
    """The scalars of an object that share bytes with a range of its block, each with its first byte in the block."""
    obj = state.objects[number]
    cells = obj.layout.cells
    if obj.length is not None:
        raise Stop(Ending.CUT, "bytes of a string of unknown length")
    if cells is not None:
        first = max(0, (start - obj.offset) // cells.stride)
        last = min(obj.count or 0, -((obj.offset - end) // cells.stride))
        for index in range(first, last):
            if cells.field is not None:
                yield obj.offset + index * cells.stride, ScalarRef(number, index, True, cells.field)
            else:
                yield from scalars(state, element(state, number, index), start, end)
        return
    for slot, field in enumerate(obj.layout.fields):
        first, last = field.extent
        if obj.offset + first < end and start < obj.offset + last:
            yield obj.offset + first, ScalarRef(number, slot, False, field)
    for part in obj.parts:
        if state.objects[part].offset < end:
            yield from scalars(state, part, start, end)


def width(field: Field) -> int:
    first, last = field.extent
    return last - first


# --- contents --------------------------------------------------------------------------------------------------------


def raw(state: State, scalar: ScalarRef) -> Any:
    obj = state.objects[scalar.number]
    if not scalar.cell:
        return obj.fields[scalar.key]
    assert obj.cells is not None
    known = obj.cells.get(scalar.key)
    if known is not None:
        return known
    block = state.blocks[obj.block]
    if block.zeroed:
        return 0
    if scalar.field.kind is ValueKind.DATA:
        return UNSET
    return UNREAD if block.input else JUNK


def write(state: State, scalar: ScalarRef, value: Any) -> None:
    """Writes a scalar, and those that share bytes with it."""
    obj = _put(state, scalar, value)
    if not obj.guarded or not _shares(state, obj):
        return
    start = obj.offset + (scalar.key * obj.layout.stride if scalar.cell else scalar.field.extent[0])
    end = start + width(scalar.field)
    others = [one for one in scalars(state, state.blocks[obj.block].root, start, end) if one[1] != scalar]
    if not others:
        return
    digits: Sequence[Digit] = content_digits(value, scalar.field.kind, end - start)
    if is_bit_field(scalar.field):
        digits = bytes_at(state, obj.block, start, end, {scalar})
    for offset, other in others:
        if not (is_bit_field(other.field) and is_bit_field(scalar.field) and _apart(other.field, scalar.field)):
            _put(state, other, overlaid(state, obj.block, offset, other, start, digits))


def drop_pointer(state: State, scalar: ScalarRef, start: int, end: int) -> None:
    """Forget some bytes of a pointer, which a write of a member that overlaps it decides next."""
    digits = content_digits(noticed(state, scalar), ValueKind.POINTER, scalar.field.size)
    kept = tuple(SCRAMBLED if start <= at < end else digit for at, digit in enumerate(digits))
    write(state, scalar, Bytes(kept, signed=False))


def _put(state: State, scalar: ScalarRef, value: Any) -> MemoryObject:
    obj = state.own(scalar.number)
    if scalar.cell:
        assert obj.cells is not None
        obj.cells[scalar.key] = value
    else:
        obj.fields[scalar.key] = value
    if type(value) is Bytes or type(value) is AddressNumber:
        obj.guarded = True
        state.own(state.blocks[obj.block].root).guarded = True
    return obj


def _shares(state: State, obj: MemoryObject) -> bool:
    """Whether an object is a union, or part of one."""
    while not obj.layout.overlaps:
        if not obj.owner:
            return False
        obj = state.objects[obj.owner]
    return True


def _apart(one: Field, other: Field) -> bool:
    return one.bits[1] <= other.bits[0] or other.bits[1] <= one.bits[0]


def overlaid(state: State, block: int, offset: int, scalar: ScalarRef, start: int, digits: Sequence[Digit]) -> Any:
    """What a scalar at an offset holds after bytes from `start` on were written."""
    end, size = start + len(digits), width(scalar.field)
    if start <= offset and offset + size <= end:
        own = tuple(digits[offset - start : offset - start + size])
    else:
        present = bytes_at(state, block, offset, offset + size, {scalar})
        own = tuple(
            digits[at - start] if start <= at < end else present[at - offset] for at in range(offset, offset + size)
        )
    if scalar.field.kind is ValueKind.POINTER:
        return as_pointer(own)
    type = scalar.field.type
    if is_bit_field(scalar.field):
        assert type is not None
        known = [digit for digit in own if isinstance(digit, int)]
        if len(known) < size:
            return SCRAMBLED
        shift = scalar.field.bits[0] - 8 * scalar.field.extent[0]
        return type.wrap(int.from_bytes(bytes(known), "little") >> shift)
    return as_integer(state, own, type.signed if type is not None else False)


# --- bytes of a block ------------------------------------------------------------------------------------------------


def bytes_at(state: State, block: int, start: int, end: int, among: set[ScalarRef] | None = None) -> list[Digit]:
    """The bytes of a range as they are; nothing becomes an input. `among`: those of these scalars only."""
    view = view_of(state, block)
    cells = state.objects[view].cells if view is not None else None
    root = state.objects[state.blocks[block].root]
    typed = root.layout.size if root.count is None else root.layout.stride * root.count
    zeroed = state.blocks[block].zeroed
    found: list[Digit] = []
    for at in range(start, end):
        # Padding of a variable may be anything after any store; what lies behind a type is uninitialised.
        blank: Digit = 0 if zeroed else SCRAMBLED if at < typed else UNSET
        found.append(cells.get(at, blank) if cells else blank)
    bits: dict[int, list[tuple[int, int, object]]] = {}
    covered: set[int] = set()
    for offset, scalar in scalars(state, state.blocks[block].root, start, end):
        if among is not None and scalar not in among and not is_bit_field(scalar.field):
            continue
        value = noticed(state, scalar)
        if is_bit_field(scalar.field):
            _collect_bits(scalar.field, offset, value, bits)
            continue
        digits = content_digits(value, scalar.field.kind, scalar.field.size)
        for at in range(max(start, offset), min(end, offset + len(digits))):
            found[at - start] = digits[at - offset]
            covered.add(at)
    for at, pieces in bits.items():
        if start <= at < end and at not in covered:
            found[at - start] = _byte_of_bits(pieces, found[at - start])
    return found


def _collect_bits(field: Field, offset: int, value: object, bits: dict[int, list[tuple[int, int, object]]]) -> None:
    """The bits of a bit-field in each byte that it touches: mask, number there, and the value if it is no number."""
    first, last = (position - 8 * field.extent[0] for position in field.bits)
    mask = (1 << last) - (1 << first)
    number = (value << first) & mask if isinstance(value, int) else 0
    for index in range((last + 7) // 8):
        piece = (mask >> 8 * index & 0xFF, number >> 8 * index & 0xFF, value)
        bits.setdefault(offset + index, []).append(piece)


def _byte_of_bits(pieces: list[tuple[int, int, object]], padding: Digit) -> Digit:
    if all(value is UNSET for _, _, value in pieces):
        return UNSET
    if not all(isinstance(value, int) for _, _, value in pieces):
        return SCRAMBLED
    byte = padding if isinstance(padding, int) else 0
    for mask, number, _ in pieces:
        byte = byte & ~mask | number
    return byte


def put_bytes(state: State, block: int, start: int, digits: Sequence[Digit]) -> None:
    """Writes bytes over whatever is there."""
    end = start + len(digits)
    written = [
        (scalar, offset, overlaid(state, block, offset, scalar, start, digits))
        for offset, scalar in scalars(state, state.blocks[block].root, start, end)
    ]
    covered: set[int] = set()
    for scalar, offset, value in written:
        _put(state, scalar, value)
        covered.update(range(offset, offset + width(scalar.field)))
    put_padding(state, block, {at: digits[at - start] for at in range(start, end) if at not in covered})


def put_padding(state: State, block: int, digits: dict[int, Digit]) -> None:
    """Writes bytes that no scalar has."""
    if not digits or (view_of(state, block) is None and all(digit is SCRAMBLED for digit in digits.values())):
        return
    obj = state.own(make_view(state, block))
    assert obj.cells is not None
    obj.cells.update(digits)
    if any(isinstance(digit, Fragment) for digit in digits.values()):
        state.own(state.blocks[block].root).guarded = True


def noticed(state: State, scalar: ScalarRef) -> Any:
    """What a scalar holds. A field that canonical forms ignore is read: the search must restart."""
    value = raw(state, scalar)
    layout = state.objects[scalar.number].layout
    if not scalar.cell and scalar.field.kind is ValueKind.DATA and scalar.key not in layout.data_slots:
        state.context.misread.add((layout.name, scalar.field.name))
    return value


# --- what data holds -------------------------------------------------------------------------------------------------


def check_held(state: State, old: object, new: object) -> None:
    """Data was overwritten that held a pointer, or a part of one. Commands on data have no leak check. So a block whose
    last pointer that may have been is a suspect from now on: a run ends where it turns out to be lost."""
    if old == new or not isinstance(old, Bytes | AddressNumber) or not state.context.leaks_matter:
        return
    found = {digit.value.pointer for digit in digits_in((old,)) if _of_address(digit)}  # type: ignore[attr-defined]  # fragments
    objects = [state.objects[object_of(pointer)] for pointer in found if object_of(pointer) in state.objects]
    live = {obj.block for obj in objects if _can_leak(state, obj.block)} - state.suspects
    roots = [state.vars[slot] for slot in state.context.source_pointers] + escaped_roots(state)
    if live and not live <= (reachable_blocks(state, roots) or set()):
        state.suspects |= live
        check_suspects(state)


def _of_address(digit: object) -> bool:
    return isinstance(digit, Fragment) and isinstance(digit.value, AddressNumber)


def _can_leak(state: State, identity: int) -> bool:
    block = state.blocks.get(identity)
    return block is not None and block.status <= PARTIAL and block.storage is Storage.HEAP


def check_suspects(state: State, *, at_exit: bool = False) -> None:
    """Suspects that some pointer leads to are none. Of the others all bytes of a pointer must be somewhere, which is
    not enough at the end."""
    state.suspects = frozenset(one for one in state.suspects if _can_leak(state, one))
    if not state.suspects:
        return
    roots = [state.vars[slot] for slot in state.context.source_pointers] + escaped_roots(state)
    reached = reachable_blocks(state, roots) or set()
    state.suspects -= reached
    if not state.suspects:
        return
    temporary = reachable_blocks(state, [state.vars[slot] for slot in state.context.pointer_variables]) or set()
    values = [value for one in state.objects.values() for value in (*one.fields, *(one.cells or {}).values())]
    held = held_pointers(digits_in((*values, *state.vars)))
    blocks = {state.objects[object_of(pointer)].block for pointer in held if object_of(pointer) in state.objects}
    if at_exit or not state.suspects <= blocks | temporary:
        raise Stop(Ending.CUT, "a block is lost, or held by bytes in several places")
