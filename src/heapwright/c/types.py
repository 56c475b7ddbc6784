"""C types, and the layout of structs and unions as the compiler computes it."""

from __future__ import annotations

from dataclasses import dataclass, field

from heapwright.base.source import Span
from heapwright.program.types import IntType


@dataclass(frozen=True, slots=True)
class VoidType:
    pass


@dataclass(frozen=True, slots=True)
class IntegerType:
    """Integers, characters, enumerations and _Bool."""

    int: IntType
    name: str  # as C spells it: "unsigned int", "_Bool"
    boolean: bool = False


@dataclass(frozen=True, slots=True)
class FloatType:
    size: int
    name: str


@dataclass(frozen=True, slots=True)
class PointerType:
    to: CType


@dataclass(frozen=True, slots=True)
class ArrayType:
    of: CType
    count: int | None  # None: `[]`, or a variable length (then the declaration has `length`)


@dataclass(frozen=True, slots=True)
class RecordType:
    """A struct or union, by the key of its `Record` in the translation unit's table."""

    key: str


@dataclass(frozen=True, slots=True)
class FunctionType:
    """`lends`: the positions of parameters that are pointers to const. It and `no_return` are no part of what the type
    is equal to."""

    result: CType
    parameters: tuple[CType, ...]
    variadic: bool
    lends: frozenset[int] = field(default=frozenset(), compare=False)
    no_return: bool = field(default=False, compare=False)


CType = VoidType | IntegerType | FloatType | PointerType | ArrayType | RecordType | FunctionType


@dataclass(frozen=True, slots=True)
class RecordField:
    name: str  # an anonymous member is called "$0", "$1", ...
    type: CType
    offset: int  # in bytes; of a bit-field: of the byte that holds its first bit
    bits: int | None = None  # width of a bit-field
    bit_offset: int = 0  # of a bit-field: in bits from the start of the record
    lends: bool = False  # a pointer to const


@dataclass(frozen=True, slots=True)
class Record:
    key: str  # unique in the translation unit: "node", "node@list.c:3" for a local or clashing one
    name: str  # as the user knows it: "struct node"
    union: bool
    size: int
    fields: tuple[RecordField, ...]
    complete: bool
    span: Span
