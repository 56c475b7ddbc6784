"""`heapwright boolheap FILE.c --emit PROG.bhp` and `heapwright boolheap PROG.bhp`.

The first analyses a C file and writes its Boolean heap program, with all rules that the analysis used; the second runs
such a program without the C source and without a prover. Both print the checks that may fail: exit code 0 if there are
none, else 3. Leak checks are included with `--leaks`. An analysis reports the prover calls and the time of its two
phases.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from heapwright.analysis.limits.process import Cause, Send, run_limited
from heapwright.base.errors import InputError
from heapwright.cli.output_files import write_to
from heapwright.cli.parser import Parser
from heapwright.cli.progress import ProgressLine
from heapwright.cli.worker_process import AnalysisProgress
from heapwright.engines.api import Limits
from heapwright.engines.boolheap.api import Options, RunResult, boolean_heap_program, ghosts, run_text

SUFFIX = ".bhp"
EXITS = {0: "no check may fail", 3: "a check may fail, or a limit was reached"}


def add_arguments(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="C file or Boolean heap program (.bhp)")
    parser.add_argument(
        "--emit", metavar="PATH", help="write the Boolean heap program to this file (-: standard output)"
    )
    parser.add_argument(
        "--predicate", action="append", default=[], metavar="P", help="add a heap predicate over an object v"
    )
    for name, metavar, text in (
        ("--mark", "M", "'LINE: NAME = P': ghost predicate mark(NAME, v) with the value of P(v) at that line"),
        ("--claim", "C", "'LINE: P': check that P holds for every object v at that line"),
    ):
        parser.add_argument(name, action="append", default=[], metavar=metavar, help=text)
    parser.add_argument("--refinements", type=_count, default=0, metavar="N", help="refine at most N times (default 0)")
    parser.renamed("--refine", "--refinements")
    parser.add_argument(
        "--splitting",
        choices=("all", "guided"),
        default="all",
        help="split heaps at every field load (all, the default) or only where a spurious alarm needs it (guided)",
    )
    parser.add_argument(
        "--post",
        choices=("state", "cartesian"),
        default="state",
        help="abstract post: in the context of the whole heap (state, the default) or per object (cartesian)",
    )
    parser.add_argument(
        "--jobs",
        type=_count,
        default=0,
        metavar="N",
        help="compute rules before the fixpoint in N processes (default 0: on demand)",
    )
    parser.add_argument("--leaks", action="store_true", help="include leak checks")
    parser.add_argument(
        "--timeout", type=float, default=300, metavar="S", help="time limit in seconds (default 300; 0: none)"
    )
    parser.add_argument(
        "--memory", type=float, default=4000, metavar="MB", help="memory limit in megabytes (default 4000; 0: none)"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="print tracebacks of internal errors")


def _count(given: str) -> int:
    if not given.isdigit():
        raise argparse.ArgumentTypeError(f"'{given}' is not a non-negative integer")
    return int(given)


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
            arguments.jobs,
            post=arguments.post,
            leaks=arguments.leaks,
        )
        job = _AnalysisTask(arguments.file, options, seconds)
    line, activity = ProgressLine(sys.stderr), ["starting"]
    try:
        ended = run_limited(
            job,
            timeout=seconds,
            memory_mb=arguments.memory if arguments.memory > 0 else None,
            on_message=lambda message: activity.append(str(message)),
            on_tick=lambda elapsed: line.show(elapsed, activity[-1]),
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
    return _print_result(ended.value, arguments.emit)


def _print_result(result: RunResult, emit: str | None) -> int:
    if result.reason:
        print(f"unknown: {result.reason}")
        return 3
    if emit is not None:
        write_to(emit, result.text)
    for check in result.failing:
        print(f"may fail: {check}")
    print(f"{'not every' if result.failing else 'every'} check holds ({result.heaps} Boolean heaps)")
    if result.phases:
        print(result.phases)
    return 3 if result.failing else 0


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
