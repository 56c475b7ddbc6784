"""Memory of the environment, of which the arguments of main have blocks of their own."""

from __future__ import annotations

from collections.abc import Iterable

from heapwright.engines.floor.domain.blocks import ANYTHING, EXTERNAL
from heapwright.engines.floor.domain.pointers import ENVIRONMENT, Key, Pointer, recent
from heapwright.engines.floor.domain.state import State
from heapwright.program.commands import AnyPointer
from heapwright.program.graph import Program


def argument_blocks(program: Program) -> frozenset[Key]:
    """The blocks of the arrays of strings that main gets."""
    sites = enumerate(program.graph.edges, start=1)
    found = [site for site, edge in sites if isinstance(edge.command, AnyPointer) and edge.command.count]
    return frozenset() if program.entry.overlapping else frozenset(map(recent, found))


def write_outside(state: State, arguments: Iterable[Key], value: Pointer | None) -> None:
    """Memory of the environment, which may be the arguments, gets a pointer or something else."""
    for key in arguments:
        if key in state.blocks and not state.blocks[key].initial & ANYTHING:
            state.havoc_block(key, EXTERNAL)
    state.forget_strings(ENVIRONMENT)
    if value is not None:
        state.hold_outside(value)
