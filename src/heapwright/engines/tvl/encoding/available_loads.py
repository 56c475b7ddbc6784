"""Available loads: temporaries kept past their last use, because the field that they were loaded from is unchanged on
all paths so far and is loaded again on some path onwards.

C reads the same field again and again: after

    while (p->next && p->next->key < k) p = p->next;

has tested `p->next->key`, the object should stay materialised until it becomes p. The temporary that it was loaded into
is kept while no command changes the field, and the field is loaded again through the same variable. The object is
reachable from that variable all the while, so that no leak is missed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.program import commands as c
from heapwright.program.dataflow.liveness import defined
from heapwright.program.graph import Edge

Source = tuple[str, str]  # a variable and a field of what it is declared to point to
Read = tuple[str, Source]  # a temporary, and from where it was read


class AvailableLoads:
    """`at(location)` are the temporaries to keep there besides live ones."""

    def __init__(self, heap: HeapVocabulary) -> None:
        self.heap = heap
        self.graph = heap.program.graph
        self.numbers = {id(edge): number for number, edge in enumerate(self.graph.edges)}
        awaited = self._awaited()
        self._held = [
            frozenset(temporary for temporary, source in known if source in ahead)
            for known, ahead in zip(self._available(), awaited, strict=True)
        ]

    def at(self, location: int) -> frozenset[str]:
        return self._held[location]

    # --- what commands read and change ----------------------------------------------------------------------------

    def _read(self, command: c.Command) -> Iterator[Read]:
        match command:
            case c.Load(target, base, field) if self.heap.program.variables[target].temporary and target != base:
                yield target, (base, field)

    def _cells(self, edge: Edge[c.Command]) -> frozenset[str]:
        """The cells that an access may read or write."""
        accesses = [case.access for case in self.heap.cases[self.numbers[id(edge)]] if case.access is not None]
        return frozenset(cell.name for a in accesses for cell in (a.cell, *a.overlapped) if cell is not None)

    @cached_property
    def _sources(self) -> dict[Source, frozenset[str]]:
        """The cells that each source may refer to."""
        found: dict[Source, frozenset[str]] = {}
        for edge in self.graph.edges:
            for _, source in self._read(edge.command):
                found[source] = found.get(source, frozenset()) | self._cells(edge)
        return found

    def _survives(self, edge: Edge[c.Command], source: Source) -> bool:
        """Whether a command leaves the value of a source unchanged."""
        command = edge.command
        if defined(command) == source[0]:
            return False
        match command:
            case c.Store() | c.StoreData() | c.Scramble() | c.StoreCell() | c.StoreDataCell():
                return not self._cells(edge) & self._sources.get(source, frozenset())
            case c.Free() | c.Leave() | c.External() | c.Copy() | c.Fill() | c.Protect():
                return False
            case c.Load() | c.LoadData() | c.LoadCell() | c.LoadDataCell():
                return True
            case c.Assign() | c.Follow() | c.Shift() | c.Reinterpret() | c.New() | c.AnyPointer():
                return True
            case c.Compute() | c.Havoc() | c.Distance() | c.Length() | c.Assume() | c.Assert() | c.Skip() | c.Inspect():
                return True

    # --- what is known and what is awaited --------------------------------------------------------------------------

    def _available(self) -> list[frozenset[Read]]:
        """Available loads at each location (must, forward)."""
        reads = frozenset(read for edge in self.graph.edges for read in self._read(edge.command))
        known = [reads for _ in self.graph.locations]
        known[self.graph.entry] = frozenset()
        order = [edge for location in reversed(self.graph.postorder) for edge in self.graph.successors[location]]
        changes = True
        while changes:
            changes = False
            for edge in order:
                kept = {r for r in known[edge.source] if r[0] != defined(edge.command) and self._survives(edge, r[1])}
                kept.update(self._read(edge.command))
                if not known[edge.target] <= kept:
                    known[edge.target] &= kept
                    changes = True
        return known

    def _awaited(self) -> list[frozenset[Source]]:
        """Loads that are repeated on some path onwards before a change (may, backward)."""
        ahead: list[frozenset[Source]] = [frozenset() for _ in self.graph.locations]
        pending = list(reversed(self.graph.postorder))
        while pending:
            location = pending.pop()
            found: set[Source] = set()
            for edge in self.graph.successors[location]:
                found.update(source for source in ahead[edge.target] if self._survives(edge, source))
                if isinstance(edge.command, c.Load):
                    found.add((edge.command.base, edge.command.field))
            if found != ahead[location]:
                ahead[location] = frozenset(found)
                pending += [edge.source for edge in self.graph.predecessors[location]]
        return ahead
