"""Shapes that an abstract heap proves: `acyclic`, `dll`, `tree` and `disjoint` of heapwright.h.

What a variable reaches along fields is over-approximated by the nodes that the points-to graph has below it. A shape
holds if, for these nodes, no vector shows the contrary:

- The walk reads valid memory: no pointer on it is junk or leads to an object that does not exist.
- `tree`: no object has two incoming pointers along the fields, and the first has none. Then no object is met twice. A
  pointer to the first does no harm where the fields form no cycle (`acyclicity.py`).
- `acyclic`: the same along one field; or the field forms no cycle, whatever the counters say.
- `disjoint`: a first common object would be one of the two first ones, with a pointer to it (or both at once), or have
  two incoming pointers.
- `dll`: acyclic, and where the next object of one is another, in one vector, the previous object of that is the one.

Counters of more fields than those of the shape are upper bounds, and will do.

    shapes.shaped(heap, ShapeLiteral("acyclic", (Var("x"),), ("next",)))     # Proof.ALWAYS
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from heapwright.engines.fesa.graph.abstract_heap import (
    JUNK,
    Cell,
    F,
    Flag,
    Heap,
    Name,
    count,
    counter_of,
    edge,
    exists,
    into,
    out,
    variable,
)
from heapwright.engines.fesa.numeric.api import conjunction
from heapwright.engines.fesa.transfer.acyclicity import Acyclicity
from heapwright.engines.fesa.transfer.cells import PROVABLE
from heapwright.program.expressions import Null, Pointer, ShapeLiteral, Var


class Proof(Enum):
    """Whether a shape holds: if the set A of fields forms no cycle, it does."""

    NONE = 0
    WITHOUT_CYCLES = 1
    ALWAYS = 2


class Shapes(Acyclicity[F]):
    def shaped(self, heap: Heap[F], literal: ShapeLiteral) -> Proof:
        """Whether the literal holds in all heaps that an abstract heap describes."""
        if literal.negated or literal.predicate not in PROVABLE or not self.instrumentation.into:
            return Proof.NONE
        starts = [pointer.name for pointer in literal.pointers if isinstance(pointer, Var)]
        if len(starts) + sum(isinstance(one, Null) for one in literal.pointers) < len(literal.pointers):
            return Proof.NONE
        fields = [field.replace("$/", ".") for field in literal.fields]
        followed = fields if literal.predicate == "tree" else fields[:1]
        below = {name: self._below_all(heap, name, followed) for name in starts}
        if not all(self._readable(heap, name, cells) for name, cells in below.items()):
            return Proof.NONE
        if literal.predicate == "disjoint":
            return self._disjoint(heap, literal.pointers, below)
        proof = Proof.ALWAYS if not starts else self._tree(heap, starts[0], below[starts[0]], len(followed) == 1)
        if literal.predicate == "dll" and starts and not self._linked_back(heap, starts[0], below[starts[0]], fields):
            return Proof.NONE
        return proof

    # --- walks -------------------------------------------------------------------------------------------------------

    def _below_all(self, heap: Heap[F], name: str, fields: Sequence[str]) -> dict[Name, list[Cell]] | None:
        """The nodes that a variable may reach along fields, each with these fields of it; None if one has none."""
        found: dict[Name, list[Cell]] = {}
        waiting = [node for node in heap.targets(variable(name)) if node != JUNK]
        while waiting:
            node = waiting.pop()
            if node in found:
                continue
            cells = self._cells(heap, node, name, fields)
            if cells is None:
                return None
            found[node] = cells
            waiting += [target for cell in cells for target in heap.targets(cell) if target != JUNK]
        return found

    def _cells(self, heap: Heap[F], node: Name, name: str, fields: Sequence[str]) -> list[Cell] | None:
        if heap.nodes[node].element:
            return None
        declared, block = self.program.variables[name].target, heap.nodes[node].type
        names = [self.offsets.field(block, declared, field) for field in fields]
        tracked = self.offsets.names(self.read)
        if any(field is None or f"{block}.{field}" not in tracked for field in names):
            return None
        return [Cell(node, field) for field in names if field is not None]

    def _readable(self, heap: Heap[F], name: str, below: dict[Name, list[Cell]] | None) -> bool:
        """Whether no pointer on a walk is junk or dangling."""
        if below is None:
            return False
        cells = [variable(name), *(cell for found in below.values() for cell in found)]
        for cell in cells:
            for target in heap.targets(cell):
                if self._may(heap, [edge(cell, target)], [exists(target)]):
                    return False
        return not any(
            self._may(heap, [into(cell.node, cell.field)], [exists(cell.node)]) for cell in cells if cell.is_field
        )

    def _may(self, heap: Heap[F], ones: Iterable[Flag], zeros: Iterable[Flag] = ()) -> bool:
        """Whether a vector has some flags and not others."""
        ones = list(ones)
        if not heap.flags.issuperset(ones):
            return False
        wanted = [*map(self.domain.literal, ones), self.lattice.zero(f for f in zeros if f in heap.flags)]
        return not self.domain.is_bottom(self.domain.meet(heap.function, conjunction(self.domain, wanted)))

    # --- shapes ------------------------------------------------------------------------------------------------------

    def _tree(self, heap: Heap[F], name: str, below: dict[Name, list[Cell]] | None, chain: bool) -> Proof:
        """`chain`: along one field, so that without cycles counters do not matter."""
        cells = [cell for found in (below or {}).values() for cell in found]
        fields = frozenset(self._field(heap, cell) for cell in cells)
        counter = self._counter_above(fields)
        once = not any(self._may(heap, [exists(node), count(node, 1, counter)]) for node in below or ())
        if once and not self._pointed_at(heap, name, counter):
            return Proof.ALWAYS
        if any(self._is_root(heap, node) for node in below or ()):  # the fields may form cycles through it
            return Proof.NONE
        return Proof.WITHOUT_CYCLES if fields <= self.acyclic and (once or chain) else Proof.NONE

    def _pointed_at(self, heap: Heap[F], name: str, counter: str) -> bool:
        """Whether a field may point to what a variable points to."""
        targets = [node for node in heap.targets(variable(name)) if node != JUNK]
        bits = [(node, count(node, bit, counter)) for node in targets for bit in (0, 1)]
        return any(self._may(heap, [edge(variable(name), node), bit]) for node, bit in bits)

    def _counter_above(self, fields: frozenset[str]) -> str:
        """The counter of the smallest set that has all these fields."""
        sets = sorted(
            (one for one in self.instrumentation.sets if fields <= one), key=lambda one: (len(one), sorted(one))
        )
        return counter_of(sets[0]) if sets else ""

    def _disjoint(
        self,
        heap: Heap[F],
        pointers: Sequence[Pointer],
        below: dict[str, dict[Name, list[Cell]] | None],
    ) -> Proof:
        names = [pointer.name for pointer in pointers if isinstance(pointer, Var)]
        if len(names) < 2:
            return Proof.ALWAYS
        one, other = (below[name] or {} for name in names)
        common = sorted(one.keys() & other.keys())
        cells = [cell for found in (*one.values(), *other.values()) for cell in found]
        counter = self._counter_above(frozenset(self._field(heap, cell) for cell in cells))
        same = any(self._may(heap, [edge(variable(name), node) for name in names]) for node in common)
        shared = any(self._may(heap, [exists(node), count(node, 1, counter)]) for node in common)
        entered = any(self._pointed_at(heap, name, counter) for name in names)
        return Proof.NONE if common and (same or shared or entered) else Proof.ALWAYS

    def _linked_back(
        self, heap: Heap[F], name: str, below: dict[Name, list[Cell]] | None, fields: Sequence[str]
    ) -> bool:
        """Whether the second field of what the first one leads to leads back."""
        for node in below or ():
            mine = self._cells(heap, node, name, fields)
            if mine is None or self._may(heap, [out(node, mine[0].field)], [into(node, mine[1].field)]):
                return False
            for target in heap.targets(mine[0]):
                theirs = self._cells(heap, target, name, fields)
                if theirs is None or self._may(heap, [edge(mine[0], target)], [edge(theirs[1], node)]):
                    return False
        return True

    # --- words -------------------------------------------------------------------------------------------------------

    def words(self, heap: Heap[F]) -> Iterator[str]:
        """The lists and trees that variables of the program point to, in words."""
        for name, declared in sorted(self.program.variables.items()):
            if not declared.source_name or declared.temporary or not heap.targets(variable(name)):
                continue
            type = self.program.types.get(declared.target)
            own = [field.name for field in (type.fields if type is not None else ()) if field.target == declared.target]
            for fields in [own] if len(own) == 2 else []:
                if self.shaped(heap, ShapeLiteral("tree", (Var(name),), tuple(fields))) is Proof.ALWAYS:
                    yield f"a tree along {fields[0]} and {fields[1]} from {declared.source_name}"
            for field in own:
                if self.shaped(heap, ShapeLiteral("acyclic", (Var(name),), (field,))) is Proof.ALWAYS:
                    yield f"a list along {field} from {declared.source_name}"
