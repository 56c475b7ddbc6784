"""Excerpts: what is underlined, and that odd text does no harm."""

from __future__ import annotations

import pytest

from heapwright.base.source import Span
from heapwright.report.terminal.source_excerpt import excerpt, underline


@pytest.mark.parametrize(
    ("line", "span", "expected"),
    [
        ("a = b;", Span("a.c", 1, 5), "    ^"),
        ("a = b;", Span("a.c", 1, 1, 1, 6), "^~~~~"),
        ("\ta = b;", Span("a.c", 1, 2, 1, 3), "    ^"),
        ("a = f(b,", Span("a.c", 1, 5, 2, 3), "    ^~~~"),
        ("a", Span("a.c", 1, 2), " ^"),
        ("a", Span("a.c", 1, 9), ""),
        ("", Span("a.c", 1, 1), "^"),
        ("a = b;", Span("a.c", 1, 5, 1, 99), "    ^~"),
    ],
)
def test_underline(line: str, span: Span, expected: str) -> None:
    assert underline(line, span) == expected


def test_unknown_text_gives_nothing() -> None:
    assert excerpt({}, Span("a.c", 1, 1)) == ""
    assert excerpt({"a.c": "x"}, Span("a.c", 7, 1)) == ""
    assert excerpt({"a.c": "x"}, Span("a.c", 0, 0)) == ""


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert "\x1b" not in excerpt({"a.c": "int \x1b[2Jx;"}, Span("a.c", 1, 5))


def test_long_lines_are_cut() -> None:
    shown = excerpt({"a.c": "x" * 5000}, Span("a.c", 1, 4000))
    assert len(shown) < 200
    assert shown.endswith("…")


def test_no_empty_first_line() -> None:
    assert excerpt({"a.c": "\nx;"}, Span("a.c", 2, 1)).splitlines()[0] == "  2 | x;"
