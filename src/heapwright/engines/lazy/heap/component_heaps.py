"""The part of a concrete heap that a component is, in the variables of the program that the component sees.

What an object belongs to follows from the statement that allocated it; if edges of several components come from that
one, all ways are tried. A variable that points elsewhere, by what is known of aliases at the location, is null there;
where pointers share a variable, it holds what the one that is needed holds. If it is kept only because of what it was
loaded from, which of them that was is not told.

    for assignment in ComponentAssignment(aliases).assignments(heap) or ():
        HeapProjection(projection).project(location, heap, assignment)    # a Snapshot; None: no such heap can be there
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from itertools import product
from math import prod

from heapwright.base.source import Span
from heapwright.engines.lazy.heap.aliases import Aliases
from heapwright.engines.lazy.heap.component_programs import Projection
from heapwright.engines.tvl.api import AvailableLoads, HeapVocabulary
from heapwright.program.commands import New
from heapwright.program.runs.snapshot import ANY_ADDRESS, NULL_ADDRESS, Address, Snapshot
from heapwright.program.types import ValueKind

MOST = 64  # ways in which objects may belong to components


class ComponentAssignment:
    """Which components objects may be in."""

    def __init__(self, aliases: Aliases) -> None:
        self._components: dict[Span, tuple[int, ...]] = {}
        for number, edge in enumerate(aliases.program.graph.edges):
            if isinstance(edge.command, New):
                known = self._components.get(edge.span, ())
                self._components[edge.span] = tuple(sorted({*known, aliases.component_of_site(number)}))

    def assignments(self, heap: Snapshot) -> list[Mapping[int, int]] | None:
        """The components of objects; None where a block has no statement that allocated it, or there are too many."""
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
        """The pointers that each variable of the component's program stands for."""
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
        """Variables that pointers share may be kept longer than each of these."""
        return AvailableLoads(HeapVocabulary(self.projection.program))

    def project(self, location: int, heap: Snapshot, assignment: Mapping[int, int]) -> Snapshot | None:
        mine = {number for number, component in assignment.items() if component == self.projection.component}
        for number in mine:
            item = heap.objects[number]
            held = (*item.pointers.values(), *(one for one in item.cells.values() if isinstance(one, Address)))
            if any(address.object > 0 and address.object not in mine for address in held):
                return None  # nothing leads from one component to another
        variables = self.projection.program.variables.items()
        pointers: dict[str, Address] = {}
        for name, variable in variables:
            if variable.kind is ValueKind.POINTER:
                value = self._value(location, name, heap, mine)
                if value is None:
                    return None
                pointers[name] = value
        return replace(heap, pointers=pointers, objects={number: heap.objects[number] for number in mine})

    def _value(self, location: int, name: str, heap: Snapshot, mine: set[int]) -> Address | None:
        """What a variable holds here; None if that cannot be."""
        members = self._sharing.get(name, (name,))
        needed = [one for one in members if self.is_needed(location, one)]
        pointer = next(iter(needed), members[0] if len(members) == 1 else None)
        if pointer is None:
            return ANY_ADDRESS if name in self._held_shared.at(location) else NULL_ADDRESS
        address = heap.pointers[pointer]
        inside = address.object in mine
        if not self.projection.mine(location, pointer):
            return None if inside else NULL_ADDRESS
        return None if address.object > 0 and not inside else address

    def is_needed(self, location: int, pointer: str) -> bool:
        """Whether the program of the component reads a pointer again."""
        liveness = self.projection.heap.liveness
        return bool(liveness.at(location) & liveness.bit(pointer)) or pointer in self._held.at(location)
