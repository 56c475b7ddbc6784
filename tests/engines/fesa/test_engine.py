"""The engine as a whole: what it says of alarms, leaks, limits and what it does not follow; pictures and options."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, analyze, build
from heapwright.base.errors import UsageError
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.fesa.engine import Fesa, NumericKind
from heapwright.engines.kit.iteration_order import loops_first
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.result.outcomes import Outcome, Verdict

LIST = """\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };

int main(void) {
    struct node *x = NULL;
    for (int i = __VERIFIER_nondet_int(); i > 0; i--) {
        struct node *y = malloc(sizeof *y);
        y->next = x;
        x = y;
    }
    x = x->next;
    return 0;
}
"""
DIAMOND = """\
#include <stdlib.h>
#include <heapwright.h>
struct tree { struct tree *left, *right; };
static struct tree *mk(struct tree *left, struct tree *right) {
    struct tree *t = malloc(sizeof *t);
    t->left = left;
    t->right = right;
    return t;
}
int main(void) {
    struct tree *d = mk(0, 0), *a = mk(mk(d, 0), mk(d, 0));
    d = 0;
    hw_fesa_summarize(a);
    while (a) {
        if (!a->left) { struct tree *t = a->right; free(a); a = t; }
        else { struct tree *l = a->left; a->left = l->right; l->right = a; a = l; }
    }
    return 0;
}
"""


def built(tmp_path: Path, text: str) -> Program:
    path = tmp_path / "program.c"
    path.write_text(text, encoding="utf-8")
    return build(Input((str(path),)), lambda phase: None)


def of_kind(outcomes: tuple[Outcome, ...], kind: CheckKind) -> list[Outcome]:
    return [outcome for outcome in outcomes if outcome.check.kind is kind]


def test_an_alarm_has_a_path_and_pictures(tmp_path: Path) -> None:
    result = run_engine(Fesa(), built(tmp_path, LIST), Goal(), Limits(), NullProgress())
    (alarm,) = [o for o in of_kind(result.outcomes, CheckKind.NULL_DEREF) if o.verdict is Verdict.UNKNOWN]
    assert alarm.check.span.line == 12
    assert alarm.path
    lines = [step.span.line for step in alarm.trace]
    assert lines[0] == 6
    assert lines[-1] == 12
    assert alarm.trace[-1].text == "x = x->next;"
    assert all(step.heap is not None for step in alarm.trace)
    last = alarm.trace[-1].heap
    assert last is not None
    assert not last.nodes  # nothing was allocated where x is null


def test_a_lost_object_is_an_alarm_where_it_is_lost(tmp_path: Path) -> None:
    result = run_engine(Fesa(), built(tmp_path, LIST), Goal(), Limits(), NullProgress())
    leaks = of_kind(result.outcomes, CheckKind.LEAK)
    lines = {verdict: {one.check.span.line for one in leaks if one.verdict is verdict} for verdict in Verdict}
    assert 12 in lines[Verdict.UNKNOWN]
    assert 9 in lines[Verdict.PROVED] - lines[Verdict.UNKNOWN]


def test_a_diamond_is_told_from_a_tree_and_the_run_is_shown(tmp_path: Path) -> None:
    goal = Goal(kinds=frozenset(CheckKind) - {CheckKind.LEAK})
    program = built(tmp_path, DIAMOND)
    limits = Limits()
    result = analyze(program, goal, "fesa", limits, NullProgress())
    open_ = [outcome for outcome in result.outcomes if outcome.verdict is not Verdict.PROVED]
    assert [(outcome.check.kind, outcome.verdict) for outcome in open_] == [
        (CheckKind.USE_AFTER_FREE, Verdict.VIOLATED)
    ]
    assert open_[0].run is not None
    assert open_[0].run.exact


def test_what_it_does_not_follow_is_said(tmp_path: Path) -> None:
    text = """#include <stdlib.h>
    int main(void) { for (int i = 0; i < 2; i++) { int **a = calloc(9, sizeof *a); free(a); } return 0; }
    """
    result = run_engine(Fesa(), built(tmp_path, text), Goal(), Limits(), NullProgress())
    assert not result.complete
    assert "program.c:2:" in result.limit
    assert {outcome.verdict for outcome in result.outcomes} == {Verdict.UNKNOWN}
    assert {outcome.reason for outcome in result.outcomes} == {result.limit}


def test_nothing_is_proved_when_time_is_up(tmp_path: Path) -> None:
    result = run_engine(Fesa(), built(tmp_path, LIST), Goal(), Limits(deadline=time.monotonic()), NullProgress())
    assert not result.complete
    assert {outcome.verdict for outcome in result.outcomes} == {Verdict.UNKNOWN}


def test_what_lies_behind_a_check_outside_the_goal_that_may_fail_is_open(tmp_path: Path) -> None:
    goal = Goal(kinds=frozenset({CheckKind.USE_AFTER_FREE}))
    result = run_engine(Fesa(), built(tmp_path, LIST), goal, Limits(), NullProgress())
    reasons = {outcome.reason for outcome in result.outcomes if outcome.verdict is Verdict.UNKNOWN}
    assert any("the null-deref check at" in reason and "is not selected and may fail" in reason for reason in reasons)


@pytest.mark.parametrize("numeric", ["sat", "pairs"])
def test_other_domains_prove_no_more(tmp_path: Path, numeric: NumericKind) -> None:
    program = built(tmp_path, LIST)
    kinds: tuple[NumericKind, ...] = ("bdd", numeric)
    exact, other = (run_engine(Fesa(numeric=n), program, Goal(), Limits(), NullProgress()).outcomes for n in kinds)
    proved = [{o.check.id for o in found if o.verdict is Verdict.PROVED} for found in (exact, other)]
    assert proved[1] <= proved[0]
    assert numeric == "pairs" or proved[1] == proved[0]


def test_a_solver_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    monkeypatch.delitem(sys.modules, "heapwright.engines.fesa.numeric.sat", raising=False)
    with pytest.raises(UsageError, match="python-sat"):
        run_engine(Fesa(numeric="sat"), built(tmp_path, LIST), Goal(), Limits(), NullProgress())


def test_a_function_that_grows_too_large_is_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from heapwright.engines.fesa.graph.abstract_heap import home
    from heapwright.engines.fesa.numeric import bdd

    monkeypatch.setattr("heapwright.engines.fesa.engine.NUMERIC", {"bdd": lambda: bdd.Diagrams(home, nodes=150)})
    result = run_engine(Fesa(), built(tmp_path, LIST), Goal(), Limits(), NullProgress())
    assert "decision diagram" in result.limit
    assert {outcome.verdict for outcome in result.outcomes} == {Verdict.UNKNOWN}


def test_pictures_show_the_graph_and_the_roles(tmp_path: Path) -> None:
    program = built(tmp_path, LIST)
    result = run_engine(Fesa(), program, Goal(pictures=True), Limits(), NullProgress())
    at_head = [result.invariants[head] for head in program.graph.loop_heads]
    graph, *roles = next(pictures for pictures in at_head if len(pictures) > 1)
    assert any(node.summary for node in graph.nodes)
    names = {fact.text for role in roles for fact in role.facts}
    assert any("at x" in name for name in names)
    assert any("inner" in name for name in names)


def test_loops_are_stable_before_what_follows(tmp_path: Path) -> None:
    program = built(tmp_path, LIST)
    order = loops_first(program.graph)
    assert sorted(order) == sorted(program.graph.postorder)
    place = {location: number for number, location in enumerate(order)}
    line = {location: program.graph.locations[location].span.line for location in order}
    inside = [place[location] for location in order if line[location] in (8, 9, 10)]
    after = [place[location] for location in order if line[location] in (12, 13)]
    assert max(inside) < min(after)
