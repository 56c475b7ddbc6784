"""The fixpoint: sets of Boolean heaps per location, each with the way on which it was reached.

A heap that another one covers is not followed. Where a location has more heaps than `CROWD`, those whose variables have
the same vectors are joined to one.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from heapwright.engines.api import Limits, Progress
from heapwright.engines.boolheap.abstraction.cartesian_post import Deductions, Sharpening, Step
from heapwright.engines.boolheap.abstraction.obligations import Checker
from heapwright.engines.boolheap.domain.vectors import BooleanHeap
from heapwright.engines.boolheap.heap_program import HeapProgram

CROWD = 60
MOST = 600  # heaps at one location


class TooMany(Exception):
    """More Boolean heaps than the analysis takes on; says where."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A Boolean heap at a location; `parent` is the one that it comes from, over the edge of that number."""

    number: int
    location: int
    heap: BooleanHeap
    parent: int
    edge: int


@dataclass(frozen=True, slots=True)
class Spent:
    """What was spent: calls of provers, and seconds."""

    calls: int = 0
    seconds: float = 0.0


NOTHING = Spent()


@dataclass
class Analysis:
    program: HeapProgram
    deductions: Deductions
    limits: Limits
    progress: Progress
    reached: list[Reached] = field(default_factory=list)
    at: dict[int, dict[int, BooleanHeap]] = field(default_factory=dict)
    alarms: dict[str, tuple[int, int]] = field(default_factory=dict)  # check -> (number of the heap, edge)
    unsplit: frozenset[int] = frozenset()  # edges whose steps read a field without splitting before
    complete: bool = False
    posts: int = 0
    abstraction: Spent = NOTHING  # before it runs

    def __post_init__(self) -> None:
        self.columns = self.program.columns
        self.active = self.program.active
        self.sharpening = Sharpening(self.columns, self.deductions.of(self.columns))
        self.checker = Checker(self.columns, self.sharpening)
        self._steps: dict[int, tuple[Step, ...]] = {}

    # --- the loop ----------------------------------------------------------------------------------------------------

    def run(self) -> None:
        graph = self.program.graph
        rank = {location: place for place, location in enumerate(reversed(graph.postorder))}
        numbers = {id(edge): number for number, edge in enumerate(graph.edges)}
        queue: list[tuple[int, int]] = []
        for heap in self.settled(self.program.initial, graph.entry):
            self._add(heap, graph.entry, -1, -1, queue, rank)
        while queue:
            _, number = heapq.heappop(queue)
            state = self.reached[number]
            if number not in self.at[state.location]:
                continue  # covered meanwhile
            self.progress.update(f"boolheap: {self.posts} steps, {len(queue) + 1} heaps waiting")
            for edge in graph.successors[state.location]:
                if self.limits.expired() or self.posts > self.limits.states:
                    return
                self._follow(state, numbers[id(edge)], queue, rank)
        self.complete = True

    def _follow(self, state: Reached, number: int, queue: list[tuple[int, int]], rank: dict[int, int]) -> None:
        edge = self.program.graph.edges[number]
        self.posts += 1
        before = [one for one in edge.command.obligations if not one.after]
        after = [one for one in edge.command.obligations if one.after]
        for obligation in before:
            if not self.checker.holds(obligation, state.heap):
                self.alarms.setdefault(obligation.check, (state.number, number))
        for step in self.steps(number):
            for moved in step.post(state.heap):
                for heap in self.settled(moved, edge.target):
                    for obligation in after:
                        if obligation.check not in self.alarms and not self.checker.holds(obligation, heap):
                            self.alarms[obligation.check] = (state.number, number)
                    self._add(heap, edge.target, state.number, number, queue, rank)

    def steps(self, number: int) -> tuple[Step, ...]:
        if number not in self._steps:
            edge = self.program.graph.edges[number]
            before, after = self.active[edge.source], self.active[edge.target]
            self._steps[number] = tuple(
                Step(commands, self.columns, before, after, self.deductions, number not in self.unsplit)
                for commands in edge.command.alternatives
            )
        return self._steps[number]

    def rehearse(self, heap: BooleanHeap, number: int) -> None:
        """Asks what a step from a heap asks, and keeps nothing but the answers."""
        edge = self.program.graph.edges[number]
        before = [one for one in edge.command.obligations if not one.after]
        after = [one for one in edge.command.obligations if one.after]
        for obligation in before:
            self.checker.holds(obligation, heap)
        for step in self.steps(number):
            for moved in step.post(heap):
                for settled in self.settled(moved, edge.target):
                    for obligation in after:
                        self.checker.holds(obligation, settled)

    def settled(self, heap: BooleanHeap, location: int) -> list[BooleanHeap]:
        """The heaps that a heap is split into at a location, sharpened."""
        active = self.active[location]
        found = []
        for one in heap.split(self.columns.unique & active, self.columns.closed & active):
            sharper = self.sharpening.sharpened(one, active)
            if sharper is not None:
                found.append(sharper)
        return found

    def _add(
        self,
        heap: BooleanHeap,
        location: int,
        parent: int,
        edge: int,
        queue: list[tuple[int, int]],
        rank: dict[int, int],
    ) -> None:
        here = self.at.setdefault(location, {})
        if any(one.covers(heap) for one in here.values()):
            return
        if len(here) >= CROWD:
            for other in list(here.values()):
                if self._alike(other, heap):
                    heap = heap.joined(other)
        for number in [number for number, one in here.items() if heap.covers(one)]:
            del here[number]
        if len(here) >= MOST:
            place = self.program.graph.locations[location].span
            raise TooMany(f"more than {MOST} Boolean heaps at {place}")
        number = len(self.reached)
        self.reached.append(Reached(number, location, heap, parent, edge))
        here[number] = heap
        heapq.heappush(queue, (rank[location], number))

    def _alike(self, one: BooleanHeap, other: BooleanHeap) -> bool:
        unique = self.columns.unique
        return {v for v in one if v.ones & unique} == {v for v in other if v.ones & unique}

    # --- what follows ------------------------------------------------------------------------------------------------

    def path(self, number: int, edge: int) -> tuple[int, ...]:
        """The edges to a heap, and the one that is taken there."""
        found = [edge]
        while self.reached[number].parent >= 0:
            found.append(self.reached[number].edge)
            number = self.reached[number].parent
        return tuple(reversed(found))


def run(analysis: Analysis) -> tuple[Analysis, str]:
    """The analysis once it has run, and why it was given up, if so."""
    try:
        analysis.run()
    except TooMany as crowd:
        return analysis, str(crowd)
    return analysis, ""
