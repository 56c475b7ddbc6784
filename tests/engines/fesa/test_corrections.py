"""Where the analysis as printed is unsound or does not come to an end: a small program for each repair."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from engines.fesa.heaps import World
from oxidd.bdd import BDDFunction

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.fesa.engine import Fesa
from heapwright.engines.fesa.graph.abstract_heap import Cell, Heap, Name, Node, count, edge, exists, variable
from heapwright.engines.fesa.numeric.api import vectors
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.types import Storage
from heapwright.result.outcomes import Result, Verdict

HEAD = """\
#include <assert.h>
#include <stdlib.h>
#include <heapwright.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *other; };
struct box { struct node *next, *other; };
static struct node *mk(struct node *next, struct node *other) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = next;
    fresh->other = other;
    return fresh;
}
int main(void) {
"""
BUILD = "struct node *x = 0; while (__VERIFIER_nondet_int()) x = mk(x, 0);"
Analysed = Callable[..., Result]


@pytest.fixture
def analysed(tmp_path: Path) -> Analysed:
    def analyse(body: str, **options: Any) -> Result:
        path = tmp_path / "program.c"
        path.write_text(f"{HEAD}{body}\nreturn 0; }}\n", encoding="utf-8")
        program = build(Input((str(path),)), lambda phase: None)
        return run_engine(Fesa(**options), program, Goal(), Limits(), NullProgress())

    return analyse


def alarms(result: Result) -> set[str]:
    assert result.complete
    return {
        outcome.check.kind.value
        for outcome in result.outcomes
        if outcome.verdict is not Verdict.PROVED and outcome.check.kind is not CheckKind.LEAK
    }


# --- conditions ------------------------------------------------------------------------------------------------------

THREE = "struct node *x = mk(mk(mk(0, 0), 0), 0); hw_fesa_summarize(x);"


@pytest.mark.parametrize("mode", [True, False], ids=["on", "off"])
def test_a_pointer_into_a_summary_that_is_not_null_leaves_the_heap(analysed: Analysed, mode: bool) -> None:
    """Restricting the edge to 1 speaks of every object: no list of three would be left, and anything be proved."""
    assert "assert" in alarms(analysed(f"{THREE} if (x != 0) assert(0);", instrumentation=mode))


@pytest.mark.parametrize("mode", [True, False], ids=["on", "off"])
def test_pointers_into_a_summary_may_differ(analysed: Analysed, mode: bool) -> None:
    body = f"{THREE} struct node *y = x->next; hw_fesa_summarize(x); if (x != y) assert(0);"
    assert "assert" in alarms(analysed(body, instrumentation=mode))


def test_pointers_into_a_summary_may_be_equal(analysed: Analysed) -> None:
    body = f"{THREE} struct node *y = __VERIFIER_nondet_int() ? x->next : x; hw_fesa_summarize(x);"
    assert alarms(analysed(f"{body} if (x == y) assert(0);")) == {"assert"}
    assert alarms(analysed(f"{THREE} struct node *y = x; hw_fesa_summarize(x); assert(x == y);")) == set()


# --- materialisation -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 2, 3])
def test_the_only_object_one_of_two_and_one_of_three(analysed: Analysed, length: int) -> None:
    """Lists may end after so many nodes, whatever case of materialisation their last one is, and may be longer."""
    walk = "struct node *p = x;" + "if (p) p = p->next;" * (length - 1) + "if (p) {"
    assert alarms(analysed(f"{BUILD} {walk} assert(p->next == 0); }}")) == {"assert"}
    assert alarms(analysed(f"{BUILD} {walk} assert(p->next != 0); }}")) == {"assert"}


def test_the_flags_of_the_ghost_are_forgotten_where_there_is_none(analysed: Analysed) -> None:
    """Set to 0 they would say that the last object of a summary had no neighbour in any vector: none would be left."""
    body = f"{BUILD} struct node *n = 0; while (x) {{ n = x->next; free(x); x = n; }} assert(0);"
    assert alarms(analysed(body)) == {"assert"}


# --- widening --------------------------------------------------------------------------------------------------------


def test_reversal_comes_to_an_end(analysed: Analysed) -> None:
    reverse = "struct node *y = 0; while (x) { struct node *t = x->next; x->next = y; y = x; x = t; }"
    walk = "while (y) { struct node *t = y->next; free(y); y = t; }"
    assert alarms(analysed(f"{BUILD} {reverse} {walk}")) == set()


def test_dead_variables_keep_no_objects_apart(analysed: Analysed) -> None:
    """With p alive as it was left, each round of the loop would have nodes of its own."""
    body = f"{BUILD} struct node *p = x; if (p) p = p->next; while (x) {{ p = x->next; free(x); x = p; }}"
    result = analysed(body)
    assert alarms(result) == set()


def test_objects_of_different_types_are_not_folded(analysed: Analysed) -> None:
    body = (
        "struct box *b = malloc(sizeof *b); b->next = 0; b->other = 0;"
        "while (__VERIFIER_nondet_int()) b->next = mk(b->next, 0);"
        "struct node *x = b->next; free(b); while (x) { struct node *n = x->next; free(x); x = n; }"
    )
    assert alarms(analysed(body)) == set()


def test_variables_in_boxes_are_not_folded(analysed: Analysed) -> None:
    """Two variables whose addresses are taken: one is freed in the end, the other one was null all the time."""
    body = (
        "struct node *x = 0, *y = 0, **p = &x, **q = &y;"
        "while (__VERIFIER_nondet_int()) *p = mk(*p, 0);"
        "assert(*q == 0);"
        "while (*p) { struct node *n = (*p)->next; free(*p); *p = n; }"
    )
    assert alarms(analysed(body)) == set()


# --- free and junk ---------------------------------------------------------------------------------------------------


def test_free_takes_back_what_its_fields_counted(analysed: Analysed) -> None:
    """The tail is pointed to by nothing once the head is freed, which counters must know when it is linked again."""
    body = (
        f"{BUILD} struct node *y = 0;"
        "while (x) { struct node *t = x->next; free(x); x = t; }"
        "while (__VERIFIER_nondet_int()) y = mk(y, 0);"
        "while (y) { struct node *t = y->next; free(y); y = t; }"
    )
    assert alarms(analysed(body)) == set()


@pytest.mark.parametrize(("before", "after"), [(0, set()), (1, {0}), (2, {1}), (3, {2, 3})])
def test_a_saturated_counter_may_stay_so(before: int, after: set[int]) -> None:
    world = World()
    node, cell = Name("n"), Cell(Name("m"), "next")
    flags = [exists(node), edge(cell, node), *(count(node, bit) for bit in (0, 1) if before >> bit & 1)]
    function = world.domain.top()
    for flag in flags:
        function = world.domain.meet(function, world.domain.literal(flag))
    kinds = {name: Node("node", Storage.HEAP) for name in (node, cell.node)}
    heap: Heap[BDDFunction] = Heap(kinds, frozenset(flags), function)
    heap = world.reduction.counted(heap, edge(cell, node), up=False)
    bits = (count(node, 0), count(node, 1))
    found = {low + 2 * high for low, high in vectors(world.domain, heap.function, bits)}
    assert found == after


def test_junk_is_not_null_and_never_valid(analysed: Analysed) -> None:
    body = "struct node *x = malloc(sizeof *x); struct node *y = x->next; if (y != 0) y = y->next;"
    assert alarms(analysed(body)) == {"invalid-deref"}


def test_what_no_variable_reaches_still_counts(analysed: Analysed) -> None:
    """A lost node that leads to the shared one keeps its counter up: with it projected away, freeing would be safe."""
    body = (
        "struct node *d = mk(0, 0); struct node *a = mk(d, 0); struct node *b = mk(d, 0); d = 0;"
        "hw_fesa_summarize(a); struct node *t = a->next; free(t); b = b->next; b = b->next;"
    )
    assert "use-after-free" in alarms(analysed(body))


# --- the reduction that the paper leaves out -------------------------------------------------------------------------

ROTATE = """\
    while (a) {
        if (!a->next) { struct node *t = a->other; free(a); a = t; }
        else { struct node *l = a->next; a->next = l->other; l->other = a; a = l; }
    }
"""


def test_trees_are_freed_by_rotation_without_a_warning(analysed: Analysed) -> None:
    tree = "struct node *a = mk(mk(mk(0,0),mk(0,0)), mk(mk(0,0),mk(0,0))); hw_fesa_summarize(a);"
    assert alarms(analysed(tree + ROTATE)) == set()


def test_a_graph_is_no_tree(analysed: Analysed) -> None:
    graph = "struct node *d = mk(0,0); struct node *a = mk(mk(d,0), mk(d,0)); d = 0; hw_fesa_summarize(a);"
    assert alarms(analysed(graph + ROTATE)) == {"use-after-free"}


def test_a_counter_needs_an_edge_that_makes_it_up() -> None:
    """One object is pointed to once, and nothing is there that could: no such heap."""
    world = World()
    node = Name("n")
    flags = [exists(node), count(node, 0), edge(variable("x"), node)]
    function = world.domain.top()
    for flag in flags:
        function = world.domain.meet(function, world.domain.literal(flag))
    heap: Heap[BDDFunction] = Heap({node: Node("node", Storage.HEAP)}, frozenset(flags), function)
    assert world.lattice.empty(world.reduction.supported(heap))
