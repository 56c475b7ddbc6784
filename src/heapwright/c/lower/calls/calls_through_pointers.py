"""Calls through pointers: a branch over the functions that the pointer may hold.

A pointer that comes from the environment (a callback, a hook in an input object) leads to an object of which nothing is
known. Its field `code` says which function it is: one of the program that has the type, or an external one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from heapwright.c import ast
from heapwright.c.ast import FunctionDecl
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.graph_builder import INT
from heapwright.c.lower.prepass.callbacks import function_argument
from heapwright.c.lower.prepass.callgraph import takes
from heapwright.c.lower.prepass.environment import function_type, is_constant, keeps_function
from heapwright.c.lower.prepass.object_layout import CODE, is_pointer
from heapwright.c.lower.prepass.source_text import text
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.c.types import CType, VoidType
from heapwright.program.checks import CheckKind
from heapwright.program.commands import Assert, Assume, LoadData
from heapwright.program.expressions import NULL, Compare, Const, IntVar, Pointer, PointerCompare, Var

if TYPE_CHECKING:  # calls own this part
    from heapwright.c.lower.calls.function_calls import Calls


@dataclass
class Argument:
    expr: ast.Expr
    value: Value | LValue | None


class CallsThroughPointers(Part):
    def __init__(self, context: Context, calls: Calls) -> None:
        super().__init__(context)
        self.calls = calls
        self.kept_references: list[ast.Expr] = []

    def call(self, expr: ast.Call, want: CType | None) -> Value | LValue | None:
        """Branch over the functions that the pointer may hold; any other value fails the check."""
        callee = expr.callee
        bound = self.context.linked.called(expr, None)
        if bound is not None:
            return self.calls.defined(bound, self.calls.arguments(expr.arguments), expr.span, want)
        pointer = self.calls.evaluator.pointer(callee)
        if isinstance(pointer, Var) and pointer.name in self.variables.function_names:
            target = self.variables.function_names[pointer.name]
            if target.body is not None:
                return self.calls.defined(target, self.calls.arguments(expr.arguments), expr.span, want)
            formatted = self.calls.format_model(expr, target.name)
            if formatted is not None:
                exprs = tuple(expr.arguments[i] for i in formatted[1])
                return self.calls.defined(formatted[0], self.calls.arguments(exprs), expr.span, want)
            return self.calls.library.call(named(expr, target), target.name, want, "")
        pointer = self.operands.snapshot_pointer(pointer)
        arguments = [Argument(a.expr, self.calls.keep_argument(a)) for a in self.calls.arguments(expr.arguments)]
        self.b.at(expr.span)
        result = None if isinstance(expr.type, VoidType) else self.lvalues.temporary(expr.type)
        after = self.b.location()
        for target in self.candidates(expr):
            self.try_target(target, pointer, arguments, expr, result, after)
        self.b.at(expr.span)
        if self.context.environment.calls_back and not keeps_function(expr, self.context.written):
            self.environment_function(expr, pointer, arguments, want, result, after)
        else:
            subject = text(callee, self.layout)
            not_null = PointerCompare("!=", pointer, NULL)
            self.b.emit(Assert(not_null, self.b.check(CheckKind.NULL_DEREF, subject)))
            self.b.fail(CheckKind.INVALID_DEREF, subject)
        self.b.current = after
        return result

    def candidates(self, expr: ast.Call) -> list[FunctionDecl]:
        return [
            function
            for function in self.context.callgraph.addressed
            if takes(function, len(expr.arguments)) and same_kind(function.type.result, expr.type)
        ]

    def try_target(
        self,
        target: FunctionDecl,
        pointer: Pointer,
        arguments: list[Argument],
        expr: ast.Call,
        result: LValue | None,
        after: int,
    ) -> None:
        start = self.b.current
        address = Var(self.variables.function_address(target.name, target))
        self.b.assume(PointerCompare("==", pointer, address))
        self.finish(self.target(target, arguments, expr), result, after)
        self.b.current = start
        self.b.assume(PointerCompare("!=", pointer, address))

    def target(self, target: FunctionDecl, arguments: list[Argument], expr: ast.Call) -> Value | LValue | None:
        if target.body is not None:
            return self.calls.defined(target, arguments, expr.span, None)
        return self.library_target(target, arguments, expr)

    def finish(self, returned: Value | LValue | None, result: LValue | None, after: int) -> None:
        """The end of one branch."""
        if result is not None and returned is not None:
            if isinstance(returned, LValue):
                self.aggregates.copy(result, returned)
            else:
                self.accesses.store(result, returned)
        self.b.goto(after)

    def library_target(self, target: FunctionDecl, arguments: list[Argument], expr: ast.Call) -> Value | LValue | None:
        """A call of a function without a body, whose arguments have been evaluated already."""
        formatted = self.calls.format_model(expr, target.name)
        if formatted is not None:
            return self.calls.defined(formatted[0], [arguments[i] for i in formatted[1]], expr.span, None)
        return self.calls.library.call(named(self.evaluated(expr, arguments), target), target.name, None, "")

    def evaluated(self, expr: ast.Call, arguments: list[Argument]) -> ast.Call:
        """A call whose arguments have been evaluated already."""
        references: list[ast.Expr] = []
        for argument in arguments:
            if is_constant(argument.expr) or self.names_function(argument.expr):
                references.append(argument.expr)
                continue
            decl = ast.VarDecl("argument", argument.expr.type, argument.expr.span, "local")
            if argument.value is not None and not isinstance(argument.value, LValue):
                self.state.frame.bound[id(decl)] = argument.value
            references.append(ast.VarRef(argument.expr.type, argument.expr.span, decl))
        self.kept_references.extend(references)  # their identity must outlive this call
        return replace(expr, arguments=tuple(references))

    def names_function(self, argument: ast.Expr) -> bool:
        return function_argument(self.context.linked, self.state.frame.function, argument) is not None

    def environment_function(
        self,
        expr: ast.Call,
        pointer: Pointer,
        arguments: list[Argument],
        want: CType | None,
        result: LValue | None,
        after: int,
    ) -> None:
        """A function that comes from the environment."""
        if self.b.current is None:
            return
        subject = text(expr.callee, self.layout)
        base = pointer.name if isinstance(pointer, Var) else self.operands.held_in_variable(pointer)
        self.layout.function_object()
        code = IntVar(self.b.data_temporary(INT), INT)
        kinds = (CheckKind.NULL_DEREF, CheckKind.INVALID_DEREF)
        self.b.emit(LoadData(code.name, base, CODE), [self.b.check(kind, subject) for kind in kinds])
        start = self.b.current
        functions = self.context.callgraph.of_type(function_type(expr))
        for number, function in enumerate(functions):
            self.b.current = start
            self.b.emit(Assume(Compare("==", code, Const(number, INT))))
            self.finish(self.target(function, arguments, expr), result, after)
        self.b.current = start
        for number, _ in enumerate(functions):
            self.b.emit(Assume(Compare("!=", code, Const(number, INT))))
        self.b.at(expr.span)
        self.finish(self.calls.externals.call(self.evaluated(expr, arguments), subject, want), result, after)


def named(call: ast.Call, function: FunctionDecl) -> ast.Call:
    """A call of a function by its name and type, where a pointer led to it."""
    return replace(call, callee=ast.FunctionRef(function.type, call.callee.span, function.name))


def same_kind(left: CType, right: CType) -> bool:
    return is_pointer(left) == is_pointer(right) and isinstance(left, VoidType) == isinstance(right, VoidType)
