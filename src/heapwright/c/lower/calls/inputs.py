"""Nondeterministic inputs: any value of a type, and input heaps of a shape."""

from __future__ import annotations

from heapwright.base.errors import UnsupportedError
from heapwright.c import ast
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.expressions.conditions import Conditions
from heapwright.c.lower.prepass.object_layout import (
    is_aggregate,
    is_pointer,
)
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.c.types import CType, FloatType, FunctionType, IntegerType, PointerType, RecordType, VoidType
from heapwright.program.commands import (
    AnyPointer,
    Assign,
    Assume,
    Havoc,
    New,
)
from heapwright.program.expressions import (
    JUNK,
    NULL,
    Compare,
    Const,
    IntVar,
    ShapeLiteral,
    Var,
)
from heapwright.program.types import Storage


class Inputs(Part):
    def __init__(self, context: Context, conditions: Conditions) -> None:
        super().__init__(context)
        self.conditions = conditions

    def any_value(
        self,
        ctype: CType,
        source: str,
        low: int | None = None,
        high: int | None = None,
        *,
        environment: bool = False,
        fresh: bool = False,
    ) -> Value | LValue | None:
        """Any value of a type, as an input; of an integer from `low` to `high`. `environment`: pointers come from
        there. A `fresh` pointer leads to a new object."""
        if isinstance(ctype, VoidType):
            return None
        if is_aggregate(ctype):
            result = self.lvalues.temporary(ctype)
            self.aggregates.each_scalar(result, lambda lvalue: self.any_scalar(lvalue, source, environment=environment))
            return result
        if is_pointer(ctype):
            name = self.b.pointer_temporary(self.layout.pointee(ctype))
            self.any_pointer(name, ctype, environment=environment, fresh=fresh)
            return Var(name)
        int_type = self.layout.int_type(ctype)
        name = self.b.data_temporary(int_type)
        boolean = isinstance(ctype, IntegerType) and ctype.boolean
        if boolean:
            low, high = 0, 1
        self.b.emit(Havoc(name, int_type, source, isinstance(ctype, FloatType), low, high))
        return IntVar(name, int_type)

    def any_scalar(self, lvalue: LValue, source: str, *, environment: bool = False) -> None:
        value = self.any_value(lvalue.type, source, environment=environment)
        assert value is not None
        assert not isinstance(value, LValue)
        self.accesses.store(lvalue, value)

    def wild_pointer(self, source: str) -> Value:
        """A nondeterministic pointer: null or invalid."""
        int_type = self.layout.size_type
        chosen = IntVar(self.b.data_temporary(int_type), int_type)
        self.b.emit(Havoc(chosen.name, int_type, source, low=0, high=1))
        result = self.b.pointer_temporary()
        null, wild, after = self.b.location(), self.b.location(), self.b.location()
        self.b.split(Compare("==", chosen, Const(0, int_type)), null, wild)
        for start, value in ((null, NULL), (wild, JUNK)):
            self.b.current = start
            self.b.emit(Assign(result, value))
            self.b.goto(after)
        self.b.current = after
        return Var(result)

    def any_pointer(self, name: str, ctype: CType, *, environment: bool = False, fresh: bool = False) -> None:
        """Null, or a pointer to a valid object of the pointed-to type, a new one if it is `fresh`; the first use of a
        `void *` decides its type."""
        assert isinstance(ctype, PointerType)
        if isinstance(ctype.to, FunctionType):
            self.b.emit_checked(AnyPointer(name, self.layout.function_object().name, environment))
            return
        if isinstance(ctype.to, VoidType):
            self.layout.address_taken.learn_raw_blocks()
            self.b.emit_checked(AnyPointer(name, "", environment, fresh=fresh))
        else:
            self.layout.register_reachable(ctype.to)
            self.b.emit_checked(AnyPointer(name, self.layout.object_type(ctype.to).name, environment, fresh=fresh))

    def callback(self, ctype: CType) -> Var:
        """Any function of the program of a type, or an external one."""
        function = self.layout.function_object().name
        name = self.b.pointer_temporary(function)
        self.b.emit(New(name, function, Storage.STATIC))
        return Var(name)

    def input_heap(self, expr: ast.Call, shape: str, want: CType | None, into: str) -> Value:
        """`hw_any_list(next)` and the like: any heap of that shape, of the type that the result is assigned to."""
        if want is None or not isinstance(want, RecordType):
            raise UnsupportedError("call of hw_any_* whose result is not assigned to a struct pointer", expr.span)
        name = into or self.b.pointer_temporary(self.layout.target(want))
        self.any_pointer(name, PointerType(want))
        if shape:
            fields = tuple(self.conditions.field(want.key, argument, expr) for argument in expr.arguments)
            self.b.emit(Assume(ShapeLiteral(shape, (Var(name),), fields)))
        return Var(name)

    def no_result(self, ctype: CType) -> Value | LValue | None:
        """The result of a call that does not return."""
        if isinstance(ctype, VoidType):
            return None
        if is_aggregate(ctype):
            return self.lvalues.temporary(ctype)
        return JUNK if is_pointer(ctype) else Const(0, self.layout.int_type(ctype))
