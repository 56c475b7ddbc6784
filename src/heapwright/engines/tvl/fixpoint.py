"""The fixpoint: structures pushed over the edges of a control-flow graph until nothing new appears.

Locations are taken in reverse postorder (edges visited last to first, as TVLA does), each with all structures that are
new there. `structures_total` counts the initial structures and every change of a location's set; `structures_in_graph`
counts what the locations hold in the end.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence

from heapwright.base.immutable import EMPTY, Immutable
from heapwright.engines.api import Limits, NullProgress, Progress
from heapwright.engines.kit.deadline import Expired, Watch
from heapwright.engines.kit.garbage_collection import without_cycle_collection
from heapwright.engines.tvl.constraints.integrity_constraints import all_constraints
from heapwright.engines.tvl.focus.strategies import RefineKind
from heapwright.engines.tvl.structure_conversion import read_structure
from heapwright.engines.tvl.structures.join import JoinKind, Store, make_store
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
    # Also push structures on that were merged with others before it was their turn. What they lead to is covered, so
    # that this only costs time; but TVLA does it, and counts what comes of it.
    outdated: bool = False

    @property
    def loose(self) -> bool:
        return self.embedding == "loose"


class Parent(Immutable):
    """Where a structure at a location came from first: along which edge, from which structure. An initial structure
    has none."""

    edge: int
    structure: Structure


class Report(Immutable):
    """A message at a location: how often it was raised, how often of those definitely, and from which structure first
    (definitely first, if ever)."""

    location: int
    edge: int
    text: str
    times: int
    definite: int
    structure: Structure


class Breach(Immutable):
    """An update led to a structure that breaks a constraint: the specification contradicts itself."""

    edge: int
    structure: Structure
    constraint: Constraint


class TvlOutcome(Immutable):
    """`complete`: the fixpoint was reached, so that what it does not contain cannot happen."""

    signature: Signature
    structures: tuple[tuple[Structure, ...], ...]  # by location
    messages: tuple[Report, ...]
    structures_total: int
    iterations: int
    complete: bool
    breach: Breach | None = None
    parents: Mapping[tuple[int, Structure], Parent | None] = EMPTY

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

    def edges(self, graph: Graph[Action], location: int, structure: Structure) -> list[int]:
        """The numbers of the edges from the entry to a structure at a location."""
        numbers: list[int] = []
        while (parent := self.parents.get((location, structure))) is not None:
            numbers.append(parent.edge)
            location, structure = graph.edges[parent.edge].source, parent.structure
        return numbers[::-1]

    def trace(self, graph: Graph[Action], location: int, structure: Structure) -> list[tuple[int, Structure]]:
        """Locations and structures from the entry to this one."""
        steps = [(location, structure)]
        while True:
            parent = self.parents.get((location, structure))
            if parent is None:
                return steps[::-1]
            location, structure = graph.edges[parent.edge].source, parent.structure
            steps.append((location, structure))


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
                loose=options.loose,
                refine=options.refine,
                watch=Watch(limits.deadline),
            )
            structures = [read_structure(kernel, written) for written in initial]
        except Expired:
            return nothing_reached(vocabulary, graph)
        return Analysis(kernel, graph, options, progress or NullProgress(), limits).run(structures)


def nothing_reached(vocabulary: Vocabulary, graph: Graph[Action]) -> TvlOutcome:
    """Of an analysis whose time was over before it began."""
    return TvlOutcome(Signature(vocabulary), ((),) * len(graph.locations), (), 0, 0, complete=False)


def rank_of(graph: Graph[Action]) -> dict[int, int]:
    """Locations that can be reached, by their place in reverse postorder."""
    order: list[int] = []
    seen = {graph.entry}
    stack = [(graph.entry, list(graph.successors[graph.entry]))]
    while stack:
        location, edges = stack[-1]
        if not edges:
            order.append(location)
            stack.pop()
            continue
        target = edges.pop().target
        if target not in seen:
            seen.add(target)
            stack.append((target, list(graph.successors[target])))
    return {location: place for place, location in enumerate(reversed(order))}


class Analysis:
    def __init__(
        self, kernel: Kernel, graph: Graph[Action], options: Options, progress: Progress, limits: Limits
    ) -> None:
        self.kernel = kernel
        self.graph = graph
        self.options = options
        self.progress = progress
        self.limits = limits
        self.outdated = options.outdated and not options.loose
        self.rank = rank_of(graph)
        self.stores: list[Store] = [
            make_store(options.join, kernel.signature, loose=options.loose, watch=kernel.coercer.watch)
            for _ in graph.locations
        ]
        self.fresh: list[dict[Structure, None]] = [{} for _ in graph.locations]
        self.parents: dict[tuple[int, Structure], Parent | None] = {}
        self.reports: dict[tuple[int, str], Report] = {}
        self.transformers: dict[Action, Transformer] = {}
        self.by_edge: dict[int, Transformer] = {}
        self.numbers = {id(edge): number for number, edge in enumerate(graph.edges)}
        self.total = 0
        self.iterations = 0

    def run(self, initial: Sequence[Structure]) -> TvlOutcome:
        try:
            return self._fixpoint(initial)
        except Expired:
            return self._outcome(complete=False)

    def _fixpoint(self, initial: Sequence[Structure]) -> TvlOutcome:
        entry = self.graph.entry
        self.total = len(initial)
        for structure in initial:
            new = self.stores[entry].add(structure)
            if new is not None:
                self.fresh[entry][new] = None
                self.parents.setdefault((entry, new), None)
        order = sorted(self.rank, key=self.rank.__getitem__)
        queue = [self.rank[entry]]
        queued = {entry}
        while queue:
            if self.limits.expired() or self.total > self.limits.states:
                return self._outcome(complete=False)
            location = order[heapq.heappop(queue)]
            queued.discard(location)
            self.iterations += 1
            self.progress.update(f"{self.total} structures, {len(queue) + 1} locations waiting")
            work = list(self.fresh[location])
            if not self.outdated:
                work = [structure for structure in work if not self.stores[location].outdated(structure)]
            self.fresh[location] = {}
            for edge in self.graph.successors[location]:
                number = self.numbers[id(edge)]
                for structure in work:
                    breach, changed = self._push(number, structure)
                    if breach is not None:
                        return self._outcome(complete=False, breach=breach)
                    if changed and edge.target not in queued:
                        queued.add(edge.target)
                        heapq.heappush(queue, self.rank[edge.target])
                    if self.limits.expired() or (self.reports and self.options.until_message):
                        return self._outcome(complete=False)
        return self._outcome(complete=True)

    def _push(self, number: int, structure: Structure) -> tuple[Breach | None, bool]:
        """Push a structure over an edge."""
        edge = self.graph.edges[number]
        step = self._transformer(number).apply(structure)
        for raised in step.raised:
            self._report(number, raised.text, raised.definite, structure)
        if step.breach is not None:
            return Breach(number, structure, step.breach), False
        changed = False
        for result in step.results:
            new = self.stores[edge.target].add(result)
            if new is not None:
                changed = True
                self.total += 1
                self.fresh[edge.target][new] = None
                self.parents.setdefault((edge.target, new), Parent(number, structure))
        return None, changed

    def _transformer(self, number: int) -> Transformer:
        """That of an edge; edges with the same action share it."""
        transformer = self.by_edge.get(number)
        if transformer is None:
            action = self.graph.edges[number].command
            transformer = self.transformers.get(action)
            if transformer is None:
                transformer = self.transformers[action] = Transformer(self.kernel, action)
            self.by_edge[number] = transformer
        return transformer

    def _report(self, number: int, text: str, definite: bool, structure: Structure) -> None:
        old = self.reports.get((number, text))
        if old is None:
            source = self.graph.edges[number].source
            self.reports[number, text] = Report(source, number, text, 1, int(definite), structure)
        else:
            first = structure if definite and not old.definite else old.structure
            times, sure = old.times + 1, old.definite + definite
            self.reports[number, text] = Report(old.location, number, text, times, sure, first)

    def _outcome(self, *, complete: bool, breach: Breach | None = None) -> TvlOutcome:
        return TvlOutcome(
            self.kernel.signature,
            tuple(tuple(store) for store in self.stores),
            tuple(self.reports[key] for key in sorted(self.reports)),
            self.total,
            self.iterations,
            complete,
            breach,
            self.parents,
        )
