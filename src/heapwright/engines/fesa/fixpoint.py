"""The domain of the fixpoint: one abstract heap per location, widened at loop heads.

A location with a single incoming edge holds the post of that edge. Dead variables are set to null before heaps are
joined, so that they keep no objects apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Generic

from heapwright.engines.api import Limits, Progress
from heapwright.engines.fesa.graph.abstract_heap import NO_CELL, F, Heap, Instrumentation, variable
from heapwright.engines.fesa.graph.widening import NAMED, Rule, Widening
from heapwright.engines.fesa.numeric.api import Numeric
from heapwright.engines.fesa.numeric.serialization import allowing
from heapwright.engines.fesa.states.concrete_blocks import whole_blocks
from heapwright.engines.fesa.states.membership import Membership, kept_variables
from heapwright.engines.fesa.transfer.acyclicity import counted_sets, ordered_fields
from heapwright.engines.fesa.transfer.commands import Transfer
from heapwright.engines.fesa.transfer.dereference import Faults
from heapwright.engines.kit.fixpoint import Fixpoint, Node, StopAnalysis
from heapwright.engines.kit.iteration_order import Sweeps
from heapwright.program.checks import Check, CheckKind
from heapwright.program.commands import AnyPointer, Assert, Command
from heapwright.program.dataflow.liveness import Liveness, defined
from heapwright.program.graph import Edge, Program
from heapwright.program.runs.snapshot import Snapshot
from heapwright.program.types import ValueKind

# What an access or `free` through a pointer that has left its array may be.
OUTSIDE = frozenset({CheckKind.BOUNDS, CheckKind.INVALID_DEREF, CheckKind.INVALID_FREE})


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
    rule: Rule = NAMED
    acyclic: frozenset[str] | None = None  # the fields that are to form no cycle; None: all that there are
    anchors: frozenset[str] = frozenset()  # variables through whose blocks they may form one
    scopes: bool = False  # pointers that the user wrote are kept to the end of their scopes: they hold blocks
    most_visits: int | None = None
    most_work: int | None = None
    heaps: dict[int, Heap[F]] = field(default_factory=dict)
    faults: dict[int, Faults[F]] = field(default_factory=dict)
    first: dict[int, int] = field(default_factory=dict)  # location -> edge
    taken: set[int] = field(default_factory=set)  # edges over which a heap arrives
    visits: dict[int, int] = field(default_factory=dict)
    complete: bool = False
    limit: str = ""  # why it is not complete, if that is not the time

    def __post_init__(self) -> None:
        shapes = self.instrumentation.shapes
        fields = ordered_fields(self.program, shapes=shapes)
        sets = {one for one in counted_sets(self.program) if one < fields} if shapes else set()
        if self.acyclic is not None and self.acyclic != fields:
            fields = self.acyclic
            sets |= {fields} if fields else set()
        if self.instrumentation.into:
            self.instrumentation = replace(self.instrumentation, sets=tuple(sorted(sets, key=sorted)))
        self.transfer: Transfer[F] = Transfer(self.program, self.domain, self.instrumentation, fields, self.anchors)
        self.widening: Widening[F] = Widening(self.transfer.lattice, self.transfer.summaries, self.rule)
        self.liveness = Liveness(self.program)

    def run(self) -> None:
        limits = self.limits
        if self.most_visits is not None:
            limits = replace(limits, states=min(limits.states, self.most_visits))
        graph = self.program.graph
        self.complete = Fixpoint(graph, self, Sweeps(graph), limits, self.progress).run()

    def initial(self) -> list[Heap[F]]:
        return [self._initial()]

    def current(self, nodes: list[Node[Heap[F]]]) -> list[Node[Heap[F]]]:
        if self.most_work is not None and self.work() > self.most_work:
            raise StopAnalysis
        location = nodes[0].location
        self.visits[location] = self.visits.get(location, 0) + 1
        return nodes[-1:]

    def size(self) -> int:
        return sum(self.visits.values())

    def work(self) -> int:
        """The sizes of the functions that were projected: a measure of work that is the same on every machine."""
        return self.domain.sizes.rest

    def status(self, waiting: int) -> str:
        return f"{self.size()} steps, {waiting} locations waiting"

    def _initial(self) -> Heap[F]:
        """Variables that are read before they are written hold junk; all input objects are there."""
        heap: Heap[F] = Heap({}, frozenset(), self.domain.top())
        live = self.kept(self.program.graph.entry)
        for name, found in self.program.variables.items():
            if live & self.liveness.bit(name):
                if found.kind is ValueKind.POINTER:
                    heap = self.transfer.uninitialized(heap, variable(name))
                else:
                    heap = self.transfer.forgotten(heap, variable(name), name)
        return self.transfer.inputs.heap(heap)

    @property
    def predecessors(self) -> dict[int, tuple[int, ...]]:
        """For each location the locations from which a heap arrives."""
        found: dict[int, set[int]] = {location: set() for location in self.heaps}
        for edge in map(self.program.graph.edges.__getitem__, self.taken):
            found[edge.target].add(edge.source)
        return {location: tuple(sorted(sources)) for location, sources in found.items()}

    def post(self, node: Node[Heap[F]], number: int) -> list[Heap[F]]:
        edge = self.program.graph.edges[number]
        faults = self.faults.setdefault(number, Faults())
        heap = self.transfer.post(self.heaps[edge.source], edge, number, faults)
        leaks = [check.cleanup for check in edge.checks if check.kind is CheckKind.LEAK]
        if not all(leaks) and CheckKind.LEAK not in faults.kinds:
            after = heap
            if isinstance(edge.command, AnyPointer):  # objects of inputs are met, not lost
                after = self.transfer.before_input(self.heaps[edge.source], edge.command)
            after = self._without_dead(after, edge.target, temporaries=True)  # the user's keep their blocks
            self.transfer.may_be(faults, CheckKind.LEAK, self.transfer.lost(after))
        if any(leaks) and not self.transfer.lattice.empty(left := self.transfer.remaining(heap)):
            faults.remaining = left
        heap = self._without_dead(heap, edge.target, temporaries=self.scopes)
        for name in sorted(self.anchors - self.transfer.left):
            self._leave(edge, number, name)
        if self.transfer.lattice.empty(heap):
            return []
        self.taken.add(number)
        return [heap]

    def _leave(self, edge: Edge[Command], number: int, name: str) -> None:
        """Notes an anchor that is assigned on an edge, or dies."""
        bit = self.liveness.bit(name)
        stays = self.kept(edge.target) & bit and defined(edge.command) != name
        if self.kept(edge.source) & bit and not stays:
            marked = self.transfer.marked(self.heaps[edge.source], name)
            after = self.transfer.post(marked, edge, number, Faults())
            self.transfer.leave(self._without_dead(after, edge.target, temporaries=self.scopes), name)

    def keep(self, heap: Heap[F], node: Node[Heap[F]] | None, number: int) -> Heap[F] | None:
        """The heap of the edge's target, if it grows."""
        graph, lattice = self.program.graph, self.transfer.lattice
        if node is None:
            self.heaps[graph.entry] = heap
            return heap
        edge = graph.edges[number]
        self.first.setdefault(edge.target, number)
        old = self.heaps.get(edge.target)
        alone = len(graph.predecessors[edge.target]) == 1
        if edge.target in graph.loop_heads or (self.rule.joins and not alone):
            new = self.widening.widened(old, self.transfer.taken_out(heap) if self.rule.apart else heap)
        elif alone:
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

    def kept(self, location: int) -> int:
        """The variables that a heap at a location tracks."""
        return kept_variables(self.liveness, location, scopes=self.scopes)

    def _without_dead(self, heap: Heap[F], location: int, *, temporaries: bool = False) -> Heap[F]:
        """The heap without variables that are not live: all of them, or temporaries alone."""
        live = kept_variables(self.liveness, location, scopes=temporaries)
        dead = [
            flag
            for flag in heap.flags
            if flag.cell != NO_CELL and not flag.cell.is_field and flag.cell.field in self.program.variables
            if not live & self.liveness.bit(flag.cell.field)
        ]
        return self.transfer.lattice.without_flags(heap, dead)

    # --- results -----------------------------------------------------------------------------------------------------

    def alarms(self) -> dict[str, Alarm[F]]:
        """The checks that may fail, each with an edge where it does."""
        found: dict[str, Alarm[F]] = {}
        for number, faults in sorted(self.faults.items()):
            edge = self.program.graph.edges[number]
            for check in edge.checks:
                if check.cleanup and faults.remaining is not None:
                    found.setdefault(check.id, Alarm(number, faults.remaining))
                elif check.kind in faults.kinds and not check.cleanup:
                    found.setdefault(check.id, Alarm(number, faults.kinds[check.kind]))
                elif check.kind in OUTSIDE and (outside := self.transfer.loose & faults.elements.keys()):
                    found.setdefault(check.id, Alarm(number, faults.elements[min(outside)]))
            if CheckKind.ASSERT in faults.kinds and isinstance(edge.command, Assert):
                found.setdefault(edge.command.check.id, Alarm(number, faults.kinds[CheckKind.ASSERT]))
        return found

    def unproved(self, check: Check) -> str:
        """The reason why a check is not proved although no state shows that it may fail, "" if it is proved."""
        if check.cleanup or not (check.kind is CheckKind.LEAK or check.id in self._unless_cycles()):
            return ""
        if not self.instrumentation.into:
            return "leaks are not proved without --instrumentation"
        if self.transfer.inputs.types:
            return "input objects may form cycles, and be lost before they are met"
        fields = sorted({field for conflict in self.transfer.conflicts for field in conflict})
        if self.anchors and check.kind is not CheckKind.LEAK:
            fields = sorted(self.transfer.acyclic)
        return f"pointers may form cycles along {', '.join(fields)}" if fields else ""

    def _unless_cycles(self) -> set[str]:
        """The asserted shapes that hold only if fields form no cycle."""
        steps = self.program.graph.edges
        commands = (steps[number].command for number, faults in self.faults.items() if faults.unless_cycles)
        return {command.check.id for command in commands if isinstance(command, Assert)}

    @property
    def arbitrary(self) -> dict[int, str]:
        """The locations at which an input may still have any shape, with its variable."""
        return {one.location: one.command.target for one in self.transfer.inputs.shaped}

    @property
    def without_cycles(self) -> frozenset[str]:
        """The fields along which live blocks form no cycle according to the analysis, but through roots and blocks
        of anchors, except where inputs are arbitrary."""
        told = self.instrumentation.into and not self.transfer.inputs.types and not self.transfer.conflicts
        return self.transfer.acyclic if told else frozenset()

    @property
    def conclusive(self) -> bool:
        """Whether the analysis proves anything at all."""
        return self.complete and not self.confused

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
            mask = analysis.kept(location)
            live = frozenset(name for name in analysis.program.variables if mask & analysis.liveness.bit(name))
            offsets = analysis.transfer.offsets
            self.members[location] = Membership(
                known.nodes,
                known.flags,
                allowing(analysis.domain, known.function, known.flags),
                live,
                offsets.names(analysis.transfer.read),
                analysis.instrumentation,
                offsets.constants(live, analysis.transfer.constants),
                analysis.without_cycles,
                analysis.arbitrary.get(location, ""),
                analysis.anchors,
                rooted=analysis.transfer.rooted,
            )
        blocks = whole_blocks(heap, analysis.transfer.offsets)
        return None if blocks is None else self.members[location].answer(blocks, lost=heap.lost is not False)
