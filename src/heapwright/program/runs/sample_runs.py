"""Steps of runs, all small ones and random ones, against which engines and certificates are tested.

for before, after, fault in small_steps(machine, most=1000):
    ...                  # before is None at the entry; fault is a check that fails on the way
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from heapwright.program.choices import RandomChoices, SymbolicChoices
from heapwright.program.dataflow.dead_ends import is_dead_end
from heapwright.program.runs.canonical_form import Canonical
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.successors import successors
from heapwright.program.semantics.state import Bounds, ChoicePoint, Fault, State, Stop

SMALL = Bounds(objects=6, input_objects=4)
Step = tuple[State | None, State]  # the state before, None at the entry, and the one after


def small_steps(machine: Machine, most: int) -> Iterator[tuple[State | None, State, Fault | None]]:
    """All steps of runs, nearest to the entry first, up to so many states that are not isomorphic. States keep blocks
    that only dead pointers reach: canonical forms, which drop them, are made of copies. Dead ends are left out."""
    canonical = Canonical(machine)
    graph = machine.program.graph
    nowhere = {location for location in range(len(graph.locations)) if is_dead_end(machine.program, location)}
    first = machine.start(SymbolicChoices(ChoicePoint))
    yield None, first, None
    seen = {canonical.key(first.copy())}
    waiting = deque([first])
    while waiting and len(seen) < most:
        state = waiting.popleft()
        for after, fault in successors(machine, state):
            if fault is None and after.location in nowhere:
                continue
            yield state, after, fault
            if fault is None:
                key = canonical.key(after.copy())
                if key not in seen:
                    seen.add(key)
                    waiting.append(after)


def random_run(machine: Machine, seed: int, steps: int) -> Iterator[Step]:
    state = machine.start(RandomChoices(seed))
    yield None, state
    try:
        for _ in range(steps):
            before = state.copy()
            state.location = machine.steps[state.location](state)
            state.steps += 1
            yield before, state
    except (Stop, Fault):
        return
