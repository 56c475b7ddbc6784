"""Violation witness as an executable C test that fails at the same line.

The test is one file: a runtime that replays the choices of the run, and the text of the program with its headers
inlined. Compiled by `gcc` with sanitizers, it reports the same violation:

    path = write_c_test(program, run, Path("witnesses"))
    confirm(path, run.violation).confirmed

Each further file of a program becomes a file beside the test; the comment at the top has the command that compiles it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from heapwright.base.errors import UsageError
from heapwright.base.output_files import make_folder, write_whole
from heapwright.base.source import file_stem, printable
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
        raise UsageError("a C test requires a run with a violation")
    files = [file for file in program.files if file in program.sources]
    if not files:
        raise UsageError("a C test requires the source text of the program, which is not available")
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
    make_folder(str(directory))
    for file_name, section in zip(names, sections, strict=True):
        write_whole(str(directory / file_name), section, errors="surrogateescape")
    return directory / names[0]


def _default_name(violation: Violation) -> str:
    """Such as `list-12-leak`."""
    return f"{file_stem(violation.check.span.file)}-{violation.check.span.line}-{violation.check.kind.value}"


def _opening(program: Program, violation: Violation, names: Sequence[str]) -> str:
    """The comment at the top; `confirm` parses its compiler command."""
    flags = [*FLAGS, *(["-m32"] if program.pointer_bits == 32 else [])]
    command = " ".join([COMPILER, *flags, *names, "-lm"])
    what = f"{violation.check.span}: {violation.message} [{violation.check.kind.value}]"
    what = printable(what).replace("*/", "* /").replace("??", "?\\?")
    return f"/* C test of a violating run; it fails with\n *   {what}\n *\n *   {command} && ./a.out\n */\n"


def _with_error_function_marked(text: str, found: Scan, violation: Violation) -> str:
    """Inserts the failure at the start of the error function: reaching it is the violation."""
    offset = found.defined.get(violation.check.error_function)
    if offset is None:
        return text
    return f"{text[:offset]} hw_test_of_reached(); {text[offset:]}"


def _end(program: Program, run: Run, file: str, scans: Sequence[Scan], number: int) -> str:
    """The text after a file: inputs of variables, and of the function under test."""
    variables = initial_values(program, run, file, scans, number)
    under_test = program.entry.any_heap and program.entry.function in scans[number].defined
    call = function_call(program, run) if under_test else ""
    return (
        f"#line 1 {c_string(RUNTIME_FILE)}\nlong long hw_test_argument(int);\n{variables}{call}"
        if variables or call
        else ""
    )
