"""The engine `tvl` on C programs: proves checks that no abstract run breaks.

An alarm that the abstraction cannot exclude is `unknown`; finding out whether it is real is for `explore`.
"""

from __future__ import annotations

import resource
import time
from dataclasses import replace

from heapwright.engines.api import Limits, Progress
from heapwright.engines.tvl.analysis import Options, TvlOutcome, run
from heapwright.engines.tvl.programs.commands import CONFUSED, Compiler, unsupported
from heapwright.engines.tvl.programs.vocabulary import HeapVocabulary
from heapwright.logic.actions import Action, NamedStructure
from heapwright.logic.formulas import Or
from heapwright.program.checks import Check, CheckKind, Goal
from heapwright.program.graph import Edge, Graph, Location, Program
from heapwright.result import Outcome, Result, Verdict

NAME = "tvl"
OPTIONS = Options(join="part", differencing=False)  # every action says what it does to every predicate


class Tvl:
    """The engine."""

    name = NAME
    proves = frozenset(CheckKind)

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        start = time.monotonic()
        heap = HeapVocabulary(program)
        selected = [check for check in program.checks if goal.selects(check)]
        reason = "any heap may be passed" if program.entry.any_heap else unsupported(heap)
        if reason:
            return Result(
                NAME, tuple(Outcome(c, Verdict.UNKNOWN, NAME, reason=reason) for c in selected), complete=False
            )
        graph = compiled(heap, goal)
        outcome = run(heap.vocabulary, heap.constraints, graph, [NamedStructure(())], OPTIONS, progress, limits)
        stats = {
            "time_s": round(time.monotonic() - start, 3),
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "locations": len(program.graph.locations),
            "iterations": outcome.iterations,
            "structures_in_graph": outcome.structures_in_graph,
            "structures_total": outcome.structures_total,
        }
        doubt = _doubt(program, goal, outcome)
        outcomes = tuple(_outcome(check, outcome, doubt) for check in selected)
        return Result(NAME, outcomes, program.assumptions, stats, complete=outcome.complete, limit=doubt)


def compiled(heap: HeapVocabulary, goal: Goal) -> Graph[Action]:
    """The control flow with actions; locations of the program keep their numbers. A message is raised only where its
    action goes on, so what may fail stands on an edge of its own, to a location from which nothing leads on."""
    compiler = Compiler(heap, goal)
    locations = list(heap.program.graph.locations)
    failed = len(locations)
    locations.append(Location(failed, locations[0].span, "", ()))
    edges: list[Edge[Action]] = []
    for edge in heap.program.graph.edges:
        for chain in compiler.actions(edge):
            source = edge.source
            for place, action in enumerate(chain):
                last = place == len(chain) - 1
                if not last:
                    here = heap.program.graph.locations[edge.source]
                    locations.append(Location(len(locations), edge.span, here.function, here.calls))
                target = edge.target if last else len(locations) - 1
                if action.messages:
                    faults = Or(tuple(message.formula for message in action.messages))
                    check = Action(f"{action.title}: check", action.focus, faults, action.messages)
                    edges.append(Edge(source, check, failed, (), edge.span))
                edges.append(Edge(source, replace(action, messages=()), target, (), edge.span))
                source = target
    return Graph(tuple(locations), tuple(edges), heap.program.graph.entry)


def _doubt(program: Program, goal: Goal, outcome: TvlOutcome) -> str:
    """Why nothing at all is proved, "" if that is not so."""
    if outcome.breach is not None:
        return "the analysis contradicted itself"
    if not outcome.complete:
        return "the analysis did not come to an end"
    raised = {report.text for report in outcome.messages}
    if CONFUSED in raised:
        return CONFUSED
    for check in program.checks:
        ends_run = check.kind not in (CheckKind.LEAK, CheckKind.ASSERT, CheckKind.SHAPE)
        if ends_run and check.id in raised and not goal.selects(check):
            return f"{check.kind.value} may happen at {check.span} and is not among the checks"
    return ""


def _outcome(check: Check, outcome: TvlOutcome, doubt: str) -> Outcome:
    reports = [report for report in outcome.messages if report.text == check.id]
    if doubt:
        return Outcome(check, Verdict.UNKNOWN, NAME, reason=doubt)
    if not reports:
        return Outcome(check, Verdict.PROVED, NAME)
    sure = any(report.definite for report in reports)
    reason = "every heap that the abstraction describes breaks it" if sure else "a heap that it describes may break it"
    return Outcome(check, Verdict.UNKNOWN, NAME, reason=reason)
