"""Accesses through pointers of which nothing is known, such as an integer made a pointer.

A run ends at such an access, because junk stands for the pointer. In C it may hit any object and go on, so that what
lies behind it is proved only if no run comes to the access: if the check that junk fails is proved. Nor is anything of
the access itself but that the pointer is not null: an object that it hits may be freed, or hold the last pointer to
another.

    behind_unknown(program, proved)    # {identity of a check: "behind list.c:9:3: an unknown pointer may ..."}
"""

from __future__ import annotations

from collections.abc import Container

from heapwright.program.checks import CheckKind
from heapwright.program.commands import Assert, Assign, Assume, Command, Copy, External, Scramble
from heapwright.program.dataflow.pointer_flows import MEMORY, held_by
from heapwright.program.dataflow.unmodelled_steps import check_locations
from heapwright.program.expressions import UNKNOWN, ShapeLiteral, Var
from heapwright.program.graph import Edge, Program

FAILS_FOR_JUNK = (CheckKind.INVALID_DEREF, CheckKind.INVALID_FREE)


def behind_unknown(program: Program, proved: Container[str]) -> dict[str, str]:
    """Checks that cannot be proved, by identity, each with the reason; `proved` are those that an analysis proved."""
    accesses = [edge for edge in _accesses(program) if not _excluded(edge, proved)]
    left = program.graph.after(edge.target for edge in accesses) if accesses else frozenset()
    sources = check_locations(program) if left else {}
    reasons = {
        check.id: f"the pointer of {edge.span} is unknown and may lead to any object"
        for edge in accesses
        for check in edge.checks
        if check.kind is not CheckKind.NULL_DEREF
    }
    for edge in accesses:
        here = program.graph.after((edge.target,)) & left
        left -= here
        for identity, locations in sources.items():
            if not here.isdisjoint(locations):
                reasons.setdefault(identity, f"behind {edge.span}: an unknown pointer may lead to any object")
    return reasons


def _accesses(program: Program) -> list[Edge[Command]]:
    """The edges that may access memory through an unknown pointer."""
    edges = program.graph.edges
    made = {edge.command.target for edge in edges if isinstance(edge.command, Assign) and edge.command.value == UNKNOWN}
    if any(isinstance(edge.command, Scramble) for edge in edges):
        made.add(MEMORY)
    if not made:
        return []
    held = held_by(program, sorted(made))
    return [edge for edge in edges if not held.keys().isdisjoint(_followed(edge))]


def _followed(edge: Edge[Command]) -> frozenset[str]:
    """The pointers that a command follows."""
    command = edge.command
    match command:
        case External(_, pointers, lent):
            return frozenset((*pointers, *(pointer for pointer, _ in lent)))
        case Copy(base, source):
            return frozenset((base, source))
        case Assume(ShapeLiteral() as literal) | Assert(ShapeLiteral() as literal):
            return frozenset(one.name for one in literal.pointers if isinstance(one, Var))
    fails = any(check.undefined_behaviour for check in edge.checks)
    base = getattr(command, "base", "") if fails else ""
    return frozenset((base,)) if base else frozenset()


def _excluded(edge: Edge[Command], proved: Container[str]) -> bool:
    """Whether no run comes to an access with junk."""
    failing = [check for check in edge.checks if check.kind in FAILS_FOR_JUNK]
    return bool(failing) and all(check.id in proved for check in failing)
