"""Public interface of the engine `boolheap`: Boolean heap programs, computed from a program or parsed from text.

    made = boolean_heap_program(program, Options(leaks=True), limits, progress)
    run_text(made.text, limits).failing == made.failing          # without the program and without a prover

`BoolHeap` is the engine, with options that `check` does not have; `ghosts` parses marks and claims of a user.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from heapwright.engines.api import Limits, NullProgress, Progress
from heapwright.engines.boolheap.predicates.ghost_predicates import NO_GHOSTS, Ghosts, ghosts
from heapwright.engines.kit.deferred_names import deferred

if TYPE_CHECKING:
    from heapwright.engines.boolheap.engine import BoolHeap
    from heapwright.engines.boolheap.fixpoint import Analysis
    from heapwright.program.graph import Program
else:
    __getattr__ = deferred(__name__, {"engine": ("BoolHeap",)})


@dataclass(frozen=True)
class Options:
    """Options of `BoolHeap`; `leaks` includes leak checks."""

    predicates: tuple[str, ...] = ()
    ghosts: Ghosts = NO_GHOSTS
    refinements: int = 0
    splitting: Literal["all", "guided"] = "all"
    jobs: int = 0
    post: Literal["state", "cartesian"] = "state"
    leaks: bool = False


@dataclass(frozen=True)
class RunResult:
    """The Boolean heap program as text, the checks that may fail, and the reason if the analysis failed."""

    text: str
    failing: tuple[str, ...]
    heaps: int
    reason: str = ""
    phases: str = ""


def boolean_heap_program(program: Program, options: Options, limits: Limits, progress: Progress) -> RunResult:
    """The Boolean heap program of a C program, with all rules that the analysis used."""
    from heapwright.engines.boolheap.engine import INPUTS_LOST, BoolHeap, new_prover
    from heapwright.engines.boolheap.logic.command_translation import has_inputs
    from heapwright.engines.boolheap.typing.followed_program import FollowedProgram, unsupported
    from heapwright.program.checks import CheckKind, Goal

    followed = FollowedProgram(program)
    reason = (
        unsupported(followed) or followed.first_stop or (INPUTS_LOST if options.leaks and has_inputs(program) else "")
    )
    if reason:
        return RunResult("", (), 0, reason)
    engine = BoolHeap(
        options.predicates, options.refinements, options.splitting, options.ghosts, options.jobs, options.post
    )
    kinds = engine.proves if options.leaks else engine.proves - {CheckKind.LEAK}
    prover, begin = new_prover(), time.process_time()
    refinement_loop = engine.refinement_loop(followed, Goal(kinds=kinds), limits, progress, prover)
    seconds, before = time.process_time() - begin, refinement_loop.abstraction
    phases = (
        f"abstraction: {before.calls} calls of the prover, {before.seconds:.1f} s; "
        f"fixpoint: {prover.statistics.queries - before.calls} calls, {seconds - before.seconds:.1f} s"
    )
    return replace(_run_result(refinement_loop.best, refinement_loop.limit), phases=phases)


def run_text(text: str, limits: Limits) -> RunResult:
    from heapwright.engines.boolheap.fixpoint import Analysis, run
    from heapwright.engines.boolheap.program_text import deserialize

    program, rules = deserialize(text)
    return _run_result(*run(Analysis(program, rules, limits, NullProgress())))


def _run_result(analysis: Analysis, limit: str) -> RunResult:
    from heapwright.engines.boolheap.program_text import serialize
    from heapwright.engines.kit.outcomes import INCOMPLETE

    if not analysis.complete:
        return RunResult("", (), 0, limit or INCOMPLETE)
    failing = tuple(sorted(analysis.alarms))
    return RunResult(serialize(analysis.program, analysis.deductions), failing, sum(map(len, analysis.at.values())))
