"""Conditions: the part of an abstract heap in which a literal holds.

A comparison with a pointer that is junk or dangling may have either result. Whether two pointers into a summary differ
is decided after the target of one of them is materialised.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heapwright.engines.fesa.graph.abstract_heap import JUNK, Cell, F, Heap, Name, edge, equal, exists, some, variable
from heapwright.engines.fesa.numeric.api import disjunction
from heapwright.engines.fesa.transfer.input_shapes import InputShapes
from heapwright.program.dataflow.tracked_integers import equality
from heapwright.program.expressions import Compare, Const, Junk, Literal, Null, Pointer, PointerCompare, Var, compare


class Conditions(InputShapes[F]):
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
        if not self._comparable(left, right):
            return heap
        constraint = self.domain.top()
        for node in sorted({*heap.targets(one), *heap.targets(other)}):
            constraint = self.domain.meet(constraint, self._alike(heap, edge(one, node), edge(other, node)))
        constraint = self.domain.meet(constraint, self._alike(heap, some(one), some(other)))
        doubt = self._unsure_through_summaries(heap, (one, other))
        return self.lattice.restricted(heap, disjunction(self.domain, (constraint, doubt)))

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
        if not self._comparable(left, right):
            return heap
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

    def _comparable(self, left: Var, right: Var) -> bool:
        """Whether two pointers into one block are equal: they have the same offset and the same index."""
        types = self.offsets.types_of(left.name) | self.offsets.types_of(right.name)
        told = self.offsets.choices.keys() & {left.name, right.name}
        told |= types & self.offsets.elements
        return len(types) <= 1 and not told and not any(self.offsets.is_data(type) for type in types)

    def _unsure(self, heap: Heap[F], pointers: Iterable[Pointer]) -> F:
        """A comparison may have either result where one of the pointers is junk or dangling."""
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

    def _unsure_through_summaries(self, heap: Heap[F], cells: Sequence[Cell]) -> F:
        """The heaps in which a pointer may be junk or dangling; a summary that may have freed objects leaves the result
        open."""
        for cell in cells:
            for node in heap.targets(cell):
                if node != JUNK and heap.nodes[node].summary and not self._always_exists(heap, cell, node):
                    return self.domain.top()
        return self._unsure(heap, [Var(cell.field) for cell in cells])

    def _always_exists(self, heap: Heap[F], cell: Cell, node: Name) -> bool:
        """Whether no object of a summary that the cell points to was freed."""
        hit = self.lattice.restricted(heap, self.domain.literal(edge(cell, node)))
        return self.lattice.empty(self._gone(hit, node))

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
