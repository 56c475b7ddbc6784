"""Alarms of an abstraction, confirmed or refuted: the concrete search, steered along the abstract run to each.

An abstract run names the edges that lead to an alarm. The program with these edges only, or with these and the loops
that they pass, has far fewer runs, all of them runs of the whole program, and loops may still go round as often as they
like; the search goes through them much deeper than it could go otherwise. A violation that it finds counts once the
whole program shows it, too.

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

SHARE = 0.3  # of the time that is left
SECONDS = 20.0  # at most, for all alarms together
SEARCH = "explore"
REFUTED = "no run along the abstract one to it breaks it: the abstraction is too coarse there"


def along(program: Program, path: Sequence[int]) -> Program:
    """The program with the edges of a path only."""
    return _with_edges(program, frozenset(path))


def around(program: Program, path: Sequence[int]) -> Program:
    """The program with the edges of a path and of every loop that it passes: an abstraction may leave a loop earlier
    than any run does."""
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
    after = _reached(head, {place: [e.target for e in edges] for place, edges in enumerate(graph.successors)})
    before = _reached(head, {place: [e.source for e in edges] for place, edges in enumerate(graph.predecessors)})
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
    """The outcomes, those of alarms replaced where the search could tell more."""
    alarms = [outcome for outcome in outcomes if outcome.verdict is Verdict.UNKNOWN and outcome.path]
    if not alarms:
        return tuple(outcomes)
    now = time.monotonic()
    seconds = SECONDS if limits.deadline is None else min(SECONDS, SHARE * (limits.deadline - now))
    settled: dict[str, Outcome] = {}
    for place, alarm in enumerate(alarms):
        progress.update(f"steering along the abstract run to alarm {place + 1} of {len(alarms)}")
        left = now + seconds - time.monotonic()
        deadline = time.monotonic() + max(left, 0.0) / (len(alarms) - place)
        found = _followed(program, goal, alarm, replace(limits, deadline=deadline))
        settled[alarm.check.id] = found
        if found.verdict is Verdict.VIOLATED:
            progress.found(found)
    return tuple(settled.get(outcome.check.id, outcome) for outcome in outcomes)


def _followed(program: Program, goal: Goal, alarm: Outcome, limits: Limits) -> Outcome:
    assert limits.deadline is not None
    parts = [along(program, alarm.path), around(program, alarm.path)]
    refuted = False
    for place, part in enumerate(parts):
        now = time.monotonic()
        deadline = now + (limits.deadline - now) / (len(parts) - place)
        found = _searched(program, part, goal, alarm, replace(limits, deadline=deadline))
        if found is not None and found.verdict is Verdict.VIOLATED:
            return found
        refuted |= found is not None
    return replace(alarm, reason=f"{alarm.reason}; {REFUTED}") if refuted else alarm


def _searched(program: Program, part: Program, goal: Goal, alarm: Outcome, limits: Limits) -> Outcome | None:
    """What a search through a part of the program finds: a violation that the whole program shows, too, or that there
    is none in that part; None if it cannot tell."""
    own = replace(goal, only=frozenset((alarm.check.id,)))
    if not any(own.selects(check) for check in part.checks):
        return None
    (found,) = run_engine(load_engine(SEARCH), part, own, limits, NullProgress()).outcomes
    if found.verdict is Verdict.PROVED:
        return found
    if found.run is None:
        return None
    try:
        run = replay(program, goal, found.run.choices)
    except InputError:  # the whole program asks other questions on the way
        return None
    if run.violation is None or run.violation.check.id != alarm.check.id or not run.exact:
        return None
    return Outcome(alarm.check, Verdict.VIOLATED, SEARCH, run)
