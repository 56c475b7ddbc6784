"""Types of allocated blocks, from requested sizes and from the types at which results are used."""

from __future__ import annotations

from heapwright.base.errors import UnsupportedError
from heapwright.c import ast
from heapwright.c.lower.context import Part
from heapwright.c.lower.prepass.object_layout import (
    is_aggregate,
    is_pointer,
)
from heapwright.c.lower.prepass.tree_queries import constant, strip_casts
from heapwright.c.types import ArrayType, CType, FunctionType, IntegerType, PointerType, RecordType, VoidType
from heapwright.program.expressions import (
    Binary,
    Const,
    Expr,
)


class BlockTypes(Part):
    def measured(self, size: ast.Expr) -> CType | None:
        """The type whose `sizeof` reaches a size, through parameters and variables that are set once."""
        match size:
            case ast.IntLiteral():
                return size.measured
            case ast.Cast():
                return self.measured(size.operand)
            case ast.Binary() if size.op in ("*", "+"):
                return self.measured(size.left) or self.measured(size.right)
            case ast.VarRef():
                decl = size.decl
                if id(decl) in self.state.frame.measures:
                    return self.state.frame.measures[id(decl)]
                once = decl.initializer is not None and id(decl) not in self.context.callgraph.assigned
                return self.measured(decl.initializer) if once and decl.initializer is not None else None
        return None

    def element_type(self, measured: CType | None, want: CType | None) -> CType | None:
        """The element type of a block: the type at which it is used, unless that is bytes or void; else the type of the
        sizeof in its size."""
        if isinstance(measured, ArrayType):
            measured = measured.of
        if isinstance(want, VoidType | FunctionType):
            want = None
        if measured is None or isinstance(measured, VoidType):
            return want
        if want is None or is_char(want) or self.layout.first_member_path(measured, want):
            return measured
        return want

    def shape(self, element: CType, size: Expr) -> tuple[str, Expr | None, bool]:
        """The object type and count for a block of `size` bytes, and whether these determine its size exactly."""
        if isinstance(element, RecordType) and self.is_open_ended(element.key):
            return self.layout.object_type(element).name, None, False
        unit = self.layout.size(element) or 1
        known = size.value if isinstance(size, Const) else -1
        single = (
            0 <= known < 2 * unit if is_aggregate(element) else known == unit and not self.layout.has_arrays(element)
        )
        if single:
            return self.layout.object_type(element).name, None, known == unit
        if not is_aggregate(element):
            self.layout.learn_arrays(element)
        array = self.layout.object_type(ArrayType(element, None))
        if isinstance(size, Const):
            return array.name, Const(size.value // unit, size.type), size.value % unit == 0
        factor = self.factor(size, unit)
        if factor is not None:
            return array.name, factor, True
        if unit == 1:
            return array.name, size, True
        return array.name, Binary("/", size, Const(unit, size.type), size.type), False

    def is_open_ended(self, record: str) -> bool:
        """Whether a struct ends with an array without a length, a flexible array member."""
        fields = self.layout.records[record].fields
        last = fields[-1].type if fields else None
        return isinstance(last, ArrayType) and not last.count

    def factor(self, size: Expr, unit: int) -> Expr | None:
        """The n of a size `n * unit`."""
        if isinstance(size, Binary) and size.op == "*":
            self.b.assumption("sizes of allocations do not overflow")
            if isinstance(size.left, Const) and size.left.value == unit:
                return size.right
            if isinstance(size.right, Const) and size.right.value == unit:
                return size.left
        return None

    def count_of(self, size: Expr, unit: int, expr: ast.Call) -> Expr:
        """The number of whole elements in `size` bytes; a constant part of an element is not supported."""
        if isinstance(size, Const):
            if size.value % unit:
                raise UnsupportedError("memset or memcpy of a part of an object", expr.span)
            return Const(size.value // unit, size.type)
        factor = self.factor(size, unit)
        if factor is None and unit != 1:
            factor = Binary("/", size, Const(unit, size.type), size.type)
        return self.operands.snapshot(factor if factor is not None else size)

    def memory_type(self, pointer: ast.Expr, size: ast.Expr) -> CType | None:
        """The type of the elements that a `void *` argument points to."""
        pointee = self.pointee(pointer)
        if isinstance(pointee, ArrayType) and not self.is_one_of_several(pointer, pointee, size):
            pointee = pointee.of
        if pointee is None:
            pointee = self.measured(size)
        return pointee

    def is_one_of_several(self, pointer: ast.Expr, array: ArrayType, size: ast.Expr) -> bool:
        """Whether an array is a row, and other rows than that are meant, too."""
        known = constant(size, self.layout)
        if known is not None:
            return known > self.layout.size(array)
        return not isinstance(strip_casts(pointer), ast.AddressOf)

    def pointee(self, expr: ast.Expr) -> CType | None:
        """The pointee of a pointer before its conversion to `void *`, also in a caller."""
        known = ast_pointee(expr)
        bare = strip_casts(expr)
        if known is None and isinstance(bare, ast.VarRef):
            return self.state.frame.pointees.get(id(bare.decl))
        return known


def ast_pointee(expr: ast.Expr) -> CType | None:
    """The pointee type of an argument before its conversion to `void *`."""
    while isinstance(expr, ast.Cast) and not expr.decay and isinstance(expr.type, PointerType):
        if not isinstance(expr.type.to, VoidType) and not is_char(expr.type.to):
            break
        if not is_pointer(expr.operand.type):
            break
        expr = expr.operand
    if isinstance(expr.type, PointerType) and not isinstance(expr.type.to, VoidType | FunctionType):
        return expr.type.to
    return None


def is_char(ctype: CType) -> bool:
    return isinstance(ctype, IntegerType) and ctype.int.bits == 8
