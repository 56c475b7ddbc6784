"""Initialisers: lists, strings and compound literals. The parser has resolved designators and elided braces."""

from __future__ import annotations

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.c import ast
from heapwright.c.ast import Designator
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.interfaces import Evaluator
from heapwright.c.lower.prepass.object_layout import (
    is_aggregate,
    is_pointer,
)
from heapwright.c.lower.storage.values import LValue
from heapwright.c.types import ArrayType, RecordType
from heapwright.program.commands import Protect
from heapwright.program.expressions import (
    Const,
    Var,
)


class Initializers(Part):
    def __init__(self, context: Context, evaluator: Evaluator) -> None:
        super().__init__(context)
        self.evaluator = evaluator

    def initialize(self, lvalue: LValue, initializer: ast.Expr, *, zeroed: bool = False) -> None:
        """Set an lvalue to its initialiser; subobjects without an item become zero (`zeroed`: they already are)."""
        self.b.at(initializer.span)
        match initializer:
            case ast.InitList() if is_aggregate(lvalue.type):
                if not zeroed:
                    self.aggregates.zero(lvalue)
                self.fill(lvalue, initializer)
            case ast.InitList():
                if initializer.items:
                    self.initialize(lvalue, initializer.items[0][1], zeroed=zeroed)
                elif not zeroed:
                    self.aggregates.zero(lvalue)
            case ast.StringLiteral() if isinstance(lvalue.type, ArrayType):
                self.string(lvalue, initializer, zeroed)
            case ast.CompoundLiteral() if is_aggregate(lvalue.type):
                self.initialize(lvalue, initializer.initializer, zeroed=zeroed)
            case _ if is_aggregate(lvalue.type):
                self.aggregates.copy(lvalue, self.evaluator.aggregate(initializer))
            case _:
                self.scalar(lvalue, initializer)

    def scalar(self, lvalue: LValue, initializer: ast.Expr) -> None:
        into = ""
        if is_pointer(lvalue.type) and not lvalue.base and not lvalue.selectors:
            into = self.lvalues.variable_of(lvalue)
        value = self.evaluator.value(initializer, into)
        if value is None:
            raise InputError("initialiser without a value", initializer.span)
        self.b.at(initializer.span)
        self.accesses.store(lvalue, value)

    def string(self, lvalue: LValue, literal: ast.StringLiteral, zeroed: bool) -> None:
        assert isinstance(lvalue.type, ArrayType)
        _require_length(lvalue.type, literal)
        count = lvalue.type.count or 0
        element = self.layout.int_type(lvalue.type.of)
        content = literal.characters[:count]
        if not zeroed:
            content += (0,) * (count - len(content))
        for index, character in enumerate(content):
            if character or not zeroed:
                cell = self.lvalues.element(lvalue, self.layout.size_constant(index), lvalue.subject)
                self.accesses.store(cell, Const(element.wrap(character), element))

    def fill(self, lvalue: LValue, initializer: ast.InitList) -> None:
        """The items of a list, over zeros; a later item replaces what an earlier one set."""
        seen: set[tuple[tuple[str, int | None], ...]] = set()
        for designators, item in initializer.items:
            target = lvalue
            for designator in designators:
                if isinstance(target.type, ArrayType):
                    _require_length(target.type, item)
                target = self.member(target, designator)
            path = tuple((designator.name, designator.index) for designator in designators)
            self.initialize(target, item, zeroed=path not in seen)
            seen.add(path)

    def member(self, lvalue: LValue, designator: Designator) -> LValue:
        if designator.index is not None:
            index = self.layout.size_constant(designator.index)
            return self.lvalues.element(lvalue, index, lvalue.subject)
        assert isinstance(lvalue.type, RecordType)
        return self.lvalues.member(lvalue, lvalue.type.key, designator.name)

    def compound_literal(self, expr: ast.CompoundLiteral) -> LValue:
        boxed = id(expr) in self.layout.address_taken.boxed or self.layout.in_memory(expr.type)
        if boxed:
            name = self.b.pointer_temporary()
            self.scopes.stack_block(name, expr.type)
            lvalue = self.lvalues.dereference(Var(name), expr.type, "")
        else:
            lvalue = self.lvalues.temporary(expr.type)
        self.initialize(lvalue, expr.initializer)
        if expr.const and lvalue.base:
            self.b.emit(Protect(lvalue.base))
        return lvalue


def _require_length(array: ArrayType, item: ast.Expr) -> None:
    """An object with a flexible array member has as many elements as its initialiser, an extension of GNU C."""
    if not array.count:
        raise UnsupportedError("initialiser of a flexible array member", item.span)
