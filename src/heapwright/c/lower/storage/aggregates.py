"""Whole structs, unions and arrays: filled and copied scalar by scalar."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from heapwright.c.lower.prepass.object_layout import (
    Layout,
    is_aggregate,
    is_pointer,
)
from heapwright.c.lower.storage.accesses import Accesses
from heapwright.c.lower.storage.lvalues import LValues
from heapwright.c.lower.storage.operands import Operands
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.c.types import ArrayType, CType, RecordType
from heapwright.program.commands import Padding
from heapwright.program.expressions import (
    NULL,
    Const,
    Expr,
)

UNROLLED = 16  # arrays of at most this many elements are copied element by element


class Aggregates:
    def __init__(self, layout: Layout, operands: Operands, lvalues: LValues, accesses: Accesses) -> None:
        self.layout = layout
        self.operands = operands
        self.lvalues = lvalues
        self.accesses = accesses

    def zero(self, lvalue: LValue) -> None:
        self.fill(lvalue, self.zero_value)

    def fill(self, lvalue: LValue, value: Callable[[CType], Value]) -> None:
        """Set each scalar to the value that its bytes make up, so that the members of a union agree."""

        def set_bytes(scalar: LValue) -> None:
            self.accesses.variants(scalar, lambda closed: self.accesses.put(closed, value(closed.type)))

        self.each_scalar(lvalue, set_bytes, whole_unions=True)

    def zero_value(self, ctype: CType) -> Value:
        return NULL if is_pointer(ctype) else Const(0, self.layout.int_type(ctype))

    def each_scalar(self, lvalue: LValue, action: Callable[[LValue], None], *, whole_unions: bool = False) -> None:
        """Run an action on every scalar of an lvalue, in order of members and elements. Of a union that is one member
        that covers the others, or all of its fields."""
        match lvalue.type:
            case RecordType(key) if self.layout.records[key].union and whole_unions:
                for scalar in self.layout.fields(lvalue.type):
                    action(self.lvalues.inside(lvalue, scalar))
            case RecordType(key):
                record = self.layout.records[key]
                members = record.fields
                if record.union:
                    members = tuple(sorted(members, key=lambda m: -self.layout.size(m.type)))[:1]
                for member in members:
                    self.each_scalar(self.lvalues.member(lvalue, key, member.name), action, whole_unions=whole_unions)
            case ArrayType(_, count):
                self.each_element(
                    count,
                    lambda index: self.each_scalar(
                        self.lvalues.element(lvalue, index, lvalue.subject), action, whole_unions=whole_unions
                    ),
                )
            case _:
                action(lvalue)

    def each_element(self, count: int | None, action: Callable[[Expr], None]) -> None:
        """Run an action for every index: one after the other for a few, in a loop for many."""
        type = self.layout.size_type
        if count is not None and count <= UNROLLED:
            for index in range(count):
                action(Const(index, type))
        elif count is not None:
            self.operands.count_loop(Const(count, type), action)

    def copy(self, target: LValue, source: LValue) -> None:
        """Copy values, never links."""
        if not target.base and is_aggregate(target.type):
            source = self.lvalues.hold(source)  # `n = *n.next` overwrites the pointer to the source
        match target.type:
            case RecordType(key):
                record = self.layout.records[key]
                if record.union:
                    self.copy_union(target, source)
                    return
                self.copy_padding(target, source)
                for member in record.fields:
                    self.copy(
                        self.lvalues.member(target, key, member.name), self.lvalues.member(source, key, member.name)
                    )
            case ArrayType(_, count):
                self.each_element(
                    count,
                    lambda index: self.copy(
                        self.lvalues.element(target, index, target.subject),
                        self.lvalues.element(source, index, source.subject),
                    ),
                )
            case _:
                self.accesses.store(target, self.accesses.load(source))

    def copy_padding(self, target: LValue, source: LValue) -> None:
        """The bytes between members; unknown ones, if the source has none."""
        if target.base and not target.path and target.index is None and self.layout.has_padding(target.type):
            whole = bool(source.base) and not source.path and source.index is None
            size = self.layout.size_constant(self.layout.size(target.type))
            self.accesses.b.emit(Padding("padding", base=target.base, source=source.base if whole else "", size=size))

    def copy_union(self, target: LValue, source: LValue) -> None:
        """Copy each field of a union, pointers first: where their bytes are those of a number, the number follows."""
        assert isinstance(target.type, RecordType)
        for scalar in sorted(self.layout.fields(target.type), key=lambda one: not is_pointer(one.type)):
            value = self.accesses.load(self.lvalues.inside(source, scalar))
            self.accesses.variants(self.lvalues.inside(target, scalar), partial(self.accesses.put, value=value))
