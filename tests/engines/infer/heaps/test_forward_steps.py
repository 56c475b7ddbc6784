"""Structures followed forwards: no heap after a step is missed."""

from __future__ import annotations

from engines.infer.heaps.shapes import CYCLIC, VOCABULARY, describes, describing, heap, reading_step, ring, step
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from heapwright.engines.infer.algorithm import Direction, Transformer
from heapwright.engines.infer.heaps.domain import Shapes
from heapwright.engines.infer.heaps.prover.solver import Solver
from heapwright.engines.infer.heaps.steps import Copy, Create, Heap, IsNull, Load, Step, Write, after
from heapwright.engines.infer.heaps.structure import (
    HALF,
    NO,
    YES,
    Node,
    Structure,
    Vocabulary,
    normalise,
    unknown,
    with_null,
)


def _ahead(vocabulary: Vocabulary, structure: Structure, taken: Step, *, dangling: bool = False) -> list[Structure]:
    solver = Solver(vocabulary, dangling=dangling)
    found = Transformer(Shapes(vocabulary), solver, Direction.FORWARD).apply(structure, taken)
    if not vocabulary.cyclic:  # reachability does not tell the order on a circle: some models are no heap
        assert not solver.counts.unknown
    return found


@given(heap(), step, st.data())
@settings(max_examples=20, deadline=None)
def test_no_heap_after_a_step_is_missed(before: Heap, taken: Step, data: st.DataObject) -> None:
    then = after(before, taken)
    assume(then is not None)
    assert then is not None
    found = _ahead(VOCABULARY, data.draw(describing(before)), taken, dangling=True)
    assert any(describes(VOCABULARY, one, then) for one in found)


@given(ring(), reading_step, st.data())
@settings(max_examples=20, deadline=None)
def test_no_heap_with_circles_is_missed(before: Heap, taken: Step, data: st.DataObject) -> None:
    then = after(before, taken)
    assume(then is not None)
    assert then is not None
    settled = normalise(data.draw(describing(before, CYCLIC)))
    assert settled is not None
    assert any(describes(CYCLIC, one, then) for one in _ahead(CYCLIC, settled, taken))


@given(heap(), heap(), st.data())
@settings(max_examples=15, deadline=None)
def test_structures_of_one_heap_meet(one: Heap, other: Heap, data: st.DataObject) -> None:
    solver = Solver(VOCABULARY, dangling=True)
    first, second, third = data.draw(describing(one)), data.draw(describing(one)), data.draw(describing(other))
    assert solver.meets(first, [second])
    assert solver.meets(first, [third, second])
    assert not solver.counts.unknown


X, Y = 0, 1
LISTS = Vocabulary(("x", "y"))


def test_what_is_read_is_one_step_further() -> None:
    """x reaches a single object and is not at it: after y = x->n, y is there or before it."""
    last = Node((NO, YES, HALF, HALF), single=True, footprint=True)
    rest = Node((HALF, HALF, HALF, HALF))
    found = _ahead(LISTS, Structure((NO, HALF), (last, rest), (((YES, HALF), (HALF, HALF)),)), Load(Y, X))
    assert found
    for one in found:
        assert one.null[Y] == NO
        assert any(node.values[LISTS.reach(X)] == YES and node.values[LISTS.reach(Y)] == YES for node in one.nodes)


def test_what_is_cut_off_is_not_reached() -> None:
    first = Node((YES, YES, HALF, HALF), single=True, footprint=True)
    rest = Node((NO, YES, HALF, HALF))
    structure = normalise(Structure((NO, HALF), (first, rest), (((YES, HALF), (HALF, HALF)),)))
    assert structure is not None
    (found,) = _ahead(LISTS, structure, Write(X, None))
    assert [node.values[LISTS.reach(X)] for node in found.nodes if node.values[LISTS.at(X)] == NO] == [NO]


def test_structures_that_contradict_one_another_do_not_meet() -> None:
    solver = Solver(LISTS)
    null = with_null(unknown(LISTS), X, YES)
    given = with_null(unknown(LISTS), X, NO)
    assert not solver.meets(null, [given])
    assert not solver.meets(null, [])
    shared = Node((HALF, YES, HALF, YES), single=True)
    apart = [Node((HALF, YES, HALF, NO)), Node((HALF, NO, HALF, HALF))]
    no_paths = (((HALF, HALF), (HALF, HALF)),)
    one = Structure((NO, NO), (shared, Node((HALF,) * 4)), no_paths)
    assert not solver.meets(one, [Structure((NO, NO), tuple(apart), no_paths)])


def test_names_and_tests() -> None:
    null = with_null(unknown(LISTS), X, YES)
    assert _ahead(LISTS, null, IsNull(X, False)) == []
    assert [one.null for one in _ahead(LISTS, null, Copy(Y, X))] == [(YES, YES)]
    assert _ahead(LISTS, null, Write(X, Y)) == []
    allocating = Vocabulary(("x", "y"), allocation=True)
    created = _ahead(allocating, unknown(allocating), Create(X))
    assert created
    for one in created:
        (new,) = [node for node in one.nodes if node.values[allocating.at(X)] == YES]
        assert new.single
        assert new.values[allocating.alloc] == YES
        assert new.values[allocating.reach(Y)] == NO
