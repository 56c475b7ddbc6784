"""Certificates of `explore`: the finite set of reachable states, by canonical form.

part = serialize(program, goal, limits.expired)      # None if a bound or the time limit is reached
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from heapwright.program.checks import Goal
from heapwright.program.graph import Program
from heapwright.program.runs.state_space import followed
from heapwright.program.semantics.state import State

MOST_STATES = 50_000


def serialize(program: Program, goal: Goal, expired: Callable[[], bool]) -> dict[str, Any] | None:
    forms: dict[int, list[str]] = {}
    count = 0

    def visit(state: State, before: State | None, key: str) -> bool:
        nonlocal count
        count += 1
        forms.setdefault(state.location, []).append(key)
        return count <= MOST_STATES and not (count % 64 == 0 and expired())

    machine, found = followed(program, goal, visit, forms.clear)
    if not found.whole or machine.context.hits:
        return None
    return {
        "only": None if goal.only is None else sorted(goal.only),
        "read": sorted(map(list, machine.also_read)),
        "locations": {str(location): sorted(keys) for location, keys in sorted(forms.items())},
    }
