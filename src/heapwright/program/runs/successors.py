"""Successors of a state: the states after one step of the interpreter, and the checks that fail.

for after, fault in successors(machine, state):
    ...                  # fault None: `after` is a state at its new location, and `after.leaks` are those of the step
"""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.program.checks import Check
from heapwright.program.runs.interpreter import Machine
from heapwright.program.semantics.state import ChoicePoint, Fault, State, Stop
from heapwright.program.trace import Ending


def successors(machine: Machine, state: State) -> Iterator[tuple[State, Fault | None]]:
    """Every choice is made each way. Where a run ends or an assumption does not hold, nothing follows; where the
    interpreter stops, a bound is recorded as hit. The state must have been started with symbolic choices; it is not
    changed."""
    first = state.copy()
    first.leaks = ()
    waiting = [first]
    while waiting:
        now = waiting.pop()
        try:
            target = machine.steps[now.location](now)
        except ChoicePoint as fork:
            now.asked = 0
            for index in reversed(range(fork.count)):
                twin = now.copy()
                fork.decide(twin, index)
                waiting.append(twin)
        except Stop as stop:
            if stop.ending is Ending.CUT:
                machine.context.hit(stop.reason, machine.program.graph.locations[now.location].span)
        except Fault as fault:
            yield now, fault
        else:
            now.location = target
            now.steps += 1
            now.answers, now.asked = (), 0
            yield now, None


def failures(machine: Machine, after: State, fault: Fault | None) -> list[Check]:
    """The selected checks that fail on a step: by leaks, which the run survives, or by the fault that ends it."""
    found = [leak.check for leak in after.leaks if machine.goal.selects(leak.check)]
    check = None if fault is None else machine.violated(after, fault)
    return found if check is None else [*found, check]
