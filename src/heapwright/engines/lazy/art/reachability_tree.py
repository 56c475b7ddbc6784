"""The abstract reachability tree: the abstract states of its nodes, and the covering relation.

Nodes are those of `kit.fixpoint`, which builds the tree and removes subtrees; states are never joined. Only expanded
nodes cover others; when one is removed, the nodes that it covered are uncovered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from heapwright.engines.kit.fixpoint import Node as FixpointNode
from heapwright.engines.lazy.art.predicate_abstraction import Cube
from heapwright.engines.lazy.art.shape_regions import ShapeState


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
    """The covering relation. `covers` is coverage of abstract states."""

    covers: Callable[[AbstractState, AbstractState], bool]
    coverers: dict[int, Node] = field(default_factory=dict)  # by the number of the covered node
    covered: dict[int, dict[int, Node]] = field(default_factory=dict)  # by the number of the covering node
    expanded: dict[int, dict[int, Node]] = field(default_factory=dict)  # by location: nodes that may cover

    def expand(self, node: Node) -> None:
        """Marks a node as expanded: it may cover others."""
        self.expanded.setdefault(node.location, {})[node.number] = node

    def cover(self, node: Node) -> bool:
        for other in self.expanded.get(node.location, {}).values():
            if self.covers(other.state, node.state):
                self.coverers[node.number] = other
                self.covered.setdefault(other.number, {})[node.number] = node
                return True
        return False

    def uncover(self, gone: Iterable[Node]) -> Iterator[Node]:
        """The nodes that are uncovered by the removal of some nodes."""
        for node in gone:
            self.expanded.get(node.location, {}).pop(node.number, None)
            for other in self.covered.pop(node.number, {}).values():
                self.coverers.pop(other.number, None)
                if other.alive:
                    yield other
            coverer = self.coverers.pop(node.number, None)
            if coverer is not None:
                self.covered.get(coverer.number, {}).pop(node.number, None)
