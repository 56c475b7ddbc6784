"""`heapwright reproduce [PAPER]`: reproduce the tables of a paper next to the published figures.

The exit code is 0 if all claims hold, 1 if not, 2 for a usage error. Without a paper, the available ones are listed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from heapwright.base.errors import UsageError
from heapwright.cli.output_files import writable, write_to
from heapwright.cli.page_files import page_writable, write_page
from heapwright.cli.parser import Parser
from heapwright.cli.progress import ProgressLine
from heapwright.engines.infer.api import Closure
from heapwright.reproduce import PAPERS, load

if TYPE_CHECKING:
    from heapwright.reproduce.reproduction import Bounds, Reproduction

EXITS = {0: "all claims hold", 1: "a claim does not hold"}


def add_arguments(parser: Parser) -> None:
    parser.add_argument("paper", nargs="?", metavar="PAPER", help="paper to reproduce (default: list the papers)")
    parser.add_argument("--json", metavar="PATH", help="write claims and figures as JSON (-: standard output)")
    parser.add_argument("--html", metavar="FILE", help="write claims and tables as one page for a browser")
    parser.add_argument(
        "--timeout", type=float, default=120, metavar="S", help="time limit per run (default 120; 0: none)"
    )
    parser.add_argument(
        "--memory", type=float, default=4000, metavar="MB", help="memory limit per run (default 4000; 0: none)"
    )
    parser.add_argument(
        "--closure", choices=[way.value for way in Closure], help="backward: encoding of reachability (default updates)"
    )
    parser.add_argument(
        "--compare-closure",
        action="store_true",
        help="backward: compare the encodings of reachability on list programs",
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="tracebacks of internal errors")


def _chosen(arguments: argparse.Namespace) -> Callable[[Callable[[str], None], Bounds], Reproduction]:
    """The function that reproduces the paper, with its options."""
    if arguments.closure is None and not arguments.compare_closure:
        return load(arguments.paper)
    if arguments.paper != "backward":
        raise UsageError(f"--closure and --compare-closure apply to 'backward' only, not to '{arguments.paper}'")
    from heapwright.reproduce.backward.table import reproduce

    closure = Closure(arguments.closure or Closure.UPDATES)
    return partial(reproduce, closure=closure, compare_closures=arguments.compare_closure)


def execute(arguments: argparse.Namespace) -> int:
    if arguments.paper is None:
        width = max(map(len, PAPERS))
        print("\n".join(f"{name:<{width}}  {title}" for name, (_, title) in PAPERS.items()))
        return 0
    reproduce = _chosen(arguments)
    writable(arguments.json)
    page_writable(arguments.html)
    from heapwright.reproduce.reproduction import Bounds, as_object, as_text

    bounds = Bounds(*(value if value > 0 else None for value in (arguments.timeout, arguments.memory)))
    line, start = ProgressLine(sys.stderr), time.monotonic()
    try:
        found = reproduce(lambda text: line.show(time.monotonic() - start, text), bounds)
    finally:
        line.clear()
    (sys.stderr if arguments.json == "-" else sys.stdout).write(as_text(found))
    if arguments.json is not None:
        write_to(arguments.json, json.dumps(as_object(found), indent=2, ensure_ascii=False) + "\n")
    if arguments.html is not None:
        from heapwright.reproduce.reproduction import as_page

        print(write_page(arguments.html, as_page(found)), file=sys.stderr if arguments.json == "-" else sys.stdout)
    return 0 if found.held else 1
