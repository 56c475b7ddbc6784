"""The fixpoint over a graph: abstract states pushed along edges until nothing new appears.

A `Domain` says what states are: where they start, what an edge makes of one, and what a location keeps of a new one
(joined, widened, or nothing where it is covered). `Fixpoint` has the rest: one worklist in a given order, limits,
progress, and the states reached, each with the one that it comes from, so that every state has an abstract
counterexample. Subtrees can be removed and the iteration resumed, as lazy abstraction does.

    fixpoint = Fixpoint(graph, domain, reverse_postorder(graph), limits, progress)
    fixpoint.run()                # whether it reached its end
    node.edges()                  # the edges of the graph to a state
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

from heapwright.engines.api import Limits, Progress
from heapwright.engines.kit.deadline import DeadlineExceeded
from heapwright.engines.kit.iteration_order import Sweeps
from heapwright.engines.kit.worklist import Rank, Worklist
from heapwright.program.graph import Graph

S = TypeVar("S")


class StopAnalysis(Exception):
    """Raised by a domain: the iteration ends here, incomplete."""


class Node(Generic[S]):
    """An abstract state at a location, reached from the state `parent` over the edge of that number; initial states
    have neither. `pending` are the edges still to follow, None before the first."""

    __slots__ = ("alive", "children", "edge", "location", "number", "parent", "pending", "state")

    def __init__(self, number: int, location: int, state: S, parent: Node[S] | None, edge: int) -> None:
        self.number = number
        self.location = location
        self.state = state
        self.parent = parent
        self.edge = edge
        self.alive = True
        self.pending: list[int] | None = None
        self.children: list[Node[S]] | None = None  # in a tree that can be cut

    def path(self) -> list[Node[S]]:
        """The states from an initial one to this one."""
        found: list[Node[S]] = []
        node: Node[S] | None = self
        while node is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    def edges(self) -> tuple[int, ...]:
        return tuple(node.edge for node in self.path()[1:])


class Domain(Protocol[S]):
    """The abstract domain of an engine, as the fixpoint needs it."""

    def initial(self) -> Iterable[S]: ...

    def post(self, node: Node[S], edge: int) -> Iterable[S]:
        """The abstract post of an edge; the domain records alarms."""
        ...

    def keep(self, state: S, node: Node[S] | None, edge: int) -> S | None:
        """The state to store at the target of an edge for a new state (joined, if the domain joins), None if it is
        covered there. Initial states have no edge, -1; their target is the entry."""
        ...

    def current(self, nodes: list[Node[S]]) -> list[Node[S]]:
        """The pending states of a location, without those that were covered or joined meanwhile."""
        ...

    def size(self) -> int:
        """The number of states, which `Limits.states` bounds."""
        ...

    def status(self, waiting: int) -> str:
        """A line on progress."""
        ...


class Fixpoint(Generic[S]):
    """`order` lists locations, or ranks them (`Sweeps`); without one, states are taken as they come. `together`: all
    states that wait at a location are taken at a time, else one. `tree`: the children of states are kept, so that
    subtrees can be cut."""

    def __init__(
        self,
        graph: Graph[Any],
        domain: Domain[S],
        order: Sequence[int] | Sweeps | None,
        limits: Limits,
        progress: Progress,
        *,
        together: bool = True,
        tree: bool = False,
    ) -> None:
        self.graph = graph
        self.domain = domain
        self.limits = limits
        self.progress = progress
        self.together = together
        self.tree = tree
        self.sweeps = order if isinstance(order, Sweeps) else None
        ordered = None if order is None or isinstance(order, Sweeps) else enumerate(order)
        self.ranks = None if ordered is None else {location: rank for rank, location in ordered}
        self.outgoing: list[list[int]] = [[] for _ in graph.locations]
        for number, edge in enumerate(graph.edges):
            self.outgoing[edge.source].append(number)
        self.targets = [edge.target for edge in graph.edges]
        self.worklist: Worklist[Node[S]] = Worklist()
        self.roots: list[Node[S]] = []
        self.created = 0
        self.iterations = 0
        self.interrupted = False

    @property
    def complete(self) -> bool:
        """Whether the fixpoint is reached: its states contain every reachable heap."""
        return not self.interrupted and not self.worklist

    def run(self) -> bool:
        """Iterates from the initial states; returns whether the fixpoint was reached."""
        try:
            self.start()
            while self.step():
                pass
        except (StopAnalysis, DeadlineExceeded):
            self.interrupted = True
        return self.complete

    def start(self) -> None:
        for state in self.domain.initial():
            kept = self.domain.keep(state, None, -1)
            if kept is not None:
                self.roots.append(self._add(kept, self.graph.entry, None, -1))

    def step(self) -> bool:
        """Processes the first item of the worklist; False at the end or at a limit."""
        if not self.worklist:
            return False
        waiting = self.worklist.pop(together=self.together)
        if self.sweeps is not None:
            self.sweeps.follow(waiting[0].location)
        nodes = self.domain.current(waiting)
        edges = self._edges_of(nodes[0]) if nodes else []
        if edges and (self.limits.expired() or self.domain.size() > self.limits.states):
            self.interrupted = True
            return False
        self.iterations += 1
        self.progress.update(self.domain.status(len(self.worklist) + 1))
        if not nodes:
            return True
        if self.tree:
            nodes[0].pending = list(edges)
        for edge in edges:
            for node in nodes:
                if not node.alive:
                    continue
                if self.limits.expired():
                    self.interrupted = True
                    return False
                self._follow(node, edge)
        return True

    def _edges_of(self, node: Node[S]) -> list[int]:
        return self.outgoing[node.location] if node.pending is None else list(node.pending)

    def _follow(self, node: Node[S], edge: int) -> None:
        for state in self.domain.post(node, edge):
            kept = self.domain.keep(state, node, edge)
            if kept is not None:
                self._add(kept, self.targets[edge], node, edge)
        if node.pending and node.alive:
            node.pending.remove(edge)

    def _add(self, state: S, location: int, parent: Node[S] | None, edge: int) -> Node[S]:
        node = Node(self.created, location, state, parent, edge)
        self.created += 1
        if self.tree:
            node.children = []
            if parent is not None and parent.children is not None:
                parent.children.append(node)
        self.push(node)
        return node

    def push(self, node: Node[S], *, first: bool = False) -> None:
        """Adds a state, or its pending edges, to the worklist."""
        self.worklist.push(self._rank(node.location), node, first=first)

    def _rank(self, location: int) -> Rank:
        if self.sweeps is not None:
            return self.sweeps.rank(location)
        return 0 if self.ranks is None else self.ranks[location]

    # --- trees -------------------------------------------------------------------------------------------------------

    def nodes(self) -> Iterator[Node[S]]:
        """All states of a tree, parents first."""
        found = list(self.roots)
        for node in found:
            yield node
            found += node.children or ()

    def cut(self, node: Node[S]) -> list[Node[S]]:
        """Removes the subtrees over one edge of a parent, which becomes pending again; of a root, the whole tree.
        Returns the removed states."""
        parent = node.parent
        if parent is None:
            gone, self.roots = self.roots, []
        else:
            siblings = parent.children or []
            gone = [one for one in siblings if one.edge == node.edge]
            parent.children = [one for one in siblings if one.edge != node.edge]
            assert parent.pending is not None
            if node.edge not in parent.pending:
                parent.pending.append(node.edge)
            self.push(parent, first=True)
        return self._removed(gone)

    def restart(self, node: Node[S]) -> list[Node[S]]:
        """Removes the subtrees below a node, all of whose edges are followed again. Returns the removed states."""
        gone, node.children, node.pending = node.children or [], [], None
        self.push(node)
        return self._removed(gone)

    def _removed(self, gone: list[Node[S]]) -> list[Node[S]]:
        for one in gone:
            gone += one.children or ()
            one.alive = False
        return gone
