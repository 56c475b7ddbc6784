"""Types of values and of heap objects.

A value is an integer of an `IntType` or a pointer. An object has scalar fields, and *parts*: objects of their own
inside of it whose address is taken (`&p->list`). Two constant links connect an owner and its
part, and following one is address arithmetic:

>>> link = Part("list", "list_head", 8)
>>> link.down, link.up("node")
('list$', 'owner$node.list')
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

RECORD = "activation of "  # how the types of activation records start


@dataclass(frozen=True, slots=True)
class IntType:
    """A C integer type after lowering: width and signedness."""

    bits: int
    signed: bool

    @property
    def minimum(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def maximum(self) -> int:
        return (1 << (self.bits - 1)) - 1 if self.signed else (1 << self.bits) - 1

    def wrap(self, value: int) -> int:
        """The value that an object of this type holds after `value` is converted to it."""
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if self.signed and value >> (self.bits - 1) else value

    def __str__(self) -> str:
        return f"{'i' if self.signed else 'u'}{self.bits}"


FUNCTION_OBJECT = "function"  # the type of the objects whose addresses are those of functions


class ValueKind(Enum):
    DATA = "data"
    POINTER = "pointer"


@dataclass(frozen=True, slots=True)
class Field:
    """One scalar field of an object, at its byte offset in the object."""

    name: str
    kind: ValueKind
    offset: int
    size: int
    type: IntType | None = None  # of a data field
    target: str = ""  # of a pointer field: the object type it is declared to point to, "" for void *
    lends: bool = False  # of a pointer field: it is declared to point to const
    bit: int = 0  # of a bit-field: its first bit, counted from `offset`

    @property
    def bits(self) -> tuple[int, int]:
        """Its first bit in the object, and the first one behind it."""
        start = 8 * self.offset + self.bit
        return start, start + (8 * self.size if self.type is None else self.type.bits)

    @property
    def extent(self) -> tuple[int, int]:
        """Its first byte in the object, and the first one behind it. The unit of a bit-field may reach beyond what it
        is in."""
        if self.type is None or self.type.bits == 8 * self.size:
            return self.offset, self.offset + self.size
        first, last = self.bits
        return first // 8, (last + 7) // 8


@dataclass(frozen=True, slots=True)
class Part:
    """An object embedded in another at a byte offset. Names of links: `down` in the owner, `up(owner)` in the part.
    `count` is the number of cells of an array whose type leaves it open; None: as many as fit in the block."""

    name: str
    type: str
    offset: int
    count: int | None = None

    @property
    def down(self) -> str:
        return f"{self.name}$"

    def up(self, owner: str) -> str:
        return f"owner${owner}.{self.name}"


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of an array object: scalars (`field` describes one) or objects of type `object`."""

    stride: int
    field: Field | None = None
    object: str = ""
    count: int | None = None  # None: each block has its own


@dataclass(frozen=True, slots=True)
class ObjectType:
    """The type of a heap, stack or static object: either fields and parts, or cells.

    A pointer to an array of scalars is a pair (array, index). A pointer to an element of an array of objects is that
    element, an object of its own."""

    name: str
    size: int  # in bytes; of an array without a fixed count: of one cell
    fields: tuple[Field, ...] = ()
    parts: tuple[Part, ...] = ()
    cells: Cells | None = None
    union: bool = False  # parts share bytes

    @property
    def overlaps(self) -> bool:
        """Whether members share bytes, as those of a union do."""
        extents = sorted(field.bits for field in self.fields)
        return self.union or any(one[1] > other[0] for one, other in pairwise(extents))

    def field(self, name: str) -> Field | None:
        return next((field for field in self.fields if field.name == name), None)

    def part(self, name: str) -> Part | None:
        return next((part for part in self.parts if part.name == name), None)


class Storage(Enum):
    """Storage class of a block: heap blocks can be freed and leak, stack blocks end with `leave`, static ones never
    end."""

    HEAP = "heap"
    STACK = "stack"
    STATIC = "static"


@dataclass(frozen=True, slots=True)
class Variable:
    """A program variable that is a plain value. A variable whose address is taken is a block, and a constant pointer
    variable named `&x` holds its address. Inlined copies have names of their own; `source_name` is what the user wrote,
    "" for a temporary, which counts as a root of the heap only while it is live."""

    name: str
    kind: ValueKind
    type: IntType | None = None
    target: str = ""
    source_name: str = ""
    function: str = ""  # "" for a global

    @property
    def temporary(self) -> bool:
        return not self.source_name
