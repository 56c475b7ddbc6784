"""The worklist of a fixpoint: a priority queue by rank, first in first out within a rank.

>>> work = Worklist()
>>> for rank, item in ((1, "c"), (0, "a"), (0, "b")):
...     work.push(rank, item)
>>> work.pop(together=True), work.pop(together=True)
(['a', 'b'], ['c'])
"""

from __future__ import annotations

import heapq
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Rank = Any  # numbers, or tuples of them


class Worklist(Generic[T]):
    def __init__(self) -> None:
        self._heap: list[tuple[Rank, int, T]] = []
        self._pushed = 0

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, rank: Rank, item: T, *, first: bool = False) -> None:
        """`first`: before all that wait with the same rank."""
        self._pushed += 1
        heapq.heappush(self._heap, (rank, -self._pushed if first else self._pushed, item))

    def pop(self, *, together: bool) -> list[T]:
        """The first item; `together` with all others of its rank."""
        rank, _, item = heapq.heappop(self._heap)
        items = [item]
        while together and self._heap and self._heap[0][0] == rank:
            items.append(heapq.heappop(self._heap)[2])
        return items
