"""Audits: engines held against real runs. Each heap of a run must be in the state that an engine claims there.

Small executions are all tried, up to isomorphism of heaps and up to a number of states; then random ones are. A heap
that is missing is told with the step that led to it, whose transformer has lost it.

    found = audit(program, goal, {"tvl": result}, runs=1000, states=5000)
    found.missing          # () where every heap was there
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from heapwright.program.checks import Goal
from heapwright.program.commands import Command
from heapwright.program.dataflow.dead_ends import is_dead_end
from heapwright.program.graph import Edge, Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.sample_runs import SMALL, Step, random_run, small_steps
from heapwright.program.runs.snapshot import snapshot
from heapwright.program.semantics.state import State
from heapwright.result.outcomes import States


@dataclass(frozen=True)
class MissingHeap:
    """A heap that may be there, and is not in the state of an engine. `edge` leads to it from `before`."""

    engine: str
    before: State | None
    edge: Edge[Command] | None
    after: State


@dataclass
class AuditResult:
    """How many heaps were asked about, by engine how many of them were found, and left open; and what was lost."""

    heaps: int
    found: dict[str, int]
    open: dict[str, int]
    missing: tuple[MissingHeap, ...] = ()


def audit(
    program: Program,
    goal: Goal,
    states: Mapping[str, States],
    *,
    runs: int,
    states_tried: int,
    steps: int = 300,
    stop: Callable[[int], bool] = lambda heaps: False,
) -> AuditResult:
    """Asks each engine about each heap. An engine that has lost a heap is asked no more; `stop` is told how many heaps
    there were, and may end it. Where a run
    is sure to end without a check, it is not looked at any more: engines may leave that out."""
    told = AuditResult(0, dict.fromkeys(states, 0), dict.fromkeys(states, 0))
    left = dict(states)
    for before, after in _steps(program, goal, runs, states_tried, steps):
        if not left or stop(told.heaps):
            break
        told.heaps += 1
        heap = snapshot(program, after)
        for engine, known in list(left.items()):
            answer = known.contains(after.location, heap)
            if answer is None:
                told.open[engine] += 1
            elif answer:
                told.found[engine] += 1
            else:
                del left[engine]
                told.missing = (*told.missing, _missing_heap(program, engine, before, after))
    return told


def _missing_heap(program: Program, engine: str, before: State | None, after: State) -> MissingHeap:
    edges = program.graph.successors[before.location] if before is not None else ()
    return MissingHeap(engine, before, next((e for e in edges if e.target == after.location), None), after.copy())


def _steps(program: Program, goal: Goal, runs: int, states_tried: int, steps: int) -> Iterator[Step]:
    for before, after, fault in small_steps(Machine(program, goal, SMALL), states_tried) if states_tried else ():
        if fault is None:
            yield before, after
    machine = Machine(program, goal)
    for seed in range(runs):
        for before, after in random_run(machine, seed, steps):
            if is_dead_end(program, after.location):
                break
            yield before, after
