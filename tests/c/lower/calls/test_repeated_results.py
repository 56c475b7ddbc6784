"""Functions without a body that are `const` give equal results for equal arguments; `pure` ones may have to."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, analyze, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import Goal

PRELUDE = """
int key(int) __attribute__((__const__)); int sum(int, long) __attribute__((nothrow, const)); float half(float)
__attribute__((const)); int len(const char *) __attribute__((pure)); int now(void) __attribute__((pure));
int plain(int); void touch(char *); int g;
"""
EQUAL = [
    "int a = key(3), b = key(3); if (a != b) fail();",
    "int i, a = key(c); for (i = 0; i < 3; i++) if (key(c) != a) fail();",
    "if (sum(c, 2) != sum(c, 1 + 1)) fail();",
    "if (half(0.5f) != half(0.5f) && half(0.5f) == half(0.5f)) fail();",
]
DIFFERENT = [
    "int a = key(3), b = key(4); if (a != b) fail();",
    "int a = sum(1, 2), b = sum(2, 1); if (a != b) fail();",
    "int a = plain(3), b = plain(3); if (a != b) fail();",
    "char s[2] = {1}; int a = len(s); s[0] = 2; if (len(s) != a) fail();",
    "char s[2] = {1}; int a = len(s); touch(s); if (len(s) != a) fail();",
    "char s[2] = {1}, t[2] = {2}; if (len(s) != len(t)) fail();",
    "int a = now(); g++; if (now() != a) fail();",
]
OPEN = [
    "int a = key(1), b = key(2), d = key(1); if (a != d) fail();",
    "char s[2] = {1}; if (len(s) != len(s)) fail();",
    "char s[2] = {1}; int i, n = len(s); for (i = 0; i < 3; i++) if (len(s) != n) fail();",
    "char s[2] = {1}; int a = len(s); if (c) s[0] = 2; if (len(s) != a) fail();",
    "int a = now(); c++; if (now() != a) fail();",
]


def verdict(folder: Path, body: str, engine: str = "explore") -> str:
    file = folder / "repeated.c"
    text = f"static void fail(void) {{ *(int *)0 = 1; }}\nint main(int c, char **v) {{ {body} return 0; }}\n"
    file.write_text(PRELUDE + text)
    program = build(Input((str(file),)), phase=lambda _: None)
    result = analyze(program, Goal(), engine, Limits(), NullProgress())
    found = {one.verdict.value for one in result.outcomes if one.check.kind.value == "null-deref"}
    return "violated" if "violated" in found else "unknown" if "unknown" in found else "safe"


@pytest.mark.parametrize("body", EQUAL)
def test_equal_results(tmp_path: Path, body: str) -> None:
    assert verdict(tmp_path, body) != "violated"


def test_equal_results_are_proved(tmp_path: Path) -> None:
    assert verdict(tmp_path, EQUAL[0], "recency") == "safe"
    assert verdict(tmp_path, EQUAL[2], "recency") == "safe"


@pytest.mark.parametrize("body", DIFFERENT)
def test_different_results(tmp_path: Path, body: str) -> None:
    assert verdict(tmp_path, body) == "violated"


@pytest.mark.parametrize("body", OPEN)
def test_results_that_may_have_to_be_earlier_ones(tmp_path: Path, body: str) -> None:
    """No violation rests on them, and nothing is proved by them."""
    assert verdict(tmp_path, body) == "unknown"
