"""Answers that an earlier analysis has left: the same, and none for another question."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from heapwright.engines.infer.algorithm import ProverResult, Transformer
from heapwright.engines.infer.heaps.domain import Shapes
from heapwright.engines.infer.heaps.pairs import Pair
from heapwright.engines.infer.heaps.prover.solver import Model, Solver
from heapwright.engines.infer.heaps.steps import Load
from heapwright.engines.infer.heaps.structure import HALF, NO, YES, Node, Structure, Vocabulary
from heapwright.engines.infer.query_cache import Cache
from heapwright.smt.query_cache import QueryCache

LISTS = Vocabulary(("x", "y"))
SHARED = Structure(
    (NO, NO),
    (Node((HALF, YES, HALF, YES), single=True, footprint=True), Node((HALF,) * 4)),
    (((YES, HALF), (HALF, HALF)),),
)


def test_a_second_analysis_asks_nothing_and_finds_the_same(tmp_path: Path) -> None:
    found = []
    for expected in (False, True):
        solver = Solver(LISTS, cache=Cache(tmp_path / "answers"))
        found.append(Transformer(Shapes(LISTS), solver).apply(SHARED, Load(0, 0)))
        assert (solver.counts.questions == 0) is expected
        assert (solver.counts.kept > 0) is expected
    assert found[0] == found[1] != []


def test_another_vocabulary_is_another_question(tmp_path: Path) -> None:
    pair = Pair(SHARED, SHARED)
    Solver(LISTS, cache=Cache(tmp_path / "answers")).find(pair, Load(None, 0), ())
    other = Solver(LISTS, dangling=True, cache=Cache(tmp_path / "answers"))
    other.find(pair, Load(None, 0), ())
    assert other.counts.kept == 0


@pytest.mark.parametrize("answer", ["", "[]", "{}", "[[[0],[[1]],[[1]]],[[0],[[1]],[[1]]],[7]]", "null"])
def test_an_answer_that_is_none_is_not_believed(tmp_path: Path, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Although its seal is right."""
    monkeypatch.setattr(QueryCache, "_seal", lambda self, query, answer: "sealed")
    path = tmp_path / "answers"
    pair, step = Pair(SHARED, SHARED), Load(None, 0)
    Solver(LISTS, cache=Cache(path)).find(pair, step, ())
    with sqlite3.connect(path) as file:
        file.execute("update entries set answer = ?", (answer,))
    again = Solver(LISTS, cache=Cache(path))
    found = again.find(pair, step, ())
    assert isinstance(found, Model)
    assert again.counts.kept == 0


def test_a_file_that_cannot_be_used_is_done_without(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no database")
    for path in (blocked, blocked / "below", tmp_path):
        solver = Solver(LISTS, cache=Cache(path))
        assert solver.find(Pair(SHARED, SHARED), Load(None, 0), ()) is not ProverResult.UNSAT
