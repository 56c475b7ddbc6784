"""Answers of the prover, kept by content: in memory, and in a file that later analyses read.

>>> cache = Cache(None)
>>> cache.get("x = v |- alive(v)") is MISSING
True
>>> cache.put("x = v |- alive(v)", None)
>>> cache.get("x = v |- alive(v)") is None
True
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, Literal

from heapwright.engines.boolheap.concrete.small_heaps import Heap
from heapwright.engines.boolheap.logic.formulas import Formula
from heapwright.engines.boolheap.logic.printing import text
from heapwright.engines.boolheap.prover.implicants import Entailment, Search
from heapwright.smt.query_cache import Kept, kept_path

ENCODING = "paths-3"  # to be changed with the axioms
Core = tuple[int, ...] | None
Missing = Literal["missing"]
MISSING: Final = "missing"
_HEAP = "counterexample\n"  # begins the keys of heaps


def default_path() -> Path | None:
    return kept_path("boolheap")


class Cache:
    def __init__(self, path: Path | None) -> None:
        self._memory: dict[str, Core] = {}
        self._heaps: dict[str, str] = {}
        self._kept = Kept(path, ENCODING)

    def get(self, key: str) -> Core | Missing:
        if key in self._memory:
            return self._memory[key]
        written = self._kept.get(key)
        if written is None:
            return MISSING
        try:
            found = _read(written)
        except ValueError:
            return MISSING
        self._memory[key] = found
        return found

    def put(self, key: str, core: Core) -> None:
        self._memory[key] = core
        self._kept.put(key, "-" if core is None else " ".join(map(str, core)))

    def get_heap(self, key: str) -> Heap | Missing | None:
        """The counterexample to a question; None if none was found."""
        written = self._heaps.get(key) or self._kept.get(_HEAP + key)
        if written is None:
            return MISSING
        try:
            return None if written == "-" else _heap(json.loads(written))
        except (ValueError, KeyError, TypeError):
            return MISSING

    def put_heap(self, key: str, heap: Heap | None) -> None:
        written = self._heaps[key] = "-" if heap is None else json.dumps(_plain(heap))
        self._kept.put(_HEAP + key, written)


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


def _read(written: str) -> Core:
    return None if written == "-" else tuple(int(one) for one in written.split())


class Remembering:
    """A prover that is asked each question once. `calls` counts what it was asked, `hits` what was known;
    `seconds` is the time that answers and counterexamples took."""

    def __init__(self, prover: Entailment, cache: Cache) -> None:
        self.prover = prover
        self.cache = cache
        self.calls = self.hits = 0
        self.seconds = 0.0
        self.interrupted = False

    def entails(self, assumptions: Sequence[Formula], goal: Formula) -> Core:
        key = _question(assumptions, goal)
        found = self.cache.get(key)
        if found != MISSING and (found is None or all(place < len(assumptions) for place in found)):
            self.hits += 1
            return found
        self.calls += 1
        begin = time.monotonic()
        core = self.prover.entails(assumptions, goal)
        self.seconds += time.monotonic() - begin
        if not self.prover.interrupted:
            self.cache.put(key, core)
        return core

    def counterexample(self, assumptions: Sequence[Formula], goal: Formula, search: Search) -> Heap | None:
        key = _question(assumptions, goal)
        found = self.cache.get_heap(key)
        if found != MISSING:
            return found
        begin = time.monotonic()
        heap = self.prover.counterexample(assumptions, goal, search)
        self.seconds += time.monotonic() - begin
        if heap is not None or not self.prover.interrupted:
            self.cache.put_heap(key, heap)
        return heap


def _question(assumptions: Sequence[Formula], goal: Formula) -> str:
    return "\n".join((*map(text, assumptions), "|-", text(goal)))
