"""The engine on C programs: what it proves, that it never proves a marked violation, and what it says of the rest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from support.bounds import UNBOUNDED
from support.collection import name_of, programs
from support.judging import never_proves_a_violation

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.boolheap.engine import INPUTS_LOST, BoolHeap
from heapwright.engines.boolheap.predicates.ghost_predicates import ghosts
from heapwright.program.checks import CheckKind, Goal
from heapwright.reproduce.boolheaps.measure import GHOSTS
from heapwright.reproduce.isolated_measurement import program_of
from heapwright.result.outcomes import Result, Verdict
from heapwright.settings.properties import goal_of
from heapwright.testing.expectations import read

POINTERS = frozenset(CheckKind) - {CheckKind.LEAK, CheckKind.ASSERT}
KINDS = BoolHeap.proves - {CheckKind.LEAK}
CLAIMS = (CheckKind.ASSERT, CheckKind.SHAPE)
LISTS = ["create", "delete", "insert", "reverse", "search", "traverse"]


def analysed(path: Path, goal: Goal | None, limits: Limits = UNBOUNDED) -> Result:
    """By default, all is asked that the program's own expectations ask."""
    expected = read(path)
    program = build(expected.input(path), lambda phase: None)
    return run_engine(BoolHeap(), program, goal or goal_of(expected.properties), limits, NullProgress())


def written(
    text: str, tmp_path: Path, predicates: Sequence[str] = (), kinds: frozenset[CheckKind] = POINTERS
) -> Result:
    path = tmp_path / "program.c"
    path.write_text(text)
    program = build(Input((str(path),)), lambda phase: None)
    limits = Limits()
    return run_engine(BoolHeap(predicates), program, Goal(kinds=kinds), limits, NullProgress())


def open_checks(result: Result) -> set[str]:
    return {
        f"{outcome.check.span.line}:{outcome.check.kind.value}"
        for outcome in result.outcomes
        if outcome.verdict is not Verdict.PROVED
    }


def structure(name: str) -> Path:
    (path,) = [path for path in programs() if name_of(path) == name]
    return path


@pytest.mark.exhaustive(3)
@pytest.mark.parametrize("name", LISTS)
def test_lists_are_proved(name: str) -> None:
    result = analysed(structure(f"structures/sll/{name}_ok"), Goal(kinds=POINTERS))
    assert open_checks(result) == set()
    assert int(result.stats["prover_calls"]) < 3_000


@pytest.mark.parametrize("name", ["any_list_ok", "function_ok"])
def test_inputs_are_any_list_that_is_assumed(name: str) -> None:
    result = analysed(structure(f"specs/{name}"), Goal(kinds=KINDS))
    assert open_checks(result) == set()


def test_an_input_may_point_to_what_was_freed(tmp_path: Path) -> None:
    source = """
#include <stdlib.h>
#include <heapwright.h>
struct node { struct node *next; };
int main(void) {
    struct node *x = hw_any_list(next);
    if (x) { struct node *y = x->next; free(x); if (y) y->next = NULL; }
    struct node *z = hw_any();
    if (z) z->next = NULL;
    return 0;
}"""
    assert "9:use-after-free" in open_checks(written(source, tmp_path))


def test_two_inputs_may_share(tmp_path: Path) -> None:
    source = """
#include <assert.h>
#include <stdlib.h>
#include <heapwright.h>
struct node { struct node *next; };
int main(void) {
    struct node *x = hw_any_list(next), *y = hw_any_list(next);
    if (x) { free(x); if (y) y->next = NULL; }
    return 0;
}"""
    assert open_checks(written(source, tmp_path)) == {"8:use-after-free"}


@pytest.mark.slow
def test_every_element_of_the_input_is_in_the_output() -> None:
    """Reverse, with a mark on what the list reached at the beginning."""
    program = program_of("boolheaps", "reverse")
    limits = Limits()
    engine = BoolHeap(ghosts=ghosts(*GHOSTS["reverse"]))
    result = run_engine(engine, program, Goal(kinds=KINDS), limits, NullProgress())
    assert open_checks(result) == set()
    assert "36:assert" in {f"{o.check.span.line}:{o.check.kind.value}" for o in result.outcomes}
    assert 0 < int(result.stats["prover_calls"]) + int(result.stats["remembered"]) < 3_000


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dll_insert", "dll_delete"])
def test_doubly_linked_lists_are_proved(name: str) -> None:
    """Cold and warm; `prev` by field constraints that were inferred."""
    program = program_of("boolheaps", name)
    for _ in range(2):
        limits = Limits()
        result = run_engine(BoolHeap(), program, Goal(kinds=KINDS), limits, NullProgress())
        assert open_checks(result) == set()
    assert result.stats["prover_calls"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["insert", "delete"])
def test_doubly_linked_lists_of_any_length_are_changed_and_freed(name: str) -> None:
    """All that these programs are asked, leaks too. Deletion reads `prev` and `next` of one node again and again, and
    writes through what it found."""
    path = structure(f"structures/dll/{name}_ok")
    result = analysed(path, goal_of(read(path).properties))
    assert {o.check.kind.value for o in result.outcomes if o.verdict is not Verdict.PROVED} <= {"bounds"}
    assert {CheckKind.LEAK, CheckKind.SHAPE} <= {o.check.kind for o in result.outcomes}


def test_a_warm_cache_asks_nothing() -> None:
    first = analysed(structure("lists/unbounded_ok"), Goal(kinds=POINTERS))
    second = analysed(structure("lists/unbounded_ok"), Goal(kinds=POINTERS))
    assert open_checks(first) == open_checks(second) == set()
    assert second.stats["prover_calls"] == 0
    assert int(second.stats["remembered"]) > 0


COUNTED = """
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int count = 0;
    while (__VERIFIER_nondet_int() && count < 1000) {
        count = count + 1;
        assert(count > 0);
    }
    return 0;
}"""


def refined(text: str, tmp_path: Path, most: int) -> Result:
    path = tmp_path / "program.c"
    path.write_text(text)
    program = build(Input((str(path),)), lambda phase: None)
    return run_engine(BoolHeap(refinements=most), program, Goal(kinds=KINDS), Limits(), NullProgress())


def test_an_alarm_suggests_the_predicate_that_settles_it(tmp_path: Path) -> None:
    """Figure 1: that a counter is not negative follows from what it was before."""
    without, found = (refined(COUNTED, tmp_path, most) for most in (0, 2))
    assert {one.split(":")[1] for one in open_checks(without)} == {"assert"}
    assert open_checks(found) == set()
    assert int(found.stats["refinements"]) > 0


@pytest.mark.parametrize(
    ("good", "bad"), [("count > 0", "count > 1"), (" && count < 1000", ""), ("count + 1", "count - 1")]
)
def test_other_counters_are_not_proved(good: str, bad: str, tmp_path: Path) -> None:
    """Without a bound, a counter wraps around."""
    assert good in COUNTED
    assert open_checks(refined(COUNTED.replace(good, bad), tmp_path, 2))


SIGNS = """
#include <assert.h>
#include <stdlib.h>
struct node { struct node *next; int data; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
    struct node *all = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->data = __VERIFIER_nondet_int();
        node->next = all;
        all = node;
    }
    if (all) {
        int data = all->data;
        BETWEEN
        if (data > 0) assert(all->data > 0);
    }
    return 0;
}"""
ASSERTION = "17:assert"


def test_an_integer_that_is_read_says_what_it_was_read_from(tmp_path: Path) -> None:
    """Read and compared in one step, no refinement is needed."""
    assert ASSERTION not in open_checks(refined(SIGNS.replace("BETWEEN", ""), tmp_path, 0))


@pytest.mark.parametrize("between", ["all->data = 0;", "data++;", "all->data = all->data - 1;"])
def test_what_is_written_between_is_not_forgotten(between: str, tmp_path: Path) -> None:
    assert ASSERTION in open_checks(refined(SIGNS.replace("BETWEEN", between), tmp_path, 2))


def test_heaps_are_split_by_what_an_alarm_depends_on(tmp_path: Path) -> None:
    """A step between reading and comparing: the precondition of `0 < data` splits the heaps before it."""
    text = SIGNS.replace("BETWEEN", "struct node *same = all;").replace("assert(all->", "assert(same->")
    assert ASSERTION in open_checks(refined(text, tmp_path, 0))
    found = refined(text, tmp_path, 2)
    assert ASSERTION not in open_checks(found)
    assert int(found.stats["splittings"]) > 0
    assert ASSERTION in open_checks(refined(text.replace("if (data > 0)", "if (data > -1)"), tmp_path, 2))


APPENDED = """
#include <assert.h>
#include <stdlib.h>
#include <heapwright.h>
struct node { struct node *next; };
int main(void) {
    struct node *all = hw_any_list(next), *more = hw_any_list(next);
    hw_assume(hw_disjoint(all, more, next));
    if (all == NULL)
        all = more;
    else {
        struct node *last = all;
        while (last->next)
            last = last->next;
        last->next = more;
    }
    assert(hw_acyclic(all, next));
    return 0;
}"""


def test_two_disjoint_lists_are_appended(tmp_path: Path) -> None:
    """Inputs are split by what the assumption says of every object: none is in both lists."""
    assert open_checks(written(APPENDED, tmp_path, kinds=KINDS)) == set()
    shared = APPENDED.replace("hw_assume(hw_disjoint(all, more, next));", "")
    assert "17:shape" in open_checks(written(shared, tmp_path, kinds=KINDS))


SORTED = """
#include <assert.h>
#include <stdlib.h>
#include <heapwright.h>
struct node { struct node *next; int key; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
    struct node *list = hw_any_list(next);
    hw_assume(hw_sorted(list, next, key));
    struct node *fresh = malloc(sizeof *fresh), *before = NULL, *at = list;
    fresh->key = __VERIFIER_nondet_int();
    while (at != NULL && at->key < fresh->key) {
        before = at;
        at = at->next;
    }
    fresh->next = at;
    if (before)
        before->next = fresh;
    else
        list = fresh;
    assert(hw_sorted(list, next, key));
    return 0;
}"""


@pytest.mark.slow
def test_a_list_stays_sorted(tmp_path: Path) -> None:
    assert open_checks(refined(SORTED, tmp_path, 2)) == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("good", "bad"), [("at->key < fresh->key", "at->key > fresh->key"), ("fresh->next = at;", "fresh->next = before;")]
)
def test_a_list_that_is_not_sorted_is_not_proved(good: str, bad: str, tmp_path: Path) -> None:
    assert good in SORTED
    assert "21:shape" in open_checks(refined(SORTED.replace(good, bad), tmp_path, 2))


@pytest.mark.slow
def test_a_key_that_was_searched_for_is_there() -> None:
    """That a key equals the one that is looked for becomes a predicate by what the alarm lacks."""
    path = structure("structures/sll/search_ok")
    program = build(read(path).input(path), lambda phase: None)
    limits = Limits()
    result = run_engine(BoolHeap(refinements=2), program, Goal(kinds=KINDS), limits, NullProgress())
    assert open_checks(result) == set()
    assert 0 < int(result.stats["refinements"]) <= 2


def test_refinement_proves_no_false_assertion(tmp_path: Path) -> None:
    result = written(
        """
#include <assert.h>
#include <stdlib.h>
struct node { struct node *next; int seen; };
int main(void) {
    struct node *x = malloc(sizeof *x), *y = malloc(sizeof *y);
    x->next = y; x->seen = 1; y->next = NULL; y->seen = 2;
    for (struct node *n = x; n; n = n->next)
        assert(n->seen == 1);
    return 0;
}""",
        tmp_path,
        kinds=KINDS,
    )
    assert open_checks(result) == {"9:assert"}


# --- violations ------------------------------------------------------------------------------------------------------

BAD = [path for path in programs() if read(path).bad]
FEW = (
    "globals/kept_bad_cleanup",
    "lists/build_free",
    "lists/reverse",
    "memory/free_junk",
    "structures/sll/delete",
    "structures/sll/traverse",
    "trees/search_bad",
)


def proves_no_mark(path: Path, states: int) -> None:
    never_proves_a_violation(read(path), analysed(path, None, Limits(states=states)))


@pytest.mark.exhaustive(5)
@pytest.mark.parametrize("path", [p for p in BAD if name_of(p).startswith(FEW)], ids=name_of)
def test_bugs_are_not_proved_away(path: Path) -> None:
    proves_no_mark(path, 200)


@pytest.mark.slow
@pytest.mark.exhaustive(9)
@pytest.mark.parametrize("path", [p for p in BAD if not name_of(p).startswith((*FEW, "structures"))], ids=name_of)
def test_no_bug_is_proved_away(path: Path) -> None:
    proves_no_mark(path, 40)


@pytest.mark.long
@pytest.mark.parametrize("path", [p for p in BAD if not name_of(p).startswith(FEW)], ids=name_of)
def test_no_bug_is_proved_away_with_more_time(path: Path) -> None:
    proves_no_mark(path, 200)


# --- leaks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["create", "reverse", "delete"])
def test_lists_that_are_freed_do_not_leak(name: str) -> None:
    result = analysed(structure(f"structures/sll/{name}_ok"), Goal(kinds=frozenset({*POINTERS, CheckKind.LEAK})))
    assert open_checks(result) == set()
    assert any(o.check.kind is CheckKind.LEAK for o in result.outcomes)


@pytest.mark.exhaustive(14)
@pytest.mark.parametrize(
    "lost",
    [
        "list->next = NULL;",
        "list = NULL;",
        "list = list->next; list->next = NULL;",
        "struct node *more = malloc(sizeof *more); more->next = NULL;",
        "free(list); list = NULL;",
        "struct node *more = malloc(sizeof *more); more->next = more; more = NULL;",
        "struct node *more = malloc(sizeof *more); more->next = NULL; list = more;",
        "struct node *rest = list->next; free(list); list = rest->next;",
        "struct node *kept = list; list = list->next;",
        "list->next = malloc(sizeof *list); list->next->next = NULL;",
        "list->next->next = list->next; list->next = NULL;",
        "for (int i = 0; i < 3; i++) { struct node *more = malloc(sizeof *more); more->next = list; }",
        "while (any()) { struct node *more = malloc(sizeof *more); more->next = NULL; list->next->next = more; }",
        "struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b); a->next = b; b->next = a; a = b = NULL;",
        "cut(list);",
        "make(NULL);",
        "kept = make(NULL); kept = list; kept = NULL;",
        "kept = list; list = list->next; kept = NULL;",
        "if (any()) return 1;",
        "if (any()) list = make(list->next);",
        "struct node *last = list; while (last->next) last = last->next; last = make(NULL);",
    ],
)
def test_what_is_lost_is_not_proved_away(lost: str, tmp_path: Path) -> None:
    source = f"""
#include <stdlib.h>
extern int any(void);
struct node {{ struct node *next; }};
static struct node *kept;
static void cut(struct node *at) {{ at->next = NULL; }}
static struct node *make(struct node *rest) {{ struct node *x = malloc(sizeof *x); x->next = rest; return x; }}
int main(void) {{
    struct node *list = malloc(sizeof *list);
    list->next = malloc(sizeof *list);
    list->next->next = NULL;
    {lost}
    while (list) {{ struct node *next = list->next; free(list); list = next; }}
    return 0;
}}"""
    result = written(source, tmp_path, kinds=BoolHeap.proves)
    assert any(o.check.kind is CheckKind.LEAK and o.verdict is not Verdict.PROVED for o in result.outcomes)
    whole = written(source.replace(lost, ""), tmp_path, kinds=BoolHeap.proves)
    assert open_checks(whole) == set()


def test_of_inputs_that_are_lost_nothing_is_said(tmp_path: Path) -> None:
    source = """
#include <stdlib.h>
#include <heapwright.h>
struct node { struct node *next; };
int main(void) { struct node *list = hw_any_list(next); list = NULL; return list != NULL; }"""
    leaks = [o for o in written(source, tmp_path, kinds=BoolHeap.proves).outcomes if o.check.kind is CheckKind.LEAK]
    assert leaks
    assert {(o.verdict, o.reason, o.path) for o in leaks} == {(Verdict.UNKNOWN, INPUTS_LOST, ())}


# --- cycles ----------------------------------------------------------------------------------------------------------

HEAD = """
#include <assert.h>
#include <stdlib.h>
#include <heapwright.h>
struct node { struct node *next; };
struct box { struct node *first; };
static struct node *head;
extern int any(void);
static void join(struct node *from, struct node *to) { from->next = to; }
static void close_up(struct node *list, struct node *to) { while (list->next) list = list->next; list->next = to; }
static struct node *pushed(struct node *list, struct node *first) { first->next = list; return first; }
int main(void) {
    struct node *x = malloc(sizeof *x), *y = malloc(sizeof *y);
    x->next = y; y->next = NULL;
"""
CYCLES = {
    "itself": "x->next = x;",
    "back": "y->next = x;",
    "by another name": "struct node *z = x; y->next = z;",
    "after a step": "x->next->next = x;",
    "at the end": "struct node *last = x; while (last->next) last = last->next; last->next = x;",
    "to the middle": "struct node *z = malloc(sizeof *z); z->next = y; y->next = z;",
    "in a function": "join(y, x);",
    "by two stores": "x->next = NULL; y->next = x; x->next = y;",
    "new object": "struct node *z = malloc(sizeof *z); z->next = x; y->next = z;",
    "one branch only": "if (hw_any_int()) y->next = x;",
    "in a loop": "while (hw_any_int()) { struct node *t = x; x = y; y = t; x->next = y; }",
    "undone and done again": "y->next = x; y->next = NULL; x->next->next = x;",
    "appended to itself": "struct node *p = x, *q = x; while (p->next) p = p->next; p->next = q->next;",
    "reversed halfway": "struct node *second = x->next; second->next = x;",
    "by heads that are swapped": "struct node *t = x; x = y; y = t; x->next = y;",
    "by fields that are swapped": "struct node *t = x->next; x->next = y->next; y->next = t; x = y;",
    "in a function that looks for the end": "close_up(x, x);",
    "by what a function returns": "x = pushed(x, y); y->next = x;",
    "by a global": "head = x; y->next = head;",
    "by a field of another object": "struct box *b = malloc(sizeof *b); b->first = x; y->next = b->first;",
    "where there was another object": "free(y); y = malloc(sizeof *y); y->next = x; x->next = y;",
    "around what was freed": "struct node *z = malloc(sizeof *z); y->next = z; free(z); y->next = x;",
    "by links that a loop turns": "struct node *p = y; while (any()) { p->next = x; p = p->next; }",
}


@pytest.mark.exhaustive(4)
@pytest.mark.parametrize("way", CYCLES)
def test_a_cycle_is_not_proved_acyclic(way: str, tmp_path: Path) -> None:
    source = f"{HEAD} {CYCLES[way]}\n assert(hw_acyclic(x, next));\n return 0; }}"
    result = written(source, tmp_path, kinds=frozenset(CheckKind))
    assert Verdict.PROVED not in {o.verdict for o in result.outcomes if o.check.kind in CLAIMS}


def test_a_ring_of_an_input_is_not_proved_acyclic(tmp_path: Path) -> None:
    source = f"{HEAD} struct node *z = hw_any_cyclic(next); assert(hw_acyclic(z, next)); return 0; }}"
    result = written(source, tmp_path, kinds=frozenset(CheckKind))
    assert Verdict.PROVED not in {o.verdict for o in result.outcomes if o.check.kind in CLAIMS}


BACKWARDS = """
#include <assert.h>
#include <stdlib.h>
#include <heapwright.h>
struct node { struct node *next, *prev; };
int main(void) {
    struct node *x = malloc(sizeof *x), *y = malloc(sizeof *y);
    x->next = y; x->prev = NULL; y->next = NULL; y->prev = x;
"""


@pytest.mark.exhaustive(2)
@pytest.mark.parametrize(
    "way", ["y->next = x; x->prev = y;", "x->prev->next = x;", "y->next = y->prev;", "y->prev->next = x;"]
)
def test_a_doubly_linked_ring_is_not_proved_to_be_a_list(way: str, tmp_path: Path) -> None:
    source = f"{BACKWARDS} {way}\n assert(hw_dll(x, next, prev));\n return 0; }}"
    result = written(source, tmp_path, kinds=frozenset(CheckKind))
    if "x->prev->" in way:  # fails before it builds anything
        assert any(o.verdict is not Verdict.PROVED and o.check.span.line == 9 for o in result.outcomes)
    else:
        assert Verdict.PROVED not in {o.verdict for o in result.outcomes if o.check.kind in CLAIMS}


def test_a_list_without_a_cycle_is_proved_acyclic(tmp_path: Path) -> None:
    result = written(f"{HEAD} assert(hw_acyclic(x, next));\n return 0; }}", tmp_path, kinds=frozenset(CheckKind))
    assert {o.verdict for o in result.outcomes if o.check.kind in CLAIMS} == {Verdict.PROVED}


# --- names that mean something else ----------------------------------------------------------------------------------


def test_variables_may_be_called_as_the_formulas_call_things(tmp_path: Path) -> None:
    source = """
#include <stdlib.h>
struct node { struct node *next; };
int main(void) {
    struct node *v = malloc(sizeof *v), *fresh = malloc(sizeof *fresh), *junk = v, *null = fresh;
    v->next = fresh; fresh->next = NULL; junk->next->next = null;
    free(v);
    return null->next != fresh || v->next == fresh;
}"""
    assert open_checks(written(source, tmp_path)) == {"8:use-after-free"}


DESCENT = """
#include <stdlib.h>
#include "heapwright.h"
struct t { struct t *left, *right; };
int main(void) {
    struct t *x = hw_any();
    if (x && x->left)
        x->right->left = NULL;
    return 0;
}
"""


@pytest.mark.parametrize(
    "predicates",
    [
        ("v.left = null | alive(v.right)", "v.left = null"),
        ("null = v.left | alive(v.right)", "alive(v.left)"),
        ("v.left = null | alive(v.left.right)", "v.right = null"),
        ("alive(v.right) | v.right = null", "v.left = null | v.right != null", "v.left = null"),
        ("v.left.right = v.right | alive(v.right)", "v.left = null | v.left != v.right"),
        ("reach(v, null, right) | alive(v.right)", "!reach(v, null, right)", "v.left = null"),
    ],
)
def test_no_user_predicate_is_believed_of_inputs(predicates: Sequence[str], tmp_path: Path) -> None:
    assert open_checks(written(DESCENT, tmp_path, predicates)) == {"8:null-deref"}


def test_many_integers_are_read_for_one_step(tmp_path: Path) -> None:
    """The choice of a step has its place among its commands, however many wait before it."""
    text = """
#include <assert.h>
#include <stdlib.h>
struct pair { int first, second; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
    struct pair *pair = malloc(sizeof *pair);
    pair->first = pair->second = 1;
    int first = pair->first, second = pair->second, third = __VERIFIER_nondet_int();
    assert(third > 5);
    return first + second;
}"""
    assert open_checks(refined(text, tmp_path, 0)) == {"10:assert"}
