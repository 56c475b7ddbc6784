"""Running assembled programs in one line: `ended(text, 3, 1)` answers the run's questions with 3 and 1."""

from __future__ import annotations

from collections.abc import Sequence

from heapwright.analysis.judgement import run_engine
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.explore.engine import Explore
from heapwright.program.checks import Goal
from heapwright.program.choices import ChoiceRequest
from heapwright.program.runs.interpreter import run
from heapwright.program.trace import Run
from heapwright.result.outcomes import Result

from .assembler import assemble

NODE = """
type node 16: next@0 -> node, data@8: i32
var h -> node
var p -> node
var q -> node
var i: i32
var j: i32
var n: i32
"""


class Numbers:
    """Answers from a list; after the last one, 0 or what is nearest to it."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = iter(numbers)
        self.asked: list[ChoiceRequest] = []

    def value(self, request: ChoiceRequest) -> int | None:
        self.asked.append(request)
        return min(max(next(self.numbers, 0), request.low), request.high)

    def pick(self, request: ChoiceRequest, options: Sequence[int]) -> int:
        self.asked.append(request)
        return next(self.numbers, options[0])


def ended(text: str, *answers: int, goal: Goal | None = None, trace: bool = False, max_steps: int = 10_000) -> Run:
    return run(assemble(text), goal or Goal(), Numbers(answers), max_steps=max_steps, trace=trace)


def outcome(text: str, *answers: int, goal: Goal | None = None) -> str:
    """How a run ends: `exit`, `blocked`, `cut`, or the kind of the first check that it violates and the line."""
    run = ended(text, *answers, goal=goal)
    return next(iter(failures(run)), run.ending.value)


def failures(run: Run) -> list[str]:
    """The checks that a run violates, by kind and line."""
    return [f"{violation.check.kind.value}:{violation.check.span.line}" for violation, _ in run.failures]


def explored(text: str, goal: Goal | None = None, **limits: int) -> Result:
    return run_engine(Explore(), assemble(text), goal or Goal(), Limits(**limits), NullProgress())


def verdicts(result: Result) -> dict[str, str]:
    """The checks that are not proved, by line and kind."""
    return {
        f"{outcome.check.span.line}:{outcome.check.kind.value}": outcome.verdict.value
        for outcome in result.outcomes
        if outcome.verdict.value != "proved"
    }
