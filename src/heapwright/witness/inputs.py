"""How a test calls a function whose parameters are inputs (`--function f`).

Each parameter gets the choice that was made for it: the one placed inside its declaration, else the next one placed in
the function's heading. The objects that pointers lead to are built by the runtime before the call.

    void hw_test_call_function(void)
    {
        ((long long (*)())insert)((void *)hw_test_argument(0), (long)hw_test_argument(1));
    }
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from heapwright.program.graph import Program
from heapwright.program.trace import Run
from heapwright.witness.runtime import listed_choices
from heapwright.witness.source_text import Heading, heading_of


@dataclass(frozen=True, slots=True)
class _Parameter:
    text: str
    start: int  # offsets in the file
    end: int

    @property
    def ctype(self) -> str:
        """A type that is passed in the same way."""
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
        place = starts[span.line - 1] + max(span.column - 1, 0)
        owner = next((n for n, p in enumerate(parameters) if p.start <= place < p.end), None)
        if owner is not None:
            inside.setdefault(owner, index)
        elif heading.start <= place <= heading.end:
            others.append(index)
    arguments: list[str] = []
    for number, parameter in enumerate(parameters):
        chosen = inside[number] if number in inside else others.pop(0) if others else None
        arguments.append("0" if chosen is None else f"({parameter.ctype})hw_test_argument({chosen})")
    return arguments


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]
