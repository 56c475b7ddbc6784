"""Conjunction of invariants: a heap must be in each.

Two analyses of one program both describe every heap that may be there, so that one that either excludes is excluded.
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
        """No if one part says no; unknown if one of the others does not tell."""
        contained: bool | None = True
        for part in self.parts:
            answer = part.contains(location, heap)
            if answer is False:
                return False
            contained = contained and answer
        return contained
