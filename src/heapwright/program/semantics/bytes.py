"""Memory as bytes: copies of any number of them, and scalars that are read or written at another type.

Whole scalars are copied as they are, pointers too. Elsewhere an integer is what its bytes say, least significant first,
and any value (an approximation) where one of them is not known. There are no bytes of pointers: a run that needs one is
cut.

    copy_bytes(state, target, source, 16, span)     # memcpy(target, source, 16)
    read_bytes(state, block, 3, field, span)        # ((unsigned char *)object)[3]
"""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.base.source import Span
from heapwright.program.checks import CheckKind
from heapwright.program.choices import ChoiceRequest
from heapwright.program.commands import Copy, Fill, Protect
from heapwright.program.semantics.access import (
    ScalarRef,
    alike,
    check_alive,
    check_writable,
    is_bit_field,
    read_data,
    read_pointer,
    write,
)
from heapwright.program.semantics.evaluation import Evaluation
from heapwright.program.semantics.memory import address, element, protect, retype
from heapwright.program.semantics.objects import SCRAMBLED, IntValue, PointerValue, object_of
from heapwright.program.semantics.state import Execute, Fault, State, Stop
from heapwright.program.trace import ChoiceKind, Ending
from heapwright.program.types import Field, IntType, ValueKind

MOST = 1 << 16  # bytes of a copy; more are not followed


def scalars(state: State, number: int, start: int, end: int) -> Iterator[tuple[int, ScalarRef]]:
    """The scalars of an object that share bytes with a range of its block, each with its offset in the block."""
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
        offset = obj.offset + field.offset
        if offset < end and start < offset + field.size:
            yield offset, ScalarRef(number, slot, False, field)
    for part in obj.parts:
        yield from scalars(state, part, start, end)


def _in_range(state: State, pointer: PointerValue, count: int) -> tuple[int, int]:
    """Block and offset of so many bytes that may be accessed."""
    if check_alive(state, pointer).length is not None:
        raise Stop(Ending.CUT, "a copy of bytes of a string of unknown length")
    block, offset = address(state, pointer)
    if offset < 0 or offset + count > state.blocks[block].size:
        raise Fault(CheckKind.BOUNDS, pointer)
    if count > MOST:
        raise Stop(Ending.CUT, f"a copy of more than {MOST} bytes")
    return block, offset


# --- copies ----------------------------------------------------------------------------------------------------------


def copy_bytes(state: State, target: PointerValue, source: PointerValue, count: int, span: Span) -> None:
    """memmove; choices are made before anything is written."""
    if count == 0:
        return
    check_writable(state, target)
    to, start = _in_range(state, target, count)
    origin, begin = _in_range(state, source, count)
    _type_like(state, to, origin)
    _type_like(state, origin, to)
    known = {
        offset - begin: place
        for offset, place in scalars(state, state.blocks[origin].root, begin, begin + count)
        if begin <= offset and offset + place.field.size <= begin + count
    }
    written = []
    for offset, place in list(scalars(state, state.blocks[to].root, start, start + count)):
        twin = known.get(offset - start)
        if twin is not None and alike(twin.field, place.field):
            written.append((place, _value(state, twin, span)))
        elif place.field.kind is ValueKind.POINTER:
            raise Stop(Ending.CUT, "a pointer is overwritten by bytes that are not a whole one")
        else:
            digits = [
                byte_at(state, origin, begin + at - start, span)
                if start <= at < start + count
                else byte_at(state, to, at, span)
                for at in range(offset, offset + place.field.size)
            ]
            written.append((place, _composed(digits, place.field)))
    for place, value in written:
        write(state, place, value)


def copy_block(state: State, target: PointerValue, source: PointerValue, span: Span) -> None:
    """The copy of realloc: as many bytes as both blocks have."""
    sizes = [state.blocks[check_alive(state, pointer).block].size for pointer in (target, source)]
    copy_bytes(state, target, source, min(sizes), span)


def fill_bytes(state: State, target: PointerValue, byte: IntValue, count: int, span: Span) -> None:
    """memset"""
    if count == 0:
        return
    check_writable(state, target)
    block, start = _in_range(state, target, count)
    digit = byte & 0xFF if isinstance(byte, int) else None
    if state.objects[state.blocks[block].root].layout is state.context.untyped:
        raise Stop(Ending.CUT, "memset of a block without a type")
    written: list[tuple[ScalarRef, object]] = []
    for offset, place in list(scalars(state, state.blocks[block].root, start, start + count)):
        whole = start <= offset and offset + place.field.size <= start + count
        if place.field.kind is ValueKind.POINTER:
            if not whole or digit != 0:
                raise Stop(Ending.CUT, "a pointer is overwritten by bytes that are not a whole one")
            written.append((place, 0))
        else:
            digits = [
                digit if start <= at < start + count else byte_at(state, block, at, span)
                for at in range(offset, offset + place.field.size)
            ]
            written.append((place, _composed(digits, place.field)))
    for place, value in written:
        write(state, place, value)


def _type_like(state: State, block: int, other: int) -> None:
    """A block without a type gets that of the block that is copied to it, or from it."""
    context = state.context
    model = state.objects[state.blocks[other].root].layout
    if state.objects[state.blocks[block].root].layout is not context.untyped or model is context.untyped:
        return
    if model.cells is not None and model.cells.count is not None:
        field = model.cells.field
        found = (
            context.arrays_of_objects.get(model.cells.object)
            if field is None
            else context.arrays_of_scalars.get((field.kind, field.size))
        )
        model = found or model
    retype(state, block, model)


def _value(state: State, place: ScalarRef, span: Span) -> object:
    if place.field.kind is ValueKind.POINTER:
        return read_pointer(state, place, span)
    return read_data(state, place, span)


# --- integers as bytes -----------------------------------------------------------------------------------------------


def byte_at(state: State, block: int, offset: int, span: Span) -> int | None:
    """One byte of a block, None if it is not known."""
    for start, place in scalars(state, state.blocks[block].root, offset, offset + 1):
        if place.field.kind is ValueKind.DATA and not is_bit_field(place.field):
            value = read_data(state, place, span)
            if isinstance(value, int):
                return value >> 8 * (offset - start) & 0xFF
    return None


def _composed(digits: list[int | None], field: Field) -> object:
    """The integer whose bytes are known."""
    known = [digit for digit in digits if digit is not None]
    if len(known) < len(digits) or field.type is None or is_bit_field(field):
        return SCRAMBLED
    return field.type.wrap(int.from_bytes(bytes(known), "little"))


def read_bytes(state: State, block: int, start: int, field: Field, span: Span) -> IntValue:
    """An integer at a place where there is no scalar of its type."""
    digits = [byte_at(state, block, at, span) for at in range(start, start + field.size)]
    value = _composed(digits, field)
    if isinstance(value, int):
        return value
    type = field.type or IntType(64, True)
    return state.fresh(ChoiceRequest(ChoiceKind.APPROXIMATE, "approximation", span, type.minimum, type.maximum))


def write_bytes(state: State, block: int, start: int, field: Field, value: IntValue, span: Span) -> None:
    """Write an integer over parts of other scalars."""
    written = []
    for offset, place in list(scalars(state, state.blocks[block].root, start, start + field.size)):
        if place.field.kind is ValueKind.POINTER:
            raise Stop(Ending.CUT, "a pointer is overwritten by bytes that are not a whole one")
        digits = [
            (value >> 8 * (at - start) & 0xFF if isinstance(value, int) else None)
            if start <= at < start + field.size
            else byte_at(state, block, at, span)
            for at in range(offset, offset + place.field.size)
        ]
        written.append((place, _composed(digits, place.field)))
    for place, content in written:
        write(state, place, content)


# --- commands --------------------------------------------------------------------------------------------------------


def byte_command(command: Copy | Fill | Protect, evaluation: Evaluation, target: int, span: Span) -> Execute:
    """A step on the bytes of a block."""
    base = evaluation.slots[command.base]
    match command:
        case Copy(_, source_name, size):
            source, count = evaluation.slots[source_name], None if size is None else evaluation.number(size, span)

            def copy(state: State) -> int:
                if count is None:
                    copy_block(state, state.vars[base], state.vars[source], span)
                else:
                    copy_bytes(state, state.vars[base], state.vars[source], count(state), span)
                return target

            return copy
        case Fill(_, value, size):
            byte, length = evaluation.expression(value, span), evaluation.number(size, span)

            def fill(state: State) -> int:
                number = length(state)
                fill_bytes(state, state.vars[base], byte(state), number, span)
                return target

            return fill
        case Protect():

            def make_read_only(state: State) -> int:
                protect(state, state.objects[object_of(state.vars[base])].block)
                return target

            return make_read_only
