"""The abstract reachability tree: what its nodes hold, and which of them cover others.

A node is one of the fixpoint (`kit.fixpoint`), which makes the tree and removes subtrees; nothing is ever joined. Only
nodes whose edges are followed cover others; when one is removed, what it covered is open again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from heapwright.engines.kit.fixpoint import Node as FixpointNode
from heapwright.engines.lazy.art.predicate_abstraction import Cube
from heapwright.engines.lazy.art.shape_regions import ShapeState


@dataclass(frozen=True, slots=True)
class Region:
    """The abstract state of a node: a cube of predicates, regions of structures, and the version of the precision with
    which it was made."""

    cube: Cube
    shapes: ShapeState
    version: tuple[int, bool] = (0, False)


Node = FixpointNode[Region]


@dataclass
class Covering:
    """Which nodes cover which. `covers` compares two abstract states."""

    covers: Callable[[Region, Region], bool]
    coverers: dict[int, Node] = field(default_factory=dict)  # by the number of the covered node
    covered: dict[int, dict[int, Node]] = field(default_factory=dict)  # by the number of the covering node
    expanded: dict[int, dict[int, Node]] = field(default_factory=dict)  # by location: nodes that may cover

    def expand(self, node: Node) -> None:
        """The edges of a node are being followed: from now on it covers others."""
        self.expanded.setdefault(node.location, {})[node.number] = node

    def cover(self, node: Node) -> bool:
        for other in self.expanded.get(node.location, {}).values():
            if self.covers(other.state, node.state):
                self.coverers[node.number] = other
                self.covered.setdefault(other.number, {})[node.number] = node
                return True
        return False

    def removed(self, gone: Iterable[Node]) -> Iterator[Node]:
        """The nodes that are open again because what covered them is removed."""
        for node in gone:
            self.expanded.get(node.location, {}).pop(node.number, None)
            for other in self.covered.pop(node.number, {}).values():
                self.coverers.pop(other.number, None)
                if other.alive:
                    yield other
            coverer = self.coverers.pop(node.number, None)
            if coverer is not None:
                self.covered.get(coverer.number, {}).pop(node.number, None)
