"""Membership of a concrete heap in the Boolean heaps of a location, for audits."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from heapwright.engines.boolheap.concrete.small_heaps import Evaluator, Heap, evaluator
from heapwright.engines.boolheap.domain.membership import Membership
from heapwright.engines.boolheap.domain.vectors import Vector
from heapwright.engines.boolheap.fixpoint import Analysis
from heapwright.engines.boolheap.heap_program import is_evaluable
from heapwright.engines.boolheap.logic.printing import text
from heapwright.program.graph import Program
from heapwright.program.runs.snapshot import Snapshot


@dataclass(frozen=True)
class BooleanHeapStates:
    """The Boolean heaps of each location; nothing is known at those that are `lost`. `predicates` are those that can be
    evaluated on a heap snapshot: without integers and ghost predicates."""

    analysis: Analysis
    program: Program
    lost: frozenset[int] = frozenset()
    predicates: dict[int, Evaluator] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for index, one in enumerate(self.analysis.program.predicates):
            if is_evaluable(one):
                self.predicates[index] = evaluator(one)

    @cached_property
    def membership(self) -> Membership:
        heaps = {location: [frozenset(one) for one in known.values()] for location, known in self.analysis.at.items()}
        return Membership(self.program, self.analysis.program.predicates, self.analysis.active, heaps)

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        if location in self.lost:
            return None
        return self.membership.contains(location, heap)

    def lines(self, location: int) -> list[str]:
        """The Boolean heaps at a location as text, one line per vector."""
        names = [text(one) for one in self.analysis.program.predicates]
        found: list[str] = []
        for number, heap in enumerate(self.analysis.at.get(location, {}).values(), 1):
            found.append(f"Boolean heap {number}:")
            for one in sorted(heap):
                literals = [name for index, name in enumerate(names) if one.ones >> index & 1]
                literals += [f"not {name}" for index, name in enumerate(names) if one.zeros >> index & 1]
                found.append("  " + (", ".join(literals) or "anything"))
        return found

    def vectors(self, location: int, heap: Heap) -> list[Vector]:
        """The abstraction of a concrete heap: one vector per object, over the predicates active at the location."""
        active = self.analysis.active[location]
        found = []
        for v in heap.everything:
            vector = Vector(0, 0)
            for index, holds in self.predicates.items():
                if active >> index & 1:
                    vector = vector.having(1 << index, holds(heap, v))
            found.append(vector)
        return found
