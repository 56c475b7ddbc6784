"""Deadline checks inside operations that may run long (focus, coerce, coverage).

One action can turn one structure into very many: a time limit that is checked between steps only would be exceeded by
far. Such operations check the deadline themselves, at least a few times in a tenth of a second, and end the analysis
where it stands.

>>> Deadline(0.0).check()
Traceback (most recent call last):
heapwright.engines.kit.deadline.DeadlineExceeded
>>> NO_LIMIT.check()
"""

from __future__ import annotations

import time


class DeadlineExceeded(Exception):
    """The deadline has passed. The fixpoint catches this; its result is then incomplete."""


class Deadline:
    """A time on the clock of `time.monotonic`, None: never."""

    __slots__ = ("at",)

    def __init__(self, at: float | None = None) -> None:
        self.at = at

    def check(self) -> None:
        if self.at is not None and time.monotonic() >= self.at:
            raise DeadlineExceeded


NO_LIMIT = Deadline()
