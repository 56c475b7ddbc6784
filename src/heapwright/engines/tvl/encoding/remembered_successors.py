"""Activation records that remember a successor which the caller reads again:

    r = reverse(l->next); l->next->next = l;          the records of this call hold l and, in `l->next`, its successor

While calls are pending, a path leads from each of their objects to what the callee returned, but which object a path
ends at is known of none: all look alike. A record that holds the successor, too, tells it (`leads[g,f,h]`, see
predicates/held_successors.py). Nothing reads the field, and it keeps no block from being lost: runs are the same, and
so are leaks. Edges and locations of the program keep their numbers; stores of the new fields come after them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from heapwright.program.commands import (
    Assign,
    Assume,
    Command,
    Compute,
    Havoc,
    Load,
    LoadData,
    New,
    Skip,
    Store,
    StoreData,
)
from heapwright.program.dataflow.liveness import defined
from heapwright.program.expressions import Var
from heapwright.program.graph import Edge, Graph, Program
from heapwright.program.types import Field, ObjectType, ValueKind

ARROW = "->"  # in the names of such fields alone
FAR = 200  # edges that are looked at behind a return
HARMLESS = (Assign, Assume, Compute, Havoc, Load, LoadData, New, Skip)  # commands that leave fields alone


@dataclass(frozen=True)
class Successor:
    """A call saves `base`, of which `field` is in `value`."""

    save: int  # the number of the edge that saves it
    base: str
    field: str
    value: str

    @property
    def name(self) -> str:
        return f"{self.base}{ARROW}{self.field}"


def is_remembered(cell: str) -> bool:
    return ARROW in cell


def remembering(program: Program, calls: Mapping[int, object]) -> Program:
    """The program whose records remember successors; `calls` are those of edges that write or read records."""
    restores = {
        (calls[number], edge.command.base, edge.command.field): edge
        for number, edge in enumerate(program.graph.edges)
        if number in calls and isinstance(edge.command, Load)
    }
    found: list[tuple[Successor, str]] = []
    for number, edge in enumerate(program.graph.edges):
        command = edge.command
        if number not in calls or not isinstance(command, Store) or not isinstance(command.value, Var):
            continue
        restore = restores.get((calls[number], command.base, command.field))
        if restore is None or defined(restore.command) != command.value.name:
            continue
        for load in _known(program.graph, edge, command.value.name):
            field = ObjectType.field(program.types[program.variables[load.base].target], load.field)
            if field is not None and _is_read_again(program.graph, restore, load.base, load.field):
                found.append((Successor(number, load.base, load.field, load.target), field.target))
    return _with_fields(program, found) if found else program


def _known(graph: Graph[Command], edge: Edge[Command], base: str) -> Iterator[Load]:
    """Fields of a variable that were loaded before an edge, of which the values are still there."""
    changed, seen = set[str | None](), set[int]()
    while len(graph.predecessors[edge.source]) == 1 and edge.source not in seen:
        seen.add(edge.source)
        edge = graph.predecessors[edge.source][0]
        command = edge.command
        if isinstance(command, Load) and command.base == base and command.target not in {*changed, base}:
            yield command
        changed.add(defined(command))
        own = isinstance(command, Store | StoreData) and not edge.checks  # of a record
        if base in changed or not (own or isinstance(command, HARMLESS)):
            return


def _is_read_again(graph: Graph[Command], restore: Edge[Command], base: str, field: str) -> bool:
    """Whether a field is loaded behind a return, not far from it, before the variable or the field is written."""
    seen, waiting = {restore.target}, [restore.target]
    while waiting and len(seen) < FAR:
        for edge in graph.successors[waiting.pop()]:
            match edge.command:
                case Load(_, first, name) if (first, name) == (base, field):
                    return True
                case Store(first, name) if (first, name) == (base, field):
                    continue
            if defined(edge.command) != base and edge.target not in seen:
                seen.add(edge.target)
                waiting.append(edge.target)
    return False


def _with_fields(program: Program, found: list[tuple[Successor, str]]) -> Program:
    """Records have a field for each successor, which is stored with what it follows."""
    types = dict(program.types)
    edges, locations = list(program.graph.edges), list(program.graph.locations)
    for successor, target in found:
        edge = edges[successor.save]
        assert isinstance(edge.command, Store)
        record = types[program.variables[edge.command.base].target]
        if record.field(successor.name) is None:
            size = program.pointer_bits // 8
            field = Field(successor.name, ValueKind.POINTER, record.size, size, None, target)
            types[record.name] = replace(record, size=record.size + size, fields=(*record.fields, field))
        here = replace(locations[edge.source], index=len(locations))
        locations.append(here)
        edges[successor.save] = replace(edge, target=here.index)
        stored = Store(edge.command.base, successor.name, Var(successor.value))
        edges.append(Edge(here.index, stored, edge.target, (), edge.span))
    return replace(program, graph=Graph(tuple(locations), tuple(edges), program.graph.entry), types=types)
