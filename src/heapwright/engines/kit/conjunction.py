"""Conjunction of invariants: a heap must be in each.

The invariants of two analyses of one program both contain every reachable heap, and so does their conjunction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from heapwright.program.runs.snapshot import Snapshot
from heapwright.result.outcomes import States

S = TypeVar("S", bound=States)


@dataclass(frozen=True)
class Conjunction(Generic[S]):
    parts: tuple[S, ...]

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        """False if a part excludes the heap; None if none does and membership in one of them is undecided."""
        contained: bool | None = True
        for part in self.parts:
            answer = part.contains(location, heap)
            if answer is False:
                return False
            contained = contained and answer
        return contained
