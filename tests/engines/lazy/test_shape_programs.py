"""Lists, doubly linked lists and trees that are built, changed and freed are proved with their leaks; their twins with
a leak or a bad access are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from engines.lazy.programs import CHECKED, analysed
from support.collection import name_of, programs

from heapwright.analysis.pipeline import build
from heapwright.engines.api import Limits
from heapwright.program.checks import Goal
from heapwright.result.outcomes import ProgramVerdict
from heapwright.testing.expectations import read

SHAPES = {name_of(path): path for path in programs() if name_of(path).startswith("shapes/")}
TWINS = sorted(name for name in SHAPES if not name.endswith("_ok"))
PROVED = sorted(name for name in SHAPES if name.endswith("_ok"))
NODES = 4_000


def verdict(path: Path) -> ProgramVerdict:
    program = build(read(path).input(path), lambda phase: None)
    return analysed(program, Goal(), CHECKED, Limits(states=NODES)).verdict


def test_eighteen_programs_with_two_twins_each() -> None:
    assert len(PROVED) == 18
    assert len(TWINS) == 36


@pytest.mark.slow
@pytest.mark.exhaustive(4)
@pytest.mark.parametrize("name", PROVED)
def test_the_whole_program_is_proved(name: str) -> None:
    assert verdict(SHAPES[name]) is ProgramVerdict.SAFE


@pytest.mark.slow
@pytest.mark.exhaustive(4)
@pytest.mark.parametrize("name", TWINS)
def test_no_twin_is_proved(name: str) -> None:
    program = build(read(SHAPES[name]).input(SHAPES[name]), lambda phase: None)
    assert analysed(program, Goal(), CHECKED, Limits(states=1_500)).verdict is not ProgramVerdict.SAFE
