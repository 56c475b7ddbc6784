"""Pictures of the invariant of a complete tree: the structures of all nodes at a location, with their cubes.

A node has structures for each component; a picture has one of each, side by side. A variable is drawn with the objects
that it may point to. There are pictures only if every component is tracked everywhere, and there are not too many, so
that together they cover all heaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from heapwright.engines.lazy.art.predicate_abstraction import Cube
from heapwright.engines.lazy.art.reachability_tree import AbstractState, Node
from heapwright.engines.lazy.art.shape_regions import ShapeRegion
from heapwright.engines.lazy.logic.terms import names, text
from heapwright.engines.lazy.precision.shape_classes import ShapeClass
from heapwright.engines.tvl.api import ProgramPictures, Structure
from heapwright.program.heap_picture import Fact, HeapArrow, HeapNode, HeapPicture

if TYPE_CHECKING:
    from heapwright.engines.lazy.art.cegar_loop import Search

MOST = 2_000  # maximum number of pictures of one node


class Drawn(NamedTuple):
    """The part of a node's state with one structure of each component, and its picture."""

    node: Node
    state: AbstractState
    picture: HeapPicture


def drawn_states(search: Search) -> list[Drawn]:
    """Every part of every node; none at all if some location cannot be drawn."""
    artist = _Artist(search)
    found: list[Drawn] = []
    for node in search.tree.nodes():
        parts = [artist.drawn(node, component) for component in search.shapes.projections]
        if not all(parts) or prod(map(len, parts)) > MOST:
            return []
        literals = artist.literals(node.state.cube)
        for chosen in product(*parts):
            shapes = {
                **node.state.shapes,
                **{part.component: part.region for part in chosen if part.region is not None},
            }
            picture = _side_by_side([part.picture for part in chosen], literals)
            found.append(Drawn(node, replace(node.state, shapes=shapes), picture))
    return found


def pictures_by_location(drawn: Sequence[Drawn]) -> dict[int, tuple[HeapPicture, ...]]:
    """Each picture once."""
    found: dict[int, dict[HeapPicture, None]] = {}
    for one in drawn:
        found.setdefault(one.node.location, {})[one.picture] = None
    return {location: tuple(pictures) for location, pictures in sorted(found.items())}


class _Part(NamedTuple):
    """One structure of a component: the region that has it alone, None if nothing has touched the component."""

    component: int
    region: ShapeRegion | None
    picture: HeapPicture


class _Artist:
    def __init__(self, search: Search) -> None:
        self.search = search
        self._artists: dict[ShapeClass, ProgramPictures] = {}

    def drawn(self, node: Node, component: int) -> list[_Part]:
        """The structures of one component; none if it is not tracked."""
        shapes = self.search.shapes
        region = node.state.shapes.get(component)
        known = None if region is None else region.shape_class
        made = known if component in node.state.shapes else shapes.shape_class(component, node.location)
        if made is None:
            return []
        structures: Sequence[Structure] = (made.initial,) if region is None else region.structures
        artist = self._artists.get(made)
        if artist is None:
            artist = self._artists[made] = ProgramPictures(made.heap, made.signature)
        elsewhere = frozenset(name for name in made.heap.variables if self._owner(node.location, name) != component)
        return [
            _Part(component, region and ShapeRegion(made, (one,)), artist.at(node.location, one, elsewhere))
            for one in structures
        ]

    def _owner(self, location: int, name: str) -> int | None:
        """The component with which a variable is drawn: the one that it points into, or the first that tracks it."""
        shapes = self.search.shapes
        found = self.search.aliases.component(location, name)
        knowing = (one for one, projection in shapes.projections.items() if name in projection.variables)
        return found if found is not None else next(knowing, None)

    def literals(self, cube: Cube) -> tuple[Fact, ...]:
        """The literals of a node over variables of the source."""
        variables = self.search.program.variables
        literals = (
            literal
            for literal in cube
            if all(name in variables and not variables[name].temporary for name in names(literal))
        )
        return tuple(Fact(text(literal)) for literal in literals)


def _side_by_side(parts: Sequence[HeapPicture], literals: tuple[Fact, ...]) -> HeapPicture:
    nodes: list[HeapNode] = []
    arrows: list[HeapArrow] = []
    for part in parts:
        shift = max((node.id for node in nodes), default=0)
        nodes += (replace(node, id=node.id + shift) for node in part.nodes)
        arrows += (
            replace(one, source=_moved(one.source, shift), target=_moved(one.target, shift)) for one in part.arrows
        )
    data = tuple(dict.fromkeys(one for part in parts for one in part.data))
    facts = tuple(dict.fromkeys(one for part in parts for one in part.facts))
    return HeapPicture(tuple(nodes), tuple(arrows), data, (*facts, *literals))


def _moved(end: str | int, shift: int) -> str | int:
    return end + shift if isinstance(end, int) else end
