"""Order and join of abstract heaps, which first agree on nodes and flags.

A node or flag that only one of two heaps has is added to the other: as a node that does not exist, as a flag that is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Generic

from heapwright.engines.fesa.graph.abstract_heap import JUNK, F, Flag, Heap, Name, exists, into, moved, out
from heapwright.engines.fesa.numeric.api import Numeric, conjunction


class Lattice(Generic[F]):
    def __init__(self, domain: Numeric[F]) -> None:
        self.domain = domain

    def restricted(self, heap: Heap[F], constraint: F) -> Heap[F]:
        return replace(heap, function=self.domain.meet(heap.function, constraint))

    def empty(self, heap: Heap[F]) -> bool:
        return self.domain.is_bottom(heap.function)

    def zero(self, flags: Iterable[Flag]) -> F:
        return conjunction(self.domain, (self.domain.literal(flag, False) for flag in flags))

    def with_flags(self, heap: Heap[F], flags: Iterable[Flag]) -> Heap[F]:
        """The heap with flags that it does not have yet, as 0."""
        new = frozenset(flags) - heap.flags
        if not new:
            return heap
        function = self.domain.meet(heap.function, self.zero(sorted(new)))
        return Heap(heap.nodes, heap.flags | new, function)

    def without_flags(self, heap: Heap[F], flags: Iterable[Flag]) -> Heap[F]:
        """The heap where some flags are 0 from now on."""
        gone = frozenset(flags) & heap.flags
        if not gone:
            return heap
        return Heap(heap.nodes, heap.flags - gone, self.domain.drop(heap.function, sorted(gone)))

    def renamed(self, heap: Heap[F], names: Mapping[Name, Name]) -> Heap[F]:
        """The heap with other names for some nodes; no two become one."""
        if all(old == new for old, new in names.items()):
            return heap
        flags = {flag: moved(flag, names) for flag in sorted(heap.flags)}  # new flags are numbered as they come
        nodes = {names.get(name, name): node for name, node in heap.nodes.items()}
        return Heap(nodes, frozenset(flags.values()), self.domain.rename(heap.function, flags))

    def join(self, left: Heap[F], right: Heap[F]) -> Heap[F]:
        if self.empty(left):
            return right
        if self.empty(right):
            return left
        nodes = dict(left.nodes)
        for name, node in right.nodes.items():
            mine = nodes.get(name)
            nodes[name] = node if mine is None else replace(mine, summary=mine.summary or node.summary)
        one = self.with_flags(left, right.flags)
        other = self.with_flags(right, left.flags)
        return Heap(nodes, one.flags, self.domain.join(one.function, other.function))

    def leq(self, left: Heap[F], right: Heap[F]) -> bool:
        """Whether the right heap covers the left one; no may be spurious."""
        if self.empty(left):
            return True
        lone: list[Flag] = []
        for name, node in left.nodes.items():
            other = right.nodes.get(name)
            if other is None or other.type != node.type or (node.summary and not other.summary):
                return False
            if other.summary and not node.summary:
                lone += [kind(name, field) for field in right.ghost_fields(name) for kind in (out, into)]
        bigger = self.domain.drop(right.function, lone) if lone else right.function
        extended = self.with_flags(left, right.flags - frozenset(lone))
        extra = extended.flags - right.flags
        if self.domain.possible(extended.function, extra):
            return False
        return self.domain.leq(extended.function, bigger)

    def trimmed(self, heap: Heap[F]) -> Heap[F]:
        """Without flags that are always 0, and without nodes that neither exist nor are pointed to."""
        if self.empty(heap):
            return Heap({}, frozenset(), self.domain.bottom())
        never = heap.flags - self.domain.possible(heap.function, heap.flags)
        # The two flags of a ghost's field go together.
        gone = [flag for flag in never if flag.kind not in ("out", "into") or never.issuperset(_pair(flag))]
        heap = self.without_flags(heap, gone)
        present = {flag.node for flag in heap.flags if flag.kind in ("exists", "edge")}
        dead = [name for name in heap.nodes if name not in present and name != JUNK]
        for name in dead:
            heap = self.without_flags(heap, heap.flags_of(name))
        nodes = {name: node for name, node in heap.nodes.items() if name not in dead}
        return Heap(nodes, heap.flags, heap.function)

    def exists(self, node: Name) -> F:
        return self.domain.literal(exists(node))


def _pair(flag: Flag) -> tuple[Flag, Flag]:
    return flag._replace(kind="out"), flag._replace(kind="into")
