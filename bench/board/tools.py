"""The tools: heapwright with one engine or all, and those peers that are on the machine.

A tool turns a task into a command, and what the command printed into an answer. TVLA is no peer here, since it reads no
C: `tvla.py` runs it on specifications.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from board.tasks import Answer, Task

GRACE = 15.0  # seconds that a tool may take beyond its own limit


@dataclass(frozen=True)
class Printed:
    code: int
    output: str
    errors: str
    seconds: float
    processor: float
    stopped: bool


class Tool(Protocol):
    @property
    def name(self) -> str: ...

    def command(self, task: Task, file: Path, limit: float) -> list[str]: ...

    def answer(self, task: Task, printed: Printed) -> tuple[str, str]:
        """What it said, and a remark."""
        ...


def ask(tool: Tool, task: Task, checkout: Path, limit: float) -> Answer:
    printed = run(tool.command(task, checkout / task.path, limit), limit + GRACE)
    said, remark = ("unknown", "it was stopped") if printed.stopped else tool.answer(task, printed)
    times = round(printed.seconds, 2), round(printed.processor, 2)
    return Answer(tool.name, task.path, task.property, limit, said, *times, remark)


def run(command: list[str], limit: float) -> Printed:
    """Runs a command with its descendants in a group of their own; `wait4` tells what they took of the processors."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        begin = time.monotonic()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True
        )
        stopped = threading.Event()

        def stop() -> None:
            stopped.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(limit, stop)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        seconds = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    used = usage.ru_utime + usage.ru_stime
    return Printed(process.returncode, texts[0], texts[1], seconds, used, stopped.is_set())


@dataclass(frozen=True)
class Heapwright:
    """An engine, or all, with options; `shown` is its name on the board, by default that of the engine. By the rules of
    the competition functions without a body change nothing, which no property implies: `externals` does."""

    engine: str
    extra: tuple[str, ...] = ()
    shown: str = ""
    externals: str = "pure"

    @property
    def name(self) -> str:
        return self.shown or self.engine

    def command(self, task: Task, file: Path, limit: float) -> list[str]:
        options = ["--property", task.property, "--data-model", task.data_model, "--timeout", f"{limit:g}"]
        options += ["--externals", self.externals]
        return [
            sys.executable,
            "-m",
            "heapwright",
            "check",
            str(file),
            "--engine",
            self.engine,
            *self.extra,
            *options,
            "--json",
            "-",
        ]

    def answer(self, task: Task, printed: Printed) -> tuple[str, str]:
        if printed.code not in (0, 1, 3):
            return "refused", (printed.errors.strip().splitlines() or [""])[-1]
        report = json.loads(printed.output)
        violated = [check for check in report["checks"] if check["verdict"] == "violated"]
        remark = f"line {violated[0]['line']}: {violated[0]['message']}" if violated else report.get("limit") or ""
        return report["svcomp"], remark or report["engine"]


@dataclass(frozen=True)
class Predator:
    """A checkout that has been built; its own script answers in SV-COMP's words."""

    checkout: Path
    name: str = "predator"

    def command(self, task: Task, file: Path, limit: float) -> list[str]:
        script = str(self.checkout / "sl_build" / "check-property.sh")
        bits = "-m64" if task.data_model == "LP64" else "-m32"
        return ["sh", "-c", _WITH_PROPERTY, "sh", _property_text(task.property), f"{limit:g}", script, str(file), bits]

    def answer(self, task: Task, printed: Printed) -> tuple[str, str]:
        found = re.findall(r"\b(TRUE|FALSE(?:\([a-z-]+\))?|UNKNOWN)", printed.output)
        said = found[-1].lower() if found else "unknown"
        return f"false({task.property})" if said == "false" else said, ""


_WITH_PROPERTY = """
file=$(mktemp) && trap 'rm -f "$file"' EXIT && printf '%s' "$1" > "$file" &&
timeout "$2" "$3" --propertyfile "$file" --trace /dev/null -- "$4" "$5" 2> /dev/null
"""


def _property_text(name: str) -> str:
    if name == "unreach-call":
        return "CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\n"
    parts = ["valid-memcleanup"] if name == "valid-memcleanup" else ["valid-free", "valid-deref", "valid-memtrack"]
    return "".join(f"CHECK( init(main()), LTL(G {part}) )\n" for part in parts)


# What linters call the things that a property is about. They know nothing of assertions.
KINDS = {
    "gcc": {
        "valid-deref": "null-dereference|use-after-free|use-of-uninitialized-value|out-of-bounds|null-argument",
        "valid-free": "double-free|free-of-non-heap|mismatching-deallocation",
        "valid-memtrack": "malloc-leak",
    },
    "clang": {
        "valid-deref": "core.NullDereference|core.uninitialized|core.NonNullParamChecker|use-after-free",
        "valid-free": "double-free|unix.MismatchedDeallocator|bad-free",
        "valid-memtrack": "leak",
    },
    "cppcheck": {
        "valid-deref": "nullPointer|deallocuse|uninit|arrayIndexOutOfBounds|useAfterFree",
        "valid-free": "doubleFree|autovarInvalidDeallocation|mismatchAllocDealloc",
        "valid-memtrack": "memleak|resourceLeak",
    },
}


@dataclass(frozen=True)
class Linter:
    """A compiler or linter: its first complaint that the property is about, or silence."""

    name: str
    program: str

    def command(self, task: Task, file: Path, limit: float) -> list[str]:
        width = ["-m64"] if task.data_model == "LP64" else ["-m32"]
        match self.name:
            case "gcc":
                arguments = ["-fanalyzer", "-S", "-o", os.devnull, *width, "-x", "c"]
            case "clang":
                arguments = ["--analyze", "-Xclang", "-analyzer-output=text", "-o", os.devnull, *width, "-x", "c"]
            case _:
                platform = "unix64" if task.data_model == "LP64" else "unix32"
                arguments = ["--language=c", "--inconclusive", f"--platform={platform}", "--template={line}: {id}"]
        return ["timeout", f"{limit:g}", self.program, *arguments, str(file)]

    def answer(self, task: Task, printed: Printed) -> tuple[str, str]:
        complaints = printed.errors + printed.output
        for part, words in KINDS[self.name].items():
            found = re.search(f".*({words}).*", complaints)
            if found and task.property not in ("unreach-call", "no-overflow"):
                return f"false({part})", found.group()[:120]
        return "silent", ""


def peers(predator: Path | None) -> list[Tool]:
    """Those that are on the machine."""
    found: list[Tool] = [Predator(predator)] if predator is not None else []
    return found + [Linter(name, path) for name in KINDS if (path := shutil.which(name)) is not None]
