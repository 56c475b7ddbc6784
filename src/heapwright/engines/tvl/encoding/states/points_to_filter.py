"""Points-to filter for membership: offsets of pointers come from the points-to analysis and are not part of structures.

PointsToFilter(heap).allows(view, ["x"])      # False if x, or a field, has an excluded offset
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from heapwright.engines.tvl.encoding.states.concrete_heaps import Value, View
from heapwright.engines.tvl.encoding.states.heap_encoder import ANYWHERE
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.program.graph import Program
from heapwright.program.runs.snapshot import Address
from heapwright.program.types import ValueKind


@dataclass(frozen=True)
class PointsToFilter:
    heap: HeapVocabulary

    def allows(self, view: View, names: Iterable[str]) -> bool:
        """Whether the offsets of some variables, and of the fields of all blocks, are among the possible ones."""
        if not all(self._may_point_to(view, name, view.snapshot.pointers[name]) for name in names):
            return False
        return all(
            self._may_point_to(view, name, value)
            for cells in view.cells.values()
            for name, values in cells.items()
            if name in self.heap.fields
            for value in values
        )

    def _may_point_to(self, view: View, name: str, value: Value) -> bool:
        if not isinstance(value, Address) or not view.target(value):
            return True
        blocks, kind, tag = self.heap.flow.blocks, view.kinds[view.target(value)], view.tag(value)
        tags = [blocks.tag(address) for address in self.heap.flow.pointers(name) if blocks.kind(address) == kind]
        return tag is None or tag in tags or ANYWHERE in tags


def fields_named(program: Program, cells: Iterable[str], kind: ValueKind) -> dict[tuple[str, str], str]:
    """The fields that cells of blocks may be, by type and name."""
    return {
        (type.name, field.name): cell
        for cell in cells
        for type in program.types.values()
        for field in type.fields
        if field.kind is kind and cell.endswith(f".{field.name}")
    }
