"""Limits hold whatever the task does: sleep in native code, spin, eat memory, crash, or be killed."""

from __future__ import annotations

import ctypes
import faulthandler
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from heapwright.analysis.limits.child import ForkedChild
from heapwright.analysis.limits.memory import resident_mb
from heapwright.analysis.limits.process import Cause, RunningTask, Send, run_limited
from heapwright.base.errors import InputError
from heapwright.base.source import Span


def test_value_and_messages_arrive_in_order() -> None:
    got: list[object] = []

    def task(send: Send) -> str:
        for number in range(100):
            send(number)
        return "done"

    ended = run_limited(task, on_message=got.append)
    assert (ended.cause, ended.value, got) == (Cause.FINISHED, "done", list(range(100)))
    assert ended.peak_mb > 1


def test_sleeping_in_native_code_is_stopped() -> None:
    ended = run_limited(lambda send: time.sleep(60), timeout=0.3)
    assert ended.cause is Cause.TIME


def test_spinning_is_stopped_and_messages_before_it_are_kept() -> None:
    got: list[object] = []

    def task(send: Send) -> None:
        send("found")
        while True:
            pass

    assert run_limited(task, timeout=0.3, on_message=got.append).cause is Cause.TIME
    assert got == ["found"]


def test_a_flood_of_messages_is_stopped() -> None:
    def task(send: Send) -> None:
        while True:
            send("x")

    assert run_limited(task, timeout=0.3).cause is Cause.TIME


def test_memory_is_limited() -> None:
    def task(send: Send) -> None:
        hoard = []
        while True:
            hoard.append(bytearray(10_000_000))

    ended = run_limited(task, timeout=30, memory_mb=200)
    assert ended.cause is Cause.MEMORY
    assert ended.peak_mb < 1000


def test_one_huge_allocation_fails() -> None:
    ended = run_limited(lambda send: len(bytearray(50_000_000_000)), timeout=30, memory_mb=200)
    assert ended.cause is Cause.MEMORY


def test_crash_in_native_code() -> None:
    def task(send: Send) -> None:
        faulthandler.disable()  # which would tell at length
        ctypes.string_at(0)

    ended = run_limited(task)
    assert (ended.cause, ended.text) == (Cause.DIED, "SIGSEGV")


def test_silent_exit() -> None:
    ended = run_limited(lambda send: os._exit(7))
    assert (ended.cause, ended.text) == (Cause.DIED, "exit code 7")


def test_refusal_keeps_its_place() -> None:
    def task(send: Send) -> None:
        raise InputError("no", Span("a.c", 1, 2), "yes")

    ended = run_limited(task)
    assert ended.cause is Cause.REFUSED
    assert ended.error is not None
    assert (str(ended.error), ended.error.hint) == ("a.c:1:2: no", "yes")


def test_other_exceptions_come_with_their_traceback() -> None:
    def task(send: Send) -> None:
        raise KeyError("lost")

    ended = run_limited(task)
    assert (ended.cause, ended.text) == (Cause.CRASHED, "KeyError: 'lost'")
    assert "Traceback" in ended.traceback


def test_a_value_that_cannot_be_sent_is_a_crash() -> None:
    assert run_limited(lambda send: lambda: None).cause is Cause.CRASHED


def test_deep_recursion() -> None:
    def depth(left: int) -> int:
        return 1 + depth(left - 1) if left else 0

    assert run_limited(lambda send: depth(20_000), memory_mb=1000).value == 20_000
    assert run_limited(lambda send: depth(10**9)).text.startswith("RecursionError")


def test_deep_values_are_sent() -> None:
    def task(send: Send) -> object:
        value: object = None
        for _ in range(3_000):
            value = (value,)
        return value

    assert run_limited(task).cause is Cause.FINISHED


@pytest.mark.usefixtures("keyboard")
def test_interrupt_ends_the_process() -> None:
    pids: list[object] = []

    def task(send: Send) -> None:
        send(os.getpid())
        time.sleep(60)

    def interrupt(message: object) -> None:
        pids.append(message)
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()

    assert run_limited(task, on_message=interrupt).cause is Cause.INTERRUPTED
    (pid,) = pids
    with pytest.raises(ProcessLookupError):
        os.kill(int(str(pid)), 0)


def test_what_the_task_started_is_ended_too(tmp_path: Path) -> None:
    pids: list[object] = []

    def task(send: Send) -> None:
        process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        send(process.pid)
        time.sleep(60)

    run_limited(task, timeout=0.5, on_message=pids.append)
    (pid,) = pids
    for _ in range(100):
        if resident_mb(int(str(pid))) in (None, 0.0):
            return
        time.sleep(0.05)
    pytest.fail("a process was left behind")


def test_ticks_tell_the_time() -> None:
    ticks: list[float] = []
    run_limited(lambda send: time.sleep(0.3), on_tick=ticks.append)
    assert len(ticks) > 3
    assert ticks == sorted(ticks)


ARMED: list[int] = []


def _fire() -> None:
    for number in ARMED:
        os.kill(os.getpid(), number)


os.register_at_fork(after_in_child=_fire)


def test_an_interrupt_at_the_fork_does_not_reach_the_child(capfd: pytest.CaptureFixture[str]) -> None:
    ARMED.append(signal.SIGINT)
    try:
        ended = run_limited(lambda send: "done")
    finally:
        ARMED.clear()
    assert (ended.cause, ended.value) == (Cause.FINISHED, "done")
    assert capfd.readouterr().err == ""


def test_a_child_without_a_reader_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    def chatter(send: Send) -> None:
        while True:
            send("more")

    running: RunningTask[None] = RunningTask(chatter, lambda message: None)
    child = running._child
    assert isinstance(child, ForkedChild)
    os.close(child._reading)
    child._reading = -1
    assert child.exit_code(60) == 1
    assert capfd.readouterr().err == ""
