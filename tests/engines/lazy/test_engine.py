"""The engine on C programs: integers, lists with data, frees and leaks; and what it says of what it cannot follow."""

from __future__ import annotations

from pathlib import Path

import pytest
from engines.lazy.programs import (
    CHECKED,
    WITHOUT_LEAKS,
    analysed,
    broken,
    compiled,
    published,
    searched,
    undecided,
    verdicts,
)

from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.lazy.art.search_options import Options
from heapwright.engines.lazy.art.tree_check import check_tree
from heapwright.engines.lazy.engine import Lazy
from heapwright.program.checks import CheckKind, Goal
from heapwright.result.outcomes import ProgramVerdict, Verdict

SIX = [
    "simple",
    "simple_backw",
    "list_flag",
    "alternating",
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("list", "splice")),
]

COUNTER = """int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, flag = 0;
    if (n < 0) return 0;
    while (i < n) {
        i++;
        if (__VERIFIER_nondet_int()) flag = 1; else flag = 2;
        assert(flag == 1 || flag == 2);
    }
    assert(i == n);
    if (n > 3) assert(flag != 0);
    return 0;
}"""

WRAPS = """int main(void) {
    unsigned i = __VERIFIER_nondet_int();
    int k = __VERIFIER_nondet_int();
    unsigned j = i + 1;
    assert(j > i);
    if (k < 5) assert(k + 1 < 7);
    return 0;
}"""

DEEP = """int main(void) {
    int i = 0, x = __VERIFIER_nondet_int();
    while (i < 4) { if (x == 7 * i + 1) break; i++; }
    if (i < 4) assert(x != 22);
    return 0;
}"""


@pytest.mark.parametrize("name", SIX)
def test_the_six_programs_are_proved(name: str) -> None:
    search = searched(published(name))
    assert search.found.complete
    assert not search.found.violated
    assert not search.found.given_up
    assert check_tree(search) == []
    assert 1 <= len(search.refinement.log) <= 25


@pytest.mark.parametrize("name", SIX)
def test_their_buggy_twins_are_refuted_by_a_run(name: str) -> None:
    result = analysed(published(f"{name}_buggy"))
    assert {text.partition(":")[2] for text in broken(result)} == {"assert"}
    for outcome in result.outcomes:
        assert outcome.run is None or (outcome.run.exact and outcome.run.violation is not None)


def test_counters_need_no_shapes(tmp_path: Path) -> None:
    result = analysed(compiled(tmp_path, COUNTER))
    assert result.verdict is ProgramVerdict.SAFE
    assert result.stats["tracked_pointers"] == 0
    assert result.stats["shape_operations"] == 0


def test_unsigned_numbers_wrap(tmp_path: Path) -> None:
    assert broken(analysed(compiled(tmp_path, WRAPS))) == {"9:assert"}


def test_the_model_of_a_path_gives_its_inputs(tmp_path: Path) -> None:
    result = analysed(compiled(tmp_path, DEEP))
    assert broken(result) == {"8:assert"}
    (run,) = [outcome.run for outcome in result.outcomes if outcome.run is not None]
    assert [choice.value for choice in run.choices] == [22]


def test_predicates_alone_are_not_enough_and_claim_no_error() -> None:
    result = analysed(published("simple"), options=Options("never", refinements=20))
    assert result.verdict is ProgramVerdict.UNKNOWN
    assert broken(result) == set()


SECOND_LIST = """int main(void) {
    struct node *a = malloc(sizeof *a), *b = NULL, *p = a;
    while (__VERIFIER_nondet_int()) {
        struct node *t = malloc(sizeof *t);
        t->h = 5; t->n = b; b = t;
    }
    while (__VERIFIER_nondet_int()) { p->h = 1; p->n = malloc(sizeof *p); p = p->n; }
    p->h = 1; p->n = NULL;
    for (p = a; p != NULL; p = p->n) assert(p->h == 1);
    return 0;
}"""


def test_a_second_list_that_is_never_read_is_not_tracked(tmp_path: Path) -> None:
    alone = SECOND_LIST.replace("t->h = 5; t->n = b; b = t;", "free(t);")
    both, one = searched(compiled(tmp_path, SECOND_LIST)), searched(compiled(tmp_path, alone))
    assert both.found.complete
    assert not both.found.given_up
    tracked = [both.shapes.projections[component].variables for component in both.shapes.tracking.components]
    assert len(tracked) == 1
    assert "b" not in tracked[0]
    assert "t" not in tracked[0]
    assert len(one.shapes.projections) == 2


FREED = """int main(void) {
    struct node *a = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *t = malloc(sizeof *t);
        t->n = a; a = t;
    }
    while (a != NULL) { struct node *t = a->n; free(a); a = t; }
    return 0;
}"""


def test_a_list_is_freed_without_leaks(tmp_path: Path) -> None:
    assert analysed(compiled(tmp_path, FREED), Goal()).verdict is ProgramVerdict.SAFE


def test_leaks_and_dangling_pointers_are_shown(tmp_path: Path) -> None:
    lost = FREED.replace("while (a != NULL)", "if (a != NULL)")
    assert {text.partition(":")[2] for text in broken(analysed(compiled(tmp_path, lost), Goal()))} == {"leak"}
    dangling = FREED.replace("struct node *t = a->n; free(a); a = t;", "free(a); a = a->n;")
    assert "11:use-after-free" in broken(analysed(compiled(tmp_path, dangling)))


NODE_AND_SCALAR = """int main(void) {
    int x = __VERIFIER_nondet_int();
    struct node *a = malloc(sizeof *a), *p = a;
    while (__VERIFIER_nondet_int()) { p->h = x; p->n = malloc(sizeof *p); p = p->n; }
    p->h = x; p->n = NULL;
    CHANGE
    for (p = a; p != NULL; p = p->n) assert(p->h == x);
    return 0;
}"""


def test_a_node_predicate_over_a_variable_changes_with_it(tmp_path: Path) -> None:
    same = analysed(compiled(tmp_path, NODE_AND_SCALAR.replace("CHANGE", "")))
    assert same.verdict is ProgramVerdict.SAFE
    changed = analysed(compiled(tmp_path, NODE_AND_SCALAR.replace("CHANGE", "x = __VERIFIER_nondet_int();")))
    assert broken(changed) == {"11:assert"}


DEAD_POINTER = """int main(void) {
    struct node *a = malloc(sizeof *a);
    a->h = __VERIFIER_nondet_int();
    int k = a->h;
    if (k != 1) { a = NULL; assert(k == 1 || k == 3); }
    return 0;
}"""


def test_dead_pointers_are_not_tracked(tmp_path: Path) -> None:
    assert broken(analysed(compiled(tmp_path, DEAD_POINTER))) == {"9:assert"}


ARRAY = "int main(void) { int a[20], i = 3; a[i] = 1; assert(a[3] == 1); return 0; }"
PART = """struct two { int h; struct node head; };
int main(void) {
    struct two *t = malloc(sizeof *t);
    struct node *p = &t->head, *last = p;
    p->n = NULL;
    while (__VERIFIER_nondet_int()) { last->n = malloc(sizeof *p); last = last->n; last->n = NULL; }
    for (p = p->n; p != NULL; p = last) { last = p->n; free(p); }
    LAST
    return 0;
}"""


def test_what_is_not_followed_is_unknown_with_a_reason(tmp_path: Path) -> None:
    result = analysed(compiled(tmp_path, ARRAY))
    assert "5:assert" in undecided(result)
    assert all(outcome.reason for outcome in result.outcomes if outcome.verdict is Verdict.UNKNOWN)


def test_pointers_into_blocks_are_left_to_shapes(tmp_path: Path) -> None:
    assert analysed(compiled(tmp_path, PART.replace("LAST", "free(t);")), Goal()).verdict is ProgramVerdict.SAFE
    twice = analysed(compiled(tmp_path, PART.replace("LAST", "free(t); t->h = 1;")), Goal())
    assert "12:use-after-free" in broken(twice)


def test_the_same_answer_twice() -> None:
    first, second = searched(published("list_flag")), searched(published("list_flag"))
    assert [one.added for one in first.refinement.log] == [two.added for two in second.refinement.log]


def test_a_damaged_tree_is_no_proof() -> None:
    search = searched(published("simple"))
    node = next(one for one in search.tree.nodes() if one.children)
    node.children = []
    assert check_tree(search)


def test_an_unfinished_tree_proves_nothing() -> None:
    result = analysed(published("list"), WITHOUT_LEAKS, CHECKED, Limits(deadline=0.0))
    assert undecided(result) == set(verdicts(result))
    assert not result.complete


ACYCLIC = """#include <heapwright.h>
int main(void) {
    struct node *a = NULL, *b = NULL;
    while (__VERIFIER_nondet_int()) { struct node *t = malloc(sizeof *t); t->n = a; a = t; }
    while (__VERIFIER_nondet_int()) { struct node *t = malloc(sizeof *t); t->n = b; b = t; }
    assert(hw_acyclic(a, n));
    if (a != NULL) { struct node *second = a->n; assert(second != a); }
    if (b != NULL) { b->n = b; assert(hw_acyclic(b, n)); }
    return 0;
}"""


def test_shapes_as_assertions(tmp_path: Path) -> None:
    result = analysed(compiled(tmp_path, ACYCLIC))
    assert broken(result) == {"12:shape"}
    assert undecided(result) == set()


TWO_LISTS = """int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b), *p;
    INIT
    p = a->n;
    if (__VERIFIER_nondet_int()) p = b;
    p->h = 1;
    return 0;
}"""


def test_what_is_loaded_from_another_component_keeps_its_junk(tmp_path: Path) -> None:
    """p is junk or null if it comes from a, and an object of another component else."""
    assert broken(analysed(compiled(tmp_path, TWO_LISTS.replace("INIT", "")))) == {"10:invalid-deref"}
    assert broken(analysed(compiled(tmp_path, TWO_LISTS.replace("INIT", "a->n = NULL;")))) == {"10:null-deref"}
    either = TWO_LISTS.replace("INIT", "if (__VERIFIER_nondet_int()) a->n = NULL;")
    assert broken(analysed(compiled(tmp_path, either))) == {"10:invalid-deref", "10:null-deref"}
    leaks = analysed(compiled(tmp_path, either), Goal())  # now all of the heap is tracked
    assert {"10:invalid-deref", "10:null-deref"} <= broken(leaks) | undecided(leaks)


KEPT = """struct node *keep;
int main(void) {
    struct node *a = malloc(sizeof *a);
    a->h = 1;
    keep = a;
    a = NULL;
    int y = 5;
    assert(y == CLAIM);
    return 0;
}"""


def test_a_dead_pointer_keeps_a_block_from_leaking(tmp_path: Path) -> None:
    """And runs do not end where it would leak otherwise."""
    assert analysed(compiled(tmp_path, KEPT.replace("CLAIM", "5")), Goal()).verdict is ProgramVerdict.SAFE
    assert broken(analysed(compiled(tmp_path, KEPT.replace("CLAIM", "6")), Goal())) == {"12:assert"}


def test_a_search_that_ends_early_proves_nothing_else(tmp_path: Path) -> None:
    """All that is asked for is violated before the null dereference is reached, which is undefined behaviour."""
    text = """int main(void) {
        struct node *p = NULL;
        assert(__VERIFIER_nondet_int() == 1);
        if (__VERIFIER_nondet_int()) p->h = 1;
        return 0;
    }"""
    goal = Goal(frozenset({CheckKind.ASSERT}))
    found = verdicts(Lazy(settings=CHECKED).analyze(compiled(tmp_path, text), goal, Limits(), NullProgress()))
    assert found["7:assert"] is Verdict.VIOLATED
    assert found["8:null-deref"] is Verdict.UNKNOWN
