"""Whether a concrete heap of a run is among those that an analysis describes."""

from __future__ import annotations

from dataclasses import dataclass, field

from heapwright.engines.boolheap.analysis import Analysis, is_numeric
from heapwright.engines.boolheap.heaps import DEAD, LIVE, UNBORN, Evaluator, Heap, evaluator
from heapwright.engines.boolheap.vectors import BooleanHeap, Vector
from heapwright.program.snapshot import Address, Snapshot
from heapwright.program.types import ValueKind


@dataclass(frozen=True)
class Known:
    """What an analysis knows at each location, predicates of numbers apart."""

    analysis: Analysis
    predicates: dict[int, Evaluator] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for place, one in enumerate(self.analysis.predicates):
            if not is_numeric(one):
                self.predicates[place] = evaluator(one)

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        concrete = self._heap(heap)
        active = self.analysis.active[location]
        vectors = []
        for v in concrete.everything:
            vector = Vector(0, 0)
            for place, holds in self.predicates.items():
                if active >> place & 1:
                    vector = vector.having(1 << place, holds(concrete, v))
            vectors.append(vector)
        return any(_describes(known, vectors) for known in self.analysis.at.get(location, {}).values())

    def _heap(self, snapshot: Snapshot) -> Heap:
        numbers = {one: place for place, one in enumerate(snapshot.objects)}
        size = len(numbers) + 1

        def target(address: Address) -> int:
            return numbers.get(address.object, size if address.object == 0 else size + 1)

        fields: dict[str, list[int]] = {}
        for type in self.analysis.program.types.values():
            for one in type.fields:
                if one.kind is ValueKind.POINTER:
                    fields[one.name] = [size + 1] * size
        for number, object in snapshot.objects.items():
            for name, address in object.pointers.items():
                fields[name][numbers[number]] = target(address)
        status = [LIVE if one.status == "live" else DEAD for one in snapshot.objects.values()]
        return Heap(
            size,
            (*status, UNBORN),
            {name: target(address) for name, address in snapshot.pointers.items()},
            {name: tuple(targets) for name, targets in fields.items()},
        )


def _describes(known: BooleanHeap, vectors: list[Vector]) -> bool:
    return all(
        any(not (one.ones & other.zeros or one.zeros & other.ones) for other in known) for one in vectors
    )
