"""Answers that are kept serve the same question only, and a cache that cannot be used is done without."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.engines.boolheap.concrete.small_heaps import LIVE, UNBORN, Heap
from heapwright.engines.boolheap.logic.parser import parse
from heapwright.engines.boolheap.prover import query_cache as module
from heapwright.engines.boolheap.prover.entailment import Prover
from heapwright.engines.boolheap.prover.query_cache import MISSING, Cache, Remembering, default_path


def test_another_process_finds_what_was_kept(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "answers.sqlite"
    first = Cache(path)
    first.put("yes", (0, 2))
    first.put("no", None)
    second = Cache(path)
    assert (second.get("yes"), second.get("no"), second.get("other")) == ((0, 2), None, MISSING)


def test_another_encoding_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "answers.sqlite"
    Cache(path).put("yes", (0,))
    monkeypatch.setattr(module, "ENCODING", "another")
    assert Cache(path).get("yes") is MISSING


def test_a_file_that_is_no_cache(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    path.write_text("nonsense" * 1000)
    cache = Cache(path)
    cache.put("yes", (1,))
    assert cache.get("yes") == (1,)
    assert Cache(path).get("yes") is MISSING


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache(tmp_path / "file" / "answers.sqlite")
    cache.put("yes", ())
    assert cache.get("yes") == ()


def test_each_question_is_asked_once(tmp_path: Path) -> None:
    prover = Remembering(Prover(), Cache(tmp_path / "answers.sqlite"))
    question = ([parse("x = v"), parse("alive(x)")], parse("alive(v)"))
    assert prover.entails(*question) == prover.entails(*question) == (0, 1)
    assert prover.entails(question[0][:1], question[1]) is None
    assert (prover.calls, prover.hits) == (2, 1)


def test_what_was_cut_short_is_not_kept(tmp_path: Path) -> None:
    class Hurried:
        interrupted = True

        def entails(self, assumptions: object, goal: object) -> None:
            return None

        def counterexample(self, assumptions: object, goal: object, search: object) -> None:
            return None

    prover = Remembering(Hurried(), Cache(tmp_path / "answers.sqlite"))
    assert prover.entails([], parse("x = v")) is None
    assert prover.entails([], parse("x = v")) is None
    assert (prover.calls, prover.hits) == (2, 0)
    prover.counterexample([], parse("x = v"), lambda near: None)
    assert prover.cache.get_heap("|-\nx = v") is MISSING


def test_a_counterexample_is_searched_for_once(tmp_path: Path) -> None:
    heap = Heap(2, (LIVE, UNBORN), {"x": 0}, {"next": (2, 3)}, {"i": 1}, {"key": (1, 2, 3, 4)}, {"m": frozenset({0})})
    question = ([parse("alive(x)")], parse("x = v"))
    first = Remembering(Prover(), Cache(tmp_path / "answers.sqlite"))
    assert first.entails(*question) is None
    assert first.counterexample(*question, lambda near: heap) == heap
    second = Remembering(Prover(), Cache(tmp_path / "answers.sqlite"))
    assert second.counterexample(*question, lambda near: None) == heap


def test_that_none_was_found_is_kept_too(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "answers.sqlite")
    cache.put_heap("question", None)
    assert Cache(tmp_path / "answers.sqlite").get_heap("question") is None
    assert cache.get_heap("another") is MISSING


def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEAPWRIGHT_CACHE", "off")
    assert default_path() is None
