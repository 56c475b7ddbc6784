"""Answers that cost much, kept in a file for later analyses.

The key is the question itself and how questions are put (`encoding`, to be changed with what answers mean), so that an
answer never serves another question. A file that cannot be read or written is done without.

>>> kept = Kept(None, "axioms-1")
>>> kept.put("question", "none")
>>> kept.get("question") is None        # without a file nothing is kept
True
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from pathlib import Path


def kept_path(name: str) -> Path | None:
    """Where the file of that name is: in the user's cache directory; None where there is none."""
    if os.environ.get("HEAPWRIGHT_CACHE") == "off":
        return None
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "heapwright" / f"{name}.sqlite" if os.path.isabs(base) else None


class Kept:
    def __init__(self, path: Path | None, encoding: str) -> None:
        self._encoding = encoding
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
            row = self._file.execute("select answer from answers where key = ?", (self._key(question),)).fetchone()
        except sqlite3.Error:
            return None
        return None if row is None else str(row[0])

    def put(self, question: str, answer: str) -> None:
        if self._file is not None:
            try:
                self._file.execute("insert or replace into answers values (?, ?)", (self._key(question), answer))
            except sqlite3.Error:
                self._file = None

    def _key(self, question: str) -> str:
        return hashlib.sha256(f"{self._encoding}\n{question}".encode()).hexdigest()
