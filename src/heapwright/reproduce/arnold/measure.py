"""One run of Table 2: a program, analysed under one kind of embedding and with one way of refining, in a child process.

measure("sll-loop", "strict", Bounds(timeout=60), refine="meet").total

Times are those of the processor: of a first analysis, which compiles its formulas and makes its refining sets, and of a
second one in the same process, which has them. `STATES` bounds the structures of a run, of which there are some 1,200
at most, so that an engine that does not reach a fixpoint is stopped whatever the machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.limits.process import Send
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.tvl.api import RefiningSets  # loaded before times are taken, as the rest of the engine is
from heapwright.program.checks import Check, Goal
from heapwright.reproduce.isolated_measurement import program_of, run_isolated
from heapwright.reproduce.profiler import SamplingProfiler
from heapwright.reproduce.reproduction import Bounds
from heapwright.result.outcomes import Verdict

STATES = 2_500
JOIN = "maximal"  # drop structures that embed in another one: the paper's domain, under either embedding
KERNEL = "heapwright.engines.tvl"
REFINEMENT = frozenset(
    (
        RefiningSets.__module__,
        *(
            f"{KERNEL}.{module}"
            for module in ("focus.focus", "constraints.coerce", "focus.strategies", "structures.structure_patterns")
        ),
    )
)


@dataclass(frozen=True, slots=True)
class Measurement:
    """Structures are counted at reachable locations. `memory_kb` is the growth of the process; `verdicts` are by check.
    `failure` is the reason if there is no measurement."""

    program: str
    embedding: str
    refine: str = "formula"
    locations: int = 0
    loops: int = 0
    total: int = 0
    top: int = 0
    time_ms: float = 0.0
    refinement_ms: float | None = None
    memory_kb: float = 0.0
    verdicts: Mapping[str, str] | None = None
    failure: str = ""
    again_ms: float | None = None  # of a second analysis in the process

    @property
    def average(self) -> float:
        return self.total / self.locations if self.locations else 0.0

    @property
    def proved(self) -> bool:
        return bool(self.verdicts) and set((self.verdicts or {}).values()) == {Verdict.PROVED.value}


def measure(
    program: str,
    embedding: str,
    bounds: Bounds,
    phase: Callable[[str], None] = lambda text: None,
    refine: str = "formula",
) -> Measurement:
    run = _Run(program, embedding, refine, bounds.timeout)
    label = f"{program}, {embedding}, {refine}"
    return run_isolated(run, label, bounds, phase, lambda why: Measurement(program, embedding, refine, failure=why))


@dataclass(frozen=True)
class _Run:
    program: str
    embedding: str
    refine: str
    timeout: float | None

    def __call__(self, send: Send) -> Measurement:
        program = program_of("arnold", self.program)
        options = {"join": JOIN, "embedding": self.embedding, "focus": self.refine}
        engine, goal = load_engine("tvl", options), Goal()
        deadline = None if self.timeout is None else time.monotonic() + 0.9 * self.timeout
        start, limits = time.thread_time(), Limits(deadline=deadline, states=STATES)
        with SamplingProfiler(REFINEMENT) as sampled:
            result = run_engine(engine, program, goal, limits, NullProgress())
        seconds = time.thread_time() - start
        again: float | None = None
        if result.complete:
            start = time.thread_time()
            run_engine(engine, program, goal, limits, NullProgress())
            again = 1000 * (time.thread_time() - start)
        reached = program.graph.postorder
        return Measurement(
            self.program,
            self.embedding,
            self.refine,
            len(reached),
            len(program.graph.loop_heads & frozenset(reached)),
            int(result.stats["structures_at_locations"]),
            int(result.stats["most_at_a_location"]),
            1000 * seconds,
            None if sampled.share is None else 1000 * seconds * sampled.share,
            1024 * sampled.growth_mb,
            {_name(outcome.check): outcome.verdict.value for outcome in result.outcomes},
            "" if result.complete else result.limit,
            again,
        )


def _name(check: Check) -> str:
    """The identity of a check without the path, which may be temporary."""
    return f"{check.span.line}:{check.span.column}:{check.kind.value}"
