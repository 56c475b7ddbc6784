"""Answers that are kept serve the same question only, and a cache that cannot be used is done without."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.boolheap.concrete.small_heaps import LIVE, UNBORN, Heap
from heapwright.engines.boolheap.engine import BoolHeap
from heapwright.engines.boolheap.logic.parser import parse
from heapwright.engines.boolheap.logic.printing import text
from heapwright.engines.boolheap.prover.entailment import Prover
from heapwright.engines.boolheap.prover.query_cache import CachingProver, EntailmentCache
from heapwright.program.checks import Goal

SMALL = Heap(2, (LIVE, UNBORN), {"x": 0}, {"next": (2, 3)}, {"i": 1}, {"key": (1, 2, 3, 4)}, {"m": frozenset({0})})


@pytest.mark.parametrize("stored", ["nonsense", "0 7", "-1"])
def test_what_is_no_core_of_the_query_is_asked_for_anew(tmp_path: Path, stored: str) -> None:
    query = ([parse("x = v"), parse("alive(x)")], parse("alive(v)"))
    first = CachingProver(Prover(), EntailmentCache(tmp_path / "answers.sqlite"))
    assert first.entails(*query) == (0, 1)
    EntailmentCache(tmp_path / "answers.sqlite").put("\n".join((*map(text, query[0]), "|-", text(query[1]))), stored)
    again = CachingProver(Prover(), EntailmentCache(tmp_path / "answers.sqlite"))
    assert again.entails(*query) == (0, 1)
    assert (again.statistics.queries, again.statistics.hits) == (1, 0)


def test_a_certificate_rests_on_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `--proof` every query is asked, whatever was stored before, and a forged answer proves nothing."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("HEAPWRIGHT_CACHE", raising=False)
    file = tmp_path / "a.c"
    file.write_text(
        "struct n { struct n *next; };\nvoid *malloc(unsigned long);\n"
        "int main(void) { struct n *x = malloc(sizeof *x); x->next = 0; x = x->next; x->next = 0; return 0; }\n",
        encoding="utf-8",
    )
    program = build(Input((str(file),)), lambda text: None)
    first = BoolHeap().analyze(program, Goal(), Limits(), NullProgress())
    assert first.stats["prover_calls"] != 0
    again = BoolHeap().analyze(program, Goal(), Limits(), NullProgress())
    assert again.stats["prover_calls"] == 0  # the answers are in the file
    for path in (tmp_path / "cache" / "heapwright").iterdir():
        path.unlink()
    certified = BoolHeap().analyze(program, Goal(certificate=True), Limits(), NullProgress())
    assert certified.stats["prover_calls"] == first.stats["prover_calls"]
    assert not list((tmp_path / "cache" / "heapwright").iterdir())


def test_each_question_is_asked_once(tmp_path: Path) -> None:
    prover = CachingProver(Prover(), EntailmentCache(tmp_path / "answers.sqlite"))
    query = ([parse("x = v"), parse("alive(x)")], parse("alive(v)"))
    assert prover.entails(*query) == prover.entails(*query) == (0, 1)
    assert prover.entails(query[0][:1], query[1]) is None
    assert (prover.statistics.queries, prover.statistics.hits) == (2, 1)


def test_what_was_cut_short_is_not_kept(tmp_path: Path) -> None:
    class Hurried:
        interrupted = True

        def entails(self, assumptions: object, goal: object) -> None:
            return None

        def counterexample(self, assumptions: object, goal: object, search: object) -> None:
            return None

    prover = CachingProver(Hurried(), EntailmentCache(tmp_path / "answers.sqlite"))
    assert prover.entails([], parse("x = v")) is None
    assert prover.entails([], parse("x = v")) is None
    assert (prover.statistics.queries, prover.statistics.hits) == (2, 0)
    assert prover.counterexample([], parse("x = v"), lambda near: None) is None
    prover.prover = Prover()
    assert prover.counterexample([], parse("x = v"), lambda near: SMALL) == SMALL


def test_a_counterexample_is_searched_for_once(tmp_path: Path) -> None:
    query = ([parse("alive(x)")], parse("x = v"))
    first = CachingProver(Prover(), EntailmentCache(tmp_path / "answers.sqlite"))
    assert first.entails(*query) is None
    assert first.counterexample(*query, lambda near: SMALL) == SMALL
    second = CachingProver(Prover(), EntailmentCache(tmp_path / "answers.sqlite"))
    assert second.counterexample(*query, lambda near: None) == SMALL


def test_that_none_was_found_is_kept_too(tmp_path: Path) -> None:
    for found in (None, SMALL):
        prover = CachingProver(Prover(), EntailmentCache(tmp_path / "answers.sqlite"))
        assert prover.counterexample([], parse("x = v"), lambda near: found) is None  # noqa: B023  # called at once
