"""Auxiliary invariants that hold beside the ART: points-to and deallocation facts (`aliases`), and available loads.

    HeapFacts(aliases, loads).allow(location, heap)      # False: the heap is not possible there

Only live pointers are tested. Objects are identified by their allocation statements; if a statement has several edges,
an object may be of any of these sites.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from heapwright.base.source import Span
from heapwright.engines.lazy.heap.aliases import JUNK, NOTHING, NULL, Aliases, Sites
from heapwright.engines.lazy.heap.available_loads import Loads
from heapwright.engines.tvl.api import Concrete, View
from heapwright.program.commands import Free, Leave, New
from heapwright.program.runs.snapshot import JUNK_ADDRESS, Address, HeapObject, Snapshot

ENDS: Mapping[str, type[Free | Leave]] = {"freed": Free, "ended": Leave}


class HeapFacts:
    def __init__(self, aliases: Aliases, loads: Loads) -> None:
        self.aliases = aliases
        self.loads = loads
        self.concrete = Concrete(aliases.heap)

    def allow(self, location: int, heap: Snapshot) -> bool:
        if not all(self._may_have_ended(heap, item) for item in heap.objects.values()):
            return False
        if self.aliases.coarse:
            view = self.concrete.view(heap) if self.loads.at(location) else None
        else:
            pointers = self._live(location, heap)
            if not all(self._among(heap, address, self.aliases.at(location, name)) for name, address in pointers):
                return False
            view = self.concrete.view(heap)
            if view is not None and not all(self._holds(view, block) for block in view.cells):
                return False
        return view is None or self._loads_hold(location, view)

    def sites(self, heap: Snapshot, item: HeapObject) -> Sites:
        """The edges that may have allocated an object, or the block that it is in."""
        root = heap.objects.get(item.root, item)
        return NOTHING if root.allocated is None else self._sites.get(root.allocated, NOTHING)

    @cached_property
    def _sites(self) -> Mapping[Span, Sites]:
        found: dict[Span, Sites] = {}
        for number, edge in enumerate(self.aliases.program.graph.edges):
            if isinstance(edge.command, New):
                found[edge.span] = found.get(edge.span, NOTHING) | {number}
        return found

    def _may_have_ended(self, heap: Snapshot, item: HeapObject) -> bool:
        """Whether some command may have ended the lifetime of an object that is not live."""
        kind = ENDS.get(item.status)
        return kind is None or not self.aliases.ended(kind).isdisjoint(self.sites(heap, item))

    def _live(self, location: int, heap: Snapshot) -> Iterator[tuple[str, Address]]:
        liveness = self.aliases.heap.liveness
        mask = liveness.at(location)
        for name in self.aliases.heap.variables:
            if mask & liveness.bit(name):
                yield name, heap.pointers[name]

    def _among(self, heap: Snapshot, address: Address, allowed: Sites) -> bool:
        """Whether a pointer is in a points-to set; an unknown one may be."""
        if address.object > 0:
            return not allowed.isdisjoint(self.sites(heap, heap.objects[address.object]))
        if address.object == 0:
            return NULL in allowed
        return address != JUNK_ADDRESS or JUNK in allowed

    def _holds(self, view: View, block: int) -> bool:
        """Whether the pointers in a block are in the points-to sets of their cells."""
        heap = view.snapshot
        sites = self.sites(heap, heap.objects[block])
        for cell, values in view.cells[block].items():
            pointers = [one for one in values if isinstance(one, Address)]
            if pointers:
                allowed = NOTHING.union(*(self.aliases.may_hold(site, cell) for site in sites))
                if not all(self._among(heap, one, allowed) for one in pointers):
                    return False
        return True

    def _loads_hold(self, location: int, view: View) -> bool:
        """Whether the available loads hold: variables equal their cells."""
        heap = view.snapshot
        for name, (pointer, cell) in self.loads.at(location).items():
            block = view.target(heap.pointers[pointer])
            values = view.cells[block].get(cell, ()) if block in view.cells else ()
            actual = heap.data.get(name)
            if actual is not None and len(values) == 1 and isinstance(values[0], int) and values[0] != actual:
                return False
        return True
