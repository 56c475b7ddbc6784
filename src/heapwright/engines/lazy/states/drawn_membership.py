"""Membership with pictures: which picture of a location shows a concrete heap.

DrawnTree(search, drawn_states(search)).picture_of(location, heap)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from heapwright.engines.lazy.heap.heap_facts import HeapFacts
from heapwright.engines.lazy.states.membership import NodeState, TreeMembership
from heapwright.engines.lazy.states.pictures import Drawn, pictures_by_location
from heapwright.program.runs.snapshot import Snapshot

if TYPE_CHECKING:
    from heapwright.engines.lazy.art.cegar_loop import Search


class DrawnTree(TreeMembership):
    """The membership of a tree, and that of each part of a node that has a picture."""

    def __init__(self, search: Search, drawn: Sequence[Drawn]) -> None:
        nodes: dict[int, list[NodeState]] = defaultdict(list)
        for node in search.tree.nodes():
            nodes[node.location].append((node.state.cube, node.state.shapes))
        super().__init__(HeapFacts(search.aliases, search.loads), search.shapes.projections, dict(nodes))
        self.pictures = pictures_by_location(drawn)
        self._parts: dict[int, list[Drawn]] = defaultdict(list)
        for one in drawn:
            self._parts[one.node.location].append(one)

    def picture_of(self, location: int, heap: Snapshot) -> int | None:
        return next((self.pictures[location].index(one.picture) for one in self.containing(location, heap)), None)

    def containing(self, location: int, heap: Snapshot) -> list[Drawn]:
        """The parts of nodes that have a heap."""
        return [
            one
            for one in self._parts.get(location, ())
            if self.is_in(location, heap, [(one.state.cube, one.state.shapes)])
        ]
