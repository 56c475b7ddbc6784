"""Cells (variables and fields): strong update, copy and havoc.

A pointer cell has an edge to each node that it may point to; setting a field changes the counters of its targets. A
data cell has a flag for each constant that it is compared with.

    cells._copied(heap, variable("y"), Cell(node, "next"))      # y = x->next, where x points to the node
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Generic

from heapwright.engines.fesa.graph.abstract_heap import (
    JUNK,
    Cell,
    F,
    Flag,
    Heap,
    Instrumentation,
    Name,
    edge,
    equal,
    exists,
    some,
    variable,
)
from heapwright.engines.fesa.graph.lattice import Lattice
from heapwright.engines.fesa.graph.reduction import Reduction
from heapwright.engines.fesa.graph.summaries import Summaries
from heapwright.engines.fesa.numeric.api import Numeric, same
from heapwright.engines.fesa.transfer.input_heaps import Inputs
from heapwright.engines.fesa.transfer.pointer_offsets import PointerOffsets, cell_name
from heapwright.program.commands import AnyPointer, Assert, Assume, Load, LoadCell, Shift
from heapwright.program.dataflow.tracked_integers import bare, field_name, tracked_constants
from heapwright.program.expressions import Const, Expr, IntVar, Junk, Null, Pointer, ShapeLiteral, Var
from heapwright.program.graph import Program
from heapwright.program.types import ValueKind

PROVABLE = frozenset({"acyclic", "dll", "tree", "disjoint"})  # shapes


def fields_read(program: Program, *, shapes: bool = True) -> frozenset[str]:
    """The pointer fields that are read, by commands or by `shapes` that may be proved; the others are not tracked. Any
    shape reads fields of input objects, which exist from then on."""
    commands = [edge.command for edge in program.graph.edges]
    loads = [command for command in commands if isinstance(command, Load)]
    read = frozenset(field_name(program, load.base, load.field) for load in loads)
    read |= {cell_name(program, command.base) for command in commands if isinstance(command, LoadCell)}
    if any(isinstance(command, AnyPointer) for command in commands):
        return read.union(*(shape_fields(program, one) for one in commands if isinstance(one, Assert | Assume)))
    return read.union(*(fields for _, fields in asserted_shapes(program) if shapes))


def asserted_shapes(program: Program) -> Iterator[tuple[str, frozenset[str]]]:
    """The predicates of shapes that are asserted and may be proved, each with its pointer fields."""
    for step in program.graph.edges:
        match step.command:
            case Assert(ShapeLiteral(predicate)) as command if predicate in PROVABLE:
                yield predicate, shape_fields(program, command)


def shape_fields(program: Program, command: Assert | Assume) -> frozenset[str]:
    """The pointer fields that the shape in a condition reads."""
    literal = command.literal
    if not isinstance(literal, ShapeLiteral):
        return frozenset()
    types = {program.variables[one.name].target for one in literal.pointers if isinstance(one, Var)}
    first = literal.predicate in ("sorted", "sorted_down")  # the second is a number
    # What an assumed link back leads to is known, and there already.
    first |= literal.predicate == "dll" and isinstance(command, Assume) and not literal.negated
    fields = literal.fields[:1] if first else literal.fields
    return frozenset(_resolved(program, type, field) for type in types for field in fields)


def _resolved(program: Program, type: str, field: str) -> str:
    """The name of a field that a path leads to: `link$/next` is the field `next` of the part `link`."""
    *path, last = field.split("$/")
    for name in path:
        known = program.types.get(type)
        part = known.part(name) if known is not None else None
        type = part.type if part is not None else ""
    return f"{type}.{last}"


class Cells(Generic[F]):
    def __init__(self, program: Program, domain: Numeric[F], instrumentation: Instrumentation) -> None:
        self.program = program
        self.domain = domain
        self.lattice = Lattice(domain)
        self.summaries = Summaries(domain, self.lattice)
        self.reduction = Reduction(domain, self.lattice, instrumentation)
        self.instrumentation = instrumentation
        self.read = fields_read(program, shapes=instrumentation.shapes)
        self.offsets = PointerOffsets(program)
        self.constants = {**tracked_constants(program), **self.offsets.choices}
        self.loose: set[str] = set()  # types of elements, pointers to which may have left their arrays
        self.shifts = any(isinstance(edge.command, Shift) for edge in program.graph.edges)
        self.inputs = Inputs(program, domain, self.lattice, self.reduction, instrumentation, self.read, self.constants)

    def _joined(self, heaps: Iterable[Heap[F]]) -> Heap[F]:
        result: Heap[F] = Heap({}, frozenset(), self.domain.bottom())
        for heap in heaps:
            result = self.lattice.join(result, heap)
        return result

    def _null(self, heap: Heap[F], cell: Cell) -> Heap[F]:
        zero = [edge(cell, node) for node in heap.targets(cell)]
        if some(cell) in heap.flags:
            zero.append(some(cell))
        return self.lattice.restricted(heap, self.lattice.zero(zero))

    def _gone(self, heap: Heap[F], node: Name) -> Heap[F]:
        if exists(node) not in heap.flags:
            return heap
        return self.lattice.restricted(heap, self.domain.literal(exists(node), False))

    def _alike(self, heap: Heap[F], one: Flag, other: Flag) -> F:
        if one in heap.flags and other in heap.flags:
            return same(self.domain, one, other)
        return self.lattice.zero(flag for flag in (one, other) if flag in heap.flags)

    def _cleared(self, heap: Heap[F], cell: Cell) -> Heap[F]:
        """The cell is null; if it was a field, the objects that it pointed to have an edge less."""
        edges = [edge(cell, node) for node in heap.targets(cell)]
        if cell.is_field and self.instrumentation.into:
            for flag in edges:
                if flag.node != JUNK:
                    heap = self.reduction.counted(heap, flag, up=False)
        return self.lattice.without_flags(heap, [*edges, some(cell), *self._choices(heap, cell)])

    def _choices(self, heap: Heap[F], cell: Cell) -> list[Flag]:
        """The flags of a pointer that may tell its offset in a block."""
        key = self._key(heap, cell)
        return [equal(cell, offset) for offset in self.offsets.choices.get(key, ())] if key else []

    def _key(self, heap: Heap[F], cell: Cell) -> str:
        """What the program calls a cell, "" if no offset of it is tracked."""
        if not self.offsets.choices:
            return ""
        if not cell.is_field:
            return cell.field
        node = heap.nodes.get(cell.node)
        fields = self.offsets.fields(node.type) if node is not None else ()
        return next((key for inner, key, _ in fields if inner == cell.field), "")

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
        offsets = {flag.number: flag for flag in self._choices(heap, source) if flag in heap.flags}
        told = [(flag, offsets[flag.number]) for flag in self._choices(heap, cell) if flag.number in offsets]
        pairs += told
        function = heap.function
        for new, old in pairs:
            function = self.domain.meet(function, same(self.domain, new, old))
        heap = Heap(heap.nodes, heap.flags | {new for new, _ in pairs}, function)
        if cell.is_field and self.instrumentation.into:
            for new, _ in pairs:
                if new.kind == "edge" and new.node != JUNK:
                    heap = self.reduction.counted(heap, new, up=True)
        return heap

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

    def _scrambled(self, heap: Heap[F], cell: Cell, key: str) -> Heap[F]:
        """Havoc of a cell: a pointer is junk."""
        if key in self.read:
            return self._assigned(heap, cell, Junk())
        return self.forgotten(heap, cell, key)

    def _data_lost(self, heap: Heap[F], node: Name) -> Heap[F]:
        """Havoc of all integers of a block."""
        for inner, key, item in self.offsets.fields(heap.nodes[node].type):
            if item.kind is ValueKind.DATA:
                heap = self.forgotten(heap, Cell(node, inner), key)
        return heap

    def _data_zero(self, heap: Heap[F], cell: Cell, key: str) -> Heap[F]:
        heap = self.lattice.without_flags(heap, [equal(cell, c) for c in self.constants.get(key, ())])
        return self._set(heap, cell, [equal(cell, 0)])

    def _data_moved(self, heap: Heap[F], cell: Cell, key: str, source: Cell, source_key: str) -> Heap[F]:
        if cell == source:
            return heap
        heap = self.forgotten(heap, cell, key)
        common = set(self.constants.get(key, ())) & set(self.constants.get(source_key, ()))
        constraint = self.domain.top()
        for constant in sorted(common):
            constraint = self.domain.meet(constraint, self._alike(heap, equal(cell, constant), equal(source, constant)))
        return self.lattice.restricted(heap, constraint)
