"""Expressions that denote lvalues, and struct, union and array values."""

from __future__ import annotations

from heapwright.base.errors import UnsupportedError
from heapwright.c import ast
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.expressions.conditions import Conditions
from heapwright.c.lower.expressions.initializers import Initializers
from heapwright.c.lower.interfaces import CallLowering, Evaluator, StatementExpressions
from heapwright.c.lower.prepass.object_layout import (
    is_aggregate,
)
from heapwright.c.lower.prepass.source_text import text
from heapwright.c.lower.prepass.tree_queries import has_effects
from heapwright.c.lower.storage.values import LValue
from heapwright.c.types import RecordType
from heapwright.program.commands import (
    Shift,
)
from heapwright.program.expressions import (
    Const,
    Var,
)


class LValueExpressions(Part):
    def __init__(
        self,
        context: Context,
        evaluator: Evaluator,
        conditions: Conditions,
        calls: CallLowering,
        statements: StatementExpressions,
    ) -> None:
        super().__init__(context)
        self.evaluator = evaluator
        self.conditions = conditions
        self.initializers = Initializers(context, evaluator)
        self.calls = calls
        self.statements = statements

    def lvalue(self, expr: ast.Expr) -> LValue:
        """The lvalue that an expression denotes."""
        match expr:
            case ast.VarRef():
                return self.lvalues.of_variable(self.context.linked.resolve(expr.decl))
            case ast.Deref():
                pointer = self.evaluator.pointer(expr.operand)
                self.b.at(expr.span)
                return self.lvalues.dereference(pointer, expr.type, text(expr.operand, self.layout))
            case ast.Member() if expr.arrow:
                pointer = self.evaluator.pointer(expr.base)
                self.b.at(expr.span)
                whole = self.lvalues.dereference(pointer, RecordType(expr.record), text(expr.base, self.layout))
                return self.lvalues.member(whole, expr.record, expr.name)
            case ast.Member():
                whole = self.aggregate(expr.base)
                self.b.at(expr.span)
                return self.lvalues.member(whole, expr.record, expr.name)
            case ast.Subscript():
                return self.subscript(expr)
            case ast.CompoundLiteral():
                return self.initializers.compound_literal(expr)
            case ast.StringLiteral():
                return self.lvalues.dereference(Var(self.variables.string_literal(expr)), expr.type, "string")
            case ast.Cast() if not expr.decay:
                return self.lvalue(expr.operand)
        if is_aggregate(expr.type):
            return self.aggregate(expr)
        raise UnsupportedError("this expression as an lvalue", expr.span)

    def subscript(self, expr: ast.Subscript) -> LValue:
        if isinstance(expr.base, ast.Cast) and expr.base.decay:
            whole = self.lvalue(expr.base.operand)
            if has_effects(expr.index):
                whole = self.lvalues.hold(whole)
            index = self.evaluator.integer(expr.index)
            self.b.at(expr.span)
            return self.lvalues.element(whole, index, text(expr, self.layout))
        pointer = self.evaluator.pointer(expr.base)
        if has_effects(expr.index):
            pointer = self.operands.snapshot_pointer(pointer)
        index = self.evaluator.integer(expr.index)
        self.b.at(expr.span)
        subject = text(expr.base, self.layout)
        whole = self.lvalues.dereference(pointer, expr.type, subject)
        if index == Const(0, index.type):
            return whole
        if whole.index is not None:
            return LValue(whole.type, whole.root, base=whole.base, index=index, subject=subject)
        target = self.b.pointer_temporary(self.layout.target(expr.type))
        self.b.emit_checked(Shift(target, whole.base, index, self.layout.size(expr.type)), subject)
        return self.lvalues.dereference(Var(target), expr.type, subject)

    def aggregate(self, expr: ast.Expr) -> LValue:
        """The lvalue of a struct, union or array value."""
        match expr:
            case ast.Call():
                return self.calls.call_aggregate(expr)
            case ast.Assign():
                source = self.aggregate(expr.right)
                if has_effects(expr.left):
                    source = self.lvalues.hold(source)
                target = self.lvalue(expr.left)
                self.b.at(expr.span)
                self.aggregates.copy(target, source)
                return target
            case ast.Comma():
                self.evaluator.effects(expr.left)
                return self.aggregate(expr.right)
            case ast.Conditional() if expr.then is not None:
                return self.aggregate_conditional(expr, expr.then)
            case ast.StatementExpr():
                return self.statements.statement_aggregate(expr)
            case ast.Cast() if not expr.decay:
                return self.aggregate(expr.operand)
            case ast.UnsupportedExpr():
                raise UnsupportedError(expr.construct, expr.span)
        return self.lvalue(expr)

    def aggregate_conditional(self, expr: ast.Conditional, then: ast.Expr) -> LValue:
        result = self.lvalues.temporary(expr.type)
        yes, no, after = self.b.location(), self.b.location(), self.b.location()
        self.conditions.branch(expr.condition, yes, no)
        for start, side in ((yes, then), (no, expr.other)):
            self.b.current = start
            self.aggregates.copy(result, self.aggregate(side))
            self.b.goto(after)
        self.b.current = after
        return result
