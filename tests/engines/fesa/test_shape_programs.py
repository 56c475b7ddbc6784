"""Lists, doubly linked lists and trees that are built, changed and freed are proved with their leaks; their twins with
a leak or a bad access are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.collection import name_of, programs

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.fesa.engine import Fesa
from heapwright.program.checks import Goal
from heapwright.result.outcomes import ProgramVerdict
from heapwright.testing.expectations import read

SHAPES = {name_of(path): path for path in programs() if name_of(path).startswith("shapes/")}
PROVED = sorted(name for name in SHAPES if name.endswith("_ok"))
TWINS = sorted(name for name in SHAPES if not name.endswith("_ok"))
COSTLY = {"shapes/lists/filter_bad_leak"}  # garbage between two lists


def verdict(path: Path) -> ProgramVerdict:
    program = build(read(path).input(path), lambda phase: None)
    return run_engine(Fesa(), program, Goal(), Limits(states=800), NullProgress()).verdict


def test_there_are_eighteen_with_two_twins_each() -> None:
    assert len(PROVED) == 18
    assert len(TWINS) == 36


@pytest.mark.exhaustive(4)
@pytest.mark.parametrize("name", PROVED)
def test_the_whole_program_is_proved(name: str) -> None:
    assert verdict(SHAPES[name]) is ProgramVerdict.SAFE


@pytest.mark.exhaustive(6)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] if name in COSTLY else []) for name in TWINS]
)
def test_a_twin_is_not(name: str) -> None:
    assert verdict(SHAPES[name]) is not ProgramVerdict.SAFE
