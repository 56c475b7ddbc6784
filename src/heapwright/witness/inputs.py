"""How a test calls a function whose parameters are inputs (`--function f`)."""

from __future__ import annotations

from heapwright.program.graph import Program
from heapwright.program.trace import Run


def function_call(program: Program, run: Run) -> str:
    return f"void hw_test_call_function(void) {{ {program.entry.function}(); }}\n"
