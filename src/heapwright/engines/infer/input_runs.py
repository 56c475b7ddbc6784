"""All runs of a function from one input by the interpreter, and the obligations that fail first.

    failures(machine_for(program), state)       # the state in which the body begins

Every choice is taken both ways, up to a maximum of runs and of steps; beyond it the result is incomplete.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.semantics.state import ChoicePoint, Fault, State, Stop
from heapwright.program.trace import Ending

STEPS = 600  # of one run
RUNS = 500  # from one input


@dataclass(frozen=True, slots=True)
class Failures:
    """Obligations that are the first to fail in some run; `complete` if all runs terminated within the limits;
    `passes` if a run reaches the end of the function."""

    violated: frozenset[str]
    complete: bool
    passes: bool = True

    @property
    def varying(self) -> bool:
        """Whether some runs fail and others do not, as integers decide, or other values that are not tracked."""
        return bool(self.violated) and self.passes


def machine_for(program: Program) -> Machine:
    """The interpreter without leak checks."""
    return Machine(program, Goal(kinds=frozenset(CheckKind) - {CheckKind.LEAK}))


def failures(machine: Machine, start: State, violates: Callable[[State], str] = lambda state: "") -> Failures:
    """Obligations that fail in runs from a state. `violates` returns one beside the checks that the next step violates,
    or ""."""
    violated: set[str] = set()
    complete, passes = True, False
    pending = [start]
    for _ in range(RUNS):
        if not pending:
            break
        state = pending.pop()
        try:
            violated.add(_followed(machine, state, violates))
        except ChoicePoint as fork:
            pending += _answers(state, fork)
        except Stop as stop:
            complete = complete and stop.ending is not Ending.CUT
            passes = passes or stop.ending is Ending.EXIT
        except Fault as fault:
            check = machine.violated(state, fault)
            complete = complete and check is not None
            if check is not None:
                violated.add(check.id)
    return Failures(frozenset(violated), complete and not pending and not machine.context.hits, passes)


def _followed(machine: Machine, state: State, violates: Callable[[State], str]) -> str:
    """Executes until a step raises or violates an obligation."""
    steps = machine.steps
    while state.steps < STEPS:
        obligation = violates(state)
        if obligation:
            return obligation
        state.location = steps[state.location](state)
        state.steps += 1
        state.asked, state.answers = 0, ()
    raise Stop(Ending.CUT, "too many steps")


def _answers(state: State, fork: ChoicePoint) -> list[State]:
    """One state for each outcome of a choice."""
    state.asked = 0
    found: list[State] = []
    for index in range(fork.count):
        twin = state.copy()
        fork.decide(twin, index)
        found.append(twin)
    return found
