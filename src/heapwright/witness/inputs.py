"""Inputs of a C test: values of variables that are declared elsewhere, and the call of a function whose parameters are
inputs (`--function f`).

Each parameter gets its choice: the one whose span is inside its declaration, else the next one in the function's
heading. The objects that pointers point to are built by the runtime before the call.

    void hw_test_call_function(void)
    {
        ((long long (*)())insert)((void *)hw_test_argument(0), (long)hw_test_argument(1));
    }
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from heapwright.program.graph import Program
from heapwright.program.trace import Run
from heapwright.witness.runtime import listed_choices
from heapwright.witness.source_text import Heading, Scan, heading_of

# Variables that the C library defines.
_LIBRARY_OBJECTS = frozenset(
    re.findall(
        r"\w+",
        "stdin stdout stderr environ errno optarg optind opterr optopt signgam timezone daylight tzname sys_nerr "
        "sys_errlist program_invocation_name",
    )
)


@dataclass(frozen=True, slots=True)
class _Parameter:
    text: str
    start: int  # offsets in the file
    end: int

    @property
    def ctype(self) -> str:
        """A type with the same calling convention."""
        if "*" in self.text or "[" in self.text:
            return "void *"
        return "long long" if re.search(r"\blong\s+long\b", self.text) else "long"


def function_call(program: Program, run: Run) -> str:
    """The definition of the function that the runtime's `main` calls."""
    function = program.entry.function
    arguments: list[str] = []
    for file in program.files:
        heading = heading_of(program.sources.get(file, ""), function)
        if heading is not None:
            arguments = _arguments(program.sources[file], file, heading, run)
            break
    call = f"((long long (*)()){function})({', '.join(arguments)});"
    return f"void hw_test_call_function(void)\n{{\n    {call}\n}}\n"


def _arguments(text: str, file: str, heading: Heading, run: Run) -> list[str]:
    parameters = [_Parameter(text[start:end], start, end) for start, end in heading.parameters]
    starts = _line_starts(text)
    inside: dict[int, int] = {}
    others: list[int] = []
    for index, choice in enumerate(listed_choices(run)):
        span = choice.span
        if span.file != file or not 1 <= span.line <= len(starts):
            continue
        offset = starts[span.line - 1] + max(span.column - 1, 0)
        owner = next((n for n, p in enumerate(parameters) if p.start <= offset < p.end), None)
        if owner is not None:
            inside.setdefault(owner, index)
        elif heading.start <= offset <= heading.end:
            others.append(index)
    arguments: list[str] = []
    for number, parameter in enumerate(parameters):
        chosen = inside[number] if number in inside else others.pop(0) if others else None
        arguments.append("0" if chosen is None else f"({parameter.ctype})hw_test_argument({chosen})")
    return arguments


def initial_values(program: Program, run: Run, file: str, scans: Sequence[Scan], number: int) -> str:
    """Definitions of variables that file number `number` uses and no file defines, and a constructor that initialises
    those with a choice in the run."""
    found = scans[number]
    defined = {name for each in scans for name in each.variables}
    before = {name for each in scans[:number] for name in each.externs & each.mentioned}
    missing = sorted(
        name
        for name in (found.externs & found.mentioned) - defined - before - _LIBRARY_OBJECTS
        if not name.startswith("_")
    )
    lines = [f"__typeof__({name}) {name};\n" for name in missing]
    settable = set(missing) | (found.variables if program.entry.any_heap else frozenset())
    values = _global_choices(program, run, file)
    assignments = [
        f"    {name} = (__typeof__({name}))hw_test_argument({index});\n"
        for name, index in sorted(values.items())
        if name in settable
    ]
    if assignments:
        body = "".join(assignments)
        lines.append(f"__attribute__((constructor)) static void hw_test_set_variables(void)\n{{\n{body}}}\n")
    return "".join(lines)


def _global_choices(program: Program, run: Run, file: str) -> dict[str, int]:
    """The choice of each global with exactly one: by its name, or an input pointer at its declaration."""
    found: dict[str, list[int]] = {}
    lines = program.sources[file].splitlines()
    for index, choice in enumerate(listed_choices(run)):
        if choice.span.file != file or not 1 <= choice.span.line <= len(lines):
            continue
        if choice.source.startswith("global "):
            found.setdefault(choice.source.removeprefix("global "), []).append(index)
        elif choice.source == "input pointer":
            rest = lines[choice.span.line - 1][max(choice.span.column - 1, 0) :]
            declared = re.match(r"[^;=,(){}]*?\b([A-Za-z_]\w*)\s*[;=,]", rest)
            if declared is not None:
                found.setdefault(declared[1], []).append(index)
    return {name: indices[0] for name, indices in found.items() if len(indices) == 1}


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]
