"""Widening: nodes of the same type that are reachable from the same variables are summarised.

Afterwards nodes are named by their type and these variables, so that heaps of different iterations of a loop have the
same nodes where they have the same shape. A join adds edges, which may change reachability: then nodes are renamed, and
the loop is iterated once more. Two nodes of which at most one exists need no summary.

With `apart`, an object that a variable points to has a name of its own. That costs time and is rarely needed; but
in a ring every variable reaches all objects, and the rest of one that is being freed ends where a variable points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic

from heapwright.engines.fesa.graph.abstract_heap import JUNK, F, Heap, Name, edge, exists
from heapwright.engines.fesa.graph.lattice import Lattice
from heapwright.engines.fesa.graph.summaries import Summaries
from heapwright.program.types import Storage


class Widening(Generic[F]):
    def __init__(self, lattice: Lattice[F], summaries: Summaries[F], *, apart: bool = False) -> None:
        self.lattice = lattice
        self.summaries = summaries
        self.apart = apart

    def widened(self, old: Heap[F] | None, new: Heap[F]) -> Heap[F]:
        """A heap above both, with nodes named by the variables that reach them."""
        named = self.named(new)
        return named if old is None else self.named(self.lattice.join(old, named))

    def named(self, heap: Heap[F]) -> Heap[F]:
        """The heap with nodes of the same name summarised, until no name changes."""
        while True:
            heap = self.lattice.trimmed(heap)
            names = names_of(heap)
            if self.apart:
                names |= self._held(heap, names)
            first: dict[Name, Name] = {}
            merged = False
            for node in sorted(heap.nodes):
                name = names[node]
                if name in first:
                    united = self.summaries.united(heap, first[name], node)
                    heap = united or self.summaries.summarized(heap, first[name], node)
                    merged = True
                else:
                    first[name] = node
            if not merged:
                return self.lattice.renamed(heap, {node: name for name, node in first.items()})

    def _held(self, heap: Heap[F], names: Mapping[Name, Name]) -> dict[Name, Name]:
        """Names of objects that variables point to whenever they are there."""
        domain = self.lattice.domain
        found: dict[Name, Name] = {}
        for node, name in names.items():
            if (
                heap.nodes[node].summary
                or heap.nodes[node].storage is not Storage.HEAP
                or exists(node) not in heap.flags
            ):
                continue
            there = domain.meet(heap.function, self.lattice.exists(node))
            held = [
                cell.field
                for cell in heap.sources(node)
                if not cell.is_field and not domain.values(there, edge(cell, node))[0]
            ]
            if held:
                found[node] = Name("held", (*name.key, "=", *held))
        return found


def names_of(heap: Heap[F]) -> dict[Name, Name]:
    """The new name of each node."""
    starts: dict[str, list[Name]] = {}
    for flag in sorted(heap.flags):
        if flag.kind == "edge" and not flag.cell.is_field:
            starts.setdefault(flag.cell.field, []).append(flag.node)
    leading: dict[Name, list[str]] = {node: [] for node in heap.nodes}
    for name, nodes in sorted(starts.items()):
        for node in reached(heap, nodes):
            leading[node].append(name)
    return {
        name: Name("by", (node.type, *leading[name]))
        if node.storage is Storage.HEAP
        else Name("at", (node.type, str(node.site)))
        for name, node in heap.nodes.items()
    }


def reached(heap: Heap[F], starts: Iterable[Name]) -> set[Name]:
    """The nodes reachable in the points-to graph, whatever the function says."""
    leads: dict[Name, set[Name]] = {}
    for flag in heap.flags:
        if flag.kind == "edge" and flag.cell.is_field:
            leads.setdefault(flag.cell.node, set()).add(flag.node)
    seen = {node for node in starts if node != JUNK}
    waiting = sorted(seen)
    while waiting:
        for node in leads.get(waiting.pop(), ()):
            if node not in seen and node != JUNK:
                seen.add(node)
                waiting.append(node)
    return seen
