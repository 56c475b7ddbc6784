"""Families of predicates keep their laws: see walks.py."""

from __future__ import annotations

import pytest
from engines.tvl.walks import Laws, Walk, program_of

from heapwright.engines.tvl.focus.strategies import RefineKind
from heapwright.engines.tvl.structures.loose_embedding import EmbeddingKind
from heapwright.program.checks import CheckKind, Goal

LIST = """
#include <stdlib.h>
struct node { int data; struct node *next; };
int main(void) {
    struct node *x = NULL, *y = malloc(sizeof *y), *z = y, local;
    y->next = NULL; y->next = y; y->next = x; y->next = z; x->next = y; x = y->next; z = x; y = z; z = z->next; x = z;
    z->next = x; local.next = &local; z = &local; y = calloc(1, sizeof *y); y->data = 1; z->data = 0;
    if (y->data == 1) z = NULL;
    if (x == y) { struct node inner; inner.next = z; x = &inner; }
    free(x); free(z);
}
"""
RINGS = """
#include <stdlib.h>
struct node { struct node *next; };
int main(void) {
    struct node *x = malloc(sizeof *x), *y, *z;
    x->next = x;
    y = malloc(sizeof *y); y->next = x->next; x->next = y;
    z = malloc(sizeof *z); z->next = y->next; y->next = z;
    y = malloc(sizeof *y); y->next = z->next; z->next = y;
    x = x->next; x->next = y->next; y = y->next; z->next = NULL; z = y->next; y->next = z->next; z->next = z;
    y->next = x; free(z); z = x->next; x->next = NULL; z->next = y; free(x);
}
"""
DOUBLY = """
#include <stdlib.h>
struct node { struct node *next, *prev; };
int main(void) {
    struct node *x = NULL, *y = malloc(sizeof *y), *z = calloc(1, sizeof *z);
    y->next = z; z->prev = y; y->prev = x; x->next = y; x->prev = z; z->next = x; z->next = NULL; x->prev = NULL;
    x = y->next; y = x->prev; z = y; x = z; z = z->next; z->next->prev = y; y->prev->next = y; y->next = y; y->prev = y;
    free(x); free(y); x = NULL;
}
"""
TREE = """
#include <stdlib.h>
struct tree { struct tree *left, *right, *parent; };
int main(void) {
    struct tree *x = calloc(1, sizeof *x), *y = calloc(1, sizeof *y), *z = NULL;
    x->left = y; y->parent = x; x->right = z; z->parent = x; y->left = z; z->right = y; x = y->left; y = z->right;
    z = x; x = y; z = y->parent; y->left = NULL; x->right = NULL; free(x); free(z); x->left = x; x->right = x->left;
}
"""
LISTS = """
#include <stdlib.h>
struct item { struct item *next; struct list *owner; };
struct list { struct list *next; struct item *items; };
int main(void) {
    struct list *l = calloc(1, sizeof *l), *m = NULL; struct item *i = calloc(1, sizeof *i), *j = malloc(sizeof *j);
    l->next = m; l->items = i; i->next = j; i->owner = m; m = l->next; i = l->items; i = i->next; j = i; l = m; m = l;
    l->items = NULL; i->owner = l; l = i->owner; m->next = l; m->items = j; j->next = i; free(i); free(l);
    j->next = NULL;
}
"""
KEYS = """
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };
int main(void) {
    struct node *x = calloc(1, sizeof *x), *y = malloc(sizeof *y), *z = NULL; int i = __VERIFIER_nondet_int(), j = 0;
    x->next = y; y->next = z; z = y; z->next = x; y->next = NULL; x = y->next; free(z); z = x; y = z;
    x->data = i; i = y->data; j = i; y->data = j; if (i < j) i = j + 1; if (x->data == y->data) x->data = 7;
    if (x->data > j) x->data = z->data; j = x->data; x->data = y->data; y->data = j; assert(i <= j);
    hw_assume(hw_sorted(x, next, data)); assert(hw_sorted(y, next, data)); i = __VERIFIER_nondet_int(); z->data = i + j;
    if (i < x->data) j = i; if (y->data > i) z = x; if (z->data == j) i = j; if (j <= y->data) x = z;
}
"""
SEARCH = """
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; int key; };
int main(void) {
    struct tree *x = calloc(1, sizeof *x), *y = malloc(sizeof *y), *z = NULL; int i = __VERIFIER_nondet_int();
    y->key = i; y->left = NULL; y->right = NULL; x->left = y; y = calloc(1, sizeof *y); y->key = i; x->right = y;
    z = x->left; if (i < z->key) z->left = x; else z->left = y; z = z->right; x->key = i; i = y->key;
    y = x->right; x->right = y->left; z->left = x; if (x->left == y) x = z; if (i < x->key) z = x->left;
    z->right = y; if (z->right == x) x->left = NULL;
    if (y->left) assert(y->left->key < y->key); if (y->right) assert(y->key <= y->right->key);
    z->key = x->key; free(y); i = __VERIFIER_nondet_int(); x->right = x->left; z = x;
}
"""
CALLS = """
#include <stdlib.h>
struct node { struct node *next; };
static struct node *visit(struct node *x, struct node *y) {
    struct node *z = x->next;
    if (z == y) return z;
    x->next = visit(y, z); y->next = x; z = visit(z, x); x->next = NULL; free(y); z->next = z; y = z->next;
    z->next = y; return x;
}
int main(void) {
    struct node *x = calloc(1, sizeof *x), *y = malloc(sizeof *y);
    y->next = x; x->next = y; y = calloc(1, sizeof *y); y->next = x; x = visit(x, y); free(x); x = y; y->next = NULL;
}
"""
CALLS_ON_TREES = """
#include <stdlib.h>
struct tree { struct tree *left, *right; };
static void visit(struct tree *x) {
    struct tree *y = x->left;
    if (!y) return;
    visit(y); x->left = x->right; y->right = y->left; visit(x->right); free(y); x->right = NULL; y = x->left;
    x->left = y;
}
int main(void) {
    struct tree *x = calloc(1, sizeof *x), *y = malloc(sizeof *y), *z = x;
    y->left = x; y->right = x; x = calloc(1, sizeof *x); x->left = z; x->right = z; visit(x); y->left = z; free(z);
}
"""
PARTS = """
#include <stddef.h>
#include <stdlib.h>
struct head { struct head *next; };
struct item { int data; struct head one; };
#define of(p) ((struct item *)((char *)(p) - offsetof(struct item, one)))
int main(void) {
    struct head list, *p = &list, *q = NULL; struct item *i = calloc(1, sizeof *i);
    list.next = &i->one; q = &i->one; p->next = q; p = p->next; i = of(p); q = i ? &i->one : p; i->data = 1;
    if (p == &list) q = p->next; if (p == q) free(i); q->next = p; list.next = NULL; p = &list; free(of(q)); p = NULL;
}
"""
TWO = """
#include <stdlib.h>
struct item { struct item *a, *b; };
int main(void) {
    struct item *x = calloc(1, sizeof *x), *y = NULL, **at = &x->a;
    *at = y; at = &x->b; *at = x; y = *at; at = &y->a; if (*at == x) y = malloc(sizeof *y); y->a = x; free(x); x = y;
}
"""
ARRAYS = """
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
static struct node *table[20];
int main(void) {
    int i = __VERIFIER_nondet_int();
    struct node *x = calloc(1, sizeof *x), *y = NULL, **p = malloc(12 * sizeof *p);
    table[i] = x; y = table[i]; table[0] = y; x->next = y; y = y->next; p[i] = x; x = p[i]; p = table; *p = x; x = *p;
    p = p + i; y = *p; table[i] = NULL; free(x); free(p); p = malloc(9 * sizeof *p); p[2] = y; x = y;
}
"""
EQUAL = """
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };
int main(void) {
    struct node *x = calloc(1, sizeof *x), *y = malloc(sizeof *y), *z = NULL; int i = __VERIFIER_nondet_int(), j = 0;
    x->next = y; z = x->next; free(z); z = x; y = z; x->data = i; i = y->data; j = i + 1; y->data = j; x->data = 7;
    if (i == x->data) j = i; if (y->data != i) z = x; if (z->data == x->data) z->data = x->data; assert(i != j);
}
"""
INPUTS = """
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"
struct node { int data; struct node *next; };
int main(void) {
    struct node *x = hw_any(), *y = hw_any(), *z = hw_any_list(next);
    x = x->next; y->next = x; z = y->next; free(y); y = z; z->next = NULL; x = z; if (x->data == 1) z->next = y;
    hw_assume(hw_cyclic(x, next)); assert(hw_reach(x, y, next)); y = malloc(sizeof *y); y->next = z; free(x);
}
"""
PROGRAMS = {
    "list": LIST,
    "rings": RINGS,
    "doubly": DOUBLY,
    "tree": TREE,
    "lists": LISTS,
    "keys": KEYS,
    "equal": EQUAL,
    "search": SEARCH,
    "calls": CALLS,
    "calls-on-trees": CALLS_ON_TREES,
    "parts": PARTS,
    "two": TWO,
    "arrays": ARRAYS,
    "inputs": INPUTS,
}
MAY_LEAK = Goal(frozenset(CheckKind) - {CheckKind.LEAK})


CASES: list[tuple[Goal, EmbeddingKind, RefineKind]] = [
    (Goal(), "strict", "formula"),
    (MAY_LEAK, "strict", "formula"),
    (Goal(), "loose", "formula"),
    (Goal(), "strict", "meet"),
    (Goal(), "loose", "meet"),
]


@pytest.fixture(
    scope="module",
    params=[(name, *case) for name in PROGRAMS for case in CASES],
    ids=lambda p: f"{p[0]}-{p[2]}-{p[3]}",
)
def laws(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Laws:
    name, goal, embedding, refine = request.param
    return Laws(program_of(PROGRAMS[name], tmp_path_factory.mktemp(name)), goal, embedding=embedding, refine=refine)


@pytest.mark.exhaustive(24)
def test_updates_are_definitions(laws: Laws) -> None:
    taken = sum(Walk(laws, seed).go(60) for seed in range(12))
    assert taken > 100


@pytest.mark.long
@pytest.mark.parametrize("start", range(100, 200, 50))
def test_updates_are_definitions_often(laws: Laws, start: int) -> None:
    for seed in range(start, start + 50):
        Walk(laws, seed).go(80)
