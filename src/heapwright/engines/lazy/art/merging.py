"""Structures that nodes of one location share.

A node is expanded without the structures that an expanded one has, too. And where a component is tracked as finely as
possible, a structure of a new node is joined with those of earlier nodes that have the same cube and the same canonical
names, as `tvl` joins them at a location: there is no shape type left that could tell them apart.
"""

from __future__ import annotations

from dataclasses import replace

from heapwright.engines.lazy.art.predicate_abstraction import Abstraction, Cube
from heapwright.engines.lazy.art.reachability_tree import AbstractState
from heapwright.engines.lazy.art.shape_regions import ShapeRegion, ShapeState
from heapwright.engines.tvl.api import Partial


class Merging:
    """Of one tree."""

    def __init__(self, abstraction: Abstraction) -> None:
        self.abstraction = abstraction
        self._kept: dict[tuple[int, Cube, int, int], Partial] = {}  # by location, cube, component and class

    def joined(self, location: int, state: AbstractState) -> AbstractState:
        """A state with its structures joined with those that earlier calls had for the same location and cube."""
        found: dict[int, ShapeRegion] = {}
        for component, region in state.shapes.items():
            if region is None or not region.shape_class.tracking.is_finest:
                continue
            key = (location, state.cube, component, id(region.shape_class))
            kept = self._kept.get(key)
            if kept is None:
                kept = self._kept[key] = region.shape_class.transformers.structure_set()
            wider = tuple(dict.fromkeys(kept.including(one) for one in region.structures))
            if wider != region.structures:
                found[component] = ShapeRegion(region.shape_class, wider)
        return replace(state, shapes={**state.shapes, **found}) if found else state

    def without(self, state: AbstractState, other: AbstractState) -> AbstractState | None:
        """A state without what another one has, too; None if nothing is left."""
        if not self.abstraction.covers(other.cube, state.cube):
            return state
        shapes = _without(state.shapes, other.shapes)
        if shapes is state.shapes:
            return state
        return None if shapes is None else replace(state, shapes=shapes)


def _without(state: ShapeState, other: ShapeState) -> ShapeState | None:
    """Only one component may have structures that the other one lacks, since a state is a product."""
    if any(known is not None for component, known in other.items() if component not in state):
        return state
    lacking: list[tuple[int, ShapeRegion, ShapeRegion]] = []
    for component, region in state.items():
        if component not in other or len(lacking) > 1:
            return state
        known = other[component]
        if known is None:
            continue
        if region is None or region.shape_class is not known.shape_class:
            return state
        shared = set(known.structures)
        left = tuple(one for one in region.structures if one not in shared)
        if left:
            lacking.append((component, region, ShapeRegion(region.shape_class, left)))
    if not lacking:
        return None
    (component, region, left_over), *more = lacking
    if more or len(left_over.structures) == len(region.structures):
        return state
    return {**state, component: left_over}
