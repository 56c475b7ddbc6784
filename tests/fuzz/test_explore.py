"""What explore proves, no random run breaks; what it searched to the end, it has found."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from heapwright.c.lower import lower
from heapwright.c.options import ParseOptions
from heapwright.c.parse import parse
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, Quiet
from heapwright.fuzz.generate import generate
from heapwright.program.checks import Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.interpreter import run
from heapwright.result import Verdict

RUNS = 40


def hold_against_random_runs(seed: int, folder: Path) -> None:
    file = folder / f"random_{seed}.c"
    file.write_text(generate(seed, 10), encoding="utf-8")
    program = lower([parse(str(file), ParseOptions())])
    result = load_engine("explore").analyze(program, Goal(), Limits(deadline=time.monotonic() + 3), Quiet())
    verdicts = {outcome.check.id: outcome.verdict for outcome in result.outcomes}
    for number in range(RUNS):
        made = run(program, Goal(), RandomChoices(number), max_steps=20_000)
        if made.violation is not None:
            verdict = verdicts[made.violation.check.id]
            assert verdict is not Verdict.PROVED, made.violation.check.id
            assert verdict is Verdict.VIOLATED or not result.complete or not made.exact, made.violation.check.id


def test_a_few_programs(tmp_path: Path) -> None:
    for seed in range(20):
        hold_against_random_runs(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(2000, 2200, 50))
def test_many_programs(start: int, tmp_path: Path) -> None:
    for seed in range(start, start + 50):
        hold_against_random_runs(seed, tmp_path)
