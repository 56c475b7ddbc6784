"""`heapwright infer FILE.c -f NAME`: a precondition under which a function is safe.

| exit code | meaning |
|---|---|
| 0 | a satisfiable precondition |
| 2 | usage error, invalid input, or an unsupported function |
| 3 | the precondition is false, or a limit was reached |
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass, replace

from heapwright.analysis.limits.process import Send
from heapwright.analysis.pipeline import Input, build
from heapwright.base.errors import UsageError
from heapwright.cli.options import add_config, add_files, add_group, add_setting, input_of, resolve
from heapwright.cli.output_files import writable, write_to
from heapwright.cli.page_files import page_writable, write_page
from heapwright.cli.parser import Parser
from heapwright.cli.progress import INTERVAL
from heapwright.cli.worker_process import work
from heapwright.engines.infer.api import Closure, Options, infer_precondition
from heapwright.report.precondition import PreconditionReport, contract_text, precondition_object, precondition_text
from heapwright.settings.table import INPUT, LIMITS, OUTPUT

EXITS = {0: "a satisfiable precondition", 3: "the precondition is false, or a limit was reached"}


def add_arguments(parser: Parser) -> None:
    add_files(parser, several=True)
    parser.add_argument("-f", dest="set_function", metavar="NAME", help="the function (same as --function)")
    parser.add_argument("--as-contract", action="store_true", help="print only the precondition as C assumptions")
    parser.add_argument(
        "--prover", metavar="NAME", help="external prover for queries that z3 does not decide: cvc5, vampire or z3"
    )
    parser.add_argument(
        "--closure",
        choices=[way.value for way in Closure],
        help="encoding of reachability: exact update formulas (updates, the default), regions unchanged by a write "
        "(regions), or incremental first-order axioms (axioms)",
    )
    parser.add_argument("--allow-cycles", action="store_true", help="allow cyclic inputs (read-only functions)")
    parser.add_argument(
        "--iterate",
        type=_rounds,
        default=0,
        metavar="N",
        help="alternate forward and backward analysis up to N times (default 0); the precondition may become weaker",
    )
    parser.add_argument(
        "--length",
        action="append",
        default=[],
        metavar="A=N",
        help="parameter N is the length of array A (repeatable)",
    )
    add_group(parser, "input", INPUT)
    add_group(parser, "limits", {name: LIMITS[name] for name in ("timeout", "memory")})
    add_setting(parser, OUTPUT["json"])
    add_setting(parser, replace(OUTPUT["html"], help="write the precondition as a page, with the inputs that fail"))
    add_config(parser)
    parser.add_argument("--ascii", action="store_true", help="ASCII characters only")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="print every obligation, every failing input, and statistics"
    )


@dataclass(frozen=True)
class _Task:
    source: Input
    timeout: float | None
    options: Options

    def __call__(self, send: Send) -> PreconditionReport:
        start = last = time.monotonic()
        program = build(self.source, send)

        def tell(text: str) -> None:
            nonlocal last
            if time.monotonic() - last > INTERVAL:
                last = time.monotonic()
                send(f"backward analysis from line {text}")

        deadline = None if self.timeout is None else start + self.timeout
        found = infer_precondition(program, self.options, deadline=deadline, tell=tell, phase=send)
        sources = {name: program.sources.get(name, "") for name in program.files}
        return PreconditionReport(self.source.files, self.source.function or "", found, sources)


def _rounds(text: str) -> int:
    if not text.isdecimal():
        raise UsageError(f"'iterate' must be a non-negative integer, not {text!r}")
    return int(text)


def _lengths(texts: list[str]) -> dict[str, str]:
    """Length parameters by array, from `--length a=n`."""
    found = {}
    for text in texts:
        array, _, parameter = text.partition("=")
        if not array.isidentifier() or not parameter.isidentifier():
            raise UsageError(f"'length' must be of the form ARRAY=PARAMETER, not {text!r}")
        found[array] = parameter
    return found


def execute(arguments: argparse.Namespace) -> int:
    values = resolve(arguments)
    source = input_of(arguments, values)
    if source.function is None:
        raise UsageError("no function given", hint="name one with -f")
    timeout = values.limit("timeout")
    path, html = values.maybe("json"), values.maybe("html")
    writable(path)
    page_writable(html)
    closure = None if arguments.closure is None else Closure(arguments.closure)
    if arguments.allow_cycles and closure is not None:
        raise UsageError(
            "--closure cannot be combined with --allow-cycles", hint="functions with cyclic inputs must be read-only"
        )
    if arguments.iterate and closure not in (None, Closure.UPDATES):
        raise UsageError("--iterate requires --closure updates")
    lengths = _lengths(arguments.length)
    options = Options(lengths, arguments.allow_cycles, arguments.prover, closure, arguments.iterate)
    task = _Task(source, timeout, options)
    report = work(task, timeout=timeout, memory_mb=values.limit("memory"))
    configured = tuple(f"{one.text} ({one.span})" for one in values.configured)
    report = replace(report, found=replace(report.found, assumptions=(*configured, *report.found.assumptions)))
    console = sys.stderr if path == "-" else sys.stdout
    console.write(
        contract_text(report)
        if arguments.as_contract
        else precondition_text(report, verbose=arguments.verbose, ascii=arguments.ascii)
    )
    if path is not None:
        write_to(path, json.dumps(precondition_object(report), indent=2, ensure_ascii=False) + "\n")
    if html is not None:
        from heapwright.report.html.precondition_page import precondition_page

        print(write_page(html, precondition_page(report)), file=console)
    return 3 if report.found.impossible else 0
