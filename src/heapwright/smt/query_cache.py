"""Persistent query cache: answers of solvers, keyed by the text of the query, in memory and in a file.

The key is the query itself and how queries are encoded (`encoding`, to be changed with what answers mean), so that an
answer never serves another query. A file that cannot be read or written is done without.

>>> answers: Answers[str, int] = Answers(QueryCache(None, "axioms-1"))
>>> answers.find("6 * 7", text=lambda: "6 * 7", read=int, ask=lambda: 42, write=str)
42
>>> answers.statistics.queries, answers.statistics.hits
(1, 0)
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Generic, TypeVar

from heapwright.smt.statistics import Statistics

A = TypeVar("A")
Q = TypeVar("Q", bound=Hashable)


def cache_path(name: str) -> Path | None:
    """The file of that name in the user's cache directory; None where there is none."""
    if os.environ.get("HEAPWRIGHT_CACHE") == "off":
        return None
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "heapwright" / f"{name}.sqlite" if os.path.isabs(base) else None


class QueryCache:
    """Texts of answers in a file, which several processes may use at once."""

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

    def get(self, query: str) -> str | None:
        if self._file is None:
            return None
        try:
            row = self._file.execute("select answer from answers where key = ?", (self._key(query),)).fetchone()
        except sqlite3.Error:
            return None
        return None if row is None else str(row[0])

    def put(self, query: str, answer: str) -> None:
        if self._file is not None:
            try:
                self._file.execute("insert or replace into answers values (?, ?)", (self._key(query), answer))
            except sqlite3.Error:
                self._file = None

    def _key(self, query: str) -> str:
        return hashlib.sha256(f"{self._encoding}\n{query}".encode()).hexdigest()


class Answers(Generic[Q, A]):
    """The answers of one solver, in front of those that earlier analyses stored."""

    def __init__(self, cache: QueryCache, statistics: Statistics | None = None) -> None:
        self.cache = cache
        self.statistics = statistics or Statistics()
        self.known: dict[Q, A] = {}

    def find(
        self,
        key: Q,
        *,
        text: Callable[[], str],
        read: Callable[[str], A],
        ask: Callable[[], A],
        write: Callable[[A], str | None],
        settled: Callable[[A], bool] = lambda answer: True,
    ) -> A:
        """The answer to a query. `text` is the query for the file. `read` raises an exception for what is no answer to
        it, and then the solver is asked. `write` gives None for answers that are not stored; those that are not
        `settled` are not kept in memory either, and asked for anew."""
        if key in self.known:
            self.statistics.repeated += 1
            return self.known[key]
        query = text()
        stored = self._stored(query, read)
        if stored:
            self.statistics.stored += 1
            found = stored[0]
        else:
            with self.statistics.query():
                found = ask()
            if not settled(found):
                return found
            written = write(found)
            if written is not None:
                self.cache.put(query, written)
        self.known[key] = found
        return found

    def _stored(self, query: str, read: Callable[[str], A]) -> list[A]:
        """The answer in the file, if there is one."""
        text = self.cache.get(query)
        try:
            return [] if text is None else [read(text)]
        except (LookupError, TypeError, ValueError):
            return []
