"""Trivial points-to facts for programs with pointers into blocks: arrays, addresses of fields, unions, casts.

Their cells are not tracked, and all their objects are one component. Node predicates are about integer cells that no
access overlaps (`plain_cells`).

    aliases = aliases_of(HeapVocabulary(program))      # coarse ones, if the program needs them; `lean`: over_live
    loads = loads_of(program, aliases)
"""

from __future__ import annotations

from functools import cached_property

from heapwright.engines.lazy.heap.aliases import JUNK, NULL, Aliases, Sites, unsupported
from heapwright.engines.lazy.heap.available_loads import LoadedCells, Loads
from heapwright.engines.tvl.api import HeapVocabulary
from heapwright.program import commands as c
from heapwright.program.dataflow.liveness import defined
from heapwright.program.graph import Edge, Program
from heapwright.program.types import ValueKind

WHOLE = 0  # the one component


class CoarseAliases(Aliases):
    """Every pointer may have every value."""

    coarse = True

    def plain(self, number: int, cells: frozenset[str]) -> bool:
        """Whether an edge accesses one of some tracked cells, and never out of bounds."""
        found = [case.access.cell if case.access is not None else None for case in self.heap.cases[number]]
        return len(found) == 1 and found[0] is not None and found[0].name in cells

    def _solve(self) -> None:
        pass

    @cached_property
    def _anything(self) -> Sites:
        sites = (number for number, edge in enumerate(self.graph.edges) if isinstance(edge.command, c.New))
        return frozenset((*sites, NULL, JUNK))

    def at(self, location: int, name: str) -> Sites:
        return self._anything

    def reached(self, location: int) -> bool:
        return True

    @property
    def components(self) -> tuple[int, ...]:
        return (WHOLE,)

    def component_of_site(self, site: int) -> int:
        return WHOLE

    def component(self, location: int, name: str) -> int | None:
        return WHOLE if name in self.heap.variables else None


def plain_cells(heap: HeapVocabulary) -> frozenset[str]:
    """Integer cells that every access reads and writes as a whole, with their own type: these can be tracked."""
    found: dict[str, bool] = {}
    for edge, cases in zip(heap.program.graph.edges, heap.cases, strict=True):
        for case in cases:
            access = case.access
            if access is None:
                continue
            if access.confused and not isinstance(edge.command, c.Load | c.LoadData | c.LoadCell | c.LoadDataCell):
                return frozenset()
            alone = len(cases) == 1 and isinstance(edge.command, c.LoadData | c.StoreData) and not access.overlapped
            for cell in access.overlapped:
                found[cell.name] = False
            if access.cell is not None and access.cell.field.kind is ValueKind.DATA:
                name = access.cell.name
                plain = alone and not access.cell.many and isinstance(case.commands[0], type(edge.command))
                found[name] = found.get(name, True) and plain
    return frozenset(name for name, plain in found.items() if plain)


class CoarseLoads(Loads):
    """Available loads of plain cells alone."""

    def __init__(self, program: Program, aliases: Aliases) -> None:
        self._plain = plain_cells(aliases.heap)
        super().__init__(program, aliases)

    def _after(self, edge: Edge[c.Command], number: int, known: LoadedCells) -> LoadedCells:
        if isinstance(edge.command, c.LoadData | c.StoreData) and not self.aliases.plain(number, self._plain):
            target = defined(edge.command)
            return {name: read for name, read in known.items() if target not in (name, read[0])}
        return super()._after(edge, number, known)


def aliases_of(heap: HeapVocabulary, *, lean: bool = False) -> Aliases:
    if unsupported(heap):
        return CoarseAliases(heap)
    found = Aliases(heap)
    return found.over_live(Loads(heap.program, found).at) if lean else found


def loads_of(program: Program, aliases: Aliases) -> Loads:
    return (CoarseLoads if aliases.coarse else Loads)(program, aliases)
