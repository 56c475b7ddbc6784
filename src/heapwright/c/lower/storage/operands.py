"""Operands: values kept in temporaries, arithmetic on values, and counted loops."""

from __future__ import annotations

from collections.abc import Callable

from heapwright.c.lower.graph_builder import INT, GraphBuilder
from heapwright.c.lower.prepass.object_layout import (
    Layout,
    is_pointer,
)
from heapwright.c.lower.prepass.tree_queries import (
    wider,
)
from heapwright.c.lower.storage.values import Value
from heapwright.c.types import CType, FloatType, IntegerType, PointerType
from heapwright.program import floating_point
from heapwright.program.commands import (
    Assign,
    Compute,
    External,
    FloatingPoint,
    FromInteger,
    Havoc,
    Shift,
    ToInteger,
)
from heapwright.program.expressions import (
    COMPARISONS,
    JUNK,
    NULL,
    UNKNOWN,
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    IntVar,
    Literal,
    Null,
    Pointer,
    PointerCompare,
    Var,
    apply_binary,
)
from heapwright.program.types import IntType


class Operands:
    def __init__(self, builder: GraphBuilder, layout: Layout) -> None:
        self.b = builder
        self.layout = layout

    # --- temporaries -------------------------------------------------------------------------------------------------

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

    def held_in_variable(self, value: Pointer, target: str = "") -> str:
        name = self.b.pointer_temporary(target)
        self.b.emit(Assign(name, value))
        return name

    def approximate(self, type: IntType) -> IntVar:
        """Any value, for an expression that is not modelled exactly."""
        name = self.b.data_temporary(type)
        self.b.emit(Havoc(name, type, "approximation", approximate=True))
        return IntVar(name, type)

    # --- floating point ----------------------------------------------------------------------------------------------

    def floating(self, operation: str, operands: tuple[Expr, ...], size: int, type: IntType) -> Expr:
        """The result of an operation on floating-point numbers of so many bytes; approximate where the platform
        computes with more digits."""
        if size not in floating_point.SIZES or type.bits > 64 or self.layout.pointer_bits == 32:
            return self.approximate(type)
        name = self.b.data_temporary(type)
        command = FloatingPoint(name, type, "approximation", True, None, None, operation, operands, size)
        self.b.emit(command)
        return IntVar(name, type)

    def float_constant(self, value: float | None, ctype: FloatType) -> Expr:
        type = self.layout.int_type(ctype)
        if value is None or ctype.size not in floating_point.SIZES or self.layout.pointer_bits == 32:
            return self.approximate(type)
        return Const(floating_point.bits(value, ctype.size), type)

    def float_converted(self, value: Expr, source: CType, target: CType) -> Expr:
        """A conversion from or to a floating-point type."""
        type = self.layout.int_type(target)
        if isinstance(source, FloatType) and isinstance(target, FloatType):
            return value if source.size == target.size else self.floating("convert", (value,), source.size, type)
        if isinstance(source, FloatType):
            if isinstance(target, IntegerType) and target.boolean:
                zero = Const(0, value.type)
                return self.convert(self.floating("ne", (value, zero), source.size, INT), type)
            return self.floating("to_int", (value,), source.size, type)
        return self.floating("from_int", (value,), self.layout.size(target), type)

    def float_arithmetic(self, op: str, left: Expr, right: Expr, ctype: FloatType) -> Expr:
        operations = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
        return self.floating(operations[op], (left, right), ctype.size, self.layout.int_type(ctype))

    def float_comparison(self, op: str, left: Expr, right: Expr, ctype: FloatType) -> Expr:
        operations = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
        return self.floating(operations[op], (left, right), ctype.size, INT)

    def pointer_number(self, pointer: Pointer) -> Expr:
        """The integer of the size of a pointer that it is converted to."""
        type = self.layout.size_type
        if isinstance(pointer, Null):
            return Const(0, type)
        name = self.b.data_temporary(type)
        held = pointer.name if isinstance(pointer, Var) else self.held_in_variable(pointer)
        self.b.emit(ToInteger(name, type, "approximation", True, None, None, held))
        return IntVar(name, type)

    def pointer_from(self, value: Expr, target: str) -> Var:
        """The pointer that an integer is converted to: null, or an unknown one unless it holds a pointer."""
        value = self.snapshot(self.convert(value, self.layout.size_type))
        result = self.b.pointer_temporary(target)
        if isinstance(value, Const):
            self.b.emit(FromInteger(result, UNKNOWN, value))
            return Var(result)
        null, other, after = self.b.location(), self.b.location(), self.b.location()
        self.b.split(Compare("==", value, Const(0, value.type)), null, other)
        for start, command in ((null, Assign(result, NULL)), (other, FromInteger(result, UNKNOWN, value))):
            self.b.current = start
            self.b.emit(command)
            self.b.goto(after)
        self.b.current = after
        return Var(result)

    def unknown_pointer(self, target: str, *, may_be_null: bool = True) -> Var:
        """A pointer of which nothing is known: null or invalid, which is approximate, so that no violation depends on
        it."""
        chosen, result = self.approximate(INT), self.b.pointer_temporary(target)
        null, invalid, after = self.b.location(), self.b.location(), self.b.location()
        self.b.split(Compare("==", chosen, Const(0, INT)), null, invalid)
        for start, value in ((null, NULL if may_be_null else UNKNOWN), (invalid, UNKNOWN)):
            self.b.current = start
            self.b.emit(Assign(result, value))
            self.b.goto(after)
        self.b.current = after
        return Var(result)

    def result_variable(self, ctype: CType) -> str:
        if is_pointer(ctype):
            return self.b.pointer_temporary(self.layout.pointee(ctype))
        return self.b.data_temporary(self.layout.int_type(ctype))

    def hide_address(self, pointer: Pointer) -> None:
        """A pointer becomes data, in which the environment may find it."""
        if not isinstance(pointer, Var):
            return
        found, after = self.b.location(), self.b.location()
        self.b.split(Compare("!=", self.approximate(INT), Const(0, INT)), found, after)
        self.b.current = found
        self.b.emit(External("an integer", (pointer.name,)))
        self.b.goto(after)
        self.b.current = after

    def variable_value(self, name: str) -> Value:
        variable = self.b.variables[name]
        return Var(name) if variable.type is None else IntVar(name, variable.type)

    def assign(self, variable: str, value: Value | None) -> None:
        """Assign to a plain variable."""
        type = self.b.variables[variable].type
        if isinstance(value, Expr):
            assert type is not None
            self.b.emit(Compute(variable, self.convert(value, type)))
        elif value is not None and value != Var(variable):
            self.b.emit_checked(Assign(variable, value))

    # --- arithmetic --------------------------------------------------------------------------------------------------

    def convert(self, value: Expr, type: IntType) -> Expr:
        if value.type == type:
            return value
        if isinstance(value, Const):
            return Const(type.wrap(value.value), type)
        if isinstance(value, Convert) and wider(value.operand.type, value.type):
            return self.convert(value.operand, type)  # widening first changes nothing
        if isinstance(value, Convert) and value.operand.type == type and value.type.bits >= type.bits:
            return value.operand  # there and back
        return Convert(value, type)

    def to_bool(self, value: Expr, type: IntType) -> Expr:
        if isinstance(value, Const):
            return Const(int(value.value != 0), type)
        if isinstance(value, Binary) and value.op in COMPARISONS:
            return self.convert(value, type)
        return self.convert(Binary("!=", value, Const(0, value.type), INT), type)

    def arithmetic(self, op: str, left: Expr, right: Expr, type: IntType) -> Expr:
        if isinstance(left, Const) and isinstance(right, Const) and not (op in "/%" and right.value == 0):
            return Const(apply_binary(op, left.value, right.value, type), type)
        if op in ("/", "%"):
            self.assume_divisor(right)
        if op in ("+", "-", "*") and type.signed:
            self.b.assumption("signed arithmetic wraps around on overflow")
        if op in ("+", "-") and isinstance(right, Const) and right.value == 0:
            return left
        return Binary(op, left, right, type)  # type: ignore[arg-type]  # the parser's operators are BinaryOp

    def assume_divisor(self, divisor: Expr) -> None:
        if not isinstance(divisor, Const) or divisor.value == 0:
            self.b.assumption("no division by zero", self.b.span)
            self.b.assume(Compare("!=", divisor, Const(0, divisor.type)))

    def shift(self, pointer: Pointer, distance: Expr, backwards: bool, ctype: CType, into: str = "") -> Pointer:
        if isinstance(distance, Const) and distance.value == 0:
            return pointer
        if isinstance(ctype, PointerType) and isinstance(ctype.to, IntegerType | FloatType | PointerType):
            self.layout.learn_arrays(ctype.to)
        if backwards:
            signed = IntType(self.layout.pointer_bits, True)
            distance = self.arithmetic("-", Const(0, signed), self.convert(distance, signed), signed)
        if not isinstance(pointer, Var):
            return JUNK
        target = into or self.b.pointer_temporary(self.b.variables[pointer.name].target)
        unit = self.layout.size(ctype.to) if isinstance(ctype, PointerType) else 0
        self.b.emit_checked(Shift(target, pointer.name, distance, unit))
        return Var(target)

    def truth_literal(self, value: Value) -> Literal:
        if not isinstance(value, Expr):
            return PointerCompare("!=", value, NULL)
        if isinstance(value, Binary) and value.op in COMPARISONS:
            return Compare(value.op, value.left, value.right)
        return nonzero(value)

    # --- loops -------------------------------------------------------------------------------------------------------

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


def nonzero(value: Expr) -> Compare:
    return Compare("!=", value, Const(0, value.type))


def is_single_use(variable: str) -> bool:
    """Whether a variable holds one intermediate value; a function's result is one that the next call overwrites."""
    return variable.startswith("$")
