"""One run of Table 1: a program in one configuration, in a process of its own.

measure("list_flag", "both", Bounds(timeout=60)).verdict
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import Literal

from heapwright.engines.api import Limits, Quiet
from heapwright.engines.lazy.engine import Lazy
from heapwright.engines.lazy.search import Options
from heapwright.limits.process import Cause, Send, run_limited
from heapwright.pipeline import Input, build, checked
from heapwright.program.checks import CheckKind, Goal
from heapwright.reproduce.frame import Bounds
from heapwright.result import Verdict

CHECKS = frozenset(CheckKind) - {CheckKind.LEAK}
Configuration = Literal["predicates", "shapes", "both"]
CONFIGURATIONS: Mapping[Configuration, Options] = {
    "predicates": Options("never", refinements=20, until_alarm=True),
    "shapes": Options("always", until_alarm=True),
    "both": Options("lazy"),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """`verdict` is safe, unsafe or unknown; `violated` are the checks that a run breaks. `reason` says why something is
    unknown, `failure` why there is nothing at all."""

    program: str
    verdict: str = ""
    time_s: float = 0.0
    stats: Mapping[str, float | int | str] | None = None
    violated: tuple[str, ...] = ()
    reason: str = ""
    failure: str = ""

    @property
    def refinements(self) -> int:
        return int((self.stats or {}).get("refinements", 0))


def measure(
    program: str, configuration: Configuration, bounds: Bounds, phase: Callable[[str], None] = lambda text: None
) -> Measured:
    ended = run_limited(
        _Run(program, configuration, bounds.timeout),
        timeout=bounds.timeout,
        memory_mb=bounds.memory_mb,
        on_tick=lambda seconds: phase(f"{program}, {configuration}: {seconds:.0f} s"),
    )
    if ended.cause is Cause.INTERRUPTED:
        raise KeyboardInterrupt
    if ended.error is not None:
        raise ended.error
    if ended.value is None:
        return Measured(program, failure=f"stopped: {ended.cause.value} {ended.text}".strip())
    return ended.value


@dataclass(frozen=True)
class _Run:
    program: str
    configuration: Configuration
    timeout: float | None

    def __call__(self, send: Send) -> Measured:
        with as_file(files("heapwright.reproduce.lazy") / "programs" / f"{self.program}.c") as path:
            program = build(Input((str(path),)), lambda phase: None)
        engine, goal, start = Lazy(settings=CONFIGURATIONS[self.configuration]), Goal(CHECKS), time.monotonic()
        limits = Limits(deadline=None if self.timeout is None else start + 0.9 * self.timeout)
        result = checked(engine.analyze(program, goal, limits, Quiet()), program, goal)
        unknown = [outcome for outcome in result.outcomes if outcome.verdict is Verdict.UNKNOWN]
        alarm = next((outcome for outcome in unknown if outcome.path), None)
        return Measured(
            self.program,
            result.verdict.value,
            time.monotonic() - start,
            dict(result.stats),
            tuple(
                f"{outcome.check.span.line}:{outcome.check.kind.value}"
                for outcome in result.outcomes
                if outcome.verdict is Verdict.VIOLATED
            ),
            result.limit if alarm is None else f"line {alarm.check.span.line}: {alarm.reason}",
        )
