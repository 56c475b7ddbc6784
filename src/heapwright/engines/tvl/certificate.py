"""The certificate of a complete analysis: its structures as plain data, and membership after deserialisation.

A structure is its number of nodes, and for each predicate the tuples of nodes of which it is true, and of which it may
be (see docs/certificates.md). The vocabulary follows from the program, but for
predicates that a user added.

    part = serialize(heap, outcome.signature, outcome.structures)
    StructureReader(program, part).contains(location, heap)
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import Any

from heapwright.engines.kit.certificate_reader import CertificateReader, and_another
from heapwright.engines.tvl.encoding.predicates.activation_records import Frames
from heapwright.engines.tvl.encoding.predicates.allocation_sites import Sites
from heapwright.engines.tvl.encoding.predicates.integer_constants import Constants
from heapwright.engines.tvl.encoding.predicates.key_order import Order
from heapwright.engines.tvl.encoding.states.membership import OWN_VARIABLES, Membership
from heapwright.engines.tvl.encoding.states.points_to_filter import PointsToFilter, fields_named
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary, Supply
from heapwright.engines.tvl.structures.structure import Signature, Structure
from heapwright.logic.serialization import read_predicate, written_predicate
from heapwright.logic.vocabulary import Predicate, Vocabulary
from heapwright.program.commands import New
from heapwright.program.graph import Program
from heapwright.program.runs.snapshot import Snapshot
from heapwright.program.types import ValueKind

KEYS = (0, 1)  # numbers to be tried where only their order matters

# --- writing ---------------------------------------------------------------------------------------------------------


MOST_NODES = 10_000  # of a structure in a certificate


def serialize(
    heap: HeapVocabulary, signature: Signature, structures: Sequence[tuple[Structure, ...]]
) -> dict[str, Any]:
    """The locations of the program; structures between the actions of one command are left out."""
    return {
        "all_keys": heap.all_keys,
        "counted": heap.counted,
        "added": [written_predicate(one) for one in heap.added],
        "locations": {
            str(location): [written_structure(signature, one) for one in structures[location]]
            for location in range(len(heap.program.graph.locations))
            if structures[location]
        },
    }


def written_structure(signature: Signature, structure: Structure) -> dict[str, Any]:
    true: dict[str, list[list[int]]] = {}
    maybe: dict[str, list[list[int]]] = {}
    for number, predicate in enumerate(signature.predicates):
        may, must = structure.may[number], structure.must[number]
        for name, mask in ((true, must), (maybe, may & ~must)):
            if mask:
                name[predicate.name] = _tuples(mask, predicate.arity, structure.n)
    return {"nodes": structure.n, "true": true, "maybe": maybe}


def _tuples(mask: int, arity: int, n: int) -> list[list[int]]:
    indices = [bit for bit in range(mask.bit_length()) if mask >> bit & 1]
    return [[] if arity == 0 else [bit] if arity == 1 else list(divmod(bit, n)) for bit in indices]


# --- reading ---------------------------------------------------------------------------------------------------------


def read_structure(signature: Signature, known: Mapping[str, Any]) -> Structure:
    n = int(known["nodes"])
    if not 0 <= n <= MOST_NODES:
        raise ValueError(f"a structure has {n} nodes")
    may, must = [0] * signature.size, [0] * signature.size
    for table, sharp in ((known["true"], True), (known["maybe"], False)):
        for name, tuples in table.items():
            number = signature.number[name]
            for nodes in tuples:
                if len(nodes) != signature.arity[number] or not all(0 <= node < n for node in nodes):
                    raise ValueError(f"{name} does not hold of {nodes}")
                bit = 0
                for node in nodes:
                    bit = bit * n + node
                may[number] |= 1 << bit
                must[number] |= sharp << bit
    return Structure(n, tuple(may), tuple(must))


def _supply(added: tuple[Predicate, ...]) -> Supply:
    """Adds user predicates; whether they are abstraction predicates does not change the concretisation of
    structures."""

    def supply(vocabulary: Vocabulary) -> Vocabulary:
        if any(one.name in vocabulary for one in added):
            raise ValueError("a predicate is defined that is there already")
        return Vocabulary((*vocabulary.predicates, *added))

    return supply


class StructureReader(CertificateReader):
    """The 3-valued structures of each location, over the vocabulary that follows from the program."""

    def __init__(self, program: Program, part: Mapping[str, Any]) -> None:
        added = tuple(map(read_predicate, part["added"]))
        supplied = _supply(added) if added else None
        vocabulary = HeapVocabulary.counting if part.get("counted", False) else HeapVocabulary
        self.heap = vocabulary(program, all_keys=bool(part["all_keys"]), supplied=supplied)
        super().__init__(self.heap.program)
        signature = Signature(self.heap.vocabulary)
        read = self.by_location(part, lambda _, known: tuple(read_structure(signature, one) for one in known))
        structures = [read.get(location, ()) for location in range(len(program.graph.locations))]
        self.membership = Membership(self.heap, signature, structures)
        self.points_to = PointsToFilter(self.heap)

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        view = self.membership.concrete.view(heap)
        points_to = view is None or self.points_to.allows(view, self.pointers(location))
        return points_to and self.membership.listed(location, heap)

    def undecided(self) -> bool:
        return True

    def pointers(self, location: int) -> tuple[str, ...]:
        """All that the user wrote, since they keep blocks from leaking, and temporaries that are read again."""
        needed = {*self.live(location, ValueKind.POINTER), *self.membership.held.at(location)}
        variables = self.program.variables
        return tuple(
            name
            for name in self.heap.variables
            if name not in OWN_VARIABLES and (name in needed or not variables[name].temporary)
        )

    @cached_property
    def values(self) -> Mapping[str, tuple[int, ...]]:
        """By variable or cell."""
        found: dict[str, set[int]] = {}
        for family in self.heap.families:
            if isinstance(family, Constants):
                for name, values in family.values.items():
                    found.setdefault(name, set()).update(and_another(values))
            elif isinstance(family, Order):
                for name in (*family.keys.fields, *family.keys.variables):
                    found.setdefault(name, set()).update(KEYS)
        return {name: tuple(sorted(values)) for name, values in found.items()}

    @cached_property
    def pointer_fields(self) -> frozenset[tuple[str, str]]:
        return frozenset(fields_named(self.program, (*self.heap.fields, *self.heap.arrays), ValueKind.POINTER))

    @cached_property
    def data_fields(self) -> Mapping[tuple[str, str], tuple[int, ...]]:
        cells = [name for name in self.values if name not in self.heap.integers]
        found: dict[tuple[str, str], set[int]] = {}
        for cell in cells:
            for field in fields_named(self.program, [cell], ValueKind.DATA):
                found.setdefault(field, set()).update(self.values[cell])
        return {field: tuple(sorted(tries)) for field, tries in found.items()}

    def kind(self, site: int) -> Hashable:
        command = self.program.graph.edges[site].command
        if not isinstance(command, New):
            return None
        found: list[str | None] = [self.heap.flow.blocks.kind(self.heap.flow.blocks.created(command, site)).name]
        for family in self.heap.families:
            if isinstance(family, Sites):
                found.append(family.name(command))
            elif isinstance(family, Frames):
                found.append(family.origin(site))
        return tuple(found)
