"""Assignments: `=`, `op=`, `++` and `--`."""

from __future__ import annotations

from heapwright.c import ast
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.graph_builder import INT
from heapwright.c.lower.interfaces import Evaluator
from heapwright.c.lower.prepass.object_layout import (
    is_aggregate,
    is_pointer,
)
from heapwright.c.lower.prepass.tree_queries import (
    has_effects,
)
from heapwright.c.lower.storage.values import Value
from heapwright.c.types import CType, FloatType, IntegerType
from heapwright.program.commands import (
    Assign,
)
from heapwright.program.expressions import (
    Const,
    Expr,
    Unary,
    Var,
)


class Assignments(Part):
    def __init__(self, context: Context, evaluator: Evaluator) -> None:
        super().__init__(context)
        self.evaluator = evaluator

    def increment(self, expr: ast.IncDec, *, wanted: bool = True) -> Value | None:
        """The value before or after the step, if it is used."""
        lvalue = self.evaluator.lvalue(expr.operand)
        old = self.accesses.load(lvalue)
        if wanted and not expr.prefix:
            kept = self.operands.keep(old)
            assert kept is not None
            old = kept
        self.b.at(expr.span)
        if isinstance(old, Expr):
            stepped = self.operands.convert(self.step(old, expr), self.accesses.seen_type(lvalue))
            new: Value = self.operands.snapshot(stepped) if wanted and expr.prefix else stepped
        else:
            into = "" if lvalue.base or lvalue.selectors else self.lvalues.variable_of(lvalue)
            new = self.operands.shift(old, Const(1, INT), expr.op == "-", expr.type, into)
        self.accesses.store(lvalue, new)
        return new if expr.prefix else old

    def step(self, old: Expr, expr: ast.IncDec) -> Expr:
        if isinstance(expr.type, FloatType):
            one = self.operands.float_constant(1.0, expr.type)
            return self.operands.float_arithmetic(expr.op, old, one, expr.type)
        if isinstance(expr.type, IntegerType) and expr.type.boolean:
            return Const(1, old.type) if expr.op == "+" else Unary("!", old, old.type)
        return self.operands.arithmetic(expr.op, old, Const(1, old.type), old.type)

    def assign(self, expr: ast.Assign, *, wanted: bool = True) -> Value | None:
        """Assign; the value is what was stored, if it is used."""
        if is_aggregate(expr.type):
            self.evaluator.aggregate(expr)
            return None
        if expr.op:
            return self.compound_assign(expr)
        left_effects = has_effects(expr.left)
        into = ""
        if is_pointer(expr.type) and isinstance(expr.left, ast.VarRef):
            decl = self.context.linked.resolve(expr.left.decl)
            if not self.layout.is_boxed(decl):
                into = self.variables.name_of(decl)
        value = self.evaluator.value(expr.right, into)
        assert value is not None
        if left_effects or (wanted and isinstance(value, Expr)):
            kept = self.operands.keep(value)
            assert kept is not None
            value = kept
        if into:
            self.b.at(expr.span)
            if value != Var(into):
                assert not isinstance(value, Expr)
                self.b.emit_checked(Assign(into, value))
            return Var(into)
        lvalue = self.evaluator.lvalue(expr.left)
        self.b.at(expr.span)
        self.accesses.store(lvalue, value)
        if isinstance(value, Expr):
            kept = self.operands.convert(value, self.accesses.kept_type(lvalue))
            return self.operands.convert(kept, self.layout.int_type(expr.type))
        return value

    def float_compound(self, expr: ast.Assign, old: Expr, right: Expr, computation: CType) -> Expr:
        """`left op= right` in a floating-point type."""
        if not isinstance(computation, FloatType) or expr.op not in ("+", "-", "*", "/"):
            return self.operands.approximate(self.layout.int_type(expr.type))
        left = old if expr.type == computation else self.operands.float_converted(old, expr.type, computation)
        result = self.operands.float_arithmetic(expr.op, left, right, computation)
        return result if expr.type == computation else self.operands.float_converted(result, computation, expr.type)

    def compound_assign(self, expr: ast.Assign) -> Value:
        lvalue = self.evaluator.lvalue(expr.left)
        if has_effects(expr.right):
            lvalue = self.lvalues.hold(lvalue)
        if has_effects(expr.right) and not lvalue.base:
            right = self.evaluator.integer(expr.right)
            old = self.accesses.load(lvalue)
        else:
            old = self.accesses.load(lvalue)
            right = self.evaluator.integer(expr.right)
        self.b.at(expr.span)
        if not isinstance(old, Expr):
            into = "" if lvalue.base or lvalue.selectors else self.lvalues.variable_of(lvalue)
            moved = self.operands.shift(old, right, expr.op == "-", expr.type, into)
            self.accesses.store(lvalue, moved)
            return moved
        result_type = self.layout.int_type(expr.type)
        computation = expr.computation or expr.type
        if isinstance(computation, FloatType) or isinstance(expr.type, FloatType):
            new = self.float_compound(expr, old, right, computation)
        else:
            type = self.layout.int_type(computation)
            count = right if expr.op in ("<<", ">>") else self.operands.convert(right, type)
            new = self.operands.arithmetic(expr.op, self.operands.convert(old, type), count, type)
            boolean = isinstance(expr.type, IntegerType) and expr.type.boolean
            new = self.operands.to_bool(new, result_type) if boolean else self.operands.convert(new, result_type)
        new = self.operands.convert(new, self.accesses.seen_type(lvalue))
        if lvalue.base:
            new = self.operands.snapshot(new)
        self.accesses.store(lvalue, new)
        return self.accesses.load(lvalue) if not lvalue.base and not lvalue.selectors else new
