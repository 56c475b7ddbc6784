"""Well-formedness of a complete ART: each node is covered or fully expanded, and no open check can fail.

A coverer must be expanded. Each successor of an expanded node must be covered by a child. A part of a node that was
left out is in nodes that were expanded before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from heapwright.engines.lazy.art.merging import Merging
from heapwright.engines.lazy.art.reachability_tree import AbstractState, Node

if TYPE_CHECKING:
    from heapwright.engines.lazy.art.cegar_loop import Search


def check_tree(search: Search) -> list[str]:
    """The faults of a complete tree; none if it is a proof."""
    found: list[str] = []
    nodes = list(search.tree.nodes())
    if not nodes:
        return ["the tree has no root"]
    alive = {node.number for node in nodes}
    for node in nodes:
        found += (f"node {node.number} at {node.location}: {fault}" for fault in _faults(search, node, alive))
    return found


def _faults(search: Search, node: Node, alive: set[int]) -> Iterator[str]:
    coverers = search.covering.coverers
    coverer = coverers.get(node.number)
    if coverer is not None:
        if coverer.number not in alive or coverer.number in coverers or coverer.pending is None:
            yield "its coverer is removed, covered or not expanded"
        elif coverer.location != node.location or not search.covers(coverer.state, node.state):
            yield "its coverer does not include its state"
        return
    if node.pending is None or node.pending:
        yield "it is not fully expanded"
        return
    yield from _faults_of_rest(search, node, alive)
    if search.covering.open_state(node) is None:
        return
    for number in search.tree.outgoing[node.location]:
        for check, _ in search.failures(node, number):
            if not search.found.has_result(check):
                yield f"{check.id} may fail"
        children = [child for child in node.children or () if child.edge == number]
        for wanted in search.successors(node, number):
            if not any(search.covers(child.state, wanted) for child in children):
                yield f"no child covers a successor over edge {number}"


def _faults_of_rest(search: Search, node: Node, alive: set[int]) -> Iterator[str]:
    covering, merging = search.covering, Merging(search.abstraction)
    rest: AbstractState | None = node.state
    for other in covering.shared.get(node.number, ()):
        if other.number not in alive or other.number in covering.coverers or other.pending is None:
            yield "a node that has a part of it is removed, covered or not expanded"
        elif other.location != node.location or covering.order[other.number] >= covering.order[node.number]:
            yield "a node that has a part of it was not expanded before it"
        elif rest is not None:
            rest = merging.without(rest, other.state)
    left = covering.open_state(node)
    if rest is not None and (left is None or not search.covers(left, rest)):
        yield "a part of it is nowhere"
