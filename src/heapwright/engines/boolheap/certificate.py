"""The certificate of a complete analysis: its Boolean heaps as plain data, and membership after deserialization.

Predicates are texts; a heap is a list of vectors, each with the indices of its true and of its false predicates (see
docs/certificates.md).

    part = serialize(analysis)
    BooleanHeapReader(program, part).contains(location, heap)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from heapwright.base.errors import UsageError
from heapwright.engines.boolheap.concrete.small_heaps import signature_of
from heapwright.engines.boolheap.domain.membership import Membership
from heapwright.engines.boolheap.domain.predicate_columns import AtomTable
from heapwright.engines.boolheap.domain.vectors import Vector
from heapwright.engines.boolheap.logic.formulas import Constant, Less, Marked, Same, Sum, atoms
from heapwright.engines.boolheap.logic.parser import parse
from heapwright.engines.boolheap.logic.printing import text
from heapwright.engines.kit.certificate_reader import CertificateReader
from heapwright.program.commands import Load
from heapwright.program.graph import Program
from heapwright.program.runs.snapshot import Snapshot
from heapwright.program.types import ValueKind

if TYPE_CHECKING:
    from heapwright.engines.boolheap.fixpoint import Analysis


def serialize(analysis: Analysis) -> dict[str, Any] | None:
    """None if the text of a predicate would not be parsed to an equal one, or mentions ghost predicates."""
    predicates = analysis.program.predicates
    if any(isinstance(atom, Marked) for one in predicates for atom in atoms(one)):
        return None
    texts = [text(one) for one in predicates]
    try:
        if any(parse(given) != one for given, one in zip(texts, predicates, strict=True)):
            return None
    except UsageError:
        return None
    return {
        "predicates": texts,
        "locations": {
            str(location): [
                [[_indices(one.ones), _indices(one.zeros)] for one in sorted(heap)] for heap in known.values()
            ]
            for location, known in sorted(analysis.at.items())
        },
    }


def _indices(mask: int) -> list[int]:
    return [index for index in range(mask.bit_length()) if mask >> index & 1]


class BooleanHeapReader(CertificateReader):
    """Boolean heaps of each location, with the texts of their predicates parsed."""

    def __init__(self, program: Program, part: Mapping[str, Any]) -> None:
        super().__init__(program)
        self.predicates = tuple(parse(str(one)) for one in part["predicates"])
        self.speaks = signature_of(self.predicates)
        columns = AtomTable(self.predicates)
        locations = range(len(program.graph.locations))
        active = [columns.active(frozenset(self.live(location))) for location in locations]
        heaps = self.by_location(part, lambda _, known: [self._heap(heap) for heap in known])
        self.membership = Membership(program, self.predicates, active, heaps)

    def _heap(self, vectors: list[tuple[list[int], list[int]]]) -> frozenset[Vector]:
        return frozenset(self._vector(ones, zeros) for ones, zeros in vectors)

    def _vector(self, ones: list[int], zeros: list[int]) -> Vector:
        if any(not 0 <= index < len(self.predicates) for index in (*ones, *zeros)):
            raise ValueError("there is no such predicate")
        return Vector(sum(1 << index for index in set(ones)), sum(1 << index for index in set(zeros)))

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        return self.membership.contains(location, heap)

    def _candidate_values(self) -> tuple[int, ...]:
        """Numbers around those that predicates compare with."""
        found = {0, 1}
        for atom in (atom for one in self.predicates for atom in atoms(one)):
            if isinstance(atom, Less | Same):
                for side in (atom.left, atom.right):
                    value = side.value if isinstance(side, Constant) else side.constant if isinstance(side, Sum) else 0
                    found.update((value - 1, value, value + 1))
        return tuple(sorted(found))

    @cached_property
    def values(self) -> Mapping[str, tuple[int, ...]]:
        return dict.fromkeys(self.speaks.numbers, self._candidate_values())

    @cached_property
    def pointer_fields(self) -> frozenset[tuple[str, str]]:
        """The pointer fields that predicates mention, and those that are loaded."""
        loads = (edge.command for edge in self.program.graph.edges if isinstance(edge.command, Load))
        wanted = {*self.speaks.fields, *(load.field for load in loads)}
        return self._named(wanted, ValueKind.POINTER)

    @cached_property
    def data_fields(self) -> Mapping[tuple[str, str], tuple[int, ...]]:
        return dict.fromkeys(sorted(self._named({*self.speaks.data}, ValueKind.DATA)), self._candidate_values())

    def _named(self, names: set[str], kind: ValueKind) -> frozenset[tuple[str, str]]:
        types = self.program.types.values()
        return frozenset((t.name, f.name) for t in types for f in t.fields if f.kind is kind and f.name in names)
