"""Widening (section 3.2): nodes of the same type that are reachable from the same variables are summarised.

How the nodes of two heaps find one another is a `Rule`, and rules that keep more nodes apart cost more:

- `TYPES`: at every join, all nodes of a type become one. Only the Boolean function distinguishes its objects.
- `LOOPS` is the paper's. Heaps are joined at loop heads, by the names that their nodes have; the nodes of the joined
  graph are partitioned by the variables that reach them, and the oldest of a partition keeps its name.
- `NAMED` partitions the new heap before it is joined, and names nodes by their type and the variables that reach them;
  heaps of different iterations then have the same nodes where they have the same shape. A join adds edges, which may
  change reachability: then nodes are renamed, and the loop is iterated once more.
- `JOINS` names nodes like `NAMED`, at every join: where two branches push onto two lists, the new nodes of both are
  told apart by the list, and so is what their data fields hold.
- `APART`: beyond `NAMED`, an object that a variable points to has a name of its own. In a ring every variable reaches
  all objects, and the rest of one that is being freed ends where a variable points.

Two nodes of which at most one exists need no summary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic

from heapwright.engines.fesa.graph.abstract_heap import JUNK, F, Heap, Name, Node, edge, exists
from heapwright.engines.fesa.graph.lattice import Lattice
from heapwright.engines.fesa.graph.summaries import Summaries
from heapwright.program.types import Storage


@dataclass(frozen=True, slots=True)
class Rule:
    """`types`: the nodes of a type are one. `named`: nodes are named by the variables that reach them. `apart`: objects
    that variables point to are not summarised. `joins`: at every join, and not at loop heads alone."""

    types: bool = False
    named: bool = False
    apart: bool = False
    joins: bool = False


TYPES = Rule(types=True, joins=True)
LOOPS = Rule()
NAMED = Rule(named=True)
JOINS = Rule(named=True, joins=True)
APART = Rule(named=True, apart=True)
LADDER = (TYPES, LOOPS, NAMED, JOINS, APART)  # cheapest first


class Widening(Generic[F]):
    def __init__(self, lattice: Lattice[F], summaries: Summaries[F], rule: Rule = NAMED) -> None:
        self.lattice = lattice
        self.summaries = summaries
        self.rule = rule

    def widened(self, old: Heap[F] | None, new: Heap[F]) -> Heap[F]:
        """A heap above both, with one node for each partition."""
        if not self.rule.named:
            return self.partitioned(new if old is None else self.lattice.join(old, new))
        named = self.named(new)
        return named if old is None else self.named(self.lattice.join(old, named))

    def partitioned(self, heap: Heap[F]) -> Heap[F]:
        """The heap with the nodes of a partition summarised onto the oldest. Summaries of nodes that the same variables
        reach change no reachability, so once is enough."""
        heap = self.lattice.trimmed(heap)
        oldest: dict[Name, Name] = {}
        partitions = types_of(heap) if self.rule.types else names_of(heap)
        for node, partition in partitions.items():  # nodes are in the order of their ages
            kept = oldest.setdefault(partition, node)
            if kept != node:
                heap = self._merged(heap, kept, node)
        return heap

    def _merged(self, heap: Heap[F], kept: Name, gone: Name) -> Heap[F]:
        return self.summaries.united(heap, kept, gone) or self.summaries.summarized(heap, kept, gone)

    def named(self, heap: Heap[F]) -> Heap[F]:
        """The heap with nodes of the same name summarised and so named, until no name changes."""
        while True:
            heap = self.lattice.trimmed(heap)
            names = names_of(heap)
            if self.rule.apart:
                names |= self._held(heap, names)
            first: dict[Name, Name] = {}
            merged = False
            for node in sorted(heap.nodes):
                name = names[node]
                if name in first:
                    heap = self._merged(heap, first[name], node)
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


def types_of(heap: Heap[F]) -> dict[Name, Name]:
    """The partition of each node by its type; variables that are objects, and arrays, stay apart."""
    return {
        name: Name("of", (node.type, str(node.site) if _apart(node) else "", node.element))
        for name, node in heap.nodes.items()
    }


def _apart(node: Node) -> bool:
    return node.storage is not Storage.HEAP or bool(node.element)


def names_of(heap: Heap[F]) -> dict[Name, Name]:
    """The partition of each node by its type and the variables that reach it."""
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
        if not _apart(node)
        else Name("at", (node.type, str(node.site), node.element))
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
