"""The domain of the fixpoint: one abstract heap per location, widened at loop heads.

A location with a single incoming edge holds the post of that edge. Dead variables are set to null before heaps are
joined, so that they keep no objects apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
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
from heapwright.engines.kit.fixpoint import Fixpoint, Node
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
    """The domain of the fixpoint: one heap per location. `faults`, by the number of the edge, are the kinds of checks
    that may fail there. `first` has the edge over which a location was reached first; `visits` counts how often it was
    taken."""

    program: Program
    domain: Numeric[F]
    instrumentation: Instrumentation
    limits: Limits
    progress: Progress
    apart: bool = False  # objects that variables point to are not summarised
    most_visits: int | None = None
    heaps: dict[int, Heap[F]] = field(default_factory=dict)
    faults: dict[int, Faults[F]] = field(default_factory=dict)
    first: dict[int, int] = field(default_factory=dict)  # location -> edge
    visits: dict[int, int] = field(default_factory=dict)
    complete: bool = False
    limit: str = ""  # why it is not complete, if that is not the time

    def __post_init__(self) -> None:
        self.transfer: Transfer[F] = Transfer(self.program, self.domain, self.instrumentation)
        self.widening: Widening[F] = Widening(self.transfer.lattice, self.transfer.summaries, apart=self.apart)
        self.liveness = Liveness(self.program)

    def run(self) -> None:
        limits = self.limits
        if self.most_visits is not None:
            limits = replace(limits, states=min(limits.states, self.most_visits))
        graph = self.program.graph
        self.complete = Fixpoint(graph, self, loops_first(graph), limits, self.progress).run()

    def initial(self) -> list[Heap[F]]:
        return [self._initial()]

    def current(self, nodes: list[Node[Heap[F]]]) -> list[Node[Heap[F]]]:
        location = nodes[0].location
        self.visits[location] = self.visits.get(location, 0) + 1
        return nodes[-1:]

    def size(self) -> int:
        return sum(self.visits.values())

    def status(self, waiting: int) -> str:
        return f"{self.size()} steps, {waiting} locations waiting"

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

    def post(self, node: Node[Heap[F]], number: int) -> list[Heap[F]]:
        edge = self.program.graph.edges[number]
        faults = self.faults.setdefault(number, Faults())
        heap = self.transfer.post(self.heaps[edge.source], edge, number, faults)
        if CheckKind.LEAK not in faults.kinds and any(check.kind is CheckKind.LEAK for check in edge.checks):
            heap = self._without_dead(heap, edge.target, temporaries=True)  # the user's keep their blocks
            self.transfer.may_be(faults, CheckKind.LEAK, self.transfer.lost(heap))
        heap = self._without_dead(heap, edge.target)
        return [] if self.transfer.lattice.empty(heap) else [heap]

    def keep(self, heap: Heap[F], node: Node[Heap[F]] | None, number: int) -> Heap[F] | None:
        """The heap of the edge's target, if it grows."""
        graph, lattice = self.program.graph, self.transfer.lattice
        if node is None:
            self.heaps[graph.entry] = heap
            return heap
        edge = graph.edges[number]
        self.first.setdefault(edge.target, number)
        old = self.heaps.get(edge.target)
        if edge.target in graph.loop_heads:
            new = self.widening.widened(old, self.transfer.taken_out(heap) if self.apart else heap)
        elif len(graph.predecessors[edge.target]) == 1:
            new = heap if heap == self.heaps[edge.source] else lattice.trimmed(heap)
            if new == old:
                return None
            self.heaps[edge.target] = new
            return new
        else:
            new = lattice.trimmed(heap if old is None else lattice.join(old, heap))
        if old is not None and lattice.leq(new, old):
            return None
        self.heaps[edge.target] = new
        return new

    def _without_dead(self, heap: Heap[F], location: int, *, temporaries: bool = False) -> Heap[F]:
        """The heap without variables that are not live: all of them, or temporaries alone."""
        live = self.liveness.at(location) | (~self.liveness.temporaries if temporaries else 0)
        dead = [
            flag
            for flag in heap.flags
            if flag.cell != NO_CELL and not flag.cell.is_field and not live & self.liveness.bit(flag.cell.field)
        ]
        return self.transfer.lattice.without_flags(heap, dead)

    # --- results -----------------------------------------------------------------------------------------------------

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
            path.append(self.first[location])
            location = self.program.graph.edges[path[-1]].source
        return tuple(reversed(path))


@dataclass(frozen=True)
class FesaStates(Generic[F]):
    """Membership in the abstract heaps of all locations, for audits."""

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
        return None if blocks is None else self.members[location].answer(blocks, lost=heap.lost is not False)
