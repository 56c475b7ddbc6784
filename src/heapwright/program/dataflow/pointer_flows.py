"""Pointer flow: inclusion-based analysis, flow-insensitive, with one cell for all of memory (Andersen 1994, collapsed).

held_by(program, ["&x"])["p"]    # {"&x"} if `p` may hold what `&x` holds
"""

from __future__ import annotations

from collections.abc import Sequence

from heapwright.program.commands import (
    AnyPointer,
    Assign,
    Command,
    External,
    Follow,
    Load,
    LoadCell,
    Reinterpret,
    Shift,
    Store,
    StoreCell,
)
from heapwright.program.expressions import Var
from heapwright.program.graph import Program

MEMORY = ""  # the one cell for all that is in memory


def held_by(program: Program, sources: Sequence[str]) -> dict[str, set[str]]:
    """The sources, variables or memory, whose values each variable and memory may hold."""
    flows: dict[str, set[str]] = {}
    for edge in program.graph.edges:
        for source, target in _flows(edge.command):
            flows.setdefault(source, set()).add(target)
    held: dict[str, set[str]] = {source: {source} for source in sources}
    waiting = list(sources)
    while waiting:
        source = waiting.pop()
        for target in flows.get(source, ()):
            new = held[source] - held.setdefault(target, set())
            if new:
                held[target] |= new
                waiting.append(target)
    return held


def _flows(command: Command) -> list[tuple[str, str]]:
    match command:
        case Assign(target, Var(source)):
            return [(source, target)]
        case Load(target) | LoadCell(target):
            return [(MEMORY, target)]
        case Store(_, _, Var(source)) | StoreCell(_, _, Var(source)):
            return [(source, MEMORY)]
        case External(_, pointers):
            return [(pointer, MEMORY) for pointer in pointers]
        case AnyPointer(target, environment=True):
            return [(MEMORY, target)]
        case Follow(target, base) | Shift(target, base) | Reinterpret(target, base):
            return [(base, target)]
    return []
