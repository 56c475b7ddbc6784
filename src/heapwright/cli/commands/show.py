"""`heapwright show FILE.c`: the abstract heaps at each line, in the terminal or as files.

| exit code | meaning |
|---|---|
| 0 | complete: the pictures cover all reachable heaps |
| 2 | usage error or invalid input |
| 3 | incomplete: a limit was reached, or the engine does not support the program |
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TextIO

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.limits.process import Send
from heapwright.analysis.pipeline import Input, build, engine_options
from heapwright.base.errors import UsageError
from heapwright.cli.options import (
    Values,
    add_config,
    add_files,
    add_group,
    add_setting,
    input_of,
    print_configured,
    resolve,
)
from heapwright.cli.output_files import write_to
from heapwright.cli.page_files import page_writable, write_page
from heapwright.cli.parser import Parser
from heapwright.cli.picture_files import destination_for, is_drawing, write_pictures
from heapwright.cli.worker_process import AnalysisProgress, work
from heapwright.engines import ENGINES, declaration_of, load_engine
from heapwright.engines.api import Limits, OptionValue
from heapwright.program.checks import Goal
from heapwright.report.terminal.colours import style_for
from heapwright.report.terminal.views_text import MOST, views_text
from heapwright.report.views import LineSelection, View, views
from heapwright.result.explanation import Topic
from heapwright.result.outcomes import NO_RUNS, Result
from heapwright.settings.table import ENGINE_OPTIONS, GOAL, INPUT, LIMITS, OUTPUT

if TYPE_CHECKING:
    from heapwright.cli.proof_details import ProofDetails

DEFAULT_ENGINE = "tvl"
ANALYSIS = 0.7  # share of the time; the rest is for drawing
WIDTH = 100  # of output that is not a terminal
EXITS = {0: "complete", 3: "incomplete: a limit was reached, or the engine does not support the program"}


def add_arguments(parser: Parser) -> None:
    add_files(parser, several=True)
    parser.add_argument("--line", metavar="[FILE:]N", help="show this line only (of FILE, default: the first file)")
    parser.add_argument("--all", action="store_true", help=f"show all heaps (default: at most {MOST} per line)")
    parser.add_argument("--ascii", action="store_true", help="use ASCII characters only")
    parser.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        help="write a page (index.html) and pictures (.svg, .dot) to this directory, or a single one to a file.svg or "
        "file.dot; nothing is printed then",
    )
    add_setting(parser, replace(GOAL["engine"], help=f"engine (default {DEFAULT_ENGINE})"))
    add_group(parser, "engine options", ENGINE_OPTIONS)
    add_group(parser, "input", INPUT)
    add_group(parser, "limits", {name: LIMITS[name] for name in ("timeout", "memory")})
    add_setting(parser, OUTPUT["json"])
    add_setting(parser, replace(OUTPUT["html"], help="write one page for a browser; nothing is printed then"))
    add_setting(parser, OUTPUT["color"])
    add_config(parser)
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="print statistics, and tracebacks of internal errors"
    )


@dataclass(frozen=True)
class ShownViews:
    """The result of the child process."""

    views: tuple[View, ...]
    sources: Mapping[str, str]
    complete: bool
    reason: str
    stats: Mapping[str, float | int | str]
    details: ProofDetails | None  # for a page
    written: tuple[Topic, ...] = ()  # what an engine without pictures says at lines


@dataclass(frozen=True)
class _Task:
    source: Input
    engine: str
    options: Mapping[str, OptionValue]
    wanted: LineSelection
    timeout: float | None
    page: bool = False

    def __call__(self, send: Send) -> ShownViews:
        start = time.monotonic()
        program = build(self.source, send)
        engine = load_engine(self.engine, engine_options(program, self.options))
        declared = declaration_of(self.engine)
        if not (engine.draws or declared.writes or (self.page and declared.explains)):
            raise UsageError(f"engine '{self.engine}' has no pictures", hint=f"use --engine {DEFAULT_ENGINE}")
        views(program, Result(self.engine, (), dropped=NO_RUNS), self.wanted)  # reports an invalid line early
        send("analysing")
        deadline = None if self.timeout is None else start + ANALYSIS * self.timeout
        goal = Goal(pictures=True, audit=self.page)
        result = run_engine(engine, program, goal, Limits(deadline=deadline), AnalysisProgress(send))
        send("drawing")
        reason = result.limit or next((o.reason for o in result.outcomes if not result.complete), "")
        found = views(program, result, self.wanted) if result.invariants else ()
        sources = {view.file: program.sources.get(view.file, "") for view in found}
        complete = result.complete and bool(result.invariants or result.topics)
        details = None
        if self.page:
            from heapwright.cli.proof_details import details_of

            details = details_of(program, self.engine, found, result)
            sources = sources or {name: program.sources.get(name, "") for name in program.files}
        written = tuple(one for one in result.topics if declared.writes and _is_at(one, self.wanted))
        return ShownViews(found, sources, complete, reason, result.stats, details, written)


def execute(arguments: argparse.Namespace) -> int:
    values = resolve(arguments)
    print_configured(values)
    named = values.text("engine")
    engine = DEFAULT_ENGINE if named == "auto" else named
    values.require_options_of([engine] if engine in ENGINES else ())
    task = _Task(
        input_of(arguments, values),
        engine,
        values.engine_options(),
        _lines(arguments.line),
        values.limit("timeout"),
        values.maybe("html") is not None or (arguments.output is not None and not is_drawing(arguments.output)),
    )
    page_writable(values.maybe("html"))
    destination = None if arguments.output is None else destination_for(arguments.output)
    shown = work(task, timeout=values.limit("timeout"), memory_mb=values.limit("memory"))
    console: TextIO = sys.stderr if values.maybe("json") == "-" else sys.stdout
    if values.maybe("html") is not None:
        print(write_page(values.text("html"), _page(shown, task)), file=console)
    elif destination is None:
        _print(shown, arguments, values, console)
    _write_json(shown, task, values)
    if destination is not None:
        page = None if is_drawing(arguments.output) else _page(shown, task)
        print(write_pictures(shown.views, page, destination), file=console)
    if not shown.complete:
        what = "incomplete: more heaps are possible" if shown.views else "no heaps"
        print(f"{task.source.files[0]}: {what}: {shown.reason or 'the engine has no states'}", file=sys.stderr)
    return 0 if shown.complete else 3


def _lines(text: str | None) -> LineSelection:
    """`12`, or `list.c:12`."""
    if text is None:
        return LineSelection()
    file, _, number = text.rpartition(":")
    if not number.isdecimal() or int(number) < 1:
        raise UsageError(f"'line' must be of the form N or FILE:N, not {text!r}")
    return LineSelection(int(number), file)


def _print(shown: ShownViews, arguments: argparse.Namespace, values: Values, console: TextIO) -> None:
    ascii = arguments.ascii or not _can_write(console, "─┄…")
    width = shutil.get_terminal_size().columns if console.isatty() else WIDTH
    most = None if arguments.all or arguments.line is not None else MOST
    style = style_for(console, values.text("color"))
    for topic in shown.written:
        console.write("\n".join((topic.title, *(f"  {one}" for one in topic.text), "")) + "\n")
    console.write("" if shown.written else views_text(shown.views, style, width=width, ascii=ascii, most=most))
    if arguments.verbose:
        console.write("\n" + "".join(f"{name}: {value}\n" for name, value in shown.stats.items()))
    console.flush()


def _is_at(topic: Topic, wanted: LineSelection) -> bool:
    span = topic.span
    if span is None:
        return False
    return wanted.line is None or (span.line == wanted.line and span.file.endswith(wanted.file))


def _can_write(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _page(shown: ShownViews, task: _Task) -> dict[str, object]:
    from heapwright.cli.proof_details import details_page

    assert shown.details is not None
    return details_page(
        shown.views,
        shown.sources,
        shown.details,
        title=", ".join(task.source.files),
        function=task.source.function or "main",
        engine=task.engine,
        complete=shown.complete and shown.details.sound,
        reason=shown.reason,
        seconds=float(shown.stats.get("time_s", 0)),
    )


def _write_json(shown: ShownViews, task: _Task, values: Values) -> None:
    path = values.maybe("json")
    if path is None:
        return
    from heapwright.report.views_json import views_object

    content = views_object(
        shown.views,
        task.source.files,
        function=task.source.function or "main",
        engine=task.engine,
        complete=shown.complete,
        reason=shown.reason,
        stats=shown.stats,
    )
    write_to(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")
