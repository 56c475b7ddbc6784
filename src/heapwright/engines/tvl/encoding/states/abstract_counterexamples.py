"""Abstract runs for people: the source lines that lead to an alarm, each with the structure that comes to it.

steps = abstract_trace(pictures, origins, report)
steps[-1].heap  # what may break the check
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heapwright.base.source import Span
from heapwright.engines.tvl.encoding.states.program_pictures import ProgramPictures
from heapwright.engines.tvl.fixpoint import Report
from heapwright.engines.tvl.structures.structure import Structure
from heapwright.program.commands import Command, Free, New, Store
from heapwright.program.graph import Edge, Program
from heapwright.program.trace import TraceStep

BEGINNING = -1  # instead of an edge's number: what happens before the first command


def abstract_trace(pictures: ProgramPictures, origins: Sequence[int], report: Report) -> tuple[TraceStep, ...]:
    """One step for each line that the run passes. The picture of a step is what comes to its line, that of the last one
    what raises the alarm. `origins` says from which edge of the program each edge of the graph of actions comes."""
    program = pictures.heap.program
    numbers = (*report.node.edges(), report.edge)
    structures = [node.state for node in report.node.path()]
    steps: list[TraceStep] = []
    place: tuple[str, int, str, tuple[Span, ...]] | None = None
    for edge, structure in _edges(program, [origins[number] for number in numbers], structures):
        location = program.graph.locations[edge.source]
        here = (edge.span.file, edge.span.line, location.function, location.calls)
        changes = isinstance(edge.command, New | Free | Store)
        if here != place:
            text = _line(program, edge.span)
            heap = pictures.at(edge.source, structure)
            steps.append(TraceStep(edge.span, location.function, text, heap=heap, important=changes))
            place = here
        elif changes and not steps[-1].important:
            last = steps[-1]
            steps[-1] = TraceStep(last.span, last.function, last.text, heap=last.heap, important=True)
    last = steps.pop()
    heap = pictures.at(program.graph.edges[origins[report.edge]].source, report.structure)
    return (*steps, TraceStep(last.span, last.function, last.text, heap=heap, important=True))


def _edges(
    program: Program, numbers: Sequence[int], structures: Sequence[Structure]
) -> Iterator[tuple[Edge[Command], Structure]]:
    """The edges of a run, with the structure that comes to each; those of no line of the user's are left out, but for
    the last."""
    before = -1
    for place, (number, structure) in enumerate(zip(numbers, structures, strict=True)):
        if number == BEGINNING:
            continue
        edge = program.graph.edges[number]
        if number != before and (edge.span.line or place == len(numbers) - 1):
            yield edge, structure
        before = number


def _line(program: Program, span: Span) -> str:
    lines = program.sources.get(span.file, "").splitlines()
    return lines[span.line - 1].strip() if 0 < span.line <= len(lines) else ""
