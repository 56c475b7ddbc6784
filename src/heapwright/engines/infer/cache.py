"""Answers of the solver, kept in a file for later analyses.

The key is the question itself and how questions are put to the solver (`ENCODING`, to be changed with the axioms and
with what steps mean), so that an answer never serves another question. What the solver did not find out is not kept. A
file that cannot be read or written is done without.

>>> cache = Cache(None)
>>> cache.put("question", "none")
>>> cache.get("question") is None        # without a file nothing is kept
True
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from pathlib import Path

ENCODING = "reachability-1"


def default_path() -> Path | None:
    """Where the file is: in the user's cache directory; None where there is none."""
    if os.environ.get("HEAPWRIGHT_CACHE") == "off":
        return None
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "heapwright" / "infer.sqlite" if os.path.isabs(base) else None


class Cache:
    def __init__(self, path: Path | None) -> None:
        self._file: sqlite3.Connection | None = None
        if path is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._file = sqlite3.connect(path, timeout=1.0, isolation_level=None)
                self._file.execute("pragma synchronous = off")
                self._file.execute("create table if not exists answers (key text primary key, answer text)")
            except (OSError, sqlite3.Error):
                self._file = None

    def get(self, question: str) -> str | None:
        if self._file is None:
            return None
        try:
            row = self._file.execute("select answer from answers where key = ?", (_digest(question),)).fetchone()
        except sqlite3.Error:
            return None
        return None if row is None else str(row[0])

    def put(self, question: str, answer: str) -> None:
        if self._file is not None:
            try:
                self._file.execute("insert or replace into answers values (?, ?)", (_digest(question), answer))
            except sqlite3.Error:
                self._file = None


def _digest(question: str) -> str:
    return hashlib.sha256(f"{ENCODING}\n{question}".encode()).hexdigest()
