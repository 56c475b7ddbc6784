"""The layers of a drawing: which node stands before which, and in what order they stand side by side.

Sugiyama's method: arrows that lead back are turned round, nodes get the length of the longest path to them as their
layer, and the order in each layer follows the neighbours, as long as that saves crossings. Nodes have even layers; the
label of an edge stands in an odd one, and an edge passes every layer between its ends at a place of its own, so that it
runs into nothing.

>>> layered(3, [(0, 1, False), (1, 2, False), (2, 0, False)]).ranks
[0, 2, 4]
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SWEEPS = 8

Edge = tuple[int, int, bool]  # source, target, and whether it leads back by its nature, as `prev` does


@dataclass(frozen=True, slots=True)
class Place:
    """What stands in a layer: a node, or an edge that passes; `label` where the edge has its label."""

    layer: int
    node: int = -1
    edge: int = -1
    label: bool = False


@dataclass(frozen=True)
class Layers:
    """`layers` has the numbers of places in their order; `routes` those that each edge passes, from its source to its
    target, without the ends. A node's place has the node's number."""

    ranks: list[int]
    places: list[Place]
    layers: list[list[int]]
    routes: list[list[int]]


def layered(n: int, edges: Sequence[Edge]) -> Layers:
    """The layers of n nodes. Edges from a node to itself are no part of it."""
    forward = [(v, u) if back else (u, v) for u, v, back in edges]
    order, acyclic = _acyclic(n, forward)
    ranks = _ranks(n, acyclic)
    places = [Place(ranks[node], node) for node in range(n)]
    routes: list[list[int]] = []
    for number, (u, v, _) in enumerate(edges):
        low, high = sorted((ranks[u], ranks[v]))
        middle = (low + high) // 2 | 1
        route = [*range(len(places), len(places) + high - low - 1)]
        places += [Place(layer, edge=number, label=layer == middle) for layer in range(low + 1, high)]
        routes.append(route if ranks[u] < ranks[v] else route[::-1])
    layers: list[list[int]] = [[] for _ in range(max(ranks, default=-1) + 1)]
    first = {node: place for place, node in enumerate(order)}
    for number, place in enumerate(places):
        layers[place.layer].append(number)
    turned = {number for number, (u, v, _) in enumerate(edges) if ranks[u] > ranks[v]}

    def start(number: int) -> tuple[int, int]:
        """Nodes as they were found, edges after the node that they come from, those that lead back last of all."""
        place = places[number]
        if place.node >= 0:
            return 0, 2 * first[place.node]
        u, v, _ = edges[place.edge]
        return int(place.edge in turned and abs(ranks[u] - ranks[v]) > 2), 2 * max(first[u], first[v]) + 1

    for layer in layers:
        layer.sort(key=start)
    return Layers(ranks, places, _untangled(layers, _neighbours(places, edges, routes)), routes)


def _acyclic(n: int, edges: Sequence[tuple[int, int]]) -> tuple[list[int], list[tuple[int, int]]]:
    """Nodes in the order in which a search in depth finds them, and the edges with those turned round that close a
    cycle. It begins at nodes that nothing leads to."""
    after: list[list[int]] = [[] for _ in range(n)]
    for u, v in edges:
        after[u].append(v)
    led_to = {v for u, v in edges}
    order: list[int] = []
    seen: set[int] = set()
    open_: set[int] = set()
    turned: set[tuple[int, int]] = set()
    for root in sorted(range(n), key=lambda node: node in led_to):
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
    for node in ready:  # grows while it is read
        for target in after[node]:
            ranks[target] = max(ranks[target], ranks[node] + 2)
            waits[target] -= 1
            if not waits[target]:
                ready.append(target)
    return ranks


def _neighbours(places: list[Place], edges: Sequence[Edge], routes: list[list[int]]) -> list[list[int]]:
    """For each place, those that its edges connect it with."""
    found: list[list[int]] = [[] for _ in places]
    for (u, v, _), route in zip(edges, routes, strict=True):
        chain = [u, *route, v]
        for one, other in itertools.pairwise(chain):
            found[one].append(other)
            found[other].append(one)
    return found


def _untangled(layers: list[list[int]], neighbours: list[list[int]]) -> list[list[int]]:
    """The layers with as few crossings as sweeps forth and back find; what makes no difference stays."""
    best, fewest = [layer.copy() for layer in layers], _crossings(layers, neighbours)
    current = [layer.copy() for layer in layers]
    for sweep in range(SWEEPS):
        if not fewest:
            break
        down = sweep % 2 == 0
        for index in range(1, len(current)) if down else range(len(current) - 2, -1, -1):
            fixed = {place: i for i, place in enumerate(current[index - 1 if down else index + 1])}
            means: dict[int, float] = {}
            for i, place in enumerate(current[index]):
                known = [fixed[other] for other in neighbours[place] if other in fixed]
                means[place] = sum(known) / len(known) if known else i
            current[index].sort(key=means.__getitem__)
        crossings = _crossings(current, neighbours)
        if crossings < fewest:
            best, fewest = [layer.copy() for layer in current], crossings
    return best


def _crossings(layers: list[list[int]], neighbours: list[list[int]]) -> int:
    total = 0
    for upper, lower in itertools.pairwise(layers):
        below = {place: i for i, place in enumerate(lower)}
        ends = [sorted(below[other] for other in neighbours[place] if other in below) for place in upper]
        flat = [end for group in ends for end in group]
        total += sum(one > other for i, one in enumerate(flat) for other in flat[i + 1 :])
    return total
