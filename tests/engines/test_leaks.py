"""A leak ends no run: behind it every engine finds what fails, whatever the goal selects, and proves what holds.

Heaps of runs, which are without what was lost, are in the states of every engine.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from support.bounds import bounded

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines import load_engine
from heapwright.engines.api import NullProgress
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.snapshot import snapshots
from heapwright.result.outcomes import Result, Verdict

ENGINES: list[tuple[str, dict[str, object]]] = [
    ("tvl", {}),
    ("tvl", {"embedding": "loose"}),
    ("tvl", {"embedding": "adaptive"}),
    ("tvl", {"focus": "meet"}),
    ("fesa", {}),
    ("fesa", {"instrumentation": False}),
    ("boolheap", {}),
    ("lazy", {"shapes": "lazy"}),  # without the search through small heaps
]
NAMED = pytest.mark.parametrize(
    ("engine", "options"), ENGINES, ids=[" ".join([name, *map(str, options.values())]) for name, options in ENGINES]
)
NO_LEAKS = frozenset(CheckKind) - {CheckKind.LEAK}
HEAD = """
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
"""
TWO = "struct node *x = malloc(sizeof *x), *y = malloc(sizeof *y); x->next = NULL; y->next = NULL;"
LIST = """struct node *x = NULL;
while (__VERIFIER_nondet_int()) { struct node *n = malloc(sizeof *n); n->next = x; x = n; }"""
# What fails behind a leak, which is on the line before: the statements, and the kind of the check.
BEHIND = {
    "null": (f"{TWO} free(y);\nx = NULL;\nx->next = NULL;", CheckKind.NULL_DEREF),
    "freed": (f"{TWO} free(y);\nx = NULL;\ny->next = NULL;", CheckKind.USE_AFTER_FREE),
    "twice": (f"{TWO} free(y);\nx = NULL;\nfree(y);", CheckKind.DOUBLE_FREE),
    "assertion": (f"{TWO} free(y);\nx = NULL;\nassert(x);", CheckKind.ASSERT),
    "another leak": (f"{TWO}\nx = NULL;\ny = NULL;", CheckKind.LEAK),
    "leaked list": (f"{TWO} y->next = x;\nx = y = NULL;\nx->next = y;", CheckKind.NULL_DEREF),
    "leak in a loop": (f"{LIST}\nwhile (x) x = x->next;\nx->next = NULL;", CheckKind.NULL_DEREF),
    "all reachable": (f"{TWO}\ny = NULL;\nassert(hw_all_reachable(x, next)); free(x);", CheckKind.SHAPE),
}


def written(body: str, folder: Path, struct: str = HEAD) -> Program:
    file = folder / "leak.c"
    file.write_text(f"{struct}int main(void) {{\n{body}\nreturn 0; }}\n", encoding="utf-8")
    return build(Input((str(file),)), lambda phase: None)


def asked(engine: str, options: dict[str, object], program: Program, goal: Goal) -> Result:
    return run_engine(load_engine(engine, options), program, goal, bounded(engine), NullProgress())


def open_checks(result: Result) -> set[tuple[int, CheckKind]]:
    return {
        (outcome.check.span.line, outcome.check.kind)
        for outcome in result.outcomes
        if outcome.verdict is not Verdict.PROVED
    }


def audited(program: Program, result: Result) -> int:
    """How many heaps of runs are in the states; none is missing."""
    found = 0
    for seed in range(6):
        for location, heap in snapshots(Machine(program, Goal()), RandomChoices(seed), max_steps=60):
            answer = result.contains(location, heap)
            assert answer is not False, (location, heap)
            found += answer is True
    return found


@NAMED
@pytest.mark.parametrize("name", BEHIND)
def test_what_fails_behind_a_leak_is_not_proved(
    name: str, engine: str, options: dict[str, object], tmp_path: Path
) -> None:
    body, kind = BEHIND[name]
    program = written(body, tmp_path)
    line = len(HEAD.splitlines()) + 1 + len(body.splitlines())
    goals = [Goal(audit=True)]
    if kind is not CheckKind.LEAK:
        chosen = frozenset(check.id for check in program.checks if (check.span.line, check.kind) == (line, kind))
        goals += [Goal(NO_LEAKS), Goal(only=chosen, audit=True)]
    for goal in goals:
        result = asked(engine, options, program, goal)
        assert (line, kind) in open_checks(result), goal
        if goal.audit:
            assert audited(program, result) or not result.complete


SHARED = f"""{LIST}
struct node *extra = malloc(sizeof *extra); extra->next = x;
extra = NULL;
struct node *back = NULL;
while (x) {{ struct node *t = x->next; x->next = back; back = x; x = t; }}
assert(hw_acyclic(back, next));
while (back) {{ struct node *t = back->next; free(back); back = t; }}"""
DOUBLY = """struct node *x = NULL;
while (__VERIFIER_nondet_int()) {
struct node *n = malloc(sizeof *n); n->next = x; n->prev = NULL; if (x) x->prev = n; x = n; }
struct node *extra = malloc(sizeof *extra); extra->next = extra->prev = x;
extra = NULL;
assert(hw_dll(x, next, prev));
while (x) { struct node *t = x->next; if (t) assert(t->prev == x); free(x); x = t; }"""
TREE = """struct node *x = malloc(sizeof *x), *y = malloc(sizeof *y); x->next = y; x->prev = NULL;
y->next = y->prev = NULL;
struct node *extra = malloc(sizeof *extra); extra->next = y; extra->prev = x;
extra = NULL;
assert(hw_tree(x, next, prev));
free(x->next); free(x);"""
PROVED = {"a shared list": (SHARED, HEAD), "a doubly linked list": (DOUBLY, ""), "a tree": (TREE, "")}


@pytest.mark.parametrize("embedding", ["strict", "loose"])
@pytest.mark.parametrize("name", PROVED)
def test_tvl_proves_what_holds_behind_a_leak_into_a_structure(name: str, embedding: str, tmp_path: Path) -> None:
    """The lost block pointed into the structure: its arrows count no longer, neither for sharing nor for `prev`."""
    body, head = PROVED[name]
    program = written(body, tmp_path, head or HEAD.replace("*next;", "*next, *prev;"))
    leak = len(HEAD.splitlines()) + 2 + body.splitlines().index("extra = NULL;")
    for goal in (Goal(), Goal(audit=True), Goal(NO_LEAKS), Goal(NO_LEAKS, audit=True)):
        result = asked("tvl", {"embedding": embedding}, program, goal)
        assert open_checks(result) == ({(leak, CheckKind.LEAK)} if CheckKind.LEAK in goal.kinds else set())
        assert not goal.audit or audited(program, result) > 50


def test_garbage_counts_for_cleanup_checks_alone(tmp_path: Path) -> None:
    program = written(f"{TWO}\ny = NULL;\nfree(x);", tmp_path)
    for engine, options in ENGINES:
        result = asked(engine, options, program, Goal(cleanup=True))
        assert {check.id for check in program.checks if check.cleanup} <= {
            outcome.check.id for outcome in result.outcomes if outcome.verdict is not Verdict.PROVED
        }
    result = asked("tvl", {}, program, Goal(cleanup=True))
    assert {line for line, _ in open_checks(result)} == {7, 9}


def test_locations_behind_a_failure_are_unreached(tmp_path: Path) -> None:
    program = written(f"{TWO} free(y);\nx = NULL;\nx->next = NULL;\ny = NULL;", tmp_path)
    last = {edge.source for edge in program.graph.edges if edge.span.line == 11}
    for engine, options in ENGINES:
        result = asked(engine, options, program, Goal(NO_LEAKS))
        assert last <= result.unreached or engine == "lazy"  # whose predicates do not tell
        assert not {edge.source for edge in program.graph.edges if edge.span.line == 9} & result.unreached
