"""Arrays of pointers and of structs, as smashed summaries.

The elements of an array are objects that begin and end together: the first one is a plain node, since pointers to it
hold and free the block, and all others are one summary. An access by an index takes an element out of the summary, as
any access takes an object. An array of pointers has elements with one field, `[]`.

    struct node *heads[8];   # a node for heads[0], and a summary for the others
    heads[i] = x;            # heads[0].[] = x, or an object of the summary is taken out: one.[] = x

Each place that makes an array makes one at most (`unsupported.py`), so that the elements of a block are the nodes of a
site. Where the values of an index are known, they tell which element is meant and that there is one; else an access may
be out of bounds. A pointer that may have left its array points to any element but the first, which stays what holds the
block, and then no access through a pointer into an array of its type is known to be inside (`loose`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from heapwright.engines.fesa.graph.abstract_heap import (
    FIRST,
    JUNK,
    REST,
    Cell,
    F,
    Flag,
    Heap,
    Name,
    Node,
    count,
    edge,
    exists,
    some,
    variable,
)
from heapwright.engines.fesa.numeric.api import at_most_one, disjunction
from heapwright.engines.fesa.transfer.conditions import Conditions
from heapwright.engines.fesa.transfer.dereference import Faults
from heapwright.engines.fesa.transfer.pointer_offsets import CELL
from heapwright.program.checks import CheckKind
from heapwright.program.commands import New, Shift
from heapwright.program.dataflow.value_sets import ValueSets, results
from heapwright.program.expressions import Const, Expr
from heapwright.program.types import ValueKind

CHOSEN = variable("an element")  # while one is taken out


class Arrays(Conditions[F]):
    # --- blocks ------------------------------------------------------------------------------------------------------

    def _array(self, heap: Heap[F], command: New, number: int) -> Heap[F]:
        """The heap with a new array."""
        type, most = self.offsets.element(command.type), self._count(number)
        heap = self._cleared(heap, variable(command.target))
        first = self._unused(heap, "new", (str(number), FIRST))
        heap = self._element(heap, first, Node(type, command.storage, site=number, element=FIRST), command)
        alone = heap
        if most != 1:
            rest = self._unused(heap, "new", (str(number), REST))
            node = Node(type, command.storage, summary=True, site=number, element=REST)
            heap = self._element(heap, rest, node, command)
        heap = heap if most is not None else self._joined([alone, heap])
        return self._aimed(heap, variable(command.target), [first])

    def _element(self, heap: Heap[F], name: Name, node: Node, command: New) -> Heap[F]:
        return self._begun(heap.with_node(name, node), name, zeroed=command.zeroed)

    def _begun(self, heap: Heap[F], name: Name, *, zeroed: bool) -> Heap[F]:
        """The heap after the fields of a new node got their values."""
        set_ = [exists(name)]
        for inner, key, item in self.offsets.fields(heap.nodes[name].type):
            cell = Cell(name, inner)
            if item.kind is ValueKind.POINTER:
                if key in self.read and not zeroed:
                    set_ += [edge(cell, JUNK), *([some(cell)] if self.instrumentation.out else [])]
            elif not zeroed:
                heap = self.forgotten(heap, cell, key)
            elif 0 in self.constants.get(key, ()):
                heap = self._data_zero(heap, cell, key)
        return self._set(heap, Cell(name, ""), set_)

    def _elements(self, heap: Heap[F], name: Name) -> list[Name]:
        """The nodes of the block that an element is of."""
        site = heap.nodes[name].site
        return [other for other, node in sorted(heap.nodes.items()) if node.element and node.site == site]

    def _block_ended(self, heap: Heap[F], name: Name) -> Heap[F]:
        for node in self._elements(heap, name):
            heap = self._emptied(heap, node) if heap.nodes[node].summary else self._object_ended(heap, node)
        return heap

    def _object_ended(self, heap: Heap[F], node: Name) -> Heap[F]:
        """The lifetime of an object ends: its fields are cleared."""
        fields = {f.cell for f in heap.flags if f.cell.node == node}
        for cell in sorted(fields):
            heap = self._cleared(heap, cell)
        data = [f for f in heap.flags if f.kind == "equal" and f.cell.node == node]
        return self.lattice.without_flags(heap, [exists(node), *data])

    def _emptied(self, heap: Heap[F], node: Name) -> Heap[F]:
        """The fields of all objects of a summary are cleared. How many of them pointed to an object is not known."""
        own = [f for f in heap.flags if f.cell.node == node or f == exists(node)]
        own += [f for f in heap.flags if f.node == node and f.kind in ("out", "into")]
        edges = [f for f in own if f.kind == "edge" and f.node != JUNK]
        pointed = {f.node for f in self.domain.possible(heap.function, edges)}
        bits = [count(n, bit, c) for n in sorted(pointed) for c in self.instrumentation.all_counters for bit in (0, 1)]
        heap = self.lattice.without_flags(heap, own)
        if not bits or not self.instrumentation.into:
            return heap
        known = heap.flags.intersection(bits)
        heap = replace(heap, flags=heap.flags.union(bits), function=self.domain.drop(heap.function, sorted(known)))
        return self.reduction.supported(heap)

    # --- elements ----------------------------------------------------------------------------------------------------

    def _element_cells(
        self, heap: Heap[F], base: str, index: Expr, location: int, faults: Faults[F]
    ) -> Iterator[tuple[Cell, Heap[F]]]:
        """The heap by the cell of an array of pointers that is accessed."""
        for node, live in self._live(heap, base, faults):
            if not live.nodes[node].element:
                faults.confused = True
                continue
            targets, sure = self._chosen(live, node, index, location)
            if not sure:
                self.may_be(faults, CheckKind.BOUNDS, live)
            if targets == [node]:
                yield Cell(node, CELL), live
                continue
            aimed = self._aimed(live, CHOSEN, [target for target in targets if target != JUNK])
            for one, part in self._pointing(aimed, CHOSEN):
                there = self.lattice.restricted(part, self.domain.literal(exists(one)))
                if exists(one) in part.flags and not self.lattice.empty(there):
                    yield Cell(one, CELL), self._cleared(there, CHOSEN)

    def _shifted(self, heap: Heap[F], command: Shift, location: int, faults: Faults[F]) -> Heap[F]:
        """A pointer into an array gets another index."""
        base, target = variable(command.base), variable(command.target)
        null = self._null(heap, base)
        if self._distance(command) and not self.lattice.empty(null):
            faults.confused = True  # an address near null is neither null nor that of anything
        found = [self._copied(null, target, base)]
        for node, part in self._pointing(heap, base):
            if node == JUNK or not part.nodes[node].element:
                faults.confused |= node != JUNK and bool(self._distance(command))
                found.append(self._copied(part, target, base))
                continue
            part = self._with_rest(part, node)
            targets, sure = self._chosen(part, node, command.offset, location)
            if not sure:
                self.loose.add(part.nodes[node].type)
            found.append(self._aimed(part, target, targets))
        return self._joined(found)

    def _with_rest(self, heap: Heap[F], node: Name) -> Heap[F]:
        """The heap with a node for elements of a block that has ended."""
        item = heap.nodes[node]
        if self._count(item.site) == 1 or any(heap.nodes[one].element == REST for one in self._elements(heap, node)):
            return heap
        return heap.with_node(
            self._unused(heap, "new", (str(item.site), REST)), replace(item, summary=True, element=REST)
        )

    def _chosen(self, heap: Heap[F], node: Name, offset: Expr, location: int) -> tuple[list[Name], bool]:
        """The nodes of the element at an offset from another one, and whether it is in the array for sure."""
        item = heap.nodes[node]
        if isinstance(offset, Const) and offset.value == 0:
            return [node], True
        others = [name for name in self._elements(heap, node) if heap.nodes[name].element == REST]
        first = [name for name in self._elements(heap, node) if heap.nodes[name].element == FIRST]
        most = self._count(item.site)
        values = results(offset, self._values.at(location) or {})
        if item.element == FIRST and most is not None and values and all(0 <= value < most for value in values):
            return [*(first if 0 in values else []), *(others if max(values) > 0 else [])], True
        return [*first, *others, *([JUNK] if most is None or most == 1 else [])], False

    def _aimed(self, heap: Heap[F], cell: Cell, targets: Sequence[Name]) -> Heap[F]:
        """The heap in which a cell points to some object of these nodes."""
        heap = self._cleared(heap, cell)
        edges = [edge(cell, node) for node in targets]
        constraint = at_most_one(self.domain, edges)
        if all(node == JUNK or not heap.nodes[node].summary for node in targets):
            constraint = self.domain.meet(constraint, disjunction(self.domain, map(self.domain.literal, edges)))
        for flag in edges:
            constraint = self.domain.meet(constraint, self._there(heap, flag))
        held: list[Flag] = [some(cell)] if self.instrumentation.out else []
        for flag in held:
            constraint = self.domain.meet(constraint, self.domain.literal(flag))
        function = self.domain.meet(heap.function, constraint)
        return Heap(heap.nodes, heap.flags.union(edges, held), function)

    def _there(self, heap: Heap[F], flag: Flag) -> F:
        """That an element which a cell points to is live as long as the first one is: a summary may be empty."""
        if flag.node == JUNK or not heap.nodes[flag.node].element:
            return self.domain.top()
        first = [name for name in self._elements(heap, flag.node) if heap.nodes[name].element == FIRST]
        alike = [self._alike(heap, exists(flag.node), exists(one)) for one in first]
        return disjunction(self.domain, [self.domain.literal(flag, False), *alike])

    @cached_property
    def _values(self) -> ValueSets:
        return ValueSets(self.program)

    def _count(self, number: int) -> int | None:
        """The number of elements of the array that an edge makes, if it is always the same."""
        edge = self.program.graph.edges[number]
        assert isinstance(edge.command, New)
        if edge.command.count is None:
            cells = self.program.types[edge.command.type].cells
            return cells.count if cells is not None else None
        found = results(edge.command.count, self._values.at(edge.source) or {})
        return min(found) if found is not None and len(found) == 1 and min(found) > 0 else None
