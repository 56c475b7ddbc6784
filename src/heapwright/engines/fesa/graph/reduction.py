"""Reduction (section 4): conjoins the integrity constraints of heaps (one target per pointer, exact edge counters) to
the Boolean function.

A cell that is null points nowhere, and one that is not points to one object. Where a counter exceeds the number of
edges from concrete nodes, some object of a summary must have the missing edge: there must be a vector in which that
object represents its summary. The paper omits this last step, and has a spurious warning for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Generic

from heapwright.engines.fesa.graph.abstract_heap import (
    JUNK,
    MANY,
    Cell,
    F,
    Flag,
    Heap,
    Name,
    count,
    edge,
    into,
    out,
    some,
)
from heapwright.engines.fesa.graph.lattice import Lattice
from heapwright.engines.fesa.numeric.api import Numeric, at_most_one, conjunction, disjunction


class Reduction(Generic[F]):
    def __init__(self, domain: Numeric[F], lattice: Lattice[F]) -> None:
        self.domain = domain
        self.lattice = lattice
        # Constraints depend on their flags only, and the same ones are needed again and again.
        self.constraints: dict[tuple[object, ...], F] = {}

    # --- counters ----------------------------------------------------------------------------------------------------

    def counter(self, node: Name, value: int) -> F:
        bits = (self.domain.literal(count(node, bit), bool(value >> bit & 1)) for bit in (0, 1))
        return conjunction(self.domain, bits)

    def counted(self, heap: Heap[F], node: Name, flag: Flag, *, up: bool) -> Heap[F]:
        """The counter of a node after a field that points to it where the flag is 1 was set (or cleared)."""
        old = [Flag("before", node, number=bit) for bit in (0, 1)]
        names = {count(node, bit): old[bit] for bit in (0, 1)}
        heap = self.lattice.with_flags(heap, names)
        function = self.domain.rename(heap.function, names)
        key = ("step", node, flag, up)
        if key not in self.constraints:
            self.constraints[key] = self._step(node, flag, old, up=up)
        function = self.domain.meet(function, self.constraints[key])
        return replace(heap, function=self.domain.drop(function, old))

    def _step(self, node: Name, flag: Flag, old: list[Flag], *, up: bool) -> F:
        """The relation between the old counter, the flag and the new counter."""
        cases = []
        for value in range(MANY + 1):
            before = conjunction(self.domain, (self.domain.literal(old[bit], bool(value >> bit & 1)) for bit in (0, 1)))
            for hit in (False, True):
                after = disjunction(self.domain, (self.counter(node, v) for v in _stepped(value, hit, up)))
                here = self.domain.meet(before, self.domain.literal(flag, hit))
                cases.append(self.domain.meet(here, after))
        return disjunction(self.domain, cases)

    # --- pointers ----------------------------------------------------------------------------------------------------

    def consistent_pointers(self, heap: Heap[F], cells: Iterable[Cell]) -> Heap[F]:
        """Cells that are null have no edge, others at most one, and one where all that they may point to is plain."""
        function = heap.function
        for cell in cells:
            edges = [edge(cell, node) for node in heap.targets(cell)]
            one = all(node == JUNK or not heap.nodes[node].summary for node in heap.targets(cell))
            if out(cell.node, cell.field) in heap.flags:
                edges.append(out(cell.node, cell.field))
                one = False
            key = ("pointer", cell, *edges, some(cell) in heap.flags, one)
            if key not in self.constraints:
                self.constraints[key] = self._pointer(cell, edges, tells=some(cell) in heap.flags, one=one)
            function = self.domain.meet(function, self.constraints[key])
        return replace(heap, function=function)

    def _pointer(self, cell: Cell, edges: list[Flag], *, tells: bool, one: bool) -> F:
        """`tells`: there is a flag for "not null". `one`: if it is not null, one of the edges is there."""
        null = self.lattice.zero([some(cell), *edges] if tells else edges)
        if not tells:
            return null
        held = self.domain.meet(self.domain.literal(some(cell)), at_most_one(self.domain, edges))
        if one:
            held = self.domain.meet(held, disjunction(self.domain, (self.domain.literal(f) for f in edges)))
        return self.domain.join(null, held)

    def supported(self, heap: Heap[F]) -> Heap[F]:
        """Every counter is at least the number of edges in the vector, and accounted for by edges that may exist."""
        into_nodes = {node: [cell for cell in heap.sources(node) if cell.is_field] for node in sorted(heap.nodes)}
        ghosts = {node: heap.ghost_fields(node) for node in into_nodes}
        function = heap.function
        for node, cells in into_nodes.items():
            edges = [edge(cell, node) for cell in cells] + [into(node, field) for field in ghosts[node]]
            if edges:
                function = self.domain.meet(function, self._sum(heap, node, edges, at_least=True))
        own = {name: heap.flags_of(name) for name, node in heap.nodes.items() if node.summary}
        for node, cells in into_nodes.items():
            function = self._accounted_for(heap, function, node, cells, own)
        return replace(heap, function=function)

    def _accounted_for(
        self, heap: Heap[F], function: F, node: Name, cells: Iterable[Cell], own: Mapping[Name, list[Flag]]
    ) -> F:
        """A counter above the number of edges from concrete nodes requires an object of a summary with an edge."""
        plain = [edge(cell, node) for cell in cells if cell.node == node or cell.node not in own]
        enough = self._sum(heap, node, plain, at_least=False)
        fields = heap.ghost_fields(node)
        ghosts = [kind(node, field) for field in fields for kind in (out, into)]
        others = [(into(node, field), ghosts) for field in fields]
        others += [(edge(cell, node), own[cell.node]) for cell in cells if cell.node != node and cell.node in own]
        for flag, forgotten in others:
            # Usually nothing is left to constrain, and each further case costs a projection.
            if self.domain.leq(function, enough):
                return function
            hit = self.domain.meet(function, self.domain.literal(flag))
            enough = self.domain.join(enough, self.domain.drop(hit, forgotten))
        return self.domain.meet(function, enough)

    def _sum(self, heap: Heap[F], node: Name, edges: list[Flag], *, at_least: bool) -> F:
        """The counter is the number of these edges, or more; a bit that the heap does not have is 0."""
        bits = tuple(bit for bit in (0, 1) if count(node, bit) in heap.flags)
        key = ("sum", node, *edges, bits, at_least)
        if key not in self.constraints:
            self.constraints[key] = self._summed(node, edges, bits, at_least=at_least)
        return self.constraints[key]

    def _summed(self, node: Name, edges: list[Flag], bits: tuple[int, ...], *, at_least: bool) -> F:
        # By how many of the edges so far are there.
        cases: list[F] = [self.domain.top()] + [self.domain.bottom()] * MANY
        for flag in edges:
            there, absent = self.domain.literal(flag), self.domain.literal(flag, False)
            new = [self.domain.meet(case, absent) for case in cases]
            for value in range(MANY + 1):
                up = min(value + 1, MANY)
                new[up] = self.domain.join(new[up], self.domain.meet(cases[value], there))
            cases = new
        result = self.domain.bottom()
        for value, case in enumerate(cases):
            for told in range(value, MANY + 1) if at_least else (value,):
                result = self.domain.join(result, self.domain.meet(case, self._counts(node, bits, told)))
        return result

    def _counts(self, node: Name, bits: tuple[int, ...], value: int) -> F:
        """The counter has a value, of which only some bits may be 1."""
        if any(value >> bit & 1 and bit not in bits for bit in (0, 1)):
            return self.domain.bottom()
        return conjunction(self.domain, (self.domain.literal(count(node, b), bool(value >> b & 1)) for b in bits))


def _stepped(value: int, hit: bool, up: bool) -> tuple[int, ...]:
    """The possible values of a counter after a step; a saturated one may stay as it is."""
    if not hit:
        return (value,)
    if up:
        return (min(value + 1, MANY),)
    return {0: (), MANY: (MANY - 1, MANY)}.get(value, (value - 1,))
