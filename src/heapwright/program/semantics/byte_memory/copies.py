"""Memory as bytes: copies of any number of them, and scalars that are read or written at another type.

Whole scalars are copied as they are, and so are the bytes of others (memory_values.py): pointers survive a copy by
single bytes, and a scalar is what its bytes say, least significant first.

    copy_bytes(state, target, source, 16, span)     # memcpy(target, source, 16)
    read_bytes(state, block, 3, field, span)        # ((unsigned char *)object)[3]
"""

from __future__ import annotations

from heapwright.base.source import NOWHERE, Span
from heapwright.program.checks import CheckKind
from heapwright.program.choices import ChoiceRequest
from heapwright.program.commands import Copy, Fill, Padding, Protect
from heapwright.program.semantics.access import (
    check_alive,
    check_writable,
    read_data,
    read_pointer,
)
from heapwright.program.semantics.byte_memory.memory_values import (
    as_integer,
    as_pointer,
    content_digits,
    digits_of,
    followed,
    initialised,
    pointer_digits,
)
from heapwright.program.semantics.byte_memory.storage import (
    ScalarRef,
    alike,
    bytes_at,
    check_held,
    is_bit_field,
    overlaid,
    put_bytes,
    put_padding,
    raw,
    scalars,
    width,
    write,
)
from heapwright.program.semantics.evaluation import Evaluation
from heapwright.program.semantics.memory import address, is_blank, protect, retype
from heapwright.program.semantics.objects import (
    NULL,
    SCRAMBLED,
    UNSET,
    AddressNumber,
    Bytes,
    Digit,
    IntValue,
    PointerValue,
    Symbol,
    is_pointer,
    object_of,
)
from heapwright.program.semantics.state import Execute, Fault, State, Stop
from heapwright.program.trace import ChoiceKind, Ending
from heapwright.program.types import Field, IntType, ValueKind

MOST = 1 << 16  # bytes of a copy; more are not followed


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
    known: dict[int, list[ScalarRef]] = {}
    for offset, scalar in list(scalars(state, state.blocks[origin].root, begin, begin + count)):
        _value(state, scalar, span)  # uninitialised: an input from now on, the same in the copy
        if begin <= offset and offset + width(scalar.field) <= begin + count:
            known.setdefault(offset - begin, []).append(scalar)
    digits: list[Digit] | None = None
    written, covered = [], 0
    there = list(scalars(state, state.blocks[to].root, start, start + count))
    for offset, scalar in there:
        twin = next((one for one in known.get(offset - start, ()) if alike(one.field, scalar.field)), None)
        covered += width(scalar.field)
        if twin is not None:
            written.append((scalar, raw(state, twin)))
            continue
        digits = digits or bytes_at(state, origin, begin, begin + count)
        written.append((scalar, overlaid(state, to, offset, scalar, start, digits)))
    gaps = set(range(start, start + count)) if covered < count or _overlaps(state, to) else set[int]()
    if gaps:
        gaps.difference_update(*(range(offset, offset + width(scalar.field)) for offset, scalar in there))
        digits = digits or bytes_at(state, origin, begin, begin + count)
        put_padding(state, to, {at: digits[at - start] for at in gaps})
    for scalar, value in written:
        write(state, scalar, value)


def _overlaps(state: State, block: int) -> bool:
    return state.objects[state.blocks[block].root].guarded


def copy_block(state: State, target: PointerValue, source: PointerValue, span: Span) -> None:
    """The copy of realloc: as many bytes as both blocks have."""
    sizes = [state.blocks[check_alive(state, pointer).block].size for pointer in (target, source)]
    copy_bytes(state, target, source, min(sizes), span)


def fill_bytes(state: State, target: PointerValue, byte: IntValue, count: int) -> None:
    """memset"""
    if count == 0:
        return
    check_writable(state, target)
    block, start = _in_range(state, target, count)
    digit = digits_of(byte & 0xFF if isinstance(byte, int) else byte, 1)[0]
    put_bytes(state, block, start, (digit,) * count)


def set_padding(state: State, target: PointerValue, source: PointerValue, byte: IntValue | None, count: int) -> None:
    """The bytes that no scalar of the target has, from the source if no byte is given."""
    if count == 0 or not is_pointer(target) or state.objects[object_of(target)].length is not None:
        return
    block, start = address(state, target)
    covered: set[int] = set()
    for offset, scalar in scalars(state, state.blocks[block].root, start, start + count):
        covered.update(range(offset, offset + width(scalar.field)))
    gaps = [at for at in range(start, start + count) if at not in covered]
    if not gaps:
        return
    if byte is not None:
        digits: list[Digit] = [digits_of(byte & 0xFF if isinstance(byte, int) else byte, 1)[0]] * count
    elif source == NULL:
        digits = [SCRAMBLED] * count
    elif is_pointer(source) and state.objects[object_of(source)].length is None:
        origin, begin = address(state, source)
        digits = bytes_at(state, origin, begin, begin + count)
    else:
        return
    put_padding(state, block, {at: digits[at - start] for at in gaps})


def _type_like(state: State, block: int, other: int) -> None:
    """A block without a type gets that of the block that is copied to it, or from it."""
    context = state.context
    model = state.objects[state.blocks[other].root].layout
    if not is_blank(state, state.objects[state.blocks[block].root]) or model is context.untyped:
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


def _value(state: State, scalar: ScalarRef, span: Span) -> None:
    """What is not initialised becomes an input."""
    if scalar.field.kind is ValueKind.DATA:
        value = raw(state, scalar)
        if value is UNSET and not is_bit_field(scalar.field):
            read_data(state, scalar, span)
    elif not isinstance(raw(state, scalar), Bytes):
        read_pointer(state, scalar, span)


# --- scalars of other types ------------------------------------------------------------------------------------------


def read_bytes(state: State, block: int, start: int, field: Field, span: Span) -> IntValue:
    """An integer at bytes that hold no scalar of its type."""
    digits = tuple(_initialised(state, block, start, field.size, span))
    type = field.type or IntType(64, True)
    if is_bit_field(field):
        known = [digit for digit in digits if isinstance(digit, int)]
        if len(known) == len(digits):
            return type.wrap(int.from_bytes(bytes(known), "little") >> field.bit)
        request = ChoiceRequest(ChoiceKind.APPROXIMATE, "approximation", span, type.minimum, type.maximum)
        return state.fresh(request)
    value = as_integer(state, digits, type.signed)
    assert isinstance(value, int | Symbol | AddressNumber | Bytes)
    return value


def _initialised(state: State, block: int, start: int, size: int, span: Span) -> list[Digit]:
    """Bytes that are read; those without a value become inputs first."""
    digits = bytes_at(state, block, start, start + size)
    if any(digit is UNSET or digit is SCRAMBLED for digit in digits):
        for _, scalar in list(scalars(state, state.blocks[block].root, start, start + size)):
            if scalar.field.kind is ValueKind.DATA and (
                raw(state, scalar) in (UNSET, SCRAMBLED) or type(raw(state, scalar)) is Bytes
            ):
                read_data(state, scalar, span)
            elif scalar.field.kind is ValueKind.POINTER and type(raw(state, scalar)) is not Bytes:
                read_pointer(state, scalar, span)
        digits = bytes_at(state, block, start, start + size)
    if any(digit is UNSET or digit is SCRAMBLED for digit in digits):
        source = "input data" if state.blocks[block].input else "uninitialised"
        number = state.blocks[block].number
        request = ChoiceRequest(ChoiceKind.INPUT, source, span, 0, 255, number, start, size)
        read = initialised(state, Bytes(tuple(digits), signed=False), request)
        digits = list(content_digits(read, ValueKind.DATA, size))
        put_bytes(state, block, start, digits)
    return digits


def read_pointer_bytes(state: State, block: int, start: int, field: Field) -> PointerValue:
    """A pointer at bytes that hold no scalar of its type."""
    for _, scalar in list(scalars(state, state.blocks[block].root, start, start + field.size)):
        if scalar.field.kind is ValueKind.POINTER and type(raw(state, scalar)) is not Bytes:
            read_pointer(state, scalar, NOWHERE)
    value = as_pointer(tuple(bytes_at(state, block, start, start + field.size)))
    if state.blocks[block].input and not isinstance(value, Bytes) and value < 0:  # type: ignore[operator]  # junk is no position
        raise Stop(Ending.CUT, "a pointer is read from bytes of an input")
    return followed(state, value)


def write_bytes(state: State, block: int, start: int, field: Field, value: object) -> None:
    """Write a scalar over parts of others."""
    if field.kind is ValueKind.POINTER:
        put_bytes(state, block, start, pointer_digits(value, field.size))  # type: ignore[arg-type]  # by the kind
        return
    old = Bytes(tuple(bytes_at(state, block, start, start + field.size)), signed=False)
    new = (SCRAMBLED,) * field.size if is_bit_field(field) else digits_of(value, field.size)
    put_bytes(state, block, start, new)
    check_held(state, old, Bytes(new, signed=False))


# --- commands --------------------------------------------------------------------------------------------------------


def byte_command(command: Copy | Fill | Protect | Padding, evaluation: Evaluation, target: int, span: Span) -> Execute:
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
                fill_bytes(state, state.vars[base], byte(state), number)
                return target

            return fill
        case Padding(source=origin, value=filler, size=extent):
            assert extent is not None
            number_of_bytes = evaluation.number(extent, span)
            filling = None if filler is None else evaluation.expression(filler, span)
            begin = evaluation.slots[origin] if origin else None

            def pad(state: State) -> int:
                digit = None if filling is None else filling(state)
                source = NULL if begin is None else state.vars[begin]
                set_padding(state, state.vars[base], source, digit, number_of_bytes(state))
                return target

            return pad
        case Protect():

            def make_read_only(state: State) -> int:
                protect(state, state.objects[object_of(state.vars[base])].block)
                return target

            return make_read_only
