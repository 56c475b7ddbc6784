"""Object layout: C types as object types, with members as plain fields or parts, and small arrays dissolved into
fields.

A member whose address is taken anywhere is a *part*, an object of its own. Everything else of a struct is flattened
into scalar fields named by their path: `s.a`, `next[2]`. An array of at most eight known elements dissolves likewise
unless its address is taken. Members of a union that hold the same scalar at the same offset are one field; the others
overlap, and a write to one scrambles the rest.

Scalars that are objects of their own (`int x; &x`, `malloc(sizeof(int))`) are boxes with one field, `*` for a pointer
and `i32` and the like for data, or arrays of one cell where the program has arrays of that scalar.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from heapwright.base.errors import UnsupportedError
from heapwright.base.source import Span
from heapwright.c.ast import FunctionDecl, VarDecl
from heapwright.c.types import (
    ArrayType,
    CType,
    FloatType,
    FunctionType,
    IntegerType,
    PointerType,
    Record,
    RecordField,
    RecordType,
    VoidType,
)
from heapwright.program.expressions import Const
from heapwright.program.types import FUNCTION_OBJECT, Cells, Field, IntType, ObjectType, Part, ValueKind

CODE = "code"  # which function of the environment an object stands for
SMALL_ARRAY = 8  # arrays of at most this many elements dissolve into fields
WIDTH_NAMES = {8: "char", 16: "short", 32: "int", 64: "long", 128: "__int128"}


@dataclass
class AddressTaken:
    """Addresses that the program takes; lowering restarts when the set grows."""

    parts: set[tuple[str, str]] = field(default_factory=set)  # (record key, member)
    boxed: set[int] = field(default_factory=set)  # id() of variables' declarations
    arrays: set[str] = field(default_factory=set)  # scalar names of which there are arrays
    ambiguous: set[str] = field(default_factory=set)  # variables whose members have the names of fields of objects
    raw_blocks: bool = False  # there are blocks whose type the first access decides
    version: int = 0

    def learn(self, into: set[tuple[str, str]] | set[int] | set[str], item: object) -> None:
        if item not in into:
            into.add(item)  # type: ignore[arg-type]  # callers pair the set with its own kind of item
            self.version += 1

    def learn_raw_blocks(self) -> None:
        if not self.raw_blocks:
            self.raw_blocks = True
            self.version += 1


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar at a path of a flattened type."""

    path: str
    type: CType
    offset: int
    bits: int | None = None  # of a bit-field
    bit_offset: int = 0  # of a bit-field
    lends: bool = False  # a pointer to const


def is_pointer(ctype: CType) -> bool:
    return isinstance(ctype, PointerType | FunctionType)


def is_aggregate(ctype: CType) -> bool:
    return isinstance(ctype, RecordType | ArrayType)


class Layout:
    """Layout of C types, given the addresses that the program takes."""

    def __init__(self, records: Mapping[str, Record], address_taken: AddressTaken, pointer_bits: int) -> None:
        self.records = records
        self.address_taken = address_taken
        self.pointer_bits = pointer_bits
        self.types: dict[str, ObjectType] = {}
        self._scalars: dict[CType, tuple[Scalar, ...]] = {}
        self._by_path: dict[CType, dict[str, Scalar]] = {}
        self._canonical: dict[CType, dict[str, str]] = {}
        self._needs_object: dict[tuple[CType, int], bool] = {}

    # --- sizes and scalars ----------------------------------------------------------------------------------------

    @cached_property
    def size_type(self) -> IntType:
        return IntType(self.pointer_bits, False)

    def size_constant(self, value: int) -> Const:
        return Const(value, self.size_type)

    def size(self, ctype: CType) -> int:
        match ctype:
            case IntegerType(int_type, _, _):
                return int_type.bits // 8
            case FloatType(size, _):
                return size
            case PointerType():
                return self.pointer_bits // 8
            case ArrayType(of, count):
                return self.size(of) * (count or 0)
            case RecordType(key):
                return self.records[key].size
        return 1  # void and functions, as GNU C measures them

    def int_type(self, ctype: CType) -> IntType:
        """The type of a data scalar; a floating-point number is an opaque word."""
        match ctype:
            case IntegerType(int_type, _, _):
                return int_type
            case FloatType(size, name):
                if "_Complex" in name or "__vector_size__" in name or "ext_vector" in name:
                    raise UnsupportedError("complex number (_Complex)" if "_Complex" in name else "vector type")
                return IntType(8 * size, True)
        raise AssertionError(f"not a data scalar: {ctype}")

    def scalar_name(self, ctype: CType) -> str:
        """The object type of a boxed scalar: integers by width, whatever their sign."""
        match ctype:
            case IntegerType(int_type, _, _):
                return WIDTH_NAMES.get(int_type.bits, str(int_type))
            case FloatType(_, name):
                return name
            case PointerType(to):
                return self.target(to) + " *" if self.target(to) else "void *"
        raise AssertionError(f"not a scalar: {ctype}")

    def target(self, to: CType) -> str:
        """The name of the object type that a pointer to `to` points to, "" for void."""
        match to:
            case VoidType():
                return ""
            case FunctionType():
                return FUNCTION_OBJECT
            case RecordType(key):
                return key
            case ArrayType():
                return self.array_name(to)
        return self.scalar_name(to) + ("[]" if self.has_arrays(to) else "")

    def pointee(self, ctype: CType) -> str:
        """The name of the object type that a pointer of this type points to, "" if it is unknown."""
        return self.target(ctype.to) if isinstance(ctype, PointerType) else ""

    def array_name(self, ctype: ArrayType) -> str:
        inner = self.array_name(ctype.of) if isinstance(ctype.of, ArrayType) else self.element_name(ctype.of)
        return f"{inner}[{'' if ctype.count is None else ctype.count}]"

    def element_name(self, ctype: CType) -> str:
        return ctype.key if isinstance(ctype, RecordType) else self.scalar_name(ctype)

    def has_arrays(self, ctype: CType) -> bool:
        return self.scalar_name(ctype) in self.address_taken.arrays

    def learn_arrays(self, ctype: CType) -> None:
        """There are arrays of this scalar."""
        self.address_taken.learn(self.address_taken.arrays, self.scalar_name(ctype))

    def learn_parts(self, path: list[tuple[str, str]]) -> None:
        """The addresses of these members are taken."""
        for part in path:
            self.address_taken.learn(self.address_taken.parts, part)

    def holds_pointers(self, ctype: CType) -> bool:
        return (
            any(is_pointer(scalar.type) for scalar in self.fields(ctype)) if is_aggregate(ctype) else is_pointer(ctype)
        )

    def cell_type(self, ctype: CType) -> IntType:
        """The type of a boxed or array scalar: signed, so that `unsigned *` and `int *` see the same object."""
        return IntType(self.int_type(ctype).bits, True)

    def box_field(self, ctype: CType) -> str:
        if is_pointer(ctype):
            return "*"
        return f"f{8 * ctype.size}" if isinstance(ctype, FloatType) else str(self.cell_type(ctype))

    # --- flattening -----------------------------------------------------------------------------------------------

    def member(self, record: str, name: str, span: Span | None = None) -> RecordField:
        for member in self.records[record].fields:
            if member.name == name:
                return member
        raise UnsupportedError(f"member '{name}' of {self.records[record].name}", span)

    def is_part(self, record: str, name: str) -> bool:
        return (record, name) in self.address_taken.parts or self.needs_object(self.member(record, name).type)

    def needs_object(self, ctype: CType) -> bool:
        """Whether a value of this type cannot dissolve into scalars."""
        if not is_aggregate(ctype):
            return False
        key = (ctype, self.address_taken.version)
        if key not in self._needs_object:
            self._needs_object[key] = self._cannot_dissolve(ctype)
        return self._needs_object[key]

    def _cannot_dissolve(self, ctype: CType) -> bool:
        match ctype:
            case RecordType(key):
                return any(self.is_part(key, member.name) for member in self.records[key].fields)
            case ArrayType(of, count):
                return count is None or count > SMALL_ARRAY or self.needs_object(of)
        return False

    def is_boxed(self, decl: VarDecl) -> bool:
        """Whether a variable has a block, and does not dissolve into scalars."""
        return id(decl) in self.address_taken.boxed or self.in_memory(decl.type)

    def in_memory(self, ctype: CType) -> bool:
        """Whether a value of this type is kept in a block."""
        return self.needs_object(ctype) or self.mixes(ctype)

    def has_padding(self, ctype: CType) -> bool:
        """Whether a value has bytes that belong to no scalar, or to bit-fields."""
        match ctype:
            case ArrayType(of, _):
                return self.has_padding(of)
            case RecordType(key):
                record = self.records[key]
                sizes = [0 if one.bits is not None else self.size(one.type) for one in record.fields]
                used = max(sizes, default=0) if record.union else sum(sizes)
                return used < record.size or any(self.has_padding(one.type) for one in record.fields)
        return False

    def mixes(self, ctype: CType) -> bool:
        """Whether a value has pointers that share bytes with other members, as in a union."""
        if not isinstance(ctype, RecordType) or not self.records[ctype.key].complete:
            return isinstance(ctype, ArrayType) and self.mixes(ctype.of)
        return any(is_pointer(one.type) and self.overlapping(ctype, one.path) for one in self.fields(ctype))

    def passes_scalars(self, function: FunctionDecl) -> bool:
        """Whether parameters and result of a function dissolve into scalars."""
        passed = (*(parameter.type for parameter in function.parameters), function.type.result)
        return not any(self.in_memory(ctype) for ctype in passed)

    def scalars(self, ctype: CType) -> tuple[Scalar, ...]:
        """The scalars that a type dissolves into, without those inside parts."""
        if ctype not in self._scalars:
            self._scalars[ctype] = tuple(self._flatten(ctype, "", 0))
        return self._scalars[ctype]

    def _flatten(self, ctype: CType, path: str, offset: int, *, lends: bool = False) -> Iterator[Scalar]:
        match ctype:
            case RecordType(key):
                for member in self.records[key].fields:
                    if not self.is_part(key, member.name):
                        inner = f"{path}.{member.name}" if path else member.name
                        if member.bits is not None:
                            start = 8 * offset + member.bit_offset
                            yield Scalar(inner, member.type, offset + member.offset, member.bits, start)
                        else:
                            lends = member.lends and not self.records[key].union
                            yield from self._flatten(member.type, inner, offset + member.offset, lends=lends)
            case ArrayType(of, count):
                for index in range(count or 0):
                    yield from self._flatten(of, f"{path}[{index}]", offset + index * self.size(of))
            case _:
                yield Scalar(path, ctype, offset, lends=lends)

    def canonical(self, ctype: CType, path: str) -> str:
        """The name of the field that a path stands for: members of a union with one scalar and offset share it."""
        if ctype not in self._canonical:
            names: dict[str, str] = {}
            seen: dict[tuple[int, str, int | None], str] = {}
            for scalar in self.scalars(ctype):
                shape = (scalar.offset, self.box_field(scalar.type), scalar.bits)
                names[scalar.path] = scalar.path if scalar.bits is not None else seen.setdefault(shape, scalar.path)
            self._canonical[ctype] = names
        return self._canonical[ctype][path]

    def fields(self, ctype: CType) -> tuple[Scalar, ...]:
        """The distinct fields of a flattened type."""
        return tuple(s for s in self.scalars(ctype) if self.canonical(ctype, s.path) == s.path)

    def overlapping(self, ctype: CType, name: str) -> tuple[Scalar, ...]:
        """The other fields that share bits with one."""
        start, end = self.extent(self.scalar(ctype, name))
        extents = ((s, self.extent(s)) for s in self.fields(ctype) if s.path != name)
        return tuple(s for s, (first, last) in extents if first < end and start < last)

    def scalar(self, ctype: CType, path: str) -> Scalar:
        if ctype not in self._by_path:
            self._by_path[ctype] = {scalar.path: scalar for scalar in self.scalars(ctype)}
        return self._by_path[ctype][path]

    def extent(self, scalar: Scalar) -> tuple[int, int]:
        """The first bit of a scalar, and the first one behind it."""
        if scalar.bits is not None:
            return scalar.bit_offset, scalar.bit_offset + scalar.bits
        return 8 * scalar.offset, 8 * (scalar.offset + self.size(scalar.type))

    def kept_type(self, scalar: Scalar) -> IntType:
        """The type of a data scalar."""
        int_type = self.int_type(scalar.type)
        return int_type if scalar.bits is None else IntType(scalar.bits, int_type.signed)

    # --- object types ---------------------------------------------------------------------------------------------

    def field_of(self, scalar: Scalar, name: str) -> Field:
        size = self.size(scalar.type)
        if is_pointer(scalar.type):
            to = scalar.type.to if isinstance(scalar.type, PointerType) else VoidType()
            return Field(name, ValueKind.POINTER, scalar.offset, size, target=self.target(to), lends=scalar.lends)
        bit = scalar.bit_offset - 8 * scalar.offset if scalar.bits is not None else 0
        return Field(name, ValueKind.DATA, scalar.offset, size, self.kept_type(scalar), bit=bit)

    def object_type(self, ctype: CType) -> ObjectType:
        """The type of an object that holds a value of a C type, registered with those of its parts."""
        name = self.object_name(ctype)
        if name not in self.types:
            match ctype:
                case RecordType(key):
                    self.types[name] = self._record_object(key)
                    for member in self.records[key].fields:
                        if self.is_part(key, member.name):
                            self.object_type(member.type)
                case ArrayType():
                    self.types[name] = self._array_object(ctype, name)
                case _ if self.has_arrays(ctype):
                    self.types[name] = self._array_object(ArrayType(ctype, None), name)
                case _:
                    self.types[name] = self._box_object(ctype, name)
        return self.types[name]

    def register_reachable(self, ctype: CType) -> None:
        """The types of all objects that an input heap may consist of."""
        pending = [ctype]
        seen: set[CType] = set()
        while pending:
            top = pending.pop()
            if top in seen or isinstance(top, VoidType | FunctionType):
                continue
            seen.add(top)
            match top:
                case RecordType(key):
                    if self.records[key].complete:
                        self.object_type(top)
                        pending += [member.type for member in self.records[key].fields]
                case PointerType(to):
                    pending.append(to)
                case ArrayType(of, _):
                    pending.append(of)
                case _:
                    self.object_type(top)

    def object_name(self, ctype: CType) -> str:
        return self.target(ctype)

    def function_object(self) -> ObjectType:
        code = Field(CODE, ValueKind.DATA, 0, 4, IntType(32, True))
        return self.types.setdefault(FUNCTION_OBJECT, ObjectType(FUNCTION_OBJECT, 4, (code,)))

    def _record_object(self, key: str) -> ObjectType:
        record = self.records[key]
        parts = tuple(
            Part(member.name, self.object_name(member.type), member.offset, None if is_aggregate(member.type) else 1)
            for member in record.fields
            if self.is_part(key, member.name)
        )
        fields = tuple(self.field_of(scalar, scalar.path) for scalar in self.fields(RecordType(key)))
        return ObjectType(key, record.size, fields, parts, union=record.union and bool(parts))

    def _box_object(self, ctype: CType, name: str) -> ObjectType:
        return ObjectType(name, self.size(ctype), (self._cell_field(ctype, self.box_field(ctype)),))

    def _array_object(self, ctype: ArrayType, name: str) -> ObjectType:
        stride = self.size(ctype.of)
        total = stride * ctype.count if ctype.count is not None else stride
        if is_aggregate(ctype.of):
            inner = self.object_type(ctype.of).name
            return ObjectType(name, total, cells=Cells(stride, object=inner, count=ctype.count))
        return ObjectType(name, total, cells=Cells(stride, self._cell_field(ctype.of, ""), count=ctype.count))

    def _cell_field(self, ctype: CType, name: str) -> Field:
        size = self.size(ctype)
        if is_pointer(ctype):
            to = ctype.to if isinstance(ctype, PointerType) else VoidType()
            return Field(name, ValueKind.POINTER, 0, size, target=self.target(to))
        return Field(name, ValueKind.DATA, 0, size, self.cell_type(ctype))

    # --- struct inheritance ---------------------------------------------------------------------------------------

    def first_member_path(self, outer: CType, inner: CType) -> list[tuple[str, str]] | None:
        """The chain of (record, member) at offset 0 from an outer type down to an inner one; bytes are of the whole."""
        path: list[tuple[str, str]] = []
        while outer != inner:
            if not isinstance(outer, RecordType) or not self.records[outer.key].fields:
                return None
            record = self.records[outer.key]
            member = record.fields[0]
            if member.offset or member.bits is not None or record.union:
                return None
            path.append((outer.key, member.name))
            outer = member.type
        return None if path and isinstance(inner, IntegerType) and inner.int.bits == 8 else path

    def member_at(self, record: str, offset: int, ctype: CType) -> list[str] | None:
        """The path of members of a record that leads to a value of a type at an offset (for container_of)."""
        for member in self.records[record].fields:
            if member.offset == offset and member.type == ctype:
                return [member.name]
            inside = offset - member.offset
            if isinstance(member.type, RecordType) and 0 <= inside < self.size(member.type):
                rest = self.member_at(member.type.key, inside, ctype)
                if rest is not None:
                    return [member.name, *rest]
        return None
