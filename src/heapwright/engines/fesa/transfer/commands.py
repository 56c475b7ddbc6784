"""The abstract transformers of commands (Figure 9), with materialisation on access.

A command that dereferences a pointer first splits the heap by its target, which is materialised; the update is then
that of a concrete heap. Faults are collected on the way.
"""

from __future__ import annotations

from heapwright.engines.fesa.graph import abstract_heap as g
from heapwright.engines.fesa.graph.widening import reached
from heapwright.engines.fesa.transfer.conditions import Conditions
from heapwright.engines.fesa.transfer.dereference import Faults
from heapwright.engines.fesa.transfer.shapes import Proof
from heapwright.engines.kit.ended_blocks import free_failures
from heapwright.program import commands as c
from heapwright.program.checks import CheckKind
from heapwright.program.dataflow.tracked_integers import field_name
from heapwright.program.expressions import Null, ShapeLiteral, negate
from heapwright.program.graph import Edge
from heapwright.program.printer import format_command
from heapwright.program.types import Storage, ValueKind

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
    c.Havoc,
    c.Assume,
    c.Assert,
    c.Skip,
    c.Inspect,
)


WithoutAccess = c.Assign | c.AnyPointer | c.Assume | c.Compute | c.Havoc | c.Skip
Access = c.Load | c.Store | c.LoadData | c.StoreData | c.Scramble | c.LoadDataCell | c.StoreDataCell


class Transfer(Conditions[g.F]):
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
            case c.New() as command:
                made = self._created(heap, command, number)
                failed = [self._assigned(heap, g.variable(command.target), Null())] if command.may_fail else []
                return self._joined([made, *failed])
            case c.Free(base, closes):
                return self._freed(heap, base, closes, faults)
            case c.Leave(base):
                return self._left(heap, base)
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
            case (
                c.LoadCell()
                | c.StoreCell()
                | c.Distance()
                | c.Length()
                | c.External()
                | c.Copy()
                | c.Fill()
                | c.Protect() as command
            ):
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
            if heap.nodes[node].storage is Storage.HEAP:
                kept = first.setdefault(heap.nodes[node].type, node)
                if kept != node:
                    heap = self.summaries.summarized(heap, kept, node)
        return heap

    def _created(self, heap: g.Heap[g.F], command: c.New, number: int) -> g.Heap[g.F]:
        heap = self._cleared(heap, g.variable(command.target))
        name = self._unused(heap, "new", (str(number),))
        heap = heap.with_node(name, g.Node(command.type, command.storage, site=number))
        set_ = [g.exists(name), g.edge(g.variable(command.target), name)]
        if self.instrumentation.out:
            set_.append(g.some(g.variable(command.target)))
        for inner, key, item in self.offsets.fields(command.type):
            cell = g.Cell(name, inner)
            if item.kind is ValueKind.POINTER:
                if key in self.read and not command.zeroed:
                    set_.append(g.edge(cell, g.JUNK))
                    if self.instrumentation.out:
                        set_.append(g.some(cell))
            elif not command.zeroed:
                heap = self.forgotten(heap, cell, key)
            elif 0 in self.constants.get(key, ()):
                set_.append(g.equal(cell, 0))
        return self._set(heap, g.variable(command.target), set_)

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
            start = self._at_start(part.nodes[node].type, base)
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
        """The lifetime of an object ends: its fields are cleared."""
        if self.lattice.empty(heap):
            return heap
        fields = {f.cell for f in heap.flags if f.cell.node == node}
        for cell in sorted(fields):
            heap = self._cleared(heap, cell)
        data = [f for f in heap.flags if f.kind == "equal" and f.cell.node == node]
        return self.lattice.without_flags(heap, [g.exists(node), *data])
