"""The interpreter against gcc's sanitizers on programs of library calls, many of them in one executable.

Each program is executed with its input: it prints the same and ends normally in both, or fails at the same line. A
program that reads nothing is also run with the models that engines see, where its checksum is the same.

    for comparison in compare_library(range(40)): ...
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from heapwright.base.errors import HeapwrightError
from heapwright.c.ast import TranslationUnit
from heapwright.c.lower import lower
from heapwright.c.options import ParseOptions
from heapwright.c.parse import parse
from heapwright.fuzz.differential import WITHOUT_LEAKS, Comparison, checksum
from heapwright.fuzz.library.programs import HEADER, LibraryProgram, generate
from heapwright.program.choices import ChoiceRequest, RandomChoices
from heapwright.program.runs.console import RealConsole
from heapwright.program.runs.interpreter import run
from heapwright.program.trace import Ending, Run
from heapwright.witness.sanitizer_run import ACCESSES_ONLY, COMPILER, FLAGS

BATCH = 40  # programs in one call of the compiler
RUN_SECONDS = 20
MOST_STEPS = 400_000
ENVIRONMENT = {"ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0", "LC_ALL": "C"}
_FRAME = re.compile(r"(?:^\s*#\d+ .* |^)(?:\S*/)?batch\.c:(\d+)", re.MULTILINE)
_CHECKSUM = re.compile(r"^checksum (\d+)$", re.MULTILINE)
_HEAD = HEADER.count("\n")


@dataclass(frozen=True, slots=True)
class _Behaviour:
    """What a program printed, and the line of its own text at which it failed (0: it did not)."""

    output: str
    line: int

    def __str__(self) -> str:
        return f"error at {self.line}" if self.line else repr(self.output)


class _Succeeding(RandomChoices):
    """Of an environment that prints all that it is asked to, and of exact runs where there is a choice."""

    def value(self, request: ChoiceRequest) -> int | None:
        chosen = super().value(request)
        return min(max(0, request.low), request.high) if request.source.startswith("input of") else chosen

    def pick(self, request: ChoiceRequest, options: Sequence[int]) -> int:
        real = request.real
        return real if real is not None and real in options else super().pick(request, options)


def compare_library(seeds: Sequence[int]) -> Iterator[Comparison]:
    programs = [generate(seed) for seed in seeds]
    with tempfile.TemporaryDirectory(prefix="heapwright-") as name:
        folder = Path(name)
        starts = _compile(programs, folder)
        for number, (program, start) in enumerate(zip(programs, starts, strict=True)):
            yield _compare(program, _real(program, number, start, folder), folder)


def whole_text(program: LibraryProgram) -> str:
    """The text of one program on its own, with its input in a comment at the end. The test of the checksum makes a run
    depend on the approximations in it."""
    seed = program.seed
    main = f"unsigned long checksum;\nint main(void)\n{{\n    run_{seed}();\n    checksum = checksum_{seed};\n"
    return HEADER + program.text + main + f"    return checksum == 0;\n}}\n// input: {program.input!r}\n"


# --- gcc -------------------------------------------------------------------------------------------------------------


def _compile(programs: Sequence[LibraryProgram], folder: Path) -> list[int]:
    """Makes the executable; the lines before each program in its text."""
    text, starts = HEADER, []
    for program in programs:
        starts.append(text.count("\n"))
        text += program.text
    cases = "".join(f"    case {n}: run_{program.seed}(); return 0;\n" for n, program in enumerate(programs))
    text += "int main(int argc, char **argv)\n{\n    setvbuf(stdout, NULL, _IONBF, 0);\n"
    text += f"    switch (atoi(argv[1])) {{\n{cases}    }}\n    return 1;\n}}\n"
    (folder / "batch.c").write_text(text, encoding="utf-8")
    command = [COMPILER, *FLAGS, ACCESSES_ONLY, "-fno-builtin", str(folder / "batch.c"), "-o", str(folder / "batch")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise HeapwrightError(f"a batch does not compile:\n{done.stderr[:2_000]}")
    return starts


def _real(program: LibraryProgram, number: int, start: int, folder: Path) -> _Behaviour:
    done = subprocess.run(
        [str(folder / "batch"), str(number)],
        input=program.input,
        capture_output=True,
        timeout=RUN_SECONDS,
        env={**os.environ, **ENVIRONMENT},
        check=False,
    )
    frame = _FRAME.search(done.stderr.decode("utf-8", "replace"))
    failed = done.returncode != 0
    line = int(frame[1]) - start if frame is not None else -1
    return _Behaviour(done.stdout.decode("latin-1"), line if failed else 0)


# --- the interpreter -------------------------------------------------------------------------------------------------


def _compare(program: LibraryProgram, real: _Behaviour, folder: Path) -> Comparison:
    text = whole_text(program)
    file = folder / f"library_{program.seed}.c"
    file.write_text(text, encoding="utf-8")
    unit = parse(str(file), ParseOptions())
    output = io.BytesIO()
    console = RealConsole(io.BytesIO(program.input), output, io.BytesIO(), seed=program.seed)
    executed = lower([unit], executed=("library",))
    made = run(executed, WITHOUT_LEAKS, console, max_steps=MOST_STEPS, console=console)
    ours = _Behaviour(output.getvalue().decode("latin-1"), _line(made))
    compared = _judged(program.seed, made, ours, real, text)
    if compared.agrees is not True or program.reads:
        return compared
    return _with_models(program, unit, real, text)


def _with_models(program: LibraryProgram, unit: TranslationUnit, real: _Behaviour, text: str) -> Comparison:
    """A run with the models that engines see, which print nothing: its checksum."""
    made = run(lower([unit]), WITHOUT_LEAKS, _Succeeding(program.seed), max_steps=MOST_STEPS, trace=True)
    ours = _Behaviour("" if made.violation else checksum(made), _line(made))
    printed = _CHECKSUM.search(real.output)
    return _judged(program.seed, made, ours, replace(real, output=printed[1] if printed else "?"), text)


def _judged(seed: int, made: Run, ours: _Behaviour, real: _Behaviour, text: str) -> Comparison:
    if not made.exact or made.ending not in (Ending.EXIT, Ending.VIOLATION):
        return Comparison(seed, None, made.ending.value, made.reason or "depends on an approximation", text)
    agrees = ours.line == real.line if real.line or ours.line else ours.output == real.output
    return Comparison(seed, agrees, made.ending.value, f"{ours} here, {real} there", text)


def _line(made: Run) -> int:
    return 0 if made.violation is None else made.violation.check.span.line - _HEAD
