"""In which order locations are taken: a loop until it is stable, and only then what follows it.

That is reverse postorder of a search which, wherever it has a choice, leaves loops first. What a loop passes on before
it is stable would only be worked on in vain.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from heapwright.program.graph import Graph


def loops_first(graph: Graph[Any]) -> list[int]:
    """The locations that the entry reaches."""
    around = _loops(graph)

    def steps(location: int) -> Iterator[int]:
        targets = [edge.target for edge in graph.successors[location]]
        return iter(sorted(targets, key=lambda target: len(around[location] & around[target])))

    order: list[int] = []
    seen = {graph.entry}
    stack = [(graph.entry, steps(graph.entry))]
    while stack:
        location, targets = stack[-1]
        for target in targets:
            if target not in seen:
                seen.add(target)
                stack.append((target, steps(target)))
                break
        else:
            order.append(location)
            stack.pop()
    return order[::-1]


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
