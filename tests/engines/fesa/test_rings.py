"""Rings that a variable points to are not lost; where none does any more, they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.fesa.engine import Fesa
from heapwright.program.checks import CheckKind, Goal
from heapwright.result.outcomes import Verdict

HEAD = """\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *prev; };
struct owner { struct node *ring; };
static struct node *made(void)
{
    struct node *first = malloc(sizeof *first);
    first->next = first;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->next = first->next;
        first->next = node;
    }
    return first;
}
int main(void) {
"""
FREED = (
    "while (ring->next != ring) { struct node *node = ring->next; ring->next = node->next; free(node); } free(ring);"
)
LINKED = """\
#include <stddef.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct link { struct link *next, *prev; };
struct item { int key; struct link link; };
static struct link head = { &head, &head };
static void add(struct link *link) {
    head.next->prev = link; link->next = head.next; link->prev = &head; head.next = link;
}
static void removed(struct link *link) { link->next->prev = link->prev; link->prev->next = link->next; }
int main(void) {
    while (__VERIFIER_nondet_int()) { struct item *item = malloc(sizeof *item); add(&item->link); }
    while (head.next != &head) {
        struct item *item = (struct item *) ((char *) head.next - offsetof(struct item, link));
        removed(&item->link);
        free(item);
    }
    return 0;
}
"""
PROVED = {
    "freed": "struct node *ring = made();" + FREED,
    "grown behind the last": """
        struct node *ring = 0;
        do {
            struct node *node = malloc(sizeof *node);
            if (ring) { node->next = ring->next; ring->next = node; } else { ring = node; ring->next = node; }
            ring = node;
        } while (__VERIFIER_nondet_int());
        """
    + FREED,
    "turned": "struct node *ring = made(); while (__VERIFIER_nondet_int()) ring = ring->next;" + FREED,
    "cut": """
        struct node *ring = made(), *rest = ring->next;
        ring->next = 0;
        while (rest) { struct node *node = rest; rest = rest->next; free(node); }
        """,
}
LOST = {
    "forgotten": "struct node *ring = made(); ring = 0; return 0;",
    "out of scope": "struct node *ring = made(); return ring == 0;",
    "replaced": "struct node *ring = made(); ring = made();" + FREED,
    "left for a lasso": """
        struct node *way = malloc(sizeof *way), *ring = made();
        way->next = ring;
        ring = way;
        free(way);
        """,
    "one of two": "struct node *one = made(), *ring = made(); if (__VERIFIER_nondet_int()) one = ring;" + FREED,
    "of its owner": """
        struct owner *owner = malloc(sizeof *owner);
        owner->ring = made();
        free(owner);
        """,
    "turned away": """
        struct node *ring = made(), *alone = malloc(sizeof *alone);
        alone->next = alone;
        struct node *other = ring;
        ring = alone;
        other = 0;
        """
    + FREED,
    "back to back": """
        struct node *one = malloc(sizeof *one), *ring = malloc(sizeof *ring);
        one->next = ring; ring->next = one;
        one->prev = ring; ring->prev = one;
        one = ring = 0;
        """,
}


def open_kinds(body: str, tmp_path: Path) -> set[CheckKind]:
    return open_kinds_of(f"{HEAD}{body}\n    return 0;\n}}\n", tmp_path)


def open_kinds_of(text: str, tmp_path: Path) -> set[CheckKind]:
    path = tmp_path / "ring.c"
    path.write_text(text, encoding="utf-8")
    program = build(Input((str(path),)), lambda phase: None)
    result = run_engine(Fesa(), program, Goal(), Limits(states=2000), NullProgress())
    return {outcome.check.kind for outcome in result.outcomes if outcome.verdict is not Verdict.PROVED}


@pytest.mark.parametrize("name", PROVED)
def test_a_ring_of_a_variable_is_not_lost(name: str, tmp_path: Path) -> None:
    assert open_kinds(PROVED[name], tmp_path) == set()


@pytest.mark.parametrize("name", LOST)
def test_a_ring_that_no_variable_points_to_is(name: str, tmp_path: Path) -> None:
    assert CheckKind.LEAK in open_kinds(LOST[name], tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", set()),
        ("free(item);", "", {CheckKind.LEAK}),
        (
            "link->next->prev = link->prev; link->prev->next = link->next;",
            "head.next = head.prev = &head;",
            {CheckKind.LEAK},
        ),
        ("    while (head.next", "    head.next = head.prev = &head;\n    while (head.next", {CheckKind.LEAK}),
        ("head.next = link;", "", {CheckKind.LEAK}),
    ],
    ids=["right", "not freed", "cut short", "emptied", "linked one way"],
)
def test_a_ring_through_a_global(old: str, new: str, expected: set[CheckKind], tmp_path: Path) -> None:
    found = open_kinds_of(LINKED.replace(old, new) if old else LINKED, tmp_path)
    assert found >= expected
    assert expected or not found
