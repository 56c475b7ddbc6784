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
    Instrumentation,
    Name,
    count,
    edge,
    into,
    out,
    some,
)
from heapwright.engines.fesa.graph.lattice import Lattice
from heapwright.engines.fesa.numeric.api import Numeric, at_most_one, conjunction, disjunction

COUNT_ALL = Instrumentation()


class Reduction(Generic[F]):
    def __init__(self, domain: Numeric[F], lattice: Lattice[F], instrumentation: Instrumentation = COUNT_ALL) -> None:
        self.domain = domain
        self.lattice = lattice
        self.instrumentation = instrumentation
        # Constraints depend on their flags only, and the same ones are needed again and again.
        self.constraints: dict[tuple[object, ...], F] = {}

    # --- counters ----------------------------------------------------------------------------------------------------

    def value(self, node: Name, value: int, counter: str = "") -> F:
        """A counter of a node has a value."""
        bits = (self.domain.literal(count(node, bit, counter), bool(value >> bit & 1)) for bit in (0, 1))
        return conjunction(self.domain, bits)

    def counted(self, heap: Heap[F], flag: Flag, *, up: bool) -> Heap[F]:
        """The counters of a node after a field that points to it where the edge is 1 was set (or cleared)."""
        for counter in self.instrumentation.counters(heap.nodes[flag.cell.node].type, flag.cell.field):
            heap = self._counted(heap, flag, counter, up=up)
        return heap

    def _counted(self, heap: Heap[F], flag: Flag, counter: str, *, up: bool) -> Heap[F]:
        node = flag.node
        old = [Flag("before", node, number=bit) for bit in (0, 1)]
        names = {count(node, bit, counter): old[bit] for bit in (0, 1)}
        heap = self.lattice.with_flags(heap, names)
        function = self.domain.rename(heap.function, names)
        key = ("step", counter, flag, up)
        if key not in self.constraints:
            self.constraints[key] = self._step(flag, counter, old, up=up)
        function = self.domain.meet(function, self.constraints[key])
        return replace(heap, function=self.domain.drop(function, old))

    def _step(self, flag: Flag, counter: str, old: list[Flag], *, up: bool) -> F:
        """The relation between the old counter, the flag and the new counter."""
        cases = []
        for value in range(MANY + 1):
            before = conjunction(self.domain, (self.domain.literal(old[bit], bool(value >> bit & 1)) for bit in (0, 1)))
            for hit in (False, True):
                after = disjunction(self.domain, (self.value(flag.node, v, counter) for v in _stepped(value, hit, up)))
                here = self.domain.meet(before, self.domain.literal(flag, hit))
                cases.append(self.domain.meet(here, after))
        return disjunction(self.domain, cases)

    # --- pointers ----------------------------------------------------------------------------------------------------

    def consistent_pointers(self, heap: Heap[F], cells: Iterable[Cell]) -> Heap[F]:
        """Null cells have no edge, others at most one, and exactly one if all their possible targets are concrete."""
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
        """`tells`: there is a flag for "not null". `one`: if it is not null, one of the edges exists."""
        null = self.lattice.zero([some(cell), *edges] if tells else edges)
        if not tells:
            return null
        held = self.domain.meet(self.domain.literal(some(cell)), at_most_one(self.domain, edges))
        if one:
            held = self.domain.meet(held, disjunction(self.domain, (self.domain.literal(f) for f in edges)))
        return self.domain.join(null, held)

    def supported(self, heap: Heap[F]) -> Heap[F]:
        """Every counter is at least the number of edges in the vector, and accounted for by edges that may exist."""
        function = heap.function
        own = {name: heap.flags_of(name) for name, node in heap.nodes.items() if node.summary}
        for counter in self.instrumentation.all_counters:
            into_nodes = {node: self._counting(heap, node, counter) for node in sorted(heap.nodes)}
            ghosts = {node: self._counting_ghosts(heap, node, counter) for node in into_nodes}
            for node, cells in into_nodes.items():
                edges = [edge(cell, node) for cell in cells] + [into(node, field) for field in ghosts[node]]
                if edges and self.instrumentation.seen:
                    function = self.domain.meet(function, self._sum(heap, node, counter, edges, at_least=True))
            for node in into_nodes:
                function = self._accounted_for(heap, function, node, counter, own)
        return replace(heap, function=function)

    def _counting(self, heap: Heap[F], node: Name, counter: str) -> list[Cell]:
        """The fields that may point to a node and count."""
        cells = (cell for cell in heap.sources(node) if cell.is_field)
        if not counter:
            return list(cells)
        return [c for c in cells if counter in self.instrumentation.counters(heap.nodes[c.node].type, c.field)]

    def _counting_ghosts(self, heap: Heap[F], node: Name, counter: str) -> list[str]:
        """The fields of ghosts that count."""
        type = heap.nodes[node].type if node in heap.nodes else ""
        return [f for f in heap.ghost_fields(node) if counter in self.instrumentation.counters(type, f)]

    def _accounted_for(self, heap: Heap[F], function: F, node: Name, counter: str, own: Mapping[Name, list[Flag]]) -> F:
        """A counter above the number of edges from concrete nodes requires an object of a summary with an edge."""
        cells = self._counting(heap, node, counter)
        plain = [edge(cell, node) for cell in cells if cell.node == node or cell.node not in own]
        enough = self._sum(heap, node, counter, plain, at_least=False)
        ghosts = [kind(node, field) for field in heap.ghost_fields(node) for kind in (out, into)]
        others = [(into(node, field), ghosts) for field in self._counting_ghosts(heap, node, counter)]
        others += [(edge(cell, node), own[cell.node]) for cell in cells if cell.node != node and cell.node in own]
        for flag, forgotten in others:
            # Usually nothing is left to constrain, and each further case costs a projection.
            if self.domain.leq(function, enough):
                return function
            hit = self.domain.meet(function, self.domain.literal(flag))
            enough = self.domain.join(enough, self.domain.drop(hit, forgotten))
        return self.domain.meet(function, enough)

    def _sum(self, heap: Heap[F], node: Name, counter: str, edges: list[Flag], *, at_least: bool) -> F:
        """The counter is the number of these edges, or more; a bit that the heap does not have is 0."""
        bits = tuple(flag for bit in (0, 1) if (flag := count(node, bit, counter)) in heap.flags)
        key = ("sum", node, *edges, bits, at_least)
        if key not in self.constraints:
            self.constraints[key] = self._summed(edges, bits, at_least=at_least)
        return self.constraints[key]

    def _summed(self, edges: list[Flag], bits: tuple[Flag, ...], *, at_least: bool) -> F:
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
                result = self.domain.join(result, self.domain.meet(case, self._counts(bits, told)))
        return result

    def _counts(self, bits: tuple[Flag, ...], value: int) -> F:
        """The counter has a value, of which only some bits may be 1."""
        if value & ~sum(1 << bit.number for bit in bits):
            return self.domain.bottom()
        return conjunction(self.domain, (self.domain.literal(bit, bool(value >> bit.number & 1)) for bit in bits))


def _stepped(value: int, hit: bool, up: bool) -> tuple[int, ...]:
    """The possible values of a counter after a step; a saturated one may stay as it is."""
    if not hit:
        return (value,)
    if up:
        return (min(value + 1, MANY),)
    return {0: (), MANY: (MANY - 1, MANY)}.get(value, (value - 1,))
