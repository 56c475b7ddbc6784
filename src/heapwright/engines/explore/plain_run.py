"""The plain run: the steps of a program before its first choice.

It is neither bounded in length nor compared with other runs, so that it costs what the interpreter costs. Leaks are
looked for where the run ends, for a block that was lost stays unreachable; if there is one, the run is repeated with
the checks of every step. A run that repeats a state never ends; Brent's method finds that with one state in memory.

    prefix = plain_run(program, goal, Limits(), machine)
    prefix.end          # Stop, Fault, ChoicePoint, or None if the run was given up
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from heapwright.engines.api import Limits
from heapwright.program.checks import Goal
from heapwright.program.choices import SymbolicChoices
from heapwright.program.graph import Program
from heapwright.program.runs.canonical_form import Canonical
from heapwright.program.runs.interpreter import Machine
from heapwright.program.semantics.leaks import root_slots
from heapwright.program.semantics.objects import PARTIAL
from heapwright.program.semantics.reachability import escaped_roots, reachable_blocks
from heapwright.program.semantics.state import Bounds, ChoicePoint, Fault, State, Stop
from heapwright.program.trace import Ending
from heapwright.program.types import Storage

STEPS_WITHOUT_DEADLINE = 1_000_000
SHARE = 0.5  # of the time, at most
STEPS_PER_OBJECT = 8  # steps that pay for one object of a canonical form
MOST_STEPS_TO_A_HEAD = 1_000


@dataclass(frozen=True, slots=True)
class PlainRun:
    """The end of the run: at a choice, or final; None if time ran out. `endless`: it repeats a state."""

    state: State
    end: ChoicePoint | Stop | Fault | None
    endless: bool
    machine: Machine

    @property
    def heap_blocks(self) -> int:
        return sum(block.storage is Storage.HEAP for block in self.state.blocks.values())


def plain_run(program: Program, goal: Goal, limits: Limits, search: Machine) -> PlainRun:
    """The plain run of a program; `search` is the machine of the search that continues from its end."""
    bounds = Bounds(limits.objects, limits.input_objects, limits.values)
    deadline = None
    if limits.deadline is not None:
        now = time.monotonic()
        deadline = now + SHARE * (limits.deadline - now)
    most_steps = limits.steps or (STEPS_WITHOUT_DEADLINE if deadline is None else None)

    def executed(leak_checks: bool) -> _Execution:
        machine = Machine(program, goal, bounds, search.also_read, leak_checks=leak_checks, like=search)
        execution = _Execution(machine, most_steps, deadline, search.leak_checks and not leak_checks)
        execution.run()
        return execution

    execution = executed(leak_checks=False)
    if execution.has_leaked():
        execution = executed(leak_checks=True)
    return PlainRun(execution.state, execution.end, execution.endless, execution.machine)


class _Execution:
    """One execution, to its end, to a choice, or until it is given up."""

    def __init__(self, machine: Machine, most_steps: int | None, deadline: float | None, watch_leaks: bool) -> None:
        self.machine = machine
        self.most_steps = most_steps
        self.deadline = deadline
        self.watch_leaks = watch_leaks
        self.state = machine.start(SymbolicChoices(ChoicePoint))
        self.end: ChoicePoint | Stop | Fault | None = None
        self.endless = False
        self._canonical = Canonical(machine)

    def run(self) -> None:
        state, most = self.state, self.most_steps
        repetition = _Repetition()
        try:
            while not (self.deadline is not None and time.monotonic() >= self.deadline):
                if most is not None and state.steps >= most:
                    self.machine.context.hit("steps", self.machine.program.graph.locations[state.location].span)
                    raise Stop(Ending.CUT, f"more than {most} steps")
                self._advance(STEPS_PER_OBJECT * (len(state.objects) + len(state.vars)))
                if self.has_leaked():
                    return
                if repetition.repeats(self._canonical.key(state)):
                    self.endless = True
                    return
        except (ChoicePoint, Stop, Fault) as end:
            self.end = end
            state.asked = 0

    def _advance(self, least: int) -> None:
        """Executes at least so many steps, to the next loop head after them."""
        state, steps, heads = self.state, self.machine.steps, self.machine.program.graph.loop_heads
        location, count = state.location, state.steps
        enough = count + least
        bound = enough + MOST_STEPS_TO_A_HEAD if self.most_steps is None else self.most_steps
        try:
            while count < bound and (count < enough or location not in heads):
                location = steps[location](state)
                count += 1
        finally:
            state.location, state.steps = location, count

    def has_leaked(self) -> bool:
        """Whether a block is lost, if leaks are selected; a canonical form would drop it from the state."""
        if not self.watch_leaks:
            return False
        state = self.state
        live = {
            identity
            for identity, block in state.blocks.items()
            if block.storage is Storage.HEAP and block.status <= PARTIAL
        }
        if self.machine.goal.cleanup and isinstance(self.end, Stop):
            return bool(live)
        kept = [state.vars[slot] for slot in root_slots(self.machine.liveness, state.location)]
        return not live <= (reachable_blocks(state, kept + escaped_roots(state)) or set())


class _Repetition:
    """Brent's method: the state to which the next ones are compared, a new one at each power of two."""

    def __init__(self) -> None:
        self.saved = b""
        self.count = 0
        self.power = 1

    def repeats(self, key: bytes) -> bool:
        if key == self.saved:
            return True
        self.count += 1
        if self.count == self.power:
            self.saved, self.count, self.power = key, 0, 2 * self.power
        return False
