"""Membership in the concretisation of a set of Boolean heaps: in one of them, each object must agree with a vector.

A predicate that depends on an unknown pointer or integer of the heap is unknown and agrees with both values; so a heap
that is rejected is rejected for all of these values.

    Membership(program, predicates, active, heaps_at).contains(location, heap)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from heapwright.engines.boolheap.concrete.interpreter_heaps import ABSENT, UNKNOWN, IndexedHeap, indexed_heap
from heapwright.engines.boolheap.concrete.small_heaps import evaluator
from heapwright.engines.boolheap.domain.vectors import Vector
from heapwright.engines.boolheap.logic.formulas import Formula
from heapwright.program.graph import Program
from heapwright.program.runs.snapshot import Snapshot
from heapwright.program.types import ValueKind


class _UnknownValue(Exception):
    """A predicate reads an unknown value."""


class _Targets(tuple[int, ...]):
    """The target of a field, by object."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        target = super().__getitem__(index)
        if target in (UNKNOWN, ABSENT):  # absent fields are never read
            raise _UnknownValue
        return target


class _Distances:
    """By object: the length of the path along a field to each reachable object."""

    def __init__(self, targets: _Targets) -> None:
        self.targets = targets
        self.known: dict[int, dict[int, int]] = {}

    def __getitem__(self, start: int) -> dict[int, int]:
        found = self.known.get(start)
        if found is None:
            found, at = {}, start
            while at not in found:
                found[at] = len(found)
                at = self.targets[at]
            self.known[start] = found
        return found


class _KnownValues(dict[str, Any]):
    """Values by name; a missing one is unknown."""

    def __missing__(self, name: str) -> Any:
        raise _UnknownValue


class _Numbers:
    """The known values of a data field, by object."""

    def __init__(self, values: Mapping[int, int | None]) -> None:
        self.values = values

    def __getitem__(self, index: int) -> int:
        value = self.values.get(index)
        if value is None:
            raise _UnknownValue
        return value


class _Heap:
    """A heap snapshot with the attributes that evaluators read (see `small_heaps.Heap`)."""

    def __init__(self, program: Program, snapshot: Snapshot) -> None:
        indexed = indexed_heap(program, snapshot)
        self.size = size = indexed.size
        self.variables = _KnownValues({name: index for name, index in indexed.variables.items() if index != UNKNOWN})
        self.targets = {name: _Targets((*targets, size, size + 1)) for name, targets in indexed.fields.items()}
        self.distances = {name: _Distances(targets) for name, targets in self.targets.items()}
        self.is_live = (*(one.status == "live" for one in snapshot.objects.values()), False, False, False)
        self.numbers = _KnownValues({name: value for name, value in snapshot.data.items() if value is not None})
        self.data = _KnownValues({name: _Numbers(values) for name, values in _data(program, snapshot, indexed).items()})
        self.marks = _KnownValues()


def _data(program: Program, snapshot: Snapshot, indexed: IndexedHeap) -> dict[str, dict[int, int | None]]:
    """The numbers of objects, by field and index."""
    fields = [one for type in program.types.values() for one in type.fields if one.kind is not ValueKind.POINTER]
    found: dict[str, dict[int, int | None]] = {one.name: {} for one in fields}
    for number, item in snapshot.objects.items():
        for name, value in item.data.items():
            found[name][indexed.indices[number]] = value
    return found


class Membership:
    """`active` are the predicates in use at each location, as masks."""

    def __init__(
        self,
        program: Program,
        predicates: Sequence[Formula],
        active: Sequence[int],
        heaps: Mapping[int, Iterable[frozenset[Vector]]],
    ) -> None:
        self.program = program
        self.evaluators: list[Any] = [evaluator(one) for one in predicates]
        self.active = active
        self.heaps = {location: tuple(known) for location, known in heaps.items()}

    def contains(self, location: int, heap: Snapshot) -> bool:
        known = self.heaps.get(location)
        if not known:
            return False
        concrete = _Heap(self.program, heap)
        active = self.active[location]
        columns = [(1 << index, holds) for index, holds in enumerate(self.evaluators) if active >> index & 1]
        vectors = {_vector(concrete, v, columns) for v in range(concrete.size + 2)}
        return any(_describes(one, vectors) for one in known)


def _vector(heap: _Heap, v: int, columns: Iterable[tuple[int, Any]]) -> Vector:
    ones = zeros = 0
    for bit, holds in columns:
        try:
            if holds(heap, v):
                ones |= bit
            else:
                zeros |= bit
        except _UnknownValue:
            continue
    return Vector(ones, zeros)


def _describes(known: frozenset[Vector], vectors: Iterable[Vector]) -> bool:
    return all(any(not (one.ones & other.zeros or one.zeros & other.ones) for other in known) for one in vectors)
