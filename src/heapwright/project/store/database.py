"""The store of one source tree: a SQLite file in the user's cache directory.

    store = open_store(root)
    store.answer(key)                   # what is known, or None

One process writes: the parent of the analyses. Each answer is one transaction of a write-ahead log, so that a crash at
any moment loses nothing that was reported as done. All texts are JSON. `unit` says what a key means, `result` has the
answer, `finding` its checks; `run` and `run_unit` are the history, with the verdict that a unit had then; `manifest`
makes the unchanged case cheap.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heapwright.base.errors import InputError
from heapwright.base.private_files import cache_folder, make_private
from heapwright.base.source import printable
from heapwright.project.store.digests import sha256
from heapwright.project.store.limits import UnitLimits, read_limits

VERSION = 1  # of the tables; a file with another one is made anew
DAY = 86_400.0
TRIES = 100  # to open a store that another process recovers
_TABLES = """
create table if not exists unit (key text primary key, root text, name text, entry text, inputs text) without rowid;
create table if not exists result (
    key text primary key, verdict text, complete integer, limits text, seconds real, peak_mb real, body text, used real
) without rowid;
create table if not exists finding (
    key text, fingerprint text, rule text, path text, line integer, verdict text,
    primary key (key, fingerprint)
) without rowid;
create table if not exists run (id integer primary key, started real, revision text, options text, checks text);
create table if not exists run_unit (run integer, key text, verdict text, primary key (run, key)) without rowid;
create table if not exists manifest (id text primary key, tool text, body text) without rowid;
create index if not exists unit_name on unit (name);
"""
_NAMES = ("unit", "result", "finding", "run", "run_unit", "manifest")


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a unit. `verdict` is safe, unsafe, unknown, refused or failed; `complete` says that no limit
    cut it; `findings` are (fingerprint, rule, path, line, verdict)."""

    verdict: str
    complete: bool
    limits: UnitLimits
    seconds: float
    peak_mb: float
    body: dict[str, Any]
    findings: tuple[tuple[str, str, str, int, str], ...] = ()

    @property
    def faulty(self) -> bool:
        return self.verdict == "failed" or bool(self.body.get("fault"))

    def serves(self, request: UnitLimits) -> bool:
        if self.faulty or (self.verdict == "refused" and not self.complete):  # its files changed under it
            return False
        return self.complete or request.within(self.limits)


def store_path(root: str) -> Path | None:
    """The file of the store of a tree; None without a cache directory."""
    folder = cache_folder()
    name = sha256(os.fsencode(os.path.realpath(root)))[:32]
    return None if folder is None else folder / "projects" / f"{name}.sqlite"


def open_store(root: str, path: str | None = None) -> Store:
    """The store of a tree, in the cache directory or at a path that a user gave; in memory where that is not possible,
    and `Store.refusal` says why."""
    file = Path(path) if path is not None else store_path(root)
    if file is None:
        return Store(None, "there is no cache directory")
    try:
        refusal = make_private(file.absolute())
        if path is not None and refusal:
            raise InputError(f"the store '{printable(path)}' cannot be used: {refusal}")
        return Store(None if refusal else file, refusal)
    except (OSError, sqlite3.Error) as error:
        if path is not None:
            raise InputError(f"the store '{printable(path)}' cannot be used: {error}") from None
        return Store(None, str(error))


class Store:
    def __init__(self, path: Path | None, refusal: str = "") -> None:
        self.path, self.refusal = path, refusal
        self._file = sqlite3.connect(path or ":memory:", timeout=30.0, isolation_level=None)
        self._keep_log()
        self._file.execute("pragma synchronous = normal")
        with self._transaction():
            (version,) = self._file.execute("pragma user_version").fetchone()
            if version not in (0, VERSION):
                for name in _NAMES:
                    self._file.execute(f"drop table if exists {name}")
            for statement in filter(str.strip, _TABLES.split(";")):
                self._file.execute(statement)
            self._file.execute(f"pragma user_version = {VERSION}")

    def close(self) -> None:
        self._file.close()

    def _keep_log(self) -> None:
        """Switches to a write-ahead log. While another process recovers the log of one that was killed, SQLite refuses
        that at once instead of waiting."""
        for attempt in range(TRIES):
            try:
                self._file.execute("pragma journal_mode = wal")
                return
            except sqlite3.OperationalError:
                if attempt == TRIES - 1:
                    raise
                time.sleep(0.1)

    # --- answers -----------------------------------------------------------------------------------------------------

    def answer(self, key: str) -> Answer | None:
        row = self._file.execute(
            "select verdict, complete, limits, seconds, peak_mb, body from result where key = ?", (key,)
        ).fetchone()
        if row is None:
            return None
        verdict, complete, limits, seconds, peak_mb, body = row
        try:
            return Answer(verdict, bool(complete), read_limits(limits), seconds, peak_mb, json.loads(body))
        except (ValueError, KeyError, TypeError):
            return None

    def record(self, run: int, key: str, unit: tuple[str, str, str, object], answer: Answer) -> None:
        """Records an answer, and that the run has it. `unit` is (root, name, entry, inputs). A complete answer that
        another process has recorded stays."""
        known = self.answer(key)
        with self._transaction():
            root, name, entry, inputs = unit
            self._file.execute(
                "insert or replace into unit values (?, ?, ?, ?, ?)", (key, root, name, entry, json.dumps(inputs))
            )
            if known is None or answer.complete or known.faulty or not known.complete:
                row = (answer.verdict, answer.complete, answer.limits.text(), answer.seconds, answer.peak_mb)
                self._file.execute(
                    "insert or replace into result values (?, ?, ?, ?, ?, ?, ?, ?)",
                    (key, *row, json.dumps(answer.body), time.time()),
                )
                self._file.execute("delete from finding where key = ?", (key,))
                self._file.executemany(
                    "insert or replace into finding values (?, ?, ?, ?, ?, ?)", [(key, *one) for one in answer.findings]
                )
            self._file.execute("insert or replace into run_unit values (?, ?, ?)", (run, key, answer.verdict))

    def serve(self, run: int, served: Iterable[tuple[str, str]]) -> None:
        """Records that a run was served answers: keys with their verdicts."""
        rows = list(served)
        with self._transaction():
            self._file.executemany("insert or replace into run_unit values (?, ?, ?)", [(run, *row) for row in rows])
            self._file.executemany("update result set used = ? where key = ?", [(time.time(), key) for key, _ in rows])

    def seconds_by_name(self) -> dict[str, float]:
        """How long each unit took last time."""
        rows = self._file.execute("select name, seconds from unit join result using (key) order by used")
        return dict(rows.fetchall())

    # --- runs --------------------------------------------------------------------------------------------------------

    def begin_run(self, revision: str, options: object) -> int:
        with self._transaction():
            row = (time.time(), revision, json.dumps(options, sort_keys=True))
            done = self._file.execute("insert into run (started, revision, options) values (?, ?, ?)", row)
        return int(done.lastrowid or 0)

    def end_run(self, run: int) -> None:
        """Keeps the numbers of checks of a run: later answers to the same units may be others."""
        with self._transaction():
            self._file.execute("update run set checks = ? where id = ?", (json.dumps(self.checks_of_run(run)), run))

    def last_run(self) -> int | None:
        (number,) = self._file.execute("select max(run) from run_unit").fetchone()
        return None if number is None else int(number)

    def run_revision(self, run: int) -> str:
        row = self._file.execute("select revision from run where id = ?", (run,)).fetchone()
        return str(row[0]) if row else ""

    def units_of_run(self, run: int) -> Iterator[tuple[str, str, str, list[list[str | None]]]]:
        """Keys, names, entries and inputs of the units of a run."""
        question = (
            "select key, name, entry, inputs from run_unit join unit using (key) where run = ? order by name, key"
        )
        for key, name, entry, inputs in self._file.execute(question, (run,)).fetchall():
            yield key, name, entry, json.loads(inputs)

    def history(self) -> Iterator[dict[str, Any]]:
        """For each run, oldest first: its time, revision, units by verdict, and checks by verdict."""
        for number, started, revision, checks in self._file.execute(
            "select id, started, revision, checks from run order by id"
        ).fetchall():
            units = self._file.execute(
                "select verdict, count(*) from run_unit where run = ? group by verdict", (number,)
            ).fetchall()
            yield {
                "run": number,
                "started": started,
                "revision": revision,
                "units": dict(units),
                "checks": json.loads(checks) if checks else self.checks_of_run(number),
            }

    def checks_of_run(self, run: int) -> dict[str, int]:
        """Numbers of checks by verdict, each check once: the worst verdict of all units counts."""
        rows = self._file.execute(
            "select worst, count(*) from (select max(case finding.verdict when 'violated' then 3 when 'unknown' then 2 "
            "when 'masked' then 1 else 0 end) as worst from run_unit join finding using (key) where run = ? "
            "group by fingerprint) group by worst",
            (run,),
        )
        words = ("proved", "masked", "unknown", "violated")
        return {words[worst]: count for worst, count in rows.fetchall()}

    # --- manifests ---------------------------------------------------------------------------------------------------

    def manifest(self, identity: str) -> str | None:
        row = self._file.execute("select body from manifest where id = ?", (identity,)).fetchone()
        return str(row[0]) if row else None

    def keep_manifests(self, tool: str, manifests: Sequence[tuple[str, str]]) -> None:
        """Keeps manifests, texts by identity; those of another package are of no use any more."""
        with self._transaction():
            self._file.execute("delete from manifest where tool != ?", (tool,))
            rows = [(identity, tool, body) for identity, body in manifests]
            self._file.executemany("insert or replace into manifest values (?, ?, ?)", rows)

    # --- housekeeping ------------------------------------------------------------------------------------------------

    def prune(self, days: float) -> int:
        """Deletes answers that no run has used for so many days, and what refers to them; returns their number."""
        before = time.time() - days * DAY
        with self._transaction():
            gone = self._file.execute("delete from result where used < ?", (before,)).rowcount
            for name in ("unit", "finding", "run_unit"):
                self._file.execute(f"delete from {name} where key not in (select key from result)")
            self._file.execute("delete from run where id not in (select run from run_unit)")
            if gone:
                self._file.execute("delete from manifest")
        self._file.execute("vacuum")
        return gone

    def statistics(self) -> dict[str, Any]:
        """Numbers of rows, of answers by verdict, and the size of the file in bytes."""
        counts = {name: self._file.execute(f"select count(*) from {name}").fetchone()[0] for name in _NAMES}
        verdicts = dict(self._file.execute("select verdict, count(*) from result group by verdict").fetchall())
        (size,) = self._file.execute("select coalesce(sum(length(body)), 0) from result").fetchone()
        names = [] if self.path is None else [str(self.path), f"{self.path}-wal"]
        total = sum(os.path.getsize(name) for name in names if os.path.exists(name))
        return {"path": str(self.path or ""), "rows": counts, "verdicts": verdicts, "answers": size, "bytes": total}

    def _transaction(self) -> _Transaction:
        return _Transaction(self._file)


class _Transaction:
    """A transaction that writes from its start, so that two writers wait for one another instead of failing."""

    def __init__(self, file: sqlite3.Connection) -> None:
        self._file = file

    def __enter__(self) -> None:
        self._file.execute("begin immediate")

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._file.execute("commit" if kind is None else "rollback")
