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
from heapwright.engines.infer.heaps.negated_assertions import Demand
from heapwright.engines.infer.heaps.preconditions.clause_selection import Answer, answer, small_heaps
from heapwright.engines.infer.heaps.program_translation import read
from heapwright.engines.infer.obligation_analysis import Counts, Problem, Watch, part

DEMAND = Demand("a", "assert", Span("a.c", 1, 1), "it holds", ())
Edges = list[tuple[int, Step, int]]


def _meets(one: Element, others: list[Element]) -> bool:
    return bool(stores([one]) & stores(others))


def _bad(edges: Edges, failing: list[tuple[int, Element]], rounds: int) -> set[Store]:
    """The stores that are bad at the place 0."""
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
    return stores(part(DEMAND, problem, Watch(lambda text: None, None)).bad)


edges = st.lists(st.tuples(st.integers(0, 3), step, st.integers(0, 3)), max_size=5)


@given(edges, st.integers(0, 3), element, st.integers(0, 2))
@settings(max_examples=200, deadline=None)
def test_no_bad_store_is_lost(edges: Edges, bad_place: int, bad: Element, rounds: int) -> None:
    found = _bad(edges, [(bad_place, bad)], rounds)
    assert found <= _bad(edges, [(bad_place, bad)], 0)
    failing = {(bad_place, s) for s in stores([bad])}
    while True:
        more = {(source, a) for source, relation, target in edges for a, b in relation if (target, b) in failing}
        if more <= failing:
            break
        failing |= more
    assert {s for place, s in failing if place == 0} <= found


def test_what_no_bad_input_reaches_is_dropped() -> None:
    """Backwards from (2, 2), the element that holds (0, 0) and (1, 1) holds (0, 1) as well, to which (2, 2) leads; but
    forwards nothing leads on from there."""
    first: Step = frozenset({((2, 2), (0, 1))})
    second: Step = frozenset({((0, 0), (2, 2)), ((1, 1), (2, 2))})
    assert _bad([(0, first, 1), (1, second, 2)], [(2, (2, 2))], 0) == {(2, 2)}
    assert _bad([(0, first, 1), (1, second, 2)], [(2, (2, 2))], 1) == set()


# --- functions over heaps --------------------------------------------------------------------------------------------

LAST = "void f(struct node *p) { while (p->n->n) p = p->n; free(p->n); p->n = 0; }"


def _answer(tmp_path: Path, text: str, function: str, iterate: int, *, cycles: bool = False) -> Answer:
    """The answer without the cheap forward analysis, held against all heaps of up to four objects: none that fails is
    lost."""
    file = tmp_path / "a.c"
    file.write_text(HEAD + text)
    program = build(Input((str(file),), function=function), phase=lambda text: None)
    found = infer(read(program, cycles=cycles), forward=False, iterate=iterate)
    small = small_heaps(found.task, 4)
    for one in small:
        for each in found.parts:
            if each.demand.id in one.failures.broken:
                assert any(one.described(bad) for bad in each.bad), one
    return answer(found, small)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "function"), [(APPEND.replace("REACHABLE", ""), "append"), (LAST, "f")])
def test_no_heap_that_fails_is_lost(tmp_path: Path, text: str, function: str) -> None:
    _gains(_answer(tmp_path, text, function, 0), _answer(tmp_path, text, function, 1))


@pytest.mark.long
def test_no_heap_with_circles_that_fails_is_lost(tmp_path: Path) -> None:
    _gains(_answer(tmp_path, ROUND, "f", 0, cycles=True), _answer(tmp_path, ROUND, "f", 1, cycles=True))


def _gains(once: Answer, again: Answer) -> None:
    assert again.clauses == once.clauses
    assert again.excluded == once.excluded == 0
    assert any(part.rounds for part in again.inferred.parts)
    assert again.inferred.elements < once.inferred.elements  # some that no run meets are not there any more
