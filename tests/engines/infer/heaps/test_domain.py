"""Steps backwards against steps of concrete heaps: whatever leads into a structure is described before the step."""

from __future__ import annotations

from engines.infer.heaps.shapes import CYCLIC, VOCABULARY, describes, describing, heap, reading_step, ring, step
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from heapwright.engines.infer.algorithm import ProverResult, Transformer
from heapwright.engines.infer.heaps.domain import Shapes
from heapwright.engines.infer.heaps.prover.solver import Solver
from heapwright.engines.infer.heaps.steps import NOWHERE, Heap, IsNull, Load, Release, Step, Write, after
from heapwright.engines.infer.heaps.structure import HALF, NO, YES, Node, Structure, Vocabulary, normalise


@given(heap(), step, st.data())
@settings(max_examples=20, deadline=None)
def test_no_heap_is_missed(before: Heap, taken: Step, data: st.DataObject) -> None:
    then = after(before, taken)
    assume(then is not None)
    assert then is not None
    structure = data.draw(describing(then))
    solver = Solver(VOCABULARY, dangling=True)
    found = Transformer(Shapes(VOCABULARY), solver).apply(structure, taken)
    assert any(describes(VOCABULARY, one, before) for one in found)
    assert not solver.counts.unknown  # every model is a heap, and the formulas mean what the steps do


@given(ring(), reading_step, st.data())
@settings(max_examples=40, deadline=None)
def test_no_heap_with_circles_is_missed(before: Heap, taken: Step, data: st.DataObject) -> None:
    then = after(before, taken)
    assume(then is not None)
    assert then is not None
    structure = data.draw(describing(then, CYCLIC))
    settled = normalise(structure)
    assert settled is not None
    assert describes(CYCLIC, settled, then)
    solver = Solver(CYCLIC)
    found = Transformer(Shapes(CYCLIC), solver).apply(structure, taken)
    assert any(describes(CYCLIC, one, before) for one in found)
    assert not solver.counts.unknown


@given(heap(), st.data())
@settings(max_examples=20, deadline=None)
def test_formulas_describe_what_structures_do(one: Heap, data: st.DataObject) -> None:
    structure = data.draw(describing(one))
    found = Solver(VOCABULARY, dangling=True).possible(structure)
    assert not isinstance(found, ProverResult)
    assert describes(VOCABULARY, structure, found)


X, Y = 0, 1
LISTS = Vocabulary(("x", "y"))


def _apply(structure: Structure, taken: Step) -> list[Structure]:
    return Transformer(Shapes(LISTS), Solver(LISTS)).apply(structure, taken)


def test_a_shared_object_was_shared_one_step_earlier() -> None:
    """x and y reach an object after x = x->n: then they did before."""
    shared = Node((HALF, YES, HALF, YES), single=True, footprint=True)
    found = _apply(Structure((NO, NO), (shared,), (((YES,),),)), Load(X, X))
    assert found == []  # there is nothing but the object, and x was before it
    rest = Node((HALF, HALF, HALF, HALF))
    found = _apply(Structure((NO, NO), (shared, rest), (((YES, HALF), (HALF, HALF)),)), Load(X, X))
    assert found
    for structure in found:
        assert any(n.values[LISTS.reach(X)] == YES and n.values[LISTS.reach(Y)] == YES for n in structure.nodes)


def test_a_step_that_is_not_possible_leads_nowhere() -> None:
    null = Structure((YES, HALF), (Node((NO, NO, HALF, HALF)),), (((HALF,),),))
    assert _apply(null, Write(X, None)) == []
    assert _apply(null, IsNull(X, False)) == []
    assert len(_apply(null, IsNull(X, True))) == 1


def test_steps_of_heaps() -> None:
    two = Heap(((1, NOWHERE),), (0, 1), (True, True))
    assert after(two, Write(Y, X)) is None  # a cycle
    cut = after(two, Write(X, None))
    assert cut is not None
    assert cut.next == ((NOWHERE, NOWHERE),)
    freed = after(two, Release(X))
    assert freed == Heap(((NOWHERE, NOWHERE),), (0, 1), (False, True))
    assert after(freed, Load(None, X)) is None  # it has been freed
