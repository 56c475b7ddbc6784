"""Both ways of telling what a write does to reachability, held against the closures of concrete heaps."""

from __future__ import annotations

from typing import Any

import pytest
from engines.infer.heaps.concretely import concrete, relation, satisfiable
from engines.infer.heaps.shapes import CYCLIC, VOCABULARY, describes, describing_both, ring, run
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from heapwright.engines.infer.algorithm import Transformer
from heapwright.engines.infer.closure_modes import Closure
from heapwright.engines.infer.heaps.domain import Shapes
from heapwright.engines.infer.heaps.inference import infer
from heapwright.engines.infer.heaps.membership import concrete_structure, find_embedding
from heapwright.engines.infer.heaps.program_translation import translate
from heapwright.engines.infer.heaps.prover.encoding import Encoding
from heapwright.engines.infer.heaps.prover.reachability_updates import ExactUpdate, PathUpdate, RegionUpdate
from heapwright.engines.infer.heaps.prover.solver import Solver
from heapwright.engines.infer.heaps.prover.unchanged_regions import Change, regions
from heapwright.engines.infer.heaps.steps import NOWHERE, Heap, Plain, Write
from heapwright.engines.infer.heaps.structure import HALF, NO, YES, Node, Structure, Vocabulary
from heapwright.reproduce.isolated_measurement import program_of
from heapwright.smt.terms import disj, negation

Run = tuple[Heap, Plain, Heap]


def _changes(taken: Plain, before: Structure, later: Structure) -> list[Change]:
    if isinstance(taken, Write):
        return [Change(before, later, taken.field, taken.base, taken.value)]
    return [Change(before, later, field, taken.base, None) for field in range(VOCABULARY.fields)]  # type: ignore[union-attr]  # a release


def _hold(change: Change, old: Heap, new: Heap, nodes: tuple[int, ...]) -> None:
    """What regions say is true of all objects of the nodes."""
    found = regions(change)
    objects = range(old.size)
    for u in objects:
        for v in objects:
            place = (nodes[u], nodes[v])
            was, is_ = v in old.reached(u, change.field), v in new.reached(u, change.field)
            assert not (was and place in found.before)
            assert not (is_ and place in found.after)
            assert not (was and not is_ and place in found.kept)
            assert not (is_ and not was and place in found.old)


@given(run(most=5), st.data())
@settings(max_examples=200, deadline=None)
def test_regions_are_true_of_heaps(drawn: Run, data: st.DataObject) -> None:
    old, taken, new = drawn
    before, later = data.draw(describing_both(old, new))
    nodes = find_embedding(
        [(before, concrete_structure(VOCABULARY, old)), (later, concrete_structure(VOCABULARY, new))]
    )
    assert nodes is not None
    for change in _changes(taken, before, later):
        _hold(change, old, new, nodes)


@given(ring(most=5), st.data())
@settings(max_examples=200, deadline=None)
def test_regions_are_true_of_circles_too(old: Heap, data: st.DataObject) -> None:
    base, value = data.draw(st.sampled_from([(0, 1), (0, 0), (1, 0), (0, None)]))
    assume(old.at[base] != NOWHERE)
    new = old.linked(0, old.at[base], NOWHERE if value is None else old.at[value])
    before, later = data.draw(describing_both(old, new, CYCLIC))
    nodes = find_embedding([(before, concrete_structure(CYCLIC, old)), (later, concrete_structure(CYCLIC, new))])
    assert nodes is not None
    _hold(Change(before, later, 0, base, value), old, new, nodes)


# --- as formulas -----------------------------------------------------------------------------------------------------


def _wrong(updated: PathUpdate, names: list[Any], new: Heap, field: int) -> Any:
    return disj(*(negation(claim) for claim in relation(updated.path, names, new, field)))


@given(run(), st.data())
@settings(max_examples=25, deadline=None)
def test_formulas_hold_between_closures(drawn: Run, data: st.DataObject) -> None:
    old, taken, new = drawn
    before, later = data.draw(describing_both(old, new))
    nodes = find_embedding(
        [(before, concrete_structure(VOCABULARY, old)), (later, concrete_structure(VOCABULARY, new))]
    )
    assert nodes is not None
    for change in _changes(taken, before, later):
        exact = Encoding(VOCABULARY, dangling=True)
        names, known = concrete(exact, old, nodes, before)
        assert satisfiable(exact, known)
        updated = ExactUpdate().written(exact, change)
        assert not satisfiable(exact, [*known, *updated.formulas, _wrong(updated, names, new, change.field)])
        encoding = Encoding(VOCABULARY, dangling=True, update=RegionUpdate())
        names, known = concrete(encoding, old, nodes, before)
        updated = encoding.update.written(encoding, change)
        assert satisfiable(encoding, [*known, *updated.formulas, *relation(updated.path, names, new, change.field)])


def test_update_formulas_are_wrong_on_circles() -> None:
    """x points into a circle of two, and its field is set to null: the formula says that it still leads on."""
    old, new = Heap(((1, 0),), (0, NOWHERE)), Heap(((NOWHERE, 0),), (0, NOWHERE))
    encoding = Encoding(CYCLIC)
    rest = Structure((HALF, HALF), (Node((HALF,) * CYCLIC.width),), (((HALF,),),), cyclic=True)
    names, known = concrete(encoding, old, (0, 0), rest)
    updated = ExactUpdate().written(encoding, Change(rest, rest, 0, 0, None))
    assert satisfiable(encoding, [*known, _wrong(updated, names, new, 0)])


LISTS = Vocabulary(("x", "y"))


def test_a_region_that_the_write_does_not_touch() -> None:
    """x is one object; what it does not lead to, and what does not lead to it, stays connected as it was."""
    at_x = Node((YES, YES, NO, NO), single=True)
    reached, others = Node((NO, YES, NO, HALF)), Node((NO, NO, NO, HALF))
    half = Structure((NO, HALF), (at_x, reached, others), (((YES, YES, NO), (NO, HALF, HALF), (HALF, HALF, HALF)),))
    cut = Structure((NO, HALF), (at_x, reached, others), (((YES, NO, NO), (NO, HALF, HALF), (HALF, HALF, HALF)),))
    found = regions(Change(half, cut, 0, 0, None))
    assert {(1, 1), (1, 2), (2, 0)} <= found.kept & found.old
    assert (0, 1) not in found.kept
    assert (2, 1) not in found.kept  # it may have led over x
    assert (2, 1) in found.old


@pytest.mark.slow
@given(run(most=3), st.data())
@settings(max_examples=6, deadline=None)
def test_no_heap_is_missed(drawn: Run, data: st.DataObject) -> None:
    before, taken, then = drawn
    structure = data.draw(describing_both(before, then))[1]
    solver = Solver(VOCABULARY, dangling=True, closure=Closure.REGIONS)
    found = Transformer(Shapes(VOCABULARY), solver, repeat=solver.learns).apply(structure, taken)
    assert any(describes(VOCABULARY, one, before) for one in found)


@pytest.mark.slow
@pytest.mark.parametrize("closure", [Closure.REGIONS, Closure.AXIOMS])
def test_every_way_finds_what_appending_needs(closure: Closure) -> None:
    task = translate(program_of("backward", "append", function="append"))
    found = infer(task, closure=closure)
    assert [result.obligation.kind for result in found.results if result.failing] == ["cycle", "shape"]
