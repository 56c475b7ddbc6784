"""The frame of all reproductions, sampling, and the command."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import heapwright.reproduce.arnold.table as table
from heapwright.cli import main
from heapwright.reproduce import PAPERS, load
from heapwright.reproduce.profiler import SamplingProfiler
from heapwright.reproduce.reproduction import Bounds, Claim, Reproduction, Table, as_text


def example(*claims: Claim) -> Reproduction:
    tables = (Table(("p", "n"), (("a", "1"),), "numbers"),)
    return Reproduction("arnold", "A table", tables, claims, ("they differ",), [{"program": "a", "n": 1}])


def test_everything_must_hold_and_there_must_be_something() -> None:
    assert example(Claim("a", True)).held
    assert not example(Claim("a", True), Claim("b", False)).held
    assert not example().held


def test_text() -> None:
    assert as_text(example(Claim("one", True), Claim("two", False, "not for a"))) == (
        "A table\n\nnumbers\np  n\na  1\n\nholds: one\nFAILS: two (not for a)\n\n"
        "notes on differences:\n  - they differ\n\narnold: some claims fail\n"
    )


@pytest.mark.parametrize("paper", PAPERS)
def test_papers_are_there(paper: str) -> None:
    assert callable(load(paper))


def fake(outcome: Reproduction) -> Callable[..., Reproduction]:
    def reproduce(phase: Callable[[str], None], bounds: Bounds) -> Reproduction:
        phase("a run")
        assert bounds == Bounds(None, 100.0)
        return outcome

    return reproduce


@pytest.mark.parametrize(("holds", "code"), [(True, 0), (False, 1)])
def test_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, holds: bool, code: int
) -> None:
    monkeypatch.setattr(table, "reproduce", fake(example(Claim("one", holds))))
    path = tmp_path / "out.json"
    assert main(["reproduce", "arnold", "--timeout", "0", "--memory", "100", "--json", str(path)]) == code
    assert ("holds: one" in capsys.readouterr().out) is holds
    content = json.loads(path.read_text(encoding="utf-8"))
    assert (content["held"], content["rows"]) == (holds, [{"program": "a", "n": 1}])


def test_without_a_paper_they_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce"]) == 0
    assert capsys.readouterr().out.split()[:3] == ["arnold", "Arnold", "2006,"]


def test_bad_usage(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["reproduce", "nobody"]) == 2
    assert "unknown paper 'nobody' (papers: arnold" in capsys.readouterr().err
    assert main(["reproduce", "arnold", "--json", str(tmp_path)]) == 2
    assert "cannot write" in capsys.readouterr().err


def spin(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_sampling_finds_the_module_that_works() -> None:
    with SamplingProfiler(frozenset({__name__})) as mine:
        spin(0.3)
    with SamplingProfiler(frozenset({"heapwright.nothing"})) as other:
        spin(0.3)
    assert mine.share is not None
    assert mine.share > 0.9
    assert other.share == 0.0
    assert other.growth_mb >= 0.0


def test_what_is_over_at_once_has_no_share() -> None:
    with SamplingProfiler(frozenset()) as sampled:
        pass
    assert sampled.share is None
