"""A pool of child processes: so many at a time, waited for on their pipes, stopped at their limits.

Pool(4).run(start, done)           # done(running, value) is called for each that ends
"""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

WATCH = 0.2  # seconds between two looks at memory and at the display


class Running(Protocol[T_co]):
    """A child process with its work."""

    @property
    def deadline(self) -> float: ...

    @property
    def activity(self) -> str: ...

    def fileno(self) -> int: ...

    def step(self) -> T_co | None:
        """Handles what has arrived; the value once the process has ended."""

    def watch(self) -> T_co | None:
        """Enforces limits; the value if one stops the process."""

    def stop(self) -> None: ...


class Pool(Generic[T]):
    """`tick` is called several times a second with what is running."""

    def __init__(self, jobs: int, tick: Callable[[list[Running[T]]], None] = lambda running: None) -> None:
        self.jobs = jobs
        self.tick = tick
        self._running: dict[int, Running[T]] = {}
        self._poll = select.poll()

    def run(
        self,
        start: Callable[[], Running[T] | None],
        done: Callable[[Running[T], T], None],
        until: float = float("inf"),
    ) -> None:
        """Starts processes while there is time until `until`, and waits for all that were started. `start` gives None
        if there is nothing to do; it is asked again when a process has ended."""
        looked = 0.0
        try:
            while True:
                while len(self._running) < self.jobs and time.monotonic() < until:
                    one = start()
                    if one is None:
                        break
                    self._begin(one)
                if not self._running:
                    return
                self._wait(done)
                if time.monotonic() - looked >= WATCH:
                    looked = time.monotonic()
                    self._watch(done)
                    self.tick(list(self._running.values()))
        finally:
            for running in self._running.values():
                running.stop()
            self._running.clear()

    def _begin(self, one: Running[T]) -> None:
        self._running[one.fileno()] = one
        self._poll.register(one.fileno(), select.POLLIN)

    def _wait(self, done: Callable[[Running[T], T], None]) -> None:
        nearest = min(one.deadline for one in self._running.values()) - time.monotonic()
        for descriptor, _ in self._poll.poll(1000 * max(0.0, min(nearest, WATCH))):
            one = self._running[descriptor]
            self._finish(descriptor, one, one.step(), done)

    def _watch(self, done: Callable[[Running[T], T], None]) -> None:
        for descriptor, one in list(self._running.items()):
            self._finish(descriptor, one, one.watch(), done)

    def _finish(self, descriptor: int, one: Running[T], value: T | None, done: Callable[[Running[T], T], None]) -> None:
        if value is not None:
            self._poll.unregister(descriptor)
            del self._running[descriptor]
            done(one, value)
