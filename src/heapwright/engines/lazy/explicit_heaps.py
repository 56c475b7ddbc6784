"""Explicit heaps first, as Beyer, Henzinger, Théoduloz and Zufferey do (FASE 2010): while no heap is larger than a
threshold, heaps are kept as they are, with all numbers in them. If that comes to an end, every check is decided, and
nothing has to be abstracted; counters that say how long a list is are no difficulty then. At the first heap that is too
large, and at any other bound, it is left, and only violations that it has shown by a run are kept.

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

OBJECTS = 24  # heap blocks of one heap
STATES = 30_000
STEPS = 4_000  # of one run
SHARE = 0.2  # of the time


def explore_heaps(program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
    """What explicit heaps tell."""
    now = time.monotonic()
    bounded = replace(
        limits,
        deadline=None if limits.deadline is None else now + SHARE * (limits.deadline - now),
        objects=min(OBJECTS, limits.objects),
        states=min(STATES, limits.states),
        steps=min(STEPS, limits.steps),
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
    """What explicit heaps decided, as an engine's own."""
    outcomes = tuple(replace(outcome, engine=engine) for outcome in found.outcomes)
    told = (f"every heap by itself, with its numbers: {found.stats['states']} states",)
    unsafe = any(outcome.verdict is Verdict.VIOLATED for outcome in outcomes)
    return replace(found, engine=engine, outcomes=outcomes, proof=None if unsafe else Proof((), told, ()))
