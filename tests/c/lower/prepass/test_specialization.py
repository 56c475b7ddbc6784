"""Functions that are handed functions: copies where calls only seem recursive, and no copies where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, analyze, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import Goal
from heapwright.program.graph import Program

TWICE = """#include <assert.h>
#include <stdlib.h>
static int total = 1;
static void twice(void (*step)(int *), int start)
{
    int here = start;
    step(&here);
    step(&here);
    assert(here == start + 2 * total || here > 90);
}
static void inner(int *p) { *p += total; }
static void outer(int *p)
{
    STATEMENT
    *p += total;
}
int main(void)
{
    CALLS
    return 0;
}
"""
PLAIN = ("twice(inner, 3);", "twice(&outer, 4);")


def built(folder: Path, statement: str, calls: str) -> Program:
    file = folder / "handed.c"
    file.write_text(TWICE.replace("STATEMENT", statement).replace("CALLS", calls), encoding="utf-8")
    return build(Input((str(file),)), lambda phase: None)


def is_recursive(program: Program) -> bool:
    return any("activation" in name for name in program.types)


def verdict(program: Program) -> str:
    return analyze(program, Goal(), "explore", Limits(), NullProgress()).verdict.value


def test_a_copy_for_each_function(tmp_path: Path) -> None:
    """Both copies run at once: each has variables of its own."""
    program = built(tmp_path, *PLAIN)
    assert not is_recursive(program)
    assert verdict(program) == "safe"


@pytest.mark.parametrize("change", ["total++;", "*p += 1;"])
def test_the_copies_do_what_the_function_does(change: str, tmp_path: Path) -> None:
    program = built(tmp_path, f"{PLAIN[0]} {change}", PLAIN[1])
    assert not is_recursive(program)
    assert verdict(program) == "unsafe"


def test_what_is_handed_over_by_a_variable_is_not_known(tmp_path: Path) -> None:
    statement = "void (*f)(int *) = *p > 50 ? outer : inner; twice(f, 3);"
    program = built(tmp_path, statement, PLAIN[1])
    assert is_recursive(program)
    assert verdict(program) == "safe"


def test_a_function_that_calls_itself_stays_recursive(tmp_path: Path) -> None:
    program = built(tmp_path, "if (*p < 6) twice(outer, *p + 1);", PLAIN[1])
    assert is_recursive(program)
    assert verdict(program) == "safe"


def test_static_variables_are_not_doubled(tmp_path: Path) -> None:
    file = tmp_path / "static.c"
    text = TWICE.replace("int here = start;", "static int calls; calls++; int here = start; assert(calls < 3);")
    file.write_text(text.replace("STATEMENT", PLAIN[0]).replace("CALLS", PLAIN[1]), encoding="utf-8")
    assert verdict(build(Input((str(file),)), lambda phase: None)) == "unsafe"
