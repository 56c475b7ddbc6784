"""What commands do to abstract heaps (Figure 9), with materialisation on access.

Commands that follow a pointer first split the heap by the object that it points to, which is then a plain node; what
they do there is what they do to a concrete heap. Faults are collected on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic

from heapwright.engines.fesa.heap import (
    JUNK,
    Cell,
    F,
    Flag,
    Heap,
    Name,
    Node,
    edge,
    equal,
    exists,
    some,
    variable,
)
from heapwright.engines.fesa.inputs import Inputs
from heapwright.engines.fesa.lattice import Lattice
from heapwright.engines.fesa.numeric.api import Numeric, disjunction, same
from heapwright.engines.fesa.reduction import Instrumentation, Reduction
from heapwright.engines.fesa.summaries import Summaries
from heapwright.engines.fesa.widening import reached
from heapwright.program.checks import CheckKind
from heapwright.program.commands import (
    AnyPointer,
    Assert,
    Assign,
    Assume,
    Command,
    Compute,
    Free,
    Havoc,
    Leave,
    Load,
    LoadData,
    New,
    Skip,
    Store,
    StoreData,
)
from heapwright.program.expressions import (
    Compare,
    Const,
    Expr,
    IntVar,
    Junk,
    Literal,
    Null,
    Pointer,
    PointerCompare,
    Var,
    compare,
    negate,
)
from heapwright.program.graph import Edge, Program
from heapwright.program.tracked import bare, equality, field_name, tracked_constants
from heapwright.program.types import Region, ValueKind

SUPPORTED = (
    Assign,
    Load,
    Store,
    New,
    Free,
    Leave,
    AnyPointer,
    Compute,
    LoadData,
    StoreData,
    Havoc,
    Assume,
    Assert,
    Skip,
)


def fields_read(program: Program) -> frozenset[str]:
    """The pointer fields that matter; the others are not tracked."""
    loads = [edge.command for edge in program.graph.edges if isinstance(edge.command, Load)]
    return frozenset(field_name(program, load.base, load.field) for load in loads)


@dataclass
class Faults(Generic[F]):
    """What may go wrong on an edge: the heaps that do, by the kind of check. That an assertion may fail is of the kind
    `ASSERT`, whatever kind its check is of."""

    kinds: dict[CheckKind, Heap[F]] = field(default_factory=dict)
    confused: bool = False  # an object may be taken for one of another type


class Transfer(Generic[F]):
    def __init__(self, program: Program, domain: Numeric[F], instrumentation: Instrumentation) -> None:
        self.program = program
        self.domain = domain
        self.lattice = Lattice(domain)
        self.summaries = Summaries(domain, self.lattice)
        self.reduction = Reduction(domain, self.lattice)
        self.instrumentation = instrumentation
        self.constants = tracked_constants(program)
        self.read = fields_read(program)
        self.inputs = Inputs(program, domain, self.lattice, self.reduction, instrumentation, self.read, self.constants)

    # --- one step ----------------------------------------------------------------------------------------------------

    def post(self, heap: Heap[F], step: Edge[Command], number: int, faults: Faults[F]) -> Heap[F]:
        command = step.command
        match command:
            case Assign(target, value):
                return self._assigned(heap, variable(target), value)
            case Load(target, base, name):
                cases = self._dereferenced(heap, base, faults)
                return self._joined(self._copied(h, variable(target), Cell(node, name)) for node, h in cases)
            case Store(base, name, value):
                cases = self._dereferenced(heap, base, faults)
                if field_name(self.program, base, name) not in self.read:
                    return self._joined(h for _, h in cases)
                return self._joined(self._assigned(h, Cell(node, name), value) for node, h in cases)
            case New():
                made = self._created(heap, command, number)
                failed = [self._assigned(heap, variable(command.target), Null())] if command.may_fail else []
                return self._joined([made, *failed])
            case Free(base):
                return self._freed(heap, base, faults)
            case Leave(base):
                return self._left(heap, base)
            case AnyPointer(target, type):
                return self.inputs.pointed(self._cleared(heap, variable(target)), target, type)
            case Assume(literal):
                return self._assumed(heap, literal)
            case Assert(literal):
                self.may_be(faults, CheckKind.ASSERT, self._assumed(heap, negate(literal)))
                return self._assumed(heap, literal)
            case LoadData(target, base, name):
                cases = self._dereferenced(heap, base, faults)
                return self._joined(self._data_copied(h, target, Cell(node, name), base) for node, h in cases)
            case StoreData(base, name, expr):
                cases = self._dereferenced(heap, base, faults)
                key = field_name(self.program, base, name)
                return self._joined(self._data_set(h, Cell(node, name), key, expr) for node, h in cases)
            case Compute(target, expr):
                return self._data_set(heap, variable(target), target, expr)
            case Havoc(target):
                return self.forgotten(heap, variable(target), target)
            case Skip(_, base) if base:
                return self._collapsed(heap, variable(base))
        return heap

    def _joined(self, heaps: Iterable[Heap[F]]) -> Heap[F]:
        result: Heap[F] = Heap({}, frozenset(), self.domain.bottom())
        for heap in heaps:
            result = self.lattice.join(result, heap)
        return result

    def _collapsed(self, heap: Heap[F], cell: Cell) -> Heap[F]:
        """All objects of a type that a cell may lead to become one summary."""
        first: dict[str, Name] = {}
        for node in sorted(reached(heap, heap.targets(cell))):
            if heap.nodes[node].region is Region.HEAP:
                kept = first.setdefault(heap.nodes[node].type, node)
                if kept != node:
                    heap = self.summaries.summarized(heap, kept, node)
        return heap

    # --- cells -------------------------------------------------------------------------------------------------------

    def _cleared(self, heap: Heap[F], cell: Cell) -> Heap[F]:
        """The cell is null; if it was a field, the objects that it pointed to have an edge less."""
        edges = [edge(cell, node) for node in heap.targets(cell)]
        if cell.is_field and self.instrumentation.into:
            for flag in edges:
                if flag.node != JUNK:
                    heap = self.reduction.counted(heap, flag.node, flag, up=False)
        return self.lattice.without_flags(heap, [*edges, some(cell)])

    def _set(self, heap: Heap[F], cell: Cell, flags: Sequence[Flag]) -> Heap[F]:
        """Sets flags of a cell that has none to 1."""
        function = heap.function
        for flag in flags:
            function = self.domain.meet(function, self.domain.literal(flag))
        return Heap(heap.nodes, heap.flags | frozenset(flags), function)

    def _assigned(self, heap: Heap[F], cell: Cell, value: Pointer) -> Heap[F]:
        match value:
            case Null():
                return self._cleared(heap, cell)
            case Junk():
                held = [some(cell)] if self.instrumentation.out else []
                return self._set(self._cleared(heap, cell), cell, [edge(cell, JUNK), *held])
            case Var(name):
                return self._copied(heap, cell, variable(name))

    def uninitialized(self, heap: Heap[F], cell: Cell) -> Heap[F]:
        """The cell holds junk."""
        return self._assigned(heap, cell, Junk())

    def _copied(self, heap: Heap[F], cell: Cell, source: Cell) -> Heap[F]:
        """cell = source, for any two cells."""
        if cell == source:
            return heap
        heap = self._cleared(heap, cell)
        pairs = [(edge(cell, node), edge(source, node)) for node in heap.targets(source)]
        if some(source) in heap.flags:
            pairs.append((some(cell), some(source)))
        function = heap.function
        for new, old in pairs:
            function = self.domain.meet(function, same(self.domain, new, old))
        heap = Heap(heap.nodes, heap.flags | {new for new, _ in pairs}, function)
        if cell.is_field and self.instrumentation.into:
            for new, _ in pairs:
                if new.kind == "edge" and new.node != JUNK:
                    heap = self.reduction.counted(heap, new.node, new, up=True)
        return heap

    # --- following a pointer -----------------------------------------------------------------------------------------

    def _dereferenced(self, heap: Heap[F], base: str, faults: Faults[F]) -> list[tuple[Name, Heap[F]]]:
        """The heap by the live object that a variable points to; faults say what else it may hold."""
        cell = variable(base)
        self.may_be(faults, CheckKind.NULL_DEREF, self._null(heap, cell))
        found: list[tuple[Name, Heap[F]]] = []
        wanted = self.program.variables[base].target
        for node, part in self._pointing(heap, cell):
            if node == JUNK:
                self.may_be(faults, CheckKind.INVALID_DEREF, part)
                continue
            on_heap = part.nodes[node].region is Region.HEAP
            kind = CheckKind.USE_AFTER_FREE if on_heap else CheckKind.INVALID_DEREF
            self.may_be(faults, kind, self._gone(part, node))
            live = self.lattice.restricted(part, self.domain.literal(exists(node)))
            if exists(node) not in part.flags or self.lattice.empty(live):
                continue
            if part.nodes[node].type != wanted:
                faults.confused = True
                continue
            found.append((node, live))
        return found

    def may_be(self, faults: Faults[F], kind: CheckKind, heap: Heap[F]) -> None:
        """A fault of a kind, where there is a heap that has it."""
        if kind not in faults.kinds and not self.lattice.empty(heap):
            faults.kinds[kind] = heap

    def lost(self, heap: Heap[F]) -> Heap[F]:
        """Where an object on the heap is pointed to by nothing at all; of other garbage nothing is told."""
        found = []
        for name, node in sorted(heap.nodes.items()):
            if self.instrumentation.into and node.region is Region.HEAP and exists(name) in heap.flags:
                edges = [flag for flag in heap.flags if flag.kind in ("edge", "count") and flag.node == name]
                unseen = self.lattice.zero(sorted(edges))
                found.append(self.lattice.restricted(heap, self.domain.meet(unseen, self.lattice.exists(name))))
        return self._joined(found)

    def _null(self, heap: Heap[F], cell: Cell) -> Heap[F]:
        zero = [edge(cell, node) for node in heap.targets(cell)]
        if some(cell) in heap.flags:
            zero.append(some(cell))
        return self.lattice.restricted(heap, self.lattice.zero(zero))

    def _gone(self, heap: Heap[F], node: Name) -> Heap[F]:
        if exists(node) not in heap.flags:
            return heap
        return self.lattice.restricted(heap, self.domain.literal(exists(node), False))

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

    def _aim(self, heap: Heap[F], cell: Cell, node: Name) -> F:
        """That a cell points to a plain node, and so to no other."""
        constraint = self.domain.literal(edge(cell, node))
        if some(cell) in heap.flags:
            constraint = self.domain.meet(constraint, self.domain.literal(some(cell)))
        others = [edge(cell, other) for other in heap.targets(cell) if other != node]
        return self.domain.meet(constraint, self.lattice.zero(others))

    def _tidied(self, heap: Heap[F], single: Name, summary: Name) -> Heap[F]:
        """After an object came out of a summary: cells that may point to either have one target."""
        if not self.instrumentation.out or self.lattice.empty(heap):
            return heap
        cells = {cell for node in (single, summary) if node in heap.nodes for cell in heap.sources(node)}
        cells |= {f.cell for f in heap.flags if f.kind == "some" and f.node in (single, summary)}
        return self.reduction.hygienic(heap, sorted(cells))

    def _taken_out(self, heap: Heap[F], cell: Cell, node: Node) -> Name:
        """A name for the object that a cell points to, the same whatever summary it comes from: it is one object, and
        the heaps that the cases lead to are joined again."""
        site = () if node.region is Region.HEAP else (str(node.site),)
        return self._unused(heap, "one", (cell.field, node.type, node.region.value, *site))

    def _unused(self, heap: Heap[F], kind: str, key: tuple[str, ...]) -> Name:
        place = 0
        while Name(kind, (*key, str(place))) in heap.nodes:
            place += 1
        return Name(kind, (*key, str(place)))

    # --- blocks ------------------------------------------------------------------------------------------------------

    def _created(self, heap: Heap[F], command: New, number: int) -> Heap[F]:
        heap = self._cleared(heap, variable(command.target))
        name = self._unused(heap, "new", (str(number),))
        heap = heap.with_node(name, Node(command.type, command.region, site=number))
        set_ = [exists(name), edge(variable(command.target), name)]
        if self.instrumentation.out:
            set_.append(some(variable(command.target)))
        type_ = self.program.types[command.type]
        for item in type_.fields:
            cell, key = Cell(name, item.name), f"{command.type}.{item.name}"
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
            if node == JUNK or part.nodes[node].region is not Region.HEAP:
                self.may_be(faults, CheckKind.INVALID_FREE, part)
                continue
            self.may_be(faults, CheckKind.DOUBLE_FREE, self._gone(part, node))
            if exists(node) in part.flags:
                live = self.lattice.restricted(part, self.domain.literal(exists(node)))
                results.append(self._ended(live, node))
        return self._joined(results)

    def _left(self, heap: Heap[F], base: str) -> Heap[F]:
        cell = variable(base)
        results = [self._null(heap, cell)]
        for node, part in self._pointing(heap, cell):
            results.append(part if node == JUNK else self._ended(part, node))
        return self._joined(results)

    def _ended(self, heap: Heap[F], node: Name) -> Heap[F]:
        """An object is no more: its fields hold nothing."""
        if self.lattice.empty(heap):
            return heap
        fields = {f.cell for f in heap.flags if f.cell.node == node}
        for cell in sorted(fields):
            heap = self._cleared(heap, cell)
        data = [f for f in heap.flags if f.kind == "equal" and f.cell.node == node]
        return self.lattice.without_flags(heap, [exists(node), *data])

    # --- conditions --------------------------------------------------------------------------------------------------

    def _assumed(self, heap: Heap[F], literal: Literal) -> Heap[F]:
        match literal:
            case Compare(op, Const() as left, Const() as right):
                holds = compare(op, left.value, right.value)
                return heap if holds else self._joined([])
            case Compare():
                return self._compared(heap, literal)
            case PointerCompare("==" | "!=" as op, left, right):
                return self._equal(heap, left, right) if op == "==" else self._differing(heap, left, right)
        return heap

    def _compared(self, heap: Heap[F], literal: Compare) -> Heap[F]:
        """A test against a constant that is tracked."""
        found = equality(literal)
        if found is None or found[1] not in self.constants.get(found[0], ()):
            return heap
        name, value, holds = found
        flag = equal(variable(name), value)
        if flag not in heap.flags:
            return self._joined([]) if holds else heap
        constraint = self.domain.literal(flag, holds)
        if holds:
            others = [equal(variable(name), c) for c in self.constants[name] if c != value]
            constraint = self.domain.meet(constraint, self.lattice.zero(f for f in others if f in heap.flags))
        return self.lattice.restricted(heap, constraint)

    def _unsure(self, heap: Heap[F], pointers: Iterable[Pointer]) -> F:
        """Where one of the pointers is junk or dangling, a comparison may go either way."""
        cases: list[F] = []
        for pointer in pointers:
            if isinstance(pointer, Junk):
                return self.domain.top()
            if isinstance(pointer, Var):
                for node in heap.targets(variable(pointer.name)):
                    here = self.domain.literal(edge(variable(pointer.name), node))
                    if node != JUNK and exists(node) in heap.flags:
                        here = self.domain.meet(here, self.domain.literal(exists(node), False))
                    cases.append(here)
        return disjunction(self.domain, cases)

    def _equal(self, heap: Heap[F], left: Pointer, right: Pointer) -> Heap[F]:
        if isinstance(left, Null):
            left, right = right, left
        if isinstance(left, Null | Junk) or isinstance(right, Junk):
            return heap
        if isinstance(right, Null):
            null = self._null(heap, variable(left.name))
            junk = edge(variable(left.name), JUNK)
            if junk not in heap.flags:
                return null
            return self.lattice.join(null, self.lattice.restricted(heap, self.domain.literal(junk)))
        one, other = variable(left.name), variable(right.name)
        constraint = self.domain.top()
        for node in sorted({*heap.targets(one), *heap.targets(other)}):
            constraint = self.domain.meet(constraint, self._alike(heap, edge(one, node), edge(other, node)))
        constraint = self.domain.meet(constraint, self._alike(heap, some(one), some(other)))
        doubt = self._unsure_through_summaries(heap, (one, other))
        return self.lattice.restricted(heap, disjunction(self.domain, (constraint, doubt)))

    def _unsure_through_summaries(self, heap: Heap[F], cells: Sequence[Cell]) -> F:
        """Where a pointer may be junk or dangling; a summary that may have freed objects leaves everything open."""
        for cell in cells:
            for node in heap.targets(cell):
                if node != JUNK and heap.nodes[node].summary and not self._always_exists(heap, cell, node):
                    return self.domain.top()
        return self._unsure(heap, [Var(cell.field) for cell in cells])

    def _always_exists(self, heap: Heap[F], cell: Cell, node: Name) -> bool:
        """Whether no object of a summary that the cell points to was freed."""
        hit = self.lattice.restricted(heap, self.domain.literal(edge(cell, node)))
        return self.lattice.empty(self._gone(hit, node))

    def _alike(self, heap: Heap[F], one: Flag, other: Flag) -> F:
        if one in heap.flags and other in heap.flags:
            return same(self.domain, one, other)
        return self.lattice.zero(flag for flag in (one, other) if flag in heap.flags)

    def _differing(self, heap: Heap[F], left: Pointer, right: Pointer) -> Heap[F]:
        if isinstance(left, Null):
            left, right = right, left
        if isinstance(left, Null):
            return self._joined([])
        if isinstance(left, Junk) or isinstance(right, Junk):
            return heap
        cell = variable(left.name)
        if isinstance(right, Null):
            return self._not_null(heap, cell)
        other = variable(right.name)
        results = [self._not_null(self._null(heap, cell), other)]
        for node, part in self._pointing(heap, cell):
            flag = edge(other, node)
            sure = node != JUNK and exists(node) in part.flags
            if not sure or flag not in part.flags:
                results.append(part)
                continue
            apart = self.lattice.restricted(part, self.domain.literal(flag, False))
            results += [apart, self._gone(part, node)]
        return self._joined(results)

    def _not_null(self, heap: Heap[F], cell: Cell) -> Heap[F]:
        if self.lattice.empty(heap):
            return heap
        if self.instrumentation.out:
            if some(cell) not in heap.flags:
                return self._joined([])
            return self.lattice.restricted(heap, self.domain.literal(some(cell)))
        targets = heap.targets(cell)
        if any(node != JUNK and heap.nodes[node].summary for node in targets):
            return heap  # it may point to an object that no vector shows here
        edges = (self.domain.literal(edge(cell, node)) for node in targets)
        return self.lattice.restricted(heap, disjunction(self.domain, edges))

    # --- data --------------------------------------------------------------------------------------------------------

    def forgotten(self, heap: Heap[F], cell: Cell, key: str) -> Heap[F]:
        flags = frozenset(equal(cell, c) for c in self.constants.get(key, ()))
        if not flags:
            return heap
        known = heap.flags & flags
        function = self.domain.drop(heap.function, sorted(known)) if known else heap.function
        return replace(heap, flags=heap.flags | flags, function=function)

    def _data_set(self, heap: Heap[F], cell: Cell, key: str, expr: Expr) -> Heap[F]:
        """A data cell gets the value of an expression."""
        constants = self.constants.get(key, ())
        if not constants:
            return heap
        source = bare(expr)
        if isinstance(source, Const):
            heap = self.lattice.without_flags(heap, [equal(cell, c) for c in constants])
            return self._set(heap, cell, [equal(cell, source.value)] if source.value in constants else [])
        if isinstance(source, IntVar) and self.constants.get(source.name):
            return self._data_moved(heap, cell, key, variable(source.name), source.name)
        return self.forgotten(heap, cell, key)

    def _data_copied(self, heap: Heap[F], target: str, cell: Cell, base: str) -> Heap[F]:
        return self._data_moved(heap, variable(target), target, cell, field_name(self.program, base, cell.field))

    def _data_moved(self, heap: Heap[F], cell: Cell, key: str, source: Cell, source_key: str) -> Heap[F]:
        if cell == source:
            return heap
        heap = self.forgotten(heap, cell, key)
        common = set(self.constants.get(key, ())) & set(self.constants.get(source_key, ()))
        constraint = self.domain.top()
        for constant in sorted(common):
            constraint = self.domain.meet(constraint, self._alike(heap, equal(cell, constant), equal(source, constant)))
        return self.lattice.restricted(heap, constraint)
