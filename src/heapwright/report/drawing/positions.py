"""Coordinates of a layered drawing: along the layers, and across them.

Across a layer, each slot has a desired position near its neighbours. The positions that keep the minimum distances are
a least-squares fit under order constraints (isotonic regression by pooling adjacent violators).

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
GAP_ACROSS = 14.0  # between slots of a layer
NODE, SHORT, LONG = 1e6, 1e3, 1.0  # weights of desired positions


@dataclass(frozen=True, slots=True)
class Extent:
    """Distances from a centre to the edges of a box: across the layer before and after, along the layers back and
    front."""

    before: float
    after: float
    back: float
    front: float


def along(layers: Layers, extents: Sequence[Extent]) -> list[float]:
    """The position of each layer."""
    found: list[float] = []
    edge = 0.0
    for layer in layers.layers:
        back = max((extents[slot].back for slot in layer), default=0.0)
        front = max((extents[slot].front for slot in layer), default=0.0)
        found.append(edge + back)
        edge += back + front + GAP_ALONG
    return found


def across(layers: Layers, extents: Sequence[Extent], edges: Sequence[Edge]) -> list[float]:
    """The position of each slot in its layer."""
    position = [0.0] * len(layers.slots)
    neighbours: list[list[int]] = [[] for _ in layers.ranks]
    for u, v, _ in edges:
        neighbours[u].append(v)
        neighbours[v].append(u)
    for turn in range(ROUNDS):
        order = range(len(layers.layers)) if turn % 2 == 0 else range(len(layers.layers) - 1, -1, -1)
        for index in order:
            layer = layers.layers[index]
            wishes = [_wish(slot, layers, edges, neighbours, position) for slot in layer]
            weights = [_weight(slot, layers, edges) for slot in layer]
            pairs = itertools.pairwise(layer)
            apart = [extents[one].after + GAP_ACROSS + extents[other].before for one, other in pairs]
            for slot, where in zip(layer, fitted(wishes, weights, apart), strict=True):
                position[slot] = where
    return position


def _wish(
    slot: int, layers: Layers, edges: Sequence[Edge], neighbours: Sequence[Sequence[int]], position: Sequence[float]
) -> float:
    """The desired position of a slot: the mean of its neighbours for a node, the line between its ends for a short
    edge, the mean of its route for a long one."""
    here = layers.slots[slot]
    if here.node >= 0:
        others = neighbours[here.node]
        return sum(position[other] for other in others) / len(others) if others else position[slot]
    u, v, _ = edges[here.edge]
    route = layers.routes[here.edge]
    if len(route) > 1 and any(position[other] for other in route):
        return sum(position[other] for other in route) / len(route)
    share = (here.layer - layers.ranks[u]) / (layers.ranks[v] - layers.ranks[u])
    return position[u] + share * (position[v] - position[u])


def _weight(slot: int, layers: Layers, edges: Sequence[Edge]) -> float:
    here = layers.slots[slot]
    if here.node >= 0:
        return NODE
    u, v, _ = edges[here.edge]
    return SHORT if abs(layers.ranks[u] - layers.ranks[v]) == 2 else LONG


def fitted(wishes: Sequence[float], weights: Sequence[float], apart: Sequence[float]) -> list[float]:
    """The positions with the least weighted squared deviation from `wishes`, each at least the distance in `apart` from
    the one before."""
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
