"""One run of Table 1 or 2: a program under one engine, in a child process.

measure("access-tree", "fesa", {"numeric": "bdd"}, Bounds(timeout=60)).warnings
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.limits.process import Send
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, NullProgress, OptionValue
from heapwright.program.checks import Check, CheckKind, Goal
from heapwright.reproduce.isolated_measurement import program_of, run_isolated
from heapwright.reproduce.reproduction import Bounds
from heapwright.result.outcomes import Verdict

VISITS = 200  # the longest analysis here takes 172; without a fixpoint, heaps grow with each
POINTERS = frozenset(CheckKind) - {CheckKind.LEAK, CheckKind.SHAPE, CheckKind.ASSERT}


@dataclass(frozen=True, slots=True)
class Measurement:
    """`time_ms` is processor time. `warnings` are pointer checks that were not proved, one per span and kind;
    `violated` those of them with a violating run. `failure` is the reason if there is no measurement, or no proof."""

    program: str
    time_ms: float = 0.0
    memory_mb: float = 0.0
    stats: Mapping[str, float | int | str] | None = None
    warnings: tuple[str, ...] = ()
    violated: tuple[str, ...] = ()
    failure: str = ""


def measure(
    program: str,
    engine: str,
    options: Mapping[str, OptionValue],
    bounds: Bounds,
    phase: Callable[[str], None] = lambda text: None,
) -> Measurement:
    run = _Run(program, engine, dict(options), bounds.timeout)
    return run_isolated(run, f"{program}, {engine}", bounds, phase, lambda why: Measurement(program, failure=why))


@dataclass(frozen=True)
class _Run:
    program: str
    engine: str
    options: Mapping[str, OptionValue]
    timeout: float | None

    def __call__(self, send: Send) -> Measurement:
        program = program_of("fesa", self.program)
        engine, goal = load_engine(self.engine, self.options), Goal(kinds=POINTERS)
        start, before = time.process_time(), _peak_mb()
        deadline = None if self.timeout is None else time.monotonic() + 0.9 * self.timeout
        limits = Limits(deadline=deadline, states=VISITS) if self.engine == "fesa" else Limits(deadline=deadline)
        result = run_engine(engine, program, goal, limits, NullProgress())
        open_ = [outcome for outcome in result.outcomes if outcome.verdict is not Verdict.PROVED]
        return Measurement(
            self.program,
            1000 * (time.process_time() - start),
            _peak_mb() - before,
            dict(result.stats),
            tuple(_name(outcome.check) for outcome in open_),
            tuple(_name(outcome.check) for outcome in open_ if outcome.verdict is Verdict.VIOLATED),
            result.limit,
        )


def _name(check: Check) -> str:
    """The identity of a check without the path, which may be temporary."""
    return f"{check.span.line}:{check.span.column}:{check.kind.value}"


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
