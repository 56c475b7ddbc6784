"""Runs a task in a child process and stops it at its limits, even inside native code.

The task gets a function `send`; its messages arrive at `on_message` immediately, so that they survive the process. The
end of the process is a value, never an exception:

>>> ended = run_limited(lambda send: 6 * 7)
>>> ended.cause.value, ended.value
('finished', 42)
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from enum import Enum
from typing import Any, Generic, TypeVar

from heapwright.analysis.limits.child import Child, Send, start
from heapwright.analysis.limits.memory import cap_address_space, own_peak_mb, resident_mb
from heapwright.base.errors import HeapwrightError
from heapwright.base.immutable import Immutable

__all__ = ["Cause", "ProcessResult", "RunningTask", "Send", "run_limited"]

T = TypeVar("T")

POLL_SECONDS = 0.02
RECURSION = 30_000  # recursion limit of the child process
STACK_BYTES = 256 * 1024 * 1024
_PR_SET_PDEATHSIG = 1  # of Linux: the signal that a process gets when its parent ends


class Cause(Enum):
    FINISHED = "finished"
    REFUSED = "refused"  # the task raised a HeapwrightError
    CRASHED = "crashed"  # the task raised another exception
    DIED = "died"  # terminated by a signal, or without a final message
    TIME = "time"
    MEMORY = "memory"
    INTERRUPTED = "interrupted"  # from the keyboard


class ProcessResult(Immutable, Generic[T]):
    """The end of a process: `value` if the task finished, `error` if it raised a HeapwrightError, `text` otherwise."""

    cause: Cause
    seconds: float
    peak_mb: float
    value: T | None = None
    error: HeapwrightError | None = None
    text: str = ""
    traceback: str = ""


class _TaskMessage(Immutable):
    """A message of the task while it runs."""

    message: object


class _FinalMessage(Immutable):
    """The final message of a process."""

    cause: Cause
    peak_mb: float
    value: Any = None
    error: HeapwrightError | None = None
    text: str = ""
    traceback: str = ""


def run_limited(
    task: Callable[[Send], T],
    *,
    timeout: float | None = None,
    memory_mb: float | None = None,
    on_message: Callable[[object], None] = lambda message: None,
    on_tick: Callable[[float], None] = lambda seconds: None,
) -> ProcessResult[T]:
    """Runs `task` in a child process. `timeout` in seconds and `memory_mb` may be None for no limit; `on_tick` is
    called many times a second with the elapsed seconds."""
    running = RunningTask(task, on_message, memory_mb=memory_mb)
    try:
        while True:
            ended = running.step(POLL_SECONDS)
            if ended is not None:
                return ended
            on_tick(running.seconds)
            if timeout is not None and running.seconds >= timeout:
                return running.stop(Cause.TIME)
            if running.resident_mb() >= (memory_mb or float("inf")):
                return running.stop(Cause.MEMORY)
    except KeyboardInterrupt:
        return running.stop(Cause.INTERRUPTED)
    finally:
        running.stop(Cause.DIED)


# --- in the parent process -------------------------------------------------------------------------------------------


class RunningTask(Generic[T]):
    """A task in a child process, for callers that run several: `step` dispatches a message or returns the result,
    `stop` terminates the process."""

    def __init__(
        self, task: Callable[[Send], T], on_message: Callable[[object], None], *, memory_mb: float | None = None
    ) -> None:
        self._begin = time.monotonic()
        self._child = start(_work, task, memory_mb, os.getpid())
        self._on_message = on_message
        self._peak_mb = 0.0
        self._ended: ProcessResult[T] | None = None

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begin

    def fileno(self) -> int:
        """A descriptor that is readable when `step` has something to do, for callers that wait for several tasks."""
        return self._child.fileno()

    def resident_mb(self) -> float:
        """Current resident memory."""
        now = resident_mb(self._child.pid) or 0.0
        self._peak_mb = max(self._peak_mb, now)
        return now

    def step(self, patience: float) -> ProcessResult[T] | None:
        """Waits up to `patience` seconds for a message; returns the result once the process has ended, else None."""
        if self._ended is not None:
            return self._ended
        try:
            received = self._child.receive(patience)
        except EOFError:
            return self._end(self._died())
        if isinstance(received, _FinalMessage):
            return self._end(received)
        if isinstance(received, _TaskMessage):
            self._on_message(received.message)
        return None

    def drain(self) -> ProcessResult[T] | None:
        """Dispatches all messages that have arrived, without waiting; returns the result once the process has ended."""
        while self._ended is None:
            try:
                received = self._child.receive(0)
            except EOFError:
                return self._end(self._died())
            if isinstance(received, _FinalMessage):
                return self._end(received)
            if received is None:
                return None
            assert isinstance(received, _TaskMessage)
            self._on_message(received.message)
        return self._ended

    def stop(self, cause: Cause) -> ProcessResult[T]:
        """Terminates the process with this cause, unless it has ended."""
        return self._ended or self._end(_FinalMessage(cause, 0.0))

    def _end(self, last: _FinalMessage) -> ProcessResult[T]:
        _stop(self._child)
        peak = max(self._peak_mb, last.peak_mb)
        self._ended = ProcessResult(last.cause, self.seconds, peak, last.value, last.error, last.text, last.traceback)
        return self._ended

    def _died(self) -> _FinalMessage:
        code = self._child.exit_code(5)
        if code is not None and code < 0:
            return _FinalMessage(Cause.DIED, 0.0, text=_signal_name(-code))
        return _FinalMessage(Cause.DIED, 0.0, text=f"exit code {code}")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _stop(child: Child) -> None:
    """Terminates the process and its process group."""
    if child.alive() and hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            if os.getpgid(child.pid) == child.pid:
                os.killpg(child.pid, signal.SIGKILL)
    child.end()


# --- in the child process --------------------------------------------------------------------------------------------


def _work(send: Send, task: Callable[[Send], object], memory_mb: float | None, parent: int) -> None:
    # A process group of its own: Ctrl-C interrupts the parent alone, which then terminates the whole group.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(os, "setpgid"):
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
    _die_with_parent()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    if memory_mb is not None:
        cap_address_space(memory_mb)
    # Programs may nest deeply; a thread can have a larger stack than the main thread.
    sys.setrecursionlimit(RECURSION)
    threading.stack_size(STACK_BYTES)
    worker = threading.Thread(target=_run_task, args=(send, task))
    worker.start()
    worker.join()


def _run_task(send: Send, task: Callable[[Send], object]) -> None:
    """Runs the task and sends the final message."""
    try:
        value = task(lambda message: send(_TaskMessage(message)))
        send(_FinalMessage(Cause.FINISHED, own_peak_mb(), value))
    except HeapwrightError as error:
        send(_FinalMessage(Cause.REFUSED, own_peak_mb(), error=error))
    except MemoryError:
        send(_FinalMessage(Cause.MEMORY, own_peak_mb()))
    except BrokenPipeError:  # the parent process has ended
        os._exit(1)
    except BaseException as error:
        import traceback

        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        send(_FinalMessage(Cause.CRASHED, own_peak_mb(), text=text, traceback=traceback.format_exc()))


def _die_with_parent() -> None:
    """Asks the system to end this process together with its parent, where it can. If the parent has gone already,
    `_end_with` notices."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _end_with(parent: int) -> None:
    """Exits when the parent process has gone, since nothing else would stop this process."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
