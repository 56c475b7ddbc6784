"""Compiles a C test with gcc's sanitizers, runs it, and compares their report with the expected violation.

A report agrees if its kind matches and its first frame in the program is at the line of the violation; a leak agrees if
the block was allocated at the same line.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from heapwright.base.source import Span, printable
from heapwright.program.checks import LEAK_KINDS, CheckKind
from heapwright.program.trace import Violation
from heapwright.witness.runtime import RUNTIME_FILE

COMPILER = "gcc"
FLAGS = ("-g", "-std=gnu17", "-w", "-fwrapv", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")

# Undefined behaviour that is no violation for heapwright, or one only at the access: `&p->next` of a null p is address
# arithmetic, and an error only for -fsanitize=null.
ACCESSES_ONLY = "-fno-sanitize=null,alignment,pointer-overflow,shift,bool,enum,float-cast-overflow,vla-bound,return"

_COMPILE_SECONDS = 60
_RUN_SECONDS = 20

_SANITIZER = re.compile(r"^==\d+==ERROR: AddressSanitizer: (.*)$", re.MULTILINE)
_UNDEFINED = re.compile(r"^(.+?):(\d+):\d+: runtime error: (.*)$", re.MULTILINE)
_ASSERTION = re.compile(r"heapwright: (assertion failed)$", re.MULTILINE)
_LEAK = re.compile(r"heapwright: (leak) of block \d+ allocated at (.+):(\d+)$", re.MULTILINE)
_OWN_WORDS = re.compile(r"heapwright: (.*)$", re.MULTILINE)
_FRAME = re.compile(r"^\s*#\d+ 0x[0-9a-f]+ in (\S+) (.+?):(\d+)(?::\d+)?$")
_SYSTEM_PATH = re.compile(
    r"libsanitizer|^\.\./(?:sysdeps|csu|stdlib|string|stdio-common|libio|nptl)/|^/usr/(?:include|lib)"
)

_ACCESS = (
    r"heap-buffer-overflow|stack-buffer-(?:over|under)flow|global-buffer-overflow|dynamic-stack-buffer-overflow|"
    r"stack-use-after-(?:scope|return)|heap-use-after-free|use-after-poison|unknown-crash|wild-addr|SEGV|BUS"
)
_NULL = r"SEGV on unknown address 0x0{5,}[0-9a-f]{1,7} |.*null pointer"
_PATTERNS = {
    CheckKind.NULL_DEREF: _NULL,
    CheckKind.INVALID_DEREF: rf"{_ACCESS}|{_NULL}|.*misaligned address|.*insufficient space",
    CheckKind.USE_AFTER_FREE: r"heap-use-after-free",
    CheckKind.DOUBLE_FREE: r"attempting double-free",
    CheckKind.INVALID_FREE: r"attempting free on address which was not malloc|SEGV|BUS|bad-free",
    CheckKind.LEAK: r"leak",
    CheckKind.RESOURCE_LEAK: r"leak",
    CheckKind.ASSERT: r"assertion failed",
    CheckKind.SHAPE: r"assertion failed",
    CheckKind.BOUNDS: r"[a-z-]*buffer-(?:over|under)flow|unknown-crash|SEGV|BUS|index .* out of bounds|"
    r".*insufficient space|negative-size-param|.*misaligned address",
}


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Whether the test failed with the expected violation, or the `reason` why not; `output` of the test."""

    confirmed: bool
    output: str
    reason: str


@dataclass(frozen=True, slots=True)
class _Report:
    """The first error in the output: its message, and the spans that count as its location."""

    what: str
    spans: tuple[Span, ...]


def confirm(path: Path, violation: Violation, *, timeout: float = _RUN_SECONDS) -> Confirmation:
    compiler = shutil.which(COMPILER)
    if compiler is None:
        return Confirmation(False, "", f"{COMPILER} not found")
    answer = _attempt(compiler, path, violation, timeout, ())
    if answer.confirmed:
        return answer
    stricter = _attempt(compiler, path, violation, timeout, (ACCESSES_ONLY,))
    return stricter if stricter.confirmed else answer


def execute(path: Path, *, timeout: float = _RUN_SECONDS) -> str:
    """The output of a test, including sanitizer reports, or the reason why it could not be run."""
    compiler = shutil.which(COMPILER)
    if compiler is None:
        return f"{COMPILER} not found"
    output, problem = _run(compiler, path, timeout, (ACCESSES_ONLY,))
    return f"{problem}\n{output}" if problem else output


def _attempt(compiler: str, path: Path, violation: Violation, timeout: float, flags: tuple[str, ...]) -> Confirmation:
    output, problem = _run(compiler, path, timeout, flags)
    return Confirmation(False, output, problem) if problem else judge(output, violation)


def _run(compiler: str, path: Path, timeout: float, flags: tuple[str, ...]) -> tuple[str, str]:
    """The output of a test, and the reason why it cannot be judged ("" if it can)."""
    with tempfile.TemporaryDirectory(prefix="heapwright-") as folder:
        executable = Path(folder) / "test"
        problem = _compile(compiler, path, executable, flags)
        if problem is not None:
            return problem, "the test does not compile"
        environment = {name: value for name, value in os.environ.items() if not name.endswith("SAN_OPTIONS")}
        try:
            done = subprocess.run(
                [str(executable)],
                cwd=folder,
                env={**environment, "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired as expired:
            return _joined(expired.stdout, expired.stderr), f"the test did not terminate within {timeout:g} s"
        except OSError as error:
            return "", f"the test cannot be run: {error.strerror}"
    return _joined(done.stdout, done.stderr), ""


def _joined(output: bytes | None, errors: bytes | None) -> str:
    """The output of a program, then the reports about it, which begin a line even if its last one has no end."""
    printed = (output or b"").decode("utf-8", "replace")
    end = "\n" if printed and not printed.endswith("\n") else ""
    return printed + end + (errors or b"").decode("utf-8", "replace")


def _compile(compiler: str, path: Path, executable: Path, flags: tuple[str, ...]) -> str | None:
    """The compiler's errors; None on success. The comment at the top of the test has its files and extra flags."""
    match = re.search(
        rf"^ \*   {COMPILER} (.*) -lm && ", path.read_text(encoding="utf-8", errors="replace"), re.MULTILINE
    )
    words = match[1].split(" ") if match else [path.name]
    extra = [word for word in words if word.startswith("-m")]
    files = [str(path.parent.resolve() / word) for word in words if word.endswith(".c")]
    # without support for -m32, the 64-bit data model still shows most violations
    for wanted in [extra, []] if extra else [[]]:
        command = [compiler, *FLAGS, *flags, *wanted, *files, "-o", str(executable), "-lm"]
        try:
            done = subprocess.run(command, capture_output=True, timeout=_COMPILE_SECONDS, check=False)
        except (subprocess.TimeoutExpired, OSError) as error:
            return str(error)
        if done.returncode == 0:
            return None
    return done.stderr.decode("utf-8", "replace")


def judge(output: str, violation: Violation) -> Confirmation:
    """Compares the output of a test with the expected violation."""
    check = violation.check
    # a leak is reported at exit, which another failure may cause
    report = _leak(output) if check.kind in LEAK_KINDS else _first_report(output, check.error_function)
    if report is None:
        words = _OWN_WORDS.findall(output)
        return Confirmation(False, output, words[-1] if words else "the test ended without a report")
    if not re.match(_PATTERNS[check.kind], report.what):
        return Confirmation(False, output, f"the test failed with a different error: {report.what}")
    expected = violation.allocated if check.kind in LEAK_KINDS else check.span
    if expected is None or any(_same_line(span, expected) for span in report.spans):
        return Confirmation(True, output, "")
    found = f"{report.spans[0].file}:{report.spans[0].line}" if report.spans else "an unknown line"
    return Confirmation(False, output, f"the test failed at {found}, not at {expected.file}:{expected.line}")


def _leak(output: str) -> _Report | None:
    match = _LEAK.search(output)
    return _Report(match[1], (Span(match[2], int(match[3]), 0),)) if match else None


def _first_report(output: str, error_function: str) -> _Report | None:
    found = [match for p in (_SANITIZER, _UNDEFINED, _ASSERTION) if (match := p.search(output)) is not None]
    if not found:
        return None
    match = min(found, key=lambda m: m.start())
    if match.re is _UNDEFINED and RUNTIME_FILE not in match[1]:
        return _Report(match[3], (Span(match[1], int(match[2]), 0),))
    what = match[3] if match.re is _UNDEFINED else match[1]
    frames = _frames(output[match.end() :])
    # the line of the error function, or of its call
    in_error_function = bool(frames) and frames[0][0].removeprefix("hw_test_of_") == error_function
    calls = [span for _, span in frames[1:2] if in_error_function]
    return _Report(what, (*(span for _, span in frames[:1]), *calls))


def _frames(text: str) -> list[tuple[str, Span]]:
    """Functions and spans of the first stack in a report, innermost first, without runtime and system frames."""
    frames: list[tuple[str, Span]] = []
    begun = False
    for line in text.splitlines():
        if not line.lstrip().startswith("#"):
            if begun:
                break
            continue
        begun = True
        match = _FRAME.match(line)
        if match is None or RUNTIME_FILE in match[2] or _SYSTEM_PATH.search(match[2]):
            continue
        frames.append((match[1], Span(match[2], int(match[3]), 0)))
    return frames


def _same_line(found: Span, expected: Span) -> bool:
    if not expected.line <= found.line <= max(expected.line, expected.end_line):
        return False
    here, there = Path(found.file).parts, Path(printable(expected.file)).parts
    shorter = min(len(here), len(there))
    return here[-shorter:] == there[-shorter:]
