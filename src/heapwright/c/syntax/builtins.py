"""GNU's built-in functions as functions that models define (`models/builtins.c`).

`__builtin_popcountl(x)` becomes `__hw_popcountl(x)`, and `__builtin_add_overflow(a, b, &sum)` with an `int sum` becomes
`__hw_add_overflow_s32(a, b, &sum)`.
"""

from __future__ import annotations

import re

from heapwright.c.ast import Cast, Expr, FunctionRef
from heapwright.c.types import FunctionType, IntegerType, PointerType
from heapwright.program.types import IntType

_BITS = re.compile(r"__builtin_((?:popcount|clz|ctz|ffs|parity|clrsb)(?:l|ll)?|bswap(?:16|32|64))")
_OVERFLOW = re.compile(r"__builtin_(?:(add|sub|mul)|[su](add|sub|mul)(?:l|ll)?)_overflow")
POINTER_SIZE = 8  # where models compute overflow: a machine of 32 bits has no type that holds all results
_WIDE = IntegerType(IntType(128, True), "__int128")


def resolved(function: FunctionRef, given: tuple[Expr, ...]) -> tuple[FunctionRef, tuple[Expr, ...]]:
    """The function that a call of a built-in function means, with its arguments; others as they are."""
    name = function.name
    if not name.startswith("__builtin_"):
        return function, given
    bits = _BITS.fullmatch(name)
    if bits is not None:
        return FunctionRef(function.type, function.span, f"__hw_{bits[1]}"), given
    overflow = _OVERFLOW.fullmatch(name)
    if overflow is not None and len(given) == 3 and isinstance(given[2].type, PointerType):
        stored = given[2].type.to
        if isinstance(stored, IntegerType) and not stored.boolean and stored.int.bits <= 64:
            own = f"__hw_{overflow[1] or overflow[2]}_overflow_{'s' if stored.int.signed else 'u'}{stored.int.bits}"
            wide = tuple(Cast(_WIDE, one.span, one) for one in given[:2])
            type = FunctionType(IntegerType(IntType(32, True), "int"), (_WIDE, _WIDE, given[2].type), False)
            return FunctionRef(type, function.span, own), (*wide, given[2])
    return function, given


def is_overflow(function: FunctionRef) -> bool:
    return function.name.startswith("__hw_") and "_overflow_" in function.name
