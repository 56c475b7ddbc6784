"""Layered graph drawing: layer assignment and node order within layers.

Sugiyama, Tagawa, Toda 1981: back edges are reversed, the layer of a node is the length of the longest path to it, and
the order in a layer follows the barycentres of neighbours while that reduces crossings. Nodes have even layers; the
label of an edge has an odd one, and an edge has a slot in every layer between its ends, so that it crosses no node.

>>> layered(3, [(0, 1, False), (1, 2, False), (2, 0, False)]).ranks
[0, 2, 4]
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SWEEPS = 8

Edge = tuple[int, int, bool]  # source, target, and whether it is a back edge by its field, such as `prev`


@dataclass(frozen=True, slots=True)
class Slot:
    """A member of a layer: a node, or an edge that passes through it; `label` if the edge has its label there."""

    layer: int
    node: int = -1
    edge: int = -1
    label: bool = False


@dataclass(frozen=True)
class Layers:
    """`layers` has the numbers of slots in their order; `routes` the slots of each edge from its source to its target,
    without the ends. The slot of a node has the number of the node."""

    ranks: list[int]
    slots: list[Slot]
    layers: list[list[int]]
    routes: list[list[int]]


def layered(n: int, edges: Sequence[Edge]) -> Layers:
    """The layers of n nodes; there must be no self-loops."""
    forward = [(v, u) if back else (u, v) for u, v, back in edges]
    order, acyclic = _acyclic(n, forward)
    ranks = _ranks(n, acyclic)
    slots = [Slot(ranks[node], node) for node in range(n)]
    routes: list[list[int]] = []
    for number, (u, v, _) in enumerate(edges):
        low, high = sorted((ranks[u], ranks[v]))
        middle = (low + high) // 2 | 1
        route = [*range(len(slots), len(slots) + high - low - 1)]
        slots += [Slot(layer, edge=number, label=layer == middle) for layer in range(low + 1, high)]
        routes.append(route if ranks[u] < ranks[v] else route[::-1])
    layers: list[list[int]] = [[] for _ in range(max(ranks, default=-1) + 1)]
    first = {node: slot for slot, node in enumerate(order)}
    for number, slot in enumerate(slots):
        layers[slot.layer].append(number)
    turned = {number for number, (u, v, _) in enumerate(edges) if ranks[u] > ranks[v]}

    def start(number: int) -> tuple[int, int]:
        """The initial order: nodes in depth-first order, edges after their source, long back edges last."""
        slot = slots[number]
        if slot.node >= 0:
            return 0, 2 * first[slot.node]
        u, v, _ = edges[slot.edge]
        return int(slot.edge in turned and abs(ranks[u] - ranks[v]) > 2), 2 * max(first[u], first[v]) + 1

    for layer in layers:
        layer.sort(key=start)
    return Layers(ranks, slots, _untangled(layers, _neighbours(slots, edges, routes)), routes)


def _acyclic(n: int, edges: Sequence[tuple[int, int]]) -> tuple[list[int], list[tuple[int, int]]]:
    """Nodes in depth-first order, starting at nodes without predecessors, and the edges with back edges reversed."""
    after: list[list[int]] = [[] for _ in range(n)]
    for u, v in edges:
        after[u].append(v)
    targets = {v for u, v in edges}
    order: list[int] = []
    seen: set[int] = set()
    open_: set[int] = set()
    turned: set[tuple[int, int]] = set()
    for root in sorted(range(n), key=lambda node: node in targets):
        stack: list[tuple[int, Iterator[int]]] = []
        if root not in seen:
            seen.add(root)
            open_.add(root)
            order.append(root)
            stack.append((root, iter(after[root])))
        while stack:
            node, rest = stack[-1]
            target = next(rest, None)
            if target is None:
                open_.discard(node)
                stack.pop()
            elif target in open_:
                turned.add((node, target))
            elif target not in seen:
                seen.add(target)
                open_.add(target)
                order.append(target)
                stack.append((target, iter(after[target])))
    return order, [(v, u) if (u, v) in turned else (u, v) for u, v in edges]


def _ranks(n: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """Twice the length of the longest path to each node."""
    after: list[list[int]] = [[] for _ in range(n)]
    waits = [0] * n
    for u, v in edges:
        after[u].append(v)
        waits[v] += 1
    ranks = [0] * n
    ready = [node for node in range(n) if not waits[node]]
    for node in ready:  # grows during the iteration
        for target in after[node]:
            ranks[target] = max(ranks[target], ranks[node] + 2)
            waits[target] -= 1
            if not waits[target]:
                ready.append(target)
    return ranks


def _neighbours(slots: list[Slot], edges: Sequence[Edge], routes: list[list[int]]) -> list[list[int]]:
    """For each slot, the slots that edges connect it with."""
    found: list[list[int]] = [[] for _ in slots]
    for (u, v, _), route in zip(edges, routes, strict=True):
        chain = [u, *route, v]
        for one, other in itertools.pairwise(chain):
            found[one].append(other)
            found[other].append(one)
    return found


def _untangled(layers: list[list[int]], neighbours: list[list[int]]) -> list[list[int]]:
    """Crossing reduction: the best order found by forward and backward barycentre sweeps."""
    best, fewest = [layer.copy() for layer in layers], _crossings(layers, neighbours)
    current = [layer.copy() for layer in layers]
    for sweep in range(SWEEPS):
        if not fewest:
            break
        down = sweep % 2 == 0
        for index in range(1, len(current)) if down else range(len(current) - 2, -1, -1):
            fixed = {slot: i for i, slot in enumerate(current[index - 1 if down else index + 1])}
            means: dict[int, float] = {}
            for i, slot in enumerate(current[index]):
                known = [fixed[other] for other in neighbours[slot] if other in fixed]
                means[slot] = sum(known) / len(known) if known else i
            current[index].sort(key=means.__getitem__)
        crossings = _crossings(current, neighbours)
        if crossings < fewest:
            best, fewest = [layer.copy() for layer in current], crossings
    return best


def _crossings(layers: list[list[int]], neighbours: list[list[int]]) -> int:
    total = 0
    for upper, lower in itertools.pairwise(layers):
        below = {slot: i for i, slot in enumerate(lower)}
        ends = [sorted(below[other] for other in neighbours[slot] if other in below) for slot in upper]
        flat = [end for group in ends for end in group]
        total += sum(one > other for i, one in enumerate(flat) for other in flat[i + 1 :])
    return total
