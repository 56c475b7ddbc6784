"""Concrete heaps over a vocabulary: the kinds of blocks, the cells of scalars, the offsets of pointers.

    view = Concrete(heap).view(snapshot)         # of a heap of the interpreter
    view.cells[root]["node.next"]                # what that cell of the block holds
    view.target(snapshot.pointers["x"])          # the block that x points to

A block of the vocabulary is an example of its kind (engines/tvl/encoding/memory/offsets.py). An object of the
interpreter corresponds to the part of that example that it is in its own block.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from heapwright.base.source import Span
from heapwright.engines.tvl.encoding.memory.cells import Cell
from heapwright.engines.tvl.encoding.memory.offsets import BEYOND, Kind
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.program.commands import New
from heapwright.program.runs.snapshot import UNDECIDED_ADDRESS, Address, HeapObject, Snapshot
from heapwright.program.types import ValueKind

Value = Address | int | None


@dataclass(frozen=True)
class View:
    """Blocks go by their roots. A cell that several scalars share has a value for each."""

    heap: HeapVocabulary
    snapshot: Snapshot
    kinds: Mapping[int, Kind]
    cells: Mapping[int, Mapping[str, list[Value]]]
    examples: Mapping[int, int]  # of objects, in the blocks of the vocabulary

    def target(self, address: Address) -> int:
        """The block that a pointer points into; 0 if there is none."""
        return self.snapshot.objects[address.object].root if address.object > 0 else 0

    def tag(self, address: Address) -> str | None:
        """The name of the offset of a pointer into a block; None if it is unknown."""
        example = self.examples.get(address.object)
        if example is None:
            return None
        return self.heap.flow.blocks.tag((example, BEYOND) if address.index else example)


@dataclass
class _Gathered:
    """A view under construction."""

    kinds: dict[int, Kind] = field(default_factory=dict)
    cells: dict[int, dict[str, list[Value]]] = field(default_factory=dict)
    examples: dict[int, int] = field(default_factory=dict)

    def put(self, root: int, cell: Cell, value: Value) -> None:
        if not isinstance(value, Address) and cell.field.kind is ValueKind.POINTER:
            return
        self.cells[root].setdefault(cell.name, []).append(value)


@dataclass(frozen=True)
class Concrete:
    heap: HeapVocabulary

    @cached_property
    def _kinds(self) -> dict[Span, list[Kind]]:
        """The kinds of the blocks that a statement allocates."""
        blocks = self.heap.flow.blocks
        found: dict[Span, list[Kind]] = {}
        for site, edge in enumerate(self.heap.program.graph.edges):
            if isinstance(edge.command, New):
                kinds = found.setdefault(edge.span, [])
                kind = blocks.kind(blocks.created(edge.command, site))
                if kind not in kinds:
                    kinds.append(kind)
        return found

    def view(self, snapshot: Snapshot) -> View | None:
        """None if the kind of a block is not in the vocabulary, or not unique."""
        found = _Gathered()
        for number, item in snapshot.objects.items():
            if item.root == number and item.status != "outside":
                kind = self._kind(item)
                if kind is None:
                    return None
                found.kinds[number], found.cells[number], found.examples[number] = kind, {}, kind.root
        for number, item in snapshot.objects.items():
            if item.status != "outside" and not self._example(snapshot, number, found):
                return None
        for number, item in snapshot.objects.items():
            if item.status == "live":
                self._read(snapshot, number, item, found)
        return View(self.heap, snapshot, found.kinds, found.cells, found.examples)

    def _kind(self, root: HeapObject) -> Kind | None:
        blocks = self.heap.flow.blocks
        if root.allocated is None:
            addresses = blocks.passed(root.type) if root.type in self.heap.program.types else ()
            return blocks.kind(addresses[0]) if addresses else None
        fitting = [
            kind
            for kind in self._kinds.get(root.allocated, ())
            if root.type in ("", blocks.type_of(kind.root))
            and (not kind.sized or not root.type or blocks.count(kind.root) == root.count)
        ]
        return fitting[0] if len(fitting) == 1 else None

    def _example(self, snapshot: Snapshot, number: int, found: _Gathered) -> bool:
        """Finds the object that an object corresponds to; False if there is none."""
        blocks, item = self.heap.flow.blocks, snapshot.objects[number]
        if number not in found.examples:
            if not self._example(snapshot, item.owner, found):
                return False
            found.examples[number] = blocks.inside(found.examples[item.owner], item.position)
        return item.type in ("", blocks.type_of(found.examples[number]))

    def _read(self, snapshot: Snapshot, number: int, item: HeapObject, found: _Gathered) -> None:
        """The scalars of an object, and of elements that were never accessed."""
        blocks, example, root = self.heap.flow.blocks, found.examples[number], item.root
        if not item.type and item.root == number:  # it has not been accessed yet
            for cell in blocks.cells(found.kinds[root]):
                found.put(root, cell, item.start if cell.field.kind is ValueKind.POINTER else None)
            return
        for name, cell in blocks.scalars(example).items():
            pointer = cell.field.kind is ValueKind.POINTER
            found.put(root, cell, item.pointers.get(name, UNDECIDED_ADDRESS) if pointer else item.data[name])
        self._read_cells(item, example, found)
        elements = sum(other.owner == number for other in snapshot.objects.values())
        if elements < (item.count or 0):
            for cell in blocks.untouched(example):
                found.put(root, cell, self._untouched(item, cell))

    def _read_cells(self, item: HeapObject, example: int, found: _Gathered) -> None:
        first = self.heap.flow.blocks.at_index(example, 0)
        if first is None:
            return
        for index, value in item.cells.items():
            cell = self.heap.flow.blocks.at_index(example, index)
            assert cell is not None
            found.put(item.root, cell, value)
        rest = (index for index in range(item.count or 0) if index not in item.cells)
        for index in islice(rest, 1 if first.many else None):  # those that share a name are alike
            cell = self.heap.flow.blocks.at_index(example, index)
            assert cell is not None
            found.put(item.root, cell, self._untouched(item, cell))

    def _untouched(self, item: HeapObject, cell: Cell) -> Value:
        if cell.field.kind is ValueKind.POINTER:
            return item.start
        return 0 if item.start == Address(0) else None
