"""The query cache: an answer serves its own query only, and a file that cannot be used is done without."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from heapwright.smt.query_cache import Answers, QueryCache, cache_path


def test_another_process_finds_what_was_stored(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "answers.sqlite"
    first = QueryCache(path, "axioms-1")
    first.put("query", "yes")
    second = QueryCache(path, "axioms-1")
    assert (second.get("query"), second.get("another")) == ("yes", None)
    first.put("query", "no")
    assert second.get("query") == "no"


def test_another_encoding_finds_nothing(tmp_path: Path) -> None:
    QueryCache(tmp_path / "answers.sqlite", "axioms-1").put("query", "yes")
    assert QueryCache(tmp_path / "answers.sqlite", "axioms-2").get("query") is None


def test_a_corrupt_file(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    path.write_text("nonsense" * 1000)
    cache = QueryCache(path, "axioms-1")
    cache.put("query", "yes")
    assert cache.get("query") is None
    assert path.read_text() == "nonsense" * 1000


def test_a_file_that_is_corrupted_while_it_is_used(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    cache = QueryCache(path, "axioms-1")
    cache.put("query", "yes")
    path.write_bytes(b"\0" * path.stat().st_size)
    assert cache.get("query") is None
    cache.put("query", "yes")
    assert cache.get("query") is None


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = QueryCache(tmp_path / "file" / "answers.sqlite", "axioms-1")
    cache.put("query", "yes")
    assert cache.get("query") is None


def test_a_writer_that_holds_the_file(tmp_path: Path) -> None:
    """After the timeout of a write nothing more is stored; what others have stored is still there for them."""
    path = tmp_path / "answers.sqlite"
    cache = QueryCache(path, "axioms-1")
    cache.put("before", "yes")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin exclusive")
    assert cache.get("before") is None
    cache.put("query", "yes")
    other.execute("commit")
    assert QueryCache(path, "axioms-1").get("before") == "yes"
    assert QueryCache(path, "axioms-1").get("query") is None


def test_concurrent_writers(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from heapwright.smt.query_cache import QueryCache\n"
        "cache = QueryCache(Path(sys.argv[1]), 'axioms-1')\n"
        "for place in range(100): cache.put(f'{sys.argv[2]} {place % 50}', str(place))\n"
    )
    path = tmp_path / "answers.sqlite"
    writers = [subprocess.Popen([sys.executable, "-c", script, str(path), name]) for name in "ab"]
    assert [writer.wait() for writer in writers] == [0, 0]
    cache = QueryCache(path, "axioms-1")
    for name in "ab":
        assert {cache.get(f"{name} {place}") for place in range(50)} <= {None, *map(str, range(100))}
    cache.put("query", "yes")
    assert QueryCache(path, "axioms-1").get("query") == "yes"


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "heapwright" / "answers.sqlite"
    before = os.umask(0)
    try:
        QueryCache(path, "axioms-1").put("query", "yes")
    finally:
        os.umask(before)
    assert [stat.S_IMODE(one.stat().st_mode) for one in (path, path.parent, path.parent.parent)] == [
        0o600,
        0o700,
        0o700,
    ]


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_can_write_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "answers.sqlite"
    QueryCache(path, "axioms-1").put("query", "yes")
    path.chmod(mode)
    cache = QueryCache(path, "axioms-1")
    assert (cache.get("query"), cache.refusal) == (None, f"others can write '{path}'")
    path.chmod(0o600)
    assert QueryCache(path, "axioms-1").get("query") == "yes"


@pytest.mark.parametrize("mode", [0o770, 0o777, 0o1777])
def test_a_directory_that_others_can_write_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "cache" / "answers.sqlite"
    QueryCache(path, "axioms-1").put("query", "yes")
    path.parent.chmod(mode)
    cache = QueryCache(path, "axioms-1")
    assert (cache.get("query"), cache.refusal) == (None, f"others can write '{path.parent}'")


@pytest.mark.parametrize("mode", [0o770, 0o777])
def test_a_directory_that_others_can_replace_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "open" / "cache" / "answers.sqlite"
    QueryCache(path, "axioms-1").put("query", "yes")
    (tmp_path / "open").chmod(mode)
    assert QueryCache(path, "axioms-1").get("query") is None
    (tmp_path / "open").chmod(0o1777)  # as /tmp: entries are replaced by their owners alone
    assert QueryCache(path, "axioms-1").get("query") == "yes"


def test_symbolic_links_are_refused(tmp_path: Path) -> None:
    real = tmp_path / "real" / "answers.sqlite"
    QueryCache(real, "axioms-1").put("query", "yes")
    (tmp_path / "file.sqlite").symlink_to(real)
    (tmp_path / "folder").symlink_to(tmp_path / "real")
    for path in (tmp_path / "file.sqlite", tmp_path / "folder" / "answers.sqlite"):
        cache = QueryCache(path, "axioms-1")
        assert cache.get("query") is None
        assert cache.refusal


def test_a_file_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "answers.sqlite"
    QueryCache(path, "axioms-1").put("query", "yes")
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    cache = QueryCache(path, "axioms-1")
    assert (cache.get("query"), cache.refusal) == (None, f"'{path.parent}' belongs to another user")


@pytest.mark.parametrize(
    "damage",
    [
        "update entries set answer = 'no'",
        "update entries set seal = ''",
    ],
)
def test_a_damaged_entry_answers_nothing(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "answers.sqlite"
    cache = QueryCache(path, "axioms-1")
    cache.put("first", "yes")
    cache.put("second", "perhaps")
    file = sqlite3.connect(path, isolation_level=None)
    file.execute(damage)
    assert cache.get("first") is None
    assert cache.get("second") is None


def test_a_renamed_entry_answers_nothing(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    cache = QueryCache(path, "axioms-1")
    cache.put("first", "yes")
    cache.put("second", "no")
    file = sqlite3.connect(path, isolation_level=None)
    (one,), (other,) = file.execute("select key from entries").fetchall()
    for old, new in ((one, "x"), (other, one), ("x", other)):
        file.execute("update entries set key = ? where key = ?", (new, old))
    assert (cache.get("first"), cache.get("second")) == (None, None)


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("HEAPWRIGHT_CACHE", raising=False)
    assert cache_path("engine") == tmp_path / "heapwright" / "engine.sqlite"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_path("engine") is None
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("HEAPWRIGHT_CACHE", "off")
    assert cache_path("engine") is None


class _Solver:
    """Squares numbers; those below zero it does not store, those above 100 it has not settled."""

    def __init__(self, path: Path | None) -> None:
        self.asked: list[int] = []
        self.answers: Answers[int, int] = Answers(QueryCache(path, "squares-1"))

    def square(self, number: int) -> int:
        return self.answers.find(
            number,
            text=lambda: str(number),
            read=int,
            ask=lambda: self._asked(number),
            write=lambda found: None if number < 0 else str(found),
            settled=lambda found: number <= 100,
        )

    def _asked(self, number: int) -> int:
        self.asked.append(number)
        return number * number


def test_each_query_is_asked_once(tmp_path: Path) -> None:
    first = _Solver(tmp_path / "answers.sqlite")
    assert [first.square(one) for one in (3, 4, 3)] == [9, 16, 9]
    assert first.asked == [3, 4]
    second = _Solver(tmp_path / "answers.sqlite")
    assert [second.square(one) for one in (3, 3, 5)] == [9, 9, 25]
    assert second.asked == [5]
    found = second.answers.statistics
    assert (found.queries, found.stored, found.repeated, found.hits) == (1, 1, 1, 2)


def test_what_is_not_stored_is_remembered(tmp_path: Path) -> None:
    for _ in range(2):
        solver = _Solver(tmp_path / "answers.sqlite")
        assert solver.square(-2) == solver.square(-2) == 4
        assert solver.asked == [-2]


def test_what_is_not_settled_is_asked_again(tmp_path: Path) -> None:
    solver = _Solver(tmp_path / "answers.sqlite")
    assert solver.square(200) == solver.square(200) == 40_000
    assert solver.asked == [200, 200]


def test_what_is_no_answer_is_asked_for_anew(tmp_path: Path) -> None:
    QueryCache(tmp_path / "answers.sqlite", "squares-1").put("3", "nine")
    solver = _Solver(tmp_path / "answers.sqlite")
    assert solver.square(3) == 9
    assert _Solver(tmp_path / "answers.sqlite").square(3) == 9
    assert solver.asked == [3]


def test_without_a_file() -> None:
    solver = _Solver(None)
    assert solver.square(3) == solver.square(3) == 9
    assert solver.asked == [3]
