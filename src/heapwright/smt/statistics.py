"""Counts of queries: those that a solver answered, and those that a cache did.

>>> Statistics(queries=2, repeated=1).hits
1
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass


@dataclass(slots=True)
class Statistics:
    queries: int = 0  # answered by a solver
    seconds: float = 0.0  # that these took
    repeated: int = 0  # answered from memory
    stored: int = 0  # answered from the file of a query cache

    @property
    def hits(self) -> int:
        return self.repeated + self.stored

    @contextmanager
    def query(self) -> Iterator[None]:
        """Counts and times one query."""
        self.queries += 1
        begin = time.monotonic()
        try:
            yield
        finally:
            self.seconds += time.monotonic() - begin

    def __add__(self, other: Statistics) -> Statistics:
        return Statistics(*map(sum, zip(astuple(self), astuple(other), strict=True)))
