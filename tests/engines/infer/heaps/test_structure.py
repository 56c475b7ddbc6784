"""Structures against heaps: what is concluded, merged or covered never loses a heap."""

from __future__ import annotations

from engines.infer.heaps.shapes import VARIABLES, VOCABULARY, describes, describing, heap
from hypothesis import given, settings
from hypothesis import strategies as st

from heapwright.engines.infer.heaps.canonical_abstraction import blur, covers
from heapwright.engines.infer.heaps.structure import (
    HALF,
    NO,
    YES,
    Node,
    Structure,
    Vocabulary,
    forget,
    forget_paths,
    normalise,
    unknown,
    with_null,
)

with_heap = heap().flatmap(lambda one: st.tuples(st.just(one), describing(one)))


@given(with_heap)
@settings(max_examples=200, deadline=None)
def test_what_follows_and_what_is_merged_loses_no_heap(drawn) -> None:  # type: ignore[no-untyped-def]
    one, structure = drawn
    assert describes(VOCABULARY, structure, one)
    settled = normalise(structure)
    assert settled is not None
    assert describes(VOCABULARY, settled, one)
    assert describes(VOCABULARY, blur(settled), one)
    assert describes(VOCABULARY, forget_paths(structure), one)
    assert all(describes(VOCABULARY, forget(structure, k), one) for k in VARIABLES)


@given(with_heap, with_heap)
@settings(max_examples=200, deadline=None)
def test_a_structure_that_covers_another_has_its_heaps(first, second) -> None:  # type: ignore[no-untyped-def]
    one, smaller = first
    for bigger in (second[1], blur(smaller), unknown(VOCABULARY)):
        if covers(bigger, smaller):
            assert describes(VOCABULARY, bigger, one)
    assert covers(smaller, smaller)
    assert covers(blur(smaller), smaller)
    assert covers(unknown(VOCABULARY), smaller)


def test_blurring_leaves_no_two_nodes_of_the_same_values() -> None:
    node = Node((HALF, HALF), footprint=True)
    merged = blur(Structure((HALF,), (node, node, Node((NO, YES))), (((HALF,) * 3,) * 3,)))
    assert len({one.values for one in merged.nodes}) == len(merged.nodes)


def test_contradictions_are_seen() -> None:
    vocabulary = Vocabulary(("x",))
    here = Structure((YES,), (Node((YES, HALF)),), (((HALF,),),))
    assert normalise(here) is None  # null, and at a node
    cycle = Structure((HALF,), (Node((HALF, HALF)), Node((HALF, NO))), (((HALF, YES), (YES, HALF)),))
    assert normalise(cycle) is None
    empty = normalise(with_null(unknown(vocabulary), 0, YES))
    assert empty is not None
    assert empty.nodes[0].values == (NO, NO)


def test_a_pointer_makes_its_node_single_and_reaches_what_there_are_paths_to() -> None:
    rest = Node((HALF, HALF))
    settled = normalise(Structure((HALF,), (Node((YES, HALF)), rest), (((HALF, NO), (HALF, HALF)),)))
    assert settled is not None
    assert settled.nodes[0].single
    assert settled.null == (NO,)
    assert settled.nodes[1].values == (NO, NO)
