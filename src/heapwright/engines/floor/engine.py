"""The engine `recency`: which checks no state at their edges can fail.

Recency().analyze(program, Goal(), Limits(), NullProgress()).outcomes
"""

from __future__ import annotations

import time
from typing import Literal

from heapwright.engines.api import Limits, Progress
from heapwright.engines.floor.declaration import RecencyDeclaration
from heapwright.engines.floor.domain.state import State
from heapwright.engines.floor.fixpoint import Analysis
from heapwright.engines.kit.garbage_collection import without_cycle_collection
from heapwright.engines.kit.outcomes import INCOMPLETE, proved_unless, unreached
from heapwright.engines.kit.statistics import statistics
from heapwright.program.checks import Check, CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.result.outcomes import NO_RUNS, Outcome, Result, States, Verdict

REASONS = {
    CheckKind.LEAK: "it is not known that something else still leads to each block",
    CheckKind.BOUNDS: "the ranges of the index and of the size of the block do not exclude it",
    CheckKind.ASSERT: "the ranges of the values do not exclude it",
    CheckKind.SHAPE: "shapes are not followed by this engine",
}
REASON = "the blocks that the pointer may lead to do not exclude it"


class Recency(RecencyDeclaration):
    """The engine. `floor` is for schedules: by itself it runs in any case."""

    def __init__(self, floor: Literal["on", "off"] = "on") -> None:
        self.floor = floor

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        start = time.monotonic()
        analysis = Analysis(program, limits, progress)
        states: dict[int, list[State]] = {}
        reached: set[int] = set()
        alarms: set[str] = set()

        def visit(location: int, state: State) -> None:
            reached.add(location)
            if goal.audit:
                states.setdefault(location, []).append(state.copy())

        with without_cycle_collection():
            complete = analysis.run()
            if complete:
                alarms = analysis.check(visit)
        inconclusive = "" if complete else analysis.interrupted or INCOMPLETE
        asked = [check for check in program.checks if goal.includes(check)]
        return Result(
            self.name,
            tuple(_outcome(check, alarms, inconclusive) for check in asked),
            dropped=NO_RUNS,
            assumptions=program.assumptions,
            stats=statistics(program, start, analysis.steps, joins=len(analysis.states)),
            complete=complete,
            limit=inconclusive,
            unreached=unreached(program, reached, inconclusive),
            states=_auditable(analysis, states) if goal.audit and complete else None,
        )


def _auditable(analysis: Analysis, states: dict[int, list[State]]) -> States:
    from heapwright.engines.floor.membership import RecencyStates  # for audits alone

    return RecencyStates(analysis.program, analysis.transfer.memory, analysis.liveness, states)


def _outcome(check: Check, alarms: set[str], inconclusive: str) -> Outcome:
    if check.id in alarms and not inconclusive:
        return Outcome(check, Verdict.UNKNOWN, Recency.name, reason=REASONS.get(check.kind, REASON))
    return proved_unless(Recency, check, inconclusive)
