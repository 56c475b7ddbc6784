"""The prologue of a function, which binds its inputs, and the edges of its body.

start, bound = prologue(program)
edges = region(program, start)
"""

from __future__ import annotations

from heapwright.base.errors import InputError
from heapwright.program.commands import AnyPointer, Assign, Command, Compute, Havoc, Skip
from heapwright.program.expressions import IntVar, Var
from heapwright.program.graph import Edge, Program

AT_ENTRY = " at entry"  # ends the name of the variable in which lowering keeps an input


def prologue(program: Program) -> tuple[int, list[tuple[str, str]]]:
    """The location after the inputs have been bound, and which variable holds which input."""
    if not program.entry.any_heap:
        raise InputError("no function given", hint="name one with -f")
    location, requested, bound = program.graph.entry, set[str](), list[tuple[str, str]]()
    while len(program.graph.successors[location]) == 1:
        edge = program.graph.successors[location][0]
        match edge.command:
            case AnyPointer(target) if _is_entry(program, edge.target, target):
                requested.add(target)
            case Havoc(target, _, source) if source.startswith("parameter "):
                requested.add(target)
            case Assign(target, Var(name)) | Compute(target, IntVar(name)) if name in requested:
                bound.append((target, name))
            case Skip():
                pass
            case _:
                break
        location = edge.target
    return location, bound


def _is_entry(program: Program, location: int, pointer: str) -> bool:
    """Whether a pointer is saved as that of a parameter, unlike an input that the body requests."""
    return any(
        isinstance(edge.command, Assign)
        and edge.command.value == Var(pointer)
        and edge.command.target.endswith(AT_ENTRY)
        for edge in program.graph.successors[location]
    )


def is_parameter(program: Program, name: str) -> bool:
    return bool(program.variables[name].source_name) and not name.endswith(AT_ENTRY)


def body_edges(program: Program, start: int) -> list[Edge[Command]]:
    """The edges that are reachable from a location, in order."""
    seen, pending = {start}, [start]
    while pending:
        for edge in program.graph.successors[pending.pop()]:
            if edge.target not in seen:
                seen.add(edge.target)
                pending.append(edge.target)
    return [edge for edge in program.graph.edges if edge.source in seen]


def closing(edges: list[Edge[Command]], start: int) -> set[Edge[Command]]:
    """Back edges of a depth-first search."""
    leaving: dict[int, list[Edge[Command]]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    found: set[Edge[Command]] = set()
    seen, entered = {start}, {start}
    pending = [(start, iter(leaving.get(start, ())))]
    while pending:
        location, left = pending[-1]
        following = next(left, None)
        if following is None:
            pending.pop()
            entered.discard(location)
        elif following.target in entered:
            found.add(following)
        elif following.target not in seen:
            seen.add(following.target)
            entered.add(following.target)
            pending.append((following.target, iter(leaving.get(following.target, ()))))
    return found
