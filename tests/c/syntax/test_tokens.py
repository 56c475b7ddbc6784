"""Tokens that are shown in colours."""

from __future__ import annotations

import pytest

from heapwright.c.syntax.tokens import coloured_tokens

KINDS = ("keyword", "literal", "comment")


def coloured(source: str) -> list[tuple[str, str]]:
    lines = source.split("\n")
    found = []
    numbers = iter(coloured_tokens(source))
    for line, column, length, kind in zip(numbers, numbers, numbers, numbers, strict=True):
        units = lines[line - 1].encode("utf-16-le")
        found.append((KINDS[kind], units[2 * column : 2 * (column + length)].decode("utf-16-le")))
    return found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("int x = 1; // one", [("keyword", "int"), ("literal", "1"), ("comment", "// one")]),
        ("# include <a.h>\nint", [("keyword", "#"), ("keyword", "include"), ("keyword", "int")]),
        ("a /* b\nc */ d", [("comment", "/* b"), ("comment", "c */")]),
        ("p = NULL; b = true;", [("keyword", "NULL"), ("keyword", "true")]),
        ("s = \"ü\U0001d11e\"; c = 'x'", [("literal", '"ü\U0001d11e"'), ("literal", "'x'")]),
        ("#define text(x) #x", [("keyword", "#"), ("keyword", "define")]),
        ('struct {{{ "no end', [("keyword", "struct")]),
        ("", []),
    ],
    ids=["line", "directive", "lines", "macros", "units", "stringised", "broken", "empty"],
)
def test_tokens(source: str, expected: list[tuple[str, str]]) -> None:
    found = coloured(source)
    assert [one for one in found if one != ("literal", '"no end')] == expected
