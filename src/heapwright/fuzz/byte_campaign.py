"""The interpreter against a compiler, on programs that look at memory byte by byte: many of them in one executable.

The programs have no inputs, so that one run decides: it ends with the same checksum, or at the same line with an error.

    for comparison in compare_bytes(range(40)): ...
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from heapwright.c.lower import lower
from heapwright.c.options import ParseOptions
from heapwright.c.parse import parse
from heapwright.fuzz.differential import WITHOUT_LEAKS, Comparison
from heapwright.fuzz.generators.byte_programs import HEADER, generate
from heapwright.program.choices import RandomChoices
from heapwright.program.runs.interpreter import Machine, finish
from heapwright.program.semantics.state import Garbage
from heapwright.program.trace import Ending
from heapwright.witness.sanitizer_run import ACCESSES_ONLY, COMPILER, FLAGS

BATCH = 40  # programs in one call of the compiler
RUN_SECONDS = 20
MOST_STEPS = 200_000
ENVIRONMENT = {"ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0"}
_FRAME = re.compile(r"(?:^\s*#\d+ .* |^)(?:\S*/)?batch\.c:(\d+)", re.MULTILINE)


def compare_bytes(seeds: Sequence[int]) -> Iterator[Comparison]:
    """Each program as gcc with sanitizers sees it, and as the interpreter does."""
    with tempfile.TemporaryDirectory(prefix="heapwright-") as folder:
        starts = _compile(seeds, Path(folder))
        for number, seed in enumerate(seeds):
            yield _compare(seed, number, starts[number], Path(folder))


def program(seed: int) -> str:
    """The text of one program on its own."""
    main = f"int main(void)\n{{\n    run_{seed}();\n    checksum = checksum_{seed};\n    return 0;\n}}\n"
    return HEADER + generate(seed) + "unsigned long checksum;\n" + main


def _compile(seeds: Sequence[int], folder: Path) -> list[int]:
    """Makes the executable; the lines before each program in its text."""
    text, starts = HEADER + "#include <stdio.h>\n", []
    for seed in seeds:
        starts.append(text.count("\n"))
        text += generate(seed)
    cases = "".join(
        f'    case {number}: run_{seed}(); printf("checksum %lu\\n", checksum_{seed}); return 0;\n'
        for number, seed in enumerate(seeds)
    )
    text += f"int main(int argc, char **argv)\n{{\n    switch (atoi(argv[1])) {{\n{cases}    }}\n    return 1;\n}}\n"
    (folder / "batch.c").write_text(text, encoding="utf-8")
    command = [COMPILER, *FLAGS, ACCESSES_ONLY, "-fno-builtin", str(folder / "batch.c"), "-o", str(folder / "batch")]
    subprocess.run(command, check=True, capture_output=True)
    return starts


def _compare(seed: int, number: int, start: int, folder: Path) -> Comparison:
    text = program(seed)
    file = folder / f"bytes_{seed}.c"
    file.write_text(text, encoding="utf-8")
    lowered = lower([parse(str(file), ParseOptions())])
    machine = Machine(lowered, WITHOUT_LEAKS, garbage=Garbage.ALL)
    state = machine.start(RandomChoices(seed))
    made = finish(machine, state, MOST_STEPS)
    environment = {**os.environ, **ENVIRONMENT}
    done = subprocess.run(
        [str(folder / "batch"), str(number)], capture_output=True, text=True, timeout=RUN_SECONDS, env=environment
    )
    if not made.exact or made.ending not in (Ending.EXIT, Ending.VIOLATION):
        return Comparison(seed, None, made.ending.value, made.reason or "depends on an approximation", text)
    printed = re.search(r"^checksum (\d+)$", done.stdout, re.MULTILINE)
    frame = _FRAME.search(done.stderr)
    theirs = f"checksum {printed.group(1)}" if printed else f"error at {int(frame.group(1)) - start if frame else '?'}"
    ours = f"checksum {dict(zip(lowered.variables, state.vars, strict=True)).get('checksum')}"
    if made.violation is not None:
        ours = f"error at {made.violation.check.span.line - HEADER.count(chr(10))}"
    agrees = ours == theirs
    return Comparison(seed, agrees, made.ending.value, f"{ours} here, {theirs} there\n{done.stderr[:2000]}", text)
