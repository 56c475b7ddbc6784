"""Steps that no command models, and the checks whose proofs they make void.

Lowering puts `Skip(unmodelled=...)` where memory may change in a way that no command says: what a library function
without a model writes, for example. Engines go on as if nothing had happened, so that what they find behind such a step
is not believed:

    doubtful_checks(program)    # {identity of a check: "behind list.c:9:3: what 'getopt' does is not modelled"}
"""

from __future__ import annotations

from heapwright.program.commands import Assert, Skip
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
            for identity, locations in sources.items():
                if identity not in reasons and not here.isdisjoint(locations):
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
