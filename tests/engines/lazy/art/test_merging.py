"""Nodes of a location share structures: what an expanded node has is not followed again, and where no shape type is
finer, structures with equal canonical names are joined."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from engines.lazy.programs import CHECKED, analysed, broken, compiled
from support.bounds import bounded
from support.judging import heaps_described

from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.lazy.art.cegar_loop import Search
from heapwright.engines.lazy.art.merging import Merging
from heapwright.engines.lazy.art.reachability_tree import AbstractState, Node
from heapwright.engines.lazy.art.shape_regions import ShapeRegion
from heapwright.engines.lazy.art.tree_check import check_tree
from heapwright.engines.lazy.heap.aliases import Aliases
from heapwright.engines.lazy.logic.terms import eq as equals
from heapwright.engines.lazy.logic.terms import num, var
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.program.checks import Goal
from heapwright.program.graph import Program
from heapwright.result.outcomes import ProgramVerdict

# Cells are put into the middle of a list, or at its front, and taken out again in some order.
WOVEN = """int main(void) {
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *t = malloc(sizeof *t);
        t->h = 0;
        t->n = NULL;
        if (l != NULL && __VERIFIER_nondet_int()) {
            struct node *p = l;
            while (p->n != NULL && __VERIFIER_nondet_int()) p = p->n;
            t->n = p->n;
            p->n = t;
        } else {
            t->n = l;
            l = t;
        }
    }
    while (l != NULL) {
        struct node *t = l->n;
        if (t != NULL && __VERIFIER_nondet_int()) {
            l->n = t->n;
            FREED
        } else {
            free(l);
            l = t;
        }
    }
    return 0;
}"""
RIGHT = WOVEN.replace("FREED", "free(t);")
LOST = WOVEN.replace("FREED", "if (__VERIFIER_nondet_int()) free(t);")
NODES = 600  # without sharing it takes 1,900


def woven(folder: Path, text: str = RIGHT) -> Program:
    return compiled(folder, text)


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Search:
    program = woven(tmp_path_factory.mktemp("woven"))
    found = Search(program, Goal(), Aliases(HeapVocabulary(program)), CHECKED)
    found.run(Limits(states=3_000), NullProgress())
    return found


def shared(search: Search) -> list[Node]:
    """The nodes of which a part was left out."""
    return [node for node in search.tree.nodes() if node.number in search.covering.shared]


def test_a_proof_with_few_nodes(search: Search) -> None:
    assert search.found.complete
    assert not search.found.given_up
    assert not search.found.violated
    assert sum(1 for _ in search.tree.nodes()) < NODES
    assert check_tree(search) == []
    assert shared(search)


def test_a_leak_is_found(tmp_path: Path) -> None:
    found = broken(analysed(woven(tmp_path, LOST), Goal(), limits=bounded("lazy")))
    assert {name.partition(":")[2] for name in found} == {"leak"}


def test_heaps_of_runs_are_described(tmp_path: Path) -> None:
    program, audited = woven(tmp_path), replace(Goal(), audit=True)
    result = analysed(program, audited)
    assert result.verdict is ProgramVerdict.SAFE
    assert heaps_described(program, result, audited, runs=10, steps=120) > 100


# --- what one state has and another lacks ----------------------------------------------------------------------------


def several(search: Search) -> tuple[AbstractState, int, ShapeRegion]:
    """A state, and a region of it with several structures."""
    for node in search.tree.nodes():
        for component, region in node.state.shapes.items():
            if region is not None and len(region.structures) > 1:
                return node.state, component, region
    raise AssertionError("each region has one structure")


def only(state: AbstractState, component: int, region: ShapeRegion, *numbers: int) -> AbstractState:
    """The state with some of the structures of a region."""
    kept = tuple(region.structures[number] for number in numbers)
    return replace(state, shapes={**state.shapes, component: ShapeRegion(region.shape_class, kept)})


def test_what_both_have_is_left_out(search: Search) -> None:
    merging, (state, component, region) = Merging(search.abstraction), several(search)
    both, first, second = (only(state, component, region, *numbers) for numbers in ((0, 1), (0,), (1,)))
    left = merging.without(both, first)
    assert left is not None
    found = left.shapes[component]
    assert found is not None
    assert found.structures == (region.structures[1],)
    assert merging.without(first, both) is None
    assert merging.without(first, second) is first


def test_nothing_is_left_out_for_a_narrower_cube(search: Search) -> None:
    merging, (state, component, region) = Merging(search.abstraction), several(search)
    both = only(state, component, region, 0, 1)
    narrower = replace(only(state, component, region, 0), cube=(*state.cube, equals(var("another"), num(1))))
    assert merging.without(both, narrower) is both
    assert merging.without(narrower, both) is None


def test_of_a_product_one_factor_is_left_out_at_most(search: Search) -> None:
    merging, (state, component, region) = Merging(search.abstraction), several(search)

    def product(one: tuple[int, ...], two: tuple[int, ...]) -> AbstractState:
        parts = [
            ShapeRegion(region.shape_class, tuple(region.structures[number] for number in each)) for each in (one, two)
        ]
        return replace(state, shapes={component: parts[0], component + 1: parts[1]})

    whole = product((0, 1), (0, 1))
    assert merging.without(whole, product((0,), (0,))) is whole
    left = merging.without(whole, product((0,), (0, 1)))
    assert left == product((1,), (0, 1))
    empty = replace(state, shapes={component: whole.shapes[component]})
    assert merging.without(empty, whole) is empty
    unknown = replace(state, shapes={component: None, component + 1: whole.shapes[component + 1]})
    assert merging.without(unknown, whole) is unknown
    assert merging.without(whole, unknown) is None


# --- the check of a tree ---------------------------------------------------------------------------------------------


def test_a_part_that_is_nowhere_is_a_fault(search: Search) -> None:
    node = shared(search)[0]
    kept = search.covering.shared[node.number]
    search.covering.shared[node.number] = []
    try:
        assert any("nowhere" in fault for fault in check_tree(search))
    finally:
        search.covering.shared[node.number] = kept


def test_a_part_in_a_later_node_is_a_fault(search: Search) -> None:
    """Else two nodes could leave out what the other has."""
    node = shared(search)[0]
    order = search.covering.order
    kept, order[node.number] = order[node.number], 0
    try:
        assert any("not expanded before it" in fault for fault in check_tree(search))
    finally:
        order[node.number] = kept


def test_nodes_are_followed_again_without_those_that_had_a_part(tmp_path: Path) -> None:
    """Removing a subtree reopens the nodes that left something out for its nodes; the tree is completed again."""
    program = woven(tmp_path)
    search = Search(program, Goal(), Aliases(HeapVocabulary(program)), CHECKED)
    search.run(Limits(states=3_000), NullProgress())
    node = shared(search)[-1]
    partner = search.covering.shared[node.number][0]
    search.remove(partner)
    assert not partner.alive
    assert node.number not in search.covering.rest
    while search.tree.step():
        pass
    assert search.tree.complete
    assert check_tree(search) == []
