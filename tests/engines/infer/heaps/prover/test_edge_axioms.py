"""Axioms of first order for reachability: true of heaps, and never more than the exact questions prove."""

from __future__ import annotations

import pytest
from engines.infer.heaps.concretely import concrete, relation, satisfiable
from engines.infer.heaps.shapes import VOCABULARY, describing_both, run
from hypothesis import given, settings
from hypothesis import strategies as st

from heapwright.engines.infer.algorithm import Direction, ProverResult
from heapwright.engines.infer.closure_modes import Closure
from heapwright.engines.infer.heaps.domain import Shapes
from heapwright.engines.infer.heaps.membership import concrete_structure, find_embedding
from heapwright.engines.infer.heaps.pairs import PATHS, Pair
from heapwright.engines.infer.heaps.prover.edge_axioms import EdgeEncoding
from heapwright.engines.infer.heaps.prover.solver import Model, Solver
from heapwright.engines.infer.heaps.steps import NOWHERE, Heap, Load, Plain, Release, Write
from heapwright.engines.infer.heaps.structure import HALF, NO, YES, Node, Structure, Vocabulary
from heapwright.reproduce.backward.closures import replay
from heapwright.reproduce.reproduction import Bounds
from heapwright.smt.terms import for_all, negation

Run = tuple[Heap, Plain, Heap]


@given(run(reads=True), st.data())
@settings(max_examples=20, deadline=None)
def test_all_axioms_hold_of_heaps(drawn: Run, data: st.DataObject) -> None:
    old, taken, new = drawn
    before, later = data.draw(describing_both(old, new))
    nodes = find_embedding(
        [(before, concrete_structure(VOCABULARY, old)), (later, concrete_structure(VOCABULARY, new))]
    )
    assert nodes is not None
    encoding = EdgeEncoding(VOCABULARY, dangling=True)
    names, known = concrete(encoding, old, nodes, before)
    for field, leads in enumerate(encoding.fields):
        known += [leads(a, b) == (old.next[field][i] == j) for i, a in enumerate(names) for j, b in enumerate(names)]
    formulas, view = encoding.step(taken, before, later)
    for field in {taken.field} if isinstance(taken, Write) else range(2) if isinstance(taken, Release) else ():
        known += relation(view.paths[field], names, new, field)
    if isinstance(taken, Load) and taken.target is not None and new.at[taken.target] != NOWHERE:
        known.append(encoding.loaded == names[new.at[taken.target]])
    assert satisfiable(encoding, [*encoding.axioms(), *known, *formulas, *encoding.stages(taken)[-1]])


@given(run(reads=True), st.data())
@settings(max_examples=15, deadline=None)
def test_nothing_is_proved_that_has_a_counterexample(drawn: Run, data: st.DataObject) -> None:
    (old, taken, new), domain = drawn, Shapes(VOCABULARY)
    structure = data.draw(describing_both(old, new))[1]
    exact = Solver(VOCABULARY, dangling=True)
    alone = Solver(VOCABULARY, dangling=True, closure=Closure.AXIOMS)
    for pair in domain.extend(structure, taken, Direction.BACKWARD):
        open_ = domain.assertions(pair, taken)
        asked = data.draw(st.lists(st.sampled_from(open_), max_size=3)) if open_ else []
        answer, shown = exact.find(pair, taken, asked), alone.find(pair, taken, asked)
        assert answer is not ProverResult.UNKNOWN
        if shown is ProverResult.UNSAT:
            assert answer is ProverResult.UNSAT
        if isinstance(shown, Model) and shown.run:
            assert isinstance(answer, Model)


LISTS = Vocabulary(("x",))


def _one_and_others(path: tuple[tuple[int, ...], ...]) -> Structure:
    return Structure((NO,), (Node((YES, YES), single=True), Node((NO, HALF))), (path,))


def test_axioms_are_given_as_they_are_needed() -> None:
    """x->n = null: an object that did not lead to x leads where it led. This is seen on the structure."""
    solver = Solver(LISTS, closure=Closure.AXIOMS)
    before = _one_and_others(((YES, HALF), (NO, HALF)))
    pair = Pair(before, _one_and_others(((YES, NO), (NO, HALF))))
    assert solver.find(pair, Write(0, None), [(PATHS, 1, 0, NO)]) is ProverResult.UNSAT
    assert solver.counts.questions == 1
    # What x leads to must be asked for with more axioms: without an arrow there is no path.
    ends = Pair(before, before)
    encoding = solver.encoding
    assert isinstance(encoding, EdgeEncoding)
    x = encoding.any[0]
    nothing = for_all([x], negation(encoding.fields[0](encoding.view.where[0], x)))
    reaches = encoding.paths[0](encoding.view.where[0], encoding.witnesses[0])
    formulas = [nothing, reaches, encoding.witnesses[0] != encoding.view.where[0], encoding.view.there[0]]
    found = [satisfiable(encoding, [*encoding.axioms(), *formulas, *given]) for given in encoding.stages(Load(None, 0))]
    assert found[0]
    assert not found[1]
    assert not found[2]
    assert isinstance(solver.find(ends, Load(None, 0), ()), Model)


@pytest.mark.slow
def test_most_questions_of_a_program_are_proved() -> None:
    found = replay("append", Bounds(timeout=120))
    assert not found.failure
    assert not found.wrong
    assert found.provable - sum(found.proved) <= found.provable // 10
