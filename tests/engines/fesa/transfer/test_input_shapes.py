"""Inputs of a known shape: walked, reversed and freed without an alarm, and no fault in them is missed."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.judging import heaps_described

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.fesa.engine import Fesa
from heapwright.program.checks import Goal
from heapwright.program.graph import Program
from heapwright.result.outcomes import Result, Verdict

DECLARATIONS = """#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"
struct node { struct node *next; struct node *prev; int value; };
struct tree { struct tree *left; struct tree *right; int key; };
"""
LIST = "struct node *x = hw_any_list(next);"
DOUBLE = "struct node *x = hw_any_dll(next, prev);"
TREE = "struct tree *x = hw_any_tree(left, right);"
FREE = "while (x) { struct node *t = x->next; free(x); x = t; }"
REVERSE = "struct node *r = 0; while (x) { struct node *t = x->next; x->next = r; r = x; x = t; } x = r;"
ROTATE = (
    "while (x) { struct tree *l = x->left; if (l) { x->left = l->right; l->right = x; x = l; }"
    "else { struct tree *r = x->right; free(x); x = r; } }"
)


def built(tmp_path: Path, body: str) -> Program:
    source = tmp_path / "test.c"
    source.write_text(f"{DECLARATIONS}int main(void) {{ {body} return 0; }}\n", encoding="utf-8")
    return build(Input((str(source),)), lambda phase: None)


def analysed(tmp_path: Path, body: str) -> Result:
    return run_engine(Fesa(), built(tmp_path, body), Goal(), Limits(), NullProgress())


def open_kinds(result: Result) -> set[str]:
    return {outcome.check.kind.value for outcome in result.outcomes if outcome.verdict is not Verdict.PROVED}


@pytest.mark.parametrize(
    "body",
    [
        f"{LIST} struct node *p = x; while (p) p = p->next; {FREE}",
        f"{LIST} {REVERSE} {FREE}",
        f"{LIST} assert(hw_list(x, next)); {FREE}",
        f"{DOUBLE} struct node *p = x; while (p) p = p->next; {FREE}",
        f"{TREE} {ROTATE}",
        f"{TREE} assert(hw_tree(x, left, right)); {ROTATE}",
    ],
)
def test_what_has_a_shape_is_walked_and_freed(tmp_path: Path, body: str) -> None:
    assert open_kinds(analysed(tmp_path, body)) == set()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (f"{LIST} if (x) x = x->next; {FREE}", "leak"),
        (f"{LIST} x = x->next; {FREE}", "null-deref"),
        (f"{LIST} if (x) free(x); {FREE}", "use-after-free"),
        (f"{LIST} {LIST.replace('*x', '*y')} {FREE} x = y; {FREE}", "use-after-free"),
        (f"{DOUBLE} if (x && x->prev) x->prev->next = 0; {FREE}", "leak"),
        (f"{TREE} {ROTATE.replace('x->left = l->right;', 'x->left = 0;')}", "leak"),
        (f"{TREE} while (x) {{ struct tree *l = x->left; free(x); x = l; }}", "leak"),
        (f"struct node *x = hw_any(); {FREE}", "use-after-free"),
        (f"struct node *x = hw_any_cyclic(next); {FREE}", "use-after-free"),
    ],
)
def test_what_a_run_breaks_is_not_proved(tmp_path: Path, body: str, kind: str) -> None:
    assert kind in open_kinds(analysed(tmp_path, body))


@pytest.mark.parametrize("body", [f"{LIST} {FREE}", f"{TREE} {ROTATE}"])
def test_heaps_of_runs_are_in_the_states(tmp_path: Path, body: str) -> None:
    program = built(tmp_path, body)
    result = run_engine(Fesa(), program, Goal(audit=True), Limits(), NullProgress())
    assert heaps_described(program, result, Goal(), runs=20, steps=40) > 50
