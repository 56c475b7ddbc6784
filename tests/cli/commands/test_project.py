"""`heapwright project` and `heapwright store` as commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cli.hand_made import Heapwright
from project.trees import LEAKS, SAFE, write_tree

WORDS = ("--engine", "explore", "-j", "1", "--timeout", "60")


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_run_its_reports_its_history_and_its_store(heapwright: Heapwright, tmp_path: Path) -> None:
    root = str(write_tree(tmp_path / "p", {"bad.c": LEAKS, "good.c": SAFE}))
    said = heapwright("project", root, *WORDS, "--sarif", "o.sarif", "--junit", "o.xml", "--markdown", "o.md")
    assert said.code == 1
    assert "2 units: 1 safe, 1 unsafe" in said.out
    assert len(json.loads((tmp_path / "o.sarif").read_text())["runs"][0]["results"]) == 1
    again = heapwright("project", root, "--report", "--jsonl", "-", "-q")
    assert (again.code, json.loads(again.out.splitlines()[-1])["units"]["unsafe"]) == (1, 1)
    updated = heapwright("project", root, *WORDS, "--baseline", "b.json", "--update-baseline", "-q")
    assert (updated.code, "1 known violation, 0 stale" in updated.out) == (0, True)
    assert heapwright("project", root, *WORDS, "--baseline", "b.json", "-q").code == 0
    history = heapwright("project", root, "--history").out
    assert history.count("1 safe, 1 unsafe") == 3
    stats = heapwright("store", "stats", root).out
    assert "safe         1" in stats
    assert "0 answers deleted" in heapwright("store", "prune", root).out


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("project", "p", "--update-baseline"), "needs --baseline"),
        (("project", "p", "--csv", "-", "--jsonl", "-"), "only one report"),
        (("project", "p", "-j", "0"), "positive integer"),
        (("project", "p", "--budget", "soon"), "positive number"),
        (("project", "p", "--report"), "no run of this project"),
        (("project", "p", "--baseline", "none.json", "--engine", "explore"), "cannot read the baseline"),
        (("project", "none"), "does not exist"),
        (("store", "eat", "p"), "unknown action"),
        (("store", "stats", "p"), "there is no store"),
    ],
)
def test_usage(heapwright: Heapwright, tmp_path: Path, words: tuple[str, ...], text: str) -> None:
    write_tree(tmp_path / "p", {"a.c": SAFE})
    said = heapwright(*words)
    assert (said.code, text in said.err) == (2, True)


def test_a_configuration_file_is_an_assumption_and_cannot_name_a_store(heapwright: Heapwright, tmp_path: Path) -> None:
    tree = {"a.c": SAFE, "heapwright.toml": 'engine = "explore"\nexternals = "pure"\n'}
    root = str(write_tree(tmp_path / "p", tree))
    said = heapwright("project", root, "-j", "1", "-q")
    assert (said.code, "assumption: configured: externals = pure" in said.out) == (0, True)
    for line in ('store = "answers"', 'baseline = "b.json"'):
        write_tree(tmp_path / "p", {"heapwright.toml": line + "\n"})
        assert heapwright("project", root, *WORDS).code == 2


def test_checks_and_help_load_neither_rich_nor_projects() -> None:
    code = (
        "import sys; from heapwright.cli import main; main(['check', '--help']); main(['project', '--help']); "
        "heavy = ('rich', 'distributed', 'sqlite3', 'heapwright.project'); "
        "print([m for m in sys.modules if m.startswith(heavy)])"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.splitlines()[-1] == "[]"


def test_the_bar_of_a_terminal_has_counts_and_what_workers_do() -> None:
    import io

    from heapwright.project.progress import BarWatcher, LineWatcher, watcher_for
    from heapwright.project.session import Row
    from heapwright.project.units.unit import Unit

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    rows = [Row(Unit(f"{word}.c", "main", (), ()), word, word, answered=True) for word in ("safe", "unsafe", "refused")]
    rows.append(Row(Unit("open.c", "main", (), ()), "open"))
    terminal = Terminal()
    bar = watcher_for(terminal)
    assert isinstance(bar, BarWatcher)
    bar.scanning(1, 2)
    bar.begin(rows)
    bar.activities([("open.c", "analysing")])
    bar.end()
    for part in ("reading 1 of 2 files", "3 of 4 units", "1 safe", "1 unsafe", "1 refused", "open.c: analysing"):
        assert part in terminal.getvalue()
    lines = io.StringIO()
    plain = watcher_for(lines)
    assert isinstance(plain, LineWatcher)
    plain.begin(rows)
    plain.activities([])
    assert lines.getvalue() == "4 units\n"
    assert plain.line().startswith("3 of 4 units: 1 safe, 1 unsafe, 1 refused")
    silent = io.StringIO()
    watcher_for(silent, quiet=True).begin(rows)
    assert not silent.getvalue()
