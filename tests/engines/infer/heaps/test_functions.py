"""Functions over lists, doubly linked and circular lists, trees and lists with a head: no safe input is excluded.

All heaps of up to four objects are run. The contract that is printed, put into the function, leaves nothing to require,
and `check` proves that it accesses and frees only what it may. Where a precondition is not the weakest, `MISSING` has
the one clause that it lacks, and why.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, build
from heapwright.cli import main
from heapwright.engines.infer.api import Options, inferred
from heapwright.engines.infer.heaps.preconditions.clause_selection import small_heaps
from heapwright.engines.infer.heaps.program_translation import translate
from heapwright.engines.infer.heaps.steps import Heap
from heapwright.program.graph import Program

HEAD = """\
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"
struct n { struct n *n; int val; };
struct d { struct d *next, *prev; int val; };
struct t { struct t *l, *r; int val; };
struct list { struct n *head, *tail; };
"""
ACYCLIC = {
    "second": "int f(struct n *x) { return x->n->val; }",
    "drop second": "void f(struct n *x) { struct n *y = x->n; x->n = y->n; free(y); }",
    "last": "int f(struct n *x) { while (x->n) x = x->n; return x->val; }",
    "append": "void f(struct n *x, struct n *y) { if (x) { while (x->n) x = x->n; x->n = y; } }",
    "insert after": "void f(struct n *x, struct n *e) { e->n = x->n; x->n = e; }",
    "swap first two": "struct n *f(struct n *x) { struct n *y = x->n; x->n = y->n; y->n = x; return y; }",
    "remove": "struct n *f(struct n *x, struct n *e) { struct n *p = x; if (x == e) return x->n; "
    "while (p->n != e) p = p->n; p->n = e->n; return x; }",
    "move first": "struct n *f(struct n *x, struct n *y) { struct n *e = x; x = x->n; e->n = y; return e; }",
    "free all": "void f(struct n *x) { while (x) { struct n *t = x->n; free(x); x = t; } }",
    "two at a time": "int f(struct n *x) { int s = 0; while (x) { s += x->val; x = x->n->n; } return s; }",
    "copy values": "void f(struct n *x, struct n *y) { while (x) { x->val = y->val; x = x->n; y = y->n; } }",
    "unlink": "void f(struct d *x) { if (x->prev) x->prev->next = x->next; if (x->next) x->next->prev = x->prev; }",
    "push before": "struct d *f(struct d *x, struct d *e) { e->next = x; e->prev = 0; if (x) x->prev = e; return e; }",
    "there and back": "int f(struct d *x) { return x->next->prev->val; }",
    "free next": "void f(struct d *x) { struct d *e = x->next; x->next = e->next; "
    "if (e->next) e->next->prev = x; free(e); }",
    "find last": "struct n *f(struct n *x) { struct n *p = x; while (p->n) p = p->n; return p; }",
    "insert second": "void f(struct n *x, struct n *e) { e->n = x->n; x->n = e; assert(x->n == e); }",
    "insert a new one": "void f(struct n *x) { struct n *e = malloc(sizeof *e); e->n = x->n; x->n = e; }",
    "delete head": "struct n *f(struct n *x) { struct n *r = x->n; free(x); return r; }",
    "compare heads": "int f(struct n *x, struct n *y) { if (x == y) return 1; return x->val == y->val; }",
    "append what is apart": "void f(struct n *x, struct n *y) { hw_assume(hw_disjoint(x, y, n)); "
    "while (x->n) x = x->n; x->n = y; }",
    "least": "int f(struct t *x) { while (x->l) x = x->l; return x->val; }",
    "grandchild": "int f(struct t *x) { return x->l->r->val + x->r->val; }",
    "rotation": "struct t *f(struct t *t) { struct t *left = t->l; t->l = left->r; left->r = t; return left; }",
    "push to head": "void f(struct list *x, struct n *e) { e->n = x->head; x->head = e; }",
    "pop from head": "void f(struct list *x) { struct n *e = x->head; x->head = e->n; free(e); }",
}
CIRCULAR = {
    "once around": "int f(struct n *x) { struct n *p = x; do p = p->n; while (p != x); return p->val; }",
    "third on a circle": "int f(struct n *x) { return x->n->n->val; }",
    "search on a circle": "int f(struct n *x, struct n *y) { while (x != y) x = x->n; return x->val; }",
}


def _length(heap: Heap, variable: int) -> int:
    return len(heap.reached(heap.at[variable]))


# Lengths of lists are compared, or counted: no formula of first order over reachability says so.
MISSING: dict[str, Callable[[Heap], bool]] = {
    "two at a time": lambda heap: _length(heap, 0) % 2 == 0,
    "copy values": lambda heap: _length(heap, 0) <= _length(heap, 1),
}
POINTERS = ("--property", "valid-deref", "--property", "valid-free")

pytestmark = pytest.mark.long


def _built(text: str) -> Program:
    Path("a.c").write_text(HEAD + text)
    return build(Input(("a.c",), function="f"), phase=lambda text: None)


@pytest.mark.parametrize("name", [*ACYCLIC, *CIRCULAR])
def test_the_precondition_is_the_weakest_and_a_contract(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text, options = (ACYCLIC | CIRCULAR)[name], Options(cycles=name in CIRCULAR)
    program = _built(text)
    found = inferred(program, options).judged()
    assert found.objects == (3 if name == "push before" else 4)  # 75,000 heaps of four
    assert found.missed == 0
    assert not found.impossible
    if name in MISSING:
        assert found.excluded
        small = small_heaps(translate(program), 4)
        assert all(MISSING[name](one.inputs) != bool(one.failures.violated) for one in small)
    else:
        assert found.excluded == 0
    contract = " ".join(found.contract)
    assert "/*" not in contract  # C says all of it
    assert inferred(_built(text.replace("{", "{ " + contract, 1)), options).judged(2).conjuncts == ()
    assert main(["check", "a.c", "--function", "f", *POINTERS, "--timeout", "0"]) == 0
