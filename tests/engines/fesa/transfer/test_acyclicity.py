"""Leak checks are proved along fields without cycles, and never where a block is lost.

Each condition under which a store closes no cycle has a program that needs it, and one that it must not accept.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.fesa.engine import Fesa
from heapwright.engines.fesa.transfer.acyclicity import Acyclicity
from heapwright.program.checks import CheckKind, Goal
from heapwright.result.outcomes import Verdict

DECLARATIONS = """#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; struct node *prev; int value; };
struct tree { struct tree *left; struct tree *right; struct tree *up; };
#define MORE __VERIFIER_nondet_int()
"""
FREE = "while (x) { struct node *t = x->next; free(x); x = t; }"
LIST = "struct node *x = 0; while (MORE) { struct node *n = malloc(sizeof *n); n->next = x; x = n; }"
DOUBLE = (
    "struct node *x = 0;"
    "while (MORE) { struct node *n = malloc(sizeof *n); n->prev = 0; n->next = x; if (x) x->prev = n; x = n; }"
    "struct node *back = x ? x->prev : 0;"
)
RING = "struct node *x = malloc(sizeof *x); x->next = malloc(sizeof *x); x->next->next = x;"


def open_leaks(tmp_path: Path, body: str) -> list[int]:
    """The columns of leak checks that are not proved."""
    source = tmp_path / "test.c"
    source.write_text(f"{DECLARATIONS}int main(void) {{ {body} return 0; }}\n", encoding="utf-8")
    program = build(Input((str(source),)), lambda phase: None)
    result = run_engine(Fesa(), program, Goal(kinds=frozenset({CheckKind.LEAK})), Limits(), NullProgress())
    leaks = [one for one in result.outcomes if one.check.kind is CheckKind.LEAK]
    assert leaks
    return [one.check.span.column for one in leaks if one.verdict is not Verdict.PROVED]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{LIST} {FREE}", id="push: nothing points to the new node"),
        pytest.param(
            "struct node *x = 0, *last = 0; while (MORE) { struct node *n = malloc(sizeof *n); n->next = 0;"
            f" if (last) last->next = n; else x = n; last = n; }} {FREE}",
            id="append: the new node has no successor",
        ),
        pytest.param(
            f"{LIST} struct node *p = x; while (p && MORE) p = p->next;"
            f" if (p) {{ struct node *n = malloc(sizeof *n); n->next = p->next; p->next = n; }} {FREE}",
            id="insert: the successor of the new node is below",
        ),
        pytest.param(
            f"{LIST} struct node *p = x; while (p && MORE) p = p->next;"
            f" if (p && p->next) {{ struct node *d = p->next; p->next = d->next; free(d); }} {FREE}",
            id="delete: the new successor is below",
        ),
        pytest.param(
            f"{LIST} struct node *r = 0; while (x) {{ struct node *t = x->next; x->next = r; r = x; x = t; }}"
            f" x = r; {FREE}",
            id="reverse",
        ),
        pytest.param(f"{DOUBLE} (void)back; {FREE}", id="a doubly linked list, along next"),
    ],
)
def test_nothing_is_lost(tmp_path: Path, body: str) -> None:
    assert open_leaks(tmp_path, body) == []


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{LIST} x = 0;", id="a list"),
        pytest.param(f"{DOUBLE} (void)back; if (x) x = x->next; {FREE}", id="a head that prev still points to"),
        pytest.param(f"{RING} x = 0;", id="a ring"),
        pytest.param(f"{RING} struct node *y = x->next; free(y); x = 0;", id="a ring that was cut open"),
        pytest.param("struct node *x = malloc(sizeof *x); x->next = x; x = 0;", id="a node that points to itself"),
        pytest.param(
            f"{LIST} if (x && x->next) {{ x->next->next = x; x = 0; }} {FREE}", id="a list that is closed and dropped"
        ),
        pytest.param(
            "struct node *x = malloc(sizeof *x); x->next = 0; struct node *y = malloc(sizeof *y); y->next = x;"
            " x->next = y; y = 0; x = 0;",
            id="two nodes that hold each other",
        ),
        pytest.param(
            "struct tree *t = malloc(sizeof *t); t->up = 0; t->right = 0; t->left = malloc(sizeof *t);"
            "t->left->left = 0; t->left->right = 0; t->left->up = t; struct tree *u = t->left->up;"
            "t->left = 0; free(t); u = 0;",
            id="a subtree with its parent pointer",
        ),
    ],
)
def test_what_is_lost_is_not_proved(tmp_path: Path, body: str) -> None:
    assert open_leaks(tmp_path, body)


# --- each condition is needed ----------------------------------------------------------------------------------------

DROPPED = (
    "struct node *x = malloc(sizeof *x); x->prev = 0; x->next = malloc(sizeof *x); x->next->next = 0;"
    "x->next->prev = x; struct node *back = x->next->prev; back = 0; x = 0;"
)
SELF = "struct node *x = malloc(sizeof *x); x->next = x; struct node *y = x->next; y = 0; x = 0;"
TWO = (
    "struct node *x = malloc(sizeof *x); x->next = 0; struct node *y = malloc(sizeof *y); y->next = x;"
    "x->next = y; struct node *z = x->next; z = 0; y = 0; x = 0;"
)


def count_all(self: Any, *arguments: Any) -> None:
    ORIGINAL(self, *arguments)
    self.counter = ""


def accept_itself(self: Any, *arguments: Any) -> None:
    ORIGINAL(self, *arguments)
    self.conflicts = Unlike()


class Unlike(set[tuple[str, str]]):
    def add(self, conflict: tuple[str, str]) -> None:
        if conflict[0] != conflict[1]:
            super().add(conflict)


ORIGINAL = Acyclicity.__init__


@pytest.mark.parametrize(
    ("name", "mutant", "body"),
    [
        pytest.param("_observe", lambda *arguments: None, TWO, id="any store"),
        pytest.param("_leads", lambda *arguments: False, TWO, id="no path is ever seen"),
        pytest.param("_below", lambda *arguments: [[]], TWO, id="all is below"),
        pytest.param("_edges_from", lambda *arguments: [], TWO, id="no successors"),
        pytest.param("__init__", accept_itself, SELF, id="a block points to itself"),
        pytest.param("__init__", count_all, DROPPED, id="fields outside of the set count"),
    ],
)
def test_without_a_condition_a_lost_block_is_proved_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, mutant: Any, body: str
) -> None:
    assert open_leaks(tmp_path, body)
    monkeypatch.setattr(Acyclicity, name, mutant)
    assert open_leaks(tmp_path, body) == []
