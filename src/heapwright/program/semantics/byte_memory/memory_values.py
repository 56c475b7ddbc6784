"""Memory values: the bytes of integers and pointers (Leroy and Blazy 2008, CompCert's memory model).

A byte is a number, one of an input or of an address that is not known (`Fragment`), uninitialised, or scrambled.
Integers hold such bytes, too, so that a loop over single bytes copies pointers.

>>> as_scalar((1, 2), signed=False)
513
>>> address = AddressNumber(7)
>>> as_scalar(digits_of(address, 8), signed=False) == address
True
"""

from __future__ import annotations

from dataclasses import replace

from heapwright.base.source import NOWHERE
from heapwright.program.choices import ChoiceRequest
from heapwright.program.semantics.memory import address, shifted
from heapwright.program.semantics.objects import (
    JUNK,
    NULL,
    SCRAMBLED,
    UNKNOWN,
    UNSET,
    AddressNumber,
    Bytes,
    Digit,
    Fragment,
    IntValue,
    Layout,
    PointerValue,
    Symbol,
    is_pointer,
    number_in,
    object_of,
    offset_from_null,
    pointer_from,
)
from heapwright.program.semantics.state import State, Stop
from heapwright.program.trace import ChoiceKind, Ending
from heapwright.program.types import IntType, Storage, ValueKind

LOWEST, HIGHEST = 1 << 12, 1 << 46  # addresses of blocks
HEAP_ALIGNMENT = 16


# --- bytes of a value ------------------------------------------------------------------------------------------------


def digits_of(value: object, size: int) -> tuple[Digit, ...]:
    """The bytes of an integer of memory or of a variable."""
    if type(value) is int:
        return tuple((value & ((1 << 8 * size) - 1)).to_bytes(size, "little"))
    if isinstance(value, Bytes):
        return value.digits
    if isinstance(value, Symbol | AddressNumber):
        return tuple(Fragment(value, index) for index in range(size))
    return ((SCRAMBLED if value is SCRAMBLED else UNSET),) * size


def pointer_digits(pointer: PointerValue | Bytes, size: int) -> tuple[Digit, ...]:
    """The bytes of a pointer of memory."""
    if isinstance(pointer, Bytes):
        return pointer.digits
    if is_pointer(pointer):
        return digits_of(AddressNumber(pointer, 0, size), size)
    if pointer == UNKNOWN:
        return (SCRAMBLED,) * size
    near = offset_from_null(pointer)
    number = number_in(pointer) if near is None else near
    return (UNSET,) * size if number is None else digits_of(number, size)


def as_scalar(digits: tuple[Digit, ...], signed: bool) -> object:
    """The integer that bytes make up; `Bytes` if they are of several."""
    first = digits[0]
    if isinstance(first, int):
        known = [digit for digit in digits if isinstance(digit, int)]
        if len(known) == len(digits):
            return int.from_bytes(bytes(known), "little", signed=signed)
    elif isinstance(first, Fragment):
        whole = isinstance(first.value, Symbol) or len(digits) == first.value.size
        if whole and all(digit == Fragment(first.value, index) for index, digit in enumerate(digits)):
            return first.value
    elif all(digit is first for digit in digits):
        return first
    return Bytes(digits, signed)


def as_integer(state: State, digits: tuple[Digit, ...], signed: bool) -> object:
    """`as_scalar` of a type: an input that the type does not hold stays bytes."""
    value = as_scalar(digits, signed)
    if isinstance(value, Symbol):
        known, type = state.symbols.get(value.id), IntType(8 * len(digits), signed)
        if known is None or known.low + value.offset < type.minimum or known.high + value.offset > type.maximum:
            return Bytes(digits, signed)
    return value


def as_pointer(digits: tuple[Digit, ...]) -> PointerValue | Bytes:
    """The pointer that bytes make up."""
    value = as_scalar(digits, signed=False)
    if isinstance(value, AddressNumber) and value.offset == 0:
        return value.pointer
    if value == 0:
        return NULL
    return JUNK if value is UNSET else Bytes(digits, signed=False)


def pointer_of(state: State, value: object) -> PointerValue | None:
    """The pointer that an integer is converted to, or that bytes in memory make up; None if it is not known."""
    if isinstance(value, Bytes):
        value = as_scalar(value.digits, value.signed)
    if isinstance(value, AddressNumber):
        place(state, value.pointer)
        return shifted(state, value.pointer, value.offset, 1)
    return pointer_from(value) if isinstance(value, int) else None


def followed(state: State, value: PointerValue | Bytes) -> PointerValue:
    """A pointer that is read."""
    if not isinstance(value, Bytes):
        return value
    pointer = pointer_of(state, value)
    return UNKNOWN if pointer is None else pointer


def initialised(state: State, value: Bytes, request: ChoiceRequest) -> IntValue:
    """Bytes that are read: those without a value become inputs, or approximations where they were scrambled. The
    request is that for the whole; the caller stores the result at once."""
    found: list[Digit] = []
    for index, digit in enumerate(value.digits):
        if not isinstance(digit, int | Fragment):
            kind = ChoiceKind.APPROXIMATE if digit is SCRAMBLED else request.kind
            source = "approximation" if digit is SCRAMBLED else request.source
            size, offset = (1, request.offset + index) if request.size else (0, 0)
            byte = state.fresh(
                replace(request, kind=kind, source=source, low=0, high=255, offset=offset, size=size, constants=())
            )
            digit = Fragment(byte, 0) if isinstance(byte, Symbol) else byte & 0xFF
        found.append(digit)
    return _value(state, tuple(found), IntType(8 * len(found), value.signed))


# --- addresses as numbers --------------------------------------------------------------------------------------------


def place(state: State, pointer: PointerValue) -> tuple[int, int]:
    """Block and offset of a pointer in an integer; a run ends where its block is forgotten."""
    if object_of(pointer) not in state.objects:
        raise Stop(Ending.CUT, "an integer holds the address of a block that was lost")
    return address(state, pointer)


def number_of(state: State, value: AddressNumber) -> Symbol:
    """An address where its number matters, which is approximate; the same one for all of its block."""
    identity, offset = place(state, value.pointer)
    block = state.blocks[identity]
    base = block.base
    if base is None:
        request = ChoiceRequest(ChoiceKind.APPROXIMATE, "approximation", NOWHERE, LOWEST, HIGHEST)
        made = state.fresh(request)
        assert isinstance(made, Symbol)
        base = made
        state.blocks[identity] = block._replace(base=base)
    return Symbol(base.id, offset + value.offset)


def alignment(state: State, pointer: PointerValue) -> tuple[int, int]:
    """A power of two that the address of a block is a multiple of, and the remainder of the pointer."""
    identity, offset = place(state, pointer)
    block = state.blocks[identity]
    known = HEAP_ALIGNMENT if block.storage is Storage.HEAP else _aligned(state.objects[block.root].layout)
    return known, offset % known


def _aligned(layout: Layout) -> int:
    scalars = layout.fields if layout.cells is None or layout.cells.field is None else (layout.cells.field,)
    sizes = [field.size for field in scalars if field.size & (field.size - 1) == 0 and field.bit == 0]
    return min(max(sizes, default=1), 8)


def address_arithmetic(state: State, op: str, left: IntValue, right: IntValue, type: IntType) -> IntValue | None:
    """`left op right` where that is an address again, or does not depend on where blocks lie."""
    if op == "-" and isinstance(left, AddressNumber) and isinstance(right, AddressNumber):
        (one, start), (other, end) = place(state, left.pointer), place(state, right.pointer)
        return start + left.offset - end - right.offset if one == other else None
    if isinstance(right, AddressNumber) and op in "+&|^":
        left, right = right, left
    if not isinstance(left, AddressNumber) or not isinstance(right, int) or type.bits != 8 * left.size:
        return None
    if op in "+-":
        moved = left.offset + (right if op == "+" else -right)
        return left._replace(offset=moved) if abs(moved) < LOWEST else None
    return _low_bits(state, op, left, right)


def _low_bits(state: State, op: str, left: AddressNumber, right: int) -> IntValue | None:
    """Operations on bits below the alignment of a pointer."""
    unit, start = alignment(state, left.pointer)
    all_bits = (1 << 8 * left.size) - 1
    low, mask, cleared = (start + left.offset) % unit, right & all_bits, ~right & all_bits
    if op == "&" and mask < unit:
        return low & mask
    if op == "&" and cleared < unit:
        return left._replace(offset=left.offset - (low & cleared))
    if op in "|^" and mask < unit:
        changed = low | mask if op == "|" else low ^ mask
        return left._replace(offset=left.offset + changed - low)
    if op == "%" and 0 < right <= unit and unit % right == 0:
        return low % right
    return None


# --- operations on bytes ---------------------------------------------------------------------------------------------


def bytewise(state: State, op: str, left: IntValue, right: IntValue, type: IntType) -> IntValue | None:
    """`left op right` where each byte of the result is a byte of an operand, or known; None elsewhere."""
    size = type.bits // 8
    if 8 * size != type.bits:
        return None
    one = digits_of(left, size)
    if op in ("<<", ">>"):
        moved = _moved(one, right, op, type) if isinstance(right, int) else None
        return None if moved is None else _value(state, moved, type)
    if op not in "&|^+":
        return None
    found: list[Digit] = []
    for first, second in zip(one, digits_of(right, size), strict=True):
        digit = _digit(op, first, second)
        if digit is None:
            return None
        found.append(digit)
    return _value(state, tuple(found), type)


def _value(state: State, digits: tuple[Digit, ...], type: IntType) -> IntValue:
    value = as_integer(state, digits, type.signed)
    assert isinstance(value, int | Symbol | AddressNumber | Bytes)
    return value


def _moved(digits: tuple[Digit, ...], distance: int, op: str, type: IntType) -> tuple[Digit, ...] | None:
    count, rest = divmod(distance, 8)
    if rest or not 0 <= count < len(digits):
        return None
    if op == "<<":
        return ((0,) * count + digits)[: len(digits)]
    if not type.signed:
        return digits[count:] + (0,) * count
    top = digits[-1]
    return digits[count:] + (255 if top & 128 else 0,) * count if isinstance(top, int) else None


def _digit(op: str, one: Digit, other: Digit) -> Digit | None:
    if isinstance(one, int):
        one, other = other, one
    if not isinstance(other, int):
        return None
    if isinstance(one, int):
        if op == "+":
            return one + other if one + other < 256 else None
        return one & other if op == "&" else one | other if op == "|" else one ^ other
    if op == "&":
        return 0 if other == 0 else one if other == 255 else None
    if op == "|" and other == 255:
        return 255
    return one if other == 0 else None


def resized(state: State, value: Bytes | AddressNumber, type: IntType) -> IntValue | None:
    """The value converted to an integer type, None where the sign is not known."""
    size = type.bits // 8
    if 8 * size != type.bits:
        return None
    digits = digits_of(value, value.size if isinstance(value, AddressNumber) else 0)
    if len(digits) < size:
        top = digits[-1]
        if isinstance(value, Bytes) and value.signed and not isinstance(top, int):
            return None
        negative = isinstance(value, Bytes) and value.signed and isinstance(top, int) and top & 128
        digits += (255 if negative else 0,) * (size - len(digits))
    return _value(state, digits[:size], type)


def content_digits(value: object, kind: ValueKind, size: int) -> tuple[Digit, ...]:
    """The bytes of what a field or cell holds."""
    return pointer_digits(value, size) if kind is ValueKind.POINTER else digits_of(value, size)  # type: ignore[arg-type]  # by the kind
