"""Answers of the prover, kept by content: in memory, and in a file that later analyses read.

The key is the query itself, and how queries are put to z3 (`ENCODING`, to be changed with the axioms), so that an
answer never serves another question. A file that cannot be read or written is done without.

>>> cache = Cache(None)
>>> cache.get("x = v |- alive(v)") is MISSING
True
>>> cache.put("x = v |- alive(v)", None)
>>> cache.get("x = v |- alive(v)") is None
True
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

from heapwright.engines.boolheap.deduction import Entailment
from heapwright.engines.boolheap.formulas import Formula, text

ENCODING = "paths-1"
Core = tuple[int, ...] | None
Missing = Literal["missing"]
MISSING: Final = "missing"


def default_path() -> Path | None:
    """Where the file is: in the user's cache directory; None where there is none."""
    if os.environ.get("HEAPWRIGHT_CACHE") == "off":
        return None
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "heapwright" / "boolheap.sqlite" if os.path.isabs(base) else None


class Cache:
    def __init__(self, path: Path | None) -> None:
        self._memory: dict[str, Core] = {}
        self._file: sqlite3.Connection | None = None
        if path is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._file = sqlite3.connect(path, timeout=1.0, isolation_level=None)
                self._file.execute("pragma synchronous = off")
                self._file.execute("create table if not exists answers (key text primary key, core text)")
            except (OSError, sqlite3.Error):
                self._file = None

    def get(self, key: str) -> Core | Missing:
        if key in self._memory:
            return self._memory[key]
        if self._file is None:
            return MISSING
        try:
            row = self._file.execute("select core from answers where key = ?", (_digest(key),)).fetchone()
            if row is None:
                return MISSING
            found = _read(row[0])
        except (sqlite3.Error, ValueError):
            return MISSING
        self._memory[key] = found
        return found

    def put(self, key: str, core: Core) -> None:
        self._memory[key] = core
        if self._file is not None:
            written = "-" if core is None else " ".join(map(str, core))
            try:
                self._file.execute("insert or replace into answers values (?, ?)", (_digest(key), written))
            except sqlite3.Error:
                self._file = None


def _digest(key: str) -> str:
    return hashlib.sha256(f"{ENCODING}\n{key}".encode()).hexdigest()


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
