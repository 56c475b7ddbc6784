"""Every heap of every run is one that the analysis describes at that location."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.bounds import bounded
from support.collection import PROGRAMS, name_of
from support.judging import heaps_described
from support.random_runs import random_program

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import build
from heapwright.engines.api import NullProgress
from heapwright.engines.boolheap.engine import BoolHeap
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.testing.expectations import read

LONG = Goal(kinds=frozenset(CheckKind) - {CheckKind.LEAK})  # a leak would end a run
SHORT = ["lists/build_free_ok", "lists/unbounded_ok", "structures/sll/traverse_ok", "structures/sll/reverse_ok"]


def audited(program: Program, *, runs: int, steps: int = 150) -> int:
    """How many heaps were looked at; 0 where the analysis does not follow the program, or does not come to an end."""
    limits = bounded("boolheap")
    result = run_engine(BoolHeap(), program, Goal(audit=True), limits, NullProgress())
    if not result.complete:
        return 0
    return heaps_described(program, result, LONG, runs=runs, steps=steps, decided=True)


@pytest.mark.parametrize("name", SHORT, ids=str)
def test_runs_over_lists(name: str) -> None:
    path = PROGRAMS / f"{name}.c"
    assert audited(build(read(path).input(path), lambda phase: None), runs=10) > 100


@pytest.mark.slow
def test_a_few_random_programs(tmp_path: Path) -> None:
    programs = [random_program(seed, tmp_path, size=5, kind="plain") for seed in range(6)]
    assert sum(audited(program, runs=4) for program in programs) > 50


INPUTS = ["any_list_ok", "any_list_bad", "function_ok", "function_bad_null", "function_bad_assert"]


@pytest.mark.parametrize("name", INPUTS, ids=str)
def test_runs_over_inputs(name: str) -> None:
    """An input cell that was never read may be null, and that heap is described too."""
    path = PROGRAMS / "specs" / f"{name}.c"
    assert audited(build(read(path).input(path), lambda phase: None), runs=15) > 50


@pytest.mark.long
@pytest.mark.parametrize("path", sorted((PROGRAMS / "structures" / "sll").glob("*.c")), ids=name_of)
def test_runs_over_structures(path: Path) -> None:
    audited(build(read(path).input(path), lambda phase: None), runs=10)


@pytest.mark.long
@pytest.mark.parametrize("start", range(100, 160, 10))
def test_many_random_programs(start: int, tmp_path: Path) -> None:
    programs = [random_program(seed, tmp_path, size=6, kind="plain") for seed in range(start, start + 10)]
    assert sum(audited(program, runs=6) for program in programs) > 100
