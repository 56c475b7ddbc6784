"""Projection of a concrete heap to a component, over the variables of the component's program.

The component of an object follows from the statement that allocated it; if that has edges of several components, all
assignments are tried. A variable that points into another component, by points-to facts at the location, is null in the
projection. A coalesced variable has the value of its live pointer; if it is kept only as an available load, its value
is unknown.

    for assignment in ComponentAssignment(aliases).assignments(heap) or (): HeapProjection(projection).project(location,
    heap, assignment)    # a Snapshot; None: the heap is not possible there
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from itertools import product
from math import prod

from heapwright.base.source import Span
from heapwright.engines.lazy.heap.aliases import SEVERAL, Aliases
from heapwright.engines.lazy.heap.component_programs import Projection
from heapwright.engines.tvl.api import AvailableLoads, HeapVocabulary
from heapwright.program.commands import New
from heapwright.program.runs.snapshot import ANY_ADDRESS, NULL_ADDRESS, Address, Snapshot
from heapwright.program.types import ValueKind

MOST = 64  # maximum number of assignments of objects to components


class ComponentAssignment:
    """Assignments of objects to components."""

    def __init__(self, aliases: Aliases) -> None:
        self._components: dict[Span, tuple[int, ...]] = {}
        for number, edge in enumerate(aliases.program.graph.edges):
            if isinstance(edge.command, New):
                known = self._components.get(edge.span, ())
                self._components[edge.span] = tuple(sorted({*known, aliases.component_of_site(number)}))

    def assignments(self, heap: Snapshot) -> list[Mapping[int, int]] | None:
        """All assignments of the objects of a heap; None if a block has no allocation site, or there are too many."""
        blocks = {item.root if item.root in heap.objects else number for number, item in heap.objects.items()}
        choices: dict[int, tuple[int, ...]] = {}
        for block in sorted(blocks):
            made = heap.objects[block].allocated
            choices[block] = self._components.get(made, ()) if made is not None else ()
        count = prod(map(len, choices.values()))
        if not 0 < count <= MOST:
            return None
        found: list[Mapping[int, int]] = []
        for components in product(*choices.values()):
            chosen = dict(zip(choices, components, strict=True))
            found.append(
                {number: chosen[item.root if item.root in chosen else number] for number, item in heap.objects.items()}
            )
        return found


class HeapProjection:
    def __init__(self, projection: Projection) -> None:
        self.projection = projection

    @cached_property
    def _sharing(self) -> Mapping[str, tuple[str, ...]]:
        """The pointers that are coalesced to each variable of the component's program."""
        found: dict[str, tuple[str, ...]] = {}
        for pointer in self.projection.variables:
            name = self.projection.name(pointer)
            found[name] = (*found.get(name, ()), pointer)
        return found

    @cached_property
    def _held(self) -> AvailableLoads:
        return AvailableLoads(self.projection.heap)

    @cached_property
    def _held_shared(self) -> AvailableLoads:
        """Available loads of coalesced variables, which may be kept longer than each of their pointers."""
        return AvailableLoads(HeapVocabulary(self.projection.program))

    def project(self, location: int, heap: Snapshot, assignment: Mapping[int, int]) -> Snapshot | None:
        mine = {number for number, component in assignment.items() if component == self.projection.component}
        for number in mine:
            item = heap.objects[number]
            held = (*item.pointers.values(), *(one for one in item.cells.values() if isinstance(one, Address)))
            if any(address.object > 0 and address.object not in mine for address in held):
                return None  # no pointer leads from one component to another
        variables = self.projection.program.variables.items()
        pointers: dict[str, Address] = {}
        for name, variable in variables:
            if variable.kind is ValueKind.POINTER:
                value = self._value(location, name, heap, mine)
                if value is None:
                    return None
                pointers[name] = value
        return replace(heap, pointers=pointers, objects={number: heap.objects[number] for number in mine}, lost=None)

    def _value(self, location: int, name: str, heap: Snapshot, mine: set[int]) -> Address | None:
        """The value of a variable in the projection; None if it is not possible."""
        members = self._sharing.get(name, (name,))
        needed = [one for one in members if self.is_needed(location, one)]
        pointer = next(iter(needed), members[0] if len(members) == 1 else None)
        if pointer is None:
            return ANY_ADDRESS if name in self._held_shared.at(location) else NULL_ADDRESS
        if self.projection.aliases.component(location, pointer) == SEVERAL:
            return NULL_ADDRESS  # it is dead
        address = heap.pointers[pointer]
        inside = address.object in mine
        if not self.projection.mine(location, pointer):
            return None if inside else NULL_ADDRESS
        return None if address.object > 0 and not inside else address

    def is_needed(self, location: int, pointer: str) -> bool:
        """Whether a pointer is live, or an available load, in the program of the component."""
        liveness = self.projection.heap.liveness
        return bool(liveness.at(location) & liveness.bit(pointer)) or pointer in self._held.at(location)
