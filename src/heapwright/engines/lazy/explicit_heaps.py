"""Explicit heaps first (Beyer, Henzinger, Théoduloz, Zufferey, FASE 2010): concrete states are explored while no heap
is larger than a threshold. If the exploration is complete, every check is decided without abstraction, also where
counters hold the length of a list. At the first bound it is abandoned, and only its violations are kept.

    found = explore_heaps(program, goal, limits, progress)
    found.complete
"""

from __future__ import annotations

import time
from dataclasses import replace

from heapwright.engines.api import Limits, Progress
from heapwright.engines.explore.api import Explore
from heapwright.program.checks import Goal
from heapwright.program.graph import Program
from heapwright.program.trace import Run
from heapwright.result.outcomes import Proof, Result, Verdict

OBJECTS = 24  # maximum number of heap blocks
STATES = 30_000
STEPS = 4_000  # maximum length of a run
SHARE = 0.2  # of the time limit


def explore_heaps(program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
    """The result of a bounded exploration."""
    now = time.monotonic()
    bounded = replace(
        limits,
        deadline=None if limits.deadline is None else now + SHARE * (limits.deadline - now),
        objects=OBJECTS if limits.objects is None else min(OBJECTS, limits.objects),
        states=min(STATES, limits.states),
        steps=STEPS if limits.steps is None else min(STEPS, limits.steps),
    )
    return Explore(all_or_nothing=True).analyze(program, goal, bounded, progress)


def is_conclusive(found: Result) -> bool:
    return found.complete and all(outcome.verdict is not Verdict.UNKNOWN for outcome in found.outcomes)


def violating_runs(found: Result) -> dict[str, Run]:
    """The runs of violated checks."""
    return {
        outcome.check.id: outcome.run
        for outcome in found.outcomes
        if outcome.verdict is Verdict.VIOLATED and outcome.run is not None
    }


def as_result(found: Result, engine: str) -> Result:
    """The result of the exploration under the name of this engine."""
    outcomes = tuple(replace(outcome, engine=engine) for outcome in found.outcomes)
    summary = (f"explicit heaps and integers: {found.stats['states']} states",)
    unsafe = any(outcome.verdict is Verdict.VIOLATED for outcome in outcomes)
    return replace(found, engine=engine, outcomes=outcomes, proof=None if unsafe else Proof((), summary, ()))
