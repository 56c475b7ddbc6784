"""Inputs of a known shape: `hw_any_list`, `hw_any_dll` and `hw_any_tree` give the folded fixpoint of the shape.

An input is arbitrary until its shape is assumed. What was assumed of it then is made as a program would make it: to one
of its objects that lacks a successor a leaf is added, and all are folded into one summary, until nothing changes.
Objects of input heaps exist when they are first read; these exist at once, which makes no difference, since the
assumption has read them all.
"""

from __future__ import annotations

from heapwright.engines.fesa.graph import abstract_heap as g
from heapwright.engines.fesa.transfer.assumed_shapes import ShapedInput
from heapwright.engines.fesa.transfer.input_heaps import input_name
from heapwright.engines.fesa.transfer.shapes import Shapes
from heapwright.program.commands import AnyPointer
from heapwright.program.expressions import Literal
from heapwright.program.types import Storage, ValueKind

AT, LEAF = g.variable("input at"), g.variable("input leaf")


class InputShapes(Shapes[g.F]):
    def before_input(self, heap: g.Heap[g.F], command: AnyPointer) -> g.Heap[g.F]:
        """The heap without what the variable held before it gets an input."""
        return self._cleared(heap, g.variable(command.target))

    def _input(self, heap: g.Heap[g.F], command: AnyPointer) -> g.Heap[g.F]:
        """The heap with an input."""
        heap = self.before_input(heap, command)
        if any(one.command == command for one in self.inputs.shaped):
            heap = self.inputs.filled(heap, [command.type])
            return self.inputs.pointed(heap, command.target, command.type, [input_name(command.type)])
        return self.inputs.pointed(heap, command.target, command.type)

    def _input_shape(self, literal: Literal) -> ShapedInput | None:
        return next((one for one in self.inputs.shaped if one.literal == literal), None)

    def _formed(self, heap: g.Heap[g.F], shape: ShapedInput) -> g.Heap[g.F]:
        """The heap in which an input, which was arbitrary, has its shape."""
        root, arbitrary = g.variable(shape.command.target), input_name(shape.command.type)
        heap = self.lattice.without_flags(self._cleared(heap, root), heap.flags_of(arbitrary))
        heap = g.Heap({name: node for name, node in heap.nodes.items() if name != arbitrary}, heap.flags, heap.function)
        result = self._joined([heap, self._leaf(heap, root, shape.command.type)])
        while True:
            grown = [self._grown(result, shape.command.type, field) for field in shape.fields]
            new = self.lattice.trimmed(self._joined([result, *grown]))
            if self.lattice.leq(new, result):
                return result
            result = new

    def _leaf(self, heap: g.Heap[g.F], cell: g.Cell, type: str) -> g.Heap[g.F]:
        """The heap with one more object, which a variable that was null points to."""
        name = _summary(type) if _summary(type) not in heap.nodes else self._unused(heap, "leaf", (type,))
        heap = heap.with_node(name, g.Node(type, Storage.HEAP))
        for inner, key, field in self.offsets.fields(type):
            if field.kind is ValueKind.DATA:
                heap = self.forgotten(heap, g.Cell(name, inner), key)
        told = [g.some(cell)] if self.instrumentation.out else []
        return self._set(heap, cell, [g.exists(name), g.edge(cell, name), *told])

    def _grown(self, heap: g.Heap[g.F], type: str, field: str) -> g.Heap[g.F]:
        """The heap with one more leaf, at any of the objects whose field is null."""
        at_any = self.inputs.pointed(heap, AT.field, type, [_summary(type)])
        results = []
        for node, part in self._pointing(at_any, AT):
            part = self._null(part, g.Cell(node, field))
            if self.lattice.empty(part):
                continue
            part = self._copied(self._leaf(part, LEAF, type), g.Cell(node, field), LEAF)
            part = self._cleared(self._cleared(part, AT), LEAF)
            results.append(self._folded(self.lattice.trimmed(part), type))
        return self._joined(results)

    def _folded(self, heap: g.Heap[g.F], type: str) -> g.Heap[g.F]:
        """All objects of the shape in one node."""
        names = [name for name in sorted(heap.nodes) if name.kind in ("leaf", "one") and heap.nodes[name].type == type]
        if names and _summary(type) not in heap.nodes:
            heap = self.lattice.renamed(heap, {names.pop(0): _summary(type)})
        for name in names:
            heap = self.summaries.summarized(heap, _summary(type), name)
        return heap


def _summary(type: str) -> g.Name:
    return g.Name("shape", (type,))
