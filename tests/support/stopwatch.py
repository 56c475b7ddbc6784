"""Processor time that means the same on every machine.

A test that promises half a second must not fail because a build server is slow or busy, or because thousands of
tests before it filled the memory that the garbage collector walks through. So the best of a few tries counts, the
collector rests, and the result is scaled by what a fixed piece of Python takes at the same moment:

    assert seconds(lambda: parse(file)) < 0.25
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

YARDSTICK = 0.02  # seconds that `_walk` takes on the machine that the promises speak of


def seconds(work: Callable[[], object], tries: int = 3) -> float:
    """What the fastest try takes, as if the machine were that of the promises (or its own time, if it is faster)."""
    gc.collect()
    gc.disable()
    try:
        return min(_measure(work) / max(1.0, _measure(_walk) / YARDSTICK) for _ in range(tries))
    finally:
        gc.enable()


def _measure(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _walk() -> int:
    table = {str(number): [number] for number in range(30_000)}
    return sum(len(key) + value[0] for key, value in table.items())
