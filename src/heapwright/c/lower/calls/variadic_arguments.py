"""The variable arguments of a call as a chain of stack objects (c/syntax/variadic.py), which live as the call does."""

from __future__ import annotations

from heapwright.c import ast
from heapwright.c.ast import FunctionDecl
from heapwright.c.lower.calls.calls_through_pointers import Argument
from heapwright.c.lower.context import Part
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.c.syntax.variadic import INTEGER, LINK
from heapwright.c.types import FloatType, RecordType
from heapwright.program.expressions import JUNK, NULL, Const, Expr, Pointer, Var


class VariadicArguments(Part):
    def packed(self, function: FunctionDecl, arguments: list[Argument]) -> list[Argument]:
        """The named arguments, and the first link of the chain of the others."""
        rest = function.rest
        assert rest is not None
        count = len(function.parameters)
        following: Pointer = JUNK
        checks, self.b.checks_accesses = self.b.checks_accesses, False
        for argument in reversed(arguments[count:]):
            link = self.new_block(RecordType(LINK))
            self.fill(link, argument)
            self.store(link, "next", following)
            following = Var(link.base)
        self.b.checks_accesses = checks
        return [*arguments[:count], Argument(ast.VarRef(rest.type, rest.span, rest), following)]

    def new_block(self, ctype: RecordType) -> LValue:
        name = self.b.pointer_temporary()
        self.scopes.stack_block(name, ctype)
        return self.lvalues.dereference(Var(name), ctype, "")

    def fill(self, link: LValue, argument: Argument) -> None:
        """The value of an argument. Read as one of another kind it is indeterminate; only zero is a null pointer,
        and the other way round."""
        value, ctype = argument.value, argument.expr.type
        if isinstance(value, LValue):
            assert isinstance(value.type, RecordType)
            copy = self.new_block(value.type)
            self.aggregates.copy(copy, value)
            self.store(link, "pointer", Var(copy.base))
        elif isinstance(ctype, FloatType) and value is not None:
            self.store(link, "floating", value)
        elif isinstance(value, Expr):
            self.store(link, "integer", self.operands.convert(value, INTEGER.int))
            if isinstance(value, Const) and value.value == 0:
                self.store(link, "pointer", NULL)
        elif value is not None:
            self.store(link, "pointer", value)
            if value == NULL:
                self.store(link, "integer", Const(0, INTEGER.int))

    def store(self, link: LValue, member: str, value: Value) -> None:
        self.accesses.store(self.lvalues.member(link, LINK, member), value)
