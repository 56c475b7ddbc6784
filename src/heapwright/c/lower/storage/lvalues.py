"""Navigation of lvalues: variables, dereferences, members, elements, addresses."""

from __future__ import annotations

from dataclasses import replace

from heapwright.base.errors import UnsupportedError
from heapwright.c.ast import VarDecl
from heapwright.c.lower.graph_builder import FALSE, GraphBuilder
from heapwright.c.lower.prepass.object_layout import (
    Layout,
    Scalar,
    is_aggregate,
)
from heapwright.c.lower.storage.operands import Operands
from heapwright.c.lower.storage.scopes import Scopes
from heapwright.c.lower.storage.values import OPEN, LValue, join
from heapwright.c.lower.storage.variables import Variables
from heapwright.c.types import ArrayType, CType, FunctionType, RecordType, VoidType
from heapwright.program.checks import CheckKind
from heapwright.program.commands import (
    Assert,
    Assign,
    Follow,
    Shift,
    Skip,
)
from heapwright.program.expressions import (
    Compare,
    Const,
    Expr,
    Pointer,
    Var,
)


class LValues:
    def __init__(
        self, builder: GraphBuilder, layout: Layout, variables: Variables, scopes: Scopes, operands: Operands
    ) -> None:
        self.b = builder
        self.layout = layout
        self.variables = variables
        self.scopes = scopes
        self.operands = operands

    def temporary(self, ctype: CType) -> LValue:
        """An lvalue for an intermediate value."""
        name = self.b.pointer_temporary()
        if self.layout.in_memory(ctype):
            self.scopes.stack_block(name, ctype)
            return self.dereference(Var(name), ctype, "")
        del self.b.variables[name]
        self.variables.declare(name, ctype, "", self.b.function)
        return LValue(ctype, ctype, variable=name)

    def of_variable(self, decl: VarDecl) -> LValue:
        name = self.variables.name_of(decl)
        if self.layout.is_boxed(decl):
            return self.dereference(Var("&" + name), decl.type, decl.name)
        return LValue(decl.type, decl.type, variable=name, subject=decl.name)

    def dereference(self, pointer: Pointer, to: CType, subject: str) -> LValue:
        if isinstance(pointer, Var):
            base = self.seen_as(pointer.name, to)
        else:
            base = self.b.pointer_temporary(self.layout.target(to))
            self.b.emit(Assign(base, pointer))
        if not isinstance(to, VoidType | FunctionType):
            self.layout.object_type(to)  # the interpreter matches accesses by layout
        if is_aggregate(to) or isinstance(to, VoidType):
            return LValue(to, to, base=base, subject=subject)
        if self.layout.has_arrays(to):
            return LValue(to, to, base=base, index=Const(0, self.layout.size_type), subject=subject)
        return LValue(to, to, base=base, path=self.layout.box_field(to), subject=subject)

    def seen_as(self, pointer: str, to: CType) -> str:
        """The pointer in a variable for this type, if it is declared to point to another scalar."""
        declared, wanted = self.b.variables[pointer].target, self.layout.target(to)
        if is_aggregate(to) or isinstance(to, VoidType | FunctionType) or declared in ("", wanted):
            return pointer
        self.layout.object_type(to)
        base = self.b.pointer_temporary(wanted)
        self.b.emit(Assign(base, Var(pointer)))
        return base

    def member(self, lvalue: LValue, record: str, name: str) -> LValue:
        member = self.layout.member(record, name, self.b.span)
        if self.layout.is_part(record, name):
            self.layout.object_type(RecordType(record))
            if self.layout.records[record].union:
                self.b.emit(
                    Skip(
                        "address in a union",
                        unfollowed="members of a union that share bytes are not followed by this engine",
                    )
                )
            target = self.b.pointer_temporary(self.layout.target(member.type))
            self.b.emit_checked(Follow(target, lvalue.base, record, name, up=False), lvalue.subject)
            return self.dereference(Var(target), member.type, lvalue.subject)
        path = f"{lvalue.path}.{name}" if lvalue.path else name
        return replace(lvalue, type=member.type, path=path, bits=member.bits)

    def element(self, lvalue: LValue, index: Expr, subject: str) -> LValue:
        """`lvalue[index]` of an array that is not behind a pointer."""
        assert isinstance(lvalue.type, ArrayType)
        of, count = lvalue.type.of, lvalue.type.count
        if self.is_array_object(lvalue):
            if is_aggregate(of):
                target = self.b.pointer_temporary(self.layout.target(of))
                self.b.emit_checked(Shift(target, lvalue.base, index, self.layout.size(of)), subject)
                return self.dereference(Var(target), of, subject)
            return LValue(of, of, base=lvalue.base, index=index, subject=subject, direct=True)
        if isinstance(index, Const):
            if not 0 <= index.value < (count or 0):
                self.b.emit(Assert(FALSE, self.b.check(CheckKind.BOUNDS, subject)))
                return replace(lvalue, type=of, path=f"{lvalue.path}[0]")
            return replace(lvalue, type=of, path=f"{lvalue.path}[{index.value}]")
        fixed = self.operands.snapshot(index)
        self.check_index(fixed, count or 0, subject)
        return replace(
            lvalue, type=of, path=f"{lvalue.path}[{OPEN}]", selectors=(*lvalue.selectors, (fixed, count or 0))
        )

    def is_array_object(self, lvalue: LValue) -> bool:
        """Whether an lvalue is a whole array object rather than a dissolved array."""
        return bool(lvalue.base) and not lvalue.path and lvalue.index is None and lvalue.root == lvalue.type

    def check_index(self, index: Expr, count: int, subject: str) -> None:
        check = self.b.check(CheckKind.BOUNDS, subject)
        if index.type.signed:
            self.b.emit(Assert(Compare(">=", index, Const(0, index.type)), check))
        self.b.emit(Assert(Compare("<", index, Const(count, index.type)), check))

    def address(self, lvalue: LValue, into: str = "") -> Pointer:
        if not lvalue.base or (lvalue.path and not self.is_box(lvalue)):
            raise UnsupportedError("address of this lvalue", self.b.span)
        if lvalue.index is None or lvalue.index == Const(0, self.layout.size_type):
            return Var(lvalue.base)
        target = into or self.b.pointer_temporary(self.layout.target(lvalue.type))
        self.b.emit_checked(Shift(target, lvalue.base, lvalue.index, self.layout.size(lvalue.type)), lvalue.subject)
        return Var(target)

    def is_box(self, lvalue: LValue) -> bool:
        return not is_aggregate(lvalue.root)

    def hold(self, lvalue: LValue) -> LValue:
        """The lvalue as it is now, whatever happens to the variables that lead to it."""
        index = None if lvalue.index is None else self.operands.snapshot(lvalue.index)
        if not lvalue.base or lvalue.base.startswith(("$", "&")):  # set once
            return replace(lvalue, index=index)
        kept = self.operands.snapshot_pointer(Var(lvalue.base))
        assert isinstance(kept, Var)
        return replace(lvalue, base=kept.name, index=index)

    def canonical(self, lvalue: LValue) -> str:
        if self.is_box(lvalue):
            return lvalue.path
        return self.layout.canonical(lvalue.root, lvalue.path)

    def variable_of(self, lvalue: LValue) -> str:
        return join(lvalue.variable, self.canonical(lvalue))

    def inside(self, lvalue: LValue, scalar: Scalar) -> LValue:
        return replace(lvalue, type=scalar.type, path=join(lvalue.path, scalar.path), bits=scalar.bits)
