"""What every engine is held to on programs: marked violations are not proved, and heaps of runs are described.

never_proves_a_violation(read(path), result)
assert heaps_described(program, result, goal, runs=4) > 100
"""

from __future__ import annotations

from collections.abc import Callable

from support.expectations import Expectation

from heapwright.program.checks import Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Program
from heapwright.program.snapshot import snapshots
from heapwright.result import Result, Verdict


def never_proves_a_violation(expected: Expectation, result: Result) -> None:
    """An abstraction proves none of the marks, and claims no violation by itself."""
    places: dict[tuple[int, str], set[Verdict]] = {}
    for outcome in result.outcomes:
        places.setdefault((outcome.check.span.line, outcome.check.kind.value), set()).add(outcome.verdict)
    for mark in expected.bad:
        assert places[mark] != {Verdict.PROVED}, mark
    assert Verdict.VIOLATED not in {outcome.verdict for outcome in result.outcomes}


def heaps_described(
    program: Program,
    result: Result,
    goal: Goal,
    *,
    runs: int,
    steps: int = 120,
    decided: bool = False,
    until: Callable[[int], bool] = lambda location: False,
) -> int:
    """How many heaps of random runs are among those that the result describes at their locations; none may be missing,
    and with `decided` none may be left open. A run is looked at up to a location that `until` names."""
    found = 0
    for seed in range(runs):
        for location, heap in snapshots(program, goal, RandomChoices(seed), max_steps=steps):
            if until(location):
                break
            answer = result.contains(location, heap)
            assert answer is True or (answer is None and not decided), (seed, location)
            found += answer is True
    return found
