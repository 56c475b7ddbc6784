"""Assignments: `=`, `op=`, `++` and `--`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heapwright.c import ast
from heapwright.c.ast import FloatType, IntegerType
from heapwright.c.lower.expressions.lvalues import Value
from heapwright.c.lower.graph_builder import INT
from heapwright.c.lower.prepass.object_layout import is_aggregate, is_pointer
from heapwright.c.lower.prepass.tree_queries import has_effects
from heapwright.program.commands import Assign
from heapwright.program.expressions import (
    Const,
    Expr,
    Unary,
    Var,
)

if TYPE_CHECKING:
    from heapwright.c.lower.expressions.rvalues import RValues
    from heapwright.c.lower.lowerer import Lowerer


class Assignments:
    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer = lowerer
        self.b = lowerer.builder
        self.layout = lowerer.layout

    @property
    def values(self) -> RValues:
        return self.lowerer.values

    def increment(self, expr: ast.IncDec, *, wanted: bool = True) -> Value | None:
        """The value before or after the step, if it is wanted."""
        lvalue = self.values.lvalue(expr.operand)
        old = self.lowerer.lvalues.load(lvalue)
        if wanted and not expr.prefix:
            kept = self.values.keep(old)
            assert kept is not None
            old = kept
        self.b.at(expr.span)
        if isinstance(old, Expr):
            stepped = self.values.convert(self.step(old, expr), self.lowerer.lvalues.seen_type(lvalue))
            new: Value = self.values.snapshot(stepped) if wanted and expr.prefix else stepped
        else:
            into = "" if lvalue.base or lvalue.selectors else self.values.variable_of(lvalue)
            new = self.values.shift(old, Const(1, INT), expr.op == "-", expr.type, into)
        self.lowerer.lvalues.store(lvalue, new)
        return new if expr.prefix else old

    def step(self, old: Expr, expr: ast.IncDec) -> Expr:
        if isinstance(expr.type, FloatType):
            return self.values.approximate(old.type)
        if isinstance(expr.type, IntegerType) and expr.type.boolean:
            return Const(1, old.type) if expr.op == "+" else Unary("!", old, old.type)
        return self.values.arithmetic(expr.op, old, Const(1, old.type), old.type)

    # --- assignment -----------------------------------------------------------------------------------------------

    def assign(self, expr: ast.Assign, *, wanted: bool = True) -> Value | None:
        """Assign; the value is what was stored, if it is wanted."""
        if is_aggregate(expr.type):
            self.values.aggregate(expr)
            return None
        if expr.op:
            return self.compound_assign(expr)
        left_effects = has_effects(expr.left)
        into = ""
        if is_pointer(expr.type) and isinstance(expr.left, ast.VarRef):
            decl = self.lowerer.resolve(expr.left.decl)
            if not self.lowerer.is_boxed(decl):
                into = self.lowerer.name_of(decl)
        value = self.values.value(expr.right, into)
        assert value is not None
        if left_effects or (wanted and isinstance(value, Expr)):
            kept = self.values.keep(value)
            assert kept is not None
            value = kept
        if into:
            self.b.at(expr.span)
            if value != Var(into):
                assert not isinstance(value, Expr)
                self.b.emit_checked(Assign(into, value))
            return Var(into)
        lvalue = self.values.lvalue(expr.left)
        self.b.at(expr.span)
        self.lowerer.lvalues.store(lvalue, value)
        if isinstance(value, Expr):
            kept = self.values.convert(value, self.lowerer.lvalues.kept_type(lvalue))
            return self.values.convert(kept, self.layout.int_type(expr.type))
        return value

    def compound_assign(self, expr: ast.Assign) -> Value:
        lvalue = self.values.lvalue(expr.left)
        if has_effects(expr.right):
            lvalue = self.lowerer.lvalues.hold(lvalue)
        if has_effects(expr.right) and not lvalue.base:
            right = self.values.integer(expr.right)
            old = self.lowerer.lvalues.load(lvalue)
        else:
            old = self.lowerer.lvalues.load(lvalue)
            right = self.values.integer(expr.right)
        self.b.at(expr.span)
        if not isinstance(old, Expr):
            into = "" if lvalue.base or lvalue.selectors else self.values.variable_of(lvalue)
            moved = self.values.shift(old, right, expr.op == "-", expr.type, into)
            self.lowerer.lvalues.store(lvalue, moved)
            return moved
        result_type = self.layout.int_type(expr.type)
        computation = expr.computation or expr.type
        if isinstance(computation, FloatType) or isinstance(expr.type, FloatType):
            new: Expr = self.values.approximate(result_type)
        else:
            type = self.layout.int_type(computation)
            count = right if expr.op in ("<<", ">>") else self.values.convert(right, type)
            new = self.values.arithmetic(expr.op, self.values.convert(old, type), count, type)
            boolean = isinstance(expr.type, IntegerType) and expr.type.boolean
            new = (
                self.lowerer.conversions.to_bool(new, result_type) if boolean else self.values.convert(new, result_type)
            )
        new = self.values.convert(new, self.lowerer.lvalues.seen_type(lvalue))
        if lvalue.base:
            new = self.values.snapshot(new)
        self.lowerer.lvalues.store(lvalue, new)
        return self.lowerer.lvalues.load(lvalue) if not lvalue.base and not lvalue.selectors else new
