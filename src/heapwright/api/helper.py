"""Calls of functions in a new process, which is started and not forked. It ends with its caller.

called("heapwright.api.work", "lowered", {"files": ("list.c",)})
"""

from __future__ import annotations

import importlib
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

from heapwright.base.errors import HeapwrightError, InternalError, UsageError

PROGRESS = b"progress: "  # begins lines on progress among those of errors
Tell = Callable[[str], None]


def called(module: str, function: str, *arguments: object, progress: Tell | None = None) -> Any:
    """The result of the function; an exception that it raises is raised here. With `progress` the function gets one
    more argument, which tells this one."""
    if arguments and isinstance(arguments[0], dict) and not arguments[0].get("files", True):
        raise UsageError("no file given")
    started = subprocess.Popen(
        [sys.executable, "-m", "heapwright.api.helper"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    complaint = b""
    try:
        request = pickle.dumps((module, function, arguments, progress is not None))
        if progress is None:
            answer, complaint = started.communicate(request)
        else:
            answer, complaint = _followed(started, request, progress)
    finally:
        started.kill()
        started.wait()
    if started.returncode or not answer:
        raise InternalError("the process of an analysis ended", complaint.decode("utf-8", "replace"))
    failed, value = pickle.loads(answer)  # of our own process
    if failed:
        raise value
    return value


def _followed(started: subprocess.Popen[bytes], request: bytes, progress: Tell) -> tuple[bytes, bytes]:
    """The answer and the errors of the process. Progress is reported in this thread, while another one waits for the
    answer."""
    assert started.stdin is not None
    assert started.stderr is not None
    answers: list[bytes] = []
    reader = threading.Thread(target=lambda out: answers.append(out.read()), args=(started.stdout,), daemon=True)
    reader.start()
    started.stdin.write(request)
    started.stdin.close()
    complaint = b""
    for line in started.stderr:
        if line.startswith(PROGRESS):
            progress(line.removeprefix(PROGRESS).decode("utf-8", "replace").rstrip("\n"))
        else:
            complaint += line
    reader.join()
    return answers[0], complaint


def _tell(text: str) -> None:
    line = " ".join(text.split()).encode("utf-8", "replace")
    sys.stderr.buffer.write(PROGRESS + line + b"\n")
    sys.stderr.buffer.flush()


def _serve() -> None:
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    module, function, arguments, told = pickle.load(sys.stdin.buffer)  # of our own process
    if told:
        arguments = (*arguments, _tell)
    try:
        answer = False, getattr(importlib.import_module(module), function)(*arguments)
    except HeapwrightError as error:
        answer = True, error
    out.write(pickle.dumps(answer))
    out.flush()


if __name__ == "__main__":
    _serve()
