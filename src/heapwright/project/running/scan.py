"""The scan: facts about every C file of a tree, from child processes that scan many files each.

A file at which clang dies or hangs has that as its error; the files after it are scanned by another process.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Sequence

from heapwright.analysis.limits.process import Cause, ProcessResult, RunningTask, Send
from heapwright.base.errors import HeapwrightError
from heapwright.c.parse import read_source
from heapwright.c.translation_unit_facts import TranslationUnitFacts, facts_of
from heapwright.project.running.pool import Pool
from heapwright.project.running.work import clear_environment
from heapwright.project.units.unit import Compilation

MOST = 64  # files of one process
SECONDS = 30.0  # for one file
MEMORY_MB = 2000.0

Facts = dict[int, TranslationUnitFacts]


def scan(compilations: Sequence[Compilation], jobs: int, progress: Callable[[int], None] = lambda count: None) -> Facts:
    """The facts about each compilation, by its number."""
    facts: Facts = {}
    size = max(1, min(MOST, -(-len(compilations) // (4 * jobs))))
    numbers = list(enumerate(compilations))
    waiting = deque(numbers[start : start + size] for start in range(0, len(numbers), size))

    def start() -> RunningScan | None:
        return RunningScan(waiting.popleft(), facts) if waiting else None

    def done(one: object, left: list[tuple[int, Compilation]]) -> None:
        if left:
            waiting.append(left)
        progress(len(facts))

    Pool[list[tuple[int, Compilation]]](jobs, lambda running: progress(len(facts))).run(start, done)
    return facts


class _ScanTask:
    def __init__(self, batch: Sequence[tuple[int, Compilation]]) -> None:
        self.batch = batch

    def __call__(self, send: Send) -> bool:
        clear_environment()
        for number, compilation in self.batch:
            send((number, _facts(compilation)))
        return True


def _facts(compilation: Compilation) -> TranslationUnitFacts:
    try:
        return facts_of(compilation.file, read_source(compilation.file), compilation.options)
    except HeapwrightError as error:
        return TranslationUnitFacts((compilation.file,), error=str(error))


class RunningScan:
    """A batch in a child process. Its value is what is left to scan when the process has died."""

    def __init__(self, batch: Sequence[tuple[int, Compilation]], facts: Facts) -> None:
        self._left = deque(batch)
        self._facts = facts
        self._last = time.monotonic()
        self._process: RunningTask[bool] = RunningTask(_ScanTask(batch), self._receive, memory_mb=MEMORY_MB)

    @property
    def deadline(self) -> float:
        return self._last + SECONDS

    @property
    def activity(self) -> str:
        return f"reading {os.path.basename(self._left[0][1].file)}" if self._left else "reading"

    def fileno(self) -> int:
        return self._process.fileno()

    def step(self) -> list[tuple[int, Compilation]] | None:
        ended = self._process.drain()
        return None if ended is None else self._remaining(ended)

    def watch(self) -> list[tuple[int, Compilation]] | None:
        if time.monotonic() >= self.deadline:
            return self._remaining(self._process.stop(Cause.TIME))
        if self._process.resident_mb() >= MEMORY_MB:
            return self._remaining(self._process.stop(Cause.MEMORY))
        return None

    def stop(self) -> None:
        self._process.stop(Cause.INTERRUPTED)

    def _receive(self, message: object) -> None:
        assert isinstance(message, tuple)
        number, facts = message
        self._facts[number] = facts
        self._left.popleft()
        self._last = time.monotonic()

    def _remaining(self, ended: ProcessResult[bool]) -> list[tuple[int, Compilation]]:
        if ended.cause is Cause.FINISHED or not self._left:
            return []
        number, compilation = self._left.popleft()
        why = {Cause.TIME: f"it takes more than {SECONDS:g} s", Cause.MEMORY: "it takes too much memory"}
        text = why.get(ended.cause) or f"the parser was ended by {ended.text}"
        self._facts[number] = TranslationUnitFacts((compilation.file,), error=f"{compilation.file}: {text}")
        return list(self._left)
