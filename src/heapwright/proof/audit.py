"""Audits: test that the concrete heap at every step of a run is in the concretisation of the engine's state.

All small executions are tried, up to isomorphism of heaps and a maximum number of states, then random ones. A missing
heap is reported with the step that led to it, whose transformer is unsound.

    found = audit(program, goal, {"tvl": result}, runs=1000, states=5000)
    found.missing          # () where every heap was there
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from heapwright.program.checks import Goal
from heapwright.program.commands import Command
from heapwright.program.dataflow.dead_ends import is_dead_end
from heapwright.program.graph import Edge, Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.sample_runs import SMALL, Step, random_run, small_steps
from heapwright.program.runs.snapshot import snapshot
from heapwright.program.semantics.state import State
from heapwright.result.outcomes import States, contained


@dataclass(frozen=True)
class MissingHeap:
    """A reachable heap that is not in the engine's state. `edge` leads to it from `before`."""

    engine: str
    before: State | None
    edge: Edge[Command] | None
    after: State


@dataclass
class AuditResult:
    """The number of heaps, how many of them each engine contains or leaves undecided, and those that are missing."""

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
    """Queries membership of each heap in the states of each engine, up to the first missing heap of an engine. `stop`
    gets the number of heaps so far and may end the audit. A run is not followed past a dead end, since engines may omit
    locations from which no check is reachable."""
    result = AuditResult(0, dict.fromkeys(states, 0), dict.fromkeys(states, 0))
    left = dict(states)
    for before, after in _steps(program, goal, runs, states_tried, steps):
        if not left or stop(result.heaps):
            break
        result.heaps += 1
        heap = replace(snapshot(program, after), lost=after.lost)
        for engine, invariant in list(left.items()):
            answer = contained(invariant, after.location, heap)
            if answer is None:
                result.open[engine] += 1
            elif answer:
                result.found[engine] += 1
            else:
                del left[engine]
                result.missing = (*result.missing, _missing_heap(program, engine, before, after))
    return result


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
