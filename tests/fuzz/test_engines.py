"""What an engine proves, no random run of a random program breaks; what explore searched to the end, it has found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from support.random_runs import hold, random_program

from heapwright.result import Verdict

SHAPES = [
    ("explore", {}, 10, False),
    ("explore", {}, 8, True),
    ("tvl", {}, 7, True),
    ("tvl", {"embedding": "loose"}, 7, True),
]


@pytest.mark.parametrize(("engine", "options", "size", "plain"), SHAPES)
def test_a_few_programs(engine: str, options: Mapping[str, str], size: int, plain: bool, tmp_path: Path) -> None:
    proved = 0
    for seed in range(12):
        program = random_program(seed, tmp_path, size=size, plain=plain)
        result = hold(engine, program, seconds=3, runs=40, options=options)
        proved += sum(outcome.verdict is Verdict.PROVED for outcome in result.outcomes)
    assert proved > 100


@pytest.mark.slow
@pytest.mark.parametrize("start", range(2000, 2120, 40))
@pytest.mark.parametrize(("engine", "options", "size", "plain"), SHAPES)
def test_many_programs(
    engine: str, options: Mapping[str, str], size: int, plain: bool, start: int, tmp_path: Path
) -> None:
    for seed in range(start, start + 40):
        program = random_program(seed, tmp_path, size=size, plain=plain)
        hold(engine, program, seconds=3, runs=60, options=options)
