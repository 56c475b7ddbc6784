"""The scoreboard: two tasks of our own, one answer of each kind, kept and not asked for again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.paths import ROOT

SCRIPT = ROOT / "bench" / "scoreboard.py"
SAFE = "#include <stdlib.h>\nint main(void) { int *x = malloc(sizeof *x); free(x); return 0; }\n"
UNSAFE = "#include <stdlib.h>\nint main(void) { int *x = malloc(sizeof *x); free(x); free(x); return 0; }\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "safe.c").write_text(SAFE, encoding="utf-8")
    (tmp_path / "unsafe.c").write_text(UNSAFE, encoding="utf-8")
    return tmp_path


def board(folder: Path, unsafe: str = "false(valid-free)", *more: str) -> subprocess.CompletedProcess[str]:
    rows = [
        "path\tproperty\texpected\tkind\tlines\tdata_model",
        "safe.c\tvalid-memsafety\ttrue\tnone\t2\tLP64",
        f"unsafe.c\tvalid-memsafety\t{unsafe}\tnone\t2\tLP64",
    ]
    (folder / "tasks.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    options = ["--tasks", "tasks.tsv", "--tools", "explore", "--timeout", "10", "--jobs", "1", *more]
    return subprocess.run(
        [sys.executable, str(SCRIPT), ".", *options], cwd=folder, capture_output=True, text=True, check=False
    )


def kept(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "scoreboard.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_score(folder: Path) -> None:
    done = board(folder)
    assert done.returncode == 0, done.stderr
    row = next(line for line in done.stdout.splitlines() if line.startswith("explore")).split()
    assert row[1:7] == ["2", "1", "1", "0", "0", "3"]  # tasks, proved, found, undecided, wrong, score
    assert [answer["said"] for answer in kept(folder)] == ["true", "false(valid-free)"]
    assert "<polyline" in (folder / "scoreboard.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_answers_are_kept(folder: Path) -> None:
    board(folder)
    with (folder / "scoreboard.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"tool": "expl')  # it was stopped here
    (folder / "safe.c").write_text("this is no C\n", encoding="utf-8")
    assert "proved" in board(folder).stdout
    assert "refused" in board(folder, "false(valid-free)", "--again").stdout


def test_a_wrong_answer_is_told(folder: Path) -> None:
    done = board(folder, "true")
    assert done.returncode == 1
    assert "wrong alarm" in done.stdout


def test_a_list_that_does_not_fit(folder: Path) -> None:
    (folder / "safe.c").unlink()
    done = board(folder)
    assert done.returncode == 2
    assert "has no safe.c" in done.stderr


def test_an_engine_with_options(folder: Path) -> None:
    assert board(folder, "false(valid-free)", "--tools", "lazy-alone").returncode == 0
    assert [answer["tool"] for answer in kept(folder)] == ["lazy-alone"] * 2


@pytest.mark.slow
def test_what_is_assumed_of_functions_without_a_body(folder: Path) -> None:
    """The tasks that are lost without the assumption are listed."""
    text = "void fill(int **); int main(void) { int *p = 0; fill(&p); if (p) *(int *)0 = *p; return 0; }"
    (folder / "safe.c").write_text(text, encoding="utf-8")
    done = board(folder, "false(valid-free)", "--tools", "explore,explore:havoc")
    assert done.returncode == 0, done.stderr  # by the rules of the list it is a wrong alarm
    assert "(--externals pure), except where a tool has :havoc" in done.stdout
    assert "explore:havoc loses 1 tasks that explore answers rightly: safe.c\n" in done.stdout
    assert "loses 1 tasks" in (folder / "scoreboard.html").read_text(encoding="utf-8")
