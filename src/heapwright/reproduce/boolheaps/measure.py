"""One program of the table, analysed in a child process: with a cold query cache, and again with a warm one.

measure("reverse", Bounds(timeout=60)).open_checks
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.limits.process import Send
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.boolheap.api import ghosts
from heapwright.program.checks import CheckKind, Goal
from heapwright.reproduce.isolated_measurement import program_of, run_isolated
from heapwright.reproduce.reproduction import Bounds
from heapwright.result.outcomes import Verdict

GHOSTS = {
    "reverse": (
        ("29: input = reach(list, v, next)",),
        ("36: mark(input, v) -> reach(result, v, next)", "36: reach(result, v, next) -> mark(input, v)"),
    ),
}
CHECKS = frozenset(CheckKind) - {CheckKind.LEAK}
VISITS = 20_000  # steps of a fixpoint
REFINEMENTS = {"state": 2, "cartesian": 4}
Post = Literal["state", "cartesian"]


@dataclass(frozen=True, slots=True)
class Measurement:
    """`open_checks` are not proved; `failure` is the reason if there is no measurement."""

    program: str
    proved: int = 0
    open_checks: tuple[str, ...] = ()
    cold_s: float = 0.0
    warm_s: float = 0.0
    stats: Mapping[str, float | int | str] | None = None
    warm_calls: int = 0
    failure: str = ""


def measure(
    program: str, bounds: Bounds, phase: Callable[[str], None] = lambda text: None, post: Post = "state"
) -> Measurement:
    run = _Run(program, post)
    return run_isolated(run, f"{program}, {post}", bounds, phase, lambda why: Measurement(program, failure=why))


@dataclass(frozen=True)
class _Run:
    program: str
    post: Post

    def __call__(self, send: Send) -> Measurement:
        from heapwright.engines.boolheap.api import BoolHeap

        program = program_of("boolheaps", self.program)
        goal, begin, limits = Goal(CHECKS), time.process_time(), Limits(states=VISITS)
        with tempfile.TemporaryDirectory() as cache:
            os.environ["XDG_CACHE_HOME"] = cache  # in this process only
            marked = ghosts(*GHOSTS.get(self.program, ((), ())))
            engine = BoolHeap(refinements=REFINEMENTS[self.post], ghosts=marked, post=self.post)
            cold = run_engine(engine, program, goal, limits, NullProgress())
            between = time.process_time()
            again = cold.complete and self.post == "state"
            warm = run_engine(engine, program, goal, limits, NullProgress()) if again else cold
        unproved = [one.check for one in cold.outcomes if one.verdict is not Verdict.PROVED]
        return Measurement(
            self.program,
            len(cold.outcomes) - len(unproved),
            tuple(f"{one.span.line}:{one.kind.value}" for one in unproved),
            between - begin,
            time.process_time() - between,
            cold.stats,
            int(warm.stats.get("prover_calls", 0)),
        )
