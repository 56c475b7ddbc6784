"""The closed loop: with the contract that `infer` writes, `check` proves the function.

Leaks are no part of a precondition unless `hw_all_reachable` asks about them; where engines do not prove that nothing
leaks, or something does, the checks of pointers are asked for alone (`POINTERS`). A function that needs something is
first seen to fail without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from cli.hand_made import Heapwright

from heapwright.analysis.pipeline import Input, build
from heapwright.engines.infer.heaps.inference import infer
from heapwright.engines.infer.heaps.preconditions.clause_selection import select_clauses, small_heaps
from heapwright.engines.infer.heaps.preconditions.pictures import contract
from heapwright.engines.infer.heaps.program_translation import translate

POINTERS = ("--property", "valid-deref", "--property", "valid-free")
HEAD = '#include <assert.h>\n#include <stdlib.h>\n#include "heapwright.h"\n'
NODE = "struct node { int data; struct node *n; };\n"
TREE = "struct tree { int key; struct tree *left, *right; };\n"


@dataclass(frozen=True)
class Loop:
    """A function that is called `f`; `needs` something, or nothing but acyclic inputs. Its contract is found with heaps
    of so many objects, which only decide between clauses that have all been proved to suffice."""

    name: str
    text: str
    precondition: bool
    checked: tuple[str, ...] = ()
    objects: int = 3


LOOPS = [
    Loop(
        "append",
        NODE
        + """\
struct node *f(struct node *x, struct node *y)
{
    struct node *t = x, *last = 0;
    while (t) { last = t; t = t->n; }
    if (!last) return y;
    last->n = y;
    assert(hw_acyclic(x, n));
    return x;
}
""",
        precondition=True,
    ),
    Loop(
        "reverse",
        NODE
        + """\
struct node *f(struct node *x)
{
    struct node *y = 0;
    while (x) { struct node *t = y; y = x; x = x->n; y->n = t; }
    assert(hw_all_reachable(y, n));
    return y;
}
""",
        precondition=True,
    ),
    Loop(
        "insertion into a sorted list",
        NODE
        + """\
struct node *f(struct node *x, struct node *e)
{
    struct node *before = 0, *t = x;
    while (t && t->data < e->data) { before = t; t = t->n; }
    e->n = t;
    if (!before) return e;
    before->n = e;
    return x;
}
""",
        precondition=True,
        checked=POINTERS,
    ),
    Loop(
        "copy",
        NODE
        + """\
struct node *f(struct node *x)
{
    struct node *head = 0, *tail = 0;
    for (; x; x = x->n) {
        struct node *e = malloc(sizeof *e);
        if (!e) break;
        e->data = x->data;
        e->n = 0;
        if (tail) tail->n = e; else head = e;
        tail = e;
    }
    return head;
}
""",
        precondition=False,
    ),
]
LONGER = [
    Loop(
        "delete",
        NODE
        + """\
struct node *f(struct node *x, int value)
{
    struct node *before = 0, *e = x;
    while (e) {
        if (e->data == value) {
            if (before) before->n = e->n; else x = e->n;
            e->n = 0;
            free(e);
            break;
        }
        before = e;
        e = e->n;
    }
    assert(hw_all_reachable(x, n));
    return x;
}
""",
        precondition=True,
    ),
    Loop(
        "removal from a doubly linked list",
        """\
struct two { struct two *next, *prev; };
void f(struct two *x)
{
    if (x->prev) x->prev->next = x->next;
    if (x->next) x->next->prev = x->prev;
}
""",
        precondition=True,
        checked=POINTERS,
        objects=2,
    ),
    Loop(
        "search in a tree",
        TREE
        + """\
struct tree *f(struct tree *t, int key)
{
    while (t && t->key != key) t = key < t->key ? t->left : t->right;
    return t;
}
""",
        precondition=False,
        checked=POINTERS,
        objects=2,
    ),
    Loop(
        "insertion into a tree",
        TREE
        + """\
struct tree *f(struct tree *root, int key)
{
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
""",
        precondition=False,
        checked=POINTERS,
        objects=2,
    ),
]
MERGE = Loop(
    "merge",
    NODE
    + """\
struct node *f(struct node *x, struct node *y)
{
    struct node *head = 0, *tail = 0;
    while (x && y) {
        struct node *least;
        if (x->data < y->data) { least = x; x = x->n; } else { least = y; y = y->n; }
        if (tail) tail->n = least; else head = least;
        tail = least;
    }
    if (!x) x = y;
    if (!tail) return x;
    tail->n = x;
    assert(hw_acyclic(head, n));
    return head;
}
""",
    precondition=True,
)


def _closes(heapwright: Heapwright, loop: Loop) -> None:
    file = Path("a.c")
    file.write_text(HEAD + loop.text)
    program = build(Input((str(file),), function="f"), phase=lambda text: None)
    found = infer(translate(program))
    result = select_clauses(found, small_heaps(found.task, loop.objects))
    assert not result.missed
    assert bool(result.clauses) == loop.precondition
    if loop.precondition:
        assert heapwright("check", "a.c", "--function", "f", *loop.checked).code in (1, 3)
    lines = "\n".join(contract(found.task, result.clauses))
    file.write_text(HEAD + loop.text.replace(")\n{\n", f")\n{{\n{lines}\n"))
    said = heapwright("check", "a.c", "--function", "f", *loop.checked)
    assert said.code == 0, said.out


@pytest.mark.exhaustive(4)
@pytest.mark.parametrize("loop", LOOPS, ids=lambda loop: loop.name)
def test_with_its_contract_a_function_is_proved(heapwright: Heapwright, loop: Loop) -> None:
    _closes(heapwright, loop)


@pytest.mark.slow
@pytest.mark.parametrize("loop", LONGER, ids=lambda loop: loop.name)
def test_with_its_contract_a_longer_function_is_proved(heapwright: Heapwright, loop: Loop) -> None:
    _closes(heapwright, loop)


@pytest.mark.long
def test_with_its_contract_merging_is_proved(heapwright: Heapwright) -> None:
    _closes(heapwright, MERGE)


@pytest.mark.parametrize(
    ("text", "length", "unsaid"),
    [
        ("int f(const char *s) { int i = 0; while (s[i] != 0) i++; return i; }\n", (), "some element of s is 0"),
        ("int f(int *a, int n) { return a[n - 1]; }\n", ("--length", "a=n"), "n is the number of cells of a"),
    ],
)
def test_what_c_cannot_say_of_an_array_is_a_comment(
    heapwright: Heapwright, text: str, length: tuple[str, ...], unsaid: str
) -> None:
    """How many cells a block has is in no expression of C: such a loop stays open, and the contract tells why."""
    Path("a.c").write_text(text)
    said = heapwright("infer", "a.c", "-f", "f", "--as-contract", *length)
    assert said.code == 0
    comments = [line for line in said.out.splitlines() if line.startswith("/*")]
    assert any(unsaid in line for line in comments)
