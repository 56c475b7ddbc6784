"""The part of a concrete heap that a component is, in the variables of the program that the component sees.

What an object belongs to follows from the statement that allocated it. A variable that points elsewhere, by what is
known of aliases at the location, is null there; where pointers share a variable, it holds what the one that is needed
holds.

    Parts(projection).part(location, heap)    # a Snapshot; False: no such heap can be there; None: it is not told
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from heapwright.engines.lazy.projection import Projection
from heapwright.engines.tvl.programs.held import Held
from heapwright.program.commands import New
from heapwright.program.snapshot import NULL_ADDRESS, Address, Snapshot
from heapwright.program.types import ValueKind
from heapwright.source import Span


class Parts:
    def __init__(self, projection: Projection) -> None:
        self.projection = projection

    @cached_property
    def _components(self) -> Mapping[Span, frozenset[int]]:
        """By the statements that allocate."""
        found: dict[Span, frozenset[int]] = {}
        aliases = self.projection.aliases
        for number, edge in enumerate(aliases.program.graph.edges):
            if isinstance(edge.command, New):
                known = found.get(edge.span, frozenset())
                found[edge.span] = known | {aliases.component_of_site(number)}
        return found

    @cached_property
    def _sharing(self) -> Mapping[str, tuple[str, ...]]:
        """The pointers that each variable of the component's program stands for."""
        found: dict[str, tuple[str, ...]] = {}
        for pointer in self.projection.variables:
            name = self.projection.name(pointer)
            found[name] = (*found.get(name, ()), pointer)
        return found

    @cached_property
    def _held(self) -> Held:
        return Held(self.projection.heap)

    def part(self, location: int, heap: Snapshot) -> Snapshot | bool | None:
        belongs: dict[int, int | None] = {}
        for number, item in heap.objects.items():
            root = heap.objects.get(item.root, item)
            components = self._components.get(root.allocated) if root.allocated is not None else None
            if components is None or len(components) != 1:
                return None
            belongs[number] = min(components)
        mine = {number for number, component in belongs.items() if component == self.projection.component}
        for number in mine:
            item = heap.objects[number]
            held = (*item.pointers.values(), *(one for one in item.cells.values() if isinstance(one, Address)))
            if any(address.object > 0 and address.object not in mine for address in held):
                return False  # nothing leads from one component to another
        variables = self.projection.program.variables.items()
        pointers: dict[str, Address] = {}
        for name, variable in variables:
            if variable.kind is ValueKind.POINTER:
                value = self._value(location, name, heap, mine)
                if value is None:
                    return False
                pointers[name] = value
        return replace(heap, pointers=pointers, objects={number: heap.objects[number] for number in mine})

    def _value(self, location: int, name: str, heap: Snapshot, mine: set[int]) -> Address | None:
        """What a variable holds here; None if that cannot be."""
        members = self._sharing.get(name, (name,))
        needed = [one for one in members if self._is_needed(location, one)]
        pointer = next(iter(needed), members[0] if len(members) == 1 else None)
        if pointer is None:
            return NULL_ADDRESS
        address = heap.pointers[pointer]
        inside = address.object in mine
        if not self.projection.mine(location, pointer):
            return None if inside else NULL_ADDRESS
        return None if address.object > 0 and not inside else address

    def _is_needed(self, location: int, pointer: str) -> bool:
        liveness = self.projection.heap.liveness
        return bool(liveness.at(location) & liveness.bit(pointer)) or pointer in self._held.at(location)
