"""A finished tree, looked at again: what it needs to be a proof.

Every node is covered by one that is followed, or all its edges have been followed: then what each leads to is in the
children, and no check that is not settled may fail there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from heapwright.engines.lazy.art.reachability_tree import Node

if TYPE_CHECKING:
    from heapwright.engines.lazy.art.cegar_loop import Search


def check_tree(search: Search) -> list[str]:
    """What is wrong with the tree of a search that has ended; nothing, if it is a proof."""
    found: list[str] = []
    nodes = list(search.tree.nodes())
    if not nodes:
        return ["there is no root"]
    alive = {node.number for node in nodes}
    for node in nodes:
        found += (f"node {node.number} at {node.location}: {fault}" for fault in _faults(search, node, alive))
    return found


def _faults(search: Search, node: Node, alive: set[int]) -> Iterator[str]:
    coverers = search.covering.coverers
    coverer = coverers.get(node.number)
    if coverer is not None:
        if coverer.number not in alive or coverer.number in coverers or coverer.pending is None:
            yield "it is covered by a node that does not cover"
        elif coverer.location != node.location or not search.covers(coverer.state, node.state):
            yield "it is not covered by what should cover it"
        return
    if node.pending is None or node.pending:
        yield "not all of its edges were followed"
        return
    for number in search.tree.outgoing[node.location]:
        for check, _ in search.failures(node, number):
            if not search.found.has_result(check):
                yield f"{check.id} may fail"
        children = [child for child in node.children or () if child.edge == number]
        for wanted in search.successors(node, number):
            if not any(search.covers(child.state, wanted) for child in children):
                yield f"what edge {number} leads to is not among its children"
