"""Iteration orders: the reverse postorder of a depth-first search, by the order in which it visits edges.

In each of them a location comes after its predecessors, except over back edges. `loops_first` visits the exits of a
loop first, so that the loop comes before its exits in the order and is stable before they are processed. In `Sweeps`
that is so for outermost loops alone; what is inside of one is followed in turns, so that nested loops do not multiply.
"""

from __future__ import annotations

from typing import Any

from heapwright.program.graph import Graph, postorder


def first_edge_first(graph: Graph[Any]) -> list[int]:
    return list(reversed(graph.postorder))


def last_edge_first(graph: Graph[Any]) -> list[int]:
    """As TVLA does."""
    return postorder(graph.entry, lambda location: [edge.target for edge in reversed(graph.successors[location])])[::-1]


def loops_first(graph: Graph[Any]) -> list[int]:
    around = _loops(graph)

    def targets(location: int) -> list[int]:
        found = [edge.target for edge in graph.successors[location]]
        return sorted(found, key=lambda target: len(around[location] & around[target]))

    return postorder(graph.entry, targets)[::-1]


class Sweeps:
    """Ranks of locations in the order `loops_first`, for one iteration. A location that comes before the one being
    followed, in the same outermost loop, waits for the next sweep over that loop."""

    def __init__(self, graph: Graph[Any]) -> None:
        self._positions = {location: position for position, location in enumerate(loops_first(graph))}
        around = _loops(graph)
        self._outermost = {
            location: min((self._positions[head] for head in around[location]), default=position)
            for location, position in self._positions.items()
        }
        self._following = (-1, 0, -1)

    def rank(self, location: int) -> tuple[int, int, int]:
        """The rank of a location that is to be followed."""
        loop, position = self._outermost[location], self._positions[location]
        current, sweep, following = self._following
        if loop != current:
            return loop, 0, position
        return loop, sweep + (position <= following), position

    def follow(self, location: int) -> None:
        """This location, the first of those that wait, is followed now."""
        self._following = self.rank(location)


def _loops(graph: Graph[Any]) -> list[set[int]]:
    """For each location the heads of the loops that it is in."""
    around: list[set[int]] = [set() for _ in graph.locations]
    rank = {location: index for index, location in enumerate(graph.postorder)}
    for head in sorted(graph.loop_heads):
        around[head].add(head)
        waiting = [e.source for e in graph.predecessors[head] if e.source in rank and rank[e.source] <= rank[head]]
        while waiting:
            location = waiting.pop()
            if head not in around[location]:
                around[location].add(head)
                waiting += [edge.source for edge in graph.predecessors[location] if edge.source in rank]
    return around
