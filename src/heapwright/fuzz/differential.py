"""The interpreter against a real compiler: the same program, the same inputs, the same errors or the same result.

A random run of the interpreter becomes C tests that replay its choices under gcc's sanitizers: one for each leak on the
way, and one for its end. A violation must be shown there at the same line in the same way; a run that does not end by
one must end with the same checksum.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from heapwright.base.source import Span
from heapwright.c.lower import lower
from heapwright.c.options import ParseOptions
from heapwright.c.parse import parse
from heapwright.fuzz.generators.pointer_programs import generate
from heapwright.program.checks import Check, CheckKind, Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.runs.interpreter import run
from heapwright.program.trace import Ending, Run, Violation
from heapwright.witness.c_test import confirm, write_c_test
from heapwright.witness.sanitizer_run import execute

WITHOUT_LEAKS = Goal(kinds=frozenset(CheckKind) - {CheckKind.LEAK}, name="all but leaks")


@dataclass(frozen=True, slots=True)
class Comparison:
    """`agrees` is None where the two cannot be compared; `detail` says why, or how they differ."""

    seed: int
    agrees: bool | None
    ending: str
    detail: str
    text: str


def compare(seed: int, *, size: int = 12, leaks: bool | None = None) -> Comparison:
    """One random program and one random run of it. Every other seed checks for leaks too."""
    text = generate(seed, size)
    goal = Goal() if (seed % 2 == 0 if leaks is None else leaks) else WITHOUT_LEAKS
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / f"random_{seed}.c"
        file.write_text(text, encoding="utf-8")
        program = lower([parse(str(file), ParseOptions())])
        made = run(program, goal, RandomChoices(seed), max_steps=20_000, trace=True)
        for violation, part in made.failures:
            ending = violation.check.id.rpartition("/")[2]
            if not part.exact:
                return Comparison(seed, None, ending, "depends on an approximation", text)
            confirmed = confirm(write_c_test(program, part, Path(directory)), violation)
            # a dead variable's slot on the stack may keep the address of a block that has leaked
            leak = violation.check.kind is CheckKind.LEAK
            stale = leak and confirmed.reason.endswith("still reachable")
            if stale or not confirmed.confirmed or not leak:
                detail = f"{confirmed.reason}\n{confirmed.output}"
                return Comparison(seed, None if stale else confirmed.confirmed, ending, detail, text)
        if made.ending is not Ending.EXIT or not made.exact:
            return Comparison(seed, None, made.ending.value, made.reason or "depends on an approximation", text)
        nothing = Violation(Check(CheckKind.NULL_DEREF, Span(str(file), 1, 1), "main"), "nothing is wrong")
        output = execute(write_c_test(program, replace(made, violation=nothing), Path(directory)))
        agrees, detail = _same_result(made, output)
        return Comparison(seed, agrees, "leak and exit" if made.leaks else "exit", detail, text)


def _same_result(made: Run, output: str) -> tuple[bool, str]:
    printed = re.search(r"^checksum (\d+)$", output, re.MULTILINE)
    expected = checksum(made)
    if printed is None:
        return False, f"no checksum is printed, {expected} was expected:\n{output}"
    return printed.group(1) == expected, f"checksum {printed.group(1)}, the interpreter has {expected}"


def checksum(made: Run) -> str:
    """The value of the global at the end."""
    for step in reversed(made.steps):
        if step.heap is not None:
            return dict(step.heap.data).get("checksum", "?")
    return "?"
