"""The abstract reachability tree: the abstract states of its nodes, and the covering relation.

Nodes are those of `kit.fixpoint`, which builds the tree and removes subtrees; states are never joined. Only expanded
nodes cover others; when one is removed, the nodes that it covered are uncovered.

A node that no other covers may still have structures that others have: it is expanded without them. What others have is
expanded there, or was left out there for still earlier ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from heapwright.engines.kit.fixpoint import Node as FixpointNode
from heapwright.engines.lazy.art.predicate_abstraction import Cube
from heapwright.engines.lazy.art.shape_regions import ShapeState

if TYPE_CHECKING:
    from heapwright.engines.lazy.art.merging import Merging


@dataclass(frozen=True, slots=True)
class AbstractState:
    """The abstract state of a node: a cube of predicates, shape regions, and the version of the precision that it was
    computed with."""

    cube: Cube
    shapes: ShapeState
    version: tuple[int, bool] = (0, False)


Node = FixpointNode[AbstractState]


@dataclass
class Covering:
    """The covering relation. `covers` is coverage of abstract states; without `merging`, covered nodes have one coverer
    each."""

    covers: Callable[[AbstractState, AbstractState], bool]
    merging: Merging | None = None
    coverers: dict[int, Node] = field(default_factory=dict)  # by the number of the covered node
    covered: dict[int, dict[int, Node]] = field(default_factory=dict)  # in part or whole, by the number of the coverer
    expanded: dict[int, dict[int, Node]] = field(default_factory=dict)  # by location: nodes that may cover
    order: dict[int, int] = field(default_factory=dict)  # in which nodes were expanded
    shared: dict[int, list[Node]] = field(default_factory=dict)  # earlier nodes that have a part of a node's state
    rest: dict[int, AbstractState | None] = field(default_factory=dict)  # what is left of such a node
    _expansions: int = 0

    def expand(self, node: Node) -> bool:
        """Marks a node as expanded: it may cover others. What others have is left out; whether anything is left."""
        known = self.expanded.setdefault(node.location, {})
        if self.merging is not None:
            node.state = self.merging.joined(node.location, node.state)
            self._leave_out(node, known.values(), self.merging)
        self._expansions += 1
        self.order[node.number] = self._expansions
        known[node.number] = node
        return self.open_state(node) is not None

    def _leave_out(self, node: Node, others: Iterable[Node], merging: Merging) -> None:
        rest: AbstractState | None = node.state
        for other in others:
            if rest is None:
                break
            less = merging.without(rest, other.state)
            if less is not rest:
                self.shared.setdefault(node.number, []).append(other)
                self.covered.setdefault(other.number, {})[node.number] = node
                self.rest[node.number] = rest = less

    def open_state(self, node: Node) -> AbstractState | None:
        """What of the state of an expanded node has its successors at this node."""
        return self.rest.get(node.number, node.state)

    def cover(self, node: Node) -> bool:
        for other in self.expanded.get(node.location, {}).values():
            if self.covers(other.state, node.state):
                self.coverers[node.number] = other
                self.covered.setdefault(other.number, {})[node.number] = node
                return True
        return False

    def uncover(self, gone: Iterable[Node]) -> Iterator[Node]:
        """The nodes that are uncovered, in part or whole, by the removal of some nodes."""
        for node in gone:
            self.expanded.get(node.location, {}).pop(node.number, None)
            self.rest.pop(node.number, None)
            for other in self.covered.pop(node.number, {}).values():
                self.coverers.pop(other.number, None)
                if other.alive:
                    yield other
            coverer = self.coverers.pop(node.number, None)
            for other in (*self.shared.pop(node.number, ()), *([coverer] if coverer is not None else ())):
                self.covered.get(other.number, {}).pop(node.number, None)
