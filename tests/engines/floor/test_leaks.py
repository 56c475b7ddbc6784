"""Blocks that a step drops together."""

from __future__ import annotations

from pathlib import Path

from engines.floor.test_engine import left_open, program_of

PAIR = """\
struct pair { struct pair *a, *b; } *x = malloc(sizeof *x), *k = malloc(sizeof *k);
k->a = malloc(sizeof *k);
k->b = NULL;
x->a = k->a;
x->b = k;
k = NULL;
free(x);
"""


def test_what_is_dropped_holds_nothing(tmp_path: Path) -> None:
    """The block of k holds that of its a, and is dropped itself."""
    assert left_open(program_of(tmp_path, PAIR)) == {"7 leak"}


def test_what_is_dropped_beside_a_holder(tmp_path: Path) -> None:
    kept = PAIR.replace("k = NULL;\n", "") + "free(k->a);\nfree(k);\n"
    assert left_open(program_of(tmp_path, kept)) == set()
