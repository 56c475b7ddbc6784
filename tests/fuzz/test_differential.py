"""The interpreter agrees with gcc on random programs: same first error and line, or same result."""

from __future__ import annotations

import shutil

import pytest

from heapwright.fuzz.differential import compare
from heapwright.fuzz.generators.pointer_programs import generate

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


def agree(seed: int, size: int) -> bool:
    comparison = compare(seed, size=size)
    assert comparison.agrees is not False, f"{comparison.ending}\n{comparison.detail}\n{comparison.text}"
    return comparison.agrees is True


@pytest.mark.slow
@needs_gcc
def test_a_few_programs() -> None:
    assert sum(agree(seed, 12) for seed in range(24)) >= 20


@needs_gcc
@pytest.mark.parametrize(
    "start",
    [
        pytest.param(start, marks=pytest.mark.slow if start == 1000 else pytest.mark.long)
        for start in range(1000, 1400, 50)
    ],
)
def test_many_programs(start: int) -> None:
    assert sum(agree(seed, 25) for seed in range(start, start + 50)) >= 40


def test_programs_differ() -> None:
    assert len({generate(seed) for seed in range(50)}) == 50
