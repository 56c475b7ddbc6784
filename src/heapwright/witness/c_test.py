"""A run that breaks the program, written as a C test that fails at the same line.

The test is one file: a runtime that replays the run's choices, and the program's own text with its headers in place.
`gcc` with its sanitizers turns it into a program that reports what heapwright reported:

    path = write_c_test(program, run, Path("witnesses"))
    confirm(path, run.violation).confirmed

Every further file of a program that consists of several becomes a file beside the test; the test's first lines say how
to compile it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from heapwright.base.errors import InputError, UsageError
from heapwright.program.graph import Program
from heapwright.program.trace import Run, Violation
from heapwright.witness.inputs import function_call, initial_values
from heapwright.witness.runtime import RUNTIME_FILE, preamble, prelude, specification_header
from heapwright.witness.sanitizer_run import COMPILER, FLAGS, Confirmation, confirm
from heapwright.witness.source_text import Scan, c_string, inlined, scan

__all__ = ["Confirmation", "confirm", "write_c_test"]


def write_c_test(
    program: Program,
    run: Run,
    directory: Path,
    *,
    name: str | None = None,
    defines: Sequence[str] = (),
) -> Path:
    """Writes the test and returns its path. `defines` are the macros of the command line, as in `-DNAME=VALUE`."""
    violation = run.violation
    if violation is None:
        raise UsageError("a C test shows a violation, and this run has none")
    files = [file for file in program.files if file in program.sources]
    if not files:
        raise UsageError("a C test needs the text of the program, and none is known")
    own_headers = {"heapwright.h": (RUNTIME_FILE, specification_header())}
    texts = [inlined(file, program.sources, own_headers) for file in files]
    scans = [scan(text) for text in texts]
    texts = [_with_error_function_marked(text, each, violation) for text, each in zip(texts, scans, strict=True)]

    stem = name if name is not None else _default_name(violation)
    names = [f"{stem}.c", *(f"{stem}-{number}.c" for number in range(2, len(files) + 1))]
    before = "".join(f"#define {define.replace('=', ' ', 1)}\n" for define in defines) + prelude(run, scans)
    sections = [
        f"\n{before}{text}{_end(program, run, file, scans, number)}"
        for number, (file, text) in enumerate(zip(files, texts, strict=True))
    ]
    sections[0] = _opening(program, violation, names) + preamble(program, run, violation, scans) + sections[0]
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for file_name, section in zip(names, sections, strict=True):
            (directory / file_name).write_text(section, encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise InputError(f"cannot write the C test to '{directory}': {error.strerror}") from error
    return directory / names[0]


def _default_name(violation: Violation) -> str:
    """Such as `list-12-leak`."""
    file = re.sub(r"[^\w.-]", "_", Path(violation.check.span.file).stem) or "program"
    return f"{file}-{violation.check.span.line}-{violation.check.kind.value}"


def _opening(program: Program, violation: Violation, names: Sequence[str]) -> str:
    """The comment at the top; `confirm` reads the line with the compiler in it."""
    flags = [*FLAGS, *(["-m32"] if program.pointer_bits == 32 else [])]
    command = " ".join([COMPILER, *flags, *names, "-lm"])
    what = f"{violation.check.span}: {violation.message} [{violation.check.kind.value}]".replace("*/", "* /")
    return f"/* A run of the program, as a test that fails likewise:\n *   {what}\n *\n *   {command} && ./a.out\n */\n"


def _with_error_function_marked(text: str, found: Scan, violation: Violation) -> str:
    """A call of the error function is the failure, whatever its body does."""
    offset = found.defined.get(violation.check.error_function)
    if offset is None:
        return text
    return f"{text[:offset]} hw_test_of_reached(); {text[offset:]}"


def _end(program: Program, run: Run, file: str, scans: Sequence[Scan], number: int) -> str:
    """What stands behind a file's text: variables and the function under test get their inputs."""
    variables = initial_values(program, run, file, scans, number)
    under_test = program.entry.any_heap and program.entry.function in scans[number].defined
    call = function_call(program, run) if under_test else ""
    return (
        f"#line 1 {c_string(RUNTIME_FILE)}\nlong long hw_test_argument(int);\n{variables}{call}"
        if variables or call
        else ""
    )
