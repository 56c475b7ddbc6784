"""`heapwright run FILE.c [-- ARGUMENTS]`: execute a program once with the interpreter.

It reads the standard input and prints on the standard output; the report goes to the standard error. With `--choices`
it repeats a run of a report instead, whose input and output are choices, too."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from heapwright.analysis.limits.process import Send
from heapwright.analysis.pipeline import Input, build
from heapwright.base.errors import InputError, UsageError
from heapwright.cli.options import add_config, add_files, add_group, add_setting, input_of, print_configured, resolve
from heapwright.cli.parser import Parser
from heapwright.cli.worker_process import work
from heapwright.program.checks import Goal
from heapwright.program.choices import ChoiceRequest
from heapwright.program.trace import Run
from heapwright.report.terminal.colours import style_for
from heapwright.report.terminal.run_report import render_run
from heapwright.settings.properties import goal_of
from heapwright.settings.table import GOAL, INPUT, OUTPUT

DEFAULT_STEPS = 1_000_000
EXITS = {0: "the run violates no check", 1: "the run violates a check"}


def add_arguments(parser: Parser) -> None:
    add_files(parser, several=True)
    parser.passes_on = True
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of random choices (default 0)")
    parser.add_argument(
        "--choices", metavar="V,V,...", help="repeat the run with these choices, as a report has them, without input"
    )
    parser.add_argument(
        "--steps",
        type=int,
        default=DEFAULT_STEPS,
        metavar="N",
        help=f"maximum number of steps (default {DEFAULT_STEPS})",
    )
    parser.renamed("--max-steps", "--steps")
    add_setting(parser, GOAL["property"])
    add_group(parser, "input", INPUT)
    add_setting(parser, OUTPUT["color"])
    add_config(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="print every step")


def execute(arguments: argparse.Namespace) -> int:
    values = resolve(arguments)
    print_configured(values)
    source = input_of(arguments, values)
    if arguments.choices is None:
        name = Path(source.files[0]).with_suffix("").name
        source = replace(source, executed=(name, *arguments.arguments))
    task = _RunTask(
        source,
        goal_of(values.items("property")),
        arguments.seed,
        None if arguments.choices is None else _numbers(arguments.choices),
        arguments.steps,
    )
    run, sources, unused = work(task)
    report = sys.stdout if source.executed is None else sys.stderr  # the standard output is that of the program
    style = style_for(report, values.text("color"))
    report.write(render_run(run, sources, style, fold=not arguments.verbose))
    if source.executed is not None and not run.exact:
        warning = "the run depends on values that are approximate; others may be real"
        print(f"heapwright: warning: {warning}", file=sys.stderr)
    if unused:
        values_left = ", ".join(map(str, unused))
        print(f"heapwright: warning: the run had no choice for {values_left} of --choices", file=sys.stderr)
    return 1 if run.failures else 0


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word, 0) for word in text.replace(",", " ").split())
    except ValueError:
        raise UsageError(f"'choices' must be integers separated by commas, not {text!r}") from None


class ListedChoices:
    """Choices from a list of integers; after the last one, the value nearest to 0."""

    def __init__(self, values: Sequence[int]) -> None:
        self._values = iter(values)

    def unused(self) -> tuple[int, ...]:
        """The values that no choice took."""
        return tuple(self._values)

    def value(self, request: ChoiceRequest) -> int | None:
        value = next(self._values, None)
        if value is None:
            return min(max(0, request.low), request.high)
        if not request.low <= value <= request.high:
            raise UsageError(f"the choice {value} for '{request.source}' is out of range", request.span)
        return value

    def pick(self, request: ChoiceRequest, options: Sequence[int]) -> int:
        value = next(self._values, options[0])
        if value not in options:
            allowed = ", ".join(map(str, options))
            raise UsageError(f"the choice {value} for '{request.source}' is not one of {allowed}", request.span)
        return value


@dataclass(frozen=True)
class _RunTask:
    source: Input
    goal: Goal
    seed: int
    values: tuple[int, ...] | None
    max_steps: int

    def __call__(self, send: Send) -> tuple[Run, Mapping[str, str], tuple[int, ...]]:
        program = build(self.source, send)
        from heapwright.program.runs.console import RealConsole
        from heapwright.program.runs.interpreter import run

        send("running")
        if self.values is None:
            standard = (sys.stdin, sys.stdout, sys.stderr)  # None if it is closed
            input, output, errors = (io.BytesIO() if one is None else one.buffer for one in standard)
            console = RealConsole(input, output, errors, seed=self.seed)
            try:
                found = run(program, self.goal, console, max_steps=self.max_steps, trace=True, console=console)
                console.flush()
            except OSError as error:
                raise InputError(f"cannot write the output: {error.strerror or error}") from None
            return found, dict(program.sources), ()
        choices = ListedChoices(self.values)
        found = run(program, self.goal, choices, max_steps=self.max_steps, trace=True)
        return found, dict(program.sources), choices.unused()
