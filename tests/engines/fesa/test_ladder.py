"""The ladder of widenings: further cursors on a list cost little, and what one step leaves open another one proves."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.fesa import ladder
from heapwright.engines.fesa.engine import NUMERIC, Fesa
from heapwright.engines.fesa.fixpoint import Analysis
from heapwright.engines.fesa.graph.abstract_heap import Instrumentation
from heapwright.engines.fesa.graph.widening import APART, JOINS, LADDER, LOOPS, NAMED, TYPES, Rule
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.result.outcomes import Verdict

POINTERS = frozenset(CheckKind) - {CheckKind.LEAK, CheckKind.SHAPE, CheckKind.ASSERT}
HEAD = """\
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *prev; };
int main(void) {
    struct node *x = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = x;
        fresh->prev = NULL;
        BACK
        x = fresh;
    }
"""
FREED = "while (x) { struct node *rest = x->next; free(x); x = rest; }\n"


def in_turns(names: list[str]) -> str:
    """Each cursor is at the head at first; which ones move is open."""
    starts = "".join(f"struct node *{name} = x;\n" for name in names)
    moves = "".join(f"if ({name} && __VERIFIER_nondet_int()) {name} = {name}->next;\n" for name in names)
    return f"{starts} while (__VERIFIER_nondet_int()) {{ {moves} }}"


def nested(names: list[str]) -> str:
    """Each cursor walks on from the one of the loop around."""
    loops = [
        f"for (struct node *{name} = {start}; {name}; {name} = {name}->next) {{"
        for name, start in zip(names, ["x", *names], strict=False)
    ]
    return "\n".join(loops) + "}" * len(names)


def one_behind_the_other(names: list[str]) -> str:
    starts = "".join(f"struct node *{name} = {'x' if name == names[0] else '0'};\n" for name in names)
    follows = "".join(f"{last} = {before};\n" for last, before in list(zip(names[1:], names, strict=False))[::-1])
    uses = "".join(f"if ({name}) {name}->next = {name}->next;\n" for name in names)
    return f"{starts} while ({names[0]}) {{ {follows} {names[0]} = {names[0]}->next; }} {uses}"


def built(tmp_path: Path, body: str, back: str = "") -> Program:
    path = tmp_path / "program.c"
    path.write_text(f"{HEAD.replace('BACK', back)}{body}\n{FREED}return 0; }}\n", encoding="utf-8")
    return build(Input((str(path),)), lambda phase: None)


def analysed(program: Program, rule: Rule) -> Analysis[object]:
    analysis: Analysis[object] = Analysis(
        program, NUMERIC["bdd"](), Instrumentation(), Limits(states=3000), NullProgress(), rule
    )
    analysis.run()
    return analysis


def open_checks(program: Program) -> set[CheckKind]:
    result = run_engine(Fesa(), program, Goal(kinds=POINTERS), Limits(states=3000), NullProgress())
    return {outcome.check.kind for outcome in result.outcomes if outcome.verdict is not Verdict.PROVED}


@pytest.mark.parametrize("walk", [in_turns, nested, one_behind_the_other])
@pytest.mark.parametrize("back", ["", "if (x) x->prev = fresh;"], ids=["singly", "doubly"])
def test_a_further_cursor_costs_less_than_three_times(
    walk: Callable[[list[str]], str], back: str, tmp_path: Path
) -> None:
    """Work is what went through projections, in nodes of diagrams."""
    work = []
    for number in range(1, 5):
        program = built(tmp_path, walk([f"c{place}" for place in range(number)]), back)
        analysis = analysed(program, TYPES)
        assert analysis.complete
        assert not {check.id for check in program.checks if check.kind in POINTERS} & set(analysis.alarms())
        work.append(analysis.domain.sizes.rest)
    assert all(more <= 3 * less for less, more in pairwise(work)), work


def test_nested_loops_are_followed_in_turns(tmp_path: Path) -> None:
    """If each loop were stable before the one around it, the innermost would be iterated four times in each turn."""
    analysis = analysed(built(tmp_path, nested(["a", "b", "c", "d"])), TYPES)
    assert analysis.complete
    assert max(analysis.visits.values()) < 30


RING = """\
if (x) {
    struct node *last = x;
    while (last->next) last = last->next;
    last->next = x;
    struct node *rest = x->next;
    while (rest != x) { struct node *t = rest->next; free(rest); rest = t; }
    free(x);
    x = 0;
}
"""
REMOVED = """\
struct node *at = x;
while (at && __VERIFIER_nondet_int()) at = at->next;
if (at) {
    if (at->prev) at->prev->next = at->next; else x = at->next;
    if (at->next) at->next->prev = at->prev;
    free(at);
}
"""


@pytest.mark.parametrize(
    ("body", "back", "first"),
    [
        ("", "", TYPES),
        (REMOVED, "if (x) x->prev = fresh;", LOOPS),
        (RING, "", APART),
    ],
    ids=["list", "removal", "ring"],
)
def test_the_first_step_that_proves_all(body: str, back: str, first: Rule, tmp_path: Path) -> None:
    program = built(tmp_path, body, back)
    for rule in LADDER[: LADDER.index(first) + 1]:
        analysis = analysed(program, rule)
        assert analysis.complete
        open_ = {check.kind for check in program.checks if check.id in analysis.alarms()} & POINTERS
        assert bool(open_) == (rule != first)
    assert open_checks(program) == set()


SIGNS = """\
struct node { struct node *next; int sign; };
int main(void) {
    struct node *up = 0, *down = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        if (__VERIFIER_nondet_int()) { fresh->sign = 1; fresh->next = up; up = fresh; }
        else { fresh->sign = DOWN; fresh->next = down; down = fresh; }
    }
    while (down) { struct node *rest = down->next; assert(down->sign != 1); free(down); down = rest; }
    while (up) { struct node *rest = up->next; assert(up->sign == 1); free(up); up = rest; }
    return 0;
}
"""


@pytest.mark.parametrize("other", [-1, 1])
def test_lists_that_branches_of_a_loop_push_onto_are_told_apart_at_joins(other: int, tmp_path: Path) -> None:
    path = tmp_path / "signs.c"
    headers = HEAD[: HEAD.index("struct node")]
    path.write_text(headers + SIGNS.replace("DOWN", str(other)), encoding="utf-8")
    program = build(Input((str(path),)), lambda phase: None)
    asserted = [check.id for check in program.checks if check.kind is CheckKind.ASSERT]
    for rule in LADDER:
        alarms = set(analysed(program, rule).alarms()) & set(asserted)
        assert len(alarms) == (1 if other == 1 else 0 if rule == JOINS else 2)


def test_no_step_proves_a_use_after_free(tmp_path: Path) -> None:
    body = "struct node *c = x; while (c && __VERIFIER_nondet_int()) c = c->next; if (c) free(c);"
    program = built(tmp_path, body)
    assert open_checks(program) == {CheckKind.USE_AFTER_FREE}
    for rule in LADDER:
        analysis = analysed(program, rule)
        kinds = {check.kind for check in program.checks if check.id in analysis.alarms()}
        assert kinds >= {CheckKind.USE_AFTER_FREE}


@pytest.fixture
def analyses(monkeypatch: pytest.MonkeyPatch) -> list[Analysis[object]]:
    """Those that run, in order."""
    found: list[Analysis[object]] = []
    run = Analysis.run

    def noted(self: Analysis[object]) -> None:
        found.append(self)
        run(self)

    monkeypatch.setattr(Analysis, "run", noted)
    return found


def test_a_step_that_takes_much_more_work_than_the_first_is_left_out(
    analyses: list[Analysis[object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = built(tmp_path, REMOVED, "if (x) x->prev = fresh;")
    assert open_checks(program) == set()
    monkeypatch.setattr(ladder, "FIRST", {TYPES: 10**6, LOOPS: 0, NAMED: 0})
    monkeypatch.setattr(ladder, "SIMILAR", 0)
    monkeypatch.setattr(ladder, "FINER", 0)
    assert open_checks(program) != set()


def test_what_a_program_with_an_error_costs_is_bounded_by_its_cheapest_analysis(
    analyses: list[Analysis[object]], tmp_path: Path
) -> None:
    """Those before one came to its end have bounds of their own."""
    body = "struct node *c = x; while (c && __VERIFIER_nondet_int()) c = c->next; if (c) free(c);"
    assert open_checks(built(tmp_path, body, "if (x) x->prev = fresh;")) == {CheckKind.USE_AFTER_FREE}
    assert {one.rule for one in analyses} == set(LADDER)
    least = analyses[0].work()
    for one in analyses:
        assert one.most_work is not None
        assert one.most_work <= max(ladder.FIRST[NAMED], ladder.FINER * least)
        least = min(least, one.work())


def test_a_program_whose_first_analysis_meets_its_bound_is_proved(
    analyses: list[Analysis[object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "FIRST", {TYPES: 0, LOOPS: 0, NAMED: 0})
    assert open_checks(built(tmp_path, REMOVED, "if (x) x->prev = fresh;")) == set()
    assert [one.rule for one in analyses] == [TYPES, LOOPS, NAMED, TYPES, NAMED]


@pytest.mark.parametrize(("back", "holds"), [("if (x) x->prev = fresh;", True), ("", False)])
def test_fields_that_only_a_shape_reads_are_left_to_a_second_climb(
    back: str, holds: bool, analyses: list[Analysis[object]], tmp_path: Path
) -> None:
    program = built(tmp_path, "assert(hw_dll(x, next, prev));", back)
    result = run_engine(Fesa(), program, Goal(), Limits(states=3000), NullProgress())
    open_ = {outcome.check.kind for outcome in result.outcomes if outcome.verdict is not Verdict.PROVED}
    assert open_ == (set() if holds else {CheckKind.SHAPE})
    read = [len(one.transfer.read) for one in analyses]
    assert read == sorted(read)
    assert set(read) == {1, 2}
    second = [one for one in analyses if len(one.transfer.read) == 2]
    least = min(one.work() for one in analyses if one not in second)
    assert all((one.most_work or 0) <= max(ladder.LAST, ladder.MUCH * least) for one in second)


def test_a_smaller_set_of_fields_is_not_tried_for_a_leak_that_all_fields_show(
    analyses: list[Analysis[object]], tmp_path: Path
) -> None:
    program = built(tmp_path, "x = NULL;", "if (x) x->prev = fresh;")
    run_engine(Fesa(), program, Goal(kinds=frozenset({CheckKind.LEAK})), Limits(states=3000), NullProgress())
    sets = [len(one.transfer.acyclic) for one in analyses if one.rule == TYPES]
    assert len(sets) <= 2


MARKED = """\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; int state; };
static struct tree *grown(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int()) {
        struct tree *node = malloc(sizeof *node);
        node->left = node->right = NULL;
        node->state = 0;
        if (!root) { root = node; continue; }
        struct tree *at = root;
        for (;;) {
            if (__VERIFIER_nondet_int()) { if (!at->left) { at->left = node; break; } at = at->left; }
            else { if (!at->right) { at->right = node; break; } at = at->right; }
        }
    }
    return root;
}
int main(void)
{
    struct tree *root = grown(), *at = root, *back = NULL;
    while (at || back) {
        if (!at || at->state == 2) {
            struct tree *parent = back;
            if (!parent) break;
            if (parent->state == 0) {
                parent->state = 1;
                struct tree *next = parent->right;
                parent->right = parent->left;
                parent->left = at;
                at = next;
            } else {
                back = parent->right;
                parent->right = at;
                parent->state = 2;
                at = parent;
            }
        } else {
            struct tree *next = at->left;
            at->left = back;
            back = at;
            at = next;
        }
    }
    return 0;
}
"""


def test_a_tree_is_marked_with_its_own_pointers_for_a_stack(analyses: list[Analysis[object]], tmp_path: Path) -> None:
    """The algorithm of Schorr and Waite, in half a second of an idle processor."""
    path = tmp_path / "marked.c"
    path.write_text(MARKED, encoding="utf-8")
    assert open_checks(build(Input((str(path),)), lambda phase: None)) == set()
    assert sum(one.work() for one in analyses) < 1_000_000
