"""Outcomes that every engine has: of checks without an alarm, and of programs that it does not support.

    not_supported(Fesa, checks, "unions are not supported")
    proved_unless(Fesa, check, "" if complete else INCOMPLETE)

Alarms, unknown outcomes with a path and a trace, are made by each engine.
"""

from __future__ import annotations

from collections.abc import Iterable

from heapwright.engines.api import Declaration
from heapwright.program.checks import Check
from heapwright.program.commands import AnyPointer, External
from heapwright.program.graph import Program
from heapwright.result.outcomes import NO_RUNS, Outcome, Result, Verdict

INCOMPLETE = "no fixpoint was reached within the limits"


def proved_unless(engine: type[Declaration], check: Check, inconclusive: str) -> Outcome:
    """The outcome of a check without an alarm: proved, or unknown if the analysis is inconclusive for a reason."""
    if not inconclusive and check.kind not in engine.proves:
        inconclusive = f"the engine does not prove checks of the kind {check.kind.value}"
    return Outcome(check, Verdict.UNKNOWN if inconclusive else Verdict.PROVED, engine.name, reason=inconclusive)


def unreached(program: Program, reached: Iterable[int], inconclusive: str) -> frozenset[int]:
    """The locations that no run reaches: those without a state, unless the analysis is inconclusive."""
    return frozenset() if inconclusive else frozenset(range(len(program.graph.locations))).difference(reached)


def not_supported(engine: type[Declaration], checks: Iterable[Check], reason: str) -> Result:
    """The result for a program that an engine does not support: all its checks are unknown."""
    outcomes = tuple(Outcome(check, Verdict.UNKNOWN, engine.name, reason=reason) for check in checks)
    return Result(engine.name, outcomes, dropped=NO_RUNS, complete=False, limit=reason)


def escapes(program: Program) -> str:
    """Why an engine does not support a program: memory escapes to functions without a body, or inputs overlap. "" if
    neither does."""
    if program.entry.overlapping:
        return "inputs that point to globals or into one another are not supported"
    calls = ((edge.span, edge.command) for edge in program.graph.edges if isinstance(edge.command, External))
    return next(
        (
            f"{span}: '{call.function}' has no body, and memory that it may write is not supported"
            for span, call in calls
        ),
        "",
    )


def takes_environment_memory(program: Program) -> str:
    """Why an engine does not support a program that gets pointers from functions without a body, "" if it does not."""
    edges = (edge for edge in program.graph.edges if isinstance(edge.command, AnyPointer) and edge.command.environment)
    return next((f"{edge.span}: memory that an external function returns is not supported" for edge in edges), "")
