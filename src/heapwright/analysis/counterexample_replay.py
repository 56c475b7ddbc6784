"""Alarm confirmation: concrete search restricted to the abstract counterexample of each alarm.

The program is restricted to the edges of the counterexample, or to these and the loops that they pass. Its runs are
runs of the whole program, but far fewer, so that the search goes much deeper. A violation counts once it is replayed in
the whole program.

    confirm_alarms(program, Goal(), result.outcomes, Limits(), NullProgress())
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from heapwright.analysis.judgement import run_engine
from heapwright.base.errors import InputError
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, NullProgress, Progress
from heapwright.program.checks import Goal
from heapwright.program.commands import Command
from heapwright.program.graph import Graph, Program
from heapwright.program.runs.interpreter import replay
from heapwright.result.outcomes import Outcome, Verdict

SHARE = 0.3  # of the remaining time
SECONDS = 20.0  # maximum for all alarms together
SEARCH = "explore"
REFUTED = "its abstract counterexample is spurious: no concrete run along it violates the check"


def along(program: Program, path: Sequence[int]) -> Program:
    """The program restricted to the edges of a path."""
    return _with_edges(program, frozenset(path))


def around(program: Program, path: Sequence[int]) -> Program:
    """The program restricted to the edges of a path and of every loop that it passes: an abstract run may leave a loop
    after fewer iterations than any concrete run."""
    graph = program.graph
    passed = {graph.edges[number].source for number in path}
    heads = {location for location in passed if location in graph.loop_heads}
    inside = frozenset().union(*(_loop(graph, head) for head in heads))
    return _with_edges(program, frozenset(path) | inside)


def _with_edges(program: Program, kept: frozenset[int]) -> Program:
    graph = program.graph
    edges = tuple(edge for number, edge in enumerate(graph.edges) if number in kept)
    return replace(program, graph=Graph(graph.locations, edges, graph.entry))


def _loop(graph: Graph[Command], head: int) -> frozenset[int]:
    """The edges on cycles through a location."""
    after = _reached(head, {location: [e.target for e in edges] for location, edges in enumerate(graph.successors)})
    before = _reached(head, {location: [e.source for e in edges] for location, edges in enumerate(graph.predecessors)})
    inside = after & before
    return frozenset(n for n, edge in enumerate(graph.edges) if edge.source in inside and edge.target in inside)


def _reached(start: int, steps: Mapping[int, Sequence[int]]) -> set[int]:
    seen, waiting = {start}, [start]
    while waiting:
        for target in steps[waiting.pop()]:
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen


def confirm_alarms(
    program: Program, goal: Goal, outcomes: Sequence[Outcome], limits: Limits, progress: Progress
) -> tuple[Outcome, ...]:
    """The outcomes, with alarms replaced by violations where the search finds one; a spurious counterexample is
    noted."""
    alarms = [outcome for outcome in outcomes if outcome.verdict is Verdict.UNKNOWN and outcome.path]
    if not alarms:
        return tuple(outcomes)
    now = time.monotonic()
    seconds = SECONDS if limits.deadline is None else min(SECONDS, SHARE * (limits.deadline - now))
    replayed: dict[str, Outcome] = {}
    for index, alarm in enumerate(alarms):
        progress.update(f"replaying the abstract counterexample of alarm {index + 1} of {len(alarms)}")
        left = now + seconds - time.monotonic()
        deadline = time.monotonic() + max(left, 0.0) / (len(alarms) - index)
        found = _replayed(program, goal, alarm, replace(limits, deadline=deadline))
        replayed[alarm.check.id] = found
        if found.verdict is Verdict.VIOLATED:
            progress.found(found)
    return tuple(replayed.get(outcome.check.id, outcome) for outcome in outcomes)


def _replayed(program: Program, goal: Goal, alarm: Outcome, limits: Limits) -> Outcome:
    assert limits.deadline is not None
    parts = [along(program, alarm.path), around(program, alarm.path)]
    refuted = False
    for index, part in enumerate(parts):
        now = time.monotonic()
        deadline = now + (limits.deadline - now) / (len(parts) - index)
        found = _searched(program, part, goal, alarm, replace(limits, deadline=deadline))
        if found is not None and found.verdict is Verdict.VIOLATED:
            return found
        refuted |= found is not None
    return replace(alarm, reason=f"{alarm.reason}; {REFUTED}") if refuted else alarm


def _searched(program: Program, part: Program, goal: Goal, alarm: Outcome, limits: Limits) -> Outcome | None:
    """The outcome of a search in a restricted program: a violation that the whole program confirms, or a proof that the
    restricted program has none; None if undecided."""
    own = replace(goal, only=frozenset((alarm.check.id,)))
    if not any(own.selects(check) for check in part.checks):
        return None
    (found,) = run_engine(load_engine(SEARCH), part, own, limits, NullProgress()).outcomes
    if found.verdict is Verdict.PROVED:
        return found
    if found.run is None:
        return None
    try:
        run = replay(program, goal, found.run.choices, check=alarm.check.id)
    except InputError:  # the whole program has other choices along the run
        return None
    if run.violation is None or run.violation.check.id != alarm.check.id or not run.exact:
        return None
    return Outcome(alarm.check, Verdict.VIOLATED, SEARCH, run)
