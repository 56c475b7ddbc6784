"""The engine `fesa` on C programs: proves that pointers are valid where they are dereferenced and freed, that nothing
leaks, and shapes.

It needs no predicates. That nothing leaks is proved along fields that form no cycle. An alarm comes with the path over
which its location was first reached, so that a search can replay it.

The first analysis is the cheapest one. Where it raises alarms, the next on the ladder keeps more nodes apart, and so
on; a check is proved if any of them proves it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from heapwright.base.errors import UsageError
from heapwright.engines.api import Limits, Progress
from heapwright.engines.fesa.declaration import FesaDeclaration
from heapwright.engines.fesa.fixpoint import Alarm, Analysis, FesaStates
from heapwright.engines.fesa.graph.abstract_heap import Instrumentation, home
from heapwright.engines.fesa.ladder import climbed
from heapwright.engines.fesa.numeric.api import Numeric
from heapwright.engines.fesa.states.pictures import Pictures
from heapwright.engines.fesa.unsupported import unsupported
from heapwright.engines.kit.abstract_trace import abstract_trace
from heapwright.engines.kit.conjunction import Conjunction
from heapwright.engines.kit.outcomes import INCOMPLETE, not_supported, proved_unless, unreached
from heapwright.engines.kit.statistics import statistics
from heapwright.program.checks import Check, CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.program.heap_picture import HeapPicture
from heapwright.program.runs.snapshot import Snapshot
from heapwright.program.trace import TraceStep
from heapwright.result.explanation import Picture
from heapwright.result.outcomes import NO_RUNS, Outcome, Result, Section, Verdict, section_of

NAME = FesaDeclaration.name
CONFUSED = "a pointer may have an unknown offset in its block, or an object may be accessed as another type"


def _bdd() -> Numeric[Any]:
    from heapwright.engines.fesa.numeric.bdd import Diagrams

    return Diagrams(home)


def _sat() -> Numeric[Any]:
    try:
        from heapwright.engines.fesa.numeric.sat import Sat
    except ImportError:
        raise UsageError("--numeric sat needs the package python-sat", hint="pip install 'heapwright[sat]'") from None
    return Sat()


def _pairs() -> Numeric[Any]:
    from heapwright.engines.fesa.numeric.pairs import Pairs

    return Pairs()


NumericKind = Literal["bdd", "sat", "pairs"]
NUMERIC: Mapping[NumericKind, Callable[[], Numeric[Any]]] = {"bdd": _bdd, "sat": _sat, "pairs": _pairs}


class Fesa(FesaDeclaration):
    """The engine. `numeric` names the Boolean domain, `instrumentation` says whether edges are counted."""

    def __init__(self, numeric: NumericKind = "bdd", instrumentation: bool = True) -> None:
        self.numeric = numeric
        self.instrumentation = Instrumentation(instrumentation, instrumentation)

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        start = time.monotonic()
        asked = [check for check in program.checks if goal.includes(check)]
        reason = unsupported(program)
        if reason:
            return not_supported(Fesa, asked, reason)
        open_ = [check for check in asked if goal.selects(check) and check.kind is not CheckKind.BOUNDS]
        steps = climbed(program, NUMERIC[self.numeric](), self.instrumentation, open_, limits, progress)
        told = next((step for step in reversed(steps) if not step.rule.apart), steps[-1])
        inconclusive = _inconclusive(told)
        outcomes = tuple(_outcomes(asked, told, inconclusive))
        for other in steps:
            outcomes = tuple(map(_better, outcomes, _outcomes(asked, other, _inconclusive(other))))
        states = [FesaStates(step) for step in steps if not _inconclusive(step)]
        drawn = _invariants(told) if goal.pictures else {}
        return Result(
            NAME,
            outcomes,
            dropped=NO_RUNS,
            assumptions=program.assumptions,
            stats=_stats(told, start),
            complete=told.complete,
            limit=inconclusive,
            invariants=drawn,
            predecessors=_predecessors(told, drawn),
            states=_Graphs(tuple(states)) if goal.audit and states else None,
            sections=_sections(outcomes, states) if goal.certificate else (),
            unreached=_unreached(program, steps),
        )


class _Graphs(Conjunction[FesaStates[Any]]):
    """The heaps of all analyses; the first picture of a location, its graph, shows them all."""

    def picture_of(self, location: int, heap: Snapshot) -> int | None:
        return 0 if self.contains(location, heap) else None


def _sections(outcomes: Sequence[Outcome], states: Sequence[FesaStates[Any]]) -> tuple[Section, ...]:
    from heapwright.engines.fesa.certificate import serialize  # for certificates alone

    return section_of(NAME, outcomes, (serialize(one.analysis) for one in states))


def _unreached(program: Program, steps: Sequence[Analysis[Any]]) -> frozenset[int]:
    """The locations that some analysis shows to be out of reach."""
    none: frozenset[int] = frozenset()
    return none.union(*(unreached(program, step.heaps, _inconclusive(step)) for step in steps))


def _better(one: Outcome, other: Outcome) -> Outcome:
    """The proofs of both analyses: each holds by itself."""
    return other if other.verdict is Verdict.PROVED else one


def _invariants(analysis: Analysis[Any]) -> dict[int, tuple[HeapPicture, ...]]:
    pictures = Pictures(analysis.program, analysis.domain, analysis.transfer.words)
    return {location: pictures.all(heap) for location, heap in sorted(analysis.heaps.items())}


def _predecessors(
    analysis: Analysis[Any], drawn: Mapping[int, tuple[HeapPicture, ...]]
) -> dict[int, tuple[tuple[Picture, ...], ...]]:
    """The graph at a location, its first picture, comes from those before it; roles come from nowhere."""
    before = analysis.predecessors
    return {
        location: (tuple(Picture(source, 0) for source in before[location]), *((),) * (len(pictures) - 1))
        for location, pictures in drawn.items()
    }


def _stats(analysis: Analysis[Any], start: float) -> dict[str, float | int | str]:
    flags, size = analysis.domain.sizes.average
    heads = sorted(analysis.program.graph.loop_heads & set(analysis.visits))
    return statistics(
        analysis.program,
        start,
        sum(analysis.visits.values()),
        quantifications=analysis.domain.sizes.number,
        average_flags=round(flags, 1),
        average_size=round(size, 1),
        loop_iterations="/".join(str(analysis.visits[head]) for head in heads),
    )


def _inconclusive(analysis: Analysis[Any]) -> str:
    """The reason why the analysis proves nothing at all, "" if it does."""
    if not analysis.complete:
        return analysis.limit or INCOMPLETE
    if analysis.confused:
        return CONFUSED
    return ""


def _outcomes(checks: Sequence[Check], analysis: Analysis[Any], inconclusive: str) -> Iterator[Outcome]:
    alarms = analysis.alarms()
    return (_outcome(check, analysis, alarms, inconclusive) for check in checks)


def _outcome(check: Check, analysis: Analysis[Any], alarms: Mapping[str, Alarm[Any]], inconclusive: str) -> Outcome:
    alarm = alarms.get(check.id)
    if alarm is None:
        return proved_unless(Fesa, check, inconclusive or analysis.unproved(check))
    reason = inconclusive or "the check may fail in an abstract heap at this location"
    path, trace = analysis.path(alarm.edge), _trace(analysis, alarm)
    return Outcome(check, Verdict.UNKNOWN, NAME, reason=reason, path=path, trace=trace)


def _trace(analysis: Analysis[Any], alarm: Alarm[Any]) -> tuple[TraceStep, ...]:
    """The path over which the alarm's edge was first reached."""
    program, edges = analysis.program, analysis.path(alarm.edge)
    graph = Pictures(program, analysis.domain).graph
    states = [analysis.heaps[program.graph.edges[number].source] for number in edges]
    failing = graph(analysis.transfer.lattice.trimmed(alarm.heap))
    return abstract_trace(program, edges, states, lambda location, heap: graph(heap), failing)
