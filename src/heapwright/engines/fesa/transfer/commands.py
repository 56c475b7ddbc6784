"""The abstract transformers of commands (Figure 9), with materialisation on access.

A command that dereferences a pointer first splits the heap by its target, which is materialised; the update is then
that of a concrete heap. Faults are collected on the way.
"""

from __future__ import annotations

from heapwright.engines.fesa.graph import abstract_heap as g
from heapwright.engines.fesa.graph.widening import reached
from heapwright.engines.fesa.transfer.arrays import Arrays
from heapwright.engines.fesa.transfer.dereference import Faults
from heapwright.engines.fesa.transfer.pointer_offsets import cell_name
from heapwright.engines.fesa.transfer.shapes import Proof
from heapwright.engines.kit.ended_blocks import free_failures
from heapwright.program import commands as c
from heapwright.program.checks import CheckKind
from heapwright.program.dataflow.tracked_integers import field_name
from heapwright.program.expressions import Null, ShapeLiteral, negate
from heapwright.program.graph import Edge
from heapwright.program.printer import format_command
from heapwright.program.types import Storage

SUPPORTED = (
    c.Assign,
    c.Load,
    c.Store,
    c.New,
    c.Free,
    c.Leave,
    c.AnyPointer,
    c.Follow,
    c.Reinterpret,
    c.Shift,
    c.Compute,
    c.LoadData,
    c.StoreData,
    c.Scramble,
    c.LoadDataCell,
    c.StoreDataCell,
    c.LoadCell,
    c.StoreCell,
    c.Havoc,
    c.Assume,
    c.Assert,
    c.Skip,
    c.Inspect,
)


WithoutAccess = c.Assign | c.AnyPointer | c.Assume | c.Compute | c.Havoc | c.Skip
Access = c.Load | c.Store | c.LoadData | c.StoreData | c.Scramble | c.LoadDataCell | c.StoreDataCell


class Transfer(Arrays[g.F]):
    def post(self, heap: g.Heap[g.F], step: Edge[c.Command], number: int, faults: Faults[g.F]) -> g.Heap[g.F]:
        match step.command:
            case (
                c.Load()
                | c.Store()
                | c.LoadData()
                | c.StoreData()
                | c.Scramble()
                | c.LoadDataCell()
                | c.StoreDataCell() as access
            ):
                return self._accessed(heap, access, faults)
            case c.LoadCell(target, base, index):
                cells = self._element_cells(heap, base, index, step.source, faults)
                return self._joined(self._copied(part, g.variable(target), cell) for cell, part in cells)
            case c.StoreCell(base, index, value):
                cells = self._element_cells(heap, base, index, step.source, faults)
                read = cell_name(self.program, base) in self.read
                return self._joined(self._assigned(part, cell, value) if read else part for cell, part in cells)
            case c.New() as command:
                array = self.offsets.is_array(command.type)
                made = (self._array if array else self._created)(heap, command, number)
                failed = [self._assigned(heap, g.variable(command.target), Null())] if command.may_fail else []
                return self._joined([made, *failed])
            case c.Free(base, closes):
                return self._freed(heap, base, closes, faults)
            case c.Leave(base):
                return self._left(heap, base)
            case c.Shift(base=base) as shift if self.offsets.types_of(base) & self.offsets.elements:
                return self._shifted(heap, shift, step.source, faults)
            case c.Follow() | c.Reinterpret() | c.Shift() as command:
                return self._moved(heap, command, faults)
            case c.Assert(ShapeLiteral() as literal):
                proof = self.shaped(heap, literal)
                faults.unless_cycles |= proof is Proof.WITHOUT_CYCLES
                if proof is Proof.NONE:
                    self.may_be(faults, CheckKind.ASSERT, heap)
                return heap
            case c.Assert(literal):
                self.may_be(faults, CheckKind.ASSERT, self._assumed(heap, negate(literal)))
                return self._assumed(heap, literal)
            case c.Inspect(base):
                self._inspected(heap, base, faults)
                return heap
            case c.Assign() | c.AnyPointer() | c.Assume() | c.Compute() | c.Havoc() | c.Skip() as command:
                return self._without_access(heap, command)
            case c.Distance() | c.Length() | c.External() | c.Copy() | c.Fill() | c.Protect() as command:
                raise AssertionError(f"not supported: {format_command(command)}")

    def _without_access(self, heap: g.Heap[g.F], command: WithoutAccess) -> g.Heap[g.F]:
        """Commands that read and write variables alone."""
        match command:
            case c.Assign(target, value):
                return self._assigned(heap, g.variable(target), value)
            case c.AnyPointer():
                return self._input(heap, command)
            case c.Assume(literal):
                shape = self._input_shape(literal)
                return self._assumed(heap, literal) if shape is None else self._formed(heap, shape)
            case c.Compute(target, expr):
                return self._data_set(heap, g.variable(target), target, expr)
            case c.Havoc(target):
                return self.forgotten(heap, g.variable(target), target)
            case c.Skip(_, base):
                return self._collapsed(heap, g.variable(base)) if base else heap

    def _accessed(self, heap: g.Heap[g.F], access: Access, faults: Faults[g.F]) -> g.Heap[g.F]:
        """Commands that dereference a pointer: the update of each case, joined."""
        match access:
            case c.LoadDataCell(target, base):
                blocks = self._live(heap, base, faults, CheckKind.BOUNDS)
                return self.forgotten(self._joined(h for _, h in blocks), g.variable(target), target)
            case c.StoreDataCell(base):
                blocks = self._live(heap, base, faults, CheckKind.BOUNDS)
                return self._joined(self._data_lost(h, node) for node, h in blocks)
        cases = self._dereferenced(heap, access.base, access.field, faults)
        key = field_name(self.program, access.base, access.field)
        match access:
            case c.Load(target):
                return self._joined(self._copied(h, g.variable(target), cell) for cell, h in cases)
            case c.Store(value=value):
                return self._joined(self._assigned(h, cell, value) if key in self.read else h for cell, h in cases)
            case c.LoadData(target):
                return self._joined(self._data_moved(h, g.variable(target), target, cell, key) for cell, h in cases)
            case c.StoreData(value=expr):
                return self._joined(self._data_set(h, cell, key, expr) for cell, h in cases)
            case c.Scramble():
                return self._joined(self._scrambled(h, cell, key) for cell, h in cases)

    def _collapsed(self, heap: g.Heap[g.F], cell: g.Cell) -> g.Heap[g.F]:
        """All objects of a type that a cell may lead to become one summary."""
        first: dict[str, g.Name] = {}
        for node in sorted(reached(heap, heap.targets(cell))):
            if heap.nodes[node].storage is Storage.HEAP and not heap.nodes[node].element:
                kept = first.setdefault(heap.nodes[node].type, node)
                if kept != node:
                    heap = self.summaries.summarized(heap, kept, node)
        return heap

    def _created(self, heap: g.Heap[g.F], command: c.New, number: int) -> g.Heap[g.F]:
        heap = self._cleared(heap, g.variable(command.target))
        name = self._unused(heap, "new", (str(number),))
        heap = heap.with_node(name, g.Node(command.type, command.storage, site=number))
        heap = self._begun(heap, name, zeroed=command.zeroed)
        return self._aimed(heap, g.variable(command.target), [name])

    def _inspected(self, heap: g.Heap[g.F], base: str, faults: Faults[g.F]) -> None:
        """The faults of an access and of `free`; which of them count, the checks of the edge say."""
        self._live(heap, base, faults)
        self._freed(heap, base, False, faults)

    def _freed(self, heap: g.Heap[g.F], base: str, closes: bool, faults: Faults[g.F]) -> g.Heap[g.F]:
        cell = g.variable(base)
        results = [self._null(heap, cell)]
        for node, part in self._pointing(heap, cell):
            if node == g.JUNK:
                self.may_be(faults, CheckKind.INVALID_FREE, part)
                continue
            storage = part.nodes[node].storage
            for kind in free_failures(storage, self.program.closes):
                self.may_be(faults, kind, self._gone(part, node))
            if storage is not Storage.HEAP and not closes:
                self.may_be(faults, CheckKind.INVALID_FREE, part)
                continue
            start = self._at_start(part.nodes[node].type, base) and part.nodes[node].element != g.REST
            if part.nodes[node].element:
                faults.elements.setdefault(part.nodes[node].type, part)
            if not start:
                self.may_be(faults, CheckKind.INVALID_FREE, part)
            if g.exists(node) in part.flags:
                live = self.lattice.restricted(part, self.domain.literal(g.exists(node)))
                results.append(self._ended(live, node))
        return self._joined(results)

    def _at_start(self, block: str, base: str) -> bool:
        """Whether a variable that points into a block of a type must point to its beginning."""
        if self.offsets.is_data(block):
            return not self.shifts
        return self.offsets.pointed(block, base) == 0

    def _left(self, heap: g.Heap[g.F], base: str) -> g.Heap[g.F]:
        cell = g.variable(base)
        results = [self._null(heap, cell)]
        for node, part in self._pointing(heap, cell):
            results.append(part if node == g.JUNK else self._ended(part, node))
        return self._joined(results)

    def _ended(self, heap: g.Heap[g.F], node: g.Name) -> g.Heap[g.F]:
        """The lifetime of a block ends."""
        if self.lattice.empty(heap):
            return heap
        return self._block_ended(heap, node) if heap.nodes[node].element else self._object_ended(heap, node)
