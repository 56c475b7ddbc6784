"""Bounds on analyses in steps, so that what they answer does not depend on how busy the machine is."""

from __future__ import annotations

from heapwright.base.errors import LimitReached
from heapwright.engines.api import Limits

STATES = {"boolheap": 200, "explore": 20_000, "fesa": 800, "lazy": 1_000, "tvl": 500}
UNBOUNDED = Limits()


def bounded(engine: str) -> Limits:
    """Enough for small programs; an analysis of others is cut short after seconds, with nothing proved."""
    return Limits(states=STATES[engine])


class StepLimit:
    """Hears of every step of an inference, and ends it after so many."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def __call__(self, text: str) -> None:
        self.left -= 1
        if self.left < 0:
            raise LimitReached("enough steps")
