"""Expressions in messages are as they were written."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, build

PROGRAM = """\
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"
struct node { int key; struct node *next, *left, *right; };
int main(void) {
    struct node *x = hw_any_list(next), *y = NULL;
    assert(%s);
    return 0;
}
"""


@pytest.mark.parametrize(
    "claim",
    [
        "hw_acyclic(x, next)",
        "hw_reach(x, y, next)",
        "hw_disjoint(x, y, next)",
        "hw_sorted(x, next, key)",
        "hw_tree(x, left, right)",
        "!hw_cyclic(x, next)",
        "__builtin_popcount(3) == 2",
    ],
)
def test_assertions(tmp_path: Path, claim: str) -> None:
    file = tmp_path / "claim.c"
    file.write_text(PROGRAM % claim)
    program = build(Input((str(file),)), lambda phase: None)
    (subject,) = {
        check.subject for check in program.checks if check.span.line == 7 and check.kind.value in ("shape", "assert")
    }
    assert subject.replace("__hw_popcount", "__builtin_popcount") == claim
