"""The progress of an engine, sent to the parent process.

    engine.analyze(program, goal, limits, ProgressSender(send))

The parent receives an `Update`, a `Note` or an `Outcome`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from heapwright.analysis.limits.child import Send
from heapwright.result.outcomes import Outcome

UPDATES_PER_SECOND = 5


@dataclass(frozen=True, slots=True)
class Update:
    """The current activity."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A line for verbose output."""

    text: str


@dataclass(slots=True)
class ProgressSender:
    """A `Progress` that sends; updates are rate-limited, notes and outcomes are not."""

    send: Send
    next_update: float = 0.0

    def update(self, message: str) -> None:
        now = time.monotonic()
        if now >= self.next_update:
            self.next_update = now + 1 / UPDATES_PER_SECOND
            self.send(Update(message))

    def note(self, message: str) -> None:
        self.send(Note(message))

    def found(self, outcome: Outcome) -> None:
        self.send(outcome)
