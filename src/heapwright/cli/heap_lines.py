"""A concrete heap as a few lines of text, for messages of commands.

print("\\n".join(described(program, state)))
"""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.program.explanation.failed_checks import Names
from heapwright.program.explanation.state_pictures import picture
from heapwright.program.graph import Program
from heapwright.program.semantics.state import State
from heapwright.report.terminal.heap_text import heap_lines


def described(program: Program, state: State, indent: str = "    ") -> Iterator[str]:
    function = program.graph.locations[state.location].function
    lines = heap_lines(picture(program, state, Names(program), function))
    yield from (indent + line for line in lines or ["(empty heap)"])
