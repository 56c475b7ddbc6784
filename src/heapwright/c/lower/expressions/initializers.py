"""Initialisers: lists, strings and compound literals. The parser has resolved designators and elided braces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heapwright.base.errors import InputError
from heapwright.c import ast
from heapwright.c.ast import ArrayType, Designator, RecordType
from heapwright.c.lower.expressions.lvalues import Place
from heapwright.c.lower.prepass.object_layout import is_aggregate, is_pointer
from heapwright.program.expressions import Const, Var

if TYPE_CHECKING:
    from heapwright.c.lower.lowerer import Lowerer


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
                self.fill(place, initializer)
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

    def fill(self, place: Place, initializer: ast.InitList) -> None:
        """The items of a list, over zeros; a later item replaces what an earlier one set."""
        seen: set[tuple[tuple[str, int | None], ...]] = set()
        for designators, item in initializer.items:
            target = place
            for designator in designators:
                target = self.member(target, designator)
            path = tuple((designator.name, designator.index) for designator in designators)
            self.initialize(target, item, zeroed=path not in seen)
            seen.add(path)

    def member(self, place: Place, designator: Designator) -> Place:
        if designator.index is not None:
            index = self.lowerer.values.size_constant(designator.index)
            return self.lowerer.places.element(place, index, place.subject)
        assert isinstance(place.type, RecordType)
        return self.lowerer.places.member(place, place.type.key, designator.name)

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
