"""Summarisation and materialisation (sections 2.2 and 2.3): two nodes become one, one object is taken out of a summary.

Both rename and project flags and combine functions. In a function over representatives and ghosts, every pair of an
object and another one of the same summary has its own vector; so summarisation is the union over the choices of
representative and ghost, and materialisation the intersection of what the vectors of these pairs allow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Generic

from heapwright.engines.fesa.graph.abstract_heap import Cell, F, Flag, Heap, Name, edge, into, moved, out
from heapwright.engines.fesa.graph.lattice import Lattice
from heapwright.engines.fesa.numeric.api import Numeric, conjunction, disjunction


class Summaries(Generic[F]):
    def __init__(self, domain: Numeric[F], lattice: Lattice[F]) -> None:
        self.domain = domain
        self.lattice = lattice

    # --- summarise ---------------------------------------------------------------------------------------------------

    def summarized(self, heap: Heap[F], kept: Name, gone: Name) -> Heap[F]:
        """The node `kept` denotes its own objects and those of `gone`."""
        heap = self._compatible(heap, kept, gone)
        fields = self._fields_between(heap, kept, gone)
        both = [flag for field in fields for flag in self._between(kept, gone, field)]
        own = {name: [f for f in heap.flags_of(name) if f not in both] for name in (kept, gone)}
        function = heap.function
        parts = [
            self._seen_from(function, kept, gone, own, fields, kept),
            self._seen_from(function, gone, kept, own, fields, kept),
        ]
        if heap.nodes[kept].summary:  # both of them among those of `kept`
            parts.append(self.domain.drop(function, [*own[gone], *both]))
        if heap.nodes[gone].summary:
            rest = self.domain.drop(function, [*own[kept], *both])
            parts.append(self.domain.rename(rest, {flag: moved(flag, {gone: kept}) for flag in own[gone]}))
        flags = {f for f in heap.flags if f not in both and f not in own[gone]}
        flags |= {kind(kept, field) for field in fields for kind in (out, into)}
        node = replace(heap.nodes[kept], summary=True, site=min(heap.nodes[kept].site, heap.nodes[gone].site))
        nodes = {name: value for name, value in heap.nodes.items() if name != gone} | {kept: node}
        return Heap(nodes, frozenset(flags), disjunction(self.domain, parts))

    def united(self, heap: Heap[F], kept: Name, gone: Name) -> Heap[F] | None:
        """Two plain nodes of which at most one is there, as one plain node; None if both may be there."""
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

    def _seen_from(
        self,
        function: F,
        representative: Name,
        ghost: Name,
        own: Mapping[Name, list[Flag]],
        fields: list[str],
        name: Name,
    ) -> F:
        """One of a node represents, one of another is the ghost."""
        old = [kind(representative, field) for field in fields for kind in (out, into)]
        function = self.domain.drop(function, [*own[ghost], *(flag for flag in old if flag in own[representative])])
        names = {flag: moved(flag, {representative: name}) for flag in own[representative] if flag not in old}
        for field in fields:
            names[edge(Cell(representative, field), ghost)] = out(name, field)
            names[edge(Cell(ghost, field), representative)] = into(name, field)
        return self.domain.rename(function, names)

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
        here = {into(summary, f): edge(Cell(summary, f), single) for f in fields}
        here |= {out(summary, f): edge(Cell(single, f), summary) for f in fields}
        there = {out(summary, f): edge(Cell(summary, f), single) for f in fields}
        there |= {into(summary, f): edge(Cell(single, f), summary) for f in fields}
        as_single = self.domain.meet(self.domain.rename(heap.function, {**copies, **here}), known)
        with_single = self.domain.meet(self.domain.rename(heap.function, there), known)
        nodes = {**heap.nodes, single: replace(heap.nodes[summary], summary=False)}
        flags = heap.flags - frozenset(ghosts) | frozenset(copies.values()) | frozenset(here.values())
        two = Heap(nodes, flags, self.domain.meet(as_single, with_single))
        more = Heap(nodes, flags | frozenset(ghosts), conjunction(self.domain, (as_single, with_single, heap.function)))
        return [only, self._plain(two, summary), more]

    def _plain(self, heap: Heap[F], name: Name) -> Heap[F]:
        return heap.with_node(name, replace(heap.nodes[name], summary=False))


def mentions_both(flag: Flag, one: Name, other: Name) -> bool:
    return {flag.node, flag.cell.node} == {one, other}
