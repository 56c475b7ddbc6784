"""Where the places of a layered drawing stand: along the layers, and across them.

Across its layer each place wants to stand level with what it is connected to; the nearest positions that keep the
distances are those of a least-squares fit under order constraints, which pooling neighbours that violate them finds.

>>> fitted([0.0, 0.0], [1.0, 1.0], [10.0])
[-5.0, 5.0]
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from heapwright.report.drawing.layers import Edge, Layers

ROUNDS = 20
GAP_ALONG = 13.0  # between layers: room for an arrowhead
GAP_ACROSS = 14.0  # between things in a layer
NODE, SHORT, LONG = 1e6, 1e3, 1.0  # how much a place insists on its wish


@dataclass(frozen=True, slots=True)
class Extent:
    """How far something reaches from its centre: across its layer before and after, along the layers back and front."""

    before: float
    after: float
    back: float
    front: float


def along(layers: Layers, extents: Sequence[Extent]) -> list[float]:
    """The position of each layer."""
    found: list[float] = []
    edge = 0.0
    for layer in layers.layers:
        back = max((extents[place].back for place in layer), default=0.0)
        front = max((extents[place].front for place in layer), default=0.0)
        found.append(edge + back)
        edge += back + front + GAP_ALONG
    return found


def across(layers: Layers, extents: Sequence[Extent], edges: Sequence[Edge]) -> list[float]:
    """The position of each place in its layer."""
    position = [0.0] * len(layers.places)
    neighbours: list[list[int]] = [[] for _ in layers.ranks]
    for u, v, _ in edges:
        neighbours[u].append(v)
        neighbours[v].append(u)
    for turn in range(ROUNDS):
        order = range(len(layers.layers)) if turn % 2 == 0 else range(len(layers.layers) - 1, -1, -1)
        for index in order:
            layer = layers.layers[index]
            wishes = [_wish(place, layers, edges, neighbours, position) for place in layer]
            weights = [_weight(place, layers, edges) for place in layer]
            pairs = itertools.pairwise(layer)
            apart = [extents[one].after + GAP_ACROSS + extents[other].before for one, other in pairs]
            for place, where in zip(layer, fitted(wishes, weights, apart), strict=True):
                position[place] = where
    return position


def _wish(
    place: int, layers: Layers, edges: Sequence[Edge], neighbours: Sequence[Sequence[int]], position: Sequence[float]
) -> float:
    """A node wants to be in the middle of the nodes that it is connected with, a short edge on the line between its
    ends, and a long one to be straight."""
    here = layers.places[place]
    if here.node >= 0:
        others = neighbours[here.node]
        return sum(position[other] for other in others) / len(others) if others else position[place]
    u, v, _ = edges[here.edge]
    route = layers.routes[here.edge]
    if len(route) > 1 and any(position[other] for other in route):
        return sum(position[other] for other in route) / len(route)
    share = (here.layer - layers.ranks[u]) / (layers.ranks[v] - layers.ranks[u])
    return position[u] + share * (position[v] - position[u])


def _weight(place: int, layers: Layers, edges: Sequence[Edge]) -> float:
    here = layers.places[place]
    if here.node >= 0:
        return NODE
    u, v, _ = edges[here.edge]
    return SHORT if abs(layers.ranks[u] - layers.ranks[v]) == 2 else LONG


def fitted(wishes: Sequence[float], weights: Sequence[float], apart: Sequence[float]) -> list[float]:
    """The positions that deviate least (by weighted squares) from what is wished, each at least so far from the one
    before."""
    offsets = [0.0]
    for distance in apart:
        offsets.append(offsets[-1] + distance)
    blocks: list[tuple[float, float, int]] = []  # mean, weight, size
    for wish, weight, offset in zip(wishes, weights, offsets, strict=False):
        mean, total, size = wish - offset, weight, 1
        while blocks and blocks[-1][0] > mean:
            before, more, count = blocks.pop()
            mean = (mean * total + before * more) / (total + more)
            total, size = total + more, size + count
        blocks.append((mean, total, size))
    flat = [mean for mean, _, size in blocks for _ in range(size)]
    return [mean + offset for mean, offset in zip(flat, offsets, strict=False)]
