"""The fixpoint: one abstract heap per location, widened where ways of a loop meet.

A location that only one edge leads to has what comes over that edge, and nothing more. Before heaps meet, variables
that nobody reads any more are null, so that they keep no objects apart.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import Generic

from heapwright.engines.api import Limits, Progress
from heapwright.engines.fesa.graph.abstract_heap import NO_CELL, F, Heap, Instrumentation, variable
from heapwright.engines.fesa.graph.widening import Widening
from heapwright.engines.fesa.numeric.api import Numeric
from heapwright.engines.fesa.numeric.serialization import allowing
from heapwright.engines.fesa.states.concrete_blocks import whole_blocks
from heapwright.engines.fesa.states.membership import Membership
from heapwright.engines.fesa.transfer.commands import Transfer
from heapwright.engines.fesa.transfer.dereference import Faults
from heapwright.engines.kit.iteration_order import loops_first
from heapwright.program.checks import CheckKind
from heapwright.program.commands import Assert
from heapwright.program.dataflow.liveness import Liveness
from heapwright.program.graph import Program
from heapwright.program.runs.snapshot import Snapshot
from heapwright.program.types import ValueKind


@dataclass(frozen=True, slots=True)
class Alarm(Generic[F]):
    """A check may fail on the edge of this number, in this heap."""

    edge: int
    heap: Heap[F]


@dataclass
class Analysis(Generic[F]):
    """`heaps` are by location; `faults`, by the number of the edge, say what may go wrong there. `parents` has, by
    location, the edge over which it was reached first; `visits` counts how often a location was taken."""

    program: Program
    domain: Numeric[F]
    instrumentation: Instrumentation
    limits: Limits
    progress: Progress
    apart: bool = False  # objects that variables point to are not summarised
    most_visits: int | None = None
    heaps: dict[int, Heap[F]] = field(default_factory=dict)
    faults: dict[int, Faults[F]] = field(default_factory=dict)
    parents: dict[int, int] = field(default_factory=dict)
    visits: dict[int, int] = field(default_factory=dict)
    complete: bool = False
    limit: str = ""  # why it is not complete, if that is not the time

    def __post_init__(self) -> None:
        self.transfer: Transfer[F] = Transfer(self.program, self.domain, self.instrumentation)
        self.widening: Widening[F] = Widening(self.transfer.lattice, self.transfer.summaries, apart=self.apart)
        self.liveness = Liveness(self.program)

    def run(self) -> None:
        graph = self.program.graph
        order = loops_first(graph)
        rank = {location: place for place, location in enumerate(order)}
        numbers = {id(edge): number for number, edge in enumerate(graph.edges)}
        self.heaps[graph.entry] = self._initial()
        queue, queued = [rank[graph.entry]], {graph.entry}
        while queue:
            location = order[heapq.heappop(queue)]
            queued.discard(location)
            self.visits[location] = self.visits.get(location, 0) + 1
            if self.most_visits is not None and sum(self.visits.values()) > self.most_visits:
                return
            self.progress.update(f"fesa: {sum(self.visits.values())} steps, {len(queue) + 1} locations waiting")
            for edge in graph.successors[location]:
                if self.limits.expired() or sum(self.visits.values()) > self.limits.states:
                    return
                if self._follow(numbers[id(edge)]) and edge.target not in queued:
                    queued.add(edge.target)
                    heapq.heappush(queue, rank[edge.target])
        self.complete = True

    def _initial(self) -> Heap[F]:
        """Variables that are read before they are written hold junk; all input objects are there."""
        heap: Heap[F] = Heap({}, frozenset(), self.domain.top())
        live = self.liveness.at(self.program.graph.entry)
        for name, found in self.program.variables.items():
            if live & self.liveness.bit(name):
                if found.kind is ValueKind.POINTER:
                    heap = self.transfer.uninitialized(heap, variable(name))
                else:
                    heap = self.transfer.forgotten(heap, variable(name), name)
        return self.transfer.inputs.heap(heap)

    def _follow(self, number: int) -> bool:
        """Brings the heap before an edge over it; whether that changes anything."""
        edge = self.program.graph.edges[number]
        faults = self.faults.setdefault(number, Faults())
        heap = self.transfer.post(self.heaps[edge.source], edge, number, faults)
        if CheckKind.LEAK not in faults.kinds and any(check.kind is CheckKind.LEAK for check in edge.checks):
            self.transfer.may_be(faults, CheckKind.LEAK, self.transfer.lost(heap))
        heap = self._without_dead(heap, edge.target)
        lattice = self.transfer.lattice
        if lattice.empty(heap):
            return False
        self.parents.setdefault(edge.target, number)
        old = self.heaps.get(edge.target)
        if edge.target in self.program.graph.loop_heads:
            new = self.widening.widened(old, self.transfer.taken_out(heap) if self.apart else heap)
        elif len(self.program.graph.predecessors[edge.target]) == 1:
            new = heap if heap == self.heaps[edge.source] else lattice.trimmed(heap)
            if new == old:
                return False
            self.heaps[edge.target] = new
            return True
        else:
            new = lattice.trimmed(heap if old is None else lattice.join(old, heap))
        if old is not None and lattice.leq(new, old):
            return False
        self.heaps[edge.target] = new
        return True

    def _without_dead(self, heap: Heap[F], location: int) -> Heap[F]:
        live = self.liveness.at(location)
        dead = [
            flag
            for flag in heap.flags
            if flag.cell != NO_CELL and not flag.cell.is_field and not live & self.liveness.bit(flag.cell.field)
        ]
        return self.transfer.lattice.without_flags(heap, dead)

    # --- what follows ------------------------------------------------------------------------------------------------

    def alarms(self) -> dict[str, Alarm[F]]:
        """The checks that may fail, each with an edge where it does."""
        found: dict[str, Alarm[F]] = {}
        for number, faults in sorted(self.faults.items()):
            edge = self.program.graph.edges[number]
            for check in edge.checks:
                if check.kind in faults.kinds:
                    found.setdefault(check.id, Alarm(number, faults.kinds[check.kind]))
            if CheckKind.ASSERT in faults.kinds and isinstance(edge.command, Assert):
                found.setdefault(edge.command.check.id, Alarm(number, faults.kinds[CheckKind.ASSERT]))
        return found

    @property
    def confused(self) -> bool:
        return any(faults.confused for faults in self.faults.values())

    def path(self, number: int) -> tuple[int, ...]:
        """The edges over which an edge was reached first, and itself."""
        path = [number]
        location = self.program.graph.edges[number].source
        while location != self.program.graph.entry:
            path.append(self.parents[location])
            location = self.program.graph.edges[path[-1]].source
        return tuple(reversed(path))


@dataclass(frozen=True)
class Known(Generic[F]):
    """What an analysis knows at each location, for audits."""

    analysis: Analysis[F]
    members: dict[int, Membership] = field(default_factory=dict)

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        analysis = self.analysis
        known = analysis.heaps.get(location)
        if analysis.confused:
            return None
        if known is None:
            return False
        if location not in self.members:
            mask = analysis.liveness.at(location)
            live = frozenset(name for name in analysis.program.variables if mask & analysis.liveness.bit(name))
            places = analysis.transfer.places
            self.members[location] = Membership(
                known.nodes,
                known.flags,
                allowing(analysis.domain, known.function, known.flags),
                live,
                places.names(analysis.transfer.read),
                analysis.instrumentation,
                places.constants(live, analysis.transfer.constants),
            )
        blocks = whole_blocks(heap)
        return None if blocks is None else self.members[location].contains(blocks)
