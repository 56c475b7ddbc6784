"""Constants that need more than clang's evaluation: the bytes of strings, operand types of sizeof, `_Generic`.

>>> string_bytes('"a\\\\nb"', ArrayType(IntegerType(IntType(8, True), "char"), 4))
b'a\\nb\\x00'
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from heapwright.c import clang
from heapwright.c.clang import library
from heapwright.c.syntax import clang_kinds as kinds
from heapwright.c.syntax.cursor_tree import Node
from heapwright.c.syntax.types import Types
from heapwright.c.types import ArrayType, CType, IntegerType, PointerType
from heapwright.program.types import IntType

INT = IntegerType(IntType(32, True), "int")

_ESCAPES = {"n": 10, "t": 9, "a": 7, "b": 8, "f": 12, "v": 11, "r": 13, "\\": 92, '"': 34, "'": 39, "?": 63}
_LITERAL = re.compile(r'(?:L|u8|u|U)?"(.*)"', re.DOTALL)
_CHARACTER = re.compile(
    r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]+)|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([^0-7xuU]))|(.)", re.DOTALL
)


def string_bytes(spelling: str, type: CType) -> bytes | None:
    """The bytes of a literal as clang prints it, with its final zero; None if it is of another form."""
    match = _LITERAL.fullmatch(spelling)
    if match is None or not isinstance(type, ArrayType) or not isinstance(type.of, IntegerType):
        return None
    width = type.of.int.bits // 8
    data = bytearray()
    for octal, short, four, eight, simple, plain in _CHARACTER.findall(match.group(1)):
        if simple and simple not in _ESCAPES:
            return None
        if octal or short or four or eight or simple:
            code = int(octal, 8) if octal else _ESCAPES[simple] if simple else int(short or four or eight, 16)
            data += (code & ((1 << 8 * width) - 1)).to_bytes(width, "little")
        elif plain == '"':
            continue  # clang splits a string in two behind a hexadecimal escape
        elif width == 1:
            data += plain.encode()
        else:
            data += plain.encode("utf-16-le" if width == 2 else "utf-32-le")
    data += bytes(width)
    length = len(data) if type.count is None else type.count * width
    return bytes(data[:length].ljust(length, b"\0"))  # the type is that of the array which it initialises


# --- sizeof ----------------------------------------------------------------------------------------------------------

_MEASURE = re.compile(r"sizeof\s*\((.*)\)", re.DOTALL)
_TYPEOF_AND_MORE = re.compile(r"\s*(?:__typeof__|__typeof|typeof)\s*\(.*[^)\s]\s*$", re.DOTALL)
_TYPE_NAME = re.compile(r"((?:\w+\s+)*\w+)\s*((?:\*\s*)*)")
_QUALIFIERS = frozenset(("const", "volatile", "restrict", "__const", "__volatile__", "__restrict"))
_BUILTIN = {  # the words of a type in order of the alphabet -> cursor type kind
    "char": 13,
    "char signed": 14,
    "char unsigned": 5,
    "short": 16,
    "int short": 16,
    "short unsigned": 8,
    "int short unsigned": 8,
    "int": 17,
    "signed": 17,
    "int signed": 17,
    "unsigned": 9,
    "int unsigned": 9,
    "long": 18,
    "int long": 18,
    "long unsigned": 10,
    "int long unsigned": 10,
    "long long": 19,
    "int long long": 19,
    "long long unsigned": 11,
    "int long long unsigned": 11,
}


def measured(node: Node, value: int, types: Types, text: str | None) -> CType | None:
    """The operand type of a sizeof. Of an expression: its type. libclang shows of a type name only the struct or
    typedef in it, so that the text decides whether stars follow it; without a text the size does, and where
    both fit or neither, the type is unknown."""
    found = _measured(node, value, types, text)
    return found if found is not None and types.size(found) == value else None


def _measured(node: Node, value: int, types: Types, text: str | None) -> CType | None:
    if text and "align" in text.partition("(")[0].lower():
        return None
    match = _MEASURE.fullmatch(text) if text else None
    inner = match.group(1).strip() if match else None
    operands = node.expressions
    if operands:
        # A type name may contain expressions: the length of an array, or the operand of a typeof.
        is_expression = inner is None or operands[0].kind == kinds.PAREN_EXPR
        return types.of(operands[0].cursor) if is_expression and not _TYPEOF_AND_MORE.match(inner or "") else None
    named = next((child for child in node.children if child.kind == kinds.TYPE_REF), None)
    name = _TYPE_NAME.fullmatch(inner) if inner else None
    if name is not None:
        words = [word for word in name.group(1).split() if word not in _QUALIFIERS]
        return _named_type(words, named, types, stars=name.group(2).count("*"))
    if named is None or inner is not None or value == types.pointer_size:
        return None
    return types.of(named.cursor)


def measured_name(node: Node, text: str | None) -> str | None:
    """The name of the type that a sizeof measures; None if it measures an expression."""
    match = _MEASURE.fullmatch(text) if text else None
    operands = node.expressions
    if match is None or (operands and operands[0].kind == kinds.PAREN_EXPR):
        return None
    return match.group(1).strip()


def element_type(name: str, node: Node, types: Types) -> CType | None:
    """The type of the elements of `int[n][m]`."""
    named = next((child for child in node.children if child.kind == kinds.TYPE_REF), None)
    match = _TYPE_NAME.fullmatch(name.partition("[")[0].strip())
    if match is None:
        return None
    words = [word for word in match.group(1).split() if word not in _QUALIFIERS]
    found = _named_type(words, named, types, stars=match.group(2).count("*"))
    return found.of if isinstance(found, ArrayType) and found.count is None else found


def _named_type(words: list[str], named: Node | None, types: Types, *, stars: int) -> CType | None:
    base: CType | None = None
    if named is not None:
        if len([word for word in words if word not in ("struct", "union", "enum")]) != 1:
            return None
        base = types.of(named.cursor)
    elif kind := _BUILTIN.get(" ".join(sorted(words))):
        base = types.builtin(kind)
    if base is None:
        return None
    for _ in range(stars):
        base = PointerType(base)
    return base


# --- _Generic --------------------------------------------------------------------------------------------------------


def chosen_association(node: Node, text: str | None, typedefs: Mapping[str, str]) -> Node | None:
    """The expression that a `_Generic` stands for, if it can be determined: the only one of the result's type, or the
    one whose type name is that of the controlling expression's type. `typedefs`: what names of types stand for."""
    _control, *associations = node.expressions
    wanted = library().clang_getCursorType(node.cursor)
    fitting = [one for one in associations if library().clang_getCursorType(one.cursor).identity == wanted.identity]
    if len(fitting) == 1:
        return fitting[0]
    names = _association_names(text) if text else []
    if len(names) != len(associations):
        return None
    shown = _normal(_controlling_type(node.expressions[0]))
    normal = [_normal(_resolved(name, typedefs) or "?") for name in names]
    if shown in normal:
        return associations[normal.index(shown)]
    simple = "(" not in shown[-1] and "?" not in (name[-1] for name in normal)
    return associations[names.index("default")] if "default" in names and simple else None


def _controlling_type(control: Node) -> str:
    """The type of a value: unqualified, and a pointer for an array or function."""
    lib = library()
    type = lib.clang_getCanonicalType(lib.clang_getCursorType(control.cursor))
    if type.kind in kinds.ARRAYS:
        element = lib.clang_getCanonicalType(lib.clang_getArrayElementType(type))
        return clang.text(lib.clang_getTypeSpelling(element)) + " *"
    return clang.text(lib.clang_getTypeSpelling(lib.clang_getUnqualifiedType(type)))


_WORDS = frozenset(("struct", "union", "enum", "void", "float", "double", "_Bool", "default", *_QUALIFIERS)).union(
    *(words.split() for words in _BUILTIN)
)


def _resolved(name: str, typedefs: Mapping[str, str]) -> str | None:
    """A type name with what the names of types in it stand for; None if one is unknown."""
    words = re.findall(r"\w+", name)
    for before, word in zip(["", *words], words, strict=False):
        if word in _WORDS or before in ("struct", "union", "enum") or word.isdigit():
            continue
        if word not in typedefs:
            return None
        name = re.sub(rf"\b{word}\b", typedefs[word].replace("\\", ""), name)
    return name


def _normal(name: str) -> tuple[str, str, str]:
    """A type name in a normal form: the qualifiers and the words in front of its first star in order of the alphabet,
    then the rest."""
    name = re.sub(r"\s*([^\w\s])\s*", r"\1", " ".join(name.split()))
    base = re.match(r"[\w ]*", name)
    words = base.group().split() if base else []
    plain = " ".join(sorted(word for word in words if word not in _QUALIFIERS))
    qualifiers = " ".join(sorted(word.strip("_") for word in words if word in _QUALIFIERS))
    return (qualifiers, str(_BUILTIN.get(plain, plain)), name[base.end() :] if base else name)


_PIECE = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|.""", re.DOTALL)


def _association_names(text: str) -> list[str]:
    """The type names of `_Generic(control, name: value, ...)`."""
    parts, depth, current = [], 0, ""
    for piece in _PIECE.findall(text[text.find("(") + 1 : text.rfind(")")]):
        if piece in ("(", "[", "{"):
            depth += 1
        elif piece in (")", "]", "}"):
            depth -= 1
        if piece == "," and depth == 0:
            parts.append(current)
            current = ""
        elif not piece.startswith(("/*", "//")):
            current += piece
    parts.append(current)
    return [part.partition(":")[0].strip() for part in parts[1:]]
