"""What the engine proves of random programs, no run breaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.random_runs import hold, random_program

from heapwright.result.outcomes import Verdict

REFINING = {"shapes": "lazy"}  # small heaps are not looked at one by one first


@pytest.mark.exhaustive(8)
@pytest.mark.parametrize("leaks", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_proofs_hold(seed: int, leaks: bool, tmp_path: Path) -> None:
    program = random_program(seed, tmp_path, size=8, kind="plain")
    result = hold("lazy", program, runs=100, leaks=leaks, options=REFINING)
    assert any(outcome.verdict is not Verdict.UNKNOWN for outcome in result.outcomes)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["any", "keys"])
@pytest.mark.parametrize("seed", range(6))
def test_proofs_hold_of_other_programs(seed: int, kind: str, tmp_path: Path) -> None:
    program = random_program(seed, tmp_path, size=8, kind=kind)  # type: ignore[arg-type]  # both are kinds
    hold("lazy", program, runs=100, options=REFINING)
