"""The progress of an engine, sent to the process that watches it.

    engine.analyze(program, goal, limits, ProgressSender(send))

The watching process receives an `Update`, a `Note`, or an outcome as it is.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from heapwright.analysis.limits.child import Send
from heapwright.result.outcomes import Outcome

UPDATES_PER_SECOND = 5


@dataclass(frozen=True, slots=True)
class Update:
    """What is being done."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something for those who want to know everything."""

    text: str


@dataclass(slots=True)
class ProgressSender:
    """Updates are thinned out; the rest is not."""

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
