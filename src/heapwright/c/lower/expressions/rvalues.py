"""Expressions: what they compute and what they do on the way.

An integer expression becomes an `Expr` over variables, a pointer expression an operand, a struct or union an lvalue.
Anything with an effect is emitted in order; operands whose variables a later operand may change are kept in a
temporary first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from heapwright.base.errors import UnsupportedError
from heapwright.c import ast
from heapwright.c.ast import CType, FloatType, FunctionType, IntegerType, PointerType, RecordType, VoidType
from heapwright.c.lower.expressions.lvalues import LValue, Value, join
from heapwright.c.lower.graph_builder import INT
from heapwright.c.lower.prepass.object_layout import is_aggregate, is_pointer
from heapwright.c.lower.prepass.tree_queries import constant, has_effects, text, wider
from heapwright.program.commands import Assign, Compute, Distance, Havoc, Shift
from heapwright.program.expressions import (
    COMPARISONS,
    JUNK,
    NULL,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    IntVar,
    Pointer,
    Unary,
    Var,
    apply_binary,
    compare,
)
from heapwright.program.types import IntType

if TYPE_CHECKING:
    from heapwright.c.lower.lowerer import Lowerer


class RValues:
    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer = lowerer
        self.b = lowerer.builder
        self.layout = lowerer.layout

    # --- entry points ---------------------------------------------------------------------------------------------

    def integer(self, expr: ast.Expr) -> Expr:
        value = self.value(expr)
        if not isinstance(value, Expr):
            raise UnsupportedError("this value as a number", expr.span)
        return value

    def pointer(self, expr: ast.Expr, into: str = "") -> Pointer:
        value = self.value(expr, into)
        if value is None or isinstance(value, Expr):
            raise UnsupportedError("this value as a pointer", expr.span)
        return value

    def pointer_variable(self, expr: ast.Expr, target: str = "") -> str:
        """A variable that holds a pointer's value."""
        value = self.pointer(expr)
        return value.name if isinstance(value, Var) else self.held_in_variable(value, target)

    def held_in_variable(self, value: Pointer, target: str = "") -> str:
        name = self.b.pointer_temporary(target)
        self.b.emit(Assign(name, value))
        return name

    def effects(self, expr: ast.Expr) -> None:
        """Evaluate for what it does."""
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
            self.lowerer.conditions.void_conditional(expr)
        elif isinstance(expr, ast.Call):
            self.lowerer.calls.discard = True
            result = self.value(expr)
            if isinstance(result, Var):
                self.snapshot_pointer(result)  # what nobody takes is lost here
        elif isinstance(expr, ast.IncDec):
            self.lowerer.assignments.increment(expr, wanted=False)
        elif isinstance(expr, ast.Assign):
            self.lowerer.assignments.assign(expr, wanted=False)
        else:
            self.value(expr)

    def value(self, expr: ast.Expr, into: str = "") -> Value | None:
        """A scalar's value, or None for void. `into` is a pointer variable that may receive it directly."""
        if not isinstance(expr, ast.IntLiteral | ast.VarRef | ast.Cast):
            self.b.at(expr.span)
        match expr:
            case ast.IntLiteral():
                return Const(expr.value, self.layout.int_type(expr.type))
            case ast.VariableSize():
                return self.lowerer.statements.size_of(expr.decl)
            case ast.FloatLiteral():
                return self.approximate(self.layout.int_type(expr.type))
            case ast.VarRef() | ast.Member() | ast.Deref() | ast.Subscript() | ast.CompoundLiteral():
                return self.load(expr, into)
            case ast.FunctionRef():
                return Var(self.lowerer.function_address(expr.name))
            case ast.Unary():
                return self.unary(expr)
            case ast.AddressOf():
                return self.address_of(expr, into)
            case ast.IncDec():
                return self.lowerer.assignments.increment(expr)
            case ast.Binary():
                return self.binary(expr, into)
            case ast.Logical():
                return self.lowerer.conditions.truth(expr)
            case ast.Assign():
                return self.lowerer.assignments.assign(expr)
            case ast.Comma():
                self.effects(expr.left)
                return self.value(expr.right, into)
            case ast.Conditional():
                return self.conditional(expr)
            case ast.Cast():
                return self.lowerer.conversions.cast(expr, into)
            case ast.Call():
                return self.lowerer.calls.call(expr, into)
            case ast.StatementExpr():
                return self.lowerer.statements.statement_value(expr)
            case ast.InitList() if len(expr.items) == 1:
                return self.value(expr.items[0][1], into)
            case ast.UnsupportedExpr():
                raise UnsupportedError(expr.construct, expr.span)
        raise UnsupportedError("this expression", expr.span)

    def load(self, expr: ast.Expr, into: str) -> Value | None:
        if isinstance(expr.type, VoidType):
            self.lvalue(expr)  # GNU C lets a pointer to void be followed, to nothing
            return None
        if isinstance(expr.type, FunctionType):
            return self.pointer(expr.operand) if isinstance(expr, ast.Deref) else JUNK
        if isinstance(expr, ast.VarRef):
            bound = self.lowerer.frame.bound.get(id(expr.decl))
            if bound is not None:
                return bound
        return self.lowerer.lvalues.load(self.lvalue(expr), into)

    # --- lvalues ---------------------------------------------------------------------------------------------------

    def lvalue(self, expr: ast.Expr) -> LValue:
        """The lvalue that an expression denotes."""
        lvalues = self.lowerer.lvalues
        match expr:
            case ast.VarRef():
                return lvalues.of_variable(self.lowerer.resolve(expr.decl))
            case ast.Deref():
                pointer = self.pointer(expr.operand)
                self.b.at(expr.span)
                return lvalues.dereference(pointer, expr.type, text(expr.operand, self.layout))
            case ast.Member() if expr.arrow:
                pointer = self.pointer(expr.base)
                self.b.at(expr.span)
                whole = lvalues.dereference(pointer, RecordType(expr.record), text(expr.base, self.layout))
                return lvalues.member(whole, expr.record, expr.name)
            case ast.Member():
                whole = self.aggregate(expr.base)
                self.b.at(expr.span)
                return lvalues.member(whole, expr.record, expr.name)
            case ast.Subscript():
                return self.subscript(expr)
            case ast.CompoundLiteral():
                return self.lowerer.initializers.compound_literal(expr)
            case ast.StringLiteral():
                return lvalues.dereference(Var(self.lowerer.string_literal(expr)), expr.type, "string")
            case ast.Cast() if not expr.decay:
                return self.lvalue(expr.operand)
        if is_aggregate(expr.type):
            return self.aggregate(expr)
        raise UnsupportedError("this expression as an lvalue", expr.span)

    def subscript(self, expr: ast.Subscript) -> LValue:
        lvalues = self.lowerer.lvalues
        if isinstance(expr.base, ast.Cast) and expr.base.decay:
            whole = self.lvalue(expr.base.operand)
            if has_effects(expr.index):
                whole = lvalues.hold(whole)
            index = self.integer(expr.index)
            self.b.at(expr.span)
            return lvalues.element(whole, index, text(expr, self.layout))
        pointer = self.pointer(expr.base)
        if has_effects(expr.index):
            pointer = self.snapshot_pointer(pointer)
        index = self.integer(expr.index)
        self.b.at(expr.span)
        subject = text(expr.base, self.layout)
        whole = lvalues.dereference(pointer, expr.type, subject)
        if index == Const(0, index.type):
            return whole
        if whole.index is not None:
            return LValue(whole.type, whole.root, base=whole.base, index=index, subject=subject)
        target = self.b.pointer_temporary(self.layout.target(expr.type))
        self.b.emit_checked(Shift(target, whole.base, index, self.layout.size(expr.type)), subject)
        return lvalues.dereference(Var(target), expr.type, subject)

    def aggregate(self, expr: ast.Expr) -> LValue:
        """The lvalue of a struct, union or array value."""
        match expr:
            case ast.Call():
                return self.lowerer.calls.call_aggregate(expr)
            case ast.Assign():
                source = self.aggregate(expr.right)
                if has_effects(expr.left):
                    source = self.lowerer.lvalues.hold(source)
                target = self.lvalue(expr.left)
                self.b.at(expr.span)
                self.lowerer.lvalues.copy(target, source)
                return target
            case ast.Comma():
                self.effects(expr.left)
                return self.aggregate(expr.right)
            case ast.Conditional() if expr.then is not None:
                return self.aggregate_conditional(expr, expr.then)
            case ast.StatementExpr():
                return self.lowerer.statements.statement_aggregate(expr)
            case ast.Cast() if not expr.decay:
                return self.aggregate(expr.operand)
            case ast.UnsupportedExpr():
                raise UnsupportedError(expr.construct, expr.span)
        return self.lvalue(expr)

    def aggregate_conditional(self, expr: ast.Conditional, then: ast.Expr) -> LValue:
        result = self.lowerer.lvalues.temporary(expr.type)
        yes, no, after = self.b.location(), self.b.location(), self.b.location()
        self.lowerer.conditions.branch(expr.condition, yes, no)
        for start, side in ((yes, then), (no, expr.other)):
            self.b.current = start
            self.lowerer.lvalues.copy(result, self.aggregate(side))
            self.b.goto(after)
        self.b.current = after
        return result

    # --- keeping values -------------------------------------------------------------------------------------------

    def snapshot(self, value: Expr) -> Expr:
        """The value as it is now, whatever happens to the variables in it."""
        if isinstance(value, Const) or (isinstance(value, IntVar) and is_single_use(value.name)):
            return value
        name = self.b.data_temporary(value.type)
        self.b.emit(Compute(name, value))
        return IntVar(name, value.type)

    def snapshot_pointer(self, value: Pointer) -> Pointer:
        if not isinstance(value, Var):
            return value
        name = self.b.pointer_temporary(self.b.variables[value.name].target)
        self.b.emit_checked(Assign(name, value))
        return Var(name)

    def keep(self, value: Value | None) -> Value | None:
        if value is None:
            return None
        return self.snapshot(value) if isinstance(value, Expr) else self.snapshot_pointer(value)

    def approximate(self, type: IntType) -> IntVar:
        """Any value, for something that has no exact meaning here."""
        name = self.b.data_temporary(type)
        self.b.emit(Havoc(name, type, "approximation", approximate=True))
        return IntVar(name, type)

    def size_constant(self, value: int) -> Const:
        return Const(value, self.layout.size_type)

    def count_loop(self, count: Expr, body: Callable[[Expr], None]) -> None:
        """Run a body for every index below a count."""
        index = IntVar(self.b.data_temporary(count.type), count.type)
        self.b.emit(Compute(index.name, Const(0, count.type)))
        if self.b.current is None:
            return
        head = self.b.location()
        self.b.goto(head)
        self.b.current = head
        self.b.assume(Compare("<", index, count))
        body(index)
        self.b.emit(Compute(index.name, Binary("+", index, Const(1, count.type), count.type)))
        self.b.goto(head)
        self.b.current = head
        self.b.assume(Compare(">=", index, count))

    # --- arithmetic -----------------------------------------------------------------------------------------------

    def convert(self, value: Expr, type: IntType) -> Expr:
        if value.type == type:
            return value
        if isinstance(value, Const):
            return Const(type.wrap(value.value), type)
        if isinstance(value, Convert) and wider(value.operand.type, value.type):
            return self.convert(value.operand, type)  # widening first changes nothing
        return Convert(value, type)

    def arithmetic(self, op: str, left: Expr, right: Expr, type: IntType) -> Expr:
        if isinstance(left, Const) and isinstance(right, Const) and not (op in "/%" and right.value == 0):
            return Const(apply_binary(op, left.value, right.value, type), type)
        if op in ("/", "%"):
            self.nonzero(right)
        if op in ("+", "-", "*") and type.signed:
            self.b.assumption("signed arithmetic wraps around on overflow")
        if op in ("+", "-") and isinstance(right, Const) and right.value == 0:
            return left
        return Binary(op, left, right, type)  # type: ignore[arg-type]  # the parser's operators are BinaryOp

    def nonzero(self, divisor: Expr) -> None:
        if not isinstance(divisor, Const) or divisor.value == 0:
            self.b.assumption("no division by zero happens", self.b.span)
            self.b.assume(Compare("!=", divisor, Const(0, divisor.type)))

    def unary(self, expr: ast.Unary) -> Expr:
        if expr.op == "!":
            if isinstance(expr.operand.type, IntegerType) and not isinstance(expr.operand, ast.Logical | ast.Call):
                value = self.integer(expr.operand)
                if isinstance(value, Const):
                    return Const(int(value.value == 0), INT)
                return Unary("!", value, INT)
            return self.lowerer.conditions.truth(expr)
        value = self.integer(expr.operand)
        type = self.layout.int_type(expr.type)
        if isinstance(expr.type, FloatType):
            return self.approximate(type)
        if expr.op == "+":
            return value
        if isinstance(value, Const):
            return Const(type.wrap(-value.value if expr.op == "-" else ~value.value), type)
        return Unary(expr.op, value, type)

    def binary(self, expr: ast.Binary, into: str) -> Value:
        left_type, right_type = expr.left.type, expr.right.type
        if is_pointer(left_type) or is_pointer(right_type):
            return self.pointer_binary(expr, into)
        left, right = self.operands(expr.left, expr.right)
        if isinstance(left_type, FloatType) or isinstance(right_type, FloatType):
            return self.approximate(self.layout.int_type(expr.type))
        self.b.at(expr.span)
        if expr.op in COMPARISONS:
            if isinstance(left, Const) and isinstance(right, Const):
                return Const(int(compare(expr.op, left.value, right.value)), INT)
            return Binary(expr.op, left, right, INT)
        return self.arithmetic(expr.op, left, right, self.layout.int_type(expr.type))

    def operands(self, first: ast.Expr, second: ast.Expr) -> tuple[Expr, Expr]:
        left = self.integer(first)
        if has_effects(second):
            left = self.snapshot(left)
        return left, self.integer(second)

    def pointer_binary(self, expr: ast.Binary, into: str) -> Value:
        if expr.op in COMPARISONS:
            return self.lowerer.conditions.truth(expr)
        if expr.op == "-" and is_pointer(expr.right.type):
            return self.distance(expr)
        base, offset = (expr.left, expr.right) if is_pointer(expr.left.type) else (expr.right, expr.left)
        pointer = self.pointer(base)
        if has_effects(offset):
            pointer = self.snapshot_pointer(pointer)
        distance = self.integer(offset)
        self.b.at(expr.span)
        return self.shift(pointer, distance, expr.op == "-", base.type, into)

    def distance(self, expr: ast.Binary) -> Expr:
        left = self.pointer_variable(expr.left)
        if has_effects(expr.right):
            kept = self.snapshot_pointer(Var(left))
            assert isinstance(kept, Var)
            left = kept.name
        right = self.pointer_variable(expr.right)
        self.b.at(expr.span)
        type = self.layout.int_type(expr.type)
        name = self.b.data_temporary(type)
        unit = self.layout.size(expr.left.type.to) if isinstance(expr.left.type, PointerType) else 0
        self.b.emit_checked(Distance(name, left, right, unit))
        return IntVar(name, type)

    def shift(self, pointer: Pointer, distance: Expr, backwards: bool, ctype: CType, into: str = "") -> Pointer:
        if isinstance(distance, Const) and distance.value == 0:
            return pointer
        if isinstance(ctype, PointerType) and isinstance(ctype.to, IntegerType | FloatType | PointerType):
            self.layout.facts.learn(self.layout.facts.arrays, self.layout.scalar_name(ctype.to))
        if backwards:
            signed = IntType(self.layout.pointer_bits, True)
            distance = self.arithmetic("-", Const(0, signed), self.convert(distance, signed), signed)
        if not isinstance(pointer, Var):
            return JUNK
        target = into or self.b.pointer_temporary(self.b.variables[pointer.name].target)
        unit = self.layout.size(ctype.to) if isinstance(ctype, PointerType) else 0
        self.b.emit_checked(Shift(target, pointer.name, distance, unit))
        return Var(target)

    def variable_of(self, lvalue: LValue) -> str:
        return join(lvalue.variable, self.lowerer.lvalues.canonical(lvalue))

    # --- other expressions ----------------------------------------------------------------------------------------

    def address_of(self, expr: ast.AddressOf, into: str) -> Pointer:
        if isinstance(expr.operand, ast.FunctionRef):
            return Var(self.lowerer.function_address(expr.operand.name))
        offset = constant(expr, self.layout)
        if offset is not None:
            return NULL if offset == 0 else JUNK
        if isinstance(expr.operand, ast.Deref):
            return self.pointer(expr.operand.operand, into)
        return self.lowerer.lvalues.address(self.lvalue(expr.operand), into)

    def conditional(self, expr: ast.Conditional) -> Value | None:
        if isinstance(expr.type, VoidType):
            self.lowerer.conditions.void_conditional(expr)
            return None
        condition = constant(expr.condition, self.layout)
        if condition is not None and expr.then is not None:
            return self.value(expr.then if condition else expr.other)
        if expr.then is None:
            return self.elvis(expr)
        result = self.result_variable(expr.type)
        yes, no, after = self.b.location(), self.b.location(), self.b.location()
        self.lowerer.conditions.branch(expr.condition, yes, no)
        for start, side in ((yes, expr.then), (no, expr.other)):
            self.b.current = start
            self.put(result, self.value(side, result if is_pointer(expr.type) else ""))
            self.b.goto(after)
        self.b.current = after
        return self.lowerer.lvalues.of_name(result)

    def elvis(self, expr: ast.Conditional) -> Value:
        """GNU's `a ?: b`: the condition is evaluated once."""
        result = self.result_variable(expr.type)
        self.put(result, self.value(expr.condition))
        no, after = self.b.location(), self.b.location()
        self.lowerer.conditions.test(self.lowerer.lvalues.of_name(result), after, no)
        self.b.current = no
        self.put(result, self.value(expr.other))
        self.b.goto(after)
        self.b.current = after
        return self.lowerer.lvalues.of_name(result)

    def result_variable(self, ctype: CType) -> str:
        if is_pointer(ctype):
            return self.b.pointer_temporary(self.layout.target(ctype.to) if isinstance(ctype, PointerType) else "")
        return self.b.data_temporary(self.layout.int_type(ctype))

    def put(self, variable: str, value: Value | None) -> None:
        """Assign to a plain variable."""
        type = self.b.variables[variable].type
        if isinstance(value, Expr):
            assert type is not None
            self.b.emit(Compute(variable, self.convert(value, type)))
        elif value is not None and value != Var(variable):
            self.b.emit_checked(Assign(variable, value))


def is_single_use(variable: str) -> bool:
    """Whether a variable holds one intermediate value; a function's result is one that the next call overwrites."""
    return variable.startswith("$")
