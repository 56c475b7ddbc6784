"""Verdicts and counts of every engine on every program here are the recorded ones (rows.tsv).

A change that is meant to change answers records them anew: `python bench/corpus.py record tests/corpus/rows.tsv`. The
difference is then part of the change, for reviewers to see.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.paths import ROOT, TESTS

ROWS = TESTS / "corpus" / "rows.tsv"


def compared(rows: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "bench/corpus.py", "compare", str(rows), "--jobs", "1", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "one_in", [600, pytest.param(110, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.long)]
)
def test_answers_are_the_recorded_ones(one_in: int) -> None:
    done = compared(ROWS, "--sample", str(one_in))
    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 differ, " in done.stdout
    assert not done.stdout.startswith("0 rows")


def test_another_verdict_or_count_is_seen(tmp_path: Path) -> None:
    key = "examples/queue.c\texplore"
    (row,) = [line for line in ROWS.read_text(encoding="utf-8").splitlines() if line.startswith(f"{key}\t")]
    for changed in (row.replace("\tp", "\tu"), row + "0"):
        (tmp_path / "rows.tsv").write_text(changed + "\n", encoding="utf-8")
        done = compared(tmp_path / "rows.tsv", "--only", key)
        assert done.returncode == 1
        assert "1 rows, 1 differ" in done.stdout
