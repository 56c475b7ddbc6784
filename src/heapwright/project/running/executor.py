"""Executors: what runs units and hands back answers. The local one forks a process for each.

with LocalExecutor(4, "auto") as executor:
    executor.run(tasks, done)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from heapwright.project.running.pool import Pool, Running
from heapwright.project.running.work import RunningUnit, UnitTask, preload
from heapwright.project.store.database import Answer

Tasks = Iterator[tuple[str, str, UnitTask]]  # key, name and work of each unit
Done = Callable[[str, Answer], None]
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
        labels: dict[int, tuple[str, str]] = {}

        def starts() -> Iterator[Callable[[], RunningUnit]]:
            for key, name, task in tasks:

                def start(key: str = key, name: str = name, task: UnitTask = task) -> RunningUnit:
                    one = RunningUnit(task)
                    labels[id(one)] = (key, name)
                    return one

                yield start

        def ended(one: Running[Answer], answer: Answer) -> None:
            key, _ = labels.pop(id(one))
            done(key, answer)

        def tick(running: list[Running[Answer]]) -> None:
            activities([(labels[id(one)][1], one.activity) for one in running])

        Pool[Answer](self.jobs, tick).run(starts(), ended, until)

    def close(self) -> None:
        pass
