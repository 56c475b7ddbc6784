"""Initialisers: `{...}` with designators and elided braces, strings, and compound literals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from heapwright.c import ast
from heapwright.c.ast import ArrayType, CType, Designator, IntegerType, RecordType
from heapwright.c.lower.layout import is_aggregate, is_pointer
from heapwright.c.lower.places import Place
from heapwright.errors import InputError
from heapwright.program.expressions import Const, Var

if TYPE_CHECKING:
    from heapwright.c.lower.lowerer import Lowerer

Item = tuple[tuple[Designator, ...], ast.Expr]


@dataclass
class Cursor:
    """The items of a braced list that are still to be used."""

    items: tuple[Item, ...]
    position: int = 0

    def peek(self) -> Item | None:
        return self.items[self.position] if self.position < len(self.items) else None


class Initializers:
    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer = lowerer
        self.b = lowerer.builder
        self.layout = lowerer.layout

    def initialize(self, place: Place, initializer: ast.Expr, *, zeroed: bool = False) -> None:
        """Set a place to its initialiser; what a list leaves out is zero (`zeroed`: it is so already)."""
        self.b.at(initializer.span)
        match initializer:
            case ast.InitList() if is_aggregate(place.type):
                if not zeroed:
                    self.lowerer.places.zero(place)
                self.fill(place, Cursor(initializer.items), braced=True)
            case ast.InitList():
                if initializer.items:
                    self.initialize(place, initializer.items[0][1], zeroed=zeroed)
                elif not zeroed:
                    self.lowerer.places.zero(place)
            case ast.StringLiteral() if isinstance(place.type, ArrayType):
                self.string(place, initializer, zeroed)
            case ast.CompoundLiteral() if is_aggregate(place.type):
                self.initialize(place, initializer.initializer, zeroed=zeroed)
            case _ if is_aggregate(place.type):
                self.lowerer.places.copy(place, self.lowerer.values.aggregate(initializer))
            case _:
                self.scalar(place, initializer)

    def scalar(self, place: Place, initializer: ast.Expr) -> None:
        into = ""
        if is_pointer(place.type) and not place.base and not place.selectors:
            into = self.lowerer.values.variable_of(place)
        value = self.lowerer.values.value(initializer, into)
        if value is None:
            raise InputError("this initialiser has no value", initializer.span)
        self.b.at(initializer.span)
        self.lowerer.places.store(place, value)

    def string(self, place: Place, literal: ast.StringLiteral, zeroed: bool) -> None:
        assert isinstance(place.type, ArrayType)
        count = place.type.count or 0
        element = self.layout.int_type(place.type.of)
        content = literal.bytes[:count] if zeroed else literal.bytes[:count].ljust(count, b"\0")
        for index, byte in enumerate(content):
            if byte or not zeroed:
                cell = self.lowerer.places.element(place, self.lowerer.values.size_constant(index), place.subject)
                self.lowerer.places.store(cell, Const(element.wrap(byte), element))

    # --- lists ----------------------------------------------------------------------------------------------------

    def fill(self, place: Place, cursor: Cursor, *, braced: bool) -> None:
        """Fill an aggregate from a cursor; without braces of its own it takes only as many items as it needs."""
        position = 0
        while (item := cursor.peek()) is not None:
            designators, expr = item
            if designators and not braced:
                return
            if designators:
                target, position = self.designated(place, designators)
                cursor.position += 1
                self.element(target, expr, cursor, consumed=True)
            else:
                members = self.members(place.type)
                if position >= members:
                    if not braced:
                        return
                    cursor.position += 1  # more items than members: C ignores them with a warning
                    continue
                self.element(self.member(place, position), expr, cursor, consumed=False)
            position += 1

    def element(self, target: Place, expr: ast.Expr, cursor: Cursor, *, consumed: bool) -> None:
        """Initialise one member from the item at the cursor, or from several if braces are left out."""
        whole = isinstance(expr, ast.InitList | ast.CompoundLiteral) or not is_aggregate(target.type)
        whole = whole or (isinstance(expr, ast.StringLiteral) and self.is_characters(target.type))
        whole = whole or expr.type == target.type
        if whole:
            if not consumed:
                cursor.position += 1
            self.initialize(target, expr, zeroed=True)
            return
        if consumed:
            cursor.position -= 1
            inner = Cursor((((), expr), *cursor.items[cursor.position + 1 :]))
            self.fill(target, inner, braced=False)
            cursor.position += inner.position
        else:
            self.fill(target, cursor, braced=False)

    def is_characters(self, ctype: CType) -> bool:
        return isinstance(ctype, ArrayType) and isinstance(ctype.of, IntegerType) and ctype.of.int.bits == 8

    def members(self, ctype: CType) -> int:
        match ctype:
            case ArrayType(_, count):
                return count or 0
            case RecordType(key):
                record = self.layout.records[key]
                return min(1, len(record.fields)) if record.union else len(record.fields)
        return 1

    def member(self, place: Place, position: int) -> Place:
        if isinstance(place.type, RecordType):
            key = place.type.key
            return self.lowerer.places.member(place, key, self.layout.records[key].fields[position].name)
        return self.lowerer.places.element(place, self.lowerer.values.size_constant(position), place.subject)

    def designated(self, place: Place, designators: tuple[Designator, ...]) -> tuple[Place, int]:
        """The place that designators name, and the position of the first of them."""
        first = -1
        for designator in designators:
            if designator.index is not None:
                position = designator.index
                place = self.member(place, position)
            else:
                place, position = self.named(place, designator.name)
            first = position if first < 0 else first
        return place, first

    def named(self, place: Place, name: str) -> tuple[Place, int]:
        """A member by name, also through anonymous members."""
        assert isinstance(place.type, RecordType)
        key = place.type.key
        for position, member in enumerate(self.layout.records[key].fields):
            if member.name == name:
                return self.lowerer.places.member(place, key, name), position
        for position, member in enumerate(self.layout.records[key].fields):
            if member.name.startswith("$") and isinstance(member.type, RecordType):
                inner = self.layout.records[member.type.key]
                if any(m.name == name or m.name.startswith("$") for m in inner.fields):
                    return self.named(self.lowerer.places.member(place, key, member.name), name)[0], position
        raise InputError(f"{self.layout.records[key].name} has no member '{name}'", self.b.span)

    # --- compound literals ----------------------------------------------------------------------------------------

    def compound_literal(self, expr: ast.CompoundLiteral) -> Place:
        boxed = id(expr) in self.layout.facts.boxed or self.layout.needs_object(expr.type)
        if boxed:
            name = self.b.pointer_temporary()
            self.lowerer.scopes.stack_block(name, expr.type)
            place = self.lowerer.places.dereference(Var(name), expr.type, "")
        else:
            place = self.lowerer.places.temporary(expr.type)
        self.initialize(place, expr.initializer)
        return place
