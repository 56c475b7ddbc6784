"""What an engine proves, no random run of a random program breaks; what explore searched to the end, it has found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from support.random_runs import Kind, hold, random_program

from heapwright.result.outcomes import Verdict

SHAPES: list[tuple[str, dict[str, object], int, Kind]] = [
    ("explore", {}, 10, "any"),
    ("explore", {}, 8, "plain"),
    ("fesa", {}, 8, "plain"),
    ("fesa", {"instrumentation": False}, 8, "plain"),
    ("fesa", {"numeric": "pairs"}, 6, "plain"),
    ("fesa", {}, 7, "keys"),
    ("lazy", {}, 7, "plain"),
    ("lazy", {}, 6, "parts"),
    ("tvl", {}, 7, "plain"),
    ("tvl", {"embedding": "loose"}, 7, "plain"),
    ("tvl", {"embedding": "adaptive"}, 7, "plain"),
    ("tvl", {}, 7, "keys"),
    ("tvl", {"embedding": "loose"}, 7, "keys"),
    ("tvl", {}, 7, "parts"),
    ("tvl", {"embedding": "loose"}, 6, "parts"),
    ("tvl", {"embedding": "adaptive"}, 6, "parts"),
    ("tvl", {}, 5, "inputs"),
    ("tvl", {"embedding": "loose"}, 5, "inputs"),
]

QUICK = [SHAPES[1], SHAPES[7], SHAPES[15]]


@pytest.mark.parametrize(
    ("engine", "options", "size", "kind"),
    [pytest.param(*one, marks=[] if one in QUICK else pytest.mark.slow) for one in SHAPES],
)
def test_a_few_programs(engine: str, options: Mapping[str, object], size: int, kind: Kind, tmp_path: Path) -> None:
    proved = 0
    for seed in range(12):
        program = random_program(seed, tmp_path, size=size, kind=kind)
        result = hold(engine, program, runs=40, leaks=kind != "keys", options=options)
        proved += sum(outcome.verdict is Verdict.PROVED for outcome in result.outcomes)
    assert proved > 40


@pytest.mark.long
@pytest.mark.parametrize("start", range(2000, 2120, 40))
@pytest.mark.parametrize(("engine", "options", "size", "kind"), SHAPES)
def test_many_programs(
    engine: str, options: Mapping[str, object], size: int, kind: Kind, start: int, tmp_path: Path
) -> None:
    for seed in range(start, start + 40):
        program = random_program(seed, tmp_path, size=size, kind=kind)
        hold(engine, program, runs=60, leaks=kind != "keys", options=options)
