"""Forwards and backwards in turn: no bad input is lost, and no more is left than before."""

from __future__ import annotations

from pathlib import Path

import pytest
from engines.infer.heaps.test_inference import APPEND, HEAD, ROUND
from engines.infer.test_algorithm import Element, Enumerating, Step, Store, Toy, element, step, stores
from hypothesis import given, settings
from hypothesis import strategies as st

from heapwright.analysis.pipeline import Input, build
from heapwright.base.source import Span
from heapwright.engines.infer.algorithm import Arc, Transformer
from heapwright.engines.infer.heaps.inference import infer
from heapwright.engines.infer.heaps.negated_assertions import Obligation
from heapwright.engines.infer.heaps.preconditions.clause_selection import (
    InferredPrecondition,
    select_clauses,
    small_heaps,
)
from heapwright.engines.infer.heaps.program_translation import translate
from heapwright.engines.infer.obligation_analysis import Counts, Monitor, Problem, analyse

OBLIGATION = Obligation("a", "assert", Span("a.c", 1, 1), "it holds", ())
Edges = list[tuple[int, Step, int]]


def _meets(one: Element, others: list[Element]) -> bool:
    return bool(stores([one]) & stores(others))


def _failing(edges: Edges, failing: list[tuple[int, Element]], rounds: int) -> set[Store]:
    """The failing stores at location 0."""
    problem = Problem(
        Transformer(Toy(False), Enumerating()),
        [Arc(target, relation, source) for source, relation, target in edges],
        failing,
        0,
        {},
        lambda one, others: _meets(one, list(others)),
        lambda one: one,
        Counts(),
        rounds,
    )
    return stores(analyse(OBLIGATION, problem, Monitor(lambda text: None, None)).failing)


edges = st.lists(st.tuples(st.integers(0, 3), step, st.integers(0, 3)), max_size=5)


@given(edges, st.integers(0, 3), element, st.integers(0, 2))
@settings(max_examples=200, deadline=None)
def test_no_failing_store_is_lost(edges: Edges, failing_place: int, failing: Element, rounds: int) -> None:
    found = _failing(edges, [(failing_place, failing)], rounds)
    assert found <= _failing(edges, [(failing_place, failing)], 0)
    known = {(failing_place, s) for s in stores([failing])}
    while True:
        more = {(source, a) for source, relation, target in edges for a, b in relation if (target, b) in known}
        if more <= known:
            break
        known |= more
    assert {s for place, s in known if place == 0} <= found


def test_what_no_failing_input_reaches_is_dropped() -> None:
    """Backwards from (2, 2), the element that holds (0, 0) and (1, 1) holds (0, 1) as well, to which (2, 2) leads; but
    forwards nothing leads on from there."""
    first: Step = frozenset({((2, 2), (0, 1))})
    second: Step = frozenset({((0, 0), (2, 2)), ((1, 1), (2, 2))})
    assert _failing([(0, first, 1), (1, second, 2)], [(2, (2, 2))], 0) == {(2, 2)}
    assert _failing([(0, first, 1), (1, second, 2)], [(2, (2, 2))], 1) == set()


# --- functions over heaps --------------------------------------------------------------------------------------------

LAST = "void f(struct node *p) { while (p->n->n) p = p->n; free(p->n); p->n = 0; }"


def _answer(tmp_path: Path, text: str, function: str, iterate: int, *, cycles: bool = False) -> InferredPrecondition:
    """The answer without the cheap forward analysis, held against all heaps of up to four objects: none that fails is
    lost."""
    file = tmp_path / "a.c"
    file.write_text(HEAD + text)
    program = build(Input((str(file),), function=function), phase=lambda text: None)
    found = infer(translate(program, cycles=cycles), forward=False, iterate=iterate)
    small = small_heaps(found.task, 4)
    for one in small:
        for each in found.results:
            if each.obligation.id in one.failures.violated:
                assert any(one.described(failing) for failing in each.failing), one
    return select_clauses(found, small)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "function"), [(APPEND.replace("REACHABLE", ""), "append"), (LAST, "f")])
def test_no_heap_that_fails_is_lost(tmp_path: Path, text: str, function: str) -> None:
    _gains(_answer(tmp_path, text, function, 0), _answer(tmp_path, text, function, 1))


@pytest.mark.long
def test_no_heap_with_circles_that_fails_is_lost(tmp_path: Path) -> None:
    _gains(_answer(tmp_path, ROUND, "f", 0, cycles=True), _answer(tmp_path, ROUND, "f", 1, cycles=True))


def _gains(once: InferredPrecondition, again: InferredPrecondition) -> None:
    assert again.clauses == once.clauses
    assert again.excluded == once.excluded == 0
    assert any(result.rounds for result in again.inferred.results)
    assert again.inferred.elements < once.inferred.elements  # some that no run meets are not there any more
