"""Jump threading: edges that skip tests of constants.

The front end computes `p && q` as an integer that is 0 or 1 and tested at once. Where a variable is assigned a constant
and tested against a constant next, the edge leads to the target of the test.

    18: $7 = 0 ──> 20          20: assume $7 == 0 ──> 22          becomes          18: $7 = 0 ──> 22
"""

from __future__ import annotations

from heapwright.engines.infer.arrays.integer_kinds import constant_of
from heapwright.program.commands import Assume, Command, Compute
from heapwright.program.expressions import Compare, Const, IntVar, compare
from heapwright.program.graph import Edge


def threaded(edges: list[Edge[Command]], start: int) -> list[Edge[Command]]:
    """The program from `start` on, without tests that are decided on every path to them."""
    while True:
        entering: dict[int, list[Edge[Command]]] = {}
        leaving: dict[int, list[Edge[Command]]] = {}
        for edge in edges:
            entering.setdefault(edge.target, []).append(edge)
            leaving.setdefault(edge.source, []).append(edge)
        found = next((at for at in entering if at != start and _decided(entering[at], leaving.get(at, []))), None)
        if found is None:
            return edges
        straight = [
            Edge(edge.source, edge.command, test.target, edge.checks, edge.span)
            for edge in entering[found]
            for test in leaving[found]
            if _outcome(edge.command, test.command)
        ]
        edges = [edge for edge in edges if found not in (edge.source, edge.target)] + straight


def _decided(entering: list[Edge[Command]], leaving: list[Edge[Command]]) -> bool:
    return bool(leaving) and all(
        _outcome(edge.command, test.command) is not None and edge.source != edge.target
        for edge in entering
        for test in leaving
    )


def _outcome(before: Command, test: Command) -> bool | None:
    """Whether a test succeeds after a command; None if the command does not decide it."""
    match before, test:
        case Compute(target, value), Assume(Compare(op, IntVar(name), Const(constant))) if name == target:
            known = constant_of(value)
            return None if known is None else compare(op, known, constant)
    return None
