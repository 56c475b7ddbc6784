"""Whether a concrete heap is among those that a tree describes: at some node of its location the cube holds of it, and
for each component the structures describe the part of the heap that is in it (see `parts`).

A number that the heap leaves open, and a cell that it does not have, may be anything.

    Members(search).contains(location, heap)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from heapwright.engines.lazy.abstraction import Cube
from heapwright.engines.lazy.classes import ShapeClass
from heapwright.engines.lazy.parts import Parts
from heapwright.engines.lazy.semantics import ENDED, FREED, HEAP, OTHER, STATUS
from heapwright.engines.lazy.shapes import Region as Shape
from heapwright.engines.lazy.shapes import ShapeState
from heapwright.engines.lazy.terms import AtMost, Cell, Formula, NotZero, Term, Truth, Variable, Zero, num
from heapwright.engines.lazy.tracking import NodePredicate
from heapwright.engines.tvl.programs.filling import Filling
from heapwright.engines.tvl.programs.membership import Membership
from heapwright.program.snapshot import JUNK_ADDRESS, NULL_ADDRESS, Address, Snapshot
from heapwright.program.types import Region

if TYPE_CHECKING:
    from heapwright.engines.lazy.search import Search

STATUSES = {"freed": FREED, "ended": ENDED}


class Members:
    def __init__(self, search: Search) -> None:
        self._nodes: dict[int, list[tuple[Cube, ShapeState]]] = {}
        for node in search.tree.nodes():
            self._nodes.setdefault(node.location, []).append((node.cube, node.shapes))
        self._parts = {one: Parts(projection) for one, projection in search.shapes.projections.items()}
        self._classes: dict[ShapeClass, OfClass] = {}

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        """None where it is not told what the heap is in the words of structures."""
        fitting = [
            shapes
            for cube, shapes in self._nodes.get(location, ())
            if all(truth(one, heap) is not False for one in cube)
        ]
        if not fitting:
            return False
        parts = {component: one.part(location, heap) for component, one in self._parts.items()}
        if any(part is False for part in parts.values()):
            return False
        unsure = False
        for shapes in fitting:
            answers = {self._described(location, part, one, shapes) for one, part in parts.items()}
            if answers <= {True}:
                return True
            unsure = unsure or False not in answers
        return None if unsure else False

    def _described(
        self, location: int, part: Snapshot | bool | None, component: int, shapes: ShapeState
    ) -> bool | None:
        if component in shapes and shapes[component] is None:
            return True  # it is not tracked
        if not isinstance(part, Snapshot):
            return None
        region = shapes.get(component)
        if region is None:
            return not part.objects  # nothing of it has been made yet
        members = self._classes.get(region.shape_class)
        if members is None:
            members = self._classes[region.shape_class] = OfClass(region)
        return members.described(location, part, region.structures, (location, region.structures))


class OfClass(Membership):
    """Heaps as structures of a class: with its node predicates."""

    def __init__(self, region: Shape) -> None:
        self.predicates: tuple[NodePredicate, ...] = region.shape_class.tracking.ordered
        super().__init__(region.shape_class.heap, region.shape_class.signature)

    def complete(self, filling: Filling) -> None:
        for block, node in filling.node.items():
            live = filling.view.snapshot.objects[block].status == "live"
            cells = filling.view.cells[block]
            for one in self.predicates:
                if one.cell in cells or not live:
                    values = cells.get(one.cell, ())
                    value = values[0] if len(values) == 1 else None
                    holds = truth(one.of(num(value)), filling.view.snapshot) if isinstance(value, int) else None
                    if holds is not False:
                        (filling.open if holds is None else filling.true)(one.name, node)


def truth(literal: Formula, heap: Snapshot) -> bool | None:
    """Whether it holds of a heap; None if that is not told."""
    match literal:
        case Truth(known):
            return known
        case AtMost(term):
            value = _value(term, heap)
            return None if value is None else value <= 0
        case Zero(term):
            value = _value(term, heap)
            return None if value is None else value == 0
        case NotZero(term):
            value = _value(term, heap)
            return None if value is None else value != 0
    return None


def _value(term: Term, heap: Snapshot) -> int | None:
    found = term.constant
    for leaf, factor in term.parts:
        value: int | None = None
        match leaf:
            case Variable(name) if name in heap.data:
                value = heap.data[name]
            case Variable(name) if name in heap.pointers:
                value = _number(heap.pointers[name])
            case Cell(array, index):
                place = _value(index, heap)
                value = None if place is None else _cell(array, place, heap)
        if value is None:
            return None
        found += factor * value
    return found


def _number(address: Address) -> int:
    return 0 if address == NULL_ADDRESS else -1 if address == JUNK_ADDRESS else address.object


def _cell(array: str, number: int, heap: Snapshot) -> int | None:
    known = heap.objects.get(number)
    if known is None:
        return None
    if array == STATUS:
        return STATUSES.get(known.status, HEAP if known.region is Region.HEAP else OTHER)
    type, _, field = array.rpartition(".")
    if known.status != "live" or known.type != type:
        return None
    if field in known.pointers:
        return _number(known.pointers[field])
    return known.data.get(field)
