"""The tokens of a source text that are shown in colours: keywords and directives, literals, comments. libclang finds
them, whether the text compiles or not.

>>> coloured_tokens("int x = 1; // one")
[1, 0, 3, 0, 1, 8, 1, 1, 1, 11, 6, 2]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from ctypes import POINTER, byref, c_uint
from itertools import accumulate

from heapwright.c.clang import Range, Token, library, locate, text, translation_unit

KEYWORD, LITERAL, COMMENT = range(3)
PUNCTUATION, IDENTIFIER = 0, 2  # kinds of clang
COLOURED = {1: KEYWORD, 3: LITERAL, 4: COMMENT}
NAMES = frozenset(("NULL", "bool", "true", "false", "nullptr"))  # macros that are read as keywords
FILE = "text.c"


def coloured_tokens(source: str) -> list[int]:
    """Four numbers for each token, or each line of one: line (from 1), column (from 0) and length in UTF-16 units, and
    which of the three it is."""
    data = source.encode("utf-8", "replace")
    starts = [0, *accumulate(len(line) + 1 for line in data.split(b"\n"))]
    found: list[int] = []
    for kind, begin, end in _tokens(data):
        line = bisect_right(starts, begin) - 1
        while begin < end:
            stop = min(end, starts[line + 1] - 1)
            if stop > begin:
                column = _units(data[starts[line] : begin])
                found += [line + 1, column, _units(data[begin:stop]), kind]
            line += 1
            begin = starts[line]
    return found


def _tokens(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Kind, begin and end of each token that has a colour, in bytes."""
    lib = library()
    with translation_unit(FILE, data, ("-nostdinc", "-fsyntax-only")) as unit:
        extent = lib.clang_getCursorExtent(lib.clang_getTranslationUnitCursor(unit))
        tokens, count = POINTER(Token)(), c_uint()
        lib.clang_tokenize(unit, extent, byref(tokens), byref(count))
        try:
            directive = -1  # the end of a `#`
            for number in range(count.value):
                token = tokens[number]
                kind = lib.clang_getTokenKind(token)
                begin, end = _place(unit, token)
                name = text(lib.clang_getTokenSpelling(unit, token)) if kind in (PUNCTUATION, IDENTIFIER) else ""
                if name == "#" and not data[data.rfind(b"\n", 0, begin) + 1 : begin].strip():
                    directive = end
                    yield KEYWORD, begin, end
                elif kind in COLOURED:
                    yield COLOURED[kind], begin, end
                elif name in NAMES or (
                    kind == IDENTIFIER and not data[directive:begin].strip(b" \t") and directive >= 0
                ):
                    yield KEYWORD, begin, end
        finally:
            lib.clang_disposeTokens(unit, tokens, count)


def _place(unit: int, token: Token) -> tuple[int, int]:
    lib = library()
    extent: Range = lib.clang_getTokenExtent(unit, token)
    return locate(lib.clang_getRangeStart(extent))[1], locate(lib.clang_getRangeEnd(extent))[1]


def _units(data: bytes) -> int:
    """UTF-16 units, as scripts of pages count."""
    return len(data.decode("utf-8", "replace").encode("utf-16-le")) // 2
