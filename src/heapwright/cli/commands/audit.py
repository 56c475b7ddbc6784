"""`heapwright audit FILE.c`: test the invariants of engines against concrete executions.

| exit code | meaning |
|---|---|
| 0 | every heap was in the states of each engine |
| 1 | a heap was missing from the state of an engine, which is unsound |
| 2 | usage error or invalid input |
| 3 | an engine had no states, or the time limit was reached |
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.limits.process import Send
from heapwright.analysis.pipeline import Input, build, engine_options
from heapwright.base.errors import UsageError
from heapwright.base.source import Span
from heapwright.cli.heap_lines import described
from heapwright.cli.options import add_config, add_files, add_group, add_setting, input_of, print_configured, resolve
from heapwright.cli.page_files import page_writable, write_page
from heapwright.cli.parser import Parser
from heapwright.cli.worker_process import AnalysisProgress, work
from heapwright.engines import ENGINES, load_engine
from heapwright.engines.api import Limits, NullProgress, OptionValue
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.explanation.failed_checks import Names
from heapwright.program.explanation.state_pictures import picture
from heapwright.program.graph import Program
from heapwright.program.heap_picture import HeapPicture
from heapwright.program.printer import format_command
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.sample_runs import SMALL, small_steps
from heapwright.proof.audit import AuditResult, MissingHeap, audit
from heapwright.report.messages import counted
from heapwright.report.terminal.heap_text import heap_lines
from heapwright.result.explanation import Topic
from heapwright.result.outcomes import PrintableStates, Result
from heapwright.settings.properties import goal_of
from heapwright.settings.table import ENGINE_OPTIONS, GOAL, INPUT, LIMITS, OUTPUT

DEFAULT_RUNS, DEFAULT_STATES, DEFAULT_SECONDS = 1000, 5000, 300.0
AUDITABLE = tuple(name for name in ENGINES if name != "explore")  # explore is the interpreter itself
ANALYSIS = 0.7  # share of the time
MOST_LINES = 40  # of a state
MOST_DRAWN, MOST_OF_LINE = 400, 12  # states of small runs on a page, and heaps of a line
MISSING = "a heap is missing"
EXITS = {
    0: "every heap is in the states of each engine",
    1: "a heap is missing",
    3: "an engine has no states, or the time limit was reached",
}


def add_arguments(parser: Parser) -> None:
    add_files(parser, several=True)
    names = ", ".join(AUDITABLE)
    parser.add_argument(
        "--runs", type=int, default=DEFAULT_RUNS, metavar="N", help="number of random executions (default 1000)"
    )
    parser.add_argument(
        "--small",
        type=int,
        default=DEFAULT_STATES,
        metavar="N",
        help=f"maximum number of states of small executions (default {DEFAULT_STATES})",
    )
    add_setting(parser, replace(GOAL["engine"], help=f"one engine, or 'auto' for all of: {names} (default auto)"))
    add_setting(parser, GOAL["property"])
    add_group(parser, "engine options", ENGINE_OPTIONS)
    add_group(parser, "input", INPUT)
    add_group(parser, "limits", {name: LIMITS[name] for name in ("timeout", "memory")})
    add_setting(parser, replace(OUTPUT["html"], help="write the result as one page for a browser"))
    add_config(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="tracebacks of internal errors")


def execute(arguments: argparse.Namespace) -> int:
    values = resolve(arguments)
    print_configured(values)
    if arguments.runs < 0 or arguments.small < 0:
        raise UsageError("'runs' and 'small' must be non-negative")
    name = values.text("engine")
    if name != "auto" and name not in AUDITABLE:
        raise UsageError(f"engine '{name}' cannot be audited", hint="engines: " + ", ".join(AUDITABLE))
    values.require_options_of(AUDITABLE if name == "auto" else (name,))
    task = _Task(
        input_of(arguments, values),
        goal_of(values.items("property")),
        AUDITABLE if name == "auto" else (name,),
        values.engine_options(),
        arguments.runs,
        arguments.small,
        values.limit("timeout") or DEFAULT_SECONDS,
        values.maybe("html") is not None,
    )
    html = values.maybe("html")
    page_writable(html)
    lines, topics, sources, code = work(task, memory_mb=values.limit("memory"))
    print("\n".join(lines))
    if html is not None:
        print(write_page(html, _page(task, lines, topics, sources)))
    return code


def _page(task: _Task, lines: Sequence[str], topics: Sequence[Topic], sources: Mapping[str, str]) -> dict[str, object]:
    from heapwright.report.html.parts import blank_page, files_of, topic_object

    missing = sum(topic.title.endswith(MISSING) for topic in topics)
    return blank_page(
        ", ".join(task.source.files),
        function=task.source.function or "main",
        summary=f"{counted(missing, 'heap')} missing" if missing else "no heap is missing from the states of an engine",
        engine=", ".join(task.engines),
        files=files_of(list(task.source.files), sources),
        topics=[topic_object(topic) for topic in (Topic("Audit", tuple(lines)), *topics)],
    )


@dataclass(frozen=True)
class _Task:
    source: Input
    goal: Goal
    engines: tuple[str, ...]
    options: Mapping[str, OptionValue]
    runs: int
    small: int
    seconds: float
    page: bool = False

    def __call__(self, send: Send) -> tuple[tuple[str, ...], tuple[Topic, ...], Mapping[str, str], int]:
        end = time.monotonic() + self.seconds
        program = build(self.source, send)
        # The heaps are the same without leak checks, and engines are faster.
        kinds = self.goal.kinds - {CheckKind.LEAK} or self.goal.kinds
        goal = replace(self.goal, kinds=kinds, audit=True, pictures=False)
        results = {name: self._result(program, goal, name, index, end, send) for index, name in enumerate(self.engines)}
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

        found = audit(program, goal, states, runs=self.runs, states_tried=self.small, stop=stop)
        lines = [*self._lines(program, goal, results, found)]
        if late:
            lines.append(f"the time limit of {self.seconds:g} s was reached")
        unasked = len(states) < len(results)
        topics = (*(_topic(program, missing) for missing in found.missing), *(_heaps(program) if self.page else ()))
        sources = {name: program.sources.get(name, "") for name in program.files}
        return tuple(lines), topics, sources, 1 if found.missing else 3 if unasked or late else 0

    def _result(self, program: Program, goal: Goal, name: str, index: int, end: float, send: Send) -> Result:
        now = time.monotonic()
        deadline = now + ANALYSIS * (end - now) / (len(self.engines) - index)
        engine = load_engine(name, engine_options(program, self.options))
        return run_engine(engine, program, goal, Limits(deadline=deadline), AnalysisProgress(send))

    def _lines(self, program: Program, goal: Goal, results: Mapping[str, Result], found: AuditResult) -> Iterator[str]:
        by_engine = {missing.engine: missing for missing in found.missing}
        for name, result in results.items():
            if result.states is None:
                yield f"{name}: no states: {result.limit or 'no fixpoint was reached within the limits'}"
            elif name in by_engine:
                yield from _shown(program, by_engine[name], result)
                yield from self._claimed(program, goal, by_engine[name], result)
            else:
                open_ = f", {found.open[name]} undecided" if found.open[name] else ""
                yield f"{name}: {found.found[name]} of {found.heaps} heaps were in its states{open_}"

    def _claimed(self, program: Program, goal: Goal, missing: MissingHeap, result: Result) -> Iterator[str]:
        """The unsound state, as text or as pictures of its engine."""
        if isinstance(result.states, PrintableStates):
            yield "  the state there:"
            yield from (f"    {line}" for line in result.states.lines(missing.after.location)[:MOST_LINES] or ["empty"])
            return
        engine = load_engine(missing.engine, engine_options(program, self.options))
        if not engine.draws:
            return
        drawn = run_engine(engine, program, replace(goal, pictures=True), Limits(), NullProgress())
        pictures = drawn.invariants.get(missing.after.location, ())
        yield f"  the state there has {counted(len(pictures), 'picture')}:"
        for one in pictures[:4]:
            yield from (f"    {line}" for line in heap_lines(one))
            yield "    --"


def _topic(program: Program, missing: MissingHeap) -> Topic:
    """A missing heap in pictures, with the heap before it."""
    location = program.graph.locations[missing.after.location]
    heaps = [("this heap is missing", missing.after)]
    text = ["It is the heap at the entry."]
    span = location.span
    if missing.edge is not None and missing.before is not None:
        heaps.insert(0, ("the heap before", missing.before))
        text = [f"Lost by the transformer of '{format_command(missing.edge.command)}' at {missing.edge.span}."]
        span = missing.edge.span
    pictures = tuple((caption, picture(program, state, Names(program), location.function)) for caption, state in heaps)
    return Topic(f"{missing.engine}: {MISSING}", tuple(text), pictures=pictures, span=span)


def _heaps(program: Program) -> Iterator[Topic]:
    """The heaps of small runs at each line, a few of each."""
    found: dict[tuple[str, int], dict[HeapPicture, None]] = {}
    for _, state, fault in small_steps(Machine(program, Goal(), SMALL), MOST_DRAWN):
        edges = program.graph.successors[state.location]
        if fault is None and edges and edges[0].span.line and edges[0].span.file in program.files:
            function = program.graph.locations[state.location].function
            place = edges[0].span.file, edges[0].span.line
            found.setdefault(place, {})[picture(program, state, Names(program), function)] = None
    for (file, line), heaps in sorted(found.items()):
        lines = program.sources.get(file, "").splitlines()
        text = lines[line - 1].strip() if line <= len(lines) else ""
        drawn = tuple((f"heap {number}", one) for number, one in enumerate(list(heaps)[:MOST_OF_LINE], 1))
        said = f"{counted(len(heaps), 'heap')} of small runs at this line, of those that were audited."
        yield Topic(f"Line {line}: {text}", (said,), pictures=drawn, span=Span(file, line, 1))


def _shown(program: Program, missing: MissingHeap, result: Result) -> Iterator[str]:
    span = program.graph.locations[missing.after.location].span
    yield f"{missing.engine}: unsound state at {span}: it does not contain this concrete heap:"
    yield from described(program, missing.after)
    if missing.edge is None or missing.before is None:
        yield "  it is the heap at the entry"
        return
    yield f"  lost by the transformer of '{format_command(missing.edge.command)}' at {missing.edge.span}; heap before:"
    yield from described(program, missing.before)
