"""libclang through ctypes: the few functions that the parser needs, declared here and nowhere else.

The `libclang` wheel ships the library; its own Python layer lacks operators, evaluation and initialisers, and costs
several calls a cursor. A cursor and a type are small C structures; `Type.identity` is the same for equal types of one
translation unit, so that conversions are cached by it.

>>> library().clang_getClangVersion is not None
True
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import POINTER, byref, c_char_p, c_int, c_longlong, c_uint, c_ulonglong, c_void_p
from pathlib import Path
from typing import Any

from heapwright.base.errors import HeapwrightError, InputError


class String(ctypes.Structure):
    _fields_ = (("data", c_void_p), ("flags", c_uint))
    data: int | None


class Cursor(ctypes.Structure):
    """A node of clang's tree. `first` identifies declarations, `second` statements and expressions."""

    _fields_ = (("kind", c_int), ("extra", c_int), ("first", c_void_p), ("second", c_void_p), ("unit", c_void_p))
    kind: int
    first: int | None
    second: int | None


class Type(ctypes.Structure):
    _fields_ = (("kind", c_int), ("identity", c_void_p), ("unit", c_void_p))
    kind: int
    identity: int | None


class Location(ctypes.Structure):
    """`offset` alone identifies a location of one translation unit."""

    _fields_ = (("first", c_void_p), ("second", c_void_p), ("offset", c_uint))
    first: int | None
    second: int | None
    offset: int


class Range(ctypes.Structure):
    _fields_ = (("first", c_void_p), ("second", c_void_p), ("begin", c_uint), ("end", c_uint))
    first: int | None
    second: int | None
    begin: int
    end: int


class Token(ctypes.Structure):
    _fields_ = (("numbers", c_uint * 4), ("data", c_void_p))


class UnsavedFile(ctypes.Structure):
    _fields_ = (("name", c_char_p), ("contents", c_char_p), ("length", ctypes.c_ulong))


Visitor = ctypes.CFUNCTYPE(c_int, Cursor, Cursor, c_void_p)
FieldVisitor = ctypes.CFUNCTYPE(c_int, Cursor, c_void_p)
InclusionVisitor = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Location), c_uint, c_void_p)
BREAK, CONTINUE, RECURSE = 0, 1, 2  # results of a Visitor; a FieldVisitor returns CONTINUE to go on

_PLACE = (Location, POINTER(c_void_p), POINTER(c_uint), POINTER(c_uint), POINTER(c_uint))
_FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "clang_createIndex": (c_void_p, (c_int, c_int)),
    "clang_disposeIndex": (None, (c_void_p,)),
    "clang_parseTranslationUnit2": (
        c_int,
        *((c_void_p, c_char_p, POINTER(c_char_p), c_int, POINTER(UnsavedFile), c_uint, c_uint, POINTER(c_void_p)),),
    ),
    "clang_disposeTranslationUnit": (None, (c_void_p,)),
    "clang_getTranslationUnitCursor": (Cursor, (c_void_p,)),
    "clang_getInclusions": (None, (c_void_p, InclusionVisitor, c_void_p)),
    "clang_tokenize": (None, (c_void_p, Range, POINTER(POINTER(Token)), POINTER(c_uint))),
    "clang_disposeTokens": (None, (c_void_p, POINTER(Token), c_uint)),
    "clang_getTokenKind": (c_int, (Token,)),
    "clang_getTokenSpelling": (String, (c_void_p, Token)),
    "clang_getTokenExtent": (Range, (c_void_p, Token)),
    "clang_getRangeStart": (Location, (Range,)),
    "clang_getRangeEnd": (Location, (Range,)),
    "clang_getNumDiagnostics": (c_uint, (c_void_p,)),
    "clang_getDiagnostic": (c_void_p, (c_void_p, c_uint)),
    "clang_disposeDiagnostic": (None, (c_void_p,)),
    "clang_getDiagnosticSeverity": (c_int, (c_void_p,)),
    "clang_getDiagnosticSpelling": (String, (c_void_p,)),
    "clang_getDiagnosticLocation": (Location, (c_void_p,)),
    "clang_getCString": (c_char_p, (String,)),
    "clang_disposeString": (None, (String,)),
    "clang_getClangVersion": (String, ()),
    "clang_getFileName": (String, (c_void_p,)),
    "clang_getExpansionLocation": (None, _PLACE),
    "clang_getSpellingLocation": (None, _PLACE),
    "clang_Location_isInSystemHeader": (c_int, (Location,)),
    "clang_visitChildren": (c_uint, (Cursor, Visitor, c_void_p)),
    "clang_Type_visitFields": (c_uint, (Type, FieldVisitor, c_void_p)),
    "clang_getCursorType": (Type, (Cursor,)),
    "clang_getCursorLocation": (Location, (Cursor,)),
    "clang_getCursorExtent": (Range, (Cursor,)),
    "clang_getCursorSpelling": (String, (Cursor,)),
    "clang_getCursorPrintingPolicy": (c_void_p, (Cursor,)),
    "clang_PrintingPolicy_dispose": (None, (c_void_p,)),
    "clang_getCursorPrettyPrinted": (String, (Cursor, c_void_p)),
    "clang_getCursorReferenced": (Cursor, (Cursor,)),
    "clang_getCursorDefinition": (Cursor, (Cursor,)),
    "clang_getCanonicalCursor": (Cursor, (Cursor,)),
    "clang_getCursorSemanticParent": (Cursor, (Cursor,)),
    "clang_getCursorLinkage": (c_int, (Cursor,)),
    "clang_isCursorDefinition": (c_uint, (Cursor,)),
    "clang_getCursorBinaryOperatorKind": (c_int, (Cursor,)),
    "clang_getCursorUnaryOperatorKind": (c_int, (Cursor,)),
    "clang_getEnumConstantDeclValue": (c_longlong, (Cursor,)),
    "clang_getEnumDeclIntegerType": (Type, (Cursor,)),
    "clang_getFieldDeclBitWidth": (c_int, (Cursor,)),
    "clang_Cursor_Evaluate": (c_void_p, (Cursor,)),
    "clang_Cursor_getArgument": (Cursor, (Cursor, c_uint)),
    "clang_Cursor_getNumArguments": (c_int, (Cursor,)),
    "clang_Cursor_getOffsetOfField": (c_longlong, (Cursor,)),
    "clang_Cursor_getStorageClass": (c_int, (Cursor,)),
    "clang_Cursor_getVarDeclInitializer": (Cursor, (Cursor,)),
    "clang_EvalResult_dispose": (None, (c_void_p,)),
    "clang_EvalResult_getAsDouble": (ctypes.c_double, (c_void_p,)),
    "clang_EvalResult_getAsLongLong": (c_longlong, (c_void_p,)),
    "clang_EvalResult_getAsUnsigned": (c_ulonglong, (c_void_p,)),
    "clang_EvalResult_getKind": (c_int, (c_void_p,)),
    "clang_EvalResult_isUnsignedInt": (c_uint, (c_void_p,)),
    "clang_getCanonicalType": (Type, (Type,)),
    "clang_isConstQualifiedType": (c_uint, (Type,)),
    "clang_getUnqualifiedType": (Type, (Type,)),
    "clang_getPointeeType": (Type, (Type,)),
    "clang_getArrayElementType": (Type, (Type,)),
    "clang_getArraySize": (c_longlong, (Type,)),
    "clang_getResultType": (Type, (Type,)),
    "clang_getNumArgTypes": (c_int, (Type,)),
    "clang_getArgType": (Type, (Type, c_uint)),
    "clang_isFunctionTypeVariadic": (c_uint, (Type,)),
    "clang_getTypeDeclaration": (Cursor, (Type,)),
    "clang_getTypeSpelling": (String, (Type,)),
    "clang_Type_getSizeOf": (c_longlong, (Type,)),
    "clang_Type_getValueType": (Type, (Type,)),
}


class LibclangMissing(HeapwrightError):
    """The parser library cannot be loaded."""


@functools.cache
def library() -> Any:
    """The library with every function declared. Untyped, because ctypes is: the readers above it give types."""
    spec = importlib.util.find_spec("clang")
    folders = [Path(parent) / "native" for parent in (spec.submodule_search_locations or ())] if spec else []
    files = [file for folder in folders for file in sorted(folder.glob("libclang.*")) if file.suffix != ".py"]
    if not files:
        raise LibclangMissing("libclang is not installed", hint="install it with: pip install 'libclang>=18.1,<19'")
    try:
        loaded = ctypes.CDLL(str(files[0]))
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(loaded, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        raise LibclangMissing(f"libclang cannot be used: {error}", hint="heapwright needs libclang 18") from error
    return loaded


@contextmanager
def translation_unit(
    file: str, data: bytes, arguments: Sequence[str], contents: Mapping[str, bytes] | None = None
) -> Iterator[int]:
    """A parsed file whose contents are `data`; errors are in the unit's diagnostics. `contents` are those of other
    files, by the names under which `inclusions` lists them; they need not exist on disk."""
    lib = library()
    index = lib.clang_createIndex(0, 0)
    unit = c_void_p()
    try:
        # A name that starts like an option would be parsed as one.
        name, count = os.fsencode(f"./{file}" if file.startswith("-") else file), len(arguments)
        others = {os.fsencode(other): held for other, held in (contents or {}).items()}
        held_in_memory = {**others, name: data}
        files = [UnsavedFile(one, held, len(held)) for one, held in held_in_memory.items()]
        unsaved = (UnsavedFile * len(files))(*files)
        words = (c_char_p * len(arguments))(*map(os.fsencode, arguments))
        code = lib.clang_parseTranslationUnit2(index, name, words, count, unsaved, len(files), 0, byref(unit))
        if code or not unit.value:
            raise InputError(f"{file} cannot be parsed with the options {' '.join(arguments)}")
        yield unit.value
    finally:
        if unit.value:
            lib.clang_disposeTranslationUnit(unit)
        lib.clang_disposeIndex(index)


def text(string: Any) -> str:
    """The contents of a clang string, which is disposed."""
    lib = library()
    found: bytes | None = lib.clang_getCString(string)
    lib.clang_disposeString(string)
    return (found or b"").decode("utf-8", "replace")


def file_name(handle: int) -> str:
    """The name of a file as it was given on the command line or found by an #include."""
    lib = library()
    string = lib.clang_getFileName(handle)
    name = os.fsdecode(lib.clang_getCString(string) or b"")
    lib.clang_disposeString(string)
    return name


def inclusions(unit: int) -> list[str]:
    """The names of all files that clang read, the parsed file first; each once."""
    found: dict[str, None] = {}

    def visit(file: int, _stack: object, _depth: int, _data: object) -> None:
        found[file_name(file)] = None

    library().clang_getInclusions(unit, InclusionVisitor(visit), None)
    return list(found)


def printed(cursor: Cursor) -> str:
    """A declaration as pretty-printed by clang, with macros expanded."""
    lib = library()
    policy = lib.clang_getCursorPrintingPolicy(cursor)
    try:
        return text(lib.clang_getCursorPrettyPrinted(cursor, policy))
    finally:
        lib.clang_PrintingPolicy_dispose(policy)


def evaluate(cursor: Cursor) -> int | None:
    """The value of an integer constant expression, or None."""
    lib = library()
    result = lib.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        if lib.clang_EvalResult_getKind(result) != 1:
            return None
        unsigned = lib.clang_EvalResult_isUnsignedInt(result)
        return int((lib.clang_EvalResult_getAsUnsigned if unsigned else lib.clang_EvalResult_getAsLongLong)(result))
    finally:
        lib.clang_EvalResult_dispose(result)


def evaluate_float(cursor: Cursor) -> float | None:
    """The value of a floating-point constant expression, or None."""
    lib = library()
    result = lib.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        return float(lib.clang_EvalResult_getAsDouble(result)) if lib.clang_EvalResult_getKind(result) == 2 else None
    finally:
        lib.clang_EvalResult_dispose(result)


def locate(location: Location, *, spelling: bool = False) -> tuple[int | None, int]:
    """File handle and byte offset: of the use of a macro, or with `spelling` of its argument. Line and column are not
    requested, because clang computes them by a search."""
    lib = library()
    file, offset = c_void_p(), c_uint()
    function = lib.clang_getSpellingLocation if spelling else lib.clang_getExpansionLocation
    function(location, byref(file), None, None, byref(offset))
    return file.value, offset.value


def children(cursor: Cursor) -> list[Cursor]:
    found: list[Cursor] = []

    def visit(child: Cursor, _parent: Cursor, _data: object) -> int:
        found.append(child)
        return CONTINUE

    library().clang_visitChildren(cursor, Visitor(visit), None)
    return found


def fields(type: Type) -> list[Cursor]:
    """The members of a struct or union, with the unnamed ones."""
    found: list[Cursor] = []

    def visit(child: Cursor, _data: object) -> int:
        found.append(child)
        return CONTINUE

    library().clang_Type_visitFields(type, FieldVisitor(visit), None)
    return found
