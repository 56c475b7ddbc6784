"""All states of a program that has finitely many, location by location, up to isomorphism of heaps.

found = walk(machine, visit)      # visit(state, before, key) says whether to go on
found.faults                      # checks that fail on the way
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from heapwright.program.checks import Check, Goal
from heapwright.program.choices import SymbolicChoices
from heapwright.program.dataflow.relevant_inputs import CellKey
from heapwright.program.graph import Program
from heapwright.program.runs.canonical_form import Canonical
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.successors import failures, successors
from heapwright.program.semantics.state import Bounds, ChoicePoint, State

BOUNDS = Bounds(objects=40, input_objects=4)
Visit = Callable[[State, State | None, str], bool]


@dataclass
class StateSpace:
    """`faults` has, by check, a state before the step that violates it and one after it; `whole` is False where a visit
    ended the walk."""

    states: int = 0
    steps: int = 0
    faults: dict[str, tuple[Check, State, State]] = field(default_factory=dict)
    whole: bool = True


def walk(machine: Machine, visit: Visit) -> StateSpace:
    """Visits each state once, with the one before it and its canonical form in hexadecimal digits."""
    canonical, found = Canonical(machine), StateSpace()
    first = machine.start(SymbolicChoices(ChoicePoint))
    seen: set[bytes] = set()
    waiting: list[State] = []

    def met(state: State, before: State | None) -> bool:
        key = canonical.key(state)
        if key in seen:
            return True
        seen.add(key)
        waiting.append(state)
        found.states += 1
        return visit(state, before, key.hex())

    found.whole = met(first, None)
    while waiting and found.whole:
        state = waiting.pop()
        for after, fault in successors(machine, state):
            found.steps += 1
            for check in failures(machine, after, fault):
                found.faults.setdefault(check.id, (check, state, after))
            if fault is None and not met(after, state):
                found.whole = False
                break
    return found


def followed(
    program: Program, goal: Goal, visit: Visit, again: Callable[[], None], read: frozenset[CellKey] = frozenset()
) -> tuple[Machine, StateSpace]:
    """A walk with all fields that are read (the final `Machine.also_read`), on which canonical forms depend. It may
    have to restart, which calls `again`."""
    while True:
        machine = Machine(program, goal, BOUNDS, read)
        found = walk(machine, visit)
        if not machine.context.misread:
            return machine, found
        read |= machine.context.misread
        again()
