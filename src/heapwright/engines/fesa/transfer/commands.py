"""The abstract transformers of commands (Figure 9), with materialisation on access.

A command that dereferences a pointer first splits the heap by its target, which is materialised; the update is then
that of a concrete heap. Faults are collected on the way.
"""

from __future__ import annotations

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
from heapwright.engines.fesa.graph.widening import reached
from heapwright.engines.fesa.transfer.conditions import Conditions
from heapwright.engines.fesa.transfer.dereference import Faults
from heapwright.program.checks import CheckKind
from heapwright.program.commands import (
    AnyPointer,
    Assert,
    Assign,
    Assume,
    Command,
    Compute,
    Copy,
    Distance,
    External,
    Fill,
    Follow,
    Free,
    Havoc,
    Leave,
    Length,
    Load,
    LoadCell,
    LoadData,
    LoadDataCell,
    New,
    Protect,
    Reinterpret,
    Scramble,
    Shift,
    Skip,
    Store,
    StoreCell,
    StoreData,
    StoreDataCell,
)
from heapwright.program.dataflow.tracked_integers import field_name
from heapwright.program.expressions import Null, negate
from heapwright.program.graph import Edge
from heapwright.program.printer import format_command
from heapwright.program.types import Storage, ValueKind

SUPPORTED = (
    Assign,
    Load,
    Store,
    New,
    Free,
    Leave,
    AnyPointer,
    Follow,
    Reinterpret,
    Shift,
    Compute,
    LoadData,
    StoreData,
    Scramble,
    LoadDataCell,
    StoreDataCell,
    Havoc,
    Assume,
    Assert,
    Skip,
)


WithoutAccess = Assign | AnyPointer | Assume | Compute | Havoc | Skip
Access = Load | Store | LoadData | StoreData | Scramble | LoadDataCell | StoreDataCell


class Transfer(Conditions[F]):
    def post(self, heap: Heap[F], step: Edge[Command], number: int, faults: Faults[F]) -> Heap[F]:
        match step.command:
            case Load() | Store() | LoadData() | StoreData() | Scramble() | LoadDataCell() | StoreDataCell() as access:
                return self._accessed(heap, access, faults)
            case New() as command:
                made = self._created(heap, command, number)
                failed = [self._assigned(heap, variable(command.target), Null())] if command.may_fail else []
                return self._joined([made, *failed])
            case Free(base):
                return self._freed(heap, base, faults)
            case Leave(base):
                return self._left(heap, base)
            case Follow() | Reinterpret() | Shift() as command:
                return self._moved(heap, command, faults)
            case Assert(literal):
                self.may_be(faults, CheckKind.ASSERT, self._assumed(heap, negate(literal)))
                return self._assumed(heap, literal)
            case Assign() | AnyPointer() | Assume() | Compute() | Havoc() | Skip() as command:
                return self._without_access(heap, command)
            case LoadCell() | StoreCell() | Distance() | Length() | External() | Copy() | Fill() | Protect() as command:
                raise AssertionError(f"not supported: {format_command(command)}")

    def _without_access(self, heap: Heap[F], command: WithoutAccess) -> Heap[F]:
        """Commands that read and write variables alone."""
        match command:
            case Assign(target, value):
                return self._assigned(heap, variable(target), value)
            case AnyPointer(target, type):
                return self.inputs.pointed(self._cleared(heap, variable(target)), target, type)
            case Assume(literal):
                return self._assumed(heap, literal)
            case Compute(target, expr):
                return self._data_set(heap, variable(target), target, expr)
            case Havoc(target):
                return self.forgotten(heap, variable(target), target)
            case Skip(_, base):
                return self._collapsed(heap, variable(base)) if base else heap

    def _accessed(self, heap: Heap[F], access: Access, faults: Faults[F]) -> Heap[F]:
        """Commands that dereference a pointer: the update of each case, joined."""
        match access:
            case LoadDataCell(target, base):
                blocks = self._live(heap, base, faults, CheckKind.BOUNDS)
                return self.forgotten(self._joined(h for _, h in blocks), variable(target), target)
            case StoreDataCell(base):
                blocks = self._live(heap, base, faults, CheckKind.BOUNDS)
                return self._joined(self._data_lost(h, node) for node, h in blocks)
        cases = self._dereferenced(heap, access.base, access.field, faults)
        key = field_name(self.program, access.base, access.field)
        match access:
            case Load(target):
                return self._joined(self._copied(h, variable(target), cell) for cell, h in cases)
            case Store(value=value):
                return self._joined(self._assigned(h, cell, value) if key in self.read else h for cell, h in cases)
            case LoadData(target):
                return self._joined(self._data_moved(h, variable(target), target, cell, key) for cell, h in cases)
            case StoreData(value=expr):
                return self._joined(self._data_set(h, cell, key, expr) for cell, h in cases)
            case Scramble():
                return self._joined(self._scrambled(h, cell, key) for cell, h in cases)

    def _collapsed(self, heap: Heap[F], cell: Cell) -> Heap[F]:
        """All objects of a type that a cell may lead to become one summary."""
        first: dict[str, Name] = {}
        for node in sorted(reached(heap, heap.targets(cell))):
            if heap.nodes[node].storage is Storage.HEAP:
                kept = first.setdefault(heap.nodes[node].type, node)
                if kept != node:
                    heap = self.summaries.summarized(heap, kept, node)
        return heap

    def _created(self, heap: Heap[F], command: New, number: int) -> Heap[F]:
        heap = self._cleared(heap, variable(command.target))
        name = self._unused(heap, "new", (str(number),))
        heap = heap.with_node(name, Node(command.type, command.storage, site=number))
        set_ = [exists(name), edge(variable(command.target), name)]
        if self.instrumentation.out:
            set_.append(some(variable(command.target)))
        for inner, key, item in self.places.fields(command.type):
            cell = Cell(name, inner)
            if item.kind is ValueKind.POINTER:
                if key in self.read and not command.zeroed:
                    set_.append(edge(cell, JUNK))
                    if self.instrumentation.out:
                        set_.append(some(cell))
            elif not command.zeroed:
                heap = self.forgotten(heap, cell, key)
            elif 0 in self.constants.get(key, ()):
                set_.append(equal(cell, 0))
        return self._set(heap, variable(command.target), set_)

    def _freed(self, heap: Heap[F], base: str, faults: Faults[F]) -> Heap[F]:
        cell = variable(base)
        results = [self._null(heap, cell)]
        for node, part in self._pointing(heap, cell):
            if node == JUNK or part.nodes[node].storage is not Storage.HEAP:
                self.may_be(faults, CheckKind.INVALID_FREE, part)
                continue
            start = self._at_start(part.nodes[node].type, base)
            if not start:
                self.may_be(faults, CheckKind.INVALID_FREE, part)
            self.may_be(faults, CheckKind.DOUBLE_FREE, self._gone(part, node))
            if exists(node) in part.flags:
                live = self.lattice.restricted(part, self.domain.literal(exists(node)))
                results.append(self._ended(live, node))
        return self._joined(results)

    def _at_start(self, block: str, base: str) -> bool:
        """Whether a variable that points into a block of a type must point to its beginning."""
        if self.places.is_data(block):
            return not self.shifts
        return self.places.pointed(block, base) == 0

    def _left(self, heap: Heap[F], base: str) -> Heap[F]:
        cell = variable(base)
        results = [self._null(heap, cell)]
        for node, part in self._pointing(heap, cell):
            results.append(part if node == JUNK else self._ended(part, node))
        return self._joined(results)

    def _ended(self, heap: Heap[F], node: Name) -> Heap[F]:
        """The lifetime of an object ends: its fields are cleared."""
        if self.lattice.empty(heap):
            return heap
        fields = {f.cell for f in heap.flags if f.cell.node == node}
        for cell in sorted(fields):
            heap = self._cleared(heap, cell)
        data = [f for f in heap.flags if f.kind == "equal" and f.cell.node == node]
        return self.lattice.without_flags(heap, [exists(node), *data])
