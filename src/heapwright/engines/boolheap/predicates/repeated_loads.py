"""Repeated field loads: `x.f` was loaded on some path to the location, is loaded again on some path from it, and is not
written in between (two may-analyses, forward and backward).

    if (node->prev)                      between the two reads it matters where node->prev leads: the object that the
        node->prev->next = node->next;   second one finds is the one that was tested

The predicate `node.prev = v` holds of exactly one object, and keeps it apart. Elsewhere it would only make cases, so it
is active between one load and the next, as long as neither `node` nor, by that name, its field is written.

    repeated_loads(program)[location]           the terms x.f that are in use there
"""

from __future__ import annotations

from heapwright.engines.boolheap.logic.formulas import Field, Name
from heapwright.program import commands as c
from heapwright.program.dataflow.liveness import defined
from heapwright.program.graph import Program


def repeated_loads(program: Program) -> tuple[frozenset[Field], ...]:
    """By location: the fields that are loaded before and after it. A heuristic for predicates; soundness does not
    depend on it."""
    behind, ahead = _spread(program, forwards=True), _spread(program, forwards=False)
    return tuple(frozenset(one & other) for one, other in zip(behind, ahead, strict=True))


def _spread(program: Program, *, forwards: bool) -> list[set[Field]]:
    """By location: the terms loaded on some path to it (or from it) and not written in between."""
    graph = program.graph
    found: list[set[Field]] = [set() for _ in graph.locations]
    waiting = list(range(len(found)))
    while waiting:
        location = waiting.pop()
        for edge in graph.successors[location] if forwards else graph.predecessors[location]:
            read = read_by(edge.command)
            kept = {one for one in found[location] if not _changes(edge.command, one)}
            if read is not None and not (forwards and _changes(edge.command, read)):
                kept.add(read)
            other = edge.target if forwards else edge.source
            if not kept <= found[other]:
                found[other] |= kept
                waiting.append(other)
    return found


def read_by(command: c.Command) -> Field | None:
    return Field(command.field, Name(command.base)) if isinstance(command, c.Load) else None


def _changes(command: c.Command, term: Field) -> bool:
    """Whether a command writes the variable or the field of its object, or ends the lifetime of the object."""
    variable = term.base.id if isinstance(term.base, Name) else ""
    match command:
        case c.Store(base, field):
            return (base, field) == (variable, term.field)
        case c.Free(base) | c.Leave(base):
            return base == variable
    return defined(command) == variable
