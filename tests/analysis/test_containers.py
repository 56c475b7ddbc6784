"""Containers as libraries write them, of any size: payloads behind `void *`, callbacks that free, allocated names."""

from __future__ import annotations

import pytest
from support.collection import PROGRAMS

from heapwright.analysis.pipeline import build
from heapwright.analysis.schedule import run_schedule, stages_of
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import Goal
from heapwright.result.outcomes import ProgramVerdict
from heapwright.testing.expectations import read

CONTAINERS = PROGRAMS / "containers"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["generic", "records"])
def test_containers_of_any_size_are_proved(name: str) -> None:
    expected = read(CONTAINERS / f"{name}_ok.c")
    program = build(expected.input(CONTAINERS / f"{name}_ok.c"), phase=lambda message: None)
    result = run_schedule(program, Goal(), stages_of("auto"), Limits(objects=4), NullProgress(), processes=1)
    assert result.verdict is ProgramVerdict.SAFE
