"""Certificates of the engine `explore`: all states, where there are finitely many, by their canonical forms.

The interpreter goes from the entry through every state that it can reach. Each must be listed at its location, and no
check that is claimed may fail; the list is finite, so this ends. Nothing is left out, whatever the number of objects.

    checked(program, goal, section, expired).failure
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from heapwright.program.checks import Goal
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.state_space import Walked, followed
from heapwright.program.semantics.state import State
from heapwright.proof.certificate_sections import well_formed
from heapwright.proof.refutation import DeadlineExceeded, Refutation, SectionCheck
from heapwright.result.outcomes import Section

NAME = "explore"
EVERY = 1 << 30  # objects: there is no bound


@dataclass(frozen=True)
class _ListedStates:
    """What a section says. `read` are fields on which canonical forms depend, besides those that commands name."""

    only: frozenset[str] | None
    read: frozenset[tuple[str, str]]
    known: Mapping[int, frozenset[str]]


def _read(section: Section) -> _ListedStates:
    (part,) = section.parts
    only = part["only"]
    return _ListedStates(
        None if only is None else frozenset(map(str, only)),
        frozenset((str(type), str(field)) for type, field in part["read"]),
        {int(location): frozenset(map(str, keys)) for location, keys in part["locations"].items()},
    )


def checked(program: Program, goal: Goal, section: Section, expired: Callable[[], None]) -> SectionCheck:
    """Whether all that can be reached is listed, and breaks nothing that is claimed."""
    listed = well_formed(section, lambda: _read(section))
    known = listed.known
    goal = replace(goal, only=listed.only)
    lost: list[tuple[State, State | None]] = []
    late = False

    def visit(state: State, before: State | None, key: str) -> bool:
        expired()
        if key not in known.get(state.location, ()):
            lost.append((state.copy(), before))
            return False
        return True

    try:
        machine, found = followed(program, goal, visit, lost.clear, listed.read)
    except DeadlineExceeded:
        machine, found, late = Machine(program, goal), Walked(whole=False), True
    failure: Refutation | None = None
    if lost:
        after, before = lost[0]
        failure = Refutation.missing_heap(program, NAME, before, after)
    for check, before, after in found.faults.values():
        if check.id in section.claims:
            failure = Refutation(NAME, before, machine.program.graph.successors[before.location][0], after, check)
    beyond = "not all heaps were looked at: a bound of the search is reached" if machine.context.hits else ""
    whole = found.whole and not late and not beyond
    return SectionCheck(
        NAME,
        section.claims,
        dict.fromkeys(known, EVERY if whole else -1),
        found.states,
        found.steps,
        failure=failure,
        beyond=beyond,
        late=late,
    )
