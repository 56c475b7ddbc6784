"""Expressions: from clang's cursors to those of `c/ast.py`.

libclang shows implicit conversions as cursors without a kind of their own; their meaning follows from the types on both
sides. `(char *) a` with `int a[3]` becomes Cast(char *, Cast(int *, VarRef a, decay), explicit).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from heapwright.base.source import Span
from heapwright.c import clang
from heapwright.c.ast import (
    AddressOf,
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Comma,
    CompoundLiteral,
    Conditional,
    Deref,
    Expr,
    FloatLiteral,
    FunctionDecl,
    FunctionRef,
    IncDec,
    IntLiteral,
    LabelAddress,
    Logical,
    Member,
    StatementExpr,
    StringLiteral,
    Unary,
    UnsupportedExpr,
    VarRef,
)
from heapwright.c.clang import Cursor, library
from heapwright.c.syntax import builtins, constants, variadic
from heapwright.c.syntax import clang_kinds as kinds
from heapwright.c.syntax.cursor_tree import Node
from heapwright.c.syntax.declarations import Names
from heapwright.c.syntax.initializers import Initializers
from heapwright.c.syntax.pretty_printed import PrintedFunction
from heapwright.c.syntax.source_spans import SourceMap
from heapwright.c.syntax.types import Types, adjusted
from heapwright.c.syntax.variable_arrays import VariableArrays, is_constant_rows
from heapwright.c.types import ArrayType, CType, FunctionType, IntegerType, PointerType, RecordType, VoidType

INC_DEC: dict[int, tuple[Literal["+", "-"], bool]] = {
    kinds.POST_INC: ("+", False),
    kinds.POST_DEC: ("-", False),
    kinds.PRE_INC: ("+", True),
    kinds.PRE_DEC: ("-", True),
}
UNARY: dict[int, Literal["-", "~", "!", "+"]] = {
    kinds.PLUS: "+",
    kinds.MINUS: "-",
    kinds.NOT: "~",
    kinds.LOGICAL_NOT: "!",
}
INT_BITS = 32  # in both data models


class Expressions:
    """`block` reads the body of a statement expression, `function` and `printed` are the function around (None at file
    scope); the statements' reader sets them."""

    def __init__(self, types: Types, names: Names, source_map: SourceMap) -> None:
        self.types = types
        self.names = names
        self.source_map = source_map
        self.block: Callable[[Node], Block]
        self.printed: PrintedFunction | None = None
        self.function: FunctionDecl | None = None
        self.arrays = VariableArrays(types, names, self.read)
        self._initializers = Initializers(types, source_map, self.read)
        self._readers: dict[int, Callable[[Node], Expr]] = {
            kinds.UNEXPOSED_EXPR: self._unexposed,
            kinds.DECL_REF_EXPR: self._reference,
            kinds.MEMBER_REF_EXPR: self._member,
            kinds.CALL_EXPR: self._call,
            kinds.INTEGER_LITERAL: self._constant,
            kinds.CHARACTER_LITERAL: self._constant,
            kinds.FLOATING_LITERAL: self._float,
            kinds.STRING_LITERAL: self._string,
            kinds.PAREN_EXPR: self._inner,
            kinds.UNARY_OPERATOR: self._unary,
            kinds.ARRAY_SUBSCRIPT_EXPR: self._subscript,
            kinds.BINARY_OPERATOR: self._binary,
            kinds.COMPOUND_ASSIGNMENT: self._compound_assignment,
            kinds.CONDITIONAL_OPERATOR: self._conditional,
            kinds.CSTYLE_CAST_EXPR: self._cast,
            kinds.COMPOUND_LITERAL_EXPR: self._compound_literal,
            kinds.INIT_LIST_EXPR: self._init_list,
            kinds.STATEMENT_EXPR: self._statement_expression,
            kinds.GENERIC_SELECTION_EXPR: self._generic,
            kinds.ADDR_LABEL_EXPR: self._label_address,
            kinds.UNARY_EXPR: self._measure,
        }

    def read(self, node: Node) -> Expr:
        reader = self._readers.get(node.kind)
        return reader(node) if reader else self.unsupported(node, self._construct(node))

    def initializer(self, node: Node, type: CType) -> Expr:
        """The initialiser of a variable of this type."""
        return self._initializers.read(node, type)

    def unsupported(self, node: Node, construct: str) -> Expr:
        return UnsupportedExpr(self.types.of(node.cursor), self.source_map.span(node.cursor), construct)

    def _construct(self, node: Node) -> str:
        if node.kind == kinds.IMAGINARY_LITERAL:
            return "complex number"
        return self.source_map.word(node.cursor) or "this kind of expression"

    # --- what without a kind in libclang -----------------------------------------------------------------------------

    def _unexposed(self, node: Node) -> Expr:
        children = node.expressions
        if len(children) == 1 and self._same_start(node.cursor, children[0].cursor):
            return self._conversion(node, self.read(children[0]))
        if len(children) == 4 and self._same_start(node.cursor, children[0].cursor):
            return self._elvis(node, children)
        word = self.source_map.word(node.cursor)
        type = self.types.of(node.cursor)
        if word in ("__builtin_va_arg", "va_arg"):
            variables = self._variables(self.read(children[0])) if children else None
            span = self.source_map.span(node.cursor)
            return variadic.argument(variables, type, span) if variables else self.unsupported(node, "va_arg")
        if len(children) == 3:  # __builtin_choose_expr, unless types say otherwise
            condition = clang.evaluate(children[0].cursor)
            chosen = children[1 if condition else 2]
            if condition is not None and self.types.of(chosen.cursor) == type:
                return self.read(chosen)
        value = clang.evaluate(node.cursor)
        if value is not None and isinstance(type, IntegerType):
            return IntLiteral(type, self.source_map.span(node.cursor), value)
        if any(child.kind == kinds.MEMBER_REF for child in node.children):
            return self.unsupported(node, "offsetof with a variable index")
        return self.unsupported(node, word or "this kind of expression")

    def _same_start(self, outer: Cursor, inner: Cursor) -> bool:
        lib = library()
        return bool(lib.clang_getCursorExtent(outer).begin == lib.clang_getCursorExtent(inner).begin)

    def _conversion(self, node: Node, operand: Expr) -> Expr:
        type = self.types.value(node.cursor)
        if type == operand.type:  # reading a variable, or a change of qualifiers
            return operand
        if self.types.pointed_levels(library().clang_getCursorType(node.cursor)) and isinstance(type, PointerType):
            rows = adjusted(operand.type)
            if is_constant_rows(rows):  # the lengths agree, or the program is undefined
                return operand if rows == operand.type else Cast(rows, operand.span, operand, decay=True)
        decay = isinstance(operand.type, ArrayType | FunctionType) and isinstance(type, PointerType)
        return Cast(type, operand.span, operand, decay=decay)

    def _elvis(self, node: Node, children: list[Node]) -> Expr:
        condition, other = self.read(children[0]), self.read(children[3])
        return Conditional(self.types.value(node.cursor), self.source_map.span(node.cursor), condition, None, other)

    # --- constants -------------------------------------------------------------------------------------------------

    def _constant(self, node: Node) -> Expr:
        value = clang.evaluate(node.cursor)
        if value is None:
            return self.unsupported(node, "integer constant of more than 64 bits")
        return IntLiteral(self.types.of(node.cursor), self.source_map.span(node.cursor), value)

    def _float(self, node: Node) -> Expr:
        value = clang.evaluate_float(node.cursor)
        return FloatLiteral(self.types.of(node.cursor), self.source_map.span(node.cursor), value)

    def _string(self, node: Node) -> Expr:
        type = self.types.of(node.cursor)
        data = constants.string_bytes(clang.text(library().clang_getCursorSpelling(node.cursor)), type)
        if data is None:
            return self.unsupported(node, "this form of string literal")
        return StringLiteral(type, self.source_map.span(node.cursor), data)

    def _measure(self, node: Node) -> Expr:
        value = clang.evaluate(node.cursor)
        if value is None:
            found = self.arrays.measure(node, self._text(node), self.source_map.span(node.cursor))
            return found or self.unsupported(node, "sizeof of a variable-length type")
        measured = constants.measured(node, value, self.types, self._text(node))
        return IntLiteral(self.types.of(node.cursor), self.source_map.span(node.cursor), value, measured)

    def _text(self, node: Node) -> str | None:
        text = self.printed.construct(node) if self.printed else None
        return text or self.source_map.text(node.cursor)

    def _generic(self, node: Node) -> Expr:
        chosen = constants.chosen_association(node, self._text(node), self.names.typedefs)
        return self.unsupported(node, "_Generic") if chosen is None else self.read(chosen)

    # --- names -----------------------------------------------------------------------------------------------------

    def _reference(self, node: Node) -> Expr:
        declaration = library().clang_getCursorReferenced(node.cursor)
        span = self.source_map.span(node.cursor)
        if declaration.kind == kinds.FUNCTION_DECL:
            function = self.names.function(declaration)
            return FunctionRef(function.type, span, function.name)
        if declaration.kind in (kinds.VAR_DECL, kinds.PARM_DECL):
            variable = self.names.variable(declaration)
            return VarRef(variable.type, span, variable)
        if declaration.kind == kinds.ENUM_CONSTANT_DECL:
            type = self.types.of(node.cursor)
            value = library().clang_getEnumConstantDeclValue(declaration)
            return IntLiteral(type, span, type.int.wrap(value) if isinstance(type, IntegerType) else value)
        return self.unsupported(node, self._construct(node))

    def _member(self, node: Node) -> Expr:
        base = self.read(node.expressions[0])
        arrow = isinstance(base.type, PointerType)
        record = base.type.to if isinstance(base.type, PointerType) else base.type
        if not isinstance(record, RecordType):
            return self.unsupported(node, "member of a value that is not a struct or union")
        target = self.types.member(library().clang_getCursorReferenced(node.cursor))
        span = self.source_map.named(node.cursor)
        key = record.key
        for name in self.types.path(key, target):
            field = self.types.field(key, name)
            base = Member(field.type, span, base, key, name, arrow)
            arrow = False
            key = field.type.key if isinstance(field.type, RecordType) else ""
        return base

    def _subscript(self, node: Node) -> Expr:
        first, second = (self.read(child) for child in node.expressions)
        base, index = (first, second) if isinstance(first.type, PointerType) else (second, first)
        span = self.source_map.after(node.expressions[0].cursor, "[", node.cursor)
        if self.arrays.lost(node, base):
            return self.unsupported(node, "array of variable-length arrays")
        return self.arrays.subscript(self.types.of(node.cursor), span, base, index)

    def _call(self, node: Node) -> Expr:
        callee, *arguments = node.expressions
        span = self.source_map.span(node.cursor)
        type = self.types.of(node.cursor)
        function = direct(self.read(callee))
        if isinstance(function, FunctionRef) and function.name == "__builtin_constant_p":
            return IntLiteral(type, span, clang.evaluate(node.cursor) or 0)
        given = tuple(self.read(argument) for argument in arguments)
        if isinstance(function, FunctionRef) and function.name.startswith("__builtin_va_"):
            return self._variable_arguments(function.name, given, span) or self.unsupported(node, "va_list")
        if isinstance(function, FunctionRef):
            function, given = builtins.resolved(function, given)
            if builtins.is_overflow(function) and self._size(arguments[-1]) < builtins.POINTER_SIZE:
                return self.unsupported(node, "built-in function about overflow on a 32-bit machine")
            function = self.arrays.instance(function, given)
        return Call(type, span, function, given)

    def _size(self, node: Node) -> int:
        """The size of the type of an expression, in bytes."""
        return int(library().clang_Type_getSizeOf(library().clang_getCursorType(node.cursor)))

    def _variable_arguments(self, name: str, given: tuple[Expr, ...], span: Span) -> Expr | None:
        """`va_start`, `va_copy` or `va_end`."""
        lists = [self._variables(one) for one in given[:2]]
        first, second = lists[0], lists[1] if len(lists) > 1 else None
        if name == "__builtin_va_start" and first is not None and self.function is not None:
            return variadic.start(self.function, first, span)
        if name == "__builtin_va_copy" and first is not None and second is not None:
            return variadic.copy(first, second, span)
        return Cast(VoidType(), span, first) if name == "__builtin_va_end" and first is not None else None

    def _variables(self, expr: Expr) -> Expr | None:
        """A `va_list` as a pointer to its only element."""
        record = RecordType(variadic.LIST)
        if expr.type == ArrayType(record, 1):
            return Cast(PointerType(record), expr.span, expr, decay=True)
        return expr if expr.type == PointerType(record) else None

    def _label_address(self, node: Node) -> Expr:
        label = clang.text(library().clang_getCursorSpelling(node.children[0].cursor)) if node.children else ""
        if not label or self.function is None:
            return self.unsupported(node, "address of a label")
        return LabelAddress(self.types.of(node.cursor), self.source_map.span(node.cursor), label, self.function)

    # --- operators -------------------------------------------------------------------------------------------------

    def _inner(self, node: Node) -> Expr:
        return self.read(node.expressions[0])

    def _unary(self, node: Node) -> Expr:
        operator = library().clang_getCursorUnaryOperatorKind(node.cursor)
        operand = self.read(node.expressions[0])
        if operator == kinds.EXTENSION:
            return operand
        type, span = self.types.of(node.cursor), self.source_map.span(node.cursor)
        if operator in (kinds.DEREF, *INC_DEC) and self.arrays.lost(node, operand):
            return self.unsupported(node, "array of variable-length arrays")
        if operator == kinds.DEREF:
            return self.arrays.dereference(type, span, operand)
        if operator == kinds.ADDRESS_OF:
            constant = isinstance(operand.type, ArrayType) and operand.type.count is not None
            type = PointerType(operand.type) if constant else type
            return self.arrays.address(span, operand) or AddressOf(type, span, operand)
        if operator in INC_DEC:
            sign, prefix = INC_DEC[operator]
            moved = IncDec(operand.type, span, sign, prefix, operand)
            return self.arrays.step(moved) or moved
        if operator in UNARY:
            return Unary(type, span, UNARY[operator], operand)
        return UnsupportedExpr(type, span, "complex number")

    def _binary(self, node: Node) -> Expr:
        operator = library().clang_getCursorBinaryOperatorKind(node.cursor)
        left, right = (self.read(child) for child in node.expressions)
        type, span = self.types.value(node.cursor), self.source_map.span(node.cursor)
        if operator == kinds.PLAIN_ASSIGN:
            if is_constant_rows(right.type) and self.arrays.shape(left) is not None:
                return self.unsupported(node, "assignment of an array of a constant length to one of a variable length")
            return Assign(type, span, left, right)
        if operator == kinds.COMMA:
            return Comma(type, span, left, right)
        if operator in (kinds.LOGICAL_AND, kinds.LOGICAL_OR):
            return Logical(type, span, "&&" if operator == kinds.LOGICAL_AND else "||", left, right)
        op = kinds.BINARY[operator]
        if op in ("+", "-"):
            if self.arrays.lost(node, left, right):
                return self.unsupported(node, "array of variable-length arrays")
            found = self.arrays.sum(type, span, op, left, right)
            if found is not None:
                return found
            constant = [one.type for one in (left, right) if is_constant_rows(one.type)]
            type = constant[0] if constant and isinstance(type, PointerType) else type
        return Binary(type, span, op, left, right)

    def _compound_assignment(self, node: Node) -> Expr:
        operator = kinds.ASSIGN[library().clang_getCursorBinaryOperatorKind(node.cursor)]
        left, right = (self.read(child) for child in node.expressions)
        type, span = self.types.value(node.cursor), self.source_map.span(node.cursor)
        if self.arrays.lost(node, left):
            return self.unsupported(node, "array of variable-length arrays")
        right = self.arrays.offset(left, right)
        return Assign(type, span, left, right, operator, self._computation(operator, left, right))

    def _computation(self, operator: str, left: Expr, right: Expr) -> CType:
        """The type in which `left op= right` is computed. clang has converted the right side to it already, but for
        pointers and shifts, where the left side decides."""
        if isinstance(left.type, PointerType):
            return left.type
        if operator not in ("<<", ">>"):
            return right.type
        if not isinstance(left.type, IntegerType):
            return left.type
        bits = left.type.int.bits
        if isinstance(left, Member):
            bits = self.types.field(left.record, left.name).bits or bits
        return constants.INT if bits < INT_BITS or (bits == INT_BITS and left.type.int.signed) else left.type

    def _conditional(self, node: Node) -> Expr:
        condition, then, other = (self.read(child) for child in node.expressions)
        type = self.types.value(node.cursor)
        if self.types.pointed_levels(library().clang_getCursorType(node.cursor)):
            type = next((one.type for one in (then, other) if is_constant_rows(one.type)), type)
        return Conditional(type, self.source_map.span(node.cursor), condition, then, other)

    def _cast(self, node: Node) -> Expr:
        type, span = self.types.of(node.cursor), self.source_map.span(node.cursor)
        operand = self.read(node.expressions[-1])
        if isinstance(type, RecordType) and operand.type != type:
            return UnsupportedExpr(type, span, "cast to a union")
        cast = Cast(type, span, operand, explicit=True)
        levels = self.types.pointed_levels(library().clang_getCursorType(node.cursor))
        if levels and is_constant_rows(operand.type):
            return operand
        lengths = self.arrays.lengths(node)[1:] if levels else ()
        return self.arrays.shaped(cast, lengths[:levels] if len(lengths) >= levels else ())

    def _compound_literal(self, node: Node) -> Expr:
        type, span = self.types.of(node.cursor), self.source_map.span(node.cursor)
        const = self.types.is_const(library().clang_getCursorType(node.cursor))
        return CompoundLiteral(type, span, self.initializer(node.expressions[-1], type), const)

    def _init_list(self, node: Node) -> Expr:
        return self.initializer(node, self.types.of(node.cursor))

    def _statement_expression(self, node: Node) -> Expr:
        body = self.block(node.children[0])
        return StatementExpr(self.types.of(node.cursor), self.source_map.span(node.cursor), body)


def direct(callee: Expr) -> Expr:
    """The function that `f`, `*f`, `&f` or `**f` calls, or the pointer that holds it."""
    while (
        (isinstance(callee, Cast) and callee.decay)
        or (isinstance(callee, Deref) and isinstance(callee.type, FunctionType))
        or (isinstance(callee, AddressOf) and isinstance(callee.operand, FunctionRef))
    ):
        callee = callee.operand
    return callee
