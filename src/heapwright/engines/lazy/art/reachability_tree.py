"""The abstract reachability tree: nodes with regions, who covers whom, and the removal of subtrees.

A node has a location, a cube of predicates and regions of structures. Only nodes whose edges have all been followed
cover others; when one is removed, what it covered is open again. Nothing is ever joined.

    tree = Tree(covers)
    root = tree.add(None, -1, location, cube, shapes)
    tree.cut(node)     # removes a subtree; the nodes that it covered wait again
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from heapwright.engines.lazy.art.predicate_abstraction import Cube
from heapwright.engines.lazy.art.shape_regions import ShapeState


class Node:
    """A node of the tree. `edge` leads to it from its parent; `pending` are edges that must be followed, None: all."""

    __slots__ = (
        "alive",
        "children",
        "covered",
        "coverer",
        "cube",
        "edge",
        "location",
        "number",
        "parent",
        "pending",
        "shapes",
        "version",
    )

    def __init__(
        self, number: int, parent: Node | None, edge: int, location: int, cube: Cube, shapes: ShapeState
    ) -> None:
        self.number = number
        self.parent = parent
        self.edge = edge
        self.location = location
        self.cube = cube
        self.shapes = shapes
        self.children: list[Node] = []
        self.coverer: Node | None = None
        self.covered: dict[int, Node] = {}
        self.pending: list[int] | None = None
        self.alive = True
        self.version = (0, False)  # of the precision with which it was made

    def path(self) -> list[Node]:
        """The nodes from the root to this one."""
        found: list[Node] = []
        node: Node | None = self
        while node is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    def edges(self) -> tuple[int, ...]:
        return tuple(node.edge for node in self.path()[1:])


class Tree:
    def __init__(self, covers: Callable[[Node, Node], bool]) -> None:
        self.covers = covers
        self.roots: list[Node] = []
        self.waiting: deque[Node] = deque()
        self._expanded: dict[int, dict[int, Node]] = {}
        self.created = 0

    def add(self, parent: Node | None, edge: int, location: int, cube: Cube, shapes: ShapeState) -> Node:
        node = Node(self.created, parent, edge, location, cube, shapes)
        self.created += 1
        if parent is None:
            self.roots.append(node)
        else:
            parent.children.append(node)
        self.waiting.append(node)
        return node

    def next(self) -> Node | None:
        """The next node that has edges to follow and is not covered."""
        while self.waiting:
            node = self.waiting.popleft()
            if not node.alive or node.coverer is not None:
                continue
            if node.pending or (node.pending is None and not self._cover(node)):
                return node
        return None

    def expand(self, node: Node, edges: list[int]) -> None:
        """The edges of a node are being followed: from now on it covers others."""
        if node.pending is None:
            node.pending = edges
            self._expanded.setdefault(node.location, {})[node.number] = node

    def cut(self, node: Node) -> None:
        """Removes the nodes over one edge of a parent with all below them; the edge must be followed again. Of a root,
        all is removed."""
        parent = node.parent
        siblings = self.roots if parent is None else [one for one in parent.children if one.edge == node.edge]
        gone = list(siblings)
        for one in gone:
            gone += one.children
            one.alive = False
        for one in gone:
            self._withdraw(one)
            if one.coverer is not None:
                one.coverer.covered.pop(one.number, None)
        if parent is None:
            self.roots = []
            return
        parent.children = [one for one in parent.children if one.edge != node.edge]
        assert parent.pending is not None
        if node.edge not in parent.pending:
            parent.pending.append(node.edge)
        self.waiting.appendleft(parent)

    def _withdraw(self, node: Node) -> None:
        """A node covers nothing any more; what it covered waits again."""
        self._expanded.get(node.location, {}).pop(node.number, None)
        for other in node.covered.values():
            other.coverer = None
            if other.alive:
                self.waiting.append(other)
        node.covered = {}

    def _cover(self, node: Node) -> bool:
        for other in self._expanded.get(node.location, {}).values():
            if self.covers(other, node):
                node.coverer = other
                other.covered[node.number] = node
                return True
        return False

    def nodes(self) -> Iterator[Node]:
        found = list(self.roots)
        for node in found:
            yield node
            found += node.children
