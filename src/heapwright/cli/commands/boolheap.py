"""`heapwright boolheap FILE.c --emit PROG.bhp` and `heapwright boolheap PROG.bhp`.

The first analyses a C file and writes its Boolean heap program, with all rules that the analysis asked for; the second
runs such a program without the C source and without a prover. Both print the checks that may fail: exit code 0 if there
are none, else 3. Leaks are among them with `--leaks`. Of an analysis it is told how often its two phases called the
prover, and how long they took.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from heapwright.analysis.limits.process import Cause, Send, run_limited
from heapwright.base.errors import InputError
from heapwright.cli.parser import Parser
from heapwright.cli.progress import ProgressLine
from heapwright.cli.worker_process import AnalysisProgress
from heapwright.engines.api import Limits
from heapwright.engines.boolheap.api import Options, RunResult, boolean_heap_program, ghosts, run_text

SUFFIX = ".bhp"


def add_arguments(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="a C file, or a Boolean heap program (.bhp)")
    parser.add_argument("--emit", metavar="PATH", help="write the Boolean heap program there (-: standard output)")
    parser.add_argument("--predicate", action="append", default=[], metavar="P", help="add a predicate of an object v")
    for name, metavar, told in (
        ("--mark", "M", "'LINE: NAME = P': mark(NAME, v) says what P said of v when control came to that line"),
        ("--claim", "C", "'LINE: P': P must hold of every object v where control comes to that line"),
    ):
        parser.add_argument(name, action="append", default=[], metavar=metavar, help=told)
    parser.add_argument(
        "--refinements", type=_count, default=0, metavar="N", help="add what alarms suggest at most N times"
    )
    parser.renamed("--refine", "--refinements")
    parser.add_argument(
        "--splitting", choices=("all", "guided"), default="all", help="split at every read, or where alarms ask for it"
    )
    parser.add_argument(
        "--post",
        choices=("state", "cartesian"),
        default="state",
        help="update vectors by all that is known, or each alone",
    )
    parser.add_argument(
        "--jobs",
        type=_count,
        metavar="N",
        help="find rules beforehand in N processes (default 0, as they are asked for; cartesian: up to 2)",
    )
    parser.add_argument("--leaks", action="store_true", help="look for leaks, too")
    parser.add_argument("--timeout", type=float, default=300, metavar="S", help="stop after S seconds (0: never)")
    parser.add_argument("--memory", type=float, default=4000, metavar="MB", help="stop at MB megabytes (0: never)")
    parser.add_argument("-v", "--verbose", action="store_true", help="tracebacks of internal errors")


def _count(given: str) -> int:
    if not given.isdigit():
        raise argparse.ArgumentTypeError(f"'{given}' is no count")
    return int(given)


def _jobs(post: str) -> int:
    return 0 if post == "state" else min(2, os.cpu_count() or 1)


def execute(arguments: argparse.Namespace) -> int:
    seconds = arguments.timeout if arguments.timeout > 0 else None
    if arguments.file.endswith(SUFFIX):
        job: Callable[[Send], RunResult] = _RerunTask(arguments.file, seconds)
    else:
        options = Options(
            tuple(arguments.predicate),
            ghosts(arguments.mark, arguments.claim),
            arguments.refinements,
            arguments.splitting,
            _jobs(arguments.post) if arguments.jobs is None else arguments.jobs,
            context=arguments.post == "state",
            leaks=arguments.leaks,
        )
        job = _AnalysisTask(arguments.file, options, seconds)
    line, doing = ProgressLine(sys.stderr), ["starting"]
    try:
        ended = run_limited(
            job,
            timeout=seconds,
            memory_mb=arguments.memory if arguments.memory > 0 else None,
            on_message=lambda message: doing.append(str(message)),
            on_tick=lambda elapsed: line.show(elapsed, doing[-1]),
        )
    finally:
        line.clear()
    if ended.cause is Cause.INTERRUPTED:
        raise KeyboardInterrupt
    if ended.error is not None:
        raise ended.error
    if ended.value is None:
        print(f"unknown: stopped: {ended.cause.value} {ended.text}".rstrip())
        return 3
    return _told(ended.value, arguments.emit)


def _told(ran: RunResult, emit: str | None) -> int:
    if ran.reason:
        print(f"unknown: {ran.reason}")
        return 3
    if emit == "-":
        print(ran.text, end="")
    elif emit is not None:
        try:
            Path(emit).write_text(ran.text, encoding="utf-8")
        except OSError as error:
            raise InputError(f"cannot write '{emit}': {error.strerror}") from None
    for check in ran.failing:
        print(f"may fail: {check}")
    print(f"{'not every' if ran.failing else 'every'} check holds ({ran.heaps} Boolean heaps)")
    if ran.phases:
        print(ran.phases)
    return 3 if ran.failing else 0


@dataclass(frozen=True)
class _AnalysisTask:
    file: str
    options: Options
    seconds: float | None

    def __call__(self, send: Send) -> RunResult:
        from heapwright.analysis.pipeline import Input, build

        program = build(Input((self.file,)), lambda phase: None)
        return boolean_heap_program(program, self.options, _limits(self.seconds), AnalysisProgress(send))


@dataclass(frozen=True)
class _RerunTask:
    file: str
    seconds: float | None

    def __call__(self, send: Send) -> RunResult:
        try:
            given = Path(self.file).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise InputError(f"cannot read '{self.file}': {getattr(error, 'strerror', None) or error}") from None
        return run_text(given, _limits(self.seconds))


def _limits(seconds: float | None) -> Limits:
    return Limits(deadline=None if seconds is None else time.monotonic() + 0.9 * seconds)
