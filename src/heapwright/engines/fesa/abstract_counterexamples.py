"""Abstract counterexamples: the source lines on the path to an alarm, each with the abstract heap before it.

steps = abstract_trace(analysis, alarm)
steps[-1].heap  # a heap in which the check may fail
"""

from __future__ import annotations

from dataclasses import replace

from heapwright.base.source import Span
from heapwright.engines.fesa.fixpoint import Alarm, Analysis
from heapwright.engines.fesa.graph.abstract_heap import F
from heapwright.engines.fesa.states.pictures import Pictures
from heapwright.program.commands import Free, New, Store
from heapwright.program.graph import Program
from heapwright.program.trace import TraceStep


def abstract_trace(analysis: Analysis[F], alarm: Alarm[F]) -> tuple[TraceStep, ...]:
    """One step for each line of the path over which the alarm's edge was first reached."""
    program = analysis.program
    pictures = Pictures(program, analysis.domain)
    steps: list[TraceStep] = []
    place: tuple[object, ...] = ()
    for number in analysis.path(alarm.edge):
        edge = program.graph.edges[number]
        location = program.graph.locations[edge.source]
        here = (edge.span.file, edge.span.line, location.function, location.calls)
        changes = isinstance(edge.command, New | Free | Store)
        if not edge.span.line and number != alarm.edge:
            continue
        if here != place:
            heap = pictures.graph(analysis.heaps[edge.source])
            text = _line(program, edge.span)
            steps.append(TraceStep(edge.span, location.function, text, heap=heap, important=changes))
            place = here
        elif changes:
            steps[-1] = replace(steps[-1], important=True)
    failing = analysis.transfer.lattice.trimmed(alarm.heap)
    return (*steps[:-1], replace(steps[-1], heap=pictures.graph(failing), important=True))


def _line(program: Program, span: Span) -> str:
    lines = program.sources.get(span.file, "").splitlines()
    return lines[span.line - 1].strip() if 0 < span.line <= len(lines) else ""
