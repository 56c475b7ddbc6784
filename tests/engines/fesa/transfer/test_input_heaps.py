"""Input heaps: nothing is known of them but types, and every heap that a run decides on is among them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.bounds import bounded

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.fesa.engine import Fesa
from heapwright.fuzz.generators.recipes import Recipe
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.snapshot import snapshots
from heapwright.result.outcomes import Result, Verdict

POINTERS = frozenset(CheckKind) - {CheckKind.LEAK, CheckKind.SHAPE}
HEAD = """\
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next, *other; };
"""


def built(tmp_path: Path, body: str) -> Program:
    path = tmp_path / "program.c"
    path.write_text(HEAD + body, encoding="utf-8")
    return build(Input((str(path),), function="start"), lambda phase: None)


def open_checks(program: Program, **options: Any) -> set[str]:
    result = run_engine(Fesa(**options), program, Goal(kinds=POINTERS), Limits(), NullProgress())
    assert result.complete, result.limit
    return {o.check.kind.value for o in result.outcomes if o.verdict is not Verdict.PROVED}


def test_what_is_passed_can_be_walked(tmp_path: Path) -> None:
    body = "void start(struct node *x) { while (x) { if (x->other) x->other->data = 1; x = x->next; } }"
    assert open_checks(built(tmp_path, body)) == set()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("void start(struct node *x) { x->data = 1; }", "null-deref"),
        ("void start(struct node *x) { if (x) x->next->data = 1; }", "null-deref"),
        ("void start(struct node *x, struct node *y) { if (x && y) { free(x); y->data = 1; } }", "use-after-free"),
        ("void start(struct node *x, struct node *y) { free(x); free(y); }", "double-free"),
        ("void start(struct node *x) { if (x && x->next) { free(x); free(x->next); } }", "use-after-free"),
        ("void start(struct node *x) { if (x) { struct node *n = x->next; free(x); free(n); } }", "double-free"),
        ("void start(struct node *x, struct node *y) { if (x) assert(x != y); }", "assert"),
        ("void start(struct node *x, struct node *y) { if (x) assert(x == y); }", "assert"),
        ("void start(struct node *x) { if (x) assert(x->next != x); }", "assert"),
        ("void start(struct node *x) { if (x && x->next) assert(x->next->next != x); }", "assert"),
    ],
)
@pytest.mark.parametrize("mode", [True, False], ids=["on", "off"])
def test_what_is_passed_may_be_anything(body: str, kind: str, mode: bool, tmp_path: Path) -> None:
    assert kind in open_checks(built(tmp_path, body), instrumentation=mode)


def test_a_fresh_object_is_none_that_was_passed(tmp_path: Path) -> None:
    body = (
        "void start(struct node *x) { struct node *y = malloc(sizeof *y); y->next = x;"
        "while (x) { assert(x != y); x = x->next; } free(y); }"
    )
    assert open_checks(built(tmp_path, body)) == set()


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("void start(struct node *x) { free(x); x = hw_any_list(next); }", "after a 'free'"),
        ("struct box { struct node n; }; void start(struct box *b) { free(&b->n); }", "does not support"),
        ("void start(void **x) { if (x) free(*x); }", "unknown type"),
    ],
)
def test_what_it_does_not_follow_is_said(body: str, reason: str, tmp_path: Path) -> None:
    result = run_engine(Fesa(), built(tmp_path, body), Goal(), Limits(), NullProgress())
    assert not result.complete
    assert reason in result.limit
    assert {outcome.verdict for outcome in result.outcomes} == {Verdict.UNKNOWN}


# --- against runs ----------------------------------------------------------------------------------------------------

MAIN = "int main(void)\n{\n    struct node *p0 = NULL, *p1 = NULL, *p2 = NULL;"
START = "int start(struct node *p0, struct node *p1)\n{\n    struct node *p2 = NULL;"


def analysed(seed: int, size: int, mode: bool, folder: Path) -> tuple[Program, Result]:
    """A random program whose variables are inputs."""
    text = Recipe("plain", seed, size).text()
    assert MAIN in text
    path = folder / f"random_{seed}.c"
    path.write_text(text.replace(MAIN, START), encoding="utf-8")
    program = build(Input((str(path),), function="start"), lambda phase: None)
    limits = bounded("fesa")
    return program, run_engine(Fesa(instrumentation=mode), program, Goal(audit=True), limits, NullProgress())


def audited(seed: int, size: int, mode: bool, folder: Path) -> int:
    program, result = analysed(seed, size, mode, folder)
    found = 0
    if result.complete:
        machine = Machine(program, Goal(kinds=POINTERS))
        for number in range(6):
            for location, heap in snapshots(machine, RandomChoices(number), max_steps=80):
                answer = result.contains(location, heap)
                assert answer is not False, (seed, number, location)
                found += answer is True
    return found


@pytest.mark.parametrize("mode", [True, False], ids=["on", "off"])
def test_every_heap_that_a_run_decides_on_is_described(mode: bool, tmp_path: Path) -> None:
    assert sum(audited(seed, 3, mode, tmp_path) for seed in (101, 102, 103, 104)) > 300


@pytest.mark.long
@pytest.mark.parametrize("mode", [True, False], ids=["on", "off"])
@pytest.mark.parametrize("start", range(200, 280, 20))
def test_more_of_them(start: int, mode: bool, tmp_path: Path) -> None:
    assert sum(audited(seed, 6, mode, tmp_path) for seed in range(start, start + 20)) > 300
