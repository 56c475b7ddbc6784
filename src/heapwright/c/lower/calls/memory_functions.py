"""Functions on whole objects: memset, memcpy, memmove, and the copy of realloc."""

from __future__ import annotations

from collections.abc import Callable

from heapwright.c import ast
from heapwright.c.lower.calls.block_types import BlockTypes, is_char
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.graph_builder import INT
from heapwright.c.lower.interfaces import Evaluator
from heapwright.c.lower.prepass.object_layout import (
    is_aggregate,
    is_pointer,
)
from heapwright.c.lower.prepass.source_text import text
from heapwright.c.lower.prepass.tree_queries import called_name, strip_casts
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.c.types import ArrayType, CType, PointerType, RecordType
from heapwright.program.commands import (
    Compute,
    Copy,
    Fill,
    Padding,
    Shift,
)
from heapwright.program.expressions import (
    JUNK,
    Compare,
    Const,
    Expr,
    IntVar,
    Pointer,
    PointerCompare,
    Var,
)

MOVES = frozenset({"memmove", "__builtin_memmove"})


class MemoryFunctions(Part):
    def __init__(self, context: Context, evaluator: Evaluator, block_types: BlockTypes) -> None:
        super().__init__(context)
        self.evaluator = evaluator
        self.block_types = block_types

    def memset(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        target = self.operands.snapshot_pointer(self.evaluator.pointer(expr.arguments[0]))
        byte, size = self.evaluator.integers(expr.arguments[1], expr.arguments[2])
        self.b.at(expr.span)
        element = self.block_types.memory_type(expr.arguments[0], expr.arguments[2])
        subject = text(expr.arguments[0], self.layout)
        byte = self.operands.snapshot(byte)
        typed = element is not None and self.whole(size, element) and not self.splits_byte(byte, element)
        if element is None or not typed or self.beside_scalar(expr.arguments[0], size):
            self.b.emit_checked(Fill(self.held(target), byte, self.operands.snapshot(size)), subject)
            return target
        size = self.operands.snapshot(size)
        self.each_cell(target, size, element, subject, lambda lvalue: self.fill(lvalue, byte), expr)
        if isinstance(target, Var) and self.layout.has_padding(element):
            self.b.emit(Padding("padding", base=target.name, value=byte, size=size))
        return target

    def splits_byte(self, byte: Expr, element: CType) -> bool:
        """Whether bit-fields hold other numbers than those of whole bytes."""
        same = isinstance(byte, Const) and byte.value & 0xFF in (0, 0xFF)
        return not same and is_aggregate(element) and any(one.bits is not None for one in self.layout.scalars(element))

    def fill(self, lvalue: LValue, byte: Expr) -> None:
        self.aggregates.fill(lvalue, lambda ctype: self.repeated(byte, ctype))

    def repeated(self, byte: Expr, ctype: CType) -> Value:
        """The scalar whose bytes are all the same."""
        if isinstance(byte, Const) and byte.value & 0xFF == 0:
            return self.aggregates.zero_value(ctype)
        if is_pointer(ctype):
            return JUNK
        type = self.layout.int_type(ctype)
        if type.bits == 8:
            return self.operands.convert(byte, type)
        if isinstance(byte, Const):
            return Const(type.wrap(int.from_bytes(bytes([byte.value & 0xFF]) * (type.bits // 8), "little")), type)
        return self.operands.approximate(type)

    def memcpy(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        target = self.operands.snapshot_pointer(self.evaluator.pointer(expr.arguments[0]))
        source = self.operands.snapshot_pointer(self.evaluator.pointer(expr.arguments[1]))
        size = self.evaluator.integer(expr.arguments[2])
        self.b.at(expr.span)
        if id(expr) in self.context.environment.hidden:
            self.operands.hide_address(source)
        element = self.copied_type(expr)
        subject = text(expr.arguments[0], self.layout)
        beside = any(self.beside_scalar(argument, size) for argument in expr.arguments[:2])
        if element is None or beside or not self.whole(size, element):
            self.b.emit_checked(Copy(self.held(target), self.held(source), self.operands.snapshot(size)), subject)
            return target
        unit = self.layout.size(element)
        if isinstance(target, Var) and isinstance(source, Var) and self.layout.has_padding(element):
            size = self.operands.snapshot(size)
            self.b.emit(Padding("padding", base=target.name, source=source.name, size=size))
        if isinstance(size, Const) and size.value == unit:
            self.copy_cell(target, source, self.layout.size_constant(0), element, subject)
        elif called_name(expr) in MOVES:
            self.move_cells(target, source, self.block_types.count_of(size, unit, expr), element, subject)
        else:
            count = self.block_types.count_of(size, unit, expr)
            self.operands.count_loop(count, lambda index: self.copy_cell(target, source, index, element, subject))
        return target

    def held(self, pointer: Pointer) -> str:
        return pointer.name if isinstance(pointer, Var) else self.operands.held_in_variable(pointer)

    def whole(self, size: Expr, element: CType) -> bool:
        """Whether so many bytes are whole elements."""
        unit = self.layout.size(element)
        if unit == 0 or (isinstance(element, RecordType) and self.block_types.is_open_ended(element.key)):
            return False
        if isinstance(size, Const):
            return size.value % unit == 0
        return unit == 1 or self.block_types.factor(size, unit) is not None

    def beside_scalar(self, pointer: ast.Expr, size: Expr) -> bool:
        """Whether other bytes than those of a scalar are meant whose address an argument is, as in `&p->first`, or
        other bytes than those of a row of an array."""
        bare = strip_casts(pointer)
        row = bare.operand if isinstance(bare, ast.Cast) else bare
        if isinstance(row, ast.Subscript) and isinstance(row.type, ArrayType):
            return isinstance(size, Const) and size.value > self.layout.size(row.type)
        if not isinstance(bare, ast.AddressOf) or is_aggregate(bare.operand.type):
            return False
        return not isinstance(size, Const) or size.value != self.layout.size(bare.operand.type)

    def copied_type(self, expr: ast.Call) -> CType | None:
        """The type of the elements that memcpy copies, None if both sides are not known to have the same."""
        element = self.block_types.memory_type(expr.arguments[0], expr.arguments[2])
        other = self.block_types.memory_type(expr.arguments[1], expr.arguments[2])
        if element is None or other is None:
            known = element or other
            return None if known is None or is_char(known) else known
        return element if self.same_scalars(element, other) else None

    def same_scalars(self, left: CType, right: CType) -> bool:
        """Whether elements of two types are the same scalars."""
        if left == right:
            return True
        if is_aggregate(left) or is_aggregate(right):
            return False
        return is_pointer(left) == is_pointer(right) and self.layout.size(left) == self.layout.size(right)

    def move_cells(self, target: Pointer, source: Pointer, count: Expr, element: CType, subject: str) -> None:
        """memmove: from the end if the target begins inside the source, else from the start."""
        if not isinstance(source, Var):
            source = Var(self.operands.held_in_variable(source))
        overlaps = IntVar(self.b.data_temporary(INT), INT)
        self.b.emit(Compute(overlaps.name, Const(0, INT)))

        def compare(index: Expr) -> None:
            here = self.operands.shift(source, index, False, PointerType(element))
            inside, on = self.b.location(), self.b.location()
            self.b.split(PointerCompare("==", here, target), inside, on)
            self.b.current = inside
            self.b.emit(Compute(overlaps.name, Const(1, INT)))
            self.b.goto(on)
            self.b.current = on

        def from_end(index: Expr) -> None:
            last = self.operands.arithmetic("-", count, Const(1, count.type), count.type)
            mirrored = self.operands.snapshot(self.operands.arithmetic("-", last, index, count.type))
            self.copy_cell(target, source, mirrored, element, subject)

        self.operands.count_loop(count, compare)
        backwards, forwards, after = self.b.location(), self.b.location(), self.b.location()
        self.b.split(Compare("!=", overlaps, Const(0, INT)), backwards, forwards)
        self.b.current = backwards
        self.operands.count_loop(count, from_end)
        self.b.goto(after)
        self.b.current = forwards
        self.operands.count_loop(count, lambda index: self.copy_cell(target, source, index, element, subject))
        self.b.goto(after)
        self.b.current = after

    def each_cell(
        self,
        target: Pointer,
        size: Expr,
        element: CType,
        subject: str,
        action: Callable[[LValue], None],
        expr: ast.Call,
    ) -> None:
        unit = self.layout.size(element)
        if isinstance(size, Const) and size.value == unit:
            action(self.cell(target, self.layout.size_constant(0), element, subject))
            return
        count = self.block_types.count_of(size, unit, expr)
        self.operands.count_loop(count, lambda index: action(self.cell(target, index, element, subject)))

    def copy_cell(self, target: Pointer, source: Pointer, index: Expr, element: CType, subject: str) -> None:
        self.aggregates.copy(self.cell(target, index, element, subject), self.cell(source, index, element, subject))

    def cell(self, pointer: Pointer, index: Expr, element: CType, subject: str) -> LValue:
        """`pointer[index]`"""
        if not isinstance(pointer, Var):
            return self.lvalues.dereference(pointer, element, subject)
        if is_aggregate(element):
            moved = self.b.pointer_temporary(self.layout.target(element))
            self.b.emit(Shift(moved, pointer.name, index, self.layout.size(element)))
            return self.lvalues.dereference(Var(moved), element, subject)
        if self.layout.has_arrays(element):
            return LValue(
                element, element, base=self.lvalues.seen_as(pointer.name, element), index=index, subject=subject
            )
        return self.lvalues.dereference(pointer, element, subject)
