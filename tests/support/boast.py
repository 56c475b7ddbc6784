"""An engine that proves everything: what guards against wrong proofs must catch it."""

from __future__ import annotations

from heapwright.engines.api import Declaration, Limits, Progress
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.result.outcomes import Outcome, Result, Verdict


class Boast(Declaration):
    name = "boast"
    proves = frozenset(CheckKind)

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        checks = [check for check in program.checks if goal.selects(check)]
        return Result(self.name, tuple(Outcome(check, Verdict.PROVED, self.name) for check in checks), dropped="")
