"""`heapwright audit FILE.c`: hold what engines claim at each location against thousands of real executions.

| exit code | meaning |
|---|---|
| 0 | every heap was in the state that each engine claims |
| 1 | an engine has lost a heap: it is shown with the command that lost it |
| 2 | bad usage or bad input |
| 3 | an engine had no states to ask, or the time was over before all runs were made |
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.limits.process import Send
from heapwright.analysis.pipeline import Input, build, engine_options
from heapwright.base.errors import UsageError
from heapwright.cli.heap_lines import described
from heapwright.cli.options import add_config, add_files, add_group, add_setting, input_of, resolve
from heapwright.cli.parser import Parser
from heapwright.cli.worker_process import AnalysisProgress, work
from heapwright.engines import ENGINES, load_engine
from heapwright.engines.api import Limits, NullProgress, OptionValue
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.program.printer import format_command
from heapwright.proof.audit import AuditResult, MissingHeap, audit
from heapwright.report.terminal.heap_text import heap_lines
from heapwright.result.outcomes import PrintableStates, Result
from heapwright.settings.properties import goal_of
from heapwright.settings.table import ENGINE_OPTIONS, GOAL, INPUT, LIMITS

DEFAULT_RUNS, DEFAULT_STATES, DEFAULT_SECONDS = 1000, 5000, 300.0
AUDITABLE = tuple(name for name in ENGINES if name != "explore")  # it is the interpreter itself
ANALYSIS = 0.7  # of the time
MOST_LINES = 40  # of a state


def add_arguments(parser: Parser) -> None:
    add_files(parser, several=True)
    names = ", ".join(AUDITABLE)
    parser.add_argument("--runs", type=int, default=DEFAULT_RUNS, metavar="N", help="random executions (default 1000)")
    parser.add_argument(
        "--small",
        type=int,
        default=DEFAULT_STATES,
        metavar="N",
        help=f"states of small executions that are all tried (default {DEFAULT_STATES})",
    )
    add_setting(parser, replace(GOAL["engine"], help=f"one engine, or 'auto' for all of: {names} (default auto)"))
    add_setting(parser, GOAL["property"])
    add_group(parser, "how engines work", ENGINE_OPTIONS)
    add_group(parser, "input", INPUT)
    add_group(parser, "limits", {name: LIMITS[name] for name in ("timeout", "memory")})
    add_config(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="tracebacks of internal errors")


def execute(arguments: argparse.Namespace) -> int:
    values = resolve(arguments)
    if arguments.runs < 0 or arguments.small < 0:
        raise UsageError("'--runs' and '--small' take numbers from 0")
    name = values.text("engine")
    if name != "auto" and name not in AUDITABLE:
        raise UsageError(f"no engine with states to audit is called '{name}'", hint="engines: " + ", ".join(AUDITABLE))
    task = _Task(
        input_of(arguments, values),
        goal_of(values.items("property")),
        AUDITABLE if name == "auto" else (name,),
        values.engine_options(),
        arguments.runs,
        arguments.small,
        values.limit("timeout") or DEFAULT_SECONDS,
    )
    lines, code = work(task, memory_mb=values.limit("memory"))
    print("\n".join(lines))
    return code


@dataclass(frozen=True)
class _Task:
    source: Input
    goal: Goal
    engines: tuple[str, ...]
    options: Mapping[str, OptionValue]
    runs: int
    small: int
    seconds: float

    def __call__(self, send: Send) -> tuple[tuple[str, ...], int]:
        end = time.monotonic() + self.seconds
        program = build(self.source, send)
        # A leak would end a run: without them there are longer ones, unless nothing else is asked about.
        kinds = self.goal.kinds - {CheckKind.LEAK} or self.goal.kinds
        goal = replace(self.goal, kinds=kinds, audit=True, pictures=False)
        results = {name: self._result(program, goal, name, place, end, send) for place, name in enumerate(self.engines)}
        states = {name: result.states for name, result in results.items() if result.states is not None}
        last, late = 0.0, False

        def stop(heaps: int) -> bool:
            nonlocal last, late
            now = time.monotonic()
            if now - last > 0.2:
                last = now
                send(f"auditing: {heaps} heaps")
            late = now >= end
            return late

        told = audit(program, goal, states, runs=self.runs, states_tried=self.small, stop=stop)
        lines = [*self._lines(program, goal, results, told)]
        if late:
            lines.append(f"the time limit of {self.seconds:g} s was reached")
        unasked = len(states) < len(results)
        return tuple(lines), 1 if told.missing else 3 if unasked or late else 0

    def _result(self, program: Program, goal: Goal, name: str, place: int, end: float, send: Send) -> Result:
        now = time.monotonic()
        deadline = now + ANALYSIS * (end - now) / (len(self.engines) - place)
        engine = load_engine(name, engine_options(program, self.options))
        return run_engine(engine, program, goal, Limits(deadline=deadline), AnalysisProgress(send))

    def _lines(self, program: Program, goal: Goal, results: Mapping[str, Result], told: AuditResult) -> Iterator[str]:
        lost = {loss.engine: loss for loss in told.missing}
        for name, result in results.items():
            if result.states is None:
                yield f"{name}: no states to ask: {result.limit or 'it did not come to an end'}"
            elif name in lost:
                yield from _shown(program, lost[name], result)
                yield from self._claimed(program, goal, lost[name], result)
            else:
                open_ = f", {told.open[name]} left open" if told.open[name] else ""
                yield f"{name}: {told.found[name]} of {told.heaps} heaps were in its states{open_}"

    def _claimed(self, program: Program, goal: Goal, loss: MissingHeap, result: Result) -> Iterator[str]:
        """The state that lost it, as its engine says it, or drawn by an analysis that draws."""
        if isinstance(result.states, PrintableStates):
            yield "  the state there:"
            yield from (f"    {line}" for line in result.states.lines(loss.after.location)[:MOST_LINES] or ["nothing"])
            return
        engine = load_engine(loss.engine, engine_options(program, self.options))
        if not engine.draws:
            return
        drawn = run_engine(engine, program, replace(goal, pictures=True), Limits(), NullProgress())
        pictures = drawn.invariants.get(loss.after.location, ())
        yield f"  the state there has {len(pictures)} pictures:"
        for picture in pictures[:4]:
            yield from (f"    {line}" for line in heap_lines(picture))
            yield "    --"


def _shown(program: Program, loss: MissingHeap, result: Result) -> Iterator[str]:
    place = program.graph.locations[loss.after.location].span
    yield f"{loss.engine}: a heap of a run is not in its state at {place}:"
    yield from described(program, loss.after)
    if loss.edge is None or loss.before is None:
        yield "  it is the heap at the entry"
        return
    yield f"  it was lost by '{format_command(loss.edge.command)}' at {loss.edge.span}; before it:"
    yield from described(program, loss.before)
