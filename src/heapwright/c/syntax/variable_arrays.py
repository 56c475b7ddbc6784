"""Arrays of several variable lengths (C11 6.7.6.2) as arrays of one: rows lie one behind the other.

`int a[n][m]` becomes an array of n * m elements, and `a[i]` the pointer `a + i * m`; so does `int (*p)[m]`, which then
is an `int *`. The lengths are kept in variables of their own, where the declaration is reached. An index of a row is
checked against the length of the row, in a `RowIndex`.

A function whose parameters are such arrays has an instance for each type of arrays of constant lengths that it is
called with (`Names.instance`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from heapwright.base.source import Span
from heapwright.c.ast import (
    Assign,
    Binary,
    Cast,
    Comma,
    Conditional,
    Deref,
    Expr,
    FunctionRef,
    IncDec,
    IntLiteral,
    RowIndex,
    Subscript,
    VarDecl,
    VariableSize,
    VarRef,
)
from heapwright.c.clang import library
from heapwright.c.syntax import clang_kinds as kinds
from heapwright.c.syntax import constants
from heapwright.c.syntax.cursor_tree import Node
from heapwright.c.syntax.declarations import Names
from heapwright.c.syntax.types import Types
from heapwright.c.types import ArrayType, CType, IntegerType, PointerType
from heapwright.program.types import IntType

LONG = IntegerType(IntType(64, True), "long")
SIZE = IntegerType(IntType(64, False), "unsigned long")
HIDDEN = "length of "  # names with spaces are none of the source


class Shape(NamedTuple):
    """Of a pointer into such an array: the lengths of what one step passes over, and the length of the row at whose
    start it is, if it is the row."""

    expr: Expr
    steps: tuple[Expr, ...]
    row: Expr | None = None


class VariableArrays:
    """`read` reads an expression."""

    def __init__(self, types: Types, names: Names, read: Callable[[Node], Expr]) -> None:
        self._types = types
        self._names = names
        self._read = read
        self._shapes: dict[int, Shape] = {}  # by id(); the expressions are kept
        self._declared: dict[int, tuple[VarDecl, tuple[Expr, ...]]] = {}

    # --- declarations ----------------------------------------------------------------------------------------------

    def declare(self, decl: VarDecl, lengths: Sequence[Expr]) -> tuple[VarDecl, ...]:
        """Notes the variable lengths of a declaration, the outermost first: of an array its own, else those of what it
        points to. The variables that keep them."""
        hidden = tuple(
            VarDecl(f"{HIDDEN}{decl.name} {number}", LONG, decl.span, "local", converted(length, LONG))
            for number, length in enumerate(lengths)
        )
        found = tuple(VarRef(LONG, one.span, one) for one in hidden)
        self._declared[id(decl)] = decl, found
        if isinstance(decl.type, ArrayType):
            decl.length = product(found, decl.span)
        return hidden

    def lengths_of(self, decl: VarDecl) -> tuple[Expr, ...]:
        """What `declare` noted."""
        return self._declared[id(decl)][1] if id(decl) in self._declared else ()

    # --- expressions -----------------------------------------------------------------------------------------------

    def shape(self, expr: Expr) -> Shape | None:
        known = self._shapes.get(id(expr))
        if known is not None:
            return known
        match expr:
            case VarRef():
                lengths = self.lengths_of(expr.decl)
                array = isinstance(expr.decl.type, ArrayType)
                return Shape(expr, lengths[1:] if array else lengths) if lengths else None
            case Cast() if not expr.explicit:
                return self.shape(expr.operand) if expr.decay or expr.operand.type == expr.type else None
            case Assign():
                return self.shape(expr.left)
            case Comma():
                return self.shape(expr.right)
            case Conditional():
                return (self.shape(expr.then) if expr.then is not None else None) or self.shape(expr.other)
        return None

    def shaped(self, expr: Expr, steps: tuple[Expr, ...], row: Expr | None = None) -> Expr:
        if steps or row is not None:
            self._shapes[id(expr)] = Shape(expr, steps, row)
        return expr

    def subscript(self, type: CType, span: Span, base: Expr, index: Expr) -> Expr:
        shape = self.shape(base)
        if shape is None:
            return Subscript(_element(base, type), span, base, index)
        if shape.row is not None:
            index = RowIndex(LONG, span, converted(index, LONG), shape.row)
        if not shape.steps:
            return Subscript(type, span, base, index)
        row = Binary(base.type, span, "+", base, times(index, shape.steps))
        return self.shaped(row, shape.steps[1:], shape.steps[0])

    def dereference(self, type: CType, span: Span, operand: Expr) -> Expr:
        shape = self.shape(operand)
        if shape is None or not shape.steps:
            return Deref(_element(operand, type), span, operand)
        row = Cast(operand.type, span, operand, explicit=True)
        return self.shaped(row, shape.steps[1:], shape.steps[0])

    def address(self, span: Span, operand: Expr) -> Expr | None:
        """The address of an array or of one of its rows; None for all others."""
        if isinstance(operand, VarRef) and isinstance(operand.type, ArrayType) and self.lengths_of(operand.decl):
            whole = Cast(PointerType(operand.type.of), span, operand, decay=True)
            return self.shaped(whole, self.lengths_of(operand.decl))
        shape = self.shape(operand)
        if shape is None or shape.row is None:
            return None
        return self.shaped(Cast(operand.type, span, operand, explicit=True), (shape.row, *shape.steps))

    def sum(self, type: CType, span: Span, op: str, left: Expr, right: Expr) -> Expr | None:
        """`p + i`, `i + p`, `p - i` or `p - q`; None where no rows are passed over."""
        one, other = self.shape(left), self.shape(right)
        if one is not None and other is not None and op == "-":
            distance = Binary(type, span, op, left, right)
            return Binary(type, span, "/", distance, product(one.steps, span)) if one.steps else None
        pointer, offset, shape = (left, right, one) if one is not None else (right, left, other)
        if shape is None or not shape.steps:
            return None
        return self.shaped(Binary(pointer.type, span, op, pointer, times(offset, shape.steps)), shape.steps)

    def step(self, expr: IncDec) -> Expr | None:
        """`p++` and the like; None where no rows are passed over."""
        shape = self.shape(expr.operand)
        if shape is None or not shape.steps:
            return None
        length = product(shape.steps, expr.span)
        moved = self.shaped(Assign(expr.type, expr.span, expr.operand, length, expr.op, expr.type), shape.steps)
        if expr.prefix:
            return moved
        back = "-" if expr.op == "+" else "+"
        return self.shaped(Binary(expr.type, expr.span, back, moved, length), shape.steps)

    def offset(self, left: Expr, right: Expr) -> Expr:
        """The right side of `p += i`."""
        shape = self.shape(left)
        return times(right, shape.steps) if shape is not None and shape.steps else right

    def measure(self, node: Node, text: str | None, span: Span) -> Expr | None:
        """A `sizeof` that is no constant."""
        name = constants.measured_name(node, text)
        if name is not None:
            return self._size(self.lengths(node), constants.element_type(name, node, self._types), span)
        operand = self._read(node.expressions[0])
        if isinstance(operand, VarRef) and operand.decl.length is not None and not self.lengths_of(operand.decl):
            return VariableSize(self._types.of(node.cursor), span, operand.decl)
        known = self._types.size(operand.type) if isinstance(operand.type, ArrayType) else None
        if known is not None:
            return IntLiteral(self._types.of(node.cursor), span, known, operand.type)
        if isinstance(operand, VarRef) and isinstance(operand.type, ArrayType):
            return self._size(self.lengths_of(operand.decl), operand.type.of, span)
        shape = self.shape(operand)
        if shape is None or shape.row is None or not isinstance(operand.type, PointerType):
            return None
        return self._size((shape.row, *shape.steps), operand.type.to, span)

    def _size(self, lengths: Sequence[Expr], element: CType | None, span: Span) -> Expr | None:
        unit = self._types.size(element) if element is not None else None
        if unit is None or not lengths:
            return None
        count = converted(product(lengths, span), SIZE)
        return Binary(SIZE, span, "*", count, IntLiteral(SIZE, span, unit, element))

    # --- libclang's view ---------------------------------------------------------------------------------------------

    def lengths(self, node: Node) -> tuple[Expr, ...]:
        """The lengths of an array type in a declarator, a cast or a sizeof, the outermost first: libclang shows them
        from the innermost on; those of a typedef come after them."""
        found = [self._read(one) for one in reversed(node.expressions)]
        named = next((child for child in node.children if child.kind == kinds.TYPE_REF), None)
        if named is not None:
            typedef = self._names.typedef(library().clang_getCursorReferenced(named.cursor))
            found += self.lengths_of(typedef) if typedef is not None else ()
        return tuple(found)

    def lost(self, node: Node, *pointers: Expr) -> bool:
        """Whether an operand is a pointer to arrays of variable lengths that are not known here."""
        lib = library()
        return any(self._types.pointed_levels(lib.clang_getCursorType(one.cursor)) for one in node.expressions) and any(
            isinstance(one.type, PointerType | ArrayType) and not is_constant_rows(one.type) and self.shape(one) is None
            for one in pointers
        )

    def instance(self, function: FunctionRef, given: tuple[Expr, ...]) -> FunctionRef:
        """The instance of a function for arguments that are arrays of constant lengths."""
        rows = self._names.variable_parameters.get(function.name, frozenset())
        constant = {number: given[number].type for number in rows if number < len(given)}
        constant = {number: type for number, type in constant.items() if is_constant_rows(type)}
        if not constant:
            return function
        name = self._names.instance(function.name, constant)
        return FunctionRef(self._names.functions[name].type, function.span, name)


def product(lengths: Sequence[Expr], span: Span) -> Expr:
    found = converted(lengths[0], LONG)
    for length in lengths[1:]:
        found = Binary(LONG, span, "*", found, converted(length, LONG))
    return found


def times(index: Expr, lengths: Sequence[Expr]) -> Expr:
    return Binary(LONG, index.span, "*", converted(index, LONG), product(lengths, index.span))


def converted(expr: Expr, type: CType) -> Expr:
    return expr if expr.type == type else Cast(type, expr.span, expr)


def _element(pointer: Expr, type: CType) -> CType:
    """The type of an element, which is that of an array of constant lengths in an instance of a function."""
    known = pointer.type.to if isinstance(pointer.type, PointerType) else None
    constant = isinstance(known, ArrayType) and known.count is not None and isinstance(type, ArrayType)
    return known if constant and known is not None else type


def is_constant_rows(type: CType) -> bool:
    """Whether a type is a pointer to an array of a constant length."""
    return isinstance(type, PointerType) and isinstance(type.to, ArrayType) and type.to.count is not None
