"""Semantics of commands in programs with pointers into blocks (see `coarse_aliases`).

Predicates are about integers and null alone, and everything about the heap is left to structures, which `tvl` makes of
any C. Pointers are numbers: 0 is null, -1 is junk, all others are addresses.
"""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.engines.lazy.heap.aliases import Aliases
from heapwright.engines.lazy.heap.coarse_aliases import plain_cells
from heapwright.engines.lazy.logic.integer_terms import Encoder, in_range
from heapwright.engines.lazy.logic.terms import JUNK as JUNK_TERM
from heapwright.engines.lazy.logic.terms import NULL as NULL_TERM
from heapwright.engines.lazy.logic.terms import Formula, conj, disj, eq, ne, negation, var
from heapwright.engines.lazy.paths.command_semantics import Assign, Havoc, Require, Semantics, Step, Write
from heapwright.logic.connectives import TRUE
from heapwright.program import commands as c
from heapwright.program.checks import CheckKind
from heapwright.program.dataflow.liveness import defined
from heapwright.program.expressions import Compare, Literal, PointerCompare, Var
from heapwright.program.graph import Edge, Program
from heapwright.program.types import ValueKind


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
            case c.Assign() | c.Compute() | c.Havoc() | c.Assume() | c.Assert() | c.Skip() | c.Inspect():
                yield from super()._steps(number, edge, encoder)
                return
            case c.New():
                yield Havoc(command.target)
                there = ne(var(command.target), JUNK_TERM)
                yield Require(there if command.may_fail else conj((there, ne(var(command.target), NULL_TERM))))
                return
            case c.Reinterpret(name, base):
                yield Assign(name, var(base))
                return
        if isinstance(command, c.Dereference):
            yield Require(self.live(edge.source, command.base))
        if isinstance(command, c.StoreData) and self.aliases.plain(number, self._plain):
            self._stored[number] = Write(self.aliases.cell(number), var(command.base), encoder.term(command.value))
        if target is not None:
            yield Havoc(target)
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

    def _fails(self, location: int, base: str, kind: CheckKind, closes: bool) -> Formula:
        return TRUE
