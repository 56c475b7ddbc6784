"""A measurement in a child process, so that limits are enforced and no state is shared.

run_isolated(Run("sll-loop"), "sll-loop, strict", bounds, phase, lambda why: Measured("sll-loop", failure=why))
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import as_file, files
from typing import TypeVar

from heapwright.analysis.limits.process import Cause, Send, run_limited
from heapwright.analysis.pipeline import Input, build
from heapwright.base.errors import LimitReached
from heapwright.program.graph import Program
from heapwright.reproduce.reproduction import Bounds

T = TypeVar("T")


def run_isolated(
    run: Callable[[Send], T],
    label: str,
    bounds: Bounds,
    phase: Callable[[str], None],
    stopped: Callable[[str], T],
) -> T:
    """The value of a run; if a limit stops it, `stopped(reason)`. Messages of the run are shown as progress."""
    activity = [label]
    ended = run_limited(
        run,
        timeout=bounds.timeout,
        memory_mb=bounds.memory_mb,
        on_message=lambda message: activity.append(f"{label}, {message}"),
        on_tick=lambda seconds: phase(f"{activity[-1]}: {seconds:.0f} s"),
    )
    if ended.cause is Cause.INTERRUPTED:
        raise KeyboardInterrupt
    if isinstance(ended.error, LimitReached):
        return stopped(f"stopped: {ended.error}")
    if ended.error is not None:
        raise ended.error
    if ended.value is None:
        return stopped(f"stopped: {ended.cause.value} {ended.text}".strip())
    return ended.value


def program_of(paper: str, name: str, function: str | None = None) -> Program:
    """A program of a paper."""
    with as_file(files(f"heapwright.reproduce.{paper}") / "programs" / f"{name}.c") as path:
        return build(Input((str(path),), function=function), lambda phase: None)
