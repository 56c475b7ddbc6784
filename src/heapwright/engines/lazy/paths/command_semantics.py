"""Semantics of commands: assignments, writes of cells, havoc and assumptions; and the failure conditions of checks.

Pointers are numbers: null 0, junk -1, objects from 1 on as they are allocated. The cells of one name are an array, and
so is what became of objects (`#status`). `$5 = p.h` is

    assume live(p);  $5 := p->h;  assume $5 is in the range of its type

A pointer is determined by its block: offsets, arrays and ordered pointers are not supported. Predicates of heapwright.h
are unknown, and undetermined comparisons have both outcomes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from heapwright.base.immutable import Immutable
from heapwright.engines.lazy.heap.aliases import Aliases
from heapwright.engines.lazy.logic import terms as t
from heapwright.engines.lazy.logic.integer_terms import Encoder, in_range
from heapwright.logic.connectives import FALSE, TRUE
from heapwright.program import commands as c
from heapwright.program.checks import Check, CheckKind
from heapwright.program.expressions import Compare, Literal, Null, Pointer, PointerCompare, Var
from heapwright.program.graph import Edge, Program
from heapwright.program.types import Storage, ValueKind


class Assign(Immutable):
    """name := value"""

    name: str
    value: t.Term


class Write(Immutable):
    """The cell of an object gets a value."""

    array: str
    index: t.Term
    value: t.Term


class Havoc(Immutable):
    """The variable has any value."""

    name: str


class Require(Immutable):
    """A run continues only if the formula holds."""

    formula: t.Formula


Step = Assign | Write | Havoc | Require


@dataclass(frozen=True)
class CommandEffect:
    """The effect of a command; `failures` are the checks before it, with their failure conditions."""

    steps: tuple[Step, ...]
    failures: tuple[tuple[Check, t.Formula], ...] = ()


class Semantics:
    """The effects of the edges of a program."""

    def __init__(self, program: Program, aliases: Aliases) -> None:
        self.program = program
        self.aliases = aliases
        self._ranges: dict[str, tuple[t.Formula, ...]] = {}
        self.effects = tuple(self._effect(number, edge) for number, edge in enumerate(program.graph.edges))

    def is_pointer(self, name: str) -> bool:
        known = self.program.variables.get(name)
        return known is not None and known.kind is ValueKind.POINTER

    def background(self, names: frozenset[str]) -> list[t.Formula]:
        """Invariants of variables: the ranges of their types."""
        found: list[t.Formula] = []
        for name in sorted(names):
            known = self._ranges.get(name)
            if known is None:
                known = self._ranges[name] = tuple(self._range(name))
            found += known
        return found

    def _range(self, name: str) -> Iterator[t.Formula]:
        known = self.program.variables.get(name)
        if name == t.NEXT:
            yield t.le(t.num(1), t.var(t.NEXT))
        elif known is not None and known.kind is ValueKind.POINTER:
            yield from (t.le(t.JUNK, t.var(name)), t.lt(t.var(name), t.var(t.NEXT)), t.le(t.num(1), t.var(t.NEXT)))
        elif known is not None and known.type is not None:
            yield in_range(name, known.type)

    def stored(self, number: int) -> Write | None:
        """The value that an edge stores to an integer cell, if the cell is tracked."""
        return next((step for step in self.effects[number].steps if isinstance(step, Write)), None)

    # --- commands --------------------------------------------------------------------------------------------------

    def _effect(self, number: int, edge: Edge[c.Command]) -> CommandEffect:
        encoder = Encoder(f"#{number}.")
        steps = list(self._steps(number, edge, encoder))
        failing = list(self._failures(edge, encoder))
        told = t.conj(known for _, known in encoder.unknowns)
        failures = tuple((check, t.conj((told, fails))) for check, fails in failing)
        unknown: list[Step] = []
        for name, known in encoder.unknowns:
            unknown += [Havoc(name), Require(known)]
        return CommandEffect((*unknown, *steps), failures)

    def _steps(self, number: int, edge: Edge[c.Command], encoder: Encoder) -> Iterator[Step]:
        command = edge.command
        match command:
            case c.Assign(target, value):
                yield Assign(target, self.pointer(value))
            case c.Follow(target, base) | c.Reinterpret(target, base):
                yield Assign(target, t.var(base))
            case c.Load(target, base):
                yield Require(self.live(edge.source, base))
                yield Assign(target, t.cell(self.aliases.cell(number), t.var(base)))
                yield Require(t.conj((t.le(t.JUNK, t.var(target)), t.lt(t.var(target), t.var(t.NEXT)))))
            case c.Store(base, _, value):
                yield Require(self.live(edge.source, base))
                yield Write(self.aliases.cell(number), t.var(base), self.pointer(value))
            case c.LoadData(target, base):
                yield Require(self.live(edge.source, base))
                yield Assign(target, t.cell(self.aliases.cell(number), t.var(base)))
                yield from self._ranged(target)
            case c.StoreData(base, _, value):
                yield Require(self.live(edge.source, base))
                yield Write(self.aliases.cell(number), t.var(base), encoder.term(value))
            case c.New():
                yield from self._new(number, command)
            case c.Free(base) | c.Leave(base):
                yield from self._end(command, base)
            case c.Compute(target, value):
                yield Assign(target, encoder.term(value))
            case c.Havoc(target, type, _, _, low, high):
                yield Havoc(target)
                least = type.minimum if low is None else low
                yield Require(
                    t.conj((t.le(t.num(least), t.var(target)), t.le(t.var(target), t.num(_or(high, type.maximum)))))
                )
            case c.Distance(target) | c.Length(target):
                yield Havoc(target)
                yield from self._ranged(target)
            case c.Assume(literal) | c.Assert(literal, _):
                yield Require(self.condition(edge.source, literal, encoder))
            case c.Inspect(base):
                yield Require(t.negation(self._is_junk(edge.source, Var(base))))
            case c.Skip():
                return
            case c.AnyPointer() | c.Shift() | c.Scramble() | c.External() | c.Copy() | c.Fill() | c.Protect():
                raise ValueError(f"not supported: {command}")
            case c.LoadCell() | c.StoreCell() | c.LoadDataCell() | c.StoreDataCell():
                raise ValueError(f"not supported: {command}")
            case _:
                assert_never(command)

    def _ranged(self, name: str) -> Iterator[Step]:
        type = self.program.variables[name].type
        if type is not None:
            yield Require(in_range(name, type))

    def _new(self, number: int, command: c.New) -> Iterator[Step]:
        """The uninitialised data cells of a new object are unconstrained elements of the array."""
        target = command.target
        if command.may_fail:
            chosen = f"#{number}.fails"
            yield Havoc(chosen)
            yield Require(t.conj((t.le(t.num(0), t.var(chosen)), t.le(t.var(chosen), t.num(1)))))
            yield Assign(target, t.choice(t.eq(t.var(chosen), t.num(0)), t.var(t.NEXT), t.NULL))
        else:
            yield Assign(target, t.var(t.NEXT))
        yield Write(t.STATUS, t.var(t.NEXT), t.num(t.HEAP if command.storage is Storage.HEAP else t.OTHER))
        for name, is_pointer in self.aliases.cells_of(number):
            if command.zeroed:
                yield Write(name, t.var(t.NEXT), t.num(0))
            elif is_pointer:
                yield Write(name, t.var(t.NEXT), t.JUNK)
        yield Assign(t.NEXT, t.plus(t.var(t.NEXT), t.num(1)))

    def _end(self, command: c.Command, base: str) -> Iterator[Step]:
        if isinstance(command, c.Leave):
            yield Write(t.STATUS, t.var(base), t.num(t.ENDED))  # the status of null is irrelevant
            return
        status = t.cell(t.STATUS, t.var(base))
        closes = isinstance(command, c.Free) and command.closes
        live = t.disj(tuple(t.eq(status, t.num(one)) for one in ((t.HEAP, t.OTHER) if closes else (t.HEAP,))))
        yield Require(t.disj((t.eq(t.var(base), t.NULL), t.conj((t.lt(t.num(0), t.var(base)), live)))))
        yield Write(t.STATUS, t.var(base), t.num(t.FREED))

    # --- conditions ------------------------------------------------------------------------------------------------

    def pointer(self, value: Pointer) -> t.Term:
        match value:
            case Var(name):
                return t.var(name)
            case Null():
                return t.NULL
        return t.JUNK

    def live(self, location: int, base: str) -> t.Formula:
        """The variable points to a live object."""
        there = t.negation(self._is_ended(location, Var(base)))
        nothing = self.aliases.may_be_null(location, base) or self.aliases.may_be_junk(location, base)
        return t.conj((t.le(t.num(1), t.var(base)) if nothing else TRUE, there))

    def broken(self, location: int, base: str) -> t.Formula:
        """No access through the variable is legal."""
        return t.negation(self.live(location, base))

    def condition(self, location: int, literal: Literal, encoder: Encoder) -> t.Formula:
        """A condition implied by the outcome of a test; undetermined tests have both outcomes."""
        match literal:
            case Compare():
                return encoder.condition(literal)
            case PointerCompare(op, left, right) if op in ("==", "!="):
                one, other = self.pointer(left), self.pointer(right)
                junk = t.disj((self._is_junk(location, left), self._is_junk(location, right)))
                if op == "!=":
                    return t.disj((t.ne(one, other), junk))
                ended = t.disj((self._is_ended(location, left), self._is_ended(location, right)))
                objects = t.conj((t.lt(t.num(0), one), t.lt(t.num(0), other)))
                return t.disj((t.eq(one, other), junk, t.conj((objects, ended))))
        return TRUE

    def _is_junk(self, location: int, pointer: Pointer) -> t.Formula:
        if isinstance(pointer, Var):
            return t.eq(t.var(pointer.name), t.JUNK) if self.aliases.may_be_junk(location, pointer.name) else FALSE
        return FALSE if isinstance(pointer, Null) else TRUE

    def _is_ended(self, location: int, pointer: Pointer) -> t.Formula:
        """The pointer is dangling."""
        if not isinstance(pointer, Var):
            return FALSE
        status = t.cell(t.STATUS, t.var(pointer.name))
        freed = t.eq(status, t.num(t.FREED)) if self.aliases.may_be_freed(location, pointer.name) else FALSE
        left = t.eq(status, t.num(t.ENDED)) if self.aliases.may_be_left(location, pointer.name) else FALSE
        return t.disj((freed, left))

    # --- checks ----------------------------------------------------------------------------------------------------

    def _failures(self, edge: Edge[c.Command], encoder: Encoder) -> Iterator[tuple[Check, t.Formula]]:
        command = edge.command
        if isinstance(command, c.Assert):
            yield command.check, t.negation(self._decided(edge.source, command.literal, encoder))
            return
        base = getattr(command, "base", None)
        for check in edge.checks:
            if check.kind is not CheckKind.LEAK and isinstance(base, str):
                closes = isinstance(command, c.Free) and command.closes
                yield check, self._fails(edge.source, base, check.kind, closes)

    def _decided(self, location: int, literal: Literal, encoder: Encoder) -> t.Formula:
        """A claim holds for certain."""
        if isinstance(literal, PointerCompare) and literal.op in ("==", "!="):
            opposite = PointerCompare("!=" if literal.op == "==" else "==", literal.left, literal.right)
            return t.negation(self.condition(location, opposite, encoder))
        return self.condition(location, literal, encoder) if isinstance(literal, Compare) else FALSE

    def _fails(self, location: int, base: str, kind: CheckKind, closes: bool) -> t.Formula:
        pointer, status = t.var(base), t.cell(t.STATUS, t.var(base))
        freed, left = self.aliases.may_be_freed(location, base), self.aliases.may_be_left(location, base)
        junk = self._is_junk(location, Var(base))
        there = t.lt(t.num(0), pointer)
        match kind:
            case CheckKind.NULL_DEREF:
                return t.eq(pointer, t.NULL) if self.aliases.may_be_null(location, base) else FALSE
            case CheckKind.INVALID_DEREF:
                return t.disj((junk, t.conj((there, t.eq(status, t.num(t.ENDED)))) if left else FALSE))
            case CheckKind.USE_AFTER_FREE | CheckKind.DOUBLE_FREE:
                return t.conj((there, t.eq(status, t.num(t.FREED)))) if freed else FALSE
            case CheckKind.INVALID_FREE:
                if self.aliases.on_heap(location, base):
                    return junk
                if closes:
                    return t.disj((junk, t.conj((there, t.eq(status, t.num(t.ENDED))))))
                return t.disj((junk, t.conj((there, t.ne(status, t.num(t.HEAP)), t.ne(status, t.num(t.FREED))))))
            case CheckKind.BOUNDS:
                return FALSE  # accesses that may be out of bounds are not supported
        return TRUE


def _or(value: int | None, default: int) -> int:
    return default if value is None else value
