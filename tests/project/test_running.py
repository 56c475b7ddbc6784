"""Running: a unit that dies, hangs or takes too much memory is a row, no child survives, nothing done is lost."""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from project.trees import EXPLORE, LEAKS, SAFE, fresh, run_tree, verdicts, write_tree

from heapwright.project import session
from heapwright.project.running import work
from heapwright.project.running.capacity import available_cores, memory_for_each
from heapwright.project.store.database import Store, open_store
from heapwright.project.units.selection import Selection

FOREVER = "int main(void) { unsigned i = 0; int *p = 0; while (i + 1 != 0) i = (i + 1) % 1000; return *p; }\n"


def poisoned(monkeypatch: pytest.MonkeyPatch, behaviour: str) -> None:
    """Units whose file is named `poison.c` behave so in their process."""
    real = work.UnitTask.__call__

    def call(self, send):  # type: ignore[no-untyped-def]
        if self.job.source.files[0].endswith("poison.c"):
            match behaviour:
                case "dies":
                    os.kill(os.getpid(), signal.SIGKILL)
                    time.sleep(60)
                case "hangs":
                    time.sleep(60)
                case "grows":
                    held = bytearray(b"x") * (400 * 2**20)
                    time.sleep(60 + held[0])
                case "raises":
                    raise ZeroDivisionError("a fault")
        return real(self, send)

    monkeypatch.setattr(work.UnitTask, "__call__", call)


@pytest.mark.parametrize(
    ("behaviour", "verdict", "text"),
    [
        ("dies", "failed", "SIGKILL"),
        ("hangs", "unknown", "time limit of 1 s"),
        ("grows", "unknown", "memory limit of 300 MB"),
        ("raises", "failed", "ZeroDivisionError: a fault"),
    ],
)
def test_a_poisonous_unit_is_a_row(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch, behaviour: str, verdict: str, text: str
) -> None:
    root = write_tree(tmp_path / "p", {"a.c": SAFE, "poison.c": SAFE, "z.c": LEAKS})
    assert verdicts(run_tree(root, store, selection=Selection(exclude=("poison.c",)))) == {
        "a.c": "safe",
        "z.c": "unsafe",
    }
    poisoned(monkeypatch, behaviour)
    done = run_tree(
        root, store, timeout=1.0 if behaviour == "hangs" else 60.0, memory_mb=300.0 if behaviour == "grows" else None
    )
    assert verdicts(done) == {"a.c": "safe", "poison.c": verdict, "z.c": "unsafe"}
    assert fresh(done) == ["poison.c"]
    kept = store.answer(done.rows[1].key)
    assert kept is not None
    assert text in (kept.body["fault"] or kept.body["limit"])
    monkeypatch.undo()
    assert verdicts(run_tree(root, store, timeout=50.0)) == {"a.c": "safe", "poison.c": "safe", "z.c": "unsafe"}


def test_rounds_of_a_budget_grow_and_stop_when_nothing_is_open(tmp_path: Path, store: Store) -> None:
    root = write_tree(tmp_path / "p", {"a.c": SAFE})
    asked = []

    class Watch(session.Watcher):
        def round(self, number: int, count: int, seconds: float) -> None:
            asked.append((number, count, seconds))

    from dataclasses import replace

    from heapwright.c.options import ParseOptions
    from heapwright.project.units.compilations import find_compilations

    tree = find_compilations(str(root), ParseOptions())
    request = replace(EXPLORE, budget=1000.0, timeout=None)
    session.run_project(tree, store, request, watcher=Watch())
    assert asked == [(1, 1, 5.0)]
    made = session._Session(tree, store, request, None)  # type: ignore[arg-type]
    assert list(made._rounds()) == [5.0, 20.0, 80.0, 300.0]
    made.request = replace(request, timeout=60.0)
    assert list(made._rounds()) == [5.0, 20.0, 60.0]
    made.request = replace(request, budget=None, timeout=None)
    assert list(made._rounds()) == [5.0]


def test_without_budget_left_a_unit_has_no_answer(tmp_path: Path, store: Store) -> None:
    done = run_tree(write_tree(tmp_path / "p", {"a.c": SAFE}), store, budget=0.001)
    assert [row.answered for row in done.rows] == [False]


def test_cores_and_memory_of_a_control_group(tmp_path: Path) -> None:
    write_tree(tmp_path, {"cpu.max": "150000 100000", "memory.max": str(1000 * 2**20)})
    assert available_cores(tmp_path) == min(2, available_cores(tmp_path / "none"))
    assert memory_for_each(2, tmp_path) == 400.0
    (tmp_path / "cpu.max").write_text("max 100000")
    assert available_cores(tmp_path) == available_cores(tmp_path / "none")


PROJECT = """
import sys
from heapwright.cli import main
from heapwright.project import session

keep = session._Session._keep

def told(self, run, row, answer, watcher):
    keep(self, run, row, answer, watcher)
    print(row.unit.name, flush=True)

session._Session._keep = told
words = ["--engine", "explore", "--store", sys.argv[2], "-j", "1", "--timeout", "60", "-q"]
sys.exit(main(["project", sys.argv[1], *words]))
"""


def children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in path.read_text().split()] if path.exists() else []


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_no_child_survives_a_killed_parent_and_what_was_done_is_kept(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "p", {"a.c": SAFE, "z.c": FOREVER})
    answers = tmp_path / "s.sqlite"
    run_tree(root, answers, selection=Selection(select=("a.c",)))
    parent = subprocess.Popen([sys.executable, "-c", PROJECT, str(root), str(answers)], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not (found := children(parent.pid)) and time.monotonic() < deadline:
        time.sleep(0.01)
    parent.kill()
    parent.wait()
    while any(Path(f"/proc/{pid}").exists() and not _zombie(pid) for pid in found) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert found
    assert not any(Path(f"/proc/{pid}").exists() and not _zombie(pid) for pid in found)
    store = open_store(str(root), str(answers))
    assert store.statistics()["verdicts"] == {"safe": 1}
    store.close()


def _zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def _start(root: Path, answers: Path, stdout: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", PROJECT, str(root), str(answers)], stdout=stdout)


def _rows(root: Path, answers: Path) -> int:
    store = open_store(str(root), str(answers))
    try:
        return int(store.statistics()["rows"]["result"])
    finally:
        store.close()


@pytest.mark.slow
def test_killed_at_many_moments_the_store_opens_and_keeps_what_was_reported(tmp_path: Path) -> None:
    """Twenty runs are killed: at the start, while they scan, and at any write to the store or soon after one. What a
    run has told is in the store. Then two run at once."""
    names = [f"f{number}.c" for number in range(40)]
    root, answers = write_tree(tmp_path / "p", dict.fromkeys(names, SAFE)), tmp_path / "s.sqlite"
    source, known = random.Random(8), 0
    log = Path(f"{answers}-wal")
    for turn in range(20):
        parent = _start(root, answers, stdout=subprocess.PIPE)
        assert parent.stdout is not None
        lines = list(itertools.islice(parent.stdout, turn % 4))
        told = known + sum(line.strip().endswith(b".c") for line in lines)  # the others are the summary
        writes = source.randrange(6)
        size = 0
        for _ in range(source.randrange(20_000)):  # any moment
            grown = _size(log)
            writes -= grown != size
            size = grown
            if writes < 0 or parent.poll() is not None:
                break
        parent.kill()
        parent.communicate()
        found = _rows(root, answers)
        assert found >= told
        known = found
    two = [_start(root, answers) for _ in range(2)]
    assert [one.wait() for one in two] == [0, 0]
    assert not fresh(run_tree(root, answers))
