"""Programs and runs without a front end: a C text whose comments mark the places, and the choices by hand.

`// HERE` marks the line of the violation, `// ALLOC` the line of the allocation concerned.
"""

from __future__ import annotations

from pathlib import Path

from heapwright.base.source import NOWHERE, Span
from heapwright.program.checks import Check, CheckKind
from heapwright.program.commands import Command
from heapwright.program.graph import Entry, Graph, Location, Program
from heapwright.program.trace import Choice, ChoiceKind, Ending, Run, Violation


def marked(text: str, mark: str, file: str = "list.c") -> Span | None:
    for number, line in enumerate(text.splitlines(), 1):
        if f"// {mark}" in line:
            return Span(file, number, 1)
    return None


def call(text: str, function: str, value: int, mark: str = "", file: str = "list.c") -> Choice:
    """The choice of a call; `mark` names the comment on its line, else it is the function's first call."""
    place = marked(text, mark, file) if mark else None
    if place is None:
        lines = enumerate(text.splitlines(), 1)
        number = next((n for n, line in lines if f"{function}(" in line and ";" in line and "extern" not in line), 1)
        place = Span(file, number, 1)
    return Choice(ChoiceKind.INPUT, function, value, place)


def uninitialised(value: int, block: int = -1, offset: int = 0, size: int = 4) -> Choice:
    return Choice(ChoiceKind.INPUT, "uninitialised", value, NOWHERE, block, offset, size)


def program_of(sources: dict[str, str], files: tuple[str, ...] = (), entry: Entry | None = None) -> Program:
    graph: Graph[Command] = Graph((Location(0, NOWHERE, "main"),), (), 0)
    return Program(graph, {}, {}, entry or Entry(), sources=sources, files=files or tuple(sources)[:1])


def run_of(
    text: str,
    kind: CheckKind,
    *choices: Choice,
    file: str = "list.c",
    block: int = -1,
    error_function: str = "",
    cleanup: bool = False,
) -> Run:
    here = marked(text, "HERE", file)
    assert here is not None or kind is CheckKind.LEAK
    check = Check(kind, here or Span(file, 1, 1), "main", error_function=error_function, cleanup=cleanup)
    violation = Violation(check, "wrong", allocated=marked(text, "ALLOC", file), block=block)
    return Run(choices, (), Ending.VIOLATION, violation)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path
