"""Steps that no command models, and the checks whose proofs they make void.

Lowering puts `Skip(unmodelled=...)` where memory may change in a way that no command says: what a library function
without a model writes, for example. Engines go on as if nothing had happened, so that what they find behind such a step
is not believed:

    doubtful_checks(program)    # {identity of a check: "behind list.c:9:3: what 'getopt' does is not modelled"}
"""

from __future__ import annotations

from dataclasses import replace

from heapwright.program.commands import Assert, Command, Copy, Fill, Protect, Skip
from heapwright.program.graph import Program


def behind_unmodelled(program: Program) -> frozenset[int]:
    """The locations that a step which is not modelled leads to."""
    steps = [edge for edge in program.graph.edges if isinstance(edge.command, Skip) and edge.command.unmodelled]
    return program.graph.after(edge.target for edge in steps) if steps else frozenset()


def doubtful_checks(program: Program) -> dict[str, str]:
    """The checks that cannot be proved, by identity, each with the reason."""
    reasons: dict[str, str] = {}
    left = behind_unmodelled(program)
    if not left:
        return reasons
    sources = check_locations(program)
    for edge in program.graph.edges:
        if isinstance(edge.command, Skip) and edge.command.unmodelled:
            here = program.graph.after((edge.target,))
            reason = f"behind {edge.span}: {edge.command.unmodelled}"
            own = {check.id for check in edge.checks}
            for identity, locations in sources.items():
                if identity not in reasons and (identity in own or not here.isdisjoint(locations)):
                    reasons[identity] = reason
    return reasons


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
    if not any(isinstance(edge.command, Copy | Fill | Protect) for edge in program.graph.edges):
        return program
    edges = tuple(replace(edge, command=_followed(edge.command)) for edge in program.graph.edges)
    return replace(program, graph=replace(program.graph, edges=edges))


def _followed(command: Command) -> Command:
    match command:
        case Copy() | Fill():
            return Skip("", "", "copies of bytes are not followed by this engine")
        case Protect():
            return Skip()
    return command
