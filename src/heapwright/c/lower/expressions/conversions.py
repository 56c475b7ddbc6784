"""Conversions: between integers, between pointers, and from one to the other.

A cast between pointers follows the link to a first member or back, or yields the object of the target type at that
address; `container_of` follows the link to the owner.
"""

from __future__ import annotations

from heapwright.base.errors import UnsupportedError
from heapwright.c import ast
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.expressions.conditions import Conditions
from heapwright.c.lower.interfaces import Evaluator
from heapwright.c.lower.prepass.object_layout import (
    is_aggregate,
    is_pointer,
)
from heapwright.c.lower.prepass.tree_queries import (
    constant,
    is_null_constant,
    member_shift,
    strip_casts,
)
from heapwright.c.lower.storage.values import Value
from heapwright.c.types import ArrayType, CType, FloatType, FunctionType, IntegerType, PointerType, RecordType, VoidType
from heapwright.program.commands import (
    Assign,
    Follow,
    Reinterpret,
    Shift,
)
from heapwright.program.expressions import (
    NULL,
    Const,
    Expr,
    Pointer,
    Var,
)


class Conversions(Part):
    def __init__(self, context: Context, evaluator: Evaluator, conditions: Conditions) -> None:
        super().__init__(context)
        self.evaluator = evaluator
        self.conditions = conditions

    def cast(self, expr: ast.Cast, into: str) -> Value | None:
        source, target = expr.operand.type, expr.type
        match target:
            case VoidType():
                self.evaluator.effects(expr.operand)
                return None
            case IntegerType():
                return self.to_integer(expr, target)
            case FloatType():
                return self.to_float(expr, target)
            case PointerType() if expr.decay:
                return self.decay(expr, into)
            case PointerType() if is_pointer(source):
                return self.pointer_cast(expr, target, into)
            case PointerType():
                return self.integer_to_pointer(expr, into)
        raise UnsupportedError("this conversion", expr.span)

    def to_float(self, expr: ast.Cast, target: FloatType) -> Expr:
        source = expr.operand.type
        if isinstance(expr.operand, ast.FloatLiteral):
            return self.operands.float_constant(expr.operand.value, target)
        if isinstance(source, IntegerType | FloatType):
            value = self.evaluator.integer(expr.operand)
            self.b.at(expr.span)
            return self.operands.float_converted(value, source, target)
        self.evaluator.effects(expr.operand)
        return self.operands.approximate(self.layout.int_type(target))

    def to_integer(self, expr: ast.Cast, target: IntegerType) -> Expr:
        source = expr.operand.type
        value = constant(expr, self.layout)
        if value is not None:
            return Const(value, target.int)
        if is_pointer(source):
            if target.boolean:
                return self.operands.convert(self.conditions.truth(expr.operand), target.int)
            pointer = self.operands.snapshot_pointer(self.evaluator.pointer(expr.operand))
            self.b.at(expr.span)
            if id(expr) in self.context.environment.hidden:
                self.operands.hide_address(pointer)
            return self.operands.convert(self.operands.pointer_number(pointer), target.int)
        operand = self.evaluator.integer(expr.operand)
        if isinstance(source, FloatType):
            self.b.at(expr.span)
            return self.operands.float_converted(operand, source, target)
        return (
            self.operands.to_bool(operand, target.int) if target.boolean else self.operands.convert(operand, target.int)
        )

    def decay(self, expr: ast.Cast, into: str) -> Pointer:
        if isinstance(expr.operand.type, FunctionType):
            return self.evaluator.pointer(expr.operand, into)
        array = self.evaluator.lvalue(expr.operand)
        if isinstance(array.type, ArrayType) and is_aggregate(array.type.of):
            target = into or self.b.pointer_temporary(self.layout.target(array.type.of))
            self.b.emit_checked(
                Shift(target, array.base, self.layout.size_constant(0), self.layout.size(array.type.of))
            )
            return Var(target)
        return self.lvalues.address(array, into)

    def integer_to_pointer(self, expr: ast.Cast, into: str) -> Pointer:
        if is_null_constant(expr, self.layout):
            return NULL
        shift = member_shift(expr, self.layout)
        if shift is not None:
            return self.member_shift(*shift, into)
        inner = strip_casts(expr.operand)
        if is_pointer(inner.type) and self.keeps_address(expr.operand):
            return self.evaluator.pointer(inner, into)
        target = self.layout.pointee(expr.type)
        if not isinstance(expr.operand.type, IntegerType):
            self.evaluator.effects(expr.operand)
            return self.operands.unknown_pointer(target)
        value = self.evaluator.integer(expr.operand)
        self.b.at(expr.span)
        return self.operands.pointer_from(value, target)

    def keeps_address(self, expr: ast.Expr) -> bool:
        """Whether a pointer survives its conversions to integers, as in `(T *)(uintptr_t)p`."""
        while isinstance(expr, ast.Cast):
            if isinstance(expr.type, IntegerType) and expr.type.int.bits < self.layout.pointer_bits:
                return False
            expr = expr.operand
        return True

    def pointer_cast(self, expr: ast.Cast, target: PointerType, into: str) -> Pointer:
        if is_null_constant(expr, self.layout):
            return NULL
        shift = member_shift(expr, self.layout)
        if shift is not None:
            return self.member_shift(*shift, into)
        source = expr.operand.type
        assert isinstance(source, PointerType | FunctionType)
        inner = source.to if isinstance(source, PointerType) else source
        if isinstance(inner, VoidType) and isinstance(strip_casts(expr.operand), ast.Call):
            self.state.wanted_type = target.to
        down = self.layout.first_member_path(inner, target.to)
        up = self.layout.first_member_path(target.to, inner)
        if down or up:
            return self.follow(self.evaluator.pointer(expr.operand), down or up or [], bool(up) and not down, into)
        computed = isinstance(strip_casts(expr.operand), ast.Binary) and is_byte(inner) and not is_byte(target.to)
        if not computed and not self.needs_reinterpretation(inner, target.to):
            return self.evaluator.pointer(expr.operand, into)
        return self.reinterpret(self.evaluator.pointer(expr.operand), target.to, into)

    def needs_reinterpretation(self, source: CType, target: CType) -> bool:
        if isinstance(target, VoidType | FunctionType) or source == target:
            return False
        if self.layout.address_taken.raw_blocks and isinstance(source, VoidType | IntegerType):
            return True
        name = self.layout.target(target)
        return isinstance(source, VoidType | IntegerType | RecordType) and name in self.context.punned

    def reinterpret(self, pointer: Pointer, to: CType, into: str) -> Pointer:
        if not isinstance(pointer, Var):
            return pointer
        name = self.layout.object_type(to).name
        target = into or self.b.pointer_temporary(name)
        self.b.emit_checked(Reinterpret(target, pointer.name, name))
        return Var(target)

    def member_shift(self, pointer: ast.Expr, path: list[tuple[str, str]], up: bool, into: str) -> Pointer:
        return self.follow(self.evaluator.pointer(pointer), path, up, into)

    def follow(self, pointer: Pointer, path: list[tuple[str, str]], up: bool, into: str) -> Pointer:
        """Follow links along a chain of members, outermost first; upwards from the innermost."""
        for step, (record, member) in enumerate(reversed(path) if up else path):
            if not isinstance(pointer, Var):
                name = self.b.pointer_temporary()
                self.b.emit(Assign(name, pointer))
                pointer = Var(name)
            self.layout.object_type(RecordType(record))
            end = RecordType(record) if up else self.layout.member(record, member).type
            last = step == len(path) - 1
            target = into if into and last else self.b.pointer_temporary(self.layout.target(end))
            self.b.emit_checked(Follow(target, pointer.name, record, member, up))
            pointer = Var(target)
        return pointer


def is_byte(ctype: CType) -> bool:
    """Whether a type is `void` or a single byte."""
    return isinstance(ctype, VoidType) or (isinstance(ctype, IntegerType) and ctype.int.bits == 8)
