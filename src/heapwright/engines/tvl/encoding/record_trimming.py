"""Activation records without dead variables, and one type of records for functions that call one another.

    drop(l):  t = l->next; free(l); drop(t)      the records of its calls hold neither l nor t

A record holds every pointer that is in scope, since in C a variable keeps its block from leaking until its scope ends.
Where variables count as temporaries (encoding/variable_coalescing.py), what a caller never reads again is neither saved
nor restored: as for variables, a leak alarm may be spurious, and proofs hold if there is none. What a call saves is
read where that call returns and nowhere else:

    merge(a, b):  if (..) { a->next = merge(a->next, b); return a; }      the records of this call hold a
                  b->next = merge(a, b->next); return b;                  those of this one hold b

Functions that call one another have records of several types on one chain. With one type, in which variables of the
same type share a field, their chain is that of one function with several calls. A record is only read by the function
that wrote it, so that runs are the same. Edges and locations keep their numbers; some may be added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace

from heapwright.engines.tvl.encoding.remembered_successors import remembering
from heapwright.program.commands import (
    Assign,
    Assume,
    Command,
    Compute,
    Leave,
    Load,
    LoadData,
    New,
    Skip,
    Store,
    StoreData,
)
from heapwright.program.dataflow.liveness import Liveness
from heapwright.program.expressions import Compare, Const, IntVar, Var
from heapwright.program.graph import Edge, Graph, Program
from heapwright.program.types import RECORD, Field, ObjectType

CALLER = "caller"  # the field that leads to the next record
SITE = "::$site"  # how the variables end that tell a function where it returns to

Cell = tuple[str, str]  # a type of records, and a field
Call = tuple[str, int]  # the callee's variable, and its value


def trimmed(program: Program) -> Program:
    """The program with lean records; the same one if there is nothing to save."""
    while True:  # a variable that is saved for nothing keeps others alive
        edges = _without_dead(program)
        if edges == program.graph.edges:
            return _unified(remembering(program, calls_of_records(program)))
        program = replace(program, graph=replace(program.graph, edges=edges))


def _is_record(program: Program, variable: str) -> bool:
    """Whether a variable leads to an activation record: a block of lowering's own, to which nothing else leads.
    Accesses to it cannot fail."""
    return program.variables[variable].target.startswith(RECORD)


# --- dead variables ---------------------------------------------------------------------------------------------------


def _without_dead(program: Program) -> tuple[Edge[Command], ...]:
    liveness = Liveness(program)
    edges = [_without_dead_restore(program, edge, liveness) for edge in program.graph.edges]
    calls = calls_of_records(program)
    read: dict[Cell, set[Call | None]] = {}
    for number, edge in enumerate(edges):
        if isinstance(command := edge.command, Load | LoadData):
            cell = (program.variables[command.base].target, command.field)
            read.setdefault(cell, set()).add(calls.get(number))
    return tuple(_without_dead_save(program, edge, read, calls.get(number)) for number, edge in enumerate(edges))


def _without_dead_restore(program: Program, edge: Edge[Command], liveness: Liveness) -> Edge[Command]:
    match edge.command:
        case Load(target, base) | LoadData(target, base) if _is_record(program, base):
            needed = liveness.at(edge.target) & liveness.bit(target)
            return edge if needed else replace(edge, command=Skip())
    return edge


def _without_dead_save(
    program: Program, edge: Edge[Command], read: Mapping[Cell, Set[Call | None]], call: Call | None
) -> Edge[Command]:
    match edge.command:
        case Store(base, name) | StoreData(base, name) if _is_record(program, base):
            readers = read.get((program.variables[base].target, name), frozenset())
            needed = bool(readers if call is None else readers & {call, None})
            return edge if needed else replace(edge, command=Skip())
    return edge


def calls_of_records(program: Program) -> dict[int, Call]:
    """The calls of the edges that write or read records. A call makes a record, says where it returns to, and jumps;
    where the callee has found that it returns there, the record is read."""
    graph = program.graph
    numbers = {id(edge): number for number, edge in enumerate(graph.edges)}
    found: dict[int, Call] = {}
    for edge in graph.edges:
        match edge.command:
            case New(base) if _is_record(program, base):
                block = list(_straight(graph, edge, lambda command: _returns_to(command) is not None))
                call = _returns_to(block[-1].command)
            case Assume(Compare("==", IntVar(site), Const(value))) if site.endswith(SITE):
                block = list(_straight(graph, edge, lambda command: isinstance(command, Leave)))
                left = block[-1].command
                call = (site, value) if isinstance(left, Leave) and _is_record(program, left.base) else None
            case _:
                continue
        if call is not None:
            found |= {numbers[id(one)]: call for one in block}
    return found


def _returns_to(command: Command) -> Call | None:
    match command:
        case Compute(site, Const(value)) if site.endswith(SITE):
            return site, value
    return None


def _straight(graph: Graph[Command], edge: Edge[Command], last: Callable[[Command], bool]) -> Iterator[Edge[Command]]:
    """An edge and those that follow it, up to a last one or a branch."""
    seen: set[int] = set()
    while edge.target not in seen:
        yield edge
        onwards = graph.successors[edge.target]
        if last(edge.command) or len(onwards) != 1:
            return
        seen.add(edge.target)
        edge = onwards[0]


# --- one type ---------------------------------------------------------------------------------------------------------


@dataclass
class _Union:
    """One type for several; `slots` are the fields that those of the others become."""

    name: str
    fields: list[Field] = field(default_factory=list)
    slots: dict[Cell, str] = field(default_factory=dict)

    def add(self, type: ObjectType) -> None:
        taken = set[str]()
        for one in type.fields:
            alike = (old for old in self.fields if old.name not in taken and _alike(old, one))
            slot = next(alike, None)
            if slot is None:
                slot = replace(one, offset=sum(old.size for old in self.fields))
                self.fields.append(slot)
            taken.add(slot.name)
            self.slots[type.name, one.name] = slot.name

    @property
    def type(self) -> ObjectType:
        return ObjectType(self.name, sum(one.size for one in self.fields), tuple(self.fields))


def _alike(one: Field, other: Field) -> bool:
    links = CALLER in (one.name, other.name)
    same = (one.kind, one.type, one.target, one.size) == (other.kind, other.type, other.target, other.size)
    return same and (not links or one.name == other.name)


def _unified(program: Program) -> Program:
    slots: dict[Cell, str] = {}
    unions: dict[str, ObjectType] = {}
    for group in _together(program):
        union = _Union(group[0])
        for name in group:
            union.add(program.types[name])
        slots |= union.slots
        unions |= dict.fromkeys(group, union.type)
    if not unions:
        return program
    edges = tuple(replace(edge, command=_renamed(program, edge.command, slots, unions)) for edge in program.graph.edges)
    variables = {
        name: replace(variable, target=unions[variable.target].name) if variable.target in unions else variable
        for name, variable in program.variables.items()
    }
    types = {name: type for name, type in program.types.items() if name not in unions}
    types |= {type.name: type for type in unions.values()}
    return replace(program, graph=replace(program.graph, edges=edges), variables=variables, types=types)


def _together(program: Program) -> Iterable[tuple[str, ...]]:
    """The types of records on each chain, if they are several."""
    chains: dict[str, set[str]] = {}
    for edge in program.graph.edges:
        match edge.command:
            case Assign(stack, Var(record)) if _is_record(program, record) and not _is_record(program, stack):
                chains.setdefault(stack, set()).add(program.variables[record].target)
    found = [tuple(sorted(chain)) for chain in chains.values() if len(chain) > 1]
    return found if len({name for group in found for name in group}) == sum(map(len, found)) else ()


def _renamed(
    program: Program, command: Command, slots: Mapping[Cell, str], unions: Mapping[str, ObjectType]
) -> Command:
    match command:
        case Load() | LoadData() | Store() | StoreData():
            slot = slots.get((program.variables[command.base].target, command.field))
            return command if slot is None else replace(command, field=slot)
        case New() if command.type in unions:
            return replace(command, type=unions[command.type].name)
    return command
