"""A program made by hand, and how the command line is called in tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from heapwright.base.source import Span
from heapwright.program.checks import Check, CheckKind
from heapwright.program.commands import Command, Free, Skip
from heapwright.program.graph import Assumption, Edge, Entry, Graph, Location, Program
from heapwright.program.types import ValueKind, Variable

SOURCE = "int main(void) {\n  free(x);\n  free(x);\n}\n"


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str


Heapwright = Callable[..., Said]


def small_program(file: str, text: str = SOURCE) -> Program:
    """Two frees with their checks."""
    checks = [
        (Check(CheckKind.DOUBLE_FREE, Span(file, 2, 8, 2, 9), "main", "x"),),
        (
            Check(CheckKind.DOUBLE_FREE, Span(file, 3, 8, 3, 9), "main", "x"),
            Check(CheckKind.LEAK, Span(file, 3, 3), "main"),
        ),
    ]
    locations = tuple(Location(i, Span(file, i + 1, 1), "main") for i in range(4))
    edges: tuple[Edge[Command], ...] = (
        Edge(0, Skip("start"), 1),
        Edge(1, Free("x"), 2, checks[0], Span(file, 2, 3)),
        Edge(2, Free("x"), 3, checks[1], Span(file, 3, 3)),
    )
    return Program(
        graph=Graph(locations, edges, 0),
        variables={"x": Variable("x", ValueKind.POINTER, source_name="x", function="main")},
        types={},
        entry=Entry(),
        assumptions=(Assumption("malloc never fails"),),
        sources={file: text},
        files=(file,),
    )
