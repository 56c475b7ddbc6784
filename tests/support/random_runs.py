"""Engines against random runs of random programs: what is proved, no run breaks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from support.bounds import bounded

from heapwright.analysis.judgement import run_engine
from heapwright.c.lower import lower
from heapwright.c.options import ParseOptions
from heapwright.c.parse import parse
from heapwright.engines import load_engine
from heapwright.engines.api import NullProgress
from heapwright.fuzz.generators.recipes import KINDS, Recipe
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import run
from heapwright.result.outcomes import Result, Verdict

Kind = Literal["any", "plain", "keys", "parts", "inputs"]


def random_program(seed: int, folder: Path, *, size: int, kind: Kind) -> Program:
    file = folder / f"random_{seed}.c"
    file.write_text(Recipe(kind, seed, size).text(), encoding="utf-8")
    return lower([parse(str(file), ParseOptions())], function=KINDS[kind].function)


def hold(
    engine: str,
    program: Program,
    *,
    runs: int,
    leaks: bool = True,
    options: Mapping[str, object] | None = None,
) -> Result:
    """The engine's result, after random runs have tried to break what it proved."""
    goal = Goal() if leaks else Goal(frozenset(CheckKind) - {CheckKind.LEAK})
    limits = bounded(engine)
    result = run_engine(load_engine(engine, options), program, goal, limits, NullProgress())
    verdicts = {outcome.check.id: outcome.verdict for outcome in result.outcomes}
    finds_all = engine == "explore" and result.complete and Verdict.VIOLATED in verdicts.values()
    for number in range(runs):
        made = run(program, goal, RandomChoices(number), max_steps=5_000)
        for violation, part in made.failures:
            verdict = verdicts[violation.check.id]
            assert verdict is not Verdict.PROVED, violation.check.id
            assert verdict is Verdict.VIOLATED or not finds_all or not part.exact, violation.check.id
    return result
