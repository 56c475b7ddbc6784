"""`heapwright lower FILE.c`: the lowered program as text, or its control-flow graph as DOT."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

from heapwright.analysis.limits.process import Send
from heapwright.analysis.pipeline import Input, build
from heapwright.cli.options import add_config, add_files, add_group, input_of, print_configured, resolve
from heapwright.cli.parser import Parser
from heapwright.cli.worker_process import work
from heapwright.settings.table import INPUT

EXITS = {0: "the program was lowered"}


def add_arguments(parser: Parser) -> None:
    add_files(parser, several=True)
    add_group(parser, "input", INPUT)
    parser.add_argument("--dot", action="store_true", help="print the control-flow graph in DOT")
    add_config(parser)


def execute(arguments: argparse.Namespace) -> int:
    values = resolve(arguments)
    print_configured(values)
    sys.stdout.write(work(_LoweringTask(input_of(arguments, values), arguments.dot)))
    return 0


@dataclass(frozen=True)
class _LoweringTask:
    source: Input
    dot: bool

    def __call__(self, send: Send) -> str:
        program = build(self.source, send)
        if self.dot:
            from heapwright.program.graph_dot import program_dot

            text = program_dot(program)
        else:
            from heapwright.program.printer import format_program

            text = format_program(program)
        return text if text.endswith("\n") else text + "\n"
