"""Programs in which a pointer is more than a block: arrays, addresses of fields, unions, casts.

Nothing is known of their cells here, and all that they allocate is one component; so predicates are about integers and
null alone, and everything about the heap is left to structures, which `tvl` makes of any C. Node predicates are about
integers in blocks that every access means alone (`plain_cells`). Pointers are numbers: 0 is null, -1 is junk, all
others are addresses.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from heapwright.engines.lazy.aliases import JUNK, NULL, Aliases, Sites
from heapwright.engines.lazy.integers import Encoder, in_range
from heapwright.engines.lazy.loads import Known, Loads
from heapwright.engines.lazy.semantics import Forget, Require, Semantics, Set, Step, Write
from heapwright.engines.lazy.terms import JUNK as JUNK_TERM
from heapwright.engines.lazy.terms import NULL as NULL_TERM
from heapwright.engines.lazy.terms import TRUE, Formula, conj, disj, eq, ne, negation, var
from heapwright.engines.tvl.programs.vocabulary import HeapVocabulary
from heapwright.program import commands as c
from heapwright.program.checks import CheckKind
from heapwright.program.expressions import Compare, Literal, PointerCompare, Var
from heapwright.program.graph import Edge, Program
from heapwright.program.liveness import defined
from heapwright.program.types import ValueKind

WHOLE = 0  # the one component


class CoarseAliases(Aliases):
    """Any pointer may be anything."""

    coarse = True

    def plain(self, number: int, cells: frozenset[str]) -> bool:
        """Whether an edge accesses one of some cells that are followed."""
        cases = self.heap.cases[number]
        return len(cases) == 1 and self.cell(number) in cells

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
    """Integers in blocks that every access means alone and by their own types: these can be followed."""
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
    """What a variable was loaded from is followed of plain cells alone."""

    def __init__(self, program: Program, aliases: Aliases) -> None:
        self._plain = plain_cells(aliases.heap)
        super().__init__(program, aliases)

    def _after(self, edge: Edge[c.Command], number: int, known: Known) -> Known:
        if isinstance(edge.command, c.LoadData | c.StoreData) and not self.aliases.plain(number, self._plain):
            target = defined(edge.command)
            return {name: read for name, read in known.items() if target not in (name, read[0])}
        return super()._after(edge, number, known)


class CoarseSemantics(Semantics):
    """Commands without the heap."""

    def __init__(self, program: Program, aliases: Aliases) -> None:
        self._plain = plain_cells(aliases.heap)
        self._stored: dict[int, Write] = {}
        super().__init__(program, aliases)

    def stored(self, number: int) -> Write | None:
        return self._stored.get(number)

    def background(self, names: frozenset[str]) -> list[Formula]:
        return super().background(frozenset(name for name in names if not self.is_pointer(name)))

    def _steps(self, number: int, edge: Edge[c.Command], encoder: Encoder) -> Iterator[Step]:
        command = edge.command
        target = defined(command)
        match command:
            case c.Assign() | c.Compute() | c.Havoc() | c.Assume() | c.Assert() | c.Skip():
                yield from super()._steps(number, edge, encoder)
                return
            case c.New():
                yield Forget(command.target)
                there = ne(var(command.target), JUNK_TERM)
                yield Require(there if command.may_fail else conj((there, ne(var(command.target), NULL_TERM))))
                return
            case c.Reinterpret(name, base):
                yield Set(name, var(base))
                return
        if isinstance(command, c.Dereference):
            yield Require(self.live(edge.source, command.base))
        if isinstance(command, c.StoreData) and self.aliases.plain(number, self._plain):
            self._stored[number] = Write(self.aliases.cell(number), var(command.base), encoder.term(command.value))
        if target is not None:
            yield Forget(target)
            known = self.program.variables[target]
            if known.kind is ValueKind.DATA and known.type is not None:
                yield Require(in_range(target, known.type))

    def live(self, location: int, base: str) -> Formula:
        return conj((ne(var(base), NULL_TERM), ne(var(base), JUNK_TERM)))

    def condition(self, location: int, literal: Literal, encoder: Encoder) -> Formula:
        if isinstance(literal, Compare):
            return encoder.condition(literal)
        if not isinstance(literal, PointerCompare) or literal.op not in ("==", "!="):
            return TRUE
        one, other = self.pointer(literal.left), self.pointer(literal.right)
        junk = disj((eq(one, JUNK_TERM), eq(other, JUNK_TERM)))
        both = conj((eq(one, NULL_TERM), eq(other, NULL_TERM)))
        if literal.op == "!=":
            return disj((negation(both), junk))
        if isinstance(literal.left, Var) and isinstance(literal.right, Var):
            return disj((both, conj((ne(one, NULL_TERM), ne(other, NULL_TERM))), junk))
        return disj((eq(one, other), junk))

    def _fails(self, location: int, base: str, kind: CheckKind) -> Formula:
        return TRUE
