"""Types: from clang's to those of `c/types.py`; structs and unions get their layout.

Typedefs, `typeof` and qualifiers are gone. Records have keys: a tag or typedef name, followed by its source position
where the name is not unique (`node`, `node@list.c:3:1`). An unnamed member is called `$0`, `$1`, ...; libclang skips
unnamed members in an access, and `path` puts them back: the path of `y` in `struct {union {int x, y;};}` is `$0`, `y`.
"""

from __future__ import annotations

from dataclasses import dataclass

from heapwright.base.errors import InputError
from heapwright.c import clang
from heapwright.c.clang import Cursor, Type, library
from heapwright.c.syntax import clang_kinds as kinds
from heapwright.c.syntax import variadic
from heapwright.c.syntax.source_spans import SourceMap
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
from heapwright.program.types import IntType

MAX_TYPE_DEPTH = 200  # pointers, arrays and functions nested in one type
_VOID = VoidType()


@dataclass(frozen=True, slots=True)
class MemberKey:
    """The record and name of a member's declaration."""

    record: str
    name: str


class Types:
    def __init__(self, source_map: SourceMap, pointer_size: int) -> None:
        self._source_map = source_map
        self.pointer_size = pointer_size
        self._cache: dict[int | None, CType] = {}
        self._depth = 0
        self._keys: dict[int | None, str] = {}  # declaration -> key
        self._pending: list[tuple[str, Cursor, Type]] = []
        self._records: dict[str, Record] = {}
        self._members: dict[int | None, MemberKey] = {}
        self._unnamed: dict[str, list[tuple[str, str]]] = {}  # key -> (name, key) of the unnamed members

    # --- types ---------------------------------------------------------------------------------------------------

    def of(self, cursor: Cursor) -> CType:
        """The type of an expression or declaration."""
        type: Type = library().clang_getCursorType(cursor)
        found = self._cache.get(type.identity)
        return found if found is not None else self.convert(type)

    def value(self, cursor: Cursor) -> CType:
        """The type of an expression that is no lvalue; libclang shows a parameter's array type where it has decayed."""
        return adjusted(self.of(cursor))

    def convert(self, type: Type) -> CType:
        found = self._cache.get(type.identity)
        if found is None:
            self._depth += 1
            if self._depth > MAX_TYPE_DEPTH:
                raise InputError(f"a type in {self._source_map.main.name} is nested too deeply")
            found = self._convert(library().clang_getCanonicalType(type))
            self._depth -= 1
            self._cache[type.identity] = found
        return found

    def _convert(self, type: Type) -> CType:
        lib = library()
        kind = type.kind
        if kind in kinds.INTEGERS:
            signed, name = kinds.INTEGERS[kind]
            return IntegerType(IntType(8 * lib.clang_Type_getSizeOf(type), signed), name, kind == kinds.T_BOOL)
        if kind == kinds.T_VOID:
            return _VOID
        if kind == kinds.T_POINTER:
            return PointerType(self.convert(self.element(lib.clang_getPointeeType(type))))
        if kind == kinds.T_RECORD:
            return RecordType(self._key(type))
        if kind == kinds.T_ENUM:
            return self._enumeration(type)
        if kind in (kinds.T_FUNCTION, kinds.T_FUNCTION_NO_PROTO):
            count = max(lib.clang_getNumArgTypes(type), 0)
            parameters = tuple(self.convert(lib.clang_getArgType(type, number)) for number in range(count))
            variadic = kind == kinds.T_FUNCTION_NO_PROTO or bool(lib.clang_isFunctionTypeVariadic(type))
            lends = (number for number in range(count) if self.leads_to_const(lib.clang_getArgType(type, number)))
            no_return = "noreturn" in clang.text(lib.clang_getTypeSpelling(type))
            result = self.convert(lib.clang_getResultType(type))
            return FunctionType(result, parameters, variadic, frozenset(lends), no_return)
        if kind in kinds.ARRAYS:
            element = self.convert(self.element(lib.clang_getArrayElementType(type)))
            count = lib.clang_getArraySize(type) if kind == kinds.T_CONSTANT_ARRAY else None
            return ArrayType(element, count or None)  # GNU's array of length 0 takes the rest of the block, as C's `[]`
        if kind == kinds.T_ATOMIC:
            return self.convert(lib.clang_Type_getValueType(type))
        # Floating-point, complex and vector types, and other types of clang: opaque values.
        return FloatType(max(lib.clang_Type_getSizeOf(type), 0), clang.text(lib.clang_getTypeSpelling(type)))

    def element(self, type: Type) -> Type:
        """The type of the elements of an array of variable lengths; other types as they are."""
        lib = library()
        bare = lib.clang_getCanonicalType(type)
        while bare.kind == kinds.T_VARIABLE_ARRAY:
            type = lib.clang_getArrayElementType(bare)
            bare = lib.clang_getCanonicalType(type)
        return type

    def is_sized_array(self, type: Type) -> bool:
        """Whether a type is that of an array with a length."""
        kind = library().clang_getCanonicalType(type).kind
        return kind in kinds.ARRAYS and kind != kinds.T_INCOMPLETE_ARRAY

    def variable_levels(self, type: Type) -> int:
        """The number of variable lengths of an array, the outermost first."""
        lib, levels = library(), 0
        bare = lib.clang_getCanonicalType(type)
        while bare.kind == kinds.T_VARIABLE_ARRAY:
            bare = lib.clang_getCanonicalType(lib.clang_getArrayElementType(bare))
            levels += 1
        return levels

    def pointed_levels(self, type: Type) -> int:
        """The number of variable lengths of what a pointer, or an array that decays, points to."""
        lib = library()
        bare = lib.clang_getCanonicalType(type)
        if bare.kind == kinds.T_POINTER:
            return self.variable_levels(lib.clang_getPointeeType(bare))
        return self.variable_levels(lib.clang_getArrayElementType(bare)) if bare.kind in kinds.ARRAYS else 0

    def is_const(self, type: Type) -> bool:
        """Whether an object of a type cannot be written, as a whole or in all its elements."""
        lib = library()
        type = lib.clang_getCanonicalType(type)
        while not lib.clang_isConstQualifiedType(type) and type.kind in kinds.ARRAYS:
            type = lib.clang_getCanonicalType(lib.clang_getArrayElementType(type))
        return bool(lib.clang_isConstQualifiedType(type))

    def leads_to_const(self, type: Type) -> bool:
        """Whether a type is a pointer to const."""
        lib = library()
        type = lib.clang_getCanonicalType(type)
        return type.kind == kinds.T_POINTER and self.is_const(lib.clang_getPointeeType(type))

    def _enumeration(self, type: Type) -> CType:
        lib = library()
        underlying = self.convert(lib.clang_getEnumDeclIntegerType(lib.clang_getTypeDeclaration(type)))
        name = clang.text(lib.clang_getTypeSpelling(lib.clang_getUnqualifiedType(type)))
        if isinstance(underlying, IntegerType):
            return IntegerType(underlying.int, "enum" if "(unnamed" in name else name)
        return IntegerType(IntType(32, False), name)  # declared, never defined

    def size(self, type: CType) -> int | None:
        """In bytes, where there is one."""
        if isinstance(type, IntegerType):
            return type.int.bits // 8
        if isinstance(type, PointerType):
            return self.pointer_size
        if isinstance(type, FloatType):
            return type.size
        if isinstance(type, RecordType):
            record = self.record(type.key)
            return record.size if record.complete else None
        if isinstance(type, ArrayType) and type.count is not None:
            element = self.size(type.of)
            return None if element is None else element * type.count
        return None

    def builtin(self, kind: int) -> IntegerType:
        """An integer type by libclang's number."""
        signed, name = kinds.INTEGERS[kind]
        words = name.split()
        size = self.pointer_size if words.count("long") == 1 else 8 if "long" in words else 4
        size = 1 if "char" in words else 2 if "short" in words else size
        return IntegerType(IntType(8 * size, signed), name)

    # --- structs and unions ----------------------------------------------------------------------------------------

    @property
    def records(self) -> dict[str, Record]:
        self._complete()
        return self._records

    def record(self, key: str) -> Record:
        self._complete()
        return self._records[key]

    def member(self, declaration: Cursor) -> MemberKey:
        """The record and name of a member's declaration."""
        found = self._members.get(declaration.first)
        if found is None:
            self.convert(library().clang_getCursorType(library().clang_getCursorSemanticParent(declaration)))
            self._complete()
            found = self._members[declaration.first]
        return found

    def path(self, base: str, target: MemberKey) -> tuple[str, ...]:
        """The names that lead from a record to a member of it or of its unnamed members."""
        if base == target.record:
            return (target.name,)
        self._complete()
        for name, key in self._unnamed.get(base, ()):
            rest = self.path(key, target)
            if rest:
                return (name, *rest)
        return ()

    def field(self, key: str, name: str) -> RecordField:
        return next(field for field in self.record(key).fields if field.name == name)

    def _key(self, type: Type) -> str:
        lib = library()
        declaration = lib.clang_getTypeDeclaration(type)
        canonical = lib.clang_getCanonicalCursor(declaration)
        known = self._keys.get(canonical.first)
        if known is not None:
            return known
        definition = lib.clang_getCursorDefinition(declaration)
        if definition.first is None:
            definition = declaration
        spelling = clang.text(lib.clang_getTypeSpelling(lib.clang_getUnqualifiedType(type)))
        unnamed = "(" in spelling
        name = "" if unnamed else spelling.rsplit(" ", 1)[-1]
        span = self._source_map.name(definition)
        parent = lib.clang_getCursorSemanticParent(definition)
        local = parent.kind in (kinds.FUNCTION_DECL, kinds.COMPOUND_STMT)
        word = "union" if declaration.kind == kinds.UNION_DECL else "struct"
        key = f"{name or word}@{span}" if local or unnamed else name
        if key in self._keys.values():  # a typedef and a tag of one name, or two made by one macro
            key = f"{name or word}@{span}"
            number = 1
            while key in self._keys.values():
                number += 1
                key = f"{name or word}@{span}#{number}"
        self._keys[canonical.first] = key
        self._pending.append((key, definition, type))
        return key

    def _complete(self) -> None:
        """Computes the layout of records met since the last call; a queue, because structs refer to each other in long
        chains."""
        while self._pending:
            self._layout(*self._pending.pop(0))

    def _layout(self, key: str, definition: Cursor, type: Type) -> None:
        lib = library()
        size = library().clang_Type_getSizeOf(type)
        members: list[RecordField] = []
        unnamed: list[tuple[str, str]] = []
        for cursor in clang.fields(type) if size >= 0 else ():
            name = clang.text(lib.clang_getCursorSpelling(cursor))
            width = lib.clang_getFieldDeclBitWidth(cursor)
            member_type = self.of(cursor)
            if not name or "(" in name:
                if not isinstance(member_type, RecordType):
                    continue  # an unnamed bit-field only moves what follows
                name = f"${len(unnamed)}"
                unnamed.append((name, member_type.key))
            offset = max(lib.clang_Cursor_getOffsetOfField(cursor), 0)
            self._members[cursor.first] = MemberKey(key, name)
            if width >= 0:
                members.append(RecordField(name, member_type, offset // 8, width, offset))
            else:
                lends = self.leads_to_const(lib.clang_getCursorType(cursor))
                members.append(RecordField(name, member_type, offset // 8, lends=lends))
        self._unnamed[key] = unnamed
        union = definition.kind == kinds.UNION_DECL
        tag = key.split("@")[0]
        spelling = clang.text(lib.clang_getTypeSpelling(lib.clang_getUnqualifiedType(type)))
        word = "union" if union else "struct"
        shown = f"unnamed {word}" if "(" in spelling else spelling if " " in spelling else tag
        span = self._source_map.name(definition)
        self._records[key] = Record(key, shown, union, max(size, 0), tuple(members), size >= 0, span)
        if key == variadic.LIST:
            self._records[key] = variadic.list_record(self._records[key])
            self._records[variadic.LINK] = variadic.link_record()


def adjusted(type: CType) -> CType:
    """The adjusted type of a parameter that is declared as an array or a function (C11 6.7.6.3)."""
    if isinstance(type, ArrayType):
        return PointerType(type.of)
    return PointerType(type) if isinstance(type, FunctionType) else type
