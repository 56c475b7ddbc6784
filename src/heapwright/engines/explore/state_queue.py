"""The waiting states of a search, taken from both ends in turn: shallow ones, so that short runs come first, and deep
ones, so that long runs are not starved.

    queue = StateQueue()
    queue.push(state)
    queue.pop()         # None if no state waits
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heappop, heappush

from heapwright.program.semantics.state import State

SHALLOW, DEEP = 3, 1  # states taken from either end, in turn
STEPS_PER_DECISION = 100  # the weight of a choice in the depth of a state


@dataclass(slots=True)
class _Entry:
    """A waiting state, in two queues; None once it was taken from one of them."""

    state: State | None


@dataclass
class StateQueue:
    """Waiting states by depth."""

    shallow: list[tuple[int, int, _Entry]] = field(default_factory=list)
    deep: list[tuple[int, int, _Entry]] = field(default_factory=list)
    size: int = 0
    pushed: int = 0
    taken: int = 0

    def push(self, state: State) -> None:
        entry = _Entry(state)
        depth = state.decisions * STEPS_PER_DECISION + state.steps
        heappush(self.shallow, (depth, self.pushed, entry))
        heappush(self.deep, (-depth, -self.pushed, entry))
        self.pushed += 1
        self.size += 1

    def pop(self) -> State | None:
        self.taken += 1
        queue = self.deep if self.taken % (SHALLOW + DEEP) >= SHALLOW else self.shallow
        while queue:
            _, _, entry = heappop(queue)
            state = entry.state
            if state is not None:
                entry.state = None
                self.size -= 1
                return state
        return None
