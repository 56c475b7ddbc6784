"""Abstract counterexamples: the source lines on the path to an alarm, each with the abstract state before it.

steps = abstract_trace(program, edges, states, picture, failing)
steps[-1].heap  # a heap in which the check may fail
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from heapwright.base.source import Span
from heapwright.program.commands import Command, Free, New, Store
from heapwright.program.graph import Edge, Program
from heapwright.program.heap_picture import HeapPicture
from heapwright.program.trace import TraceStep

S = TypeVar("S")
BEGINNING = -1  # instead of an edge's number: initialisation, before the first command


def abstract_trace(
    program: Program,
    edges: Sequence[int],
    states: Sequence[S],
    picture: Callable[[int, S], HeapPicture | None],
    failing: HeapPicture | None,
) -> tuple[TraceStep, ...]:
    """One step for each line of the path, which is given by the numbers of its edges and the state before each. The
    picture of a step is that of its state; `failing` is that of the last."""
    steps: list[TraceStep] = []
    previous: tuple[object, ...] = ()
    for edge, state in _with_lines(program, edges, states):
        location = program.graph.locations[edge.source]
        here = (edge.span.file, edge.span.line, location.function, location.calls)
        changes = isinstance(edge.command, New | Free | Store)
        if here != previous:
            heap = picture(edge.source, state)
            text = _line(program, edge.span)
            steps.append(TraceStep(edge.span, location.function, text, heap=heap, important=changes))
            previous = here
        elif changes:
            steps[-1] = replace(steps[-1], important=True)
    return (*steps[:-1], replace(steps[-1], heap=failing, important=True))


def _with_lines(program: Program, edges: Sequence[int], states: Sequence[S]) -> Iterator[tuple[Edge[Command], S]]:
    """The edges, each once, with the state before it; edges without a source line are left out, except the last."""
    before = BEGINNING
    for index, (number, state) in enumerate(zip(edges, states, strict=True)):
        if number != BEGINNING:
            edge = program.graph.edges[number]
            if number != before and (edge.span.line or index == len(edges) - 1):
                yield edge, state
            before = number


def _line(program: Program, span: Span) -> str:
    lines = program.sources.get(span.file, "").splitlines()
    return lines[span.line - 1].strip() if 0 < span.line <= len(lines) else ""
