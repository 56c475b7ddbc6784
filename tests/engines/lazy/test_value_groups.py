"""What structures know of the data of an object reaches the predicates, and stores see what predicates know: programs
whose proof needs both, each with a twin that is wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from engines.lazy.programs import CHECKED, analysed, broken, compiled, searched, undecided
from support.bounds import bounded
from support.judging import heaps_described

from heapwright.engines.lazy.logic.terms import cell, eq, le, num, var
from heapwright.engines.lazy.precision.tracking_definition import NodePredicate
from heapwright.program.checks import CheckKind, Goal
from heapwright.result.outcomes import ProgramVerdict

ASSERTIONS = Goal(frozenset({CheckKind.ASSERT}))
LISTS = """extern int more(void);
static struct node *cons(int v, struct node *rest) {
    struct node *p = malloc(sizeof *p);
    p->h = v;
    p->n = rest;
    return p;
}
"""
LAST = """int main(void) {
    struct node *l = NULL;
    while (more()) l = cons(3, l);
    int last = 3;
    for (struct node *p = l; p; p = p->n) last = p->h;
    assert(last == EXPECTED);
}"""
COPY = """int main(void) {
    struct node *l = NULL, *m = NULL;
    while (more()) l = cons(1, l);
    for (struct node *p = l; p; p = p->n) m = cons(COPIED, m);
    for (struct node *q = m; q; q = q->n) assert(q->h == 1);
}"""
APART = """int main(void) {
    struct node *l = NULL;
    struct item { int key; struct item *next; } *m = NULL;
    while (more()) l = cons(1, l);
    for (struct node *p = l; p; p = p->n) {
        struct item *x = malloc(sizeof *x);
        x->key = p->h + 1;
        x->next = m;
        m = x;
    }
    for (struct item *q = m; q; q = q->next) assert(q->key == EXPECTED);
}"""
INCREMENT = """int main(void) {
    struct node *l = NULL;
    while (more()) l = cons(1, l);
    for (struct node *p = l; p; p = p->n) STEP
    for (struct node *p = l; p; p = p->n) assert(p->h == 2);
}"""
SWAP = """int main(void) {
    struct node *a = NULL, *b = NULL;
    while (more()) { a = cons(1, a); b = cons(2, b); }
    for (struct node *p = a, *q = b; p && q; p = p->n, q = q->n) { int t = p->h; p->h = q->h; q->h = t; }
    if (a && b) assert(a->h == FIRST && b->h == 1);
}"""
INTERVALS = """struct interval { int lo, hi; struct interval *n; };
int main(void) {
    struct interval *l = NULL;
    while (more()) {
        struct interval *p = malloc(sizeof *p);
        int a = more(), b = more();
        if (a > b) { int t = a; a = b; b = t; }
        p->lo = LOW;
        p->hi = b;
        p->n = l;
        l = p;
    }
    for (struct interval *p = l; p; p = p->n) assert(p->lo <= p->hi);
}"""
LOWERED = """static int bound = 3;
int main(void) {
    struct node *l = NULL;
    while (more()) l = cons(more() ? 3 : 2, l);
    for (struct node *p = l; p; p = p->n) { LATER }
    for (struct node *p = l; p; p = p->n) assert(p->h <= bound);
}"""
MAXIMUM = """int main(void) {
    struct node *l = NULL;
    int max = 0;
    while (more()) { int v = more(); if (TEST) max = v; l = cons(v, l); }
    for (struct node *p = l; p; p = p->n) assert(p->h <= max);
}"""
MAXIMUM_LATER = """int main(void) {
    struct node *l = NULL;
    while (more()) l = cons(more(), l);
    int max = 0;
    for (struct node *p = l; p; p = p->n) if (p->h > TEST) max = p->h;
    for (struct node *p = l; p; p = p->n) assert(p->h <= max);
}"""
CASES = [
    pytest.param(LAST, "EXPECTED", "3", "4", id="last"),
    pytest.param(COPY, "COPIED", "p->h", "p->h + !more()", id="copy"),
    pytest.param(APART, "EXPECTED", "2", "1", id="copy to another type"),
    pytest.param(INCREMENT, "STEP", "p->h = p->h + 1;", "{ if (more()) p->h = p->h + 1; }", id="increment"),
    pytest.param(SWAP, "FIRST", "2", "1", id="swap"),
    pytest.param(INTERVALS, "LOW", "a", "a + (b == 7)", id="intervals"),
    pytest.param(LOWERED, "LATER", "", "bound = p->h;", id="a load into a variable of a predicate"),
    pytest.param(MAXIMUM, "TEST", "v > max", "v > max + 1", id="maximum"),
    pytest.param(MAXIMUM_LATER, "TEST", "max", "max + 1", id="maximum of a list"),
]


@pytest.mark.exhaustive(2)
@pytest.mark.parametrize(("text", "hole", "right", "wrong"), CASES)
@pytest.mark.slow
def test_proved_and_refuted(text: str, hole: str, right: str, wrong: str, tmp_path: Path) -> None:
    safe = analysed(compiled(tmp_path, LISTS + text.replace(hole, right)), ASSERTIONS)
    assert safe.verdict is ProgramVerdict.SAFE, undecided(safe)
    unsafe = analysed(
        compiled(tmp_path, LISTS + text.replace(hole, wrong)), ASSERTIONS, limits=replace(bounded("lazy"), states=2_000)
    )
    assert {name.partition(":")[2] for name in broken(unsafe)} == {"assert"}


@pytest.mark.slow
@pytest.mark.parametrize(("text", "hole", "right", "wrong"), CASES)
def test_heaps_of_runs_are_described(text: str, hole: str, right: str, wrong: str, tmp_path: Path) -> None:
    program = compiled(tmp_path, LISTS + text.replace(hole, right))
    audited = replace(ASSERTIONS, audit=True)
    assert heaps_described(program, analysed(program, audited), audited, runs=10, steps=100, decided=False) > 100


def test_groups_only_where_the_value_matters(tmp_path: Path) -> None:
    """The first loop reads every value, but no predicate is about it: its nodes are as many as without groups."""
    text = """int main(void) {
        struct node *l = NULL;
        while (more()) l = cons(more() ? 1 : 2, l);
        int seen = 0;
        for (struct node *p = l; p; p = p->n) seen = p->h;
        for (struct node *p = l; p; p = p->n) assert(p->h <= 2);
    }"""
    search = searched(compiled(tmp_path, LISTS + text), ASSERTIONS, CHECKED)
    assert search.found.complete
    assert not search.found.given_up
    loads = [edge.source for edge in search.program.graph.edges if "p.node.h" in str(edge.command)]
    for location in loads:
        groups = [node for node in search.tree.nodes() if node.location == location]
        assert all(len({child.state.cube for child in node.children or ()}) <= 1 for node in groups)


def test_a_node_predicate_over_several_cells() -> None:
    ordered = NodePredicate("node.hi", le(var("*node.lo"), var("*")))
    assert ordered.cells == {"node.lo", "node.hi"}
    assert ordered.scalars == frozenset()
    assert ordered.name == "node.lo <= node.hi"
    assert ordered.at("p") == le(cell("node.lo", var("p")), cell("node.hi", var("p")))
    assert ordered.after_store("node.lo", num(3), "p") == le(num(3), cell("node.hi", var("p")))


def test_one_cell_has_one_name_in_all_node_predicates() -> None:
    low = NodePredicate("node.lo", eq(var("*"), num(1)))
    ordered = NodePredicate("node.hi", le(var("*node.lo"), var("*")))
    assert low.formula == eq(var("*node.lo"), num(1))
    assert ordered.formula == le(var("*node.lo"), var("*node.hi"))
