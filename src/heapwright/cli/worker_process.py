"""Runs the task of a command in a child process: a crash in native code becomes a diagnostic, and Ctrl-C stops it.

text = work(task)
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from heapwright.analysis.limits.process import Cause, Send, run_limited
from heapwright.base.errors import InternalError, LimitReached
from heapwright.cli.progress import INTERVAL, ProgressLine

if TYPE_CHECKING:
    from heapwright.result.outcomes import Outcome

T = TypeVar("T")


class AnalysisProgress:
    """A `Progress` that sends updates to the parent process, a few times a second."""

    def __init__(self, send: Send) -> None:
        self.send = send
        self.last = 0.0

    def update(self, message: str) -> None:
        now = time.monotonic()
        if now - self.last > INTERVAL:
            self.last = now
            self.send(f"analysing: {message}")

    def note(self, message: str) -> None:
        pass

    def found(self, outcome: Outcome) -> None:
        pass


def work(task: Callable[[Send], T], *, timeout: float | None = None, memory_mb: float | None = None) -> T:
    """The value of a task. Its messages are shown as progress; its errors and limits are raised here."""
    line = ProgressLine(sys.stderr)
    activity = ["starting"]
    try:
        ended = run_limited(
            task,
            timeout=timeout,
            memory_mb=memory_mb,
            on_message=lambda message: activity.append(str(message)),
            on_tick=lambda seconds: line.show(seconds, activity[-1]),
        )
    finally:
        line.clear()
    if ended.error is not None:
        raise ended.error
    match ended.cause:
        case Cause.INTERRUPTED:
            raise KeyboardInterrupt
        case Cause.FINISHED:
            value: T = ended.value  # type: ignore[assignment]  # a finished task has one, which may be None
            return value
        case Cause.CRASHED:
            raise InternalError(f"{ended.text} while {activity[-1]}", ended.traceback)
    if ended.cause is Cause.TIME and timeout is not None:
        raise LimitReached(f"the time limit of {timeout:g} s was reached while {activity[-1]}")
    if ended.cause is Cause.MEMORY and memory_mb is not None:
        raise LimitReached(f"the memory limit of {memory_mb:g} MB was reached while {activity[-1]}")
    raise InternalError(f"the process was terminated by {ended.text or 'lack of memory'} while {activity[-1]}")
