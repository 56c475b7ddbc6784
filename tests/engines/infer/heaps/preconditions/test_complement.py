"""The precondition is the complement of the failing structures: it loses no safe small heap, and is a contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, build
from heapwright.base.errors import UnsupportedError
from heapwright.engines.infer.api import Options, inferred
from heapwright.report.precondition import judgement
from heapwright.result.precondition import Precondition

HEAD = """\
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"
struct n { struct n *n; int val; };
struct t { struct t *l, *r; int val; };
struct d { struct d *next, *prev; int val; };
struct list { struct n *head, *tail; };
struct outer { struct outer *n; struct n *in; };
"""

WEAKEST = {
    "void f(struct n *x, struct n *y) { assert(x == y); }": ["x == y"],
    "void f(struct n *x, struct n *y, struct n *z) { assert(x == y || z == 0); }": ["z == 0 || x == y"],
    "int f(struct n *x) { return x->n->n->val; }": ["x != 0 && x->n != 0 && x->n->n != 0"],
    "void f(struct n *x) { struct n *a = x->n, *b = a->n; a->n = b->n; b->n = a; x->n = b; }": [
        "x != 0 && x->n != 0 && x->n->n != 0"
    ],
    "void f(struct n *x, struct n *y) { assert(x->n == y); }": ["x != 0 && x->n == y"],
    "void f(struct n *x, struct n *y) { if (x->n == y) y->n->val = 1; }": [
        "x != 0",
        "(y != 0 && y->n != 0) || x == 0 || x->n != y",
    ],
    "void f(struct n *x, struct n *y) { assert(hw_reach(x, y, n)); }": ["y == 0 || hw_reach(x, y, n)"],
    "void f(struct n *x, struct n *y) { assert(!hw_disjoint(x, y, n)); }": ["!hw_disjoint(x, y, n)"],
    "void f(struct n *x, struct n *y) { hw_assume(hw_disjoint(x, y, n)); while (x->n) x = x->n; x->n = y; }": [
        "x != 0"
    ],
}
ROTATION = [
    "t == 0 || t->l == 0 || !hw_reach(t->l->r, t, l)",
    "t != 0 && t->l != 0",
    "t == 0 || t->l == 0 || !hw_reach(t, t->l, r)",
]


def judged(tmp_path: Path, body: str, size: int = 3, *, cycles: bool = False) -> Precondition:
    file = tmp_path / "a.c"
    file.write_text(HEAD + body)
    program = build(Input((str(file),), function="f"), phase=lambda text: None)
    return inferred(program, Options(cycles=cycles)).judged(size)


@pytest.mark.parametrize("body", WEAKEST, ids=range(len(WEAKEST)))
def test_no_safe_heap_is_lost_and_the_contract_suffices(tmp_path: Path, body: str) -> None:
    found = judged(tmp_path, body)
    assert (found.missed, found.excluded) == (0, 0)
    assert [one.macro for one in found.conjuncts] == WEAKEST[body]
    assert not any(one.untracked for one in found.requirements)
    contract = " ".join(f"hw_assume({one.macro});" for one in found.conjuncts)
    assert judged(tmp_path, body.replace("{", "{ " + contract, 1), 2).conjuncts == ()


@pytest.mark.slow
def test_the_last_object_and_a_path_in_a_tree(tmp_path: Path) -> None:
    last = judged(tmp_path, "void f(struct n *x, struct n *y) { while (x->n) x = x->n; assert(x == y); }", 4)
    assert [one.words for one in last.conjuncts] == ["y is the last object of x"]
    tree = judged(tmp_path, "int f(struct t *x) { return x->l->r->val; }")
    assert [one.words for one in tree.conjuncts] == ["x, x->l and x->l->r are not null"]
    assert (last.excluded, tree.excluded) == (0, 0)


@pytest.mark.slow
def test_a_rotation_needs_two_nodes_that_no_field_leads_back_to(tmp_path: Path) -> None:
    """That the second object read is `t->l->r` is known along no single field."""
    body = "struct t *f(struct t *t) { struct t *left = t->l; t->l = left->r; left->r = t; return left; }"
    found = judged(tmp_path, body)
    assert [one.macro for one in found.conjuncts] == ROTATION
    assert (found.missed, found.excluded) == (0, 0)
    contract = " ".join(f"hw_assume({one.macro});" for one in found.conjuncts)
    assert judged(tmp_path, body.replace("{", "{ " + contract, 1), 2).conjuncts == ()


def test_what_is_not_tracked_is_named(tmp_path: Path) -> None:
    found = judged(tmp_path, "void f(struct t *x) { x->l = 0; assert(hw_tree(x, l, r)); }", 1)
    assert [one.untracked for one in found.requirements] == ["", "the shape hw_tree"]
    with pytest.raises(UnsupportedError, match="about no object"):
        judged(tmp_path, "void f(int k) { assert(k > 3); }")


DOUBLY = {
    "void f(struct d *x) { assert(hw_dll(x, next, prev)); }": ["hw_dll(x, next, prev)"],
    "void f(struct d *x) { assert(hw_dll(x, prev, next)); }": ["hw_dll(x, prev, next)"],
    "int f(struct d *x) { hw_assume(hw_dll(x, next, prev)); return x && x->next ? x->next->prev->val : 0; }": [],
    "int f(struct d *x) { if (!hw_dll(x, next, prev)) return x->next->prev == x; return 0; }": [
        # what is no doubly linked list has a second object
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("body", DOUBLY, ids=range(len(DOUBLY)))
def test_doubly_linked_lists_are_assumed_and_asserted(tmp_path: Path, body: str) -> None:
    found = judged(tmp_path, body, 3)
    assert (found.missed, found.lost, found.excluded) == (0, 0, 0)
    assert [one.macro for one in found.conjuncts] == DOUBLY[body]
    assert not any(one.untracked for one in found.requirements)
    assert judged(tmp_path, body.replace("{", "{ " + " ".join(found.contract), 1), 2).conjuncts == ()


CIRCLES = {
    "int f(struct n *x) { struct n *p = x; do p = p->n; while (p != x); return p->val; }": ["!hw_acyclic(x, n)"],
    "int f(struct n *x) { return x->n->n->val; }": ["x != 0 && x->n != 0 && x->n->n != 0"],
    "void f(struct n *x) { assert(hw_cyclic(x, n)); }": ["hw_cyclic(x, n)"],
    "void f(struct n *x) { assert(!hw_cyclic(x, n)); }": ["x == 0 || !hw_cyclic(x, n)", "x != 0"],
    "void f(struct n *x) { assert(hw_acyclic(x, n)); }": ["hw_acyclic(x, n)"],
    "void f(struct n *x) { assert(!hw_acyclic(x, n)); }": ["!hw_acyclic(x, n)"],
    "void f(struct n *x) { hw_assume(!hw_cyclic(x, n)); assert(x->val > x->val || hw_acyclic(x, n)); }": None,
}


@pytest.mark.slow
@pytest.mark.parametrize("body", CIRCLES, ids=range(len(CIRCLES)))
def test_circular_inputs(tmp_path: Path, body: str) -> None:
    found = judged(tmp_path, body, 3, cycles=True)
    assert found.missed == 0
    if CIRCLES[body] is None:
        return
    assert [one.macro for one in found.conjuncts] == CIRCLES[body]
    assert found.excluded == 0
    contract = " ".join(found.contract)
    assert judged(tmp_path, body.replace("{", "{ " + contract, 1), 2, cycles=True).conjuncts == ()


def test_a_circle_is_no_input_unless_it_is_asked_for(tmp_path: Path) -> None:
    found = judged(tmp_path, "void f(struct n *x) { assert(!hw_cyclic(x, n)); }", 2)
    assert [one.macro for one in found.conjuncts] == ["x != 0"]
    assumed = judged(tmp_path, "int f(struct n *x) { hw_assume(!hw_cyclic(x, n)); return x->val; }", 2)
    assert assumed.conjuncts == ()


def test_a_shape_is_assumed_before_something_is_freed(tmp_path: Path) -> None:
    body = "void f(struct n *x, struct n *y) { hw_assume(!hw_reach(x, y, n)); if (x == y) y->val = 1; free(x); }"
    found = judged(tmp_path, body, 2)
    assert (found.conjuncts, found.missed) == ((), 0)
    late = "void f(struct n *x, struct n *y) { free(x); hw_assume(!hw_reach(y, y, n)); y->val = 1; }"
    assert judged(tmp_path, late, 2).missed == 0


TWO_TYPES = {
    "int f(struct list *x) { return x->head->val; }": ["x != 0 && x->head != 0"],
    "void f(struct list *x, struct n *e) { e->n = x->head; x->head = e; }": [
        "e == 0 || x == 0 || !hw_reach(x->head, e, n)",
        "e != 0",
        "x != 0",
    ],
    "void f(struct list *x) { struct n *e = x->head; x->head = e->n; free(e); }": ["x != 0 && x->head != 0"],
    "int f(struct outer *x) { return x->n->in->val; }": ["x != 0 && x->n != 0 && x->n->in != 0"],
    "void f(struct outer *x, struct n *y) { assert(x->in == y); }": ["x != 0 && x->in == y"],
    "struct list *f(struct n *x) { struct list *r = malloc(sizeof *r); r->head = x; r->tail = x->n; return r; }": [
        "x != 0"
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("body", TWO_TYPES, ids=range(len(TWO_TYPES)))
def test_objects_of_two_types(tmp_path: Path, body: str) -> None:
    found = judged(tmp_path, body, 4)
    assert (found.missed, found.excluded) == (0, 0)
    assert [one.macro for one in found.conjuncts] == TWO_TYPES[body]
    assert judged(tmp_path, body.replace("{", "{ " + " ".join(found.contract), 1), 2).conjuncts == ()


def test_types_are_kept_apart(tmp_path: Path) -> None:
    """A field of two types, and a pointer whose type is another."""
    same = "int f(struct outer *x, struct n *y) { x->n = 0; y->n = 0; return x->in == y; }"
    found = judged(tmp_path, same, 3)
    assert [one.macro for one in found.conjuncts] == ["x != 0", "y != 0"]
    assert "type 'outer' or 'n'" in found.assumptions[0]
    with pytest.raises(UnsupportedError, match="points to none of"):
        judged(tmp_path, "void f(struct outer *x, void *y) { if (y) x->in->val = 1; }", 2)


def test_a_contract_names_no_field_that_an_input_does_not_have(tmp_path: Path) -> None:
    body = "int f(struct list *x, struct n *y) { return y->n->val; }"
    found = judged(tmp_path, body, 2)
    assert found.contract == ("hw_assume(hw_acyclic(y, n));", "hw_assume(y != 0 && y->n != 0);")
    assert judged(tmp_path, body.replace("{", "{ " + " ".join(found.contract), 1), 2).conjuncts == ()


def test_integer_inputs_decide_for_each_of_their_values(tmp_path: Path) -> None:
    """Of six lists of up to three objects, those with x: as many steps are safe as there are objects."""
    nth = "int f(struct n *x, int k) { for (; k > 0; k--) x = x->n; return x->val; }"
    found = judged(tmp_path, nth, 2)
    assert (found.excluded, found.varying) == (0, 5)
    assert [(one.name, one.safe) for one in found.integers] == [("k", ((-1, 5), (0, 5), (1, 1), (2, 0), (3, 0)))]
    assert "5 for k = 0, 1 for k = 1, none for k = 2" in judgement(found)
    search = "int f(struct n *x, int k) { while (x->val != k) x = x->n; return 1; }"
    assert "none of these is safe in every run for k = -1 to 2" in judgement(judged(tmp_path, search, 1))


TREES = {
    "void f(struct t *x) { assert(hw_tree(x, l, r)); }": ["hw_tree(x, l, r)"],
    "void f(struct t *x) { assert(!hw_tree(x, l, r)); }": ["!hw_tree(x, l, r)"],
    "void f(struct t *x) { x->val = 1; assert(hw_tree(x->l, l, r)); }": ["x != 0", "x == 0 || hw_tree(x->l, l, r)"],
    "void f(struct t *x) { hw_assume(hw_tree(x, l, r)); assert(hw_tree(x, l, r)); }": [],
    "struct t *f(struct t *t) { hw_assume(hw_tree(t, l, r)); struct t *left = t->l; t->l = left->r; left->r = t; "
    "return left; }": ["(t != 0 && t->l != 0) || !hw_tree(t, l, r)"],
}
NOT_THE_INPUT = [
    "void f(struct t *x) { if (x) x->l = 0; assert(hw_tree(x, l, r)); }",
    "void f(struct t *x) { if (x) x = x->l; assert(hw_tree(x, l, r)); }",
    "void f(struct t *x) { while (x) { assert(hw_tree(x, l, r)); x->r = 0; x = x->l; } }",
]


@pytest.mark.slow
@pytest.mark.parametrize("body", TREES, ids=range(len(TREES)))
def test_trees(tmp_path: Path, body: str) -> None:
    found = judged(tmp_path, body, 3)
    assert (found.missed, found.excluded) == (0, 0)
    assert [one.macro for one in found.conjuncts] == TREES[body]
    assert judged(tmp_path, body.replace("{", "{ " + " ".join(found.contract), 1), 2).conjuncts == ()


@pytest.mark.slow
@pytest.mark.parametrize("body", NOT_THE_INPUT, ids=range(len(NOT_THE_INPUT)))
def test_what_is_a_tree_after_a_change_is_not_said_of_the_input(tmp_path: Path, body: str) -> None:
    assert judged(tmp_path, body, 2).missed == 0
