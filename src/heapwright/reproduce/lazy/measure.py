"""One run of Table 1: a program in one configuration, in a child process.

measure("list_flag", "both", Bounds(timeout=60)).verdict
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.limits.process import Send
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.lazy.api import Lazy, Options
from heapwright.program.checks import CheckKind, Goal
from heapwright.reproduce.isolated_measurement import program_of, run_isolated
from heapwright.reproduce.reproduction import Bounds
from heapwright.result.outcomes import Verdict

VISITS = 6_000  # maximum number of nodes that a search makes
REFINEMENTS = 60
CHECKS = frozenset(CheckKind) - {CheckKind.LEAK}
Configuration = Literal["predicates", "shapes", "both"]
CONFIGURATIONS: Mapping[Configuration, Options] = {
    "predicates": Options("never", refinements=20, until_alarm=True),
    "shapes": Options("always", until_alarm=True),
    "both": Options("lazy", refinements=REFINEMENTS),
}


@dataclass(frozen=True, slots=True)
class Measurement:
    """`verdict` is safe, unsafe or unknown; `violated` are the violated checks. `time_s` is processor time. `refined`
    are the checks that were refined for. `reason` is that of an unknown check, `failure` the reason if there is no
    measurement."""

    program: str
    verdict: str = ""
    time_s: float = 0.0
    stats: Mapping[str, float | int | str] | None = None
    violated: tuple[str, ...] = ()
    refined: tuple[str, ...] = ()
    reason: str = ""
    failure: str = ""

    @property
    def refinements(self) -> int:
        return self.stat("refinements")

    def stat(self, name: str) -> int:
        return int((self.stats or {}).get(name, 0))


def measure(
    program: str, configuration: Configuration, bounds: Bounds, phase: Callable[[str], None] = lambda text: None
) -> Measurement:
    run = _Run(program, configuration, bounds.timeout)
    return run_isolated(
        run, f"{program}, {configuration}", bounds, phase, lambda why: Measurement(program, failure=why)
    )


@dataclass(frozen=True)
class _Run:
    program: str
    configuration: Configuration
    timeout: float | None

    def __call__(self, send: Send) -> Measurement:
        program = program_of("lazy", self.program)
        engine, goal, start = Lazy(settings=CONFIGURATIONS[self.configuration]), Goal(CHECKS), time.process_time()
        deadline = None if self.timeout is None else time.monotonic() + 0.9 * self.timeout
        limits = Limits(deadline=deadline, states=VISITS)
        result = run_engine(engine, program, goal, limits, NullProgress())
        unknown = [outcome for outcome in result.outcomes if outcome.verdict is Verdict.UNKNOWN]
        alarm = next((outcome for outcome in unknown if outcome.path), None)
        return Measurement(
            self.program,
            result.verdict.value,
            time.process_time() - start,
            dict(result.stats),
            tuple(
                f"{outcome.check.span.line}:{outcome.check.kind.value}"
                for outcome in result.outcomes
                if outcome.verdict is Verdict.VIOLATED
            ),
            () if result.proof is None else tuple(step.check for step in result.proof.refinements),
            result.limit if alarm is None else f"line {alarm.check.span.line}: {alarm.reason}",
        )
