"""Entailment cache, keyed by the query: in memory and on disk.

prover = CachingProver(Prover(), EntailmentCache(default_path()))
prover.entails(assumptions, goal)
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from heapwright.engines.boolheap.concrete.small_heaps import Heap
from heapwright.engines.boolheap.logic.formulas import Formula
from heapwright.engines.boolheap.logic.printing import text
from heapwright.engines.boolheap.prover.implicants import Entailment, Search
from heapwright.smt.query_cache import Answers, QueryCache, cache_path

ENCODING = "paths-3"  # to be changed with the axioms
Core = tuple[int, ...] | None
NONE = "-"  # the text of the answer that there is none


def default_path() -> Path | None:
    return cache_path("boolheap")


class EntailmentCache(QueryCache):
    def __init__(self, path: Path | None) -> None:
        super().__init__(path, ENCODING)


class CachingProver:
    """A prover with an entailment cache."""

    def __init__(self, prover: Entailment, cache: QueryCache) -> None:
        self.prover = prover
        self.interrupted = False
        self.refusal = cache.refusal
        self._cores: Answers[str, Core] = Answers(cache)
        self._heaps: Answers[str, Heap | None] = Answers(cache)
        self.statistics = self._cores.statistics

    @property
    def seconds(self) -> float:
        """The time of uncached entailment queries and counterexample searches."""
        return self.statistics.seconds + self._heaps.statistics.seconds

    def entails(self, assumptions: Sequence[Formula], goal: Formula) -> Core:
        key = _query(assumptions, goal)
        return self._cores.find(
            key,
            text=lambda: key,
            read=lambda written: _core(written, len(assumptions)),
            ask=lambda: self.prover.entails(assumptions, goal),
            write=lambda core: NONE if core is None else " ".join(map(str, core)),
            settled=lambda core: not self.prover.interrupted,
        )

    def counterexample(self, assumptions: Sequence[Formula], goal: Formula, search: Search) -> Heap | None:
        key = _query(assumptions, goal)
        return self._heaps.find(
            key,
            text=lambda: f"counterexample\n{key}",
            read=lambda written: None if written == NONE else _heap(json.loads(written)),
            ask=lambda: self.prover.counterexample(assumptions, goal, search),
            write=lambda heap: NONE if heap is None else json.dumps(_plain(heap)),
            settled=lambda heap: heap is not None or not self.prover.interrupted,
        )


def _plain(heap: Heap) -> dict[str, object]:
    plain = {one.name: getattr(heap, one.name) for one in fields(heap)}
    return {**plain, "marks": {name: sorted(objects) for name, objects in heap.marks.items()}}


def _heap(plain: dict[str, Any]) -> Heap:
    return Heap(
        plain["size"],
        tuple(plain["status"]),
        plain["variables"],
        {name: tuple(targets) for name, targets in plain["fields"].items()},
        plain["numbers"],
        {name: tuple(numbers) for name, numbers in plain["data"].items()},
        {name: frozenset(objects) for name, objects in plain["marks"].items()},
    )


def _core(written: str, assumptions: int) -> Core:
    if written == NONE:
        return None
    core = tuple(map(int, written.split()))
    if not all(0 <= index < assumptions for index in core):
        raise ValueError("an assumption that the query does not have")
    return core


def _query(assumptions: Sequence[Formula], goal: Formula) -> str:
    return "\n".join((*map(text, assumptions), "|-", text(goal)))
