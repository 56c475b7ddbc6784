"""Which picture comes from which: the abstract post of one structure of each component at a time.

A covered node has no successors: what it has goes on as what its coverer has. So the pictures of a coverer also come
from where those come from that they contain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from heapwright.engines.lazy.art.reachability_tree import AbstractState, Node
from heapwright.engines.lazy.art.shape_regions import ShapeRegion
from heapwright.engines.lazy.states.pictures import Drawn
from heapwright.program.heap_picture import HeapPicture
from heapwright.result.explanation import Picture

if TYPE_CHECKING:
    from heapwright.engines.lazy.art.cegar_loop import Search

MOST = 1_000  # pictures, with duplicates: each takes a post for each of its edges

Before = dict[int, dict[int, None]]  # by number of a drawn state: those that it comes from


def predecessors(
    search: Search, drawn: Sequence[Drawn], pictures: Mapping[int, tuple[HeapPicture, ...]]
) -> dict[int, tuple[tuple[Picture, ...], ...]]:
    """For each picture the pictures before it; empty if there are too many."""
    if len(drawn) > MOST:
        return {}
    numbers = {
        location: {picture: number for number, picture in enumerate(here)} for location, here in pictures.items()
    }
    found: dict[int, list[dict[Picture, None]]] = {location: [{} for _ in here] for location, here in pictures.items()}
    for number, sources in _before(search, drawn).items():
        one = drawn[number]
        made = found[one.node.location][numbers[one.node.location][one.picture]]
        for source in sources:
            before = drawn[source]
            made[Picture(before.node.location, numbers[before.node.location][before.picture])] = None
    return {location: tuple(map(tuple, here)) for location, here in sorted(found.items())}


def _before(search: Search, drawn: Sequence[Drawn]) -> Before:
    of_node: dict[int, list[int]] = defaultdict(list)
    for number, one in enumerate(drawn):
        of_node[one.node.number].append(number)
    found: Before = defaultdict(dict)
    for number, one in enumerate(drawn):
        for child in one.node.children or ():
            for state in _posts(search, one, child):
                for after in of_node[child.number]:
                    if search.covers(drawn[after].state, state):
                        found[after][number] = None
    for covered, coverer in search.covering.coverers.items():
        for small in of_node[covered]:
            for big in of_node[coverer.number]:
                if search.covers(drawn[big].state, drawn[small].state):
                    found[big].update(found[small])
    return found


def _posts(search: Search, one: Drawn, child: Node) -> list[AbstractState]:
    """What an edge makes of a part of a state, each structure by itself, where it leads to a child."""
    part = Node(one.node.number, one.node.location, one.state, one.node.parent, one.node.edge)
    return [
        state
        for made in search.successors(part, child.edge)
        for state in _single(made)
        if search.covers(child.state, state)
    ]


def _single(state: AbstractState) -> list[AbstractState]:
    """The state with one structure of each component, in all ways."""
    components = [
        [(component, region)]
        if region is None
        else [(component, ShapeRegion(region.shape_class, (structure,))) for structure in region.structures]
        for component, region in state.shapes.items()
    ]
    return [replace(state, shapes=dict(chosen)) for chosen in product(*components)]
