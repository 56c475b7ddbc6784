"""Slicing of runs: the events that explain the end of a run (backward slice), and the steps of a long run to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from heapwright.program.trace import TraceStep

MOST_STEPS = 3_000  # of one run; relevant and latest ones are kept


@dataclass(slots=True)
class Event:
    """A step before slicing. One with `text` "" is not shown."""

    step: TraceStep
    reads: frozenset[str] = frozenset()
    writes: str = ""
    blocks: frozenset[int] = frozenset()  # the blocks that it touched or moved pointers to
    always: bool = False  # always relevant
    model: bool = False  # a step of a library model


def backward_slice(events: Sequence[Event], failed: bool) -> frozenset[int]:
    """The events on which the last one depends; if it failed, also those that touch its blocks."""
    if not events:
        return frozenset()
    last = events[-1]
    wanted = set(last.reads)
    relevant = {len(events) - 1}
    for index in range(len(events) - 2, -1, -1):
        event = events[index]
        matters = event.always
        if event.writes and event.writes in wanted:
            matters = True
            wanted.discard(event.writes)
            wanted |= event.reads
        if failed and not event.blocks.isdisjoint(last.blocks):
            matters = True
        if matters and event.step.text:
            relevant.add(index)
    return frozenset(relevant)


def shown_steps(events: Sequence[Event], relevant: frozenset[int], omitted: int) -> tuple[TraceStep, ...]:
    """The steps of events that have a text, repeated ones as one; the first says how many steps before it were
    `omitted`."""
    shown: list[TraceStep] = []
    for index, event in enumerate(events):
        if not event.step.text:
            continue
        step = replace(event.step, important=index in relevant)
        same = shown and (shown[-1].span, shown[-1].text) == (step.span, step.text)
        if same and (not step.important or event.model):
            important = step.important or shown[-1].important
            shown[-1] = replace(shown[-1], heap=step.heap or shown[-1].heap, important=important)
            continue
        shown.append(step)
    if len(shown) > MOST_STEPS:
        rest = len(shown) - MOST_STEPS
        shown = [step for index, step in enumerate(shown) if index >= rest or step.important][-MOST_STEPS:]
    if omitted and shown:
        text = f"{omitted} steps of the run come before this one and are left out"
        shown.insert(0, TraceStep(shown[0].span, shown[0].function, text, important=True))
    return tuple(shown)
