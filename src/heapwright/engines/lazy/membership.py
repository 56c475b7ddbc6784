"""Whether a concrete heap is among those that a tree describes: some node at its location has a cube that holds of it.

What structures say is not asked here. A number that the heap leaves open, and a cell that it does not have, may be
anything.

    Members(search).contains(location, heap)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from heapwright.engines.lazy.abstraction import Cube
from heapwright.engines.lazy.semantics import ENDED, FREED, HEAP, OTHER, STATUS
from heapwright.engines.lazy.terms import AtMost, Cell, Formula, NotZero, Term, Variable, Zero
from heapwright.program.snapshot import JUNK_ADDRESS, NULL_ADDRESS, Address, Snapshot
from heapwright.program.types import Region

if TYPE_CHECKING:
    from heapwright.engines.lazy.search import Search

STATUSES = {"freed": FREED, "ended": ENDED}


class Members:
    def __init__(self, search: Search) -> None:
        self._cubes: dict[int, dict[Cube, None]] = {}
        for node in search.tree.nodes():
            self._cubes.setdefault(node.location, {})[node.cube] = None

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        return any(all(_may_hold(one, heap) for one in cube) for cube in self._cubes.get(location, ()))


def _may_hold(literal: Formula, heap: Snapshot) -> bool:
    match literal:
        case AtMost(term):
            value = _value(term, heap)
            return value is None or value <= 0
        case Zero(term):
            value = _value(term, heap)
            return value is None or value == 0
        case NotZero(term):
            value = _value(term, heap)
            return value is None or value != 0
    return True


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
