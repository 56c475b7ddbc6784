"""Units in one child process, one after the other, for a few seconds: a fork and the memory that it copies cost more
than the analysis of a small unit, and functions of one file are parsed once.

    batch = RunningBatch(item, following, done)      # `following()` is what the process does next, None to end it
    done("key", answer)                              # is called as answers come

Units do not disturb one another: one that does not fit into the memory or ends its process is run again, as the first
of another process, if it was not that. It is then the value of the batch; see running/pool.py.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import sys
import time
from collections.abc import Callable
from dataclasses import replace

from heapwright.analysis.function_contracts import Contract
from heapwright.analysis.limits.child import LENGTH, Sender
from heapwright.analysis.limits.memory import forget_peak, own_peak_mb
from heapwright.analysis.limits.process import Cause, ProcessResult, RunningTask, Send
from heapwright.analysis.schedule import stages_of
from heapwright.analysis.supervisor import MessageCollector, names
from heapwright.analysis.syntax_trees import SyntaxTrees
from heapwright.base.errors import HeapwrightError, InternalError
from heapwright.project.findings.record import Recorder, answer_of
from heapwright.project.running.work import UnitTask, clear_environment
from heapwright.project.store.database import Answer

SECONDS = 5.0  # after which a process begins no other unit
PATIENCE = 5.0  # for a process that has nothing left to do

Item = tuple[str, str, UnitTask]  # key, name and work of a unit
Done = Callable[[str, Answer], None]


class BatchTask:
    """The work of a child. Other units than the first arrive at a descriptor."""

    def __init__(self, first: UnitTask, descriptor: int | None) -> None:
        self.first, self.descriptor = first, descriptor

    def __call__(self, send: Send) -> bool:
        clear_environment()
        trees = SyntaxTrees()
        task: UnitTask | None = self.first
        while task is not None:
            forget_peak()
            send(_ended(_with_trees(task, trees), send))
            task = self._following()
        return True

    def _following(self) -> UnitTask | None:
        if self.descriptor is None:
            return None
        task = pickle.loads(_read(self.descriptor, *LENGTH.unpack(_read(self.descriptor, LENGTH.size))))
        assert task is None or isinstance(task, UnitTask)
        return task


def _read(descriptor: int, count: int) -> bytes:
    found = bytearray()
    while len(found) < count:
        more = os.read(descriptor, count - len(found))
        if not more:
            raise BrokenPipeError
        found += more
    return bytes(found)


def _with_trees(task: UnitTask, trees: SyntaxTrees) -> UnitTask:
    source = task.job.source
    if source.snapshot is None:
        return task
    return replace(task, job=replace(task.job, source=replace(source, snapshot=replace(source.snapshot, trees=trees))))


def _ended(task: UnitTask, send: Send) -> ProcessResult[str]:
    """The end of a unit. Other exceptions than our own end the process."""
    begin = time.monotonic()
    try:
        text = task(send)
    except HeapwrightError as error:
        return ProcessResult(Cause.REFUSED, time.monotonic() - begin, own_peak_mb(), error=error)
    return ProcessResult(Cause.FINISHED, time.monotonic() - begin, own_peak_mb(), text)


class RunningBatch:
    """A child process with its units, which the caller stops at the limits of the one that runs."""

    def __init__(self, item: Item, following: Callable[[], Item | None], done: Done) -> None:
        self._following = following
        self._done = done
        self._begin = time.monotonic()
        self._is_first = True
        self._unit: _RunningUnit | None = _RunningUnit(item)
        reading: int | None = None
        self._writing: int | None = None
        if sys.platform == "linux":
            reading, self._writing = os.pipe()
        task = item[2]
        self._process: RunningTask[bool] = RunningTask(
            BatchTask(task, reading), self._receive, memory_mb=task.job.memory_mb
        )
        if reading is not None:
            os.close(reading)  # the child has it

    @property
    def name(self) -> str:
        return self._unit.name if self._unit else ""

    @property
    def activity(self) -> str:
        return self._unit.activity if self._unit else "ending"

    @property
    def deadline(self) -> float:
        """When the process is stopped, on the clock of `time.monotonic`."""
        return self._unit.deadline if self._unit else self._begin + PATIENCE

    def fileno(self) -> int:
        return self._process.fileno()

    def step(self) -> list[Item] | None:
        """Handles what the process has sent. Once it has ended: the unit that is to be run again, if there is one."""
        ended = self._process.drain()
        return None if ended is None else self._end(ended)

    def watch(self) -> list[Item] | None:
        """Enforces the limits."""
        again = self.step()
        if again is not None:
            return again
        if time.monotonic() >= self.deadline:
            return self._end(self._process.stop(Cause.TIME))
        if self._unit is not None and self._unit.is_too_large(self._process.resident_mb()):
            return self._end(self._process.stop(Cause.MEMORY))
        return None

    def stop(self) -> None:
        self._process.stop(Cause.INTERRUPTED)
        self._close()

    def _receive(self, message: object) -> None:
        unit = self._unit
        assert unit is not None
        if not isinstance(message, ProcessResult):
            unit.receive(message)
            return
        self._begin_following()  # before the answer is kept: the process need not wait for that
        self._done(unit.key, unit.answer(message))

    def _begin_following(self) -> None:
        item = None
        if self._writing is not None and time.monotonic() - self._begin < SECONDS:
            item = self._following()
        self._is_first = False
        self._unit = None if item is None else _RunningUnit(item)
        if self._unit is None:
            self._begin = time.monotonic()
        if self._writing is not None:
            with contextlib.suppress(BrokenPipeError):  # the process has ended, which `step` tells
                Sender(self._writing)(None if item is None else item[2])

    def _end(self, ended: ProcessResult[bool]) -> list[Item]:
        self._close()
        unit, self._unit = self._unit, None
        if unit is None:
            return []
        if not self._is_first and ended.cause is not Cause.TIME:
            return [unit.item]
        seconds = unit.seconds if ended.cause is Cause.TIME else ended.seconds
        texts = (ended.error, ended.text, ended.traceback)
        self._done(unit.key, unit.answer(ProcessResult(ended.cause, seconds, unit.peak_mb, None, *texts)))
        return []

    def _close(self) -> None:
        if self._writing is not None:
            os.close(self._writing)
            self._writing = None


class _RunningUnit:
    """What the parent knows of the unit that runs."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self.key, self.name, self._task = item
        self.begin = time.monotonic()
        self.peak_mb = 0.0
        self._collector = MessageCollector(self._task.job, names(stages_of(self._task.job.engine)))
        self._contract: Contract | None = None

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begin

    @property
    def deadline(self) -> float:
        timeout = self._task.job.timeout
        return float("inf") if timeout is None else self.begin + timeout

    @property
    def activity(self) -> str:
        return self._collector.activity

    def is_too_large(self, resident_mb: float) -> bool:
        self.peak_mb = max(self.peak_mb, resident_mb)
        limit = self._task.job.memory_mb
        return limit is not None and resident_mb >= limit

    def receive(self, message: object) -> None:
        if isinstance(message, Contract):
            self._contract = message
        else:
            self._collector.receive(message)

    def answer(self, ended: ProcessResult[str]) -> Answer:
        if ended.cause is Cause.FINISHED and ended.value is not None:
            return answer_of(json.loads(ended.value))
        recorder = Recorder(self._task.root, self._task.limits, self._contract)
        try:
            return recorder.of_result(self._collector.job_result(ended))  # type: ignore[arg-type]  # it has no value
        except HeapwrightError as error:
            return recorder.of_error(error, ended.seconds, ended.peak_mb)
        except Exception as error:
            return recorder.of_error(InternalError(f"{type(error).__name__}: {error}"), ended.seconds, ended.peak_mb)
