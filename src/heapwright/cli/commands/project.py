"""`heapwright project [PATH]`: every program and every library function of a source tree, reported once.

| exit code | meaning |
|---|---|
| 0 | every unit is safe, or what is violated is in the baseline |
| 1 | a check is violated that is not in the baseline |
| 3 | something is open: unknown, refused, or stopped by a limit |
| 4 | a unit failed with an internal error |
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from heapwright.analysis.pipeline import DataModelName, Externals, InputHeaps
from heapwright.analysis.schedule import SCHEDULES, stages_of
from heapwright.base.errors import UsageError
from heapwright.base.source import printable
from heapwright.cli.options import Values, add_config, add_group, add_setting, resolve
from heapwright.cli.output_files import writable, write_to
from heapwright.cli.page_files import is_document, page_writable, write_folder
from heapwright.cli.parser import Parser
from heapwright.engines import ENGINES
from heapwright.settings.table import ENGINE_OPTIONS, GOAL, INPUT, LIMITS, OUTPUT

if TYPE_CHECKING:
    from heapwright.c.options import ParseOptions
    from heapwright.project.findings.merge import ProjectReport
    from heapwright.project.running.executor import Executor
    from heapwright.project.session import Finished, Request
    from heapwright.project.store.database import Store
    from heapwright.project.units.compilations import SourceTree

BOUNDS = ("steps", "objects", "values", "states")
OUTPUTS = {
    "junit": "JUnit XML, a test case for each unit",
    "code-quality": "the code quality report of GitLab",
    "jsonl": "JSON lines: units, findings, assumptions, summary",
    "csv": "a table of findings",
    "markdown": "a comment for a pull request",
}
EXITS = {
    0: "every unit is safe, or known",
    1: "a (new) violation",
    3: "something is unknown or refused",
}


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "path", nargs="?", default=".", metavar="PATH", help="directory or compile_commands.json (default: here)"
    )
    _add_selection(parser)
    names = ", ".join((*SCHEDULES, *ENGINES))
    engine = replace(GOAL["engine"], help=f"engine or schedule (default auto): {names}")
    add_group(parser, "goal", {**GOAL, "engine": engine})
    add_group(
        parser,
        "input",
        {name: one for name, one in INPUT.items() if name not in ("compile-commands", "function", "model")},
    )
    add_group(parser, "engine options", ENGINE_OPTIONS)
    timeout = replace(LIMITS["timeout"], help="time limit of a unit in seconds (default 5; with --budget 300)")
    memory = replace(LIMITS["memory"], help="memory limit of a unit in megabytes (default: a share of the machine's)")
    add_group(parser, "limits", {**LIMITS, "timeout": timeout, "memory": memory})
    _add_running(parser)
    _add_reports(parser)
    add_config(parser)


def _add_selection(parser: Parser) -> None:
    group = parser.add_argument_group("selection")
    for name, what in (("select", "analyse"), ("exclude", "leave out")):
        group.add_argument(
            f"--{name}",
            action="append",
            default=[],
            metavar="PATTERN",
            help=f"{what} units whose name, path, directory or function matches (repeatable)",
        )
    group.add_argument("--shard", default="1/1", metavar="K/N", help="the K-th of N parts of all units")
    group.add_argument(
        "--changed-since", metavar="REV", help="units that depend on files that differ from a revision of git"
    )


def _add_running(parser: Parser) -> None:
    group = parser.add_argument_group("running")
    group.add_argument(
        "-j", dest="jobs", type=_count, metavar="N", help="units at a time (default: the cores that it may use)"
    )
    group.add_argument(
        "--budget",
        type=_seconds,
        metavar="S",
        help="seconds for the whole run, breadth first: all units 5 s, then open ones longer",
    )
    group.add_argument("--store", metavar="FILE", help="file of the store (default: in the user's cache directory)")
    group.add_argument(
        "--retry", choices=("unknown", "failed"), help="analyse again what was unknown, or failed or refused"
    )
    group.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="run on a Dask cluster: tls://HOST:PORT, or local:N (needs heapwright[cluster])",
    )
    group.add_argument("--cluster-insecure", action="store_true", help="allow a cluster without TLS")


def _add_reports(parser: Parser) -> None:
    group = parser.add_argument_group("report")
    group.add_argument("--report", action="store_true", help="report the last run from the store; analyse nothing")
    group.add_argument("--history", action="store_true", help="print findings and proofs of all runs; analyse nothing")
    group.add_argument("--baseline", metavar="FILE", help="known violations, which do not count")
    group.add_argument(
        "--update-baseline", action="store_true", help="write the violations of this run to the baseline"
    )
    group.add_argument(
        "--fail-on",
        choices=("violated", "unknown"),
        default="unknown",
        help="exit with 3 if something is unknown (default), or not",
    )
    add_setting(group, OUTPUT["sarif"])
    for name, what in OUTPUTS.items():
        group.add_argument(f"--{name}", metavar="PATH", help=f"write {what} (-: standard output)")
    group.add_argument(
        "--category", default="project", metavar="NAME", help="automationDetails.id of SARIF (default: project)"
    )
    group.add_argument(
        "--html", metavar="DIR", help="write a page for each unit, with films of its violations, and an index"
    )
    add_setting(group, OUTPUT["color"])
    group.add_argument(
        "--no-suppress", dest="set_suppress", action="store_const", const=False, help="ignore suppression comments"
    )
    group.add_argument("-q", "--quiet", action="store_true", help="no progress, no tables")


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise UsageError(f"'-j' must be a positive integer, not {text!r}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise UsageError(f"'budget' must be a positive number of seconds, not {text!r}")
    return value


def execute(arguments: argparse.Namespace) -> int:
    from heapwright.project.store.database import open_store
    from heapwright.project.units.compilations import find_compilations

    folder = arguments.path if os.path.isdir(arguments.path) else os.path.dirname(arguments.path) or "."
    arguments.files = [os.path.join(folder, "heapwright.toml")]
    values = resolve(arguments)
    _check_outputs(arguments, values)
    tree = find_compilations(arguments.path, _parse_options(values))
    store = open_store(tree.root, arguments.store)
    if store.refusal:
        print(f"heapwright: note: nothing is kept: {store.refusal}", file=sys.stderr)
    try:
        if arguments.history:
            from heapwright.project.reports.summary import history_text

            sys.stdout.write(history_text(list(store.history())))
            return 0
        known = _baseline(arguments)
        if arguments.report:
            report = _reported(store, tree, values)
            code = _finish(report, known, arguments, values)
            _write_pages(report, store, arguments.html)
            return code
        finished = _run(arguments, values, tree, store)
        report = _report_of(store, finished, values)
        code = _finish(report, known, arguments, values)
        _write_pages(report, store, arguments.html)
        return 130 if finished.interrupted else code
    finally:
        store.close()


def _baseline(arguments: argparse.Namespace) -> list[dict[str, str]]:
    """The entries of the baseline, read before the analysis; none if it is about to be written for the first time."""
    from heapwright.project.findings.baseline import read_baseline

    path = arguments.baseline
    if path is None or (arguments.update_baseline and not os.path.exists(path)):
        return []
    return read_baseline(path)


def _check_outputs(arguments: argparse.Namespace, values: Values) -> None:
    """Rejects unusable options before the analysis."""
    if arguments.update_baseline and arguments.baseline is None:
        raise UsageError("--update-baseline needs --baseline FILE")
    paths = [_output(arguments, name) for name in OUTPUTS] + [values.maybe("sarif")]
    if paths.count("-") > 1:
        raise UsageError("only one report can be written to standard output")
    if arguments.update_baseline:
        paths.append(arguments.baseline)
    for path in paths:
        writable(path)
    if arguments.html is not None:
        if is_document(arguments.html):
            raise UsageError(
                f"--html needs a directory, not {arguments.html!r}", hint="a project has a page for each unit"
            )
        page_writable(arguments.html)


def _output(arguments: argparse.Namespace, name: str) -> str | None:
    path: str | None = getattr(arguments, name.replace("-", "_"))
    return path


def _parse_options(values: Values) -> ParseOptions:
    from heapwright.c.options import ParseOptions

    return ParseOptions(
        cast(DataModelName, values.text("data-model")),
        values.text("std"),
        tuple(os.path.abspath(folder) for folder in values.items("include")),
        values.items("define"),
        values.flag("system-headers"),
    )


# --- running ---------------------------------------------------------------------------------------------------------


def _run(arguments: argparse.Namespace, values: Values, tree: SourceTree, store: Store) -> Finished:
    from heapwright.project.progress import watcher_for
    from heapwright.project.session import run_project

    request = _request(arguments, values)
    executor = _executor(arguments, request)
    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        return run_project(tree, store, request, executor, watcher_for(quiet=arguments.quiet))
    finally:
        signal.signal(signal.SIGTERM, previous)
        if executor is not None:
            executor.close()


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _executor(arguments: argparse.Namespace, request: Request) -> Executor | None:
    if arguments.cluster is None:
        return None
    from heapwright.project.running.cluster import ClusterExecutor

    if request.question.files:
        raise UsageError("--cluster cannot be combined with files of predicates")
    return ClusterExecutor(arguments.cluster, insecure=arguments.cluster_insecure)


def _request(arguments: argparse.Namespace, values: Values) -> Request:
    from heapwright.project.running.capacity import available_cores, memory_for_each
    from heapwright.project.session import Request
    from heapwright.project.store.key import Question, digests_of_files
    from heapwright.project.units.selection import Selection, parse_shard
    from heapwright.settings.properties import goal_of

    engine = values.text("engine")
    values.require_options_of(stage.engine for stage in stages_of(engine))
    options = values.engine_options()
    named = [word for word in values.items("property") if word.endswith(".prp")]
    named += [str(options["predicate-file"])] if options.get("predicate-file") else []
    question = Question(
        goal_of(values.items("property")),
        engine,
        options,
        values.flag("malloc-may-fail"),
        cast(Externals, values.text("externals")),
        cast(InputHeaps, values.text("inputs")),
        digests_of_files(named),
    )
    jobs = arguments.jobs or available_cores()
    return Request(
        question,
        _given(values, "timeout"),
        _given(values, "memory") or memory_for_each(jobs),
        {name: count for name in BOUNDS if (count := values.count(name)) is not None},
        arguments.budget,
        jobs,
        Selection(tuple(arguments.select), tuple(arguments.exclude), parse_shard(arguments.shard)),
        arguments.changed_since,
        arguments.retry or "",
    )


def _given(values: Values, name: str) -> float | None:
    """A limit that somebody chose: on the command line, or in a file another one than the default of a single file.
    None if it was not given, infinite for no limit."""
    chosen = name in values.given or values.table[name] != LIMITS[name].default
    return (values.limit(name) or float("inf")) if chosen else None


# --- reporting -------------------------------------------------------------------------------------------------------


def _report_of(store: Store, finished: Finished, values: Values) -> ProjectReport:
    from heapwright.project.findings.merge import Comments, project_report
    from heapwright.project.store.digests import FileDigests

    comments = Comments(finished.root, FileDigests(), suppress=values.flag("suppress"))
    untouched = [row.unit.name for row in finished.rows if not row.answered]
    report = project_report(store, finished.run, finished.root, comments, untouched)
    report.seconds = finished.seconds
    report.analysed = sum(row.fresh for row in finished.rows)
    return report


def _reported(store: Store, tree: SourceTree, values: Values) -> ProjectReport:
    from heapwright.project.findings.merge import Comments, project_report
    from heapwright.project.store.digests import FileDigests

    run = store.last_run()
    if run is None:
        raise UsageError("the store has no run of this project", hint="run it without --report first")
    return project_report(store, run, tree.root, Comments(tree.root, FileDigests(), suppress=values.flag("suppress")))


def _finish(report: ProjectReport, known: list[dict[str, str]], arguments: argparse.Namespace, values: Values) -> int:
    """Applies the baseline, writes the reports, and returns the exit code."""
    from heapwright.project.findings.baseline import apply_baseline, baseline_text, read_baseline
    from heapwright.project.reports.summary import summary_text
    from heapwright.report.terminal.colours import style_for

    for one in values.configured:
        report.assumptions[f"{one.text} ({one.span})"] = len(report.units)
    path = arguments.baseline
    if path is not None:
        if arguments.update_baseline:
            write_to(path, baseline_text(report, known))
            known = read_baseline(path)
        apply_baseline(report, path, known)
    outputs = [_output(arguments, name) for name in OUTPUTS] + [values.maybe("sarif")]
    console = sys.stderr if "-" in outputs else sys.stdout
    console.write(summary_text(report, style_for(console, values.text("color")), quiet=arguments.quiet))
    console.flush()
    _write(report, arguments, values)
    return report.exit_code(arguments.fail_on)


def _write_pages(report: ProjectReport, store: Store, folder: str | None) -> None:
    if folder is None:
        return
    from heapwright.c.syntax.source_spans import decode
    from heapwright.project.reports.pages import INDEX, project_pages

    def read(path: str) -> str | None:
        try:
            with open(os.path.join(report.root, path), "rb") as file:
                return None if path in report.changed else decode(file.read())
        except OSError:
            return None

    write_folder(folder, project_pages(report, store.answer, read))
    print(f"wrote {printable(os.path.join(folder, INDEX))}", file=sys.stderr)


def _write(report: ProjectReport, arguments: argparse.Namespace, values: Values) -> None:
    from heapwright.project.reports import machine, summary
    from heapwright.project.reports.sarif import sarif_text

    writers = {
        "junit": machine.junit_text,
        "code-quality": machine.code_quality_text,
        "jsonl": machine.json_lines,
        "csv": machine.csv_text,
        "markdown": summary.markdown_text,
    }
    for name, render in writers.items():
        path = _output(arguments, name)
        if path is not None:
            write_to(path, render(report))
    sarif = values.maybe("sarif")
    if sarif is not None:
        write_to(sarif, sarif_text(report, arguments.category))
