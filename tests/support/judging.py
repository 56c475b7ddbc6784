"""What every engine is held to on programs: marked violations are not proved, and heaps of runs are described.

never_proves_a_violation(read(path), result)
assert heaps_described(program, result, goal, runs=4) > 100
"""

from __future__ import annotations

from heapwright.program.checks import Goal
from heapwright.program.graph import Program
from heapwright.proof.audit import audit
from heapwright.result.outcomes import Result, Verdict
from heapwright.testing.expectations import Expectation


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
) -> int:
    """How many heaps of random runs are among those that the result describes at their locations; none may be missing,
    and with `decided` none may be left open."""
    if result.states is None:
        assert not decided
        return 0
    told = audit(program, goal, {result.engine: result.states}, runs=runs, states_tried=0, steps=steps)
    assert told.missing == ()
    assert not decided or told.open[result.engine] == 0
    return told.found[result.engine]
