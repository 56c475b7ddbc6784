"""Initialisers: lists, strings and compound literals. The parser has resolved designators and elided braces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heapwright.base.errors import InputError
from heapwright.c import ast
from heapwright.c.ast import ArrayType, Designator, RecordType
from heapwright.c.lower.expressions.lvalues import LValue
from heapwright.c.lower.prepass.object_layout import is_aggregate, is_pointer
from heapwright.program.expressions import Const, Var

if TYPE_CHECKING:
    from heapwright.c.lower.lowerer import Lowerer


class Initializers:
    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer = lowerer
        self.b = lowerer.builder
        self.layout = lowerer.layout

    def initialize(self, lvalue: LValue, initializer: ast.Expr, *, zeroed: bool = False) -> None:
        """Set an lvalue to its initialiser; what a list leaves out is zero (`zeroed`: it is so already)."""
        self.b.at(initializer.span)
        match initializer:
            case ast.InitList() if is_aggregate(lvalue.type):
                if not zeroed:
                    self.lowerer.lvalues.zero(lvalue)
                self.fill(lvalue, initializer)
            case ast.InitList():
                if initializer.items:
                    self.initialize(lvalue, initializer.items[0][1], zeroed=zeroed)
                elif not zeroed:
                    self.lowerer.lvalues.zero(lvalue)
            case ast.StringLiteral() if isinstance(lvalue.type, ArrayType):
                self.string(lvalue, initializer, zeroed)
            case ast.CompoundLiteral() if is_aggregate(lvalue.type):
                self.initialize(lvalue, initializer.initializer, zeroed=zeroed)
            case _ if is_aggregate(lvalue.type):
                self.lowerer.lvalues.copy(lvalue, self.lowerer.values.aggregate(initializer))
            case _:
                self.scalar(lvalue, initializer)

    def scalar(self, lvalue: LValue, initializer: ast.Expr) -> None:
        into = ""
        if is_pointer(lvalue.type) and not lvalue.base and not lvalue.selectors:
            into = self.lowerer.values.variable_of(lvalue)
        value = self.lowerer.values.value(initializer, into)
        if value is None:
            raise InputError("this initialiser has no value", initializer.span)
        self.b.at(initializer.span)
        self.lowerer.lvalues.store(lvalue, value)

    def string(self, lvalue: LValue, literal: ast.StringLiteral, zeroed: bool) -> None:
        assert isinstance(lvalue.type, ArrayType)
        count = lvalue.type.count or 0
        element = self.layout.int_type(lvalue.type.of)
        content = literal.bytes[:count] if zeroed else literal.bytes[:count].ljust(count, b"\0")
        for index, byte in enumerate(content):
            if byte or not zeroed:
                cell = self.lowerer.lvalues.element(lvalue, self.lowerer.values.size_constant(index), lvalue.subject)
                self.lowerer.lvalues.store(cell, Const(element.wrap(byte), element))

    def fill(self, lvalue: LValue, initializer: ast.InitList) -> None:
        """The items of a list, over zeros; a later item replaces what an earlier one set."""
        seen: set[tuple[tuple[str, int | None], ...]] = set()
        for designators, item in initializer.items:
            target = lvalue
            for designator in designators:
                target = self.member(target, designator)
            path = tuple((designator.name, designator.index) for designator in designators)
            self.initialize(target, item, zeroed=path not in seen)
            seen.add(path)

    def member(self, lvalue: LValue, designator: Designator) -> LValue:
        if designator.index is not None:
            index = self.lowerer.values.size_constant(designator.index)
            return self.lowerer.lvalues.element(lvalue, index, lvalue.subject)
        assert isinstance(lvalue.type, RecordType)
        return self.lowerer.lvalues.member(lvalue, lvalue.type.key, designator.name)

    # --- compound literals ----------------------------------------------------------------------------------------

    def compound_literal(self, expr: ast.CompoundLiteral) -> LValue:
        boxed = id(expr) in self.layout.facts.boxed or self.layout.needs_object(expr.type)
        if boxed:
            name = self.b.pointer_temporary()
            self.lowerer.scopes.stack_block(name, expr.type)
            lvalue = self.lowerer.lvalues.dereference(Var(name), expr.type, "")
        else:
            lvalue = self.lowerer.lvalues.temporary(expr.type)
        self.initialize(lvalue, expr.initializer)
        return lvalue
