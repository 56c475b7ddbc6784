"""`heapwright infer FILE.c -f NAME`: the inputs for which a function is safe.

| exit code | meaning |
|---|---|
| 0 | a precondition that some inputs satisfy |
| 2 | bad usage, bad input, or a function that is out of reach |
| 3 | nothing better than false, or a limit was reached |
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heapwright.analysis.limits.process import Send
from heapwright.analysis.pipeline import Input, build
from heapwright.base.errors import InputError, UsageError
from heapwright.cli.options import add_config, add_files, add_group, add_setting, input_of, resolve
from heapwright.cli.output_files import writable, write_to
from heapwright.cli.parser import Parser
from heapwright.cli.progress import INTERVAL
from heapwright.cli.worker_process import work
from heapwright.engines.infer.heaps.prover.closure_modes import Closure
from heapwright.report.precondition import PreconditionReport, contract_text, precondition_object, precondition_text
from heapwright.settings.table import INPUT, LIMITS, OUTPUT

if TYPE_CHECKING:
    from heapwright.engines.infer.heaps.preconditions.clause_selection import Answer

OBJECTS = 4  # of the heaps on which the answer is tested
MOST_HEAPS = 40_000


def add_arguments(parser: Parser) -> None:
    add_files(parser, several=True)
    parser.add_argument("-f", dest="set_function", metavar="NAME", help="the function, the same as --function")
    parser.add_argument("--as-contract", action="store_true", help="print only what to write at its beginning, in C")
    parser.add_argument("--prover", metavar="NAME", help="a second prover for what z3 leaves open: cvc5, vampire or z3")
    parser.add_argument(
        "--closure",
        choices=[way.value for way in Closure],
        help="how reachability is told to the prover: what a write makes of it by update formulas (the default) or by "
        "regions in which it has not changed, or axioms for provers that know no closure",
    )
    parser.add_argument("--allow-cycles", action="store_true", help="inputs may be cyclic (read-only functions)")
    parser.add_argument(
        "--iterate",
        type=_rounds,
        default=0,
        metavar="N",
        help="follow bad inputs forwards and back again, up to N times: fewer of them may be left",
    )
    parser.add_argument(
        "--length",
        action="append",
        default=[],
        metavar="A=N",
        help="the parameter N is the number of cells of the array that A points to",
    )
    add_group(parser, "input", INPUT)
    add_group(parser, "limits", {name: LIMITS[name] for name in ("timeout", "memory")})
    add_setting(parser, OUTPUT["json"])
    add_config(parser)
    parser.add_argument("--ascii", action="store_true", help="ASCII characters only")
    parser.add_argument("-v", "--verbose", action="store_true", help="every demand, every picture, and statistics")


@dataclass(frozen=True)
class _Task:
    source: Input
    timeout: float | None
    lengths: tuple[tuple[str, str], ...] = ()
    cycles: bool = False
    prover: str | None = None
    closure: Closure | None = None
    iterate: int = 0

    def __call__(self, send: Send) -> PreconditionReport:
        from heapwright.engines.infer.arrays.program_translation import about_arrays
        from heapwright.engines.infer.external_prover import Elsewhere
        from heapwright.engines.infer.heaps.inference import infer
        from heapwright.engines.infer.heaps.preconditions.clause_selection import answer, small_heaps
        from heapwright.engines.infer.heaps.preconditions.small_heaps import count
        from heapwright.engines.infer.heaps.program_translation import read
        from heapwright.engines.infer.query_cache import Cache, default_path

        start = last = time.monotonic()
        program = build(self.source, send)

        def tell(text: str) -> None:
            nonlocal last
            if time.monotonic() - last > INTERVAL:
                last = time.monotonic()
                send(f"going back from line {text}")

        deadline = None if self.timeout is None else start + self.timeout
        if about_arrays(program) and not self.cycles:
            from heapwright.cli.commands.infer_arrays import array_report

            if self.closure is not None:
                raise InputError("--closure is of linked objects, and the function is about an array")
            return array_report(
                self.source,
                program,
                dict(self.lengths),
                deadline=deadline,
                tell=tell,
                send=send,
                iterate=self.iterate,
            )
        if self.lengths:
            raise InputError("--length is of an array, and the function accesses none")
        task = read(program, cycles=self.cycles)
        second = None if self.prover is None else Elsewhere.find(self.prover)
        inferred = infer(
            task,
            deadline=deadline,
            tell=tell,
            cache=Cache(default_path()),
            elsewhere=second,
            closure=self.closure or Closure.UPDATES,
            iterate=self.iterate,
        )
        send("running small heaps")
        objects = OBJECTS
        keys = bool(task.vocabulary.key)
        while (
            objects > 1
            and count(len(task.inputs), objects, keys=keys, fields=len(task.fields), cyclic=self.cycles) > MOST_HEAPS
        ):
            objects -= 1
        small = small_heaps(task, objects)
        send("choosing clauses")
        return _report(self.source, answer(inferred, small), objects)


def _report(source: Input, found: Answer, objects: int) -> PreconditionReport:
    from heapwright.cli.precondition_report import Presentation, precondition_report
    from heapwright.engines.infer.heaps.preconditions.clauses import clause_macro, clause_text, clause_words
    from heapwright.engines.infer.heaps.preconditions.pictures import assumptions, contract, heap_picture

    task = found.inferred.task
    return precondition_report(
        source,
        found,
        Presentation(
            words=lambda clause: clause_words(clause, task.fields),
            text=lambda clause: clause_text(clause, task.fields),
            macro=lambda clause: clause_macro(clause, task.fields),
            picture=lambda heap: heap_picture(task, heap),
            contract=contract(task, found.clauses),
            assumptions=assumptions(task),
            given="if it terminates" if task.vocabulary.cyclic else "given acyclic inputs, and if it terminates",
            tested=("heaps", "objects"),
            most=objects,
        ),
    )


def _rounds(text: str) -> int:
    if not text.isdecimal():
        raise UsageError(f"'{text}' is no number of rounds", hint="write --iterate 1")
    return int(text)


def _lengths(texts: list[str]) -> tuple[tuple[str, str], ...]:
    """What `--length a=n` says, an array and a parameter each."""
    found = []
    for text in texts:
        array, _, parameter = text.partition("=")
        if not array.isidentifier() or not parameter.isidentifier():
            raise UsageError(f"'{text}' names no array and its length", hint="write --length a=n")
        found.append((array, parameter))
    return tuple(found)


def execute(arguments: argparse.Namespace) -> int:
    values = resolve(arguments)
    source = input_of(arguments, values)
    if source.function is None:
        raise UsageError("a precondition is of a function", hint="name one with -f")
    timeout = values.limit("timeout")
    path = values.maybe("json")
    writable(path)
    closure = None if arguments.closure is None else Closure(arguments.closure)
    if arguments.allow_cycles and closure is not None:
        raise UsageError("--closure says how writes are followed, and with --allow-cycles there are none")
    if arguments.iterate and closure not in (None, Closure.UPDATES):
        raise UsageError("--iterate goes forwards, where what writes do is followed by updates alone")
    lengths = _lengths(arguments.length)
    task = _Task(source, timeout, lengths, arguments.allow_cycles, arguments.prover, closure, arguments.iterate)
    report = work(task, timeout=timeout, memory_mb=values.limit("memory"))
    console = sys.stderr if path == "-" else sys.stdout
    console.write(
        contract_text(report)
        if arguments.as_contract
        else precondition_text(report, verbose=arguments.verbose, ascii=arguments.ascii)
    )
    if path is not None:
        write_to(path, json.dumps(precondition_object(report), indent=2, ensure_ascii=False) + "\n")
    return 3 if report.impossible else 0
