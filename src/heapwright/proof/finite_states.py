"""Certificates of `explore`: the finite set of reachable states, by canonical form.

The interpreter explores every state that is reachable from the entry. Each must be listed at its location, and no
claimed check may fail; the list is finite, so that this terminates. The check is complete for any number of objects.

    checked(program, goal, section, expired).refutation
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from heapwright.program.checks import Goal
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.state_space import StateSpace, followed
from heapwright.program.semantics.state import State
from heapwright.proof.certificate_sections import well_formed
from heapwright.proof.refutation import DeadlineExceeded, Refutation, SectionCheck
from heapwright.result.outcomes import Section

NAME = "explore"
EVERY = 1 << 30  # number of objects: unbounded


@dataclass(frozen=True)
class _ListedStates:
    """The contents of a section. `read` are fields on which canonical forms depend, besides those in commands."""

    only: frozenset[str] | None
    read: frozenset[tuple[str, str]]
    states: Mapping[int, frozenset[str]]


def _read(section: Section) -> _ListedStates:
    (part,) = section.parts
    only = part["only"]
    return _ListedStates(
        None if only is None else frozenset(map(str, only)),
        frozenset((str(type), str(field)) for type, field in part["read"]),
        {int(location): frozenset(map(str, keys)) for location, keys in part["locations"].items()},
    )


def checked(program: Program, goal: Goal, section: Section, expired: Callable[[], None]) -> SectionCheck:
    """Checks that all reachable states are listed and violate no claimed check."""
    listed = well_formed(section, lambda: _read(section))
    states = listed.states
    goal = replace(goal, only=listed.only)
    lost: list[tuple[State, State | None]] = []
    timed_out = False

    def visit(state: State, before: State | None, key: str) -> bool:
        expired()
        if key not in states.get(state.location, ()):
            lost.append((state.copy(), before))
            return False
        return True

    try:
        machine, found = followed(program, goal, visit, lost.clear, listed.read)
    except DeadlineExceeded:
        machine, found, timed_out = Machine(program, goal), StateSpace(whole=False), True
    refutation: Refutation | None = None
    if lost:
        after, before = lost[0]
        refutation = Refutation.missing_heap(program, NAME, before, after)
    for check, before, after in found.faults.values():
        if check.id in section.claims:
            refutation = Refutation.failed_check(machine, NAME, before, after, check)
    incomplete = "not all heaps were checked: a bound of the search was reached" if machine.context.hits else ""
    whole = found.whole and not timed_out and not incomplete
    return SectionCheck(
        NAME,
        section.claims,
        dict.fromkeys(states, EVERY if whole else -1),
        found.states,
        found.steps,
        refutation=refutation,
        incomplete=incomplete,
        timed_out=timed_out,
    )
