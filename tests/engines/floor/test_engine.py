"""What `recency` proves, and what it must not: small programs, each with what it leaves open."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.analysis.schedule import SCHEDULES, run_schedule
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import Goal
from heapwright.program.graph import Program
from heapwright.result.outcomes import Verdict

HEAD = """\
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int value; };
"""


def program_of(tmp_path: Path, body: str) -> Program:
    path = tmp_path / "a.c"
    path.write_text(f"{HEAD}int main(void) {{\n{body}\n}}\n", encoding="utf-8")
    return build(Input((str(path),)), lambda phase: None)


def left_open(program: Program) -> set[str]:
    result = run_engine(load_engine("recency"), program, Goal(), Limits(), NullProgress())
    assert result.complete
    open_ = [one.check for one in result.outcomes if one.verdict is not Verdict.PROVED]
    return {f"{check.span.line - HEAD.count(chr(10)) - 1} {check.kind.value}" for check in open_}


PROVED = {
    "an index below the length": """
    int n = __VERIFIER_nondet_int(); if (n < 1) return 0;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = i;
    free(a); return 0;""",
    "a table of structs": """
    struct node table[20];
    for (int i = 0; i < 20; i++) { table[i].value = i; table[i].next = i ? &table[i - 1] : NULL; }
    return 0;""",
    "a pointer that runs to the end": """
    char text[30]; char *p = text; char *end = text + 30;
    while (p < end) *p++ = 'x';
    return 0;""",
    "freed, and allocated again": """
    struct node *p = NULL;
    for (int i = 0; i < 9; i++) { p = malloc(sizeof *p); p->value = i; free(p); p = NULL; }
    return 0;""",
    "a block that another pointer holds": """
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->next = b; b = NULL; b = a->next; b->value = 1; free(b); free(a); return 0;""",
    "what a function says that it did": """
    int buffer[8]; int n = __VERIFIER_nondet_int(); int failed;
    if (n < 0 || n > 7) failed = 1; else { buffer[n] = 0; failed = 0; }
    if (failed) return 1;
    buffer[n] = 1; return 0;""",
    "an array that grows": """
    struct { int *data; size_t length, room; } v = {NULL, 0, 0};
    while (__VERIFIER_nondet_int()) {
        if (v.length == v.room) {
            size_t room = v.room ? 2 * v.room : 8;
            int *data = realloc(v.data, room * sizeof *data);
            if (!data) { free(v.data); return 1; }
            v.data = data; v.room = room;
        }
        v.data[v.length++] = 5;
    }
    for (size_t i = 0; i < v.length; i++) v.data[i]++;
    free(v.data); return 0;""",
    "an array that grows, behind a pointer": """
    struct vector { struct node *data; size_t length, room; } *v = calloc(1, sizeof *v);
    while (__VERIFIER_nondet_int()) {
        if (v->length == v->room) {
            v->room = v->room ? v->room * 2 : 4;
            v->data = realloc(v->data, v->room * sizeof *v->data);
        }
        v->data[v->length].value = 1; v->length++;
    }
    free(v->data); free(v); return 0;""",
    "a block that is replaced in each round": """
    char *line = malloc(1);
    for (int i = 0; i < 9; i++) { char *other = malloc(2); free(line); line = other; line[1] = 0; }
    free(line); return 0;""",
    "null beside the length 0": """
    int n = __VERIFIER_nondet_int(), *a = NULL, m = 0; if (n < 1 || n > 99) return 0;
    if (__VERIFIER_nondet_int()) { a = malloc(n * sizeof *a); m = n; }
    for (int i = 0; i < m; i++) a[i] = 0;
    free(a); return 0;""",
    "a remainder and a quotient": """
    unsigned n = __VERIFIER_nondet_int(), h = __VERIFIER_nondet_int(); if (n < 1 || n > 99) return 0;
    int *a = malloc(n * sizeof *a);
    a[h % n] = 1; a[(n - 1) / 2] = 2; a[h & (n - 1)] = 3;
    free(a); return 0;""",
}
HELD_OUTSIDE = """
    struct node *list = NULL, *next;
    for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->next = list; list = n; }
    while (list) { next = list->next; free(list); list = next; }
    return 0;"""
HELD = """
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->next = list; list = n; }
    while (list) { struct node *next = list->next; free(list); list = next; }
    return 0;"""
OPEN = {
    "one too many": (
        """
    int n = __VERIFIER_nondet_int(); if (n < 1 || n > 9) return 0;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i <= n; i++) a[i] = i;
    free(a); return 0;""",
        "4 bounds",
    ),
    "an older block is freed": (
        """
    struct node *old = NULL, *new = NULL;
    for (int i = 0; i < 2; i++) { old = new; new = malloc(sizeof *new); }
    free(old);
    old->value = 1; free(new); return 0;""",
        "5 use-after-free",
    ),
    "the length of another block": (
        """
    int n = __VERIFIER_nondet_int(), *a = NULL; if (n < 1 || n > 9) return 0;
    for (int k = 0; k < 2; k++) { free(a); a = malloc(n * sizeof *a); n++; }
    a[n - 1] = 1;
    free(a); return 0;""",
        "4 bounds",
    ),
    "the site allocates again": (
        """
    struct node *first = NULL;
    for (int i = 0; i < 2; i++) { struct node *p = malloc(sizeof *p); p->next = NULL; p->value = i; first = p; }
    return 0;""",
        "3 leak",
    ),
    "a field that a call may write": (
        """
    struct node a = {NULL, 0}; struct node *p = &a; p->next = p;
    extern void other(struct node *); other(p);
    p->next->value = 1; return 0;""",
        "4 null-deref",
    ),
    "bytes of a pointer": (
        """
    struct node a = {NULL, 0}, b; a.next = &a; memset(&a, 0, 4); b = a;
    b.next->value = 1; return 0;""",
        "3 null-deref",
    ),
    "the row of a matrix": (
        """
    int m[20][20]; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 20) return 0;
    m[i][0] = 1;
    return 0;""",
        "3 bounds",
    ),
    "an array that grows too late": (
        """
    struct { int *data; size_t length, room; } v = {malloc(4), 0, 1};
    while (__VERIFIER_nondet_int()) {
        if (v.length > v.room) { v.room *= 2; v.data = realloc(v.data, v.room * sizeof *v.data); }
        v.data[v.length++] = 5;
    }
    free(v.data); return 0;""",
        "5 bounds",
    ),
    "what was there before it grew": (
        """
    int *data = NULL, *kept = NULL; size_t length = 0, room = 0;
    while (__VERIFIER_nondet_int()) {
        if (length == room) { room = room ? 2 * room : 1; data = realloc(data, room * sizeof *data); }
        data[length++] = 5;
        if (kept) *kept = 1; else kept = data;
    }
    free(data); return 0;""",
        "6 use-after-free",
    ),
    "the length of a copy": (
        """
    struct vector { int *data; int length; } a, b;
    a.data = malloc(4 * sizeof(int)); a.length = 4;
    b = a; free(b.data);
    b.data = malloc(2 * sizeof(int));
    for (int i = 0; i < a.length; i++) b.data[i] = 0;
    free(b.data); return 0;""",
        "6 bounds",
    ),
    "null where the length is 0": (
        """
    int n = __VERIFIER_nondet_int(), *a = NULL, m = 0; if (n < 1 || n > 99) return 0;
    if (__VERIFIER_nondet_int()) { a = malloc(n * sizeof *a); m = n; }
    for (int i = 0; i <= m && i < 9; i++) a[i] = 0;
    free(a); return 0;""",
        "4 null-deref",
    ),
    "the last that holds a block": (
        """
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b), *t;
    a->next = b; b->next = NULL; t = a->next;
    a->next = NULL; b = NULL;
    t = NULL;
    free(a); return 0;""",
        "5 leak",
    ),
    "what was held in the round before": (
        """
    struct node *list = NULL, *last = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n); n->next = list; list = n;
        if (i == 1) { last = list; list = list->next; }
    }
    last = NULL;
    while (list) { struct node *next = list->next; free(list); list = next; }
    return 0;""",
        "7 leak",
    ),
    "another field of the same name": (
        """
    struct node *a = malloc(sizeof *a), *b = __VERIFIER_nondet_int() ? a : malloc(sizeof *b), *t;
    a->next = malloc(sizeof *a); t = a->next;
    b->next = NULL;
    t = NULL;
    free(a); return 0;""",
        "5 leak",
    ),
    "a room that wraps": (
        """
    unsigned char room = 1, length = 0; int *data = malloc(sizeof *data);
    while (__VERIFIER_nondet_int()) {
        if (length == room) { room *= 2; if (!room) room = 1; data = realloc(data, room * sizeof *data); }
        data[length++] = 5;
    }
    free(data); return 0;""",
        "5 bounds",
    ),
    "a remainder of a greater number": (
        """
    unsigned n = __VERIFIER_nondet_int(), h = __VERIFIER_nondet_int(); if (n < 1 || n > 99) return 0;
    int *a = malloc(n * sizeof *a);
    a[h % (n + 1)] = 1;
    free(a); return 0;""",
        "4 bounds",
    ),
    "a size that wraps": (
        """
    unsigned char n = (unsigned char)__VERIFIER_nondet_int(); unsigned char m = (unsigned char)(n + 1);
    char *a = malloc(m); if (n == 255) { a[n] = 1; }
    free(a); return 0;""",
        "3 bounds",
    ),
}


@pytest.mark.parametrize("name", PROVED)
def test_is_proved(name: str, tmp_path: Path) -> None:
    assert left_open(program_of(tmp_path, PROVED[name])) == set()


@pytest.mark.parametrize("name", OPEN)
def test_is_left_open(name: str, tmp_path: Path) -> None:
    body, check = OPEN[name]
    assert check in left_open(program_of(tmp_path, body))


@pytest.mark.parametrize("body", [HELD, HELD_OUTSIDE], ids=["inside", "outside"])
def test_a_list_is_held_while_it_is_freed(body: str, tmp_path: Path) -> None:
    assert not any("leak" in check for check in left_open(program_of(tmp_path, body)))


def test_an_input_may_lead_to_one_that_is_freed(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    body = "free(global); global = NULL; if (p->next) p->next->next = NULL;"
    path.write_text(f"{HEAD}static struct node *global;\nvoid start(struct node *p) {{ {body} }}\n", encoding="utf-8")
    program = build(Input((str(path),), function="start"), lambda phase: None)
    result = run_engine(load_engine("recency"), program, Goal(), Limits(), NullProgress())
    left = [one.check for one in result.outcomes if one.verdict is not Verdict.PROVED]
    assert len({check.span.column for check in left if check.kind.value == "use-after-free"}) >= 2


def test_the_schedule_starts_with_it_unless_it_is_off(tmp_path: Path) -> None:
    program = program_of(tmp_path, PROVED["freed, and allocated again"])
    engines = [
        {
            one.engine
            for one in run_schedule(program, Goal(), SCHEDULES["auto"], Limits(), NullProgress(), options).outcomes
        }
        for options in ({}, {"floor": "off"})
    ]
    assert engines == [{"recency"}, {"explore"}]
