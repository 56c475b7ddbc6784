"""A bound on the work of an analysis that does not depend on time: calls of Python functions, counted.

>>> with call_budget(50):
...     sum(map(abs, range(10)))
45
>>> with call_budget(5):
...     sum(map(abs, range(10)), start=sum(abs(n) for n in range(10)))
Traceback (most recent call last):
heapwright.testing.call_budget.CallBudgetExceeded: more than 5 calls
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class CallBudgetExceeded(AssertionError):
    """The maximum number of function calls is exceeded."""


@contextmanager
def call_budget(calls: int) -> Iterator[None]:
    """Raises in the middle of the work once so many functions have been called."""
    left = calls

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal left
        if event in ("call", "c_call"):
            left -= 1
            if left < 0:
                sys.setprofile(None)
                raise CallBudgetExceeded(f"more than {calls} calls")

    previous = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(previous)
