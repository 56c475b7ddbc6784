"""The fixpoint: sets of Boolean heaps per location, each with the path by which it was reached.

Covered heaps have no successors. At locations with more than `CROWD` heaps, heaps in which the variables have equal
vectors are joined.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from heapwright.engines.api import Limits, Progress
from heapwright.engines.boolheap.abstraction.cartesian_post import Deductions, Sharpening, Step
from heapwright.engines.boolheap.abstraction.obligations import Checker
from heapwright.engines.boolheap.domain.vectors import BooleanHeap
from heapwright.engines.boolheap.heap_program import HeapProgram
from heapwright.engines.kit.fixpoint import Fixpoint, Node
from heapwright.engines.kit.iteration_order import first_edge_first

CROWD = 60
MOST = 600  # maximum number of heaps at one location


class StateLimitExceeded(Exception):
    """A location has more than the maximum number of Boolean heaps; the message names it."""


@dataclass(frozen=True, slots=True)
class ProverCost:
    """Prover calls, and seconds of the processor in this process."""

    calls: int = 0
    seconds: float = 0.0


NO_COST = ProverCost()


@dataclass(frozen=True, slots=True)
class Alarm:
    """A check may fail on an edge, in the Boolean heap of a node."""

    node: Node[BooleanHeap]
    edge: int

    def path(self) -> tuple[int, ...]:
        """The edges to the heap, and the one on which the check may fail."""
        return (*self.node.edges(), self.edge)


@dataclass
class Analysis:
    """The domain of the fixpoint: a state is one Boolean heap."""

    program: HeapProgram
    deductions: Deductions
    limits: Limits
    progress: Progress
    at: dict[int, dict[int, BooleanHeap]] = field(default_factory=dict)
    alarms: dict[str, Alarm] = field(default_factory=dict)
    unsplit: frozenset[int] = frozenset()  # edges that load a field without a case split
    complete: bool = False
    posts: int = 0
    abstraction: ProverCost = NO_COST  # of the abstraction phase

    def __post_init__(self) -> None:
        self.columns = self.program.columns
        self.active = self.program.active
        self.sharpening = Sharpening(self.columns, self.deductions.of(self.columns))
        self.checker = Checker(self.columns, self.sharpening)
        self._steps: dict[int, tuple[Step, ...]] = {}

    # --- the loop ----------------------------------------------------------------------------------------------------

    def run(self) -> None:
        graph = self.program.graph
        order = first_edge_first(graph)
        self.complete = Fixpoint(graph, self, order, self.limits, self.progress, together=False).run()

    def initial(self) -> list[BooleanHeap]:
        return self.split_and_sharpen(self.program.initial, self.program.graph.entry)

    def post(self, node: Node[BooleanHeap], number: int) -> Iterator[BooleanHeap]:
        edge = self.program.graph.edges[number]
        self.posts += 1
        for obligation in edge.command.obligations:
            if not obligation.after and not self.checker.holds(obligation, node.state):
                self.alarms.setdefault(obligation.check, Alarm(node, number))
        after = [one for one in edge.command.obligations if one.after]
        for step in self.steps(number):
            for moved in step.post(node.state):
                for heap in self.split_and_sharpen(moved, edge.target):
                    for obligation in after:
                        if obligation.check not in self.alarms and not self.checker.holds(obligation, heap):
                            self.alarms[obligation.check] = Alarm(node, number)
                    yield heap

    def keep(self, heap: BooleanHeap, node: Node[BooleanHeap] | None, number: int) -> BooleanHeap | None:
        graph = self.program.graph
        location = graph.entry if node is None else graph.edges[number].target
        here = self.at.setdefault(location, {})
        if any(one.covers(heap) for one in here.values()):
            return None
        if len(here) >= CROWD:
            for other in list(here.values()):
                if self._alike(other, heap):
                    heap = heap.joined(other)
        for covered in [key for key, one in here.items() if heap.covers(one)]:
            del here[covered]
        if len(here) >= MOST:
            raise StateLimitExceeded(f"more than {MOST} Boolean heaps at {graph.locations[location].span}")
        here[id(heap)] = heap
        return heap

    def current(self, nodes: list[Node[BooleanHeap]]) -> list[Node[BooleanHeap]]:
        return [node for node in nodes if self.at[node.location].get(id(node.state)) is node.state]

    def size(self) -> int:
        return self.posts

    def status(self, waiting: int) -> str:
        return f"{self.posts} steps, {waiting} heaps waiting"

    def steps(self, number: int) -> tuple[Step, ...]:
        if number not in self._steps:
            edge = self.program.graph.edges[number]
            before, after = self.active[edge.source], self.active[edge.target]
            self._steps[number] = tuple(
                Step(
                    commands,
                    self.columns,
                    before,
                    after,
                    self.deductions,
                    number not in self.unsplit,
                    edge.command.splits,
                )
                for commands in edge.command.alternatives
            )
        return self._steps[number]

    def precompute_step(self, heap: BooleanHeap, number: int) -> None:
        """The queries of a step from a heap, for the implicants alone: successors are discarded."""
        edge = self.program.graph.edges[number]
        before = [one for one in edge.command.obligations if not one.after]
        after = [one for one in edge.command.obligations if one.after]
        for obligation in before:
            self.checker.holds(obligation, heap)
        for step in self.steps(number):
            for moved in step.post(heap):
                for split in self.split_and_sharpen(moved, edge.target):
                    for obligation in after:
                        self.checker.holds(obligation, split)

    def split_and_sharpen(self, heap: BooleanHeap, location: int) -> list[BooleanHeap]:
        """The case split of a heap at a location, with sharpened vectors."""
        active = self.active[location]
        found = []
        for one in heap.split(self.columns.unique & active, self.columns.closed & active):
            sharper = self.sharpening.sharpen(one, active)
            if sharper is not None:
                found.append(sharper)
        return found

    def _alike(self, one: BooleanHeap, other: BooleanHeap) -> bool:
        unique = self.columns.unique
        return {v for v in one if v.ones & unique} == {v for v in other if v.ones & unique}


def run(analysis: Analysis) -> tuple[Analysis, str]:
    """The analysis after its fixpoint, and the limit that ended it, "" if none did."""
    try:
        analysis.run()
    except StateLimitExceeded as crowd:
        return analysis, str(crowd)
    return analysis, ""
