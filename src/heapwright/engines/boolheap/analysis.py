"""The fixpoint: sets of Boolean heaps per location, each with the way on which it was reached.

A heap that another one covers is not followed. Where a location has more heaps than `CROWD`, those whose variables have
the same vectors are joined to one.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

from heapwright.engines.api import Limits, Progress
from heapwright.engines.boolheap.checks import Checker
from heapwright.engines.boolheap.columns import Columns
from heapwright.engines.boolheap.deduction import Entailment
from heapwright.engines.boolheap.formulas import Formula, Less, Marked, Same, atoms, names_of
from heapwright.engines.boolheap.heaps import UNBORN, Heap, evaluator
from heapwright.engines.boolheap.meaning import meaning
from heapwright.engines.boolheap.post import Deductions, Sharpening, Step
from heapwright.engines.boolheap.samples import Samples
from heapwright.engines.boolheap.vectors import BooleanHeap, Vector, covers, pruned, split
from heapwright.program.graph import Program
from heapwright.program.liveness import Liveness
from heapwright.program.types import ValueKind

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


@dataclass
class Analysis:
    program: Program
    predicates: tuple[Formula, ...]
    samples: Samples
    prover: Entailment
    limits: Limits
    progress: Progress
    reached: list[Reached] = field(default_factory=list)
    at: dict[int, dict[int, BooleanHeap]] = field(default_factory=dict)
    alarms: dict[str, tuple[int, int]] = field(default_factory=dict)  # check -> (number of the heap, edge)
    complete: bool = False
    posts: int = 0

    def __post_init__(self) -> None:
        self.columns = Columns(self.predicates)
        self.liveness = Liveness(self.program)
        self.deductions = Deductions(self.samples, self.prover)
        self.sharpening = Sharpening(self.columns, self.deductions.of(self.columns))
        self.counts = any(is_numeric(one) for one in self.predicates)
        self.checker = Checker(self.program, self.columns, self.sharpening)
        self._steps: dict[int, tuple[Step, ...]] = {}
        names = list(self.program.variables)
        self._live = [
            frozenset(one for one in names if self.liveness.at(location) & self.liveness.bit(one))
            for location in range(len(self.program.graph.locations))
        ]
        self.active = [self.columns.active(live) for live in self._live]

    # --- the loop ----------------------------------------------------------------------------------------------------

    def run(self) -> None:
        graph = self.program.graph
        rank = {location: place for place, location in enumerate(reversed(graph.postorder))}
        numbers = {id(edge): number for number, edge in enumerate(graph.edges)}
        queue: list[tuple[int, int]] = []
        for heap in self._settled(self._initial(), graph.entry):
            self._add(heap, graph.entry, -1, -1, queue, rank)
        while queue:
            _, number = heapq.heappop(queue)
            state = self.reached[number]
            if number not in self.at[state.location]:
                continue  # covered meanwhile
            self.progress.update(f"boolheap: {self.posts} steps, {len(queue) + 1} heaps waiting")
            for edge in graph.successors[state.location]:
                if self.limits.expired():
                    return
                self._follow(state, numbers[id(edge)], queue, rank)
        self.complete = True

    def _follow(self, state: Reached, number: int, queue: list[tuple[int, int]], rank: dict[int, int]) -> None:
        edge = self.program.graph.edges[number]
        self.posts += 1
        for check in self.checker.failing(edge, state.heap):
            self.alarms.setdefault(check.id, (state.number, number))
        for step in self.steps(number):
            for moved in step.post(state.heap):
                for heap in self._settled(moved, edge.target):
                    self._add(heap, edge.target, state.number, number, queue, rank)

    def steps(self, number: int) -> tuple[Step, ...]:
        if number not in self._steps:
            edge = self.program.graph.edges[number]
            before, after = self.active[edge.source], self.active[edge.target]
            self._steps[number] = tuple(
                Step(commands, self.columns, before, after, self.deductions)
                for commands in meaning(edge.command, self.program, self.counts)
            )
        return self._steps[number]

    def _settled(self, heap: BooleanHeap, location: int) -> list[BooleanHeap]:
        active = self.active[location]
        found = []
        for one in split(heap, self.columns.unique & active, self.columns.closed & active):
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
        if any(covers(one, heap) for one in here.values()):
            return
        if len(here) >= CROWD:
            for other in list(here.values()):
                if self._alike(other, heap):
                    heap = pruned((*other, *heap))
        for number in [number for number, one in here.items() if covers(heap, one)]:
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

    def _initial(self) -> BooleanHeap:
        """No object was allocated; variables that are read before they are written are junk, and numbers anything."""
        pointers = {one.name for one in self.program.variables.values() if one.kind is ValueKind.POINTER}
        entry = self.program.graph.entry
        fields = {one.name: (2,) for type in self.program.types.values() for one in type.fields}
        heap = Heap(1, (UNBORN,), dict.fromkeys(pointers, 2), fields)
        plain = [
            (place, evaluator(one))
            for place, one in enumerate(self.predicates)
            if self.active[entry] >> place & 1 and names_of(one) <= pointers and not is_numeric(one)
        ]
        vectors = []
        for v in heap.everything:
            vector = Vector(0, 0)
            for place, holds in plain:
                vector = vector.having(1 << place, holds(heap, v))
            vectors.append(vector)
        return pruned(vectors)

    # --- what follows ------------------------------------------------------------------------------------------------

    def path(self, number: int, edge: int) -> tuple[int, ...]:
        """The edges to a heap, and the one that is taken there."""
        found = [edge]
        while self.reached[number].parent >= 0:
            found.append(self.reached[number].edge)
            number = self.reached[number].parent
        return tuple(reversed(found))


def is_numeric(formula: Formula) -> bool:
    """Whether it speaks of more than objects: of numbers, or of marks."""
    return any(isinstance(one, Less | Same | Marked) for one in atoms(formula))
