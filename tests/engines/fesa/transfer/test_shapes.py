"""Shapes that are asserted after building are proved, and never where a run breaks them."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.fesa.engine import Fesa
from heapwright.program.checks import CheckKind, Goal
from heapwright.result.outcomes import Result, Verdict

DECLARATIONS = """#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; struct node *prev; };
struct tree { struct tree *left; struct tree *right; };
#define MORE __VERIFIER_nondet_int()
"""
LIST = "struct node *x = 0; while (MORE) { struct node *n = malloc(sizeof *n); n->next = x; x = n; }"
SECOND = "struct node *y = 0; while (MORE) { struct node *n = malloc(sizeof *n); n->next = y; y = n; }"
DOUBLE = (
    "struct node *x = 0; while (MORE) { struct node *n = malloc(sizeof *n);"
    "n->prev = 0; n->next = x; if (x) x->prev = n; x = n; }"
)
TREE = (
    "struct tree *x = 0; while (MORE) {"
    "struct tree *n = malloc(sizeof *n); n->left = 0; n->right = 0; if (!x) { x = n; continue; }"
    "struct tree *p = x; for (;;) {"
    "if (MORE) { if (!p->left) { p->left = n; break; } p = p->left; }"
    "else { if (!p->right) { p->right = n; break; } p = p->right; } } }"
)
MIDDLE = "struct node *p = x; while (p && MORE) p = p->next;"


def analysed(tmp_path: Path, body: str, *, pictures: bool = False) -> Result:
    source = tmp_path / "test.c"
    source.write_text(f"{DECLARATIONS}int main(void) {{ {body} return 0; }}\n", encoding="utf-8")
    program = build(Input((str(source),)), lambda phase: None)
    goal = Goal(kinds=frozenset({CheckKind.SHAPE}), pictures=pictures)
    return run_engine(Fesa(), program, goal, Limits(), NullProgress())


def shape(result: Result) -> Verdict:
    (found,) = [outcome.verdict for outcome in result.outcomes if outcome.check.kind is CheckKind.SHAPE]
    return found


@pytest.mark.parametrize(
    "body",
    [
        f"{LIST} assert(hw_acyclic(x, next));",
        f"{LIST} {MIDDLE} assert(hw_list(p, next));",
        f"{LIST} {SECOND} assert(hw_disjoint(x, y, next));",
        f"{DOUBLE} assert(hw_dll(x, next, prev));",
        f"{DOUBLE} assert(hw_acyclic(x, next));",
        f"{TREE} assert(hw_tree(x, left, right));",
        f"{TREE} if (x) assert(hw_tree(x->left, left, right));",
    ],
)
def test_what_was_built_is_proved(tmp_path: Path, body: str) -> None:
    assert shape(analysed(tmp_path, body)) is Verdict.PROVED


@pytest.mark.parametrize(
    "body",
    [
        f"{LIST} if (x) x->next = x; assert(hw_acyclic(x, next));",
        f"{LIST} if (x && x->next) x->next->next = x; assert(hw_list(x, next));",
        f"{LIST} while (x && x->next && MORE) x = x->next; if (x) x->next = x; assert(hw_list(x, next));",
        "struct node *x = malloc(sizeof *x); assert(hw_list(x, next));",
        f"{LIST} if (x) free(x); assert(hw_list(x, next));",
        f"{LIST} if (x && x->next) free(x->next); assert(hw_list(x, next));",
        f"{LIST} struct node *y = x; assert(hw_disjoint(x, y, next));",
        f"{LIST} struct node *y = malloc(sizeof *y); y->next = x; assert(hw_disjoint(x, y, next));",
        f"{LIST} {SECOND} if (x && y) y->next = x->next; assert(hw_disjoint(x, y, next));",
        f"{LIST} {MIDDLE} assert(hw_disjoint(p, x, next));",
        f"{DOUBLE} if (x && x->next) x->next->prev = 0; assert(hw_dll(x, next, prev));",
        f"{DOUBLE} {MIDDLE} if (p) p->prev = p; assert(hw_dll(x, next, prev));",
        f"{TREE} if (x && x->left) x->right = x->left; assert(hw_tree(x, left, right));",
        f"{TREE} if (x && x->left) x->left->left = x; assert(hw_tree(x, left, right));",
    ],
)
def test_what_a_run_breaks_is_not(tmp_path: Path, body: str) -> None:
    assert shape(analysed(tmp_path, body)) is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (f"{LIST} struct node *y = x; {MIDDLE}", "a list along next from x"),
        (f"{TREE} struct tree *y = x;", "a tree along left and right from x"),
    ],
)
def test_pictures_tell_shapes_in_words(tmp_path: Path, body: str, words: str) -> None:
    result = analysed(tmp_path, f"{body} assert(x == y);", pictures=True)
    told = {fact.text for pictures in result.invariants.values() for one in pictures for fact in one.facts}
    assert words in told
