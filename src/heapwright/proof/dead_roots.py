"""Dead variables that keep blocks from being lost, of which only what they hold together matters (symmetry reduction).

A dead variable is not read again before it is written, so heaps differ by it in one way only: a live block
that it points to is reachable. Variables of one type that the next commands treat alike, by writing both or neither,
can be exchanged. So they are assigned distinct live blocks, in the order in which those were reached, then junk.

    DeadRoots(machine, states, also, location).first(heap, "old", state, touched)    # blocks before it are not tried
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from heapwright.engines.api import ProofStates
from heapwright.program.dataflow.liveness import defined
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.snapshot import Snapshot
from heapwright.program.semantics.objects import PARTIAL
from heapwright.program.semantics.state import State


class DeadRoots:
    """`also`: the variables at a location that are assigned beside those which the states distinguish."""

    def __init__(
        self, machine: Machine, states: ProofStates, also: Callable[[int], Sequence[str]], location: int
    ) -> None:
        program, liveness = machine.program, machine.liveness
        steps = program.graph.successors[location]
        known = {name for place in (location, *(step.target for step in steps)) for name in states.pointers(place)}
        kept = [frozenset(also(step.target)) for step in steps]
        live = (name for name in program.variables if liveness.at(location) & liveness.bit(name))
        self.with_null = {*live, *states.nulls(location)}  # the variables of which null and junk are not the same
        self.alike: dict[Hashable, list[str]] = {}
        self.role: dict[str, Hashable] = {}
        for name in also(location):
            if name not in known and not liveness.at(location) & liveness.bit(name):
                after = tuple(
                    (defined(step.command) == name, name in roots) for step, roots in zip(steps, kept, strict=True)
                )
                role = (program.variables[name].target, after)
                self.role[name] = role
                self.alike.setdefault(role, []).append(name)

    def first(self, heap: Snapshot, name: str, state: State, touched: Sequence[int]) -> int:
        """The position in `touched`, the blocks in the order in which they were reached, of the first block that a
        variable is to be tried with; -1 if it is junk."""
        role = self.alike[self.role[name]]
        found = 0
        for other in role[: role.index(name)]:
            number = heap.pointers[other].object
            if number <= 0:
                return -1
            found = max(found, touched.index(state.objects[number].block) + 1)
        return found

    def allows(self, state: State, block: int, position: int, first: int) -> bool:
        """Whether a variable may be tried with a block at this position: pointing to a dead block is like junk."""
        return state.blocks[block].status <= PARTIAL and 0 <= first <= position
