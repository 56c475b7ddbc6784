"""A program over heap predicates: what is left of a C program once its steps are commands over formulas.

This is all that the fixpoint needs. Together with implicants (`deduction`) it is the Boolean heap program of the paper,
which `text_form` writes and reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heapwright.engines.boolheap.columns import Columns
from heapwright.engines.boolheap.formulas import Formula, Less, Marked, Same, atoms, names_of
from heapwright.engines.boolheap.heaps import UNBORN, Heap, evaluator
from heapwright.engines.boolheap.meaning import Alternatives, meaning
from heapwright.engines.boolheap.obligations import Obligation, obligations_of
from heapwright.engines.boolheap.vectors import BooleanHeap, Vector, pruned
from heapwright.program.graph import Edge, Graph, Program
from heapwright.program.liveness import Liveness
from heapwright.program.printer import format_command
from heapwright.program.types import ValueKind


@dataclass(frozen=True, slots=True)
class HeapStep:
    """What labels an edge: sequences of commands, what must hold before them, and the text of the statement."""

    alternatives: Alternatives
    obligations: tuple[Obligation, ...]
    text: str


@dataclass(frozen=True)
class HeapProgram:
    """`active` are the columns in use at each location, `initial` the heap at the entry."""

    graph: Graph[HeapStep]
    predicates: tuple[Formula, ...]
    active: tuple[int, ...]
    initial: BooleanHeap

    @property
    def columns(self) -> Columns:
        return Columns(self.predicates)


def translated(program: Program, predicates: Sequence[Formula]) -> HeapProgram:
    """A program as predicates see it. Only those of variables that are still read count at a location."""
    columns, liveness = Columns(tuple(predicates)), Liveness(program)
    names = list(program.variables)
    active = tuple(
        columns.active(frozenset(one for one in names if liveness.at(location) & liveness.bit(one)))
        for location in range(len(program.graph.locations))
    )
    counts = any(is_numeric(one) for one in predicates)
    edges = tuple(
        Edge(
            edge.source,
            HeapStep(
                meaning(edge.command, program, counts),
                obligations_of(edge, program),
                format_command(edge.command),
            ),
            edge.target,
            (),
            edge.span,
        )
        for edge in program.graph.edges
    )
    graph = Graph(program.graph.locations, edges, program.graph.entry)
    return HeapProgram(graph, columns.predicates, active, _initial(program, columns.predicates, active[graph.entry]))


def _initial(program: Program, predicates: Sequence[Formula], active: int) -> BooleanHeap:
    """No object was allocated; variables that are read before they are written are junk, and numbers anything."""
    pointers = {one.name for one in program.variables.values() if one.kind is ValueKind.POINTER}
    fields = {one.name: (2,) for type in program.types.values() for one in type.fields}
    heap = Heap(1, (UNBORN,), dict.fromkeys(pointers, 2), fields)
    plain = [
        (place, evaluator(one))
        for place, one in enumerate(predicates)
        if active >> place & 1 and names_of(one) <= pointers and not is_numeric(one)
    ]
    vectors = []
    for v in heap.everything:
        vector = Vector(0, 0)
        for place, holds in plain:
            vector = vector.having(1 << place, holds(heap, v))
        vectors.append(vector)
    return pruned(vectors)


def is_numeric(formula: Formula) -> bool:
    """Whether it speaks of more than objects: of numbers, or of marks."""
    return any(isinstance(one, Less | Same | Marked) for one in atoms(formula))
