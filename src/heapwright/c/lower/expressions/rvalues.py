"""Evaluation of expressions: values and side effects.

An integer expression becomes an `Expr` over variables, a pointer expression an operand, a struct or union an lvalue.
Side effects are emitted in order; operands whose variables a later operand may change are kept in a
temporary first.
"""

from __future__ import annotations

from heapwright.base.errors import UnsupportedError
from heapwright.c import ast
from heapwright.c.ast import VarDecl
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.expressions.assignments import Assignments
from heapwright.c.lower.expressions.conditions import Conditions
from heapwright.c.lower.expressions.conversions import Conversions
from heapwright.c.lower.expressions.lvalue_expressions import LValueExpressions
from heapwright.c.lower.graph_builder import INT
from heapwright.c.lower.interfaces import CallLowering, StatementExpressions
from heapwright.c.lower.prepass.object_layout import (
    is_aggregate,
    is_pointer,
)
from heapwright.c.lower.prepass.source_text import text
from heapwright.c.lower.prepass.tree_queries import (
    constant,
    has_effects,
)
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.c.lower.unsupported import Checkpoint, is_entered
from heapwright.c.types import ArrayType, FloatType, FunctionType, IntegerType, PointerType, VoidType
from heapwright.program.checks import CheckKind
from heapwright.program.commands import (
    Assert,
    Distance,
)
from heapwright.program.expressions import (
    COMPARISONS,
    JUNK,
    NULL,
    Binary,
    Compare,
    Const,
    Expr,
    IntVar,
    Pointer,
    Unary,
    Var,
    compare,
)


class RValues(Part):
    """Evaluates expressions; implements `Evaluator` for the parts that it owns."""

    def __init__(self, context: Context, calls: CallLowering, statements: StatementExpressions) -> None:
        super().__init__(context)
        self.calls = calls
        self.statements = statements
        self.conditions = Conditions(context, self)
        self.conversions = Conversions(context, self, self.conditions)
        self.assignments = Assignments(context, self)
        self.lvalue_expressions = LValueExpressions(context, self, self.conditions, calls, statements)

    # --- values by kind ----------------------------------------------------------------------------------------------

    def integer(self, expr: ast.Expr) -> Expr:
        value = self.value(expr)
        if not isinstance(value, Expr):
            raise UnsupportedError("an expression without an integer value", expr.span)
        return value

    def integers(self, first: ast.Expr, second: ast.Expr) -> tuple[Expr, Expr]:
        left = self.integer(first)
        if has_effects(second):
            left = self.operands.snapshot(left)
        return left, self.integer(second)

    def pointer(self, expr: ast.Expr, into: str = "") -> Pointer:
        value = self.value(expr, into)
        if value is None or isinstance(value, Expr):
            raise UnsupportedError("an expression without a pointer value", expr.span)
        return value

    def pointer_variable(self, expr: ast.Expr, target: str = "") -> str:
        """A variable that holds a pointer's value."""
        value = self.pointer(expr)
        return value.name if isinstance(value, Var) else self.operands.held_in_variable(value, target)

    def effects(self, expr: ast.Expr) -> None:
        """Evaluate an expression for its side effects."""
        self.b.at(expr.span)
        if is_aggregate(expr.type):
            if has_effects(expr):
                self.aggregate(expr)
        elif isinstance(expr, ast.Cast) and isinstance(expr.type, VoidType):
            self.effects(expr.operand)
        elif isinstance(expr, ast.Comma):
            self.effects(expr.left)
            self.effects(expr.right)
        elif isinstance(expr, ast.Conditional) and isinstance(expr.type, VoidType):
            self.conditions.void_conditional(expr)
        elif isinstance(expr, ast.Call):
            self.state.discard = True
            result = self.value(expr)
            if isinstance(result, Var):
                self.operands.snapshot_pointer(result)  # an unused result leaks here
        elif isinstance(expr, ast.IncDec):
            self.assignments.increment(expr, wanted=False)
        elif isinstance(expr, ast.Assign):
            self.assignments.assign(expr, wanted=False)
        else:
            self.value(expr)

    def value(self, expr: ast.Expr, into: str = "") -> Value | None:
        """A scalar's value, or None for void. `into` is a pointer variable that may receive it directly."""
        if not isinstance(expr, ast.IntLiteral | ast.VarRef | ast.Cast):
            self.b.at(expr.span)
        match expr:
            case ast.IntLiteral():
                return Const(expr.value, self.layout.int_type(expr.type))
            case ast.VariableSize() | ast.RowIndex():
                return self.array_size(expr.decl) if isinstance(expr, ast.VariableSize) else self.row_index(expr)
            case ast.FloatLiteral():
                assert isinstance(expr.type, FloatType)
                return self.operands.float_constant(expr.value, expr.type)
            case ast.VarRef() | ast.Member() | ast.Deref() | ast.Subscript() | ast.CompoundLiteral():
                return self.read(expr, into)
            case ast.FunctionRef() | ast.LabelAddress():
                return self.code_address(expr)
            case ast.Unary():
                return self.unary(expr)
            case ast.AddressOf():
                return self.address_of(expr, into)
            case ast.IncDec():
                return self.assignments.increment(expr)
            case ast.Binary():
                return self.binary(expr, into)
            case ast.Logical():
                return self.conditions.truth(expr)
            case ast.Assign():
                return self.assignments.assign(expr)
            case ast.Comma():
                self.effects(expr.left)
                return self.value(expr.right, into)
            case ast.Conditional():
                return self.conditional(expr)
            case ast.Cast():
                return self.conversions.cast(expr, into)
            case ast.Call():
                return self.calls.call(expr, into)
            case ast.StatementExpr():
                return self.statements.statement_value(expr)
            case ast.InitList() if len(expr.items) == 1:
                return self.value(expr.items[0][1], into)
            case ast.UnsupportedExpr():
                raise UnsupportedError(expr.construct, expr.span)
        raise UnsupportedError("this kind of expression", expr.span)

    def code_address(self, expr: ast.FunctionRef | ast.LabelAddress) -> Var:
        if isinstance(expr, ast.LabelAddress):
            return Var(self.variables.label_address(expr.function, expr.label))
        return Var(self.variables.function_address(expr.name))

    def read(self, expr: ast.Expr, into: str) -> Value | None:
        if isinstance(expr.type, VoidType):
            self.lvalue(expr)  # GNU C allows the dereference of a pointer to void
            return None
        if isinstance(expr.type, FunctionType):
            return self.pointer(expr.operand) if isinstance(expr, ast.Deref) else JUNK
        if isinstance(expr, ast.VarRef):
            bound = self.state.frame.bound.get(id(expr.decl))
            if bound is not None:
                return bound
        return self.accesses.load(self.lvalue(expr), into)

    def lvalue(self, expr: ast.Expr) -> LValue:
        return self.lvalue_expressions.lvalue(expr)

    def aggregate(self, expr: ast.Expr) -> LValue:
        return self.lvalue_expressions.aggregate(expr)

    # --- operators ---------------------------------------------------------------------------------------------------

    def unary(self, expr: ast.Unary) -> Expr:
        if expr.op == "!":
            if isinstance(expr.operand.type, IntegerType) and not isinstance(expr.operand, ast.Logical | ast.Call):
                value = self.integer(expr.operand)
                if isinstance(value, Const):
                    return Const(int(value.value == 0), INT)
                return Unary("!", value, INT)
            return self.conditions.truth(expr)
        value = self.integer(expr.operand)
        type = self.layout.int_type(expr.type)
        if expr.op == "+":
            return value
        if isinstance(expr.type, FloatType):
            return self.operands.floating("neg", (value,), expr.type.size, type)
        if isinstance(value, Const):
            return Const(type.wrap(-value.value if expr.op == "-" else ~value.value), type)
        return Unary(expr.op, value, type)

    def binary(self, expr: ast.Binary, into: str) -> Value:
        left_type, right_type = expr.left.type, expr.right.type
        if is_pointer(left_type) or is_pointer(right_type):
            return self.pointer_binary(expr, into)
        remainder = self.calls.remainder(expr)
        if remainder is not None:
            return remainder
        left, right = self.integers(expr.left, expr.right)
        self.b.at(expr.span)
        if isinstance(left_type, FloatType) and left_type == right_type:
            if expr.op in COMPARISONS:
                return self.operands.float_comparison(expr.op, left, right, left_type)
            return self.operands.float_arithmetic(expr.op, left, right, left_type)
        if isinstance(left_type, FloatType) or isinstance(right_type, FloatType):
            return self.operands.approximate(self.layout.int_type(expr.type))
        if expr.op in COMPARISONS:
            if isinstance(left, Const) and isinstance(right, Const):
                return Const(int(compare(expr.op, left.value, right.value)), INT)
            return Binary(expr.op, left, right, INT)
        return self.operands.arithmetic(expr.op, left, right, self.layout.int_type(expr.type))

    def pointer_binary(self, expr: ast.Binary, into: str) -> Value:
        if expr.op in COMPARISONS:
            return self.conditions.truth(expr)
        if expr.op == "-" and is_pointer(expr.right.type):
            return self.distance(expr)
        base, offset = (expr.left, expr.right) if is_pointer(expr.left.type) else (expr.right, expr.left)
        pointer = self.pointer(base)
        if has_effects(offset):
            pointer = self.operands.snapshot_pointer(pointer)
        distance = self.integer(offset)
        self.b.at(expr.span)
        return self.operands.shift(pointer, distance, expr.op == "-", base.type, into)

    def distance(self, expr: ast.Binary) -> Expr:
        left = self.pointer_variable(expr.left)
        if has_effects(expr.right):
            kept = self.operands.snapshot_pointer(Var(left))
            assert isinstance(kept, Var)
            left = kept.name
        right = self.pointer_variable(expr.right)
        self.b.at(expr.span)
        type = self.layout.int_type(expr.type)
        name = self.b.data_temporary(type)
        unit = self.layout.size(expr.left.type.to) if isinstance(expr.left.type, PointerType) else 0
        self.b.emit_checked(Distance(name, left, right, unit))
        return IntVar(name, type)

    def address_of(self, expr: ast.AddressOf, into: str) -> Pointer:
        if isinstance(expr.operand, ast.FunctionRef):
            return Var(self.variables.function_address(expr.operand.name))
        offset = constant(expr, self.layout)
        if offset is not None:
            return NULL if offset == 0 else JUNK
        if isinstance(expr.operand, ast.Deref):
            return self.pointer(expr.operand.operand, into)
        return self.lvalues.address(self.lvalue(expr.operand), into)

    def row_index(self, expr: ast.RowIndex) -> Expr:
        index = self.operands.snapshot(self.integer(expr.index))
        length = self.integer(expr.length)
        self.b.at(expr.span)
        for literal in (Compare(">=", index, Const(0, index.type)), Compare("<", index, length)):
            self.b.emit(Assert(literal, self.b.check(CheckKind.BOUNDS, text(expr.index, self.layout))))
        return index

    def array_size(self, decl: VarDecl) -> Expr:
        """The size of a variable-length array, which its declaration has fixed."""
        assert isinstance(decl.type, ArrayType)
        type = self.layout.size_type
        count = self.operands.convert(self.state.lengths[id(decl)], type)
        return self.operands.arithmetic("*", count, Const(self.layout.size(decl.type.of), type), type)

    # --- conditional expressions -------------------------------------------------------------------------------------

    def conditional(self, expr: ast.Conditional) -> Value | None:
        if isinstance(expr.type, VoidType):
            self.conditions.void_conditional(expr)
            return None
        condition = constant(expr.condition, self.layout)
        if condition is not None and expr.then is not None:
            return self.value(expr.then if condition else expr.other)
        if expr.then is None:
            return self.elvis(expr)
        result = self.operands.result_variable(expr.type)
        yes, no, after = self.b.location(), self.b.location(), self.b.location()
        self.conditions.branch(expr.condition, yes, no)
        for start, side in ((yes, expr.then), (no, expr.other)):
            self.b.current = start
            before = Checkpoint(self.context)
            try:
                self.operands.assign(result, self.value(side, result if is_pointer(expr.type) else ""))
            except UnsupportedError as error:
                if is_entered(side):
                    raise
                before.leave_out(error, side.span)
            self.b.goto(after)
        self.b.current = after
        return self.operands.variable_value(result)

    def elvis(self, expr: ast.Conditional) -> Value:
        """GNU's `a ?: b`: the condition is evaluated once."""
        result = self.operands.result_variable(expr.type)
        self.operands.assign(result, self.value(expr.condition))
        no, after = self.b.location(), self.b.location()
        self.b.split(self.operands.truth_literal(self.operands.variable_value(result)), after, no)
        self.b.current = no
        self.operands.assign(result, self.value(expr.other))
        self.b.goto(after)
        self.b.current = after
        return self.operands.variable_value(result)
