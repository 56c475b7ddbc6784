"""Every heap of every run is one that the analysis describes at that location: on random programs and on structures."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.bounds import bounded
from support.collection import PROGRAMS, name_of
from support.judging import heaps_described
from support.random_runs import Kind, random_program

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.fesa.engine import Fesa
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.snapshot import snapshots
from heapwright.testing.expectations import read

LONG = Goal(kinds=frozenset(CheckKind) - {CheckKind.LEAK})  # a leak would end a run
STRUCTURES = sorted((PROGRAMS / "structures").rglob("*.c"))
MODES = [pytest.param(True, id="on"), pytest.param(False, id="off")]


def audited(program: Program, *, runs: int, steps: int = 120, instrumentation: bool = True) -> int:
    """How many heaps were looked at; 0 where the analysis does not follow the program, or does not come to an end."""
    engine = Fesa(instrumentation=instrumentation)
    limits = bounded("fesa")
    result = run_engine(engine, program, Goal(audit=True), limits, NullProgress())
    return heaps_described(program, result, LONG, runs=runs, steps=steps) if result.complete else 0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.slow
def test_a_few_random_programs(mode: bool, tmp_path: Path) -> None:
    programs = [random_program(seed, tmp_path, size=8, kind="plain") for seed in range(8)]
    assert sum(audited(program, runs=4, instrumentation=mode) for program in programs) > 500


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["plain", "keys", "any"])
@pytest.mark.parametrize("start", range(1000, 1100, 50))
def test_many_random_programs(start: int, kind: Kind, mode: bool, tmp_path: Path) -> None:
    programs = [random_program(seed, tmp_path, size=10, kind=kind) for seed in range(start, start + 50)]
    found = sum(audited(program, runs=10, instrumentation=mode) for program in programs)
    assert found > 2_000 or kind == "any"


FEW = [path for path in STRUCTURES if path.parent.name in ("sll", "queue") and path.stem.endswith("_ok")]


@pytest.mark.parametrize("path", FEW[::4], ids=name_of)
def test_lists(path: Path) -> None:
    assert audited(build(read(path).input(path), lambda phase: None), runs=1) > 20


@pytest.mark.long
@pytest.mark.parametrize("path", STRUCTURES, ids=name_of)
def test_all_structures(path: Path) -> None:
    audited(build(read(path).input(path), lambda phase: None), runs=4)


def test_a_heap_that_cannot_be_there_is_none_of_them(tmp_path: Path) -> None:
    """An audit can fail: what one location may have is not what another one may."""
    path = PROGRAMS / "structures" / "sll" / "create_ok.c"
    program = build(read(path).input(path), lambda phase: None)
    result = run_engine(Fesa(), program, Goal(audit=True), Limits(), NullProgress())
    seen = list(snapshots(Machine(program, LONG), RandomChoices(3), max_steps=40))
    answers = {result.contains(location, heap) for _, heap in seen for location, _ in seen}
    assert answers == {True, False}
