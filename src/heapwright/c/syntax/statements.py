"""Statements: from clang's cursors to those of `c/ast.py`.

libclang leaves out the absent parts of a `for`; `pretty_printed.py` finds out which they are. Declarations in a block
that declare no variable (types, functions, static assertions) become empty statements.
"""

from __future__ import annotations

from collections.abc import Callable

from heapwright.base.source import Span
from heapwright.c import clang
from heapwright.c.ast import (
    AddressOf,
    Assign,
    Block,
    Break,
    Call,
    Case,
    Cast,
    ComputedGoto,
    Continue,
    Declare,
    Default,
    DoWhile,
    Empty,
    Expr,
    ExprStmt,
    For,
    FunctionDecl,
    FunctionRef,
    Goto,
    If,
    Label,
    Return,
    Stmt,
    Switch,
    UnsupportedStmt,
    VarDecl,
    VarRef,
    While,
)
from heapwright.c.clang import Cursor, library
from heapwright.c.syntax import clang_kinds as kinds
from heapwright.c.syntax.assembler import Assembler
from heapwright.c.syntax.cursor_tree import Node
from heapwright.c.syntax.expressions import Expressions
from heapwright.c.syntax.initializers import converted_to
from heapwright.c.syntax.pretty_printed import Parts, PrintedFunction
from heapwright.c.syntax.types import adjusted
from heapwright.c.syntax.variable_arrays import is_constant_rows
from heapwright.c.types import ArrayType, CType, IntegerType, PointerType


class Statements:
    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self._source_map = expressions.source_map
        self._types = expressions.types
        self._names = expressions.names
        self._switches: list[CType] = []  # the types of the conditions of the switches around
        self._cleanups: dict[int, Expr] = {}  # by id() of variables whose block is still to come
        expressions.block = self.block
        self._readers: dict[int, Callable[[Node], Stmt]] = {
            kinds.COMPOUND_STMT: self.block,
            kinds.DECL_STMT: self._declare,
            kinds.IF_STMT: self._if,
            kinds.WHILE_STMT: self._while,
            kinds.DO_STMT: self._do,
            kinds.FOR_STMT: self._for,
            kinds.SWITCH_STMT: self._switch,
            kinds.CASE_STMT: self._case,
            kinds.DEFAULT_STMT: self._default,
            kinds.LABEL_STMT: self._label,
            kinds.GOTO_STMT: self._goto,
            kinds.RETURN_STMT: self._return,
            kinds.UNEXPOSED_STMT: self._attributed,
        }

    def body(self, function: FunctionDecl, node: Node) -> Block:
        """The body of a function definition."""
        self.expressions.printed, self.expressions.function = PrintedFunction(node), function
        self._names.begin(function, node.cursor)
        lengths: list[VarDecl] = []
        parameters = [child for child in node.children if child.kind == kinds.PARM_DECL]
        for child, parameter in zip(parameters, function.parameters, strict=False):
            if not is_constant_rows(parameter.type):
                lengths += self._lengths(child, self._names.variable)
        body = self.block(node.children[-1])
        if not lengths:
            return body
        return Block(body.span, body.end, (Declare(function.span, tuple(lengths)), *body.statements), body.cleanup)

    def block(self, node: Node) -> Block:
        span, end = self._source_map.span(node.cursor), self._source_map.end(node.cursor)
        return Block(span, end, self._cleaned([self.read(child) for child in node.children], end))

    def _cleaned(self, statements: list[Stmt], end: Span) -> tuple[Stmt, ...]:
        """The statements behind the declaration of a variable with a cleanup are a block that is left by way of it."""
        for index, statement in enumerate(statements):
            variables = statement.variables if isinstance(statement, Declare) else ()
            for number, variable in enumerate(variables, 1):
                if id(variable) in self._cleanups:
                    rest = statements[index + 1 :]
                    if variables[number:]:
                        rest.insert(0, Declare(statement.span, variables[number:]))
                    inner = Block(statement.span, end, self._cleaned(rest, end), self._cleanups.pop(id(variable)))
                    return (*statements[:index], Declare(statement.span, variables[:number]), inner)
        return tuple(statements)

    def read(self, node: Node) -> Stmt:
        reader = self._readers.get(node.kind)
        if reader is not None:
            return reader(node)
        span = self._source_map.span(node.cursor)
        if node.kind in kinds.EXPRESSIONS:
            return ExprStmt(span, self.expressions.read(node))
        if node.kind == kinds.NULL_STMT:
            return Empty(span)
        if node.kind == kinds.BREAK_STMT:
            return Break(span)
        if node.kind == kinds.CONTINUE_STMT:
            return Continue(span)
        if node.kind in (kinds.ASM_STMT, kinds.MS_ASM_STMT):
            return self._assembler(node)
        if node.kind == kinds.INDIRECT_GOTO_STMT:
            return ComputedGoto(span, self.expressions.read(node.expressions[0]))
        return UnsupportedStmt(span, self._source_map.word(node.cursor) or "this kind of statement")

    def _assembler(self, node: Node) -> Stmt:
        span = self._source_map.span(node.cursor)
        text = self.expressions.printed.construct(node) if self.expressions.printed else None
        assembler = Assembler.of(text) if text and node.kind == kinds.ASM_STMT else None
        if assembler is not None and assembler.is_barrier:
            return Empty(span)
        if assembler is not None and assembler.is_copy and len(node.expressions) == 2:
            left, right = (self.expressions.read(one) for one in node.expressions)
            return ExprStmt(span, Assign(left.type, span, left, converted_to(right, left.type)))
        return UnsupportedStmt(span, "inline assembly")

    # --- declarations ----------------------------------------------------------------------------------------------

    def _declare(self, node: Node) -> Stmt:
        span = self._source_map.span(node.cursor)
        variables: list[VarDecl] = []
        for child in node.children:
            if child.kind == kinds.TYPEDEF_DECL:
                variables += self._lengths(child, self._names.declare_typedef)
            if child.kind != kinds.VAR_DECL:
                continue
            variables += self._lengths(child, self._names.variable)
            variable = self.variable(child)
            if variable.storage in ("local", "static"):
                variables.append(variable)
            if variable.storage == "local":
                self._prepare_cleanup(child, variable)
        return Declare(span, tuple(variables)) if variables else Empty(span)

    def _prepare_cleanup(self, node: Node, variable: VarDecl) -> None:
        function = self._names.cleanup(node.cursor)
        if function is not None:
            span = variable.span
            address: Expr = AddressOf(PointerType(variable.type), span, VarRef(variable.type, span, variable))
            if function.type.parameters and function.type.parameters[0] != address.type:
                address = Cast(function.type.parameters[0], span, address)
            callee = FunctionRef(function.type, span, function.name)
            self._cleanups[id(variable)] = Call(function.type.result, span, callee, (address,))

    def variable(self, node: Node) -> VarDecl:
        """A variable with its initialiser and, of a variable-length array, its length."""
        variable = self._names.variable(node.cursor)
        if variable.storage not in ("local", "static"):
            return variable  # `extern` in a block: the initialiser, if any, stands at file scope
        initializer = library().clang_Cursor_getVarDeclInitializer(node.cursor)
        expressions = node.expressions
        if initializer.second is not None:
            variable.initializer = self.expressions.initializer(expressions.pop(), variable.type)
            found = adjusted(variable.initializer.type)
            if self._types.pointed_levels(library().clang_getCursorType(node.cursor)) and is_constant_rows(found):
                variable.type = found
        elif isinstance(variable.type, ArrayType) and variable.type.count is None and variable.length is None:
            lengths = self.expressions.arrays.lengths(node)
            variable.length = lengths[0] if lengths else self.expressions.unsupported(node, "length of this array")
        return variable

    def _lengths(self, node: Node, declared: Callable[[Cursor], VarDecl]) -> tuple[VarDecl, ...]:
        """Variables that keep the lengths of an array of several variable ones, or of a pointer to one."""
        types, type = self._types, library().clang_getCursorType(node.cursor)
        if node.kind == kinds.PARM_DECL or not types.variable_levels(type):
            wanted, skipped = types.pointed_levels(type), int(types.is_sized_array(type))
        else:
            wanted, skipped = types.variable_levels(type), 0
            if wanted == 1 and node.kind == kinds.VAR_DECL:
                return ()
        if not wanted:
            return ()
        initializer = library().clang_Cursor_getVarDeclInitializer(node.cursor).second is not None
        lengths = self.expressions.arrays.lengths(node)[int(initializer and node.kind == kinds.VAR_DECL) :][skipped:]
        if len(lengths) < wanted:
            return ()
        return self.expressions.arrays.declare(declared(node.cursor), lengths[:wanted])

    # --- control ---------------------------------------------------------------------------------------------------

    def _if(self, node: Node) -> Stmt:
        condition, then, *other = node.children
        return If(
            self._source_map.span(node.cursor),
            self.expressions.read(condition),
            self.read(then),
            self.read(other[0]) if other else None,
        )

    def _while(self, node: Node) -> Stmt:
        condition, body = node.children
        return While(self._source_map.span(node.cursor), self.expressions.read(condition), self.read(body))

    def _do(self, node: Node) -> Stmt:
        body, condition = node.children
        return DoWhile(self._source_map.span(node.cursor), self.read(body), self.expressions.read(condition))

    def _for(self, node: Node) -> Stmt:
        span = self._source_map.span(node.cursor)
        there = self._parts(node)
        if there is None:
            return UnsupportedStmt(span, "for loop in this macro")
        parts = iter(node.children[:-1])
        init, condition, step = (next(parts) if one else None for one in there)
        start = self.read(init) if init else None
        cleaned = isinstance(start, Declare) and any(id(one) in self._cleanups for one in start.variables)
        loop = For(
            span,
            None if cleaned else start,
            self.expressions.read(condition) if condition else None,
            self.expressions.read(step) if step else None,
            self.read(node.children[-1]),
        )
        return Block(span, span, self._cleaned([start, loop], span)) if cleaned and start else loop

    def _parts(self, node: Node) -> Parts | None:
        """The parts that a `for` has, of three."""
        count = len(node.children) - 1
        if count in (0, 3):
            return (count == 3,) * 3
        printed = self.expressions.printed
        parts = printed.for_parts(node) if printed else None
        return parts if parts is not None and sum(parts) == count else None

    def _switch(self, node: Node) -> Stmt:
        condition = self.expressions.read(node.children[0])
        self._switches.append(condition.type)
        body = self.read(node.children[1])
        self._switches.pop()
        return Switch(self._source_map.span(node.cursor), condition, body)

    def _case(self, node: Node) -> Stmt:
        span = self._source_map.span(node.cursor)
        *labels, body = node.children
        values = [self._case_value(label) for label in labels]
        if None in values:
            return UnsupportedStmt(span, "case label that is not an integer constant")
        return Case(span, values[0] or 0, values[-1] or 0, self.read(body))

    def _case_value(self, node: Node) -> int | None:
        value = clang.evaluate(node.cursor)
        type = self._switches[-1]
        return type.int.wrap(value) if value is not None and isinstance(type, IntegerType) else value

    def _default(self, node: Node) -> Stmt:
        return Default(self._source_map.span(node.cursor), self.read(node.children[0]))

    def _label(self, node: Node) -> Stmt:
        name = clang.text(library().clang_getCursorSpelling(node.cursor))
        return Label(self._source_map.span(node.cursor), name, self.read(node.children[-1]))

    def _goto(self, node: Node) -> Stmt:
        name = clang.text(library().clang_getCursorSpelling(node.children[0].cursor))
        return Goto(self._source_map.span(node.cursor), name)

    def _return(self, node: Node) -> Stmt:
        value = self.expressions.read(node.children[0]) if node.children else None
        return Return(self._source_map.span(node.cursor), value)

    def _attributed(self, node: Node) -> Stmt:
        """`__attribute__((...)) statement`"""
        if node.children:
            return self.read(node.children[-1])
        return UnsupportedStmt(self._source_map.span(node.cursor), "this kind of statement")
