"""`heapwright verify-proof FILE`: check a certificate with the interpreter.

| exit code | meaning |
|---|---|
| 0 | every claim was checked, up to the given number of objects |
| 1 | the invariant is refuted by a heap |
| 2 | usage error, malformed certificate, or certificate mismatch |
| 3 | the check is incomplete: a time limit, or heaps of the program cannot be enumerated |
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from heapwright.analysis.limits.process import Send
from heapwright.analysis.pipeline import Input, build
from heapwright.base.errors import InputError, UsageError
from heapwright.cli.heap_lines import described
from heapwright.cli.parser import Parser
from heapwright.cli.worker_process import work
from heapwright.program.graph import Program
from heapwright.program.printer import format_command
from heapwright.proof.certificate import Certificate, read_certificate, require_match
from heapwright.proof.finite_states import EVERY
from heapwright.proof.refutation import Refutation, SectionCheck
from heapwright.proof.small_heaps import LENGTHS, has_variable_lengths
from heapwright.proof.verify import verify

DEFAULT_OBJECTS = 4
DEFAULT_SECONDS = 300.0
EXITS = {0: "every claim was checked", 1: "the invariant is refuted", 3: "the check is incomplete"}


def add_arguments(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="certificate written by 'heapwright check --proof FILE'")
    parser.add_argument(
        "--objects",
        type=int,
        default=DEFAULT_OBJECTS,
        metavar="N",
        help=f"maximum number of objects per heap (default {DEFAULT_OBJECTS})",
    )
    parser.add_argument(
        "--timeout",
        type=float,
        default=DEFAULT_SECONDS,
        metavar="S",
        help=f"time limit in seconds; the extent of the check is reported (default {DEFAULT_SECONDS:g}; 0: none)",
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="print the claims, and tracebacks of errors")


def execute(arguments: argparse.Namespace) -> int:
    if arguments.objects < 0 or arguments.timeout < 0:
        raise UsageError("'objects' and 'timeout' must be non-negative")
    certificate = read_certificate(_text(arguments.file))
    task = _Task(certificate, arguments.objects, arguments.timeout or None, arguments.verbose)
    report = work(task)
    print("\n".join(report.lines))
    return report.code


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"'{path}' is not a certificate: not UTF-8 text") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read '{path}': {getattr(error, 'strerror', None) or error}") from None


@dataclass(frozen=True)
class VerificationReport:
    lines: tuple[str, ...]
    code: int


@dataclass(frozen=True)
class _Task:
    certificate: Certificate
    objects: int
    timeout: float | None
    verbose: bool

    def __call__(self, send: Send) -> VerificationReport:
        deadline = None if self.timeout is None else time.monotonic() + self.timeout
        program = build(input_from(self.certificate), send)
        require_match(self.certificate, program)
        last = 0.0

        def progress(text: str) -> None:
            nonlocal last
            if time.monotonic() - last > 0.2:
                last = time.monotonic()
                send(f"verifying: {text}")

        sections = self.certificate.sections
        goal = self.certificate.goal
        found = verify(program, goal, sections, objects=self.objects, deadline=deadline, progress=progress)
        lines = [line for one in found for line in self._lines(one, program)]
        refuted = any(one.refutation is not None for one in found)
        whole = all(one.whole(self.objects) and not one.undecided_heaps for one in found)
        return VerificationReport((*lines, self._summary(found, refuted, whole)), 1 if refuted else 0 if whole else 3)

    def _lines(self, one: SectionCheck, program: Program) -> Iterator[str]:
        yield f"{one.engine}: {len(one.claims)} checks claimed, {one.heaps} heaps, {one.steps} steps"
        if self.verbose:
            yield from (f"  {claim}" for claim in one.claims)
        if one.refutation is not None:
            yield from _shown(one.refutation, program)
        elif one.incomplete:
            yield f"  {one.incomplete}" + "; time ran out" * one.timed_out
        elif one.engine != "explore":
            yield f"  {_extent(one, self.objects)}"
            if has_variable_lengths(program):
                yield f"  arrays of variable length had up to {LENGTHS[-1]} cells; pointers into longer ones were near"
                yield "  their ends"
        if one.undecided_heaps:
            yield f"  membership is undecided for {one.undecided_heaps} heaps"
        if one.sampled_integers:
            yield "  only representative integer values were tried"

    def _summary(self, found: Sequence[SectionCheck], refuted: bool, whole: bool) -> str:
        if refuted:
            return "rejected: the invariant is not inductive, or a claimed check fails"
        claims = {claim for one in found for claim in one.claims}
        bounded = any(reached < EVERY for one in found for reached in one.checked_objects.values())
        if not whole:
            return f"not refuted: {len(claims)} claims, but the check is incomplete"
        return f"accepted: {len(claims)} claims checked" + (f" up to {self.objects} objects" if bounded else "")


def _extent(one: SectionCheck, objects: int) -> str:
    """The extent of a check: `checked up to 4 objects at 20 of 42 locations, up to 3 at 22`."""
    count = len(one.checked_objects)
    if one.locations(objects) == count:
        return f"checked up to {objects} objects at all {count} locations"
    text = f"checked up to {objects} objects at {one.locations(objects)} of {count} locations"
    for fewer in range(objects - 1, -1, -1):
        here = one.locations(fewer) - one.locations(fewer + 1)
        if here:
            text += f", up to {fewer} at {here}"
    return text + "; time ran out" * one.timed_out


def _shown(refutation: Refutation, program: Program) -> Iterator[str]:
    if refutation.edge is None or refutation.before is None:
        yield "  the state at the entry does not contain the initial heap:"
        yield from described(program, refutation.after)
        return
    yield f"  at {refutation.edge.span} the state contains this heap:"
    yield from described(program, refutation.before)
    command = format_command(refutation.edge.command)
    if refutation.check is not None:
        yield f"  and '{command}' violates {refutation.check.id}, which is claimed proved"
        return
    span = program.graph.locations[refutation.after.location].span
    yield f"  and '{command}' leads to this heap, which the state at {span} does not contain:"
    yield from described(program, refutation.after)


# --- the program of a certificate -------------------------------------------------------------------------------------


OF_ONE_PROCESS = ("snapshot", "executed")  # parts of an input that are no options of its program


def input_table(source: Input) -> dict[str, object]:
    """The input options of a program as plain data."""
    names = [field.name for field in fields(source) if field.name not in OF_ONE_PROCESS]
    table = {name: getattr(source, name) for name in names}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in table.items()}


def input_from(certificate: Certificate) -> Input:
    plain = Input(("a.c",))
    table: dict[str, Any] = {}
    for name, value in certificate.input.items():
        known = name in plain.__dataclass_fields__ and name not in OF_ONE_PROCESS
        default = getattr(plain, name) if known else 0
        table[name] = tuple(value) if isinstance(default, tuple) and isinstance(value, list) else value
        if (default == 0 and not isinstance(default, bool)) or not _fits(table[name], default):
            raise InputError(f"the certificate is malformed (invalid input option '{name}')")
    if not table.get("files"):
        raise InputError("the certificate is malformed (no input files)")
    return Input(**table)


def _fits(value: object, default: object) -> bool:
    """Whether an input option has the type of its default value."""
    match default:
        case bool():
            return isinstance(value, bool)
        case tuple():
            return isinstance(value, tuple) and all(isinstance(one, str) for one in value)
        case None:
            return value is None or isinstance(value, str)
    return isinstance(value, str)
