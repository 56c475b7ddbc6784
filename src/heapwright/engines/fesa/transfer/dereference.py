"""Dereference with materialisation (section 2.3): case split on the target, which becomes a concrete node.

What a command does there is what it does to a concrete heap. Whatever else the pointer may hold is a fault.

    for cell, part in following._dereferenced(heap, "x", "next", faults): ...
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic

from heapwright.engines.fesa.graph.abstract_heap import (
    JUNK,
    Cell,
    F,
    Heap,
    Name,
    Node,
    edge,
    equal,
    exists,
    some,
    variable,
)
from heapwright.engines.fesa.transfer.cells import Cells
from heapwright.engines.kit.ended_blocks import access_failures
from heapwright.program.checks import CheckKind
from heapwright.program.commands import Follow, Reinterpret, Shift
from heapwright.program.expressions import Const
from heapwright.program.types import Storage


@dataclass
class Faults(Generic[F]):
    """Failures of an edge: the heaps that fail, by the kind of check. A failing assertion is of the kind `ASSERT`,
    whatever kind its check is of."""

    kinds: dict[CheckKind, Heap[F]] = field(default_factory=dict)
    remaining: Heap[F] | None = None  # a heap that is not empty when main has returned
    unless_cycles: bool = False  # an asserted shape holds only if the fields in A form no cycle
    elements: dict[str, Heap[F]] = field(default_factory=dict)  # heaps in which elements of arrays are met, by type
    confused: bool = False  # an object may be taken for one of another type


class Dereference(Cells[F]):
    def _dereferenced(self, heap: Heap[F], base: str, field: str, faults: Faults[F]) -> list[tuple[Cell, Heap[F]]]:
        """The heap by the field of a live object that a variable points to; faults say what else it may hold."""
        found: list[tuple[Cell, Heap[F]]] = []
        declared = self.offsets.element(self.program.variables[base].target)
        for node, live in self._live(heap, base, faults):
            type = live.nodes[node].type
            name = self.offsets.field(type, declared, field)
            several = self.offsets.several(type, declared)
            if several:
                found += self._at_offsets(live, node, base, {o: start + field for o, start in several.items()}, faults)
            elif name is not None:
                found.append((Cell(node, name), live))
            elif self.offsets.declared_offset(type, declared) is not None:
                self.may_be(faults, CheckKind.INVALID_DEREF, live)  # beside the block, where nothing is
            else:
                faults.confused = True
        return found

    def _at_offsets(
        self, heap: Heap[F], node: Name, base: str, names: dict[int, str], faults: Faults[F]
    ) -> list[tuple[Cell, Heap[F]]]:
        """The heap by the offset that the flags of a variable tell; `names` are those of the field, by its offset."""
        flags = [flag for flag in self._choices(heap, variable(base)) if flag in heap.flags and flag.number in names]
        faults.confused |= not self.lattice.empty(self.lattice.restricted(heap, self.lattice.zero(flags)))
        parts = [(flag, self.lattice.restricted(heap, self.domain.literal(flag))) for flag in flags]
        return [(Cell(node, names[flag.number]), part) for flag, part in parts if not self.lattice.empty(part)]

    def _live(
        self, heap: Heap[F], base: str, faults: Faults[F], also: CheckKind | None = None
    ) -> list[tuple[Name, Heap[F]]]:
        """The heap by the live block that a variable points to, where a fault may be of one more kind."""
        cell = variable(base)
        self.may_be(faults, CheckKind.NULL_DEREF, self._null(heap, cell))
        found: list[tuple[Name, Heap[F]]] = []
        for node, part in self._pointing(heap, cell):
            if node == JUNK:
                self.may_be(faults, CheckKind.INVALID_DEREF, part)
                continue
            for kind in access_failures(part.nodes[node].storage, self.program.closes):
                self.may_be(faults, kind, self._gone(part, node))
            live = self.lattice.restricted(part, self.domain.literal(exists(node)))
            if exists(node) in part.flags and not self.lattice.empty(live):
                if live.nodes[node].element:
                    faults.elements.setdefault(live.nodes[node].type, live)
                if also is not None:
                    self.may_be(faults, also, live)
                found.append((node, live))
        return found

    def _pointing(self, heap: Heap[F], cell: Cell) -> list[tuple[Name, Heap[F]]]:
        """The heap by the node that a cell points to, which is plain (or JUNK)."""
        found: list[tuple[Name, Heap[F]]] = []
        for node in heap.targets(cell):
            if node == JUNK or not heap.nodes[node].summary:
                parts, single = [self.lattice.restricted(heap, self._aim(heap, cell, node))], node
            else:
                single = self._taken_out(heap, cell, heap.nodes[node])
                aim = self._aim(heap, cell, single)
                parts = self.summaries.materialized(heap, node, single, aim)
                parts = [self._tidied(part, single, node) for part in parts]
            if self.instrumentation.into:
                parts = [self.reduction.supported(part) for part in parts if not self.lattice.empty(part)]
            parts = [part for part in parts if not self.lattice.empty(part)]
            if parts:
                found.append((single, self._joined(parts)))
        return found

    def taken_out(self, heap: Heap[F]) -> Heap[F]:
        """The heap with a plain node for each object that a variable points to."""
        cells = sorted({f.cell for f in heap.flags if f.kind == "edge" and not f.cell.is_field})
        for cell in cells:
            if any(node != JUNK and heap.nodes[node].summary for node in heap.targets(cell)):
                heap = self._joined([self._null(heap, cell), *(part for _, part in self._pointing(heap, cell))])
        return heap

    def _aim(self, heap: Heap[F], cell: Cell, node: Name) -> F:
        """That a cell points to a plain node, and so to no other."""
        constraint = self.domain.literal(edge(cell, node))
        if some(cell) in heap.flags:
            constraint = self.domain.meet(constraint, self.domain.literal(some(cell)))
        others = [edge(cell, other) for other in heap.targets(cell) if other != node]
        return self.domain.meet(constraint, self.lattice.zero(others))

    def _tidied(self, heap: Heap[F], single: Name, summary: Name) -> Heap[F]:
        """After materialisation: cells that may point to the object or to the rest of its summary have one target."""
        if not self.instrumentation.out or self.lattice.empty(heap):
            return heap
        cells = {cell for node in (single, summary) if node in heap.nodes for cell in heap.sources(node)}
        cells |= {f.cell for f in heap.flags if f.kind == "some" and f.node in (single, summary)}
        return self.reduction.consistent_pointers(heap, sorted(cells))

    def _taken_out(self, heap: Heap[F], cell: Cell, node: Node) -> Name:
        """A name for the object that a cell points to, the same whatever summary it comes from: it is one object, and
        the heaps that the cases lead to are joined again."""
        site = (str(node.site), node.element) if node.element or node.storage is not Storage.HEAP else ()
        return self._unused(heap, "one", (cell.field, node.type, node.storage.value, *site))

    def _unused(self, heap: Heap[F], kind: str, key: tuple[str, ...]) -> Name:
        number = 0
        while Name(kind, (*key, str(number))) in heap.nodes:
            number += 1
        return Name(kind, (*key, str(number)))

    def _moved(self, heap: Heap[F], command: Follow | Reinterpret | Shift, faults: Faults[F]) -> Heap[F]:
        """Address arithmetic leaves a pointer in its block; its type determines the offset that it must have."""
        cell = variable(command.base)
        new = self.program.variables[command.target].target
        for node in heap.targets(cell):
            if node != JUNK and not self._fits(heap.nodes[node].type, command, new):
                there = self.lattice.restricted(heap, self.domain.literal(edge(cell, node)))
                faults.confused |= not self.lattice.empty(there)
        if self._distance(command) and not self.lattice.empty(self._null(heap, cell)):
            faults.confused = True  # an address near null is neither null nor that of anything
        return self._placed(self._copied(heap, variable(command.target), cell), command)

    def _placed(self, heap: Heap[F], command: Follow | Reinterpret | Shift) -> Heap[F]:
        """The heap after address arithmetic, with the flags that tell the offset of its result."""
        cell = variable(command.target)
        if not isinstance(command, Follow) or command.target not in self.offsets.choices:
            return heap
        heap = self.lattice.without_flags(heap, self._choices(heap, cell))
        targets = [heap.nodes[node].type for node in heap.targets(cell) if node != JUNK]
        starts = {
            start + self._distance(command)
            for block in targets
            if (start := self.offsets.pointed(block, command.base)) is not None
        }
        told = [equal(cell, offset) for offset in starts if offset in self.offsets.choices[command.target]]
        return self._set(heap, cell, told) if len(starts) == 1 else self.forgotten(heap, cell, command.target)

    def _fits(self, block: str, command: Follow | Reinterpret | Shift, new: str) -> bool:
        """Whether a pointer into a block of a type is where its new type says."""
        if isinstance(command, Shift) or not new or self.offsets.is_data(new):
            return True
        start, end = self.offsets.pointed(block, command.base), self.offsets.declared_offset(block, new)
        several = self.offsets.several(block, new)
        if several and isinstance(command, Follow):
            tracked = command.target in self.offsets.choices
            return tracked and start is not None and start + self._distance(command) in several
        if isinstance(command, Reinterpret) and self.offsets.within(block, new) is None:
            return False
        return start is not None and end is not None and start + self._distance(command) == end

    def _distance(self, command: Follow | Reinterpret | Shift) -> int:
        """The distance of address arithmetic in bytes; of a shift, whether there is any."""
        match command:
            case Follow(owner=owner, part=name, up=up):
                part = self.program.types[owner].part(name)
                assert part is not None
                return -part.offset if up else part.offset
            case Shift(offset=offset):
                return 0 if isinstance(offset, Const) and offset.value == 0 else 1
        return 0

    def may_be(self, faults: Faults[F], kind: CheckKind, heap: Heap[F]) -> None:
        """A fault of a kind, where there is a heap that has it."""
        if kind not in faults.kinds and not self.lattice.empty(heap):
            faults.kinds[kind] = heap
