"""Keys of C programs: which are tracked, what is proved about their order, and what must not be."""

from __future__ import annotations

from pathlib import Path

import pytest
from engines.tvl.walks import program_of

from heapwright.analysis.judgement import run_engine
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.tvl.encoding.available_loads import AvailableLoads
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.engines.tvl.engine import Tvl
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.commands import Load
from heapwright.program.graph import Program
from heapwright.result.outcomes import ProgramVerdict, Verdict

HEAD = """
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include "heapwright.h"
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int key; struct node *next; };
struct pair { int low, high; };
struct byte { unsigned char key; struct byte *next; };
int main(void) {
    struct node *p = calloc(1, sizeof *p), *q = calloc(1, sizeof *q);
    p->key = __VERIFIER_nondet_int(); q->key = __VERIFIER_nondet_int(); p->next = q; q->next = NULL;
"""


def main(body: str, folder: Path) -> Program:
    return program_of(f"{HEAD}{body}\n    free(p); free(q); }}", folder)


def claims(body: str, folder: Path) -> list[Verdict]:
    """The verdicts on the assertions of a main function, in their order."""
    goal = Goal(frozenset(CheckKind) - {CheckKind.LEAK})
    result = run_engine(Tvl(), main(body, folder), goal, Limits(), NullProgress())
    assert result.limit == ""
    return [o.verdict for o in result.outcomes if o.check.kind in (CheckKind.ASSERT, CheckKind.SHAPE)]


# --- what is tracked -------------------------------------------------------------------------------------------------


def test_nothing_is_tracked_without_a_claim(tmp_path: Path) -> None:
    assert HeapVocabulary(main("if (p->key < q->key) p->key = q->key;", tmp_path)).keys == ()


@pytest.mark.parametrize(
    "claim",
    [
        "assert(p->key <= q->key);",
        "if (p->key > q->key) reach_error();",
        "int fine = p->key <= q->key; if (!fine) reach_error();",
        "assert(hw_sorted(p, next, key));",
    ],
)
def test_a_claim_makes_keys(claim: str, tmp_path: Path) -> None:
    (keys,) = HeapVocabulary(main(claim, tmp_path)).keys
    assert keys.fields == ("node.key",)


def test_two_fields_of_one_type_have_no_common_order(tmp_path: Path) -> None:
    body = "struct pair *r = calloc(1, sizeof *r); assert(r->low <= r->high); free(r);"
    assert HeapVocabulary(main(body, tmp_path)).keys == ()


# --- single comparisons ----------------------------------------------------------------------------------------------

PROVED = [
    "if (p->key < q->key) { assert(p->key <= q->key); assert(q->key != p->key); assert(hw_sorted(p, next, key)); }",
    "if (p->key > q->key) { assert(!hw_sorted(p, next, key)); }",
    "int i = p->key; p->key = q->key; q->key = i; if (p->key <= i) assert(hw_sorted(p, next, key));",
    "int i = p->key; if (i <= q->key) { p->key = 3; q->key = i; } else return 0; int j = q->key; assert(i == j);",
    "long wide = p->key; q->key = p->key; assert(wide == q->key); assert(hw_sorted(p, next, key));",
    "int i = p->key, j = q->key; free(p); p = NULL; if (i < j) assert(i <= q->key);",
    "_Bool less = p->key < q->key; if (less) assert(hw_sorted(p, next, key));",
    "hw_assume(hw_sorted(p, next, key)); int i = p->key; assert(i <= q->key);",
    "int i = p->key; if (i == q->key) { p->key = i + 1; assert(i == q->key); }",
]


@pytest.mark.parametrize("body", PROVED)
def test_proved(body: str, tmp_path: Path) -> None:
    assert set(claims(body, tmp_path)) == {Verdict.PROVED}


NOT_PROVED = [
    "assert(p->key <= q->key);",
    "if (p->key <= q->key) { p->key = p->key + 1; assert(p->key <= q->key); }",
    "if (p->key <= q->key) { q->key++; assert(hw_sorted(p, next, key)); }",
    "if ((unsigned)p->key < (unsigned)q->key) assert(p->key <= q->key);",
    "if (p->key < q->key) { unsigned u = p->key, v = q->key; assert(u < v); }",
    "if (p->key < q->key) { short s = (short)p->key, t = (short)q->key; assert(s <= t); }",
    "struct byte *b = calloc(1, sizeof *b); b->key = p->key; int i = b->key, j = p->key; free(b); assert(i == j);",
    "int i = p->key; p->key = q->key; assert(i == p->key);",
    "int i = p->key; q->key = i; p->key = __VERIFIER_nondet_int(); assert(i == p->key);",
    "struct node *r = p; int i = p->key; r->key = __VERIFIER_nondet_int(); assert(i == p->key);",
    "hw_assume(hw_sorted(p, next, key)); p->key = q->key; q->key = __VERIFIER_nondet_int(); assert(p->key <= q->key);",
    "hw_assume(hw_sorted(q, next, key)); assert(hw_sorted(p, next, key));",
    "if (p->key <= q->key) { q->next = p; assert(hw_sorted(p, next, key)); q->next = NULL; }",
    "p->key = 0; p->key--; assert(!hw_sorted(p, next, key));",
]


@pytest.mark.exhaustive(2)
@pytest.mark.parametrize("body", NOT_PROVED)
def test_not_proved(body: str, tmp_path: Path) -> None:
    assert claims(body, tmp_path) == [Verdict.UNKNOWN]


# --- comparisons that decide what is safe ----------------------------------------------------------------------------

AGAIN = [
    "struct node *r = NULL; if (p->key < q->key) r = calloc(1, sizeof *r); if (p->key < q->key) free(r);",
    "int i = __VERIFIER_nondet_int(); if (i == p->key) q->next = p; if (p->key == i && q->next->key) q->next = NULL;",
    "int flag = p->key < q->key; struct node *r = p; if (flag) r = NULL; if (!flag) r->next = q;",
    "int flag = __VERIFIER_nondet_int(); struct node *r = flag ? NULL : p; if (!flag) r->next = q;",
]


@pytest.mark.parametrize("body", AGAIN)
def test_comparisons_that_are_made_again(body: str, tmp_path: Path) -> None:
    limits = Limits()
    assert run_engine(Tvl(), main(body, tmp_path), Goal(), limits, NullProgress()).verdict is ProgramVerdict.SAFE


CHANGED = [
    "struct node *r = p; if (p->key < q->key) r = NULL; p->key++; if (p->key >= q->key) r->next = q;",
    "int flag = p->key < q->key; struct node *r = p; if (flag) r = NULL; flag = !flag; if (flag) r = r->next;"
    " if (!flag) r->next = q;",
    "int i = __VERIFIER_nondet_int(); struct node *r = p; if (i == p->key) r = NULL; q->key = i; p->key = q->key;"
    " if (p->key == i) r->next = q;",
]


@pytest.mark.parametrize("body", CHANGED)
def test_comparisons_that_come_out_differently(body: str, tmp_path: Path) -> None:
    limits = Limits()
    result = run_engine(Tvl(), main(body, tmp_path), Goal(), limits, NullProgress())
    unknown = [outcome.check.kind for outcome in result.outcomes if outcome.verdict is Verdict.UNKNOWN]
    assert CheckKind.NULL_DEREF in unknown


# --- temporaries that are held ---------------------------------------------------------------------------------------


def held_at_loads(body: str, folder: Path) -> list[bool]:
    """Of each place where a pointer is read from p, whether a temporary is held there."""
    program = main(body, folder)
    held = AvailableLoads(HeapVocabulary(program))
    edges = [e for e in program.graph.edges if isinstance(e.command, Load) and e.command.base == "p"]
    return [bool(held.at(edge.source)) for edge in edges]


def test_a_field_that_is_read_again_is_held(tmp_path: Path) -> None:
    body = "struct node *r = NULL; if (p->next && p->next->key < 3) r = p->next; q->key = r != NULL;"
    assert held_at_loads(body, tmp_path) == [False, True, True]


@pytest.mark.parametrize("change", ["p = q;", "q->next = NULL;", "free(q);"])
def test_a_change_ends_it(change: str, tmp_path: Path) -> None:
    body = f"struct node *r = NULL; if (p->next) {{ {change} r = p->next; }} q->key = r != NULL;"
    assert held_at_loads(body, tmp_path) == [False, False]
