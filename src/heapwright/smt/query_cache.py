"""Persistent query cache: answers of solvers, keyed by the text of the query, in memory and in a file.

The key is a digest of the query and of how queries are encoded (`encoding`, to be changed with what answers mean), and
a second digest binds the answer to them: a renamed or damaged entry serves no query. The file is for its owner alone;
if it belongs to another user, or if others can write it, its directory or a directory above, it is refused. Without a
file that can be read and written, answers are cached in memory only.

>>> answers: Answers[str, int] = Answers(QueryCache(None, "axioms-1"))
>>> answers.find("6 * 7", text=lambda: "6 * 7", read=int, ask=lambda: 42, write=str)
42
>>> answers.statistics.queries, answers.statistics.hits
(1, 0)
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Generic, TypeVar

from heapwright.base.private_files import cache_folder, make_private
from heapwright.smt.statistics import Statistics

A = TypeVar("A")
Q = TypeVar("Q", bound=Hashable)


def cache_path(name: str) -> Path | None:
    """The file of that name in the user's cache directory; None where there is none."""
    folder = cache_folder()
    return None if folder is None else folder / f"{name}.sqlite"


class QueryCache:
    """Texts of answers in a file, which several processes may use at once. `refusal` is the reason why the file is not
    used."""

    def __init__(self, path: Path | None, encoding: str) -> None:
        self._encoding = encoding
        self._file: sqlite3.Connection | None = None
        self.refusal = ""
        if path is not None:
            try:
                self.refusal = make_private(path)
                self._file = None if self.refusal else self._connected(path)
            except (OSError, sqlite3.Error) as error:
                self.refusal = str(error)

    def _connected(self, path: Path) -> sqlite3.Connection:
        file = sqlite3.connect(path, timeout=1.0, isolation_level=None)
        file.execute("pragma synchronous = off")
        file.execute("create table if not exists entries (key text primary key, answer text, seal text)")
        return file

    def get(self, query: str) -> str | None:
        if self._file is None:
            return None
        try:
            question = "select answer, seal from entries where key = ?"
            row = self._file.execute(question, (self._key(query),)).fetchone()
        except sqlite3.Error:
            return None
        if row is None or row[1] != self._seal(query, str(row[0])):
            return None
        return str(row[0])

    def put(self, query: str, answer: str) -> None:
        if self._file is not None:
            try:
                entry = (self._key(query), answer, self._seal(query, answer))
                self._file.execute("insert or replace into entries values (?, ?, ?)", entry)
            except sqlite3.Error:
                self._file = None

    def _key(self, query: str) -> str:
        return hashlib.sha256(f"{self._encoding}\n{query}".encode()).hexdigest()

    def _seal(self, query: str, answer: str) -> str:
        """Binds an answer to its query."""
        parts = (self._encoding, query, answer)
        return hashlib.sha256("".join(f"{len(part)}\n{part}" for part in parts).encode()).hexdigest()


class Answers(Generic[Q, A]):
    """The answers of one solver: an in-memory cache in front of the persistent one."""

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
        """The answer to a query. `text` is the query for the file. If `read` raises an exception for a malformed
        answer, the solver is queried. `write` gives None for answers that are not stored; those that are not `settled`
        are not cached in memory either."""
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
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
            return []
