"""Iteration orders: the reverse postorder of a depth-first search, by the edge that the search prefers.

Whatever the preference, a location comes after all that lead to it, but for loops. `loops_first` leaves loops first
where it has a choice, so that a loop is stable before what follows it is begun.
"""

from __future__ import annotations

from typing import Any

from heapwright.program.graph import Graph, postorder


def first_edge_first(graph: Graph[Any]) -> list[int]:
    return list(reversed(graph.postorder))


def last_edge_first(graph: Graph[Any]) -> list[int]:
    """As TVLA does."""
    return postorder(graph.entry, lambda place: [edge.target for edge in reversed(graph.successors[place])])[::-1]


def loops_first(graph: Graph[Any]) -> list[int]:
    around = _loops(graph)

    def targets(location: int) -> list[int]:
        found = [edge.target for edge in graph.successors[location]]
        return sorted(found, key=lambda target: len(around[location] & around[target]))

    return postorder(graph.entry, targets)[::-1]


def _loops(graph: Graph[Any]) -> list[set[int]]:
    """For each location the heads of the loops that it is in."""
    around: list[set[int]] = [set() for _ in graph.locations]
    rank = {location: place for place, location in enumerate(graph.postorder)}
    for head in sorted(graph.loop_heads):
        around[head].add(head)
        waiting = [e.source for e in graph.predecessors[head] if e.source in rank and rank[e.source] <= rank[head]]
        while waiting:
            location = waiting.pop()
            if head not in around[location]:
                around[location].add(head)
                waiting += [edge.source for edge in graph.predecessors[location] if edge.source in rank]
    return around
