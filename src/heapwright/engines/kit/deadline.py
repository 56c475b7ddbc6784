"""A look at the clock from inside a step that may take long.

One action can turn one structure into very many: a time limit that is looked at between steps alone would be passed by
far. So what goes on for long (focus, coerce, comparing with all structures of a location) looks at the clock itself, at
least a few times in a tenth of a second, and ends the analysis where it stands.

>>> Watch(deadline=0.0).look()
Traceback (most recent call last):
heapwright.engines.kit.deadline.Expired
>>> NO_LIMIT.look()
"""

from __future__ import annotations

import time


class Expired(Exception):
    """The time is up. The analysis catches it: what it has found so far is told as incomplete."""


class Watch:
    """`deadline` is on the clock of `time.monotonic`."""

    __slots__ = ("deadline",)

    def __init__(self, deadline: float | None = None) -> None:
        self.deadline = deadline

    def look(self) -> None:
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise Expired


NO_LIMIT = Watch()
