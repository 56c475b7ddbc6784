"""The domain of the fixpoint: 3-valued structures, joined per location.

Locations are taken in reverse postorder (edges visited last to first, as TVLA does), each with all structures that are
new there. `structures_total` counts the initial structures and every change of a location's set; `structures_in_graph`
counts what the locations hold in the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from heapwright.base.immutable import Immutable
from heapwright.engines.api import Limits, NullProgress, Progress
from heapwright.engines.kit.deadline import Deadline, DeadlineExceeded
from heapwright.engines.kit.fixpoint import Fixpoint, Node, StopAnalysis
from heapwright.engines.kit.garbage_collection import without_cycle_collection
from heapwright.engines.kit.iteration_order import last_edge_first
from heapwright.engines.tvl.constraints.integrity_constraints import all_constraints
from heapwright.engines.tvl.focus.strategies import RefineKind
from heapwright.engines.tvl.structure_conversion import read_structure
from heapwright.engines.tvl.structures.antichain import Profiles
from heapwright.engines.tvl.structures.join import JoinKind, StructureSet, make_structure_set
from heapwright.engines.tvl.structures.loose_embedding import EmbeddingKind
from heapwright.engines.tvl.structures.structure import Signature, Structure
from heapwright.engines.tvl.transform.transformer import Kernel, Transformer
from heapwright.logic.actions import Action, NamedStructure
from heapwright.logic.vocabulary import Constraint, Vocabulary
from heapwright.program.graph import Graph


class Options(Immutable):
    join: JoinKind = "part"
    automatic: bool = True  # constraints from properties and definitions
    differencing: bool = True  # derived updates of instrumentation predicates
    added: frozenset[str] = frozenset()  # if not of all, then of these
    embedding: EmbeddingKind = "strict"
    refine: RefineKind = "formula"
    until_message: bool = False  # the first message ends the analysis, which is not complete then
    # Also follow structures that were joined with others while they waited. Their successors are covered, so that
    # this only costs time; but TVLA does it, and counts the structures that it makes.
    outdated: bool = False
    transitions: bool = False  # find out which structures steps make of which


class Transition(Immutable):
    """A step makes one structure of another: their locations, and their numbers there."""

    source: int
    before: int
    edge: int
    target: int
    after: int


class Report(Immutable):
    """A message of an edge: how often it was raised, how often of those definitely, and from which structure first
    (definitely first, if ever)."""

    edge: int
    text: str
    times: int
    definite: int
    node: Node[Structure]

    @property
    def location(self) -> int:
        return self.node.location

    @property
    def structure(self) -> Structure:
        return self.node.state


class ConstraintViolation(Immutable):
    """An update produced a structure that violates an integrity constraint: the specification is inconsistent."""

    edge: int
    structure: Structure
    constraint: Constraint


class TvlOutcome(Immutable):
    """`complete`: the fixpoint was reached, so that its structures contain every reachable heap."""

    signature: Signature
    structures: tuple[tuple[Structure, ...], ...]  # by location
    messages: tuple[Report, ...]
    structures_total: int
    iterations: int
    complete: bool
    breach: ConstraintViolation | None = None
    transitions: tuple[Transition, ...] = ()  # all of them, or none if they are not known

    @property
    def reached(self) -> list[int]:
        """The locations with structures."""
        return [location for location, found in enumerate(self.structures) if found]

    @property
    def structures_in_graph(self) -> int:
        return sum(map(len, self.structures))

    @property
    def most_structures(self) -> int:
        """At any one location."""
        return max(map(len, self.structures), default=0)

    @property
    def message_count(self) -> int:
        return sum(report.times for report in self.messages)


def run(
    vocabulary: Vocabulary,
    constraints: Sequence[Constraint],
    graph: Graph[Action],
    initial: Sequence[NamedStructure],
    options: Options | None = None,
    progress: Progress | None = None,
    limits: Limits | None = None,
) -> TvlOutcome:
    options, limits = options or Options(), limits or Limits()
    with without_cycle_collection():
        try:
            rules = all_constraints(vocabulary, constraints, automatic=options.automatic)
            kernel = Kernel.build(
                vocabulary,
                rules,
                differencing=options.differencing,
                added=options.added,
                embedding=options.embedding,
                refine=options.refine,
                deadline=Deadline(limits.deadline),
            )
            structures = [read_structure(kernel, written) for written in initial]
        except DeadlineExceeded:
            return nothing_reached(vocabulary, graph)
        return Analysis(kernel, graph, options, progress or NullProgress(), limits).run(structures)


def nothing_reached(vocabulary: Vocabulary, graph: Graph[Action]) -> TvlOutcome:
    """The outcome of an analysis whose deadline passed before it began."""
    return TvlOutcome(Signature(vocabulary), ((),) * len(graph.locations), (), 0, 0, complete=False)


class Analysis:
    """The domain of the fixpoint: a state is one structure, and the set of a location joins them."""

    def __init__(
        self, kernel: Kernel, graph: Graph[Action], options: Options, progress: Progress, limits: Limits
    ) -> None:
        self.kernel = kernel
        self.graph = graph
        self.options = options
        self.outdated = options.outdated and options.embedding == "strict"
        profiles = Profiles(kernel.signature)
        self.sets: list[StructureSet] = [
            make_structure_set(
                options.join,
                kernel.signature,
                embedding=options.embedding,
                profiles=profiles,
                deadline=kernel.coercer.deadline,
            )
            for _ in graph.locations
        ]
        self.reports: dict[tuple[int, str], Report] = {}
        self.transformers: dict[Action, Transformer] = {}
        self.by_edge: dict[int, Transformer] = {}
        self.structures: Sequence[Structure] = ()
        self.total = 0
        self.breach: ConstraintViolation | None = None
        self.fixpoint: Fixpoint[Structure] = Fixpoint(graph, self, last_edge_first(graph), limits, progress)

    def run(self, initial: Sequence[Structure]) -> TvlOutcome:
        self.structures = initial
        complete = self.fixpoint.run()
        return TvlOutcome(
            self.kernel.signature,
            tuple(tuple(store) for store in self.sets),
            tuple(self.reports[key] for key in sorted(self.reports)),
            self.total,
            self.fixpoint.iterations,
            complete,
            self.breach,
            self._transitions() if complete and self.options.transitions else (),
        )

    def _transitions(self) -> tuple[Transition, ...]:
        from heapwright.engines.tvl.transitions import transitions  # for pictures alone

        return transitions(self)

    def initial(self) -> Sequence[Structure]:
        return self.structures

    def post(self, node: Node[Structure], edge: int) -> Sequence[Structure]:
        step = self.transformer(edge).apply(node.state)
        for raised in step.raised:
            self._report(edge, raised.text, raised.definite, node)
        if step.breach is not None:
            self.breach = ConstraintViolation(edge, node.state, step.breach)
            raise StopAnalysis
        if self.reports and self.options.until_message:
            raise StopAnalysis
        return step.results

    def keep(self, state: Structure, node: Node[Structure] | None, edge: int) -> Structure | None:
        location = self.graph.entry if node is None else self.fixpoint.targets[edge]
        new = self.sets[location].add(state)
        if new is not None or node is None:
            self.total += 1
        return new

    def current(self, nodes: list[Node[Structure]]) -> list[Node[Structure]]:
        """The structures that are new at a location, each once."""
        by_structure: dict[Structure, Node[Structure]] = {}
        for node in nodes:
            by_structure.setdefault(node.state, node)
        if self.outdated:
            return list(by_structure.values())
        store = self.sets[nodes[0].location]
        return [node for structure, node in by_structure.items() if not store.outdated(structure)]

    def size(self) -> int:
        return self.total

    def status(self, waiting: int) -> str:
        return f"{self.total} structures, {waiting} waiting"

    def transformer(self, number: int) -> Transformer:
        """That of an edge; edges with the same action share it."""
        transformer = self.by_edge.get(number)
        if transformer is None:
            action = self.graph.edges[number].command
            transformer = self.transformers.get(action)
            if transformer is None:
                transformer = self.transformers[action] = Transformer(self.kernel, action)
            self.by_edge[number] = transformer
        return transformer

    def _report(self, edge: int, text: str, definite: bool, node: Node[Structure]) -> None:
        old = self.reports.get((edge, text))
        if old is None:
            self.reports[edge, text] = Report(edge, text, 1, int(definite), node)
        else:
            first = node if definite and not old.definite else old.node
            self.reports[edge, text] = Report(edge, text, old.times + 1, old.definite + definite, first)
