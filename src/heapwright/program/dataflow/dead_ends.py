"""Dead ends: branches on which an assumption fails, such as the other branch of `hw_assume(a && b)`.

    is_dead_end(program, location)      # or all of them: dead_ends(program)

An analysis may omit them; abstract states there are irrelevant.
"""

from __future__ import annotations

from heapwright.program.commands import Assume, Command, Compute, Skip
from heapwright.program.expressions import Compare, Const, IntVar, compare
from heapwright.program.graph import Program

STEPS = 16  # how far a branch is followed


def dead_ends(program: Program) -> frozenset[int]:
    return frozenset(location for location in range(len(program.graph.locations)) if is_dead_end(program, location))


def is_dead_end(program: Program, location: int) -> bool:
    """Whether every run that comes to a location ends soon after, without a check, because an assumption does not hold:
    the other branch of `hw_assume(a && b)`."""
    known: dict[str, int] = {}
    for _ in range(STEPS):
        edges = [edge for edge in program.graph.successors[location] if not _is_ruled_out(edge.command, known)]
        if not edges:
            return bool(program.graph.successors[location])
        if len(edges) > 1 or edges[0].checks:
            return False
        (edge,) = edges
        match edge.command:
            case Compute(target, Const(value, _)):
                known[target] = value
            case Assume(Compare()) | Skip():
                pass
            case _:
                return False
        location = edge.target
    return False


def _is_ruled_out(command: Command, known: dict[str, int]) -> bool:
    """Whether an assumption about integers that are known does not hold."""
    if not isinstance(command, Assume) or not isinstance(command.literal, Compare):
        return False
    values = []
    for side in (command.literal.left, command.literal.right):
        match side:
            case Const(value, _):
                values.append(value)
            case IntVar(name, _) if name in known:
                values.append(known[name])
            case _:
                return False
    return not compare(command.literal.op, *values)
