"""The command line without a front end: a program made by hand, and engines of every temper."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from cli.fake_engines import ENGINES
from cli.hand_made import SOURCE, Heapwright, Said, small_program

from heapwright.cli import main
from heapwright.program.graph import Program


@pytest.fixture
def heapwright(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Heapwright:
    """Calls the command line in an empty directory."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Said:
        code = main(arguments)
        captured = capsys.readouterr()
        return Said(code, captured.out, captured.err)

    return call


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Replaces the front end and the engines, and puts a file `a.c` there."""
    import heapwright.analysis.supervisor
    import heapwright.engines
    from heapwright.analysis.pipeline import Input

    def build(source: Input, phase: Callable[[str], None]) -> Program:
        phase(f"parsing {source.files[0]}")
        return small_program(source.files[0], Path(source.files[0]).read_text(encoding="utf-8"))

    monkeypatch.setattr(heapwright.analysis.supervisor, "build", build)
    for name, path in ENGINES.items():
        monkeypatch.setitem(heapwright.engines.ENGINES, name, path)
    (tmp_path / "a.c").write_text(SOURCE, encoding="utf-8")
