"""Predicates that a program suggests by its types, its variables and what it asserts.

Of an object v: which variables point to it, whether it is null, junk or alive; for a field that leads from a type to
itself, if it is the only one or an assertion names it, which variables reach it and whether it reaches null, and, where
such a field of one variable is read twice, whether it is null; for the other pointer fields, whether what they lead to
is alive. Assertions add the atoms that they are made of, and one about doubly linked lists also which variable comes
next to an object.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from heapwright.engines.boolheap.formulas import (
    JUNK,
    NULL,
    Formula,
    Not,
    Truth,
    V,
    alive,
    atoms,
    disj,
    eq,
    field,
    name,
    reach,
)
from heapwright.engines.boolheap.meaning import claim
from heapwright.program import commands as c
from heapwright.program.expressions import ShapeLiteral, Var
from heapwright.program.graph import Program
from heapwright.program.liveness import Liveness
from heapwright.program.types import ValueKind


def proposed(program: Program, given: Iterable[Formula] = ()) -> tuple[Formula, ...]:
    """What the program suggests, and what the user gives, each once."""
    found: dict[Formula, None] = {}
    for one in (*_points(program), *_paths(program), *_neighbours(program), *_asserted(program), *given):
        bare = one.body if isinstance(one, Not) else one
        if not isinstance(bare, Truth):
            found[bare] = None
    return tuple(found)


def live_pointers(program: Program) -> list[str]:
    live = Liveness(program)
    somewhere = 0
    for location in range(len(program.graph.locations)):
        somewhere |= live.at(location)
    return [
        one.name
        for one in program.variables.values()
        if one.kind is ValueKind.POINTER and somewhere & live.bit(one.name)
    ]


def _points(program: Program) -> Iterable[Formula]:
    yield from (eq(NULL, V), eq(JUNK, V), alive(V))
    yield from (eq(name(one), V) for one in live_pointers(program))


def _paths(program: Program) -> Iterable[Formula]:
    loads = Counter(
        (edge.command.base, edge.command.field) for edge in program.graph.edges if isinstance(edge.command, c.Load)
    )
    read = {link for _, link in loads}
    literals = [edge.command.literal for edge in program.graph.edges if isinstance(edge.command, c.Assert)]
    named = {one.fields[0] for one in literals if isinstance(one, ShapeLiteral)}
    again = {link for (_, link), times in loads.items() if times > 1}
    for type in program.types.values():
        own = [one.name for one in type.fields if one.kind is ValueKind.POINTER and one.target == type.name]
        walked = own if len(own) == 1 else [one for one in own if one in named]
        for link in own:
            if link in walked:
                yield reach(link, V, NULL)
                if link in again:
                    yield eq(field(link, V), NULL)
                for one in live_pointers(program):
                    if program.variables[one].target == type.name:
                        yield reach(link, name(one), V)
        for other in type.fields:
            if other.kind is ValueKind.POINTER and other.name not in walked and other.name in read:
                yield disj(eq(field(other.name, V), NULL), alive(field(other.name, V)))


def _neighbours(program: Program) -> Iterable[Formula]:
    """Where an assertion speaks of the neighbours of objects: which objects a variable comes next to."""
    commands = [edge.command for edge in program.graph.edges]
    literals = [one.literal for one in commands if isinstance(one, c.Assert)]
    about = [one for one in literals if isinstance(one, ShapeLiteral) and one.predicate == "dll"]
    links = {link for one in about for link in one.fields}
    for one in commands:
        if isinstance(one, c.Store) and one.field in links and isinstance(one.value, Var):
            yield eq(field(one.field, V), name(one.value.name))


def _asserted(program: Program) -> Iterable[Formula]:
    for edge in program.graph.edges:
        if isinstance(edge.command, c.Assert):
            found = claim(edge.command.literal)
            if found is not None:
                yield from atoms(found.everywhere)
