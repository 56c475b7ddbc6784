"""Nothing is lost: the proof of leak checks, by a set A of pointer fields.

*Invariant.* In every state of every run the A-fields of live blocks, parts included, that point to live blocks form no
cycle. *Check.* Where a step is checked for leaks, every live heap block afterwards is pointed to by a variable or by an
A-field of a live block. Then each of them is reachable: walking back along A never comes to the same block again and
ends, since there are finitely many, at a block that a variable points to. So nothing was lost by the step, whichever it
was: a variable overwritten or out of scope, a field overwritten, a block freed whose children live on.

- The variables of an abstract heap are live ones; the semantics has more roots (variables that are dead but in scope).
- An array is held by what points to its first element; its others hold what they point to. Cycles are those of blocks:
  where an array that is pointed to is involved in what may be one, that is a conflict.
- Blocks on the stack are links of the walk like those of the heap: where one has a non-null A-field, it needs a pointer
  to it itself. A global's block is a root if a variable of the program always holds its address (`rooted`). An
  activation record is a block on the stack, which the next one points to.
- A new block has no A-field that leads anywhere, and a block that ends has none left. So only `x.f = y` with f in A
  adds an edge. It closes no cycle if y is null, junk or dangling, or x and y differ and one of these holds before:
  x has no incoming A-edge; the points-to graph has no A-path from y to x; y is below x; each live A-successor of y is
  below x. For a cycle would lead from y, through a successor s of y, to x without the new edge: the old heap would have
  had the cycle from x down to s (or y) and back.
- Blocks that exist before the program starts may form any cycle: where there are such inputs, no leak check is proved.
- A pointer beside a block (`container_of` of what is no such member) holds nothing; a field that may get one leaves A.
- Where a store may close a cycle, the two fields that meet there are in *conflict*, and the analysis proves no leak
  check. Another one drops one of the two from A, or has anchors.

*Rings.* A cycle loses nothing while a variable points to a block of it. With *anchors*, a set of variables, the
invariant is that A-fields form no cycle but through blocks that anchors point to: A-edges that do not lead to such a
block form none. Walking back still ends, since it stops at these blocks. `x.f = y` closes no cycle that counts where an
anchor points to x or y. Where an anchor is assigned, or dies, edges to the block that it leaves count again: this one
must be on no cycle but through the block of another anchor. So it is where no A-field of a live block leads to it, or
where each path from it that leads back meets such a block. An anchor that may leave a ring behind is dropped. Blocks of
globals that are always roots are never left, so that edges to them do not count in any analysis.

An abstract vector may witness a conflict though no run does; the other way round, a run that closes a cycle gives a
vector, in which every summary is represented by the block that matters, that shows a conflict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from heapwright.engines.fesa.graph.abstract_heap import (
    JUNK,
    REST,
    Cell,
    F,
    Flag,
    Heap,
    Instrumentation,
    Name,
    count,
    counter_of,
    edge,
    exists,
    variable,
)
from heapwright.engines.fesa.graph.widening import reached
from heapwright.engines.fesa.numeric.api import Numeric, conjunction, disjunction
from heapwright.engines.fesa.transfer.cells import asserted_shapes, fields_read
from heapwright.engines.fesa.transfer.dereference import Dereference
from heapwright.engines.fesa.transfer.pointer_offsets import PointerOffsets
from heapwright.program.commands import New
from heapwright.program.dataflow.liveness import defined
from heapwright.program.graph import Program
from heapwright.program.types import Storage

Conflict = tuple[str, str]


def ordered_fields(program: Program, *, shapes: bool = True) -> frozenset[str]:
    """The pointer fields that are tracked, by their names in blocks."""
    return PointerOffsets(program).names(fields_read(program, shapes=shapes))


def counted_sets(program: Program) -> Iterator[frozenset[str]]:
    """The sets of fields that asserted shapes need counters for, by names in blocks."""
    offsets = PointerOffsets(program)
    for predicate, fields in asserted_shapes(program):
        if predicate in ("tree", "disjoint"):
            yield offsets.names(fields)


class Acyclicity(Dereference[F]):
    """`acyclic` is the set A, by names of fields in blocks; `conflicts` are the pairs of fields in it that may form a
    cycle. `candidates` are variables of the user that point to where one is closed, `left` anchors that may have left a
    cycle behind."""

    def __init__(
        self,
        program: Program,
        domain: Numeric[F],
        instrumentation: Instrumentation,
        acyclic: frozenset[str],
        anchors: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(program, domain, instrumentation)
        self.acyclic = acyclic
        self.anchors = anchors
        self.candidates: set[str] = set()
        self.left: set[str] = set()
        self.counter = counter_of(acyclic) if acyclic in instrumentation.sets else ""  # else they are all fields
        self.conflicts: set[Conflict] = set()

    # --- stores ------------------------------------------------------------------------------------------------------

    def _copied(self, heap: Heap[F], cell: Cell, source: Cell) -> Heap[F]:
        if cell.is_field and cell != source and self._ordered(heap, cell):
            self._observe(heap, cell, source)
        return super()._copied(heap, cell, source)

    def _ordered(self, heap: Heap[F], cell: Cell) -> bool:
        """Whether a field is in A."""
        return self._field(heap, cell) in self.acyclic

    def _field(self, heap: Heap[F], cell: Cell) -> str:
        return f"{heap.nodes[cell.node].type}.{cell.field}"

    def _observe(self, heap: Heap[F], cell: Cell, source: Cell) -> None:
        """Records the conflicts of a store; the block that is written is a plain node."""
        x, field = cell.node, self._field(heap, cell)
        if not all(self._inside(heap, source, node) for node in heap.targets(source)):
            self.conflicts.add((field, field))
        heap = self._unanchored(heap, x)
        block = self._block(heap, x)
        doubt = [self.domain.literal(flag) for node in block if (flag := edge(source, node)) in heap.flags]
        doubt += [self.domain.literal(flag) for node in block for flag in self._counts(heap, node)]
        heap = self.lattice.restricted(heap, disjunction(self.domain, doubt))
        for y, part in [] if self.lattice.empty(heap) else self._pointing(heap, source):
            if y == JUNK or exists(y) not in part.flags:
                continue
            live = self._unanchored(self.lattice.restricted(part, self.domain.literal(exists(y))), y)
            block = self._block(live, x) if x in live.nodes else [x]
            near = y in block or (len({*block, *self._block(live, y)}) > 2 and self._leads(live, [y], x))
            if near and not self.lattice.empty(live):
                self._conflict(live, (field, field), (x, y))
                continue
            for flag, bad in self._above(live, x, y) if self._leads(live, [y], x) else ():
                if not self.lattice.empty(self.lattice.restricted(live, bad)):
                    self._conflict(live, (field, self._field(live, flag.cell)), (x, y))

    def _conflict(self, heap: Heap[F], conflict: Conflict, nodes: tuple[Name, Name]) -> None:
        self.conflicts.add(conflict)
        pointers = {cell.field for node in nodes for cell in heap.sources(node) if not cell.is_field}
        variables = self.program.variables
        self.candidates |= {name for name in pointers if name in variables and not variables[name].temporary}

    def _counts(self, heap: Heap[F], node: Name) -> list[Flag]:
        """The bits of a node's A-counter that may be 1."""
        if not self.acyclic:
            return []
        bits = (count(node, bit, self.counter) for bit in (0, 1))
        return [flag for flag in bits if flag in heap.flags]

    def _leads(self, heap: Heap[F], starts: Iterable[Name], end: Name) -> bool:
        """Whether there may be a path of A-edges from some nodes to another one that meets no anchored block."""
        edges = {f for f in heap.flags if f.kind == "edge" and f.cell.is_field and self._ordered(heap, f.cell)}
        possible = self.domain.possible(heap.function, edges)
        met = {node for node in {flag.node for flag in possible} if self._is_anchored(heap, node)}
        counting = replace(heap, flags=frozenset(flag for flag in possible if flag.node not in met))
        seen: set[Name] = set()
        while more := self._blocks(heap, set(starts) - met) - seen:
            seen |= more
            starts = reached(counting, more)
        return end in seen

    def _block(self, heap: Heap[F], name: Name) -> list[Name]:
        """The nodes of a block: all elements of an array."""
        node = heap.nodes[name]
        if not node.element:
            return [name]
        return [other for other, found in sorted(heap.nodes.items()) if found.element and found.site == node.site]

    def _blocks(self, heap: Heap[F], names: Iterable[Name]) -> set[Name]:
        return {node for name in names if name in heap.nodes for node in self._block(heap, name)}

    def _above(self, heap: Heap[F], x: Name, y: Name) -> Iterator[tuple[Flag, F]]:
        """The A-edges from y to live blocks that are not below x, where y is not either."""
        apart = self.domain.top() if y not in heap.nodes else _not(self, self._below(heap, x, y))
        for flag in self._edges_from(heap, y):
            there = self.domain.meet(self.domain.literal(flag), self.domain.literal(exists(flag.node)))
            unseen = _not(self, self._below(heap, x, flag.node))
            yield flag, conjunction(self.domain, (apart, there, unseen))

    def _below(self, heap: Heap[F], x: Name, target: Name) -> list[list[Flag]]:
        """Paths of one or two A-edges from x to a node, as flags that are all 1."""
        paths: list[list[Flag]] = []
        for first in self._edges_from(heap, x):
            if first.node == target:
                paths.append([first])
            elif first.node != x and not self.anchors and not self._is_root(heap, first.node):  # else it may not count
                paths += [[first, then] for then in self._edges_from(heap, first.node) if then.node == target]
        return paths

    def _edges_from(self, heap: Heap[F], node: Name) -> list[Flag]:
        """The A-edges of a node to nodes that may be live."""
        return sorted(
            flag
            for flag in heap.flags
            if flag.kind == "edge" and flag.cell.node == node and flag.node != JUNK and exists(flag.node) in heap.flags
            if self._ordered(heap, flag.cell)
        )

    def _inside(self, heap: Heap[F], cell: Cell, node: Name) -> bool:
        """Whether a variable that points to a node points into the block, and not beside it."""
        if node == JUNK:
            return True
        types, block = self.offsets.types_of(cell.field), heap.nodes[node].type
        parts = {type for type, _, _ in self.offsets.objects(block)}
        return all(self.offsets.is_data(type) or type in parts for type in types)

    # --- rings -------------------------------------------------------------------------------------------------------

    def _anchoring(self, heap: Heap[F], node: Name) -> list[Flag]:
        """The flags of anchors that may point into a block."""
        whole = node != JUNK and not heap.nodes[node].element
        cells = [variable(name) for name in sorted(self.anchors)] if whole else []
        return [edge(cell, node) for cell in cells if edge(cell, node) in heap.flags and self._inside(heap, cell, node)]

    def _unanchored(self, heap: Heap[F], node: Name) -> Heap[F]:
        """The part of a heap in which no anchor points to a plain node, which is no root either."""
        if self._is_root(heap, node):
            return self.lattice.restricted(heap, self.domain.bottom())
        return self.lattice.restricted(heap, self.lattice.zero(self._anchoring(heap, node)))

    def _is_anchored(self, heap: Heap[F], node: Name) -> bool:
        """Whether an anchor points to the block of a plain node wherever that is live."""
        if self._is_root(heap, node):
            return True
        if not self.anchors or node == JUNK or heap.nodes[node].summary or exists(node) not in heap.flags:
            return False
        live = self.lattice.restricted(heap, self.domain.literal(exists(node)))
        return self.lattice.empty(self._unanchored(live, node))

    def _is_root(self, heap: Heap[F], node: Name) -> bool:
        """Whether a node is a global whose address some variable always holds."""
        return node != JUNK and heap.nodes[node].storage is Storage.STATIC and self.rooted

    def marked(self, heap: Heap[F], name: str) -> Heap[F]:
        """The heap with one more variable, which points where an anchor does."""
        return self._copied(heap, _mark(name), variable(name))

    def leave(self, heap: Heap[F], name: str) -> None:
        """Notes that an anchor left the block that its mark points to."""
        if any(self._is_left(part) for part in self._by_anchors(heap, _mark(name))):
            self.left.add(name)
            self.conflicts |= {(field, field) for field in self.acyclic}

    def _by_anchors(self, heap: Heap[F], mark: Cell) -> list[tuple[Name, Heap[F]]]:
        """The heap by the block that was left, and by those of anchors, which are plain nodes."""
        heaps = [heap]
        for cell in map(variable, sorted(self.anchors)):
            if any(flag.cell == cell for flag in heap.flags):
                split = [[self._null(one, cell), *(part for _, part in self._pointing(one, cell))] for one in heaps]
                heaps = [part for parts in split for part in parts if not self.lattice.empty(part)]
        return [found for one in heaps for found in self._pointing(one, mark)]

    def _is_left(self, found: tuple[Name, Heap[F]]) -> bool:
        """Whether a live block may be on a cycle that meets no block of an anchor."""
        node, heap = found
        if node == JUNK or exists(node) not in heap.flags:
            return False
        counts = disjunction(self.domain, (self.domain.literal(flag) for flag in self._counts(heap, node)))
        live = self.lattice.restricted(heap, self.domain.meet(self.domain.literal(exists(node)), counts))
        live = self._unanchored(live, node)
        if heap.nodes[node].element:
            return not self.lattice.empty(live)
        next_ = self.domain.possible(live.function, self._edges_from(live, node))
        return not self.lattice.empty(live) and self._leads(live, {flag.node for flag in next_}, node)

    # --- checks ------------------------------------------------------------------------------------------------------

    def lost(self, heap: Heap[F]) -> Heap[F]:
        """The part of a heap in which a live block is pointed to by no variable and no A-field."""
        found = []
        for name, node in sorted(heap.nodes.items()):
            if exists(name) not in heap.flags or self._is_root(heap, name) or node.element == REST:
                continue
            cells = [cell for cell in heap.sources(name) if not cell.is_field and self._inside(heap, cell, name)]
            unheld = self.lattice.zero([*(edge(cell, name) for cell in cells), *self._counts(heap, name)])
            unheld = self.domain.meet(unheld, self.lattice.exists(name))
            if node.storage is not Storage.HEAP and self.instrumentation.out and not node.element:
                leads = [f for f in heap.flags if f.kind == "some" and f.node == name and self._ordered(heap, f.cell)]
                unheld = self.domain.meet(unheld, disjunction(self.domain, map(self.domain.literal, sorted(leads))))
            found.append(self.lattice.restricted(heap, unheld))
        return self._joined(found)

    def remaining(self, heap: Heap[F]) -> Heap[F]:
        """The part of a heap in which there is a live heap block."""
        blocks = [name for name, node in sorted(heap.nodes.items()) if node.storage is Storage.HEAP]
        live = (self.domain.literal(exists(name)) for name in blocks if exists(name) in heap.flags)
        return self.lattice.restricted(heap, disjunction(self.domain, live))

    @cached_property
    def rooted(self) -> bool:
        """Whether every global's block stays in a variable of the program that is written once."""
        written = [defined(step.command) for step in self.program.graph.edges]
        statics = [
            step.command.target
            for step in self.program.graph.edges
            if isinstance(step.command, New) and step.command.storage is Storage.STATIC
        ]
        return all(written.count(name) == 1 and not self.program.variables[name].temporary for name in statics)


def _mark(name: str) -> Cell:
    return variable(f"{name} before")


def _not(self: Acyclicity[F], paths: list[list[Flag]]) -> F:
    """None of the paths is there."""
    domain = self.domain
    return conjunction(domain, (disjunction(domain, (domain.literal(f, False) for f in path)) for path in paths))
