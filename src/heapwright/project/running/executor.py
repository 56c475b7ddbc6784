"""Executors: what runs units and hands back answers. The local one forks processes for them.

with LocalExecutor(4, "auto") as executor:
    executor.run(tasks, done)
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Protocol

from heapwright.project.running.batch import Done, Item, RunningBatch
from heapwright.project.running.pool import Pool, Running
from heapwright.project.running.work import preload

Tasks = Iterator[Item]
Activities = Callable[[list[tuple[str, str]]], None]  # names of what runs, and what it does


class Executor(Protocol):
    def run(self, tasks: Tasks, done: Done, activities: Activities, until: float) -> None:
        """Runs the tasks in order, while there is time; `done` has the answer of each, as they come."""

    def close(self) -> None: ...


class LocalExecutor:
    """Units in processes of this machine, which are forked after all modules are imported."""

    def __init__(self, jobs: int, engine: str) -> None:
        self.jobs = jobs
        self._engine = engine
        self._ready = False

    def run(self, tasks: Tasks, done: Done, activities: Activities, until: float = float("inf")) -> None:
        if not self._ready:
            preload(self._engine)
            self._ready = True
        again: deque[Item] = deque()

        def following() -> Item | None:
            if again:
                return again.popleft()
            return next(tasks, None) if time.monotonic() < until else None

        def start() -> RunningBatch | None:
            item = following()
            return None if item is None else RunningBatch(item, following, done)

        def tick(running: list[Running[list[Item]]]) -> None:
            activities([(one.name, one.activity) for one in running if isinstance(one, RunningBatch) and one.name])

        Pool[list[Item]](self.jobs, tick).run(start, lambda one, items: again.extend(items), until)

    def close(self) -> None:
        pass
