"""Summarisation and materialisation (sections 2.2 and 2.3): two nodes become one, one object is taken out of a summary.

Summarisation makes two nodes compatible, turns the edges between them into edges to and from ghosts, and folds the
flags of one onto those of the other. Materialisation expands the flags of a summary to those of the object that is
taken out, and its ghost's to the edges between the two. In a function over representatives and ghosts, every pair of an
object and another one of the same summary has its own vector.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Generic

from heapwright.engines.fesa.graph.abstract_heap import Cell, F, Flag, Heap, Name, edge, into, moved, out
from heapwright.engines.fesa.graph.lattice import Lattice
from heapwright.engines.fesa.numeric.api import Numeric, expand, fold, same


class Summaries(Generic[F]):
    def __init__(self, domain: Numeric[F], lattice: Lattice[F]) -> None:
        self.domain = domain
        self.lattice = lattice

    # --- summarise ---------------------------------------------------------------------------------------------------

    def summarized(self, heap: Heap[F], kept: Name, gone: Name) -> Heap[F]:
        """The node `kept` denotes its own objects and those of `gone`."""
        heap = self._compatible(heap, kept, gone)
        fields = self._fields_between(heap, kept, gone)
        heap = self._disconnected(heap, kept, gone, fields)
        onto = {flag: moved(flag, {gone: kept}) for flag in heap.flags_of(gone)}
        site = min(heap.nodes[kept].site, heap.nodes[gone].site)
        nodes = {name: value for name, value in heap.nodes.items() if name != gone}
        nodes[kept] = replace(nodes[kept], summary=True, site=site)
        return Heap(nodes, heap.flags - onto.keys(), fold(self.domain, heap.function, onto))

    def _disconnected(self, heap: Heap[F], one: Name, other: Name, fields: list[str]) -> Heap[F]:
        """Without the edges between two nodes: each is one to or from the other's ghost, beside those that it has."""
        function = heap.function
        for mine, theirs in ((one, other), (other, one)):
            ghosts = {field: self._ghosts(mine, field) for field in fields}
            had = [flag for pair in ghosts.values() for flag in pair if flag in heap.flags]
            copies = {flag: flag._replace(kind=f"{flag.kind} copy") for flag in had}
            for field in fields:
                for flag, between in zip(ghosts[field], self._between(mine, theirs, field), strict=True):
                    function = self.domain.meet(function, same(self.domain, copies.get(flag, flag), between))
            if copies:
                function = fold(self.domain, function, {copy: flag for flag, copy in copies.items()})
        both = [flag for field in fields for flag in self._between(one, other, field)]
        flags = {flag for name in (one, other) for field in fields for flag in self._ghosts(name, field)}
        function = self.domain.drop(function, both)
        return Heap(heap.nodes, (heap.flags | flags) - frozenset(both), function)

    def _ghosts(self, node: Name, field: str) -> list[Flag]:
        return [out(node, field), into(node, field)]

    def united(self, heap: Heap[F], kept: Name, gone: Name) -> Heap[F] | None:
        """Two concrete nodes of which at most one exists, as one concrete node; None if both may exist."""
        if heap.nodes[kept].summary or heap.nodes[gone].summary:
            return None
        ones = self.lattice.restricted(heap, self.lattice.zero(heap.flags_of(gone)))
        others = self.lattice.restricted(heap, self.lattice.zero(heap.flags_of(kept)))
        if not self.domain.leq(heap.function, self.domain.join(ones.function, others.function)):
            return None
        renamed = self.lattice.renamed(self._without(others, kept), {gone: kept})
        return self.lattice.join(self._without(ones, gone), renamed)

    def _without(self, heap: Heap[F], node: Name) -> Heap[F]:
        nodes = {name: found for name, found in heap.nodes.items() if name != node}
        return replace(self.lattice.without_flags(heap, heap.flags_of(node)), nodes=nodes)

    def _compatible(self, heap: Heap[F], one: Name, other: Name) -> Heap[F]:
        """Both nodes get the flags that either has."""
        wanted: list[Flag] = []
        for mine, theirs in ((one, other), (other, one)):
            for flag in heap.flags_of(mine):
                if flag.kind not in ("out", "into") and not mentions_both(flag, mine, theirs):
                    wanted.append(moved(flag, {mine: theirs}))
        fields = self._fields_between(heap, one, other)
        wanted += [flag for field in fields for flag in self._between(one, other, field)]
        summaries = [name for name in (one, other) if heap.nodes[name].summary]
        wanted += [kind(name, field) for name in summaries for field in fields for kind in (out, into)]
        return self.lattice.with_flags(heap, wanted)

    def _fields_between(self, heap: Heap[F], one: Name, other: Name) -> list[str]:
        found = set(heap.ghost_fields(one)) | set(heap.ghost_fields(other))
        for flag in heap.flags:
            if flag.kind == "edge" and {flag.node, flag.cell.node} == {one, other}:
                found.add(flag.cell.field)
        return sorted(found)

    def _between(self, one: Name, other: Name, field: str) -> list[Flag]:
        return [edge(Cell(one, field), other), edge(Cell(other, field), one)]

    # --- materialise -------------------------------------------------------------------------------------------------

    def materialized(self, heap: Heap[F], summary: Name, single: Name, known: F | None = None) -> list[Heap[F]]:
        """One object of a summary as the node `single`: the only one there is, one of two, or one of more.

        What is `known` of the result is put in first, which keeps the functions on the way to it small.
        """
        known = self.domain.top() if known is None else known
        fields = heap.ghost_fields(summary)
        ghosts = [kind(summary, field) for field in fields for kind in (out, into)]
        only = self._plain(self.lattice.without_flags(heap, ghosts), summary)
        only = self.lattice.restricted(self.lattice.renamed(only, {summary: single}), known)
        own = [flag for flag in heap.flags_of(summary) if flag not in ghosts]
        copies = {flag: moved(flag, {summary: single}) for flag in own}
        there = {out(summary, f): edge(Cell(summary, f), single) for f in fields}
        there |= {into(summary, f): edge(Cell(single, f), summary) for f in fields}
        back = {there[out(summary, f)]: there[into(summary, f)] for f in fields}
        exchanged = {**copies, **back, **{other: flag for flag, other in back.items()}}
        nodes = {**heap.nodes, single: replace(heap.nodes[summary], summary=False)}
        flags = heap.flags - frozenset(ghosts) | frozenset(copies.values()) | frozenset(there.values())
        pair = expand(self.domain, self.domain.rename(heap.function, there), exchanged, known)
        two = Heap(nodes, flags, pair)
        more = Heap(nodes, flags | frozenset(ghosts), self.domain.meet(pair, heap.function))
        return [only, self._plain(two, summary), more]

    def _plain(self, heap: Heap[F], name: Name) -> Heap[F]:
        return heap.with_node(name, replace(heap.nodes[name], summary=False))


def mentions_both(flag: Flag, one: Name, other: Name) -> bool:
    return {flag.node, flag.cell.node} == {one, other}
