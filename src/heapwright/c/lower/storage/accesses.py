"""Loads and stores of scalar lvalues."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from heapwright.c.lower.graph_builder import GraphBuilder
from heapwright.c.lower.prepass.object_layout import (
    Layout,
    Scalar,
    is_pointer,
)
from heapwright.c.lower.storage.lvalues import LValues
from heapwright.c.lower.storage.operands import Operands
from heapwright.c.lower.storage.values import OPEN, LValue, Value, join
from heapwright.c.lower.storage.variables import Variables
from heapwright.program.commands import (
    Assign,
    Compute,
    Load,
    LoadCell,
    LoadData,
    LoadDataCell,
    Overlay,
    Scramble,
    Store,
    StoreCell,
    StoreData,
    StoreDataCell,
)
from heapwright.program.expressions import (
    Compare,
    Const,
    Expr,
    IntVar,
    Pointer,
    Var,
)
from heapwright.program.types import IntType


class Accesses:
    def __init__(
        self, builder: GraphBuilder, layout: Layout, variables: Variables, operands: Operands, lvalues: LValues
    ) -> None:
        self.b = builder
        self.layout = layout
        self.variables = variables
        self.operands = operands
        self.lvalues = lvalues

    def variants(self, lvalue: LValue, action: Callable[[LValue], None]) -> None:
        """Run an action on the lvalue for every value of its open indices."""
        if not lvalue.selectors:
            action(lvalue)
            return
        (index, count), *rest = lvalue.selectors
        start, after = self.b.current, None
        for value in range(count):
            self.b.current = start
            self.b.assume(Compare("==", index, Const(value, index.type)))
            closed = replace(lvalue, path=lvalue.path.replace(OPEN, str(value), 1), selectors=tuple(rest))
            self.variants(closed, action)
            if self.b.current is not None:
                if after is None:
                    after = self.b.location()
                self.b.goto(after)
        self.b.current = after

    def kept_type(self, lvalue: LValue) -> IntType:
        """The type of the field or cell that holds a data lvalue; members of a union may share a field."""
        if lvalue.index is not None or (self.lvalues.is_box(lvalue) and lvalue.base):
            return self.layout.cell_type(lvalue.type)
        if self.lvalues.is_box(lvalue) or lvalue.selectors:
            return self.seen_type(lvalue)
        return self.layout.kept_type(self.layout.scalar(lvalue.root, self.lvalues.canonical(lvalue)))

    def seen_type(self, lvalue: LValue) -> IntType:
        """The type that a data lvalue is read and written as."""
        int_type = self.layout.int_type(lvalue.type)
        return int_type if lvalue.bits is None else IntType(lvalue.bits, int_type.signed)

    # --- loads -------------------------------------------------------------------------------------------------------

    def load(self, lvalue: LValue, into: str = "") -> Value:
        """The scalar at an lvalue. `into` is a variable that may receive it directly."""
        if not lvalue.selectors and not lvalue.base:
            value = self.operands.variable_value(join(lvalue.variable, self.lvalues.canonical(lvalue)))
            return self.operands.convert(value, self.seen_type(lvalue)) if isinstance(value, Expr) else value
        if is_pointer(lvalue.type):
            target = into or self.b.pointer_temporary(self.layout.pointee(lvalue.type))
            self.variants(lvalue, lambda closed: self.load_pointer(closed, target))
            return Var(target)
        kept = self.kept_type(lvalue)
        data = IntVar(self.b.data_temporary(kept), kept)
        self.variants(lvalue, lambda closed: self.load_data(closed, data))
        return self.operands.convert(data, self.layout.int_type(lvalue.type))

    def load_pointer(self, lvalue: LValue, target: str) -> None:
        if not lvalue.base:
            self.b.emit_checked(Assign(target, Var(join(lvalue.variable, self.lvalues.canonical(lvalue)))))
        elif lvalue.index is not None:
            self.b.emit_checked(LoadCell(target, lvalue.base, lvalue.index, lvalue.direct), lvalue.subject)
        else:
            self.b.emit_checked(Load(target, lvalue.base, self.lvalues.canonical(lvalue)), lvalue.subject)

    def load_data(self, lvalue: LValue, target: IntVar) -> None:
        if not lvalue.base:
            value = self.operands.variable_value(join(lvalue.variable, self.lvalues.canonical(lvalue)))
            assert isinstance(value, Expr)
            self.b.emit(Compute(target.name, self.operands.convert(value, target.type)))
            return
        kept = self.kept_type(lvalue)
        loaded = target if kept == target.type else IntVar(self.b.data_temporary(kept), kept)
        if lvalue.index is not None:
            self.b.emit_checked(LoadDataCell(loaded.name, lvalue.base, lvalue.index, lvalue.direct), lvalue.subject)
        else:
            self.b.emit_checked(LoadData(loaded.name, lvalue.base, self.lvalues.canonical(lvalue)), lvalue.subject)
        if loaded is not target:
            self.b.emit(Compute(target.name, self.operands.convert(loaded, target.type)))

    # --- stores ------------------------------------------------------------------------------------------------------

    def store(self, lvalue: LValue, value: Value) -> None:
        self.variants(lvalue, lambda closed: self.store_closed(closed, value))

    def store_closed(self, lvalue: LValue, value: Value) -> None:
        if lvalue.base:
            self.scramble_others(lvalue)
            self.put(lvalue, value)
        else:
            self.put(lvalue, value)
            self.overlay_others(lvalue)

    def put(self, lvalue: LValue, value: Value) -> None:
        """Store without an effect on overlapping members."""
        if is_pointer(lvalue.type):
            assert not isinstance(value, Expr)
            self.store_pointer(lvalue, value)
        else:
            assert isinstance(value, Expr)
            self.store_data(lvalue, self.operands.convert(value, self.kept_type(lvalue)))

    def store_pointer(self, lvalue: LValue, value: Pointer) -> None:
        if not lvalue.base:
            target = join(lvalue.variable, self.lvalues.canonical(lvalue))
            if value != Var(target):
                self.b.emit_checked(Assign(target, value))
        elif lvalue.index is not None:
            self.b.emit_checked(StoreCell(lvalue.base, lvalue.index, value, lvalue.direct), lvalue.subject)
        else:
            self.b.emit_checked(Store(lvalue.base, self.lvalues.canonical(lvalue), value), lvalue.subject)

    def store_data(self, lvalue: LValue, value: Expr) -> None:
        if not lvalue.base:
            self.b.emit(Compute(join(lvalue.variable, self.lvalues.canonical(lvalue)), value))
        elif lvalue.index is not None:
            self.b.emit_checked(StoreDataCell(lvalue.base, lvalue.index, value, lvalue.direct), lvalue.subject)
        else:
            self.b.emit_checked(StoreData(lvalue.base, self.lvalues.canonical(lvalue), value), lvalue.subject)

    def scramble_others(self, lvalue: LValue) -> None:
        """The other members of a union, before one is written."""
        others = self.others(lvalue)
        if not others:
            return
        first, last = self.layout.extent(self.layout.scalar(lvalue.root, self.lvalues.canonical(lvalue)))
        for other in others:
            self.b.emit_checked(Scramble(lvalue.base, other.path, first // 8, -(-last // 8)), lvalue.subject)

    def overlay_others(self, lvalue: LValue) -> None:
        """The other members of a union that is a variable, after one was written; there are no pointers among them."""
        others = self.others(lvalue)
        if not others:
            return
        name = self.lvalues.canonical(lvalue)
        written = self.operands.variable_value(join(lvalue.variable, name))
        start, _ = self.layout.extent(self.layout.scalar(lvalue.root, name))
        for other in others:
            held = self.operands.variable_value(join(lvalue.variable, other.path))
            assert isinstance(written, Expr)
            assert isinstance(held, IntVar)
            bit = start - self.layout.extent(other)[0]
            self.b.emit(Overlay(held.name, held.type, "approximation", True, None, None, written, bit))

    def others(self, lvalue: LValue) -> tuple[Scalar, ...]:
        """The members of a union that share bits with one."""
        if self.lvalues.is_box(lvalue) or lvalue.index is not None:
            return ()
        return self.layout.overlapping(lvalue.root, self.lvalues.canonical(lvalue))
