"""Steps that no command models, and the checks whose proofs they make void.

Lowering puts `Skip(unmodelled=...)` where memory may change in a way that no command says: what a library function
without a model writes, for example. Engines continue as if nothing had happened, so that their proofs behind such a
step do not count:

    unprovable_checks(program)    # {identity of a check: "behind list.c:9:3: what 'getopt' does is not modelled"}
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from typing import cast

from heapwright.program.commands import (
    Assert,
    Assign,
    Command,
    Copy,
    Fill,
    FromInteger,
    Havoc,
    Overlay,
    Padding,
    Protect,
    Skip,
    ToInteger,
)
from heapwright.program.graph import Edge, Program


def behind_unmodelled(program: Program, unreached: Container[int] = ()) -> frozenset[int]:
    """The locations that a step which is not modelled leads to. Steps at `unreached` locations, to which no run comes
    before another such step, do not count."""
    steps = _steps(program, unreached)
    return program.graph.after(edge.target for edge in steps) if steps else frozenset()


def unprovable_checks(program: Program, unreached: Container[int] = ()) -> dict[str, str]:
    """The checks that cannot be proved, by identity, each with the reason."""
    reasons: dict[str, str] = {}
    steps = _steps(program, unreached)
    sources = check_locations(program) if steps else {}
    for edge in steps:
        here = program.graph.after((edge.target,))
        reason = f"behind {edge.span}: {edge.command.unmodelled}"
        own = {check.id for check in edge.checks}
        for identity, locations in sources.items():
            if identity not in reasons and (identity in own or not here.isdisjoint(locations)):
                reasons[identity] = reason
    return reasons


def _steps(program: Program, unreached: Container[int]) -> list[Edge[Skip]]:
    return [
        cast(Edge[Skip], edge)
        for edge in program.graph.edges
        if isinstance(edge.command, Skip) and edge.command.unmodelled and edge.source not in unreached
    ]


def check_locations(program: Program) -> dict[str, list[int]]:
    """The source locations of the edges of each check."""
    found: dict[str, list[int]] = {}
    for edge in program.graph.edges:
        for check in edge.checks:
            found.setdefault(check.id, []).append(edge.source)
        if isinstance(edge.command, Assert):
            found.setdefault(edge.command.check.id, []).append(edge.source)
    return found


def without_bytes(program: Program) -> Program:
    """The program for an engine that does not follow bytes: their copies are steps that are not modelled, and memory is
    not protected. Locations, edges and checks are the same."""
    if all(_followed(edge.command) is edge.command for edge in program.graph.edges):
        return program
    edges = tuple(replace(edge, command=_followed(edge.command)) for edge in program.graph.edges)
    return replace(program, graph=replace(program.graph, edges=edges))


def _followed(command: Command) -> Command:
    match command:
        case Copy() | Fill():
            return Skip("", "", "copies of bytes are not followed by this engine")
        case Protect():
            return Skip()
        case Padding(note=note):
            return Skip(note)
        case Skip(unfollowed=reason) if reason:
            return Skip("", "", reason)
        case Overlay() | ToInteger():
            return Havoc(command.target, command.type, command.source, command.approximate)
        case FromInteger(target=target, value=value):
            return Assign(target, value)
    return command
