"""A child process that runs one function and sends messages to its parent.

On Linux it is a fork with a pipe, which is fast and inherits everything. On other systems forks are unreliable, and
`multiprocessing` starts a new interpreter; it is imported only there, since its import takes longer than many analyses.

    child = start(work, 1, 2)            # calls work(send, 1, 2) in a process of its own
    while child.alive():
        message = child.receive(0.02)    # None after 20 ms of silence; EOFError at the end
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import struct
import sys
import time
from collections.abc import Callable
from typing import Protocol

Send = Callable[[object], None]
Work = Callable[..., None]  # its first argument is a Send

LENGTH = struct.Struct("!Q")


class Child(Protocol):
    @property
    def pid(self) -> int: ...

    def fileno(self) -> int:
        """A descriptor that is readable when there is a message."""

    def receive(self, seconds: float) -> object:
        """The next message; None after that many seconds without one. Raises EOFError at the end of the stream."""

    def alive(self) -> bool: ...

    def exit_code(self, patience: float) -> int | None:
        """Waits for the exit code: negative for a signal, None if the process is still running."""

    def end(self) -> None:
        """Kills the process if it is running, and waits for it."""


def start(work: Work, *arguments: object) -> Child:
    sys.stdout.flush()
    sys.stderr.flush()
    return ForkedChild(work, arguments) if sys.platform == "linux" else _spawned(work, arguments)


class ForkedChild:
    def __init__(self, work: Work, arguments: tuple[object, ...]) -> None:
        self._reading, writing = os.pipe()
        self._received = bytearray()
        self._code: int | None = None
        # An interrupt is for the parent alone; it must not arrive in the child before that can ignore it.
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        self.pid = os.fork()
        if self.pid == 0:
            code = 1
            try:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
                os.close(self._reading)
                work(Sender(writing), *arguments)
                sys.stdout.flush()
                sys.stderr.flush()
                code = 0
            finally:
                os._exit(code)
        os.close(writing)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        self._poll = select.poll()
        self._poll.register(self._reading, select.POLLIN)

    def fileno(self) -> int:
        return self._reading

    def receive(self, seconds: float) -> object:
        """An incomplete message is buffered for the next call."""
        received = self._received
        while True:
            if len(received) >= LENGTH.size:
                end = LENGTH.size + LENGTH.unpack_from(received)[0]
                if len(received) >= end:
                    message: object = pickle.loads(bytes(received[LENGTH.size : end]))
                    del received[:end]
                    return message
            if not self._poll.poll(seconds * 1000):
                return None
            more = os.read(self._reading, 1 << 20)
            if not more:
                raise EOFError
            received += more

    def alive(self) -> bool:
        return self.exit_code(0) is None

    def exit_code(self, patience: float) -> int | None:
        deadline = time.monotonic() + patience
        while self._code is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                self._code = os.waitstatus_to_exitcode(status)
            elif time.monotonic() >= deadline:
                break
            else:
                time.sleep(0.005)
        return self._code

    def end(self) -> None:
        if self.alive():
            os.kill(self.pid, signal.SIGKILL)
            _, status = os.waitpid(self.pid, 0)
            self._code = os.waitstatus_to_exitcode(status)
        if self._reading >= 0:
            os.close(self._reading)
            self._reading = -1


class Sender:
    def __init__(self, writing: int) -> None:
        self._writing = writing

    def __call__(self, message: object) -> None:
        text = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        rest = memoryview(LENGTH.pack(len(text)) + text)
        while rest:
            rest = rest[os.write(self._writing, rest) :]


def _spawned(work: Work, arguments: tuple[object, ...]) -> Child:
    import multiprocessing

    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run_spawned, args=(work, sender, arguments))
    process.start()
    sender.close()

    class Spawned:
        pid = process.pid or 0

        def fileno(self) -> int:
            return receiver.fileno()

        def receive(self, seconds: float) -> object:
            try:
                return receiver.recv() if receiver.poll(seconds) else None
            except OSError:
                raise EOFError from None

        def alive(self) -> bool:
            return process.is_alive()

        def exit_code(self, patience: float) -> int | None:
            process.join(patience)
            return process.exitcode

        def end(self) -> None:
            process.kill()
            process.join()
            receiver.close()

    return Spawned()


def _run_spawned(work: Work, sender: object, arguments: tuple[object, ...]) -> None:
    work(sender.send, *arguments)  # type: ignore[attr-defined]  # a multiprocessing connection
