"""Functions in C: the precondition that is found, held against every small heap."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, build
from heapwright.base.errors import UnsupportedError
from heapwright.engines.infer.heaps.inference import infer
from heapwright.engines.infer.heaps.preconditions.clause_selection import (
    InferredPrecondition,
    select_clauses,
    small_heaps,
)
from heapwright.engines.infer.heaps.preconditions.clauses import clause_macro, clause_words
from heapwright.engines.infer.heaps.preconditions.pictures import assumptions, contract
from heapwright.engines.infer.heaps.preconditions.small_heaps import heaps
from heapwright.engines.infer.heaps.program_translation import translate

HEAD = """\
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"
struct node { int data; struct node *n; };
"""
APPEND = """\
struct node *append(struct node *x, struct node *y) {
    struct node *t = x, *prev = 0;
    while (t != 0) { prev = t; t = t->n; }
    if (prev == 0) x = y; else prev->n = y;
    REACHABLE
    return x;
}
"""
REVERSE = """\
struct node *reverse(struct node *x) {
    struct node *y = 0;
    while (x != 0) { struct node *t = y; y = x; x = x->n; y->n = t; }
    REACHABLE
    return y;
}
"""
DELETE = """\
void delete(struct node *x, int value) {
    struct node *prev = 0, *elem = x;
    while (elem != 0) {
        if (elem->data == value) {
            if (prev == 0) x = elem->n; else prev->n = elem->n;
            elem->n = 0;
            free(elem);
            break;
        }
        prev = elem;
        elem = elem->n;
    }
    assert(hw_all_reachable(x, n));
}
"""


def _answer(tmp_path: Path, text: str, function: str, objects: int = 3, cycles: bool = False) -> InferredPrecondition:
    """The answer, of which the runs of all small heaps have been witnesses."""
    file = tmp_path / "a.c"
    file.write_text(HEAD + text)
    program = build(Input((str(file),), function=function), phase=lambda text: None)
    found = infer(translate(program, cycles=cycles))
    small = small_heaps(found.task, objects)
    for one in small:
        for result in found.results:
            if result.obligation.id in one.failures.violated:
                assert any(one.described(failing) for failing in result.failing), one
    chosen = select_clauses(found, small)
    assert not any(one.missed for one in chosen.preconditions)
    assert not found.counts.unknown
    return chosen


def _macros(found: InferredPrecondition) -> list[str | None]:
    return [clause_macro(clause, found.inferred.task.fields) for clause in found.clauses]


def test_a_null_pointer_and_the_end_of_a_list(tmp_path: Path) -> None:
    found = _answer(tmp_path, "int first(struct node *x) { return x->data; }", "first")
    assert _macros(found) == ["x != 0"]
    assert found.excluded == 0
    assert [heap.size for heap in found.preconditions[0].examples] == [0]


def test_the_last_but_one(tmp_path: Path) -> None:
    text = "void f(struct node *p) { while (p->n->n) p = p->n; free(p->n); p->n = 0; }"
    found = _answer(tmp_path, text, "f")
    assert _macros(found) == ["p != 0 && p->n != 0"]  # which implies what the first dereference needs
    assert found.excluded == 0


def test_a_loop_over_a_list_needs_nothing(tmp_path: Path) -> None:
    text = "int size(struct node *x) { int i = 0; for (; x; x = x->n) i++; return i; }"
    assert _answer(tmp_path, text, "size").clauses == ()


@pytest.mark.slow
def test_appending_needs_disjoint_lists(tmp_path: Path) -> None:
    found = _answer(tmp_path, APPEND.replace("REACHABLE", ""), "append")
    assert _macros(found) == ["hw_disjoint(x, y, n)"]
    assert found.excluded == 0
    assert {one.result.obligation.kind for one in found.preconditions if one.clauses} == {"cycle"}
    assert contract(found.inferred.task, found.clauses) == (
        "hw_assume(hw_acyclic(x, n));",
        "hw_assume(hw_acyclic(y, n));",
        "hw_assume(hw_disjoint(x, y, n));",
    )


def test_reversing_needs_nothing(tmp_path: Path) -> None:
    found = _answer(tmp_path, REVERSE.replace("REACHABLE", "assert(hw_acyclic(y, n));"), "reverse")
    assert found.clauses == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "function", "words"),
    [
        (REVERSE.replace("REACHABLE", "assert(hw_all_reachable(y, n));"), "reverse", "from x"),
        (APPEND.replace("REACHABLE", "assert(hw_all_reachable(x, n));"), "append", "from x or y"),
        (DELETE, "delete", "from x"),
    ],
)
def test_nothing_may_have_been_lost_before(tmp_path: Path, text: str, function: str, words: str) -> None:
    found = _answer(tmp_path, text, function, objects=4)
    assert f"every allocated object is reached {words}" in [clause_words(clause) for clause in found.clauses]
    assert found.excluded == 0


def test_order_is_asked_about(tmp_path: Path) -> None:
    """What is asserted is what is needed; keys that are written, and those of new objects, are not followed."""
    text = "void f(struct node *x) { assert(hw_sorted(x, n, data)); }"
    found = _answer(tmp_path, text, "f")
    assert _macros(found) == ["hw_sorted(x, n, data)"]
    assert found.excluded == 0
    assert found.preconditions[0].examples[0].keys == (1, 0)
    assert _macros(_answer(tmp_path, text.replace("sorted(", "sorted_down("), "f")) == ["hw_sorted_down(x, n, data)"]
    written = _answer(tmp_path, "void f(struct node *x) { if (x) x->data = 1; assert(hw_sorted(x, n, data)); }", "f")
    assert written.clauses == ((),)


def test_the_rest_of_a_list_in_order_is_in_order(tmp_path: Path) -> None:
    found = _answer(tmp_path, "void f(struct node *x) { if (x) x = x->n; assert(hw_sorted(x, n, data)); }", "f")
    assert found.excluded > 0  # there is no word for the order of the rest alone
    assert "hw_sorted(x, n, data)" in str(_macros(found))


def test_what_is_assumed_of_shapes_is_used_and_what_is_not_is_said(tmp_path: Path) -> None:
    body = APPEND.replace("REACHABLE", "").replace("prev = 0;", "prev = 0; hw_assume(hw_disjoint(x, y, n));")
    found = _answer(tmp_path, body, "append")
    assert found.clauses == ()
    assert not any("treated as nondeterministic" in text for text in assumptions(found.inferred.task))
    other = _answer(tmp_path, "int f(struct node *x) { hw_assume(!hw_sorted(x, n, data)); return x->data; }", "f")
    assert any("treated as nondeterministic" in text for text in assumptions(other.inferred.task))


def test_new_objects(tmp_path: Path) -> None:
    text = """
    void insert(struct node *p, int d) {
        struct node *e = malloc(sizeof *e);
        e->data = d;
        e->n = p->n;
        p->n = e;
    }
    """
    found = _answer(tmp_path, text, "insert")
    assert _macros(found) == ["p != 0"]
    assert found.excluded == 0


def test_what_is_new_is_part_of_everything_allocated(tmp_path: Path) -> None:
    text = """
    struct node *push(struct node *x) {
        struct node *e = malloc(sizeof *e);
        e->n = x;
        assert(hw_all_reachable(LIST, n));
        return e;
    }
    """
    found = _answer(tmp_path, text.replace("LIST", "e"), "push")
    assert _macros(found) == ["hw_all_reachable(x, n)"]
    assert found.excluded == 0
    assert _answer(tmp_path, text.replace("LIST", "x"), "push").clauses == ((),)  # e is lost whatever the inputs are


INSERT = """
struct node *insert(struct node *x, struct node *e) {
    struct node *before = 0, *t = x;
    while (t && t->data < e->data) { before = t; t = t->n; }
    e->n = t;
    if (!before) return e;
    before->n = e;
    CLAIM
    return x;
}
"""
INSERT_NEW = """
struct node *insert(struct node *x, int key) {
    struct node *before = 0, *t = x, *e = malloc(sizeof *e);
    e->data = key;
    while (t && t->data < key) { before = t; t = t->n; }
    e->n = t;
    if (!before) return e;
    before->n = e;
    CLAIM
    return x;
}
"""
COPY = """
struct node *copy(struct node *x) {
    struct node *head = 0, *tail = 0;
    for (; x; x = x->n) {
        struct node *e = malloc(sizeof *e);
        if (!e) break;
        e->data = x->data;
        e->n = 0;
        if (tail) tail->n = e; else head = e;
        tail = e;
    }
    CLAIM
    return head;
}
"""


@pytest.mark.slow
def test_insertion_into_a_sorted_list(tmp_path: Path) -> None:
    """An object that is given must be one, and must not be on the list already: it would lead to itself."""
    found = _answer(tmp_path, INSERT.replace("CLAIM", ""), "insert", objects=4)
    assert _macros(found) == ["e != 0", "e == 0 || !hw_reach(x, e, n)"]
    assert found.excluded == 0
    fresh = _answer(tmp_path, INSERT_NEW.replace("CLAIM", "assert(hw_acyclic(x, n));"), "insert", objects=4)
    assert fresh.clauses == ()


def test_that_a_list_is_sorted_after_insertion_is_not_followed(tmp_path: Path) -> None:
    """The key of a new object is written, and which way a comparison of keys goes is not known."""
    claim = "assert(hw_sorted(x, n, data));"
    assert _answer(tmp_path, INSERT_NEW.replace("CLAIM", claim), "insert", 2).excluded > 0


@pytest.mark.slow
def test_copying_a_list(tmp_path: Path) -> None:
    """Nothing is needed; for nothing but the copy to be there, something is."""
    found = _answer(tmp_path, COPY.replace("CLAIM", "assert(hw_acyclic(head, n));"), "copy", objects=4)
    assert found.clauses == ()
    assert found.excluded == 0
    alone = _answer(tmp_path, COPY.replace("CLAIM", "assert(hw_all_reachable(head, n));"), "copy", objects=3)
    assert alone.clauses


DOUBLY = """
struct two { struct two *next, *prev; };
void unlink_two(struct two *x) {
    if (x->prev) x->prev->next = x->next;
    if (x->next) x->next->prev = x->prev;
}
"""
TREE = """
struct tree { int key; struct tree *left, *right; };
struct tree *search(struct tree *t, int key) {
    while (t && t->key != key) t = key < t->key ? t->left : t->right;
    return t;
}
struct tree *insert(struct tree *root, int key) {
    struct tree *t = root, *parent = 0, *new = malloc(sizeof *new);
    if (!new) return root;
    new->key = key;
    new->left = 0;
    new->right = 0;
    while (t) { parent = t; t = key < t->key ? t->left : t->right; }
    if (!parent) return new;
    if (key < parent->key) parent->left = new; else parent->right = new;
    return root;
}
"""


@pytest.mark.slow
def test_removal_from_a_doubly_linked_list(tmp_path: Path) -> None:
    found = _answer(tmp_path, DOUBLY, "unlink_two")
    task = found.inferred.task
    assert [clause_words(clause, task.fields) for clause in found.clauses] == [
        "x is not null",
        "x does not lead to x->prev by next, or x->prev is null",
        "x does not lead to x->next by prev, or x->next is null",
    ]
    assert found.excluded == 0
    assert contract(task, found.clauses)[2:] == (
        "hw_assume(x != 0);",
        "hw_assume(x == 0 || x->prev == 0 || !hw_reach(x, x->prev, next));",
        "hw_assume(x == 0 || x->next == 0 || !hw_reach(x, x->next, prev));",
    )


@pytest.mark.parametrize("function", ["search", "insert"])
def test_search_trees_need_nothing(tmp_path: Path, function: str) -> None:
    """Each field is acyclic by itself, but the two together need not be: such runs do not end."""
    assert _answer(tmp_path, TREE, function, objects=2).clauses == ()


ROUND = "int f(struct node *x) { struct node *p = x; int i = 0; do { i++; p = p->n; } while (p != x); return i; }"


@pytest.mark.slow
def test_once_around_a_circular_list(tmp_path: Path) -> None:
    """Runs that come to a circle without x on it do not end, and break nothing."""
    found = _answer(tmp_path, ROUND, "f", cycles=True)
    assert _macros(found) == ["!hw_acyclic(x, n)"]
    assert found.excluded == 0
    assert contract(found.inferred.task, found.clauses) == ("hw_assume(!hw_acyclic(x, n));",)
    assert _answer(tmp_path, ROUND, "f").clauses == ((),)  # acyclic inputs alone break it all


def test_circles_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="cyclic inputs"):
        _answer(tmp_path, "void f(struct node *x) { if (x) x->n = 0; }", "f", cycles=True)
    with pytest.raises(UnsupportedError, match="several pointer fields"):
        _answer(tmp_path, DOUBLY + "int f(struct two *x) { return x->next == x->prev; }", "f", cycles=True)


def test_an_assertion_about_numbers_is_not_followed(tmp_path: Path) -> None:
    found = _answer(tmp_path, "void f(struct node *x, int i) { if (x) assert(x->data == i); }", "f")
    assert _macros(found) == ["x == 0"]
    assert found.excluded == 0


def test_what_is_freed_is_not_used_again(tmp_path: Path) -> None:
    text = "int f(struct node *x, struct node *y) { free(x); return y ? y->data : 0; }"
    found = _answer(tmp_path, text, "f")
    assert found.excluded == 0
    assert [clause_words(clause) for clause in found.clauses] == ["x is null, or x and y are not the same"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("struct node *f(void) { struct node *p = hw_any(); return p->n; }", "in a precondition"),
        ("int f(struct node *x) { struct node *p; if (x) p = x; return p->data; }", "before it has a value"),
        ("struct t { void *l; struct t *r; }; int f(struct t *x) { return x->l != 0; }", "does not lead to a struct"),
        ("int f(int *a) { return a[3]; }", "precondition"),
        (
            "int f(struct node *x) { struct node *e = malloc(sizeof *e); return e->n == x; }",
            "read before it is written",
        ),
        ("void f(struct node *x) { struct node *e = malloc(sizeof *e); x->n = e; e->n = 0; }", "linked before"),
        ("void f(struct node *x) { struct node *e = malloc(9); if (x) e->n = 0; }", "precondition"),
    ],
)
def test_what_is_out_of_reach_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(UnsupportedError, match=words):
        _answer(tmp_path, text, "f")


def test_all_small_heaps_are_there() -> None:
    """Shared tails and lost objects included: of two objects with two variables there are 2 fields times 3 times 3."""
    found = list(heaps(2, 2))
    assert len([heap for heap in found if heap.size == 2]) == 18
    assert len(set(found)) == len(found) == 1 + 4 + 18
