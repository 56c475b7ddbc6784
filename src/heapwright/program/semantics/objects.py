"""Values, and the objects and blocks that hold them.

A pointer is a plain value: 0 is null, -1 is junk, an object's number is its address, and a pair (object, index) is a
position in an array or outside of it. An integer is an int, a `Symbol` while it is symbolic, an `AddressNumber`, or
`Bytes` that are none of these (semantics/byte_memory/memory_values.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from heapwright.base.source import Span
from heapwright.program.types import Field, ObjectType, Part, Storage, ValueKind

PointerValue = int | tuple[int, int]
NULL = 0
JUNK = -1
UNREAD = -2  # only in fields of input objects: not initialised yet
UNKNOWN = -3  # a pointer whose bytes are not known: a run ends where it is used
NEAR_NULL = -(1 << 40)  # plus an offset: an address computed from null, as invalid as null


NUMBERS = -(1 << 80)  # plus a number: an integer made a pointer
FIRST_PAGE = 1 << 12  # no object has an address below


def pointer_from(number: int) -> int:
    """The pointer that an integer is converted to, if that is not the address of an object."""
    return NUMBERS + number if number else NULL


def number_in(pointer: object) -> int | None:
    """The integer that was converted to a pointer; None for all others."""
    return pointer - NUMBERS if isinstance(pointer, int) and pointer < NUMBERS // 2 else None


def may_be_valid(pointer: object) -> bool:
    """Whether it is not known what a pointer leads to: a run ends where it is used."""
    number = number_in(pointer)
    return pointer == UNKNOWN or (number is not None and not 0 < number < FIRST_PAGE)


def near_null(offset: int) -> int:
    """The address so many bytes from null."""
    return NEAR_NULL + offset if offset else NULL


def offset_from_null(pointer: object) -> int | None:
    """The distance of an address near null from null; None for all others."""
    if not isinstance(pointer, int) or (pointer != NULL and not NUMBERS // 2 <= pointer <= NEAR_NULL // 2):
        return None
    return pointer - NEAR_NULL if pointer else 0


def is_pointer(value: object) -> bool:
    """Whether a variable's value is the address of an object."""
    return type(value) is tuple or (type(value) is int and value > 0)


def object_of(pointer: PointerValue) -> int:
    return pointer if isinstance(pointer, int) else pointer[0]


def index_of(pointer: PointerValue) -> int:
    return 0 if isinstance(pointer, int) else pointer[1]


class Symbol(NamedTuple):
    """A symbolic input plus an offset."""

    id: int
    offset: int


Number = int | Symbol


class AddressNumber(NamedTuple):
    """The integer that a pointer was converted to, plus an offset in bytes. `size` is the size of a pointer."""

    pointer: PointerValue
    offset: int = 0
    size: int = 8


class Fragment(NamedTuple):
    """One byte of a number that is not known, the least significant one first."""

    value: Symbol | AddressNumber
    position: int


class _Unset:
    """An uninitialised integer: it becomes an input when it is read."""

    def __repr__(self) -> str:
        return "unset"


class _Scrambled:
    """An indeterminate integer: overlapping bytes were written."""

    def __repr__(self) -> str:
        return "scrambled"


UNSET = _Unset()
SCRAMBLED = _Scrambled()

Digit = int | Fragment | _Unset | _Scrambled


class Bytes(NamedTuple):
    """A scalar by its bytes, the least significant one first, where these are not all of one number or pointer."""

    digits: tuple[Digit, ...]
    signed: bool


IntValue = int | Symbol | AddressNumber | Bytes


def held_pointers(digits: Iterable[object]) -> list[PointerValue]:
    """The pointers that are there whole, among bytes of one object."""
    found: dict[AddressNumber, set[int]] = {}
    for digit in digits:
        if isinstance(digit, Fragment) and isinstance(digit.value, AddressNumber):
            found.setdefault(digit.value, set()).add(digit.position)
    return [value.pointer for value, indices in found.items() if len(indices) == value.size]


def digits_in(values: Iterable[object]) -> Iterator[object]:
    """The bytes of those values that are no plain numbers or pointers."""
    for value in values:
        if isinstance(value, Bytes):
            yield from value.digits
        elif isinstance(value, AddressNumber):
            yield from (Fragment(value, index) for index in range(value.size))
        elif isinstance(value, Fragment):
            yield value


VIEW = ("", "bytes", False)  # with the root of a block: the key of its view in `State.outside`

# Lifetime of an object's block. Accesses to blocks that are not LIVE are handled in access.py.
LIVE, PARTIAL, FREED, LEFT, OUTSIDE = range(5)


class Layout:
    """An object type, prepared for access by slot. `read` names the integer fields that the program reads."""

    __slots__ = (
        "blank",
        "cells",
        "data_slots",
        "fields",
        "holds_pointers",
        "index",
        "name",
        "overlaps",
        "part_slots",
        "parts",
        "pointer_slots",
        "size",
        "slots",
        "undecided",
        "zero",
    )

    def __init__(self, type: ObjectType, index: int, read: frozenset[tuple[str, str]]) -> None:
        self.name = type.name
        self.size = type.size
        self.index = index
        self.fields: tuple[Field, ...] = type.fields
        self.parts: tuple[Part, ...] = type.parts
        self.cells = type.cells
        self.slots = {f.name: slot for slot, f in enumerate(type.fields)}
        self.part_slots = {part.name: slot for slot, part in enumerate(type.parts)}
        pointers = [f.kind is ValueKind.POINTER for f in type.fields]
        self.data_slots = tuple(
            slot for slot, f in enumerate(type.fields) if not pointers[slot] and (type.name, f.name) in read
        )
        self.pointer_slots = tuple(slot for slot, pointer in enumerate(pointers) if pointer)
        cell = type.cells.field if type.cells else None
        self.holds_pointers = cell is not None and cell.kind is ValueKind.POINTER
        self.blank: list[Any] = [JUNK if pointer else UNSET for pointer in pointers]
        self.zero: list[Any] = [0 for _ in pointers]
        self.overlaps = type.overlaps  # a union: scalars share bytes
        self.undecided: list[Any] = [UNREAD if pointer else UNSET for pointer in pointers]

    @property
    def stride(self) -> int:
        return self.cells.stride if self.cells else max(self.size, 1)


class MemoryObject:
    """One object. `position` is its slot among the owner's parts, or its index in the array that owns it; `fields`
    holds the scalars of a struct, `cells` the written scalars of an array, `elements` the objects of an array as they
    are first needed. An array with a `length` ends with a zero or null there, and has none before, until a call has
    `rewritten` it. Writes to a `guarded` object need care: it is read-only, shares bytes with others, or holds parts of
    pointers."""

    __slots__ = (
        "block",
        "cells",
        "count",
        "elements",
        "fields",
        "guarded",
        "layout",
        "length",
        "offset",
        "owner",
        "parts",
        "position",
        "protected",
        "rewritten",
        "status",
        "token",
    )

    def __init__(self, token: object, layout: Layout, block: int, owner: int, position: int, offset: int) -> None:
        self.token = token
        self.layout = layout
        self.block = block
        self.owner = owner
        self.position = position
        self.offset = offset
        self.status = LIVE
        self.protected = False
        self.guarded = False
        self.fields: list[Any] = []
        self.cells: dict[int, Any] | None = None
        self.count: int | None = None
        self.length: Number | None = None
        self.rewritten = False
        self.parts: tuple[int, ...] = ()
        self.elements: dict[int, int] | None = None

    @property
    def terminator(self) -> Number | None:
        """The index of the null or zero that ends an array of arguments, as long as no call has written it."""
        return None if self.rewritten else self.length

    def copy(self, token: object) -> MemoryObject:
        twin = MemoryObject(token, self.layout, self.block, self.owner, self.position, self.offset)
        twin.status = self.status
        twin.protected = self.protected
        twin.guarded = self.guarded
        twin.fields = self.fields[:]
        twin.cells = None if self.cells is None else self.cells.copy()
        twin.count = self.count
        twin.length = self.length
        twin.rewritten = self.rewritten
        twin.parts = self.parts
        twin.elements = None if self.elements is None else self.elements.copy()
        return twin


class Block(NamedTuple):
    """One allocation. `number` counts heap blocks from 0, and is -1 elsewhere; `birth` and `end` are times."""

    number: int
    storage: Storage
    root: int
    size: int
    status: int
    birth: int
    allocated: Span
    zeroed: bool = False
    input: bool = False
    end: int = -1
    freed: Span | None = None
    name: str = ""  # the variable that a stack or static block is
    protected: bool = False  # read-only
    replaced: int = 0  # the block that realloc moved to this one
    lent: bool = False  # an input by the environment, which had it for one call
    base: Symbol | None = None  # its address as a number, once that matters
    moved: int | None = None  # 0 if the two have one address, 1 if not; None before the first comparison
