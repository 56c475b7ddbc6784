"""The input of a violation as text, on which the program fails likewise.

The run is repeated with models that tell what they read (`program/runs/input_text.py`). A text that may be it counts
only if the program, executed with it, violates the same check.

    text = input_of(source, goal, outcome)      # b"1 2 3", or None
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from heapwright.analysis.pipeline import Input, build
from heapwright.program.checks import Check, Goal
from heapwright.program.choices import ChoiceRequest
from heapwright.program.graph import Program
from heapwright.program.runs.console import RealConsole
from heapwright.program.runs.input_text import InputText
from heapwright.program.runs.interpreter import run
from heapwright.program.trace import Choice
from heapwright.result.outcomes import Outcome

MOST_STEPS = 1_000_000
UNINITIALISED = "uninitialised"  # the source of such choices


def input_of(source: Input, goal: Goal, outcome: Outcome) -> bytes | None:
    """None if none was found on which the program fails likewise: the run may depend on arguments, files or the
    environment, too."""
    if outcome.run is None or source.function not in (None, "main"):
        return None
    told = InputText()
    recorded = build(replace(source, recorded=True), _ignore)
    run(recorded, goal, _Repeated(outcome.run.choices), max_steps=MOST_STEPS, console=told)
    name = Path(source.files[0]).with_suffix("").name
    executed = build(replace(source, executed=(name,)), _ignore)
    return next((text for text in told.texts() if fails(executed, goal, outcome.check, text)), None)


class _Repeated:
    """The choices of a run, for a program that makes the same ones but for those of memory that is not initialised:
    it reads what it tells."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self._choices = [one for one in choices if one.source != UNINITIALISED]
        self._next = 0

    def value(self, request: ChoiceRequest) -> int | None:
        answer = self._answer(request)
        return min(max(0 if answer is None else answer, request.low), request.high)

    def pick(self, request: ChoiceRequest, options: Sequence[int]) -> int:
        answer = self._answer(request)
        return options[0] if answer is None or answer not in options else answer

    def _answer(self, request: ChoiceRequest) -> int | None:
        if self._next == len(self._choices) or self._choices[self._next].source != request.source:
            return None
        self._next += 1
        return self._choices[self._next - 1].value


def fails(executed: Program, goal: Goal, check: Check, text: bytes) -> bool:
    """Whether a program that is executed violates the check on an input."""
    console = RealConsole(io.BytesIO(text), io.BytesIO(), io.BytesIO(), seed=0)
    made = run(executed, goal, console, max_steps=MOST_STEPS, console=console)
    return any(
        one.check.kind is check.kind and one.check.span == check.span for one, part in made.failures if part.exact
    )


def _ignore(phase: str) -> None:
    """Progress is not shown."""
