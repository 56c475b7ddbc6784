"""Pauses Python's cyclic garbage collector during an analysis.

The states of an analysis have no reference cycles; searching them for some takes a tenth to a fifth of the time.

>>> import gc
>>> with without_cycle_collection():
...     gc.isenabled()
False
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_cycle_collection() -> Iterator[None]:
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
