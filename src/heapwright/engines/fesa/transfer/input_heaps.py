"""Input heaps: objects that exist before a program starts, constrained by their types only.

All of them exist from the beginning, in one summary per type. Its function has the integrity constraints of every heap:
a pointer has at most one target, and counters are exact. A pointer that is passed to a program is null or leads to any
object of its type.

    inputs.heap(heap)                       # with a summary of all nodes that may be passed
    inputs.pointed(heap, "x", "node")       # x = any node
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic

from heapwright.engines.fesa.graph import abstract_heap as g
from heapwright.engines.fesa.graph.lattice import Lattice
from heapwright.engines.fesa.graph.reduction import Reduction
from heapwright.engines.fesa.numeric.api import Numeric, at_most_one
from heapwright.engines.fesa.transfer.assumed_shapes import read_pointers, shaped_inputs
from heapwright.program.graph import Program
from heapwright.program.semantics.input_heap import input_types
from heapwright.program.types import Storage


def types_read(program: Program, read: frozenset[str]) -> list[str]:
    """The types of objects that inputs lead to through fields that are read."""
    return input_types(program, lambda type, field: f"{type}.{field.name}" in read)


class Inputs(Generic[g.F]):
    def __init__(
        self,
        program: Program,
        domain: Numeric[g.F],
        lattice: Lattice[g.F],
        reduction: Reduction[g.F],
        instrumentation: g.Instrumentation,
        read: frozenset[str],
        constants: dict[str, tuple[int, ...]],
    ) -> None:
        self.program = program
        self.domain = domain
        self.lattice = lattice
        self.reduction = reduction
        self.instrumentation = instrumentation
        self.read = read
        self.constants = constants
        self.shaped = shaped_inputs(program, read)
        known = {one.command.type for one in self.shaped}
        self.types = [type for type in types_read(program, read) if type not in known]

    def heap(self, heap: g.Heap[g.F]) -> g.Heap[g.F]:
        """The heap with all objects that may be passed, but for those of a known shape."""
        return self.filled(heap, self.types) if self.types else heap

    def filled(self, heap: g.Heap[g.F], types: Sequence[str]) -> g.Heap[g.F]:
        """The heap with any objects of some types."""
        nodes = {input_name(type): g.Node(type, Storage.HEAP, summary=True) for type in types}
        flags = frozenset(flag for type in types for flag in self._flags(type))
        heap = g.Heap({**heap.nodes, **nodes}, heap.flags | flags, heap.function)
        cells = sorted({flag.cell for flag in flags if flag.kind == "edge"})
        if self.instrumentation.out:
            heap = self.reduction.consistent_pointers(heap, cells)
        for type in types:
            there = self.lattice.exists(input_name(type))
            none = self.lattice.zero(heap.flags_of(input_name(type)))
            heap = self.lattice.restricted(heap, self.domain.join(there, none))
        return self.reduction.supported(heap) if self.instrumentation.into else heap

    def _flags(self, type: str) -> Iterator[g.Flag]:
        me = input_name(type)
        yield g.exists(me)
        if self.instrumentation.into:
            yield from (g.count(me, bit, one) for one in self.instrumentation.all_counters for bit in (0, 1))
        for field in read_pointers(self.program, type, self.read):
            cell = g.Cell(me, field.name)
            yield g.edge(cell, input_name(field.target))
            if field.target == type:
                yield from (g.out(me, field.name), g.into(me, field.name))
            if self.instrumentation.out:
                yield g.some(cell)
        for field in self.program.types[type].fields:
            constants = self.constants.get(f"{type}.{field.name}", ())
            yield from (g.equal(g.Cell(me, field.name), constant) for constant in constants)

    def pointed(self, heap: g.Heap[g.F], target: str, type: str, among: Iterable[g.Name] | None = None) -> g.Heap[g.F]:
        """The variable, which was null, becomes null or any object of a type, or of some nodes."""
        cell = g.variable(target)
        nodes = [n for n, node in sorted(heap.nodes.items()) if (node.type, node.storage) == (type, Storage.HEAP)]
        nodes = [node for node in nodes if g.exists(node) in heap.flags and (among is None or node in among)]
        edges = [g.edge(cell, node) for node in nodes]
        function = heap.function
        for node, flag in zip(nodes, edges, strict=True):
            # Where a summary has an object that the edge leads to, this one represents it in the vector.
            there = self.domain.join(self.lattice.exists(node), self.domain.literal(flag, False))
            function = self.domain.meet(function, there)
        if not self.instrumentation.out:
            return g.Heap(
                heap.nodes, heap.flags | set(edges), self.domain.meet(function, at_most_one(self.domain, edges))
            )
        return self.reduction.consistent_pointers(
            g.Heap(heap.nodes, heap.flags | {*edges, g.some(cell)}, function), [cell]
        )


def input_name(type: str) -> g.Name:
    return g.Name("input", (type,))
