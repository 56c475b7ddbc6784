"""`heapwright tvp PROG.tvp INIT.tvs`: run a TVLA specification.

| exit code | meaning |
|---|---|
| 0 | no message is possible |
| 1 | a message is definite in some structure |
| 2 | the specification or the structures are invalid |
| 3 | messages are possible, a limit was reached, an integrity constraint was violated, or something was ignored |
"""

from __future__ import annotations

import argparse
import os
import sys

from heapwright import __version__
from heapwright.analysis.limits.process import Send
from heapwright.analysis.specification import (
    EMBEDDINGS,
    JOINS,
    SpecificationResult,
    SpecificationTask,
    analyze_specification,
)
from heapwright.base.immutable import Immutable
from heapwright.cli.output_files import write_to
from heapwright.cli.parser import Parser
from heapwright.cli.worker_process import AnalysisProgress, work
from heapwright.engines.tvl.api import REFINEMENTS

EXIT_CODES = {"proved": 0, "violated": 1, "unknown": 3}
EXITS = {
    0: "no message is possible",
    1: "a message is definite",
    3: "messages are possible, a limit was reached, an integrity constraint was violated, or something was ignored",
}


def add_arguments(parser: Parser) -> None:
    parser.add_argument("program", metavar="PROG.tvp", help="specification ('.tvp' is optional)")
    parser.add_argument("structures", metavar="INIT.tvs", help="initial structures ('.tvs' is optional)")
    parser.add_argument("-D", dest="define", action="append", default=[], metavar="NAME(VALUE)", help="define a macro")
    parser.add_argument(
        "-I", "--path", action="append", default=[], metavar="DIR", help="directory to search for included files"
    )
    parser.add_argument("--props", action="append", default=[], metavar="FILE", help="read a properties file")
    parser.add_argument(
        "--join", choices=JOINS, help="join operator (default: tvla.joinType of the properties, else part)"
    )
    parser.add_argument(
        "--embedding",
        choices=EMBEDDINGS,
        default="strict",
        help="a summary node denotes one individual or more (strict, the default), any number (loose), or none only "
        "where that makes two structures one (adaptive)",
    )
    parser.add_argument(
        "--focus",
        choices=REFINEMENTS,
        default="formula",
        help="materialise by focus and coerce (formula, the default) or by meet with refining sets (meet)",
    )
    parser.add_argument(
        "--timeout", type=float, default=300, metavar="S", help="time limit in seconds (default 300; 0: none)"
    )
    parser.add_argument(
        "--memory", type=float, default=4000, metavar="MB", help="memory limit in megabytes (default 4000; 0: none)"
    )
    parser.renamed("--refine", "--focus")
    parser.add_argument("--json", metavar="PATH", help="write the result as JSON (-: standard output)")
    parser.add_argument(
        "-o", "--output", metavar="FILE.tvs", help="write the structures of every location to this file"
    )
    parser.add_argument(
        "--pictures",
        metavar="DIR",
        help="write a page (index.html) and drawings (.svg, .dot) of the structures to this directory",
    )
    parser.add_argument("--html", metavar="FILE", help="write the structures as one page for a browser")
    parser.add_argument("-v", "--verbose", action="store_true", help="print the number of structures per location")


class _Work(Immutable):
    task: SpecificationTask

    def __call__(self, send: Send) -> SpecificationResult:
        return analyze_specification(self.task, send, AnalysisProgress(send))


def execute(arguments: argparse.Namespace) -> int:
    timeout = arguments.timeout if arguments.timeout > 0 else None
    task = SpecificationTask(
        _with_suffix(arguments.program, ".tvp"),
        _with_suffix(arguments.structures, ".tvs"),
        tuple(arguments.define),
        tuple(arguments.path),
        tuple(arguments.props),
        arguments.join,
        arguments.embedding,
        arguments.focus,
        timeout,
        arguments.pictures is not None or arguments.html is not None,
        arguments.output is not None,
    )
    if arguments.html is not None:
        from heapwright.cli.page_files import page_writable

        page_writable(arguments.html)
    if arguments.pictures is not None:
        from heapwright.cli.picture_files import destination_for, write_pictures

        directory = destination_for(arguments.pictures)
    result = work(_Work(task), timeout=timeout, memory_mb=arguments.memory if arguments.memory > 0 else None)
    console = sys.stderr if arguments.json == "-" else sys.stdout
    console.write(rendered(result, verbose=arguments.verbose))
    if arguments.json is not None:
        import json

        write_to(arguments.json, json.dumps(as_object(result), indent=2, ensure_ascii=False) + "\n")
    if arguments.output is not None:
        write_to(arguments.output, result.tvs)
    if result.drawings is not None:
        from heapwright.cli.specification_page import specification_page, views_of

        page = specification_page(result)
        if arguments.html is not None:
            from heapwright.cli.page_files import write_page

            print(write_page(arguments.html, page), file=console)
        if arguments.pictures is not None:
            print(write_pictures(views_of(result), page, directory), file=console)
    return EXIT_CODES[result.verdict]


def _with_suffix(path: str, suffix: str) -> str:
    return path if os.path.exists(path) or path.endswith(suffix) else path + suffix


def rendered(result: SpecificationResult, *, verbose: bool) -> str:
    lines = [f"warning: {remark}" for remark in result.remarks]
    for message in result.messages:
        kind = "error" if message.definite else "warning"
        certainty = "definite" if message.definite else "possible"
        lines.append(f"{message.label}: {kind}: {message.text} [{certainty}, {message.times} times]")
        lines.append(f"    at {message.action}")
    if result.breach:
        lines.append(f"error: {result.breach}")
    if verbose:
        lines += [f"  {label}: {count} structures" for label, count in result.counts.items()]
    stats = result.stats
    found = f"{stats['structures_in_graph']} structures ({stats['structures_total']} in all)"
    end = "" if result.complete or result.breach else ", stopped at the time limit"
    end += "; parts of the specification were ignored, so that nothing is proved" if result.ignored else ""
    lines.append(f"{result.file}: {result.verdict}: {stats['messages']} messages, {found}, {stats['time_s']} s{end}")
    return "\n".join(lines) + "\n"


def as_object(result: SpecificationResult) -> dict[str, object]:
    return {
        "tool": "heapwright",
        "version": __version__,
        "file": result.file,
        "verdict": result.verdict,
        "messages": [
            {"label": m.label, "action": m.action, "text": m.text, "times": m.times, "definite": m.definite}
            for m in result.messages
        ],
        "kernel": result.kernel,
        "breach": result.breach,
        "complete": result.complete,
        "ignored": result.ignored,
        "locations": dict(result.counts),
        "stats": dict(result.stats),
    }
