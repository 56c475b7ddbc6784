"""Addresses of fields, casts and integers in a row: where in its block a pointer points is told by its type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from engines.fesa.test_audit import audited
from support.collection import PROGRAMS, name_of
from support.random_runs import Kind, random_program

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.fesa.engine import CONFUSED, Fesa
from heapwright.engines.fesa.transfer.pointer_offsets import PointerOffsets
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.result.outcomes import Result, Verdict
from heapwright.testing.expectations import read

POINTERS = frozenset(CheckKind) - {CheckKind.LEAK, CheckKind.SHAPE}
HEAD = """\
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct link { struct link *next, *prev; };
struct item { int value; struct link link; struct item *other; char name[8]; };
#define item_of(p) ((struct item *)((char *)(p) - offsetof(struct item, link)))
int main(void) {
    struct item *x = malloc(sizeof *x), *y = malloc(sizeof *y);
    struct link head, *p = &head;
    x->value = 0; x->other = 0; y->other = x;
"""


def built(tmp_path: Path, body: str) -> Program:
    path = tmp_path / "program.c"
    path.write_text(f"{HEAD}{body}\nreturn 0; }}\n", encoding="utf-8")
    return build(Input((str(path),)), lambda phase: None)


def analysed(program: Program, **options: Any) -> Result:
    return run_engine(Fesa(**options), program, Goal(kinds=POINTERS), Limits(), NullProgress())


def open_checks(program: Program, **options: Any) -> set[str]:
    result = analysed(program, **options)
    assert result.complete, result.limit
    return {o.check.kind.value for o in result.outcomes if o.verdict is not Verdict.PROVED}


def test_offsets(tmp_path: Path) -> None:
    places = PointerOffsets(built(tmp_path, "p = &x->link; x->name[1] = 0;"))
    assert places.within("item", "link") == 8
    assert places.field("item", "link", "next") == "link.next"
    assert places.within("link", "item") is None
    assert places.declared_offset("link", "item") == -8  # where container_of comes to from what is no part of an item


@pytest.mark.parametrize(
    "body",
    [
        "p = &x->link; p->next = p; free(x);",
        "p = &x->link; p->next = &y->link; p = p->next; assert(p == &y->link); free(item_of(p));",
        "p = &x->link; free(item_of(p)); free(y);",
        "p->next = p; struct item *i = item_of(p); assert(&i->link == p); p->prev = p;",
        "struct item **q = &x->other; *q = y; assert(x->other == y); free(*q);",
        "void *v = x; struct item *z = v; z->value = 1; free(v);",
        # one of two parts of a type
        "struct link **q = &x->link.next; x->link.prev = 0; *q = 0; q = &x->link.prev; *q = p; assert(!x->link.next);",
        "head.next = head.prev = 0; struct link **q = __VERIFIER_nondet_int() ? &p->next : &p->prev; *q = p;"
        "if (head.next) head.next->prev = 0;",
    ],
)
def test_what_is_proved(body: str, tmp_path: Path) -> None:
    assert open_checks(built(tmp_path, body)) == set()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("free(&x->link);", "invalid-free"),
        ("p = &x->link; free(x); p->next = 0;", "use-after-free"),
        ("p = &x->link; free(item_of(p)); x->value = 1;", "use-after-free"),
        ("p->next = p; x = item_of(p->next); x->value = 1;", "invalid-deref"),
        ("p = &x->link; p->next = 0; p = p->next; p->next = 0;", "null-deref"),
        ("x->name[__VERIFIER_nondet_int()] = 0;", "bounds"),
        ("char *s = x->name; free(x); s[0] = 0;", "use-after-free"),
        ("struct item **q = &x->other; free(x); *q = 0;", "use-after-free"),
        ("int *n = malloc(10 * sizeof *n); free(n); n[0] = 1;", "use-after-free"),
        ("int *n = malloc(10 * sizeof *n); n++; free(n);", "invalid-free"),
        ("struct link **q = &x->link.prev; x->link.next = 0; *q = p; x->link.next->next = 0;", "null-deref"),
        (
            "p->next = p; p->prev = p; struct link **q = &p->prev; if (__VERIFIER_nondet_int()) q = &p->next; *q = 0;"
            "head.next->prev = p;",
            "null-deref",
        ),
        ("x->value = 1; int *v = (int *)x; v[0] = 0; assert(x->value == 1);", "assert"),
    ],
)
@pytest.mark.parametrize("mode", [True, False], ids=["on", "off"])
def test_what_must_not_be_proved(body: str, kind: str, mode: bool, tmp_path: Path) -> None:
    assert kind in open_checks(built(tmp_path, body), instrumentation=mode)


@pytest.mark.parametrize(
    "body",
    [
        "p = (struct link *)x; p->next = 0;",  # another place than that of the link
        "void *v = &x->link; x = v; x->value = 1;",
        "x = 0; p = &x->link; if (p) y->value = 1;",  # an address near null
        "char *s = (char *)x; s += 8; p = (struct link *)s; p->next = 0;",
    ],
)
def test_nothing_is_proved_where_the_place_is_not_known(body: str, tmp_path: Path) -> None:
    result = analysed(built(tmp_path, body))
    assert result.limit == CONFUSED or not result.complete
    assert {outcome.verdict for outcome in result.outcomes} == {Verdict.UNKNOWN}


EMBEDDED = [*sorted((PROGRAMS / "embedded").glob("[adht]*_ok.c")), PROGRAMS / "trees/by_address_ok.c"]


@pytest.mark.parametrize("path", EMBEDDED, ids=name_of)
def test_heaps_of_runs_are_described(path: Path) -> None:
    followed = path.stem not in ("array_of_nodes_ok", "two_lists_ok")  # an array of parts; two parts of one type
    assert (audited(build(read(path).input(path), lambda phase: None), runs=2) > 0) == followed


@pytest.mark.parametrize("kind", ["parts", "any"])
def test_random_programs(kind: Kind, tmp_path: Path) -> None:
    programs = [random_program(seed, tmp_path, size=6, kind=kind) for seed in range(6)]
    assert sum(audited(program, runs=3) for program in programs) > 200


@pytest.mark.long
@pytest.mark.parametrize("mode", [True, False], ids=["on", "off"])
@pytest.mark.parametrize("kind", ["parts", "inputs", "any"])
def test_many_random_programs(kind: Kind, mode: bool, tmp_path: Path) -> None:
    programs = [random_program(seed, tmp_path, size=10, kind=kind) for seed in range(2000, 2050)]
    assert sum(audited(program, runs=8, instrumentation=mode) for program in programs) > 200
