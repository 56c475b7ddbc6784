"""Marks remember what held at a line, claims about them are checked, and what is wrong with them is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.base.errors import UsageError
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.boolheap.engine import BoolHeap
from heapwright.engines.boolheap.predicates.ghost_predicates import ghosts
from heapwright.program.checks import CheckKind, Goal
from heapwright.result.outcomes import Verdict

SOURCE = """#include <stdlib.h>
struct node { struct node *next; };
int main(void) {
    struct node *list = malloc(sizeof *list), *more = malloc(sizeof *more);
    more->next = NULL;
    list->next = more;
    struct node *last = list->next;
    list->next = NULL;
    last->next = list;
    return last == list;
}
"""
KINDS = BoolHeap.proves - {CheckKind.LEAK}
MARK = "7: input = reach(list, v, next)"


def open_lines(tmp_path: Path, marks: list[str], claims: list[str]) -> set[int]:
    path = tmp_path / "program.c"
    path.write_text(SOURCE)
    program = build(Input((str(path),)), lambda phase: None)
    limits = Limits()
    result = run_engine(BoolHeap(ghosts=ghosts(marks, claims)), program, Goal(kinds=KINDS), limits, NullProgress())
    assert result.complete
    assert {o.check.span.line for o in result.outcomes} >= {int(one.partition(":")[0]) for one in claims}
    return {o.check.span.line for o in result.outcomes if o.verdict is not Verdict.PROVED}


@pytest.mark.exhaustive(8)
@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("10: mark(input, v) -> reach(last, v, next)", True),
        ("10: reach(last, v, next) -> mark(input, v)", True),
        ("10: mark(input, v) -> reach(list, v, next)", False),
        ("9: mark(input, v) -> reach(list, v, next)", False),
        ("8: mark(input, v) -> reach(list, v, next)", True),
        ("10: !mark(input, v)", False),
        ("10: mark(input, null) & mark(input, list)", True),
        ("10: mark(input, junk)", False),
    ],
)
def test_a_mark_is_of_what_was_there(claim: str, holds: bool, tmp_path: Path) -> None:
    assert open_lines(tmp_path, [MARK], [claim]) == (set() if holds else {int(claim.partition(":")[0])})


def test_a_mark_that_is_set_later_says_nothing_yet(tmp_path: Path) -> None:
    assert open_lines(tmp_path, ["9: input = reach(list, v, next)"], ["8: mark(input, list)"]) == {8}


def test_two_claims_of_a_line_are_one_check(tmp_path: Path) -> None:
    assert open_lines(tmp_path, [MARK], ["10: mark(input, list)", "10: mark(input, junk)"]) == {10}


@pytest.mark.parametrize(
    ("marks", "claims", "told"),
    [
        (["input = alive(v)"], [], "no line"),
        (["7: reach(list, v, next)"], [], "sets no mark"),
        ([], ["10: mark(other, v)"], "'other', and nothing sets it"),
        (["99: input = alive(v)"], [], "line 99"),
        ([MARK], ["10: reach(nobody, v, next)"], "'nobody'"),
        ([MARK], ["10: reach(list, v"], "is missing"),
    ],
)
def test_what_is_wrong_is_said(marks: list[str], claims: list[str], told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=told):
        open_lines(tmp_path, marks, claims)
