"""Answers of the prover, kept by content: in memory, and in a file that later analyses read.

>>> cache = Cache(None)
>>> cache.get("x = v |- alive(v)") is MISSING
True
>>> cache.put("x = v |- alive(v)", None)
>>> cache.get("x = v |- alive(v)") is None
True
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

from heapwright.engines.boolheap.deduction import Entailment
from heapwright.engines.boolheap.formulas import Formula, text
from heapwright.kept import Kept, kept_path

ENCODING = "paths-2"  # to be changed with the axioms
Core = tuple[int, ...] | None
Missing = Literal["missing"]
MISSING: Final = "missing"


def default_path() -> Path | None:
    return kept_path("boolheap")


class Cache:
    def __init__(self, path: Path | None) -> None:
        self._memory: dict[str, Core] = {}
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


def _read(written: str) -> Core:
    return None if written == "-" else tuple(int(one) for one in written.split())


class Remembering:
    """A prover that is asked each question once. `calls` counts what it was asked, `hits` what was known."""

    def __init__(self, prover: Entailment, cache: Cache) -> None:
        self.prover = prover
        self.cache = cache
        self.calls = self.hits = 0
        self.interrupted = False

    def entails(self, assumptions: Sequence[Formula], goal: Formula) -> Core:
        key = "\n".join((*map(text, assumptions), "|-", text(goal)))
        found = self.cache.get(key)
        if found != MISSING and (found is None or all(place < len(assumptions) for place in found)):
            self.hits += 1
            return found
        self.calls += 1
        core = self.prover.entails(assumptions, goal)
        if not self.prover.interrupted:
            self.cache.put(key, core)
        return core
