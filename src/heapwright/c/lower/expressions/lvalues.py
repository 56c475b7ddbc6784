"""Lvalues: navigation, loads, stores, copies and addresses.

An lvalue is in a variable (`s.a` of a struct that dissolved), in a field of the object that a variable points to, or in
a cell of an array. An index into a dissolved array that is not constant stays open in the lvalue's path as a selector,
and each access branches over it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from heapwright.base.errors import UnsupportedError
from heapwright.c.ast import ArrayType, CType, FunctionType, PointerType, RecordType, VarDecl, VoidType
from heapwright.c.lower.graph_builder import FALSE
from heapwright.c.lower.prepass.object_layout import Scalar, is_aggregate, is_pointer
from heapwright.program.checks import CheckKind
from heapwright.program.commands import (
    Assert,
    Assign,
    Compute,
    Follow,
    Havoc,
    Load,
    LoadCell,
    LoadData,
    LoadDataCell,
    Scramble,
    Shift,
    Store,
    StoreCell,
    StoreData,
    StoreDataCell,
)
from heapwright.program.expressions import JUNK, NULL, Compare, Const, Expr, IntVar, Pointer, Var
from heapwright.program.types import IntType, ValueKind, Variable

if TYPE_CHECKING:
    from heapwright.c.lower.lowerer import Lowerer

UNROLLED = 16  # arrays of at most this many elements are copied element by element
OPEN = "\0"  # stands for an index that a selector decides


@dataclass(frozen=True, slots=True)
class LValue:
    type: CType
    root: CType  # type of the variable or object that the path starts at
    variable: str = ""  # name of that variable, if the lvalue is in variables
    base: str = ""  # else: the pointer variable that holds the object's address
    path: str = ""
    index: Expr | None = None  # of a cell
    selectors: tuple[tuple[Expr, int], ...] = ()  # (index, count) for each OPEN of the path
    subject: str = ""  # the pointer in the user's words
    bits: int | None = None  # width of a bit-field


Value = Expr | Pointer


class LValues:
    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer = lowerer
        self.b = lowerer.builder
        self.layout = lowerer.layout

    # --- variables ------------------------------------------------------------------------------------------------

    def declare(self, name: str, ctype: CType, source_name: str, function: str) -> None:
        """Create the variables that a value of this type dissolves into."""
        for scalar in self.layout.fields(ctype):
            full = join(name, scalar.path)
            shown = join(source_name, scalar.path) if source_name else ""
            self.b.declare(self.variable(full, scalar.type, shown, function, scalar.bits))

    def variable(self, name: str, ctype: CType, shown: str, function: str, bits: int | None = None) -> Variable:
        if is_pointer(ctype):
            target = self.layout.target(ctype.to) if isinstance(ctype, PointerType) else "function"
            return Variable(name, ValueKind.POINTER, None, target, shown, function)
        int_type = self.layout.int_type(ctype)
        if bits is not None:
            int_type = IntType(bits, int_type.signed)
        return Variable(name, ValueKind.DATA, int_type, "", shown, function)

    def temporary(self, ctype: CType) -> LValue:
        """An lvalue for an intermediate value."""
        name = self.b.pointer_temporary()
        if self.layout.needs_object(ctype):
            self.lowerer.scopes.stack_block(name, ctype)
            return self.dereference(Var(name), ctype, "")
        del self.b.variables[name]
        self.declare(name, ctype, "", self.b.function)
        return LValue(ctype, ctype, variable=name)

    # --- navigation -----------------------------------------------------------------------------------------------

    def of_variable(self, decl: VarDecl) -> LValue:
        name = self.lowerer.name_of(decl)
        if self.lowerer.is_boxed(decl):
            return self.dereference(Var("&" + name), decl.type, decl.name)
        return LValue(decl.type, decl.type, variable=name, subject=decl.name)

    def dereference(self, pointer: Pointer, to: CType, subject: str) -> LValue:
        if isinstance(pointer, Var):
            base = pointer.name
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

    def member(self, lvalue: LValue, record: str, name: str) -> LValue:
        member = self.layout.member(record, name, self.b.span)
        if self.layout.is_part(record, name):
            self.layout.object_type(RecordType(record))
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
            return LValue(of, of, base=lvalue.base, index=index, subject=subject)
        if isinstance(index, Const):
            if not 0 <= index.value < (count or 0):
                self.b.emit(Assert(FALSE, self.b.check(CheckKind.BOUNDS, subject)))
                return replace(lvalue, type=of, path=f"{lvalue.path}[0]")
            return replace(lvalue, type=of, path=f"{lvalue.path}[{index.value}]")
        fixed = self.lowerer.values.snapshot(index)
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
            raise UnsupportedError("the address of this lvalue", self.b.span)
        if lvalue.index is None or lvalue.index == Const(0, self.layout.size_type):
            return Var(lvalue.base)
        target = into or self.b.pointer_temporary(self.layout.target(lvalue.type))
        self.b.emit_checked(Shift(target, lvalue.base, lvalue.index, self.layout.size(lvalue.type)), lvalue.subject)
        return Var(target)

    def is_box(self, lvalue: LValue) -> bool:
        return not is_aggregate(lvalue.root)

    def hold(self, lvalue: LValue) -> LValue:
        """The lvalue as it is now, whatever happens to the variables that lead to it."""
        values = self.lowerer.values
        index = None if lvalue.index is None else values.snapshot(lvalue.index)
        if not lvalue.base or lvalue.base.startswith(("$", "&")):  # set once, by what led to the lvalue
            return replace(lvalue, index=index)
        kept = values.snapshot_pointer(Var(lvalue.base))
        assert isinstance(kept, Var)
        return replace(lvalue, base=kept.name, index=index)

    # --- reading and writing --------------------------------------------------------------------------------------

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

    def load(self, lvalue: LValue, into: str = "") -> Value:
        """The scalar at an lvalue. `into` is a variable that may receive it directly."""
        if not lvalue.selectors and not lvalue.base:
            value = self.of_name(join(lvalue.variable, self.canonical(lvalue)))
            return self.lowerer.values.convert(value, self.seen_type(lvalue)) if isinstance(value, Expr) else value
        if is_pointer(lvalue.type):
            target = into or self.b.pointer_temporary(self.pointer_target(lvalue.type))
            self.variants(lvalue, lambda closed: self.load_pointer(closed, target))
            return Var(target)
        kept = self.kept_type(lvalue)
        data = IntVar(self.b.data_temporary(kept), kept)
        self.variants(lvalue, lambda closed: self.load_data(closed, data))
        return self.lowerer.values.convert(data, self.layout.int_type(lvalue.type))

    def pointer_target(self, ctype: CType) -> str:
        return self.layout.target(ctype.to) if isinstance(ctype, PointerType) else ""

    def of_name(self, name: str) -> Value:
        variable = self.b.variables[name]
        return Var(name) if variable.type is None else IntVar(name, variable.type)

    def canonical(self, lvalue: LValue) -> str:
        if self.is_box(lvalue):
            return lvalue.path
        return self.layout.canonical(lvalue.root, lvalue.path)

    def kept_type(self, lvalue: LValue) -> IntType:
        """The type that a data lvalue is kept in; members of a union may share what one of them is kept in."""
        if lvalue.index is not None or (self.is_box(lvalue) and lvalue.base):
            return self.layout.cell_type(lvalue.type)
        if self.is_box(lvalue) or lvalue.selectors:
            return self.seen_type(lvalue)
        return self.layout.kept_type(self.layout.scalar(lvalue.root, self.canonical(lvalue)))

    def seen_type(self, lvalue: LValue) -> IntType:
        """The type that a data lvalue is read and written as."""
        int_type = self.layout.int_type(lvalue.type)
        return int_type if lvalue.bits is None else IntType(lvalue.bits, int_type.signed)

    def load_pointer(self, lvalue: LValue, target: str) -> None:
        if not lvalue.base:
            self.b.emit_checked(Assign(target, Var(join(lvalue.variable, self.canonical(lvalue)))))
        elif lvalue.index is not None:
            self.b.emit_checked(LoadCell(target, lvalue.base, lvalue.index), lvalue.subject)
        else:
            self.b.emit_checked(Load(target, lvalue.base, self.canonical(lvalue)), lvalue.subject)

    def load_data(self, lvalue: LValue, target: IntVar) -> None:
        convert = self.lowerer.values.convert
        if not lvalue.base:
            value = self.of_name(join(lvalue.variable, self.canonical(lvalue)))
            assert isinstance(value, Expr)
            self.b.emit(Compute(target.name, convert(value, target.type)))
            return
        kept = self.kept_type(lvalue)
        loaded = target if kept == target.type else IntVar(self.b.data_temporary(kept), kept)
        if lvalue.index is not None:
            self.b.emit_checked(LoadDataCell(loaded.name, lvalue.base, lvalue.index), lvalue.subject)
        else:
            self.b.emit_checked(LoadData(loaded.name, lvalue.base, self.canonical(lvalue)), lvalue.subject)
        if loaded is not target:
            self.b.emit(Compute(target.name, convert(loaded, target.type)))

    def store(self, lvalue: LValue, value: Value) -> None:
        self.variants(lvalue, lambda closed: self.store_closed(closed, value))

    def store_closed(self, lvalue: LValue, value: Value) -> None:
        self.put(lvalue, value)
        self.scramble_others(lvalue)

    def put(self, lvalue: LValue, value: Value) -> None:
        """Store without a look at what overlaps."""
        if is_pointer(lvalue.type):
            assert not isinstance(value, Expr)
            self.store_pointer(lvalue, value)
        else:
            assert isinstance(value, Expr)
            self.store_data(lvalue, self.lowerer.values.convert(value, self.kept_type(lvalue)))

    def store_pointer(self, lvalue: LValue, value: Pointer) -> None:
        if not lvalue.base:
            target = join(lvalue.variable, self.canonical(lvalue))
            if value != Var(target):
                self.b.emit_checked(Assign(target, value))
        elif lvalue.index is not None:
            self.b.emit_checked(StoreCell(lvalue.base, lvalue.index, value), lvalue.subject)
        else:
            self.b.emit_checked(Store(lvalue.base, self.canonical(lvalue), value), lvalue.subject)

    def store_data(self, lvalue: LValue, value: Expr) -> None:
        if not lvalue.base:
            self.b.emit(Compute(join(lvalue.variable, self.canonical(lvalue)), value))
        elif lvalue.index is not None:
            self.b.emit_checked(StoreDataCell(lvalue.base, lvalue.index, value), lvalue.subject)
        else:
            self.b.emit_checked(StoreData(lvalue.base, self.canonical(lvalue), value), lvalue.subject)

    def scramble_others(self, lvalue: LValue) -> None:
        """The other members of a union, after one was written."""
        if self.is_box(lvalue) or lvalue.index is not None:
            return
        for other in self.layout.overlapping(lvalue.root, self.canonical(lvalue)):
            if lvalue.base:
                self.b.emit_checked(Scramble(lvalue.base, other.path), lvalue.subject)
            else:
                self.forget(join(lvalue.variable, other.path), approximate=True)

    def forget(self, name: str, *, approximate: bool = False) -> None:
        """A variable holds nothing definite any more."""
        variable = self.b.variables[name]
        if variable.type is None:
            self.b.emit_checked(Assign(name, JUNK))
        else:
            self.b.emit(Havoc(name, variable.type, "approximation" if approximate else "uninitialised", approximate))

    # --- whole aggregates -----------------------------------------------------------------------------------------

    def zero(self, lvalue: LValue) -> None:
        self.fill(lvalue, self.zero_value)

    def fill(self, lvalue: LValue, value: Callable[[CType], Value]) -> None:
        """Set each scalar to the value that its bytes make up, so that the members of a union agree."""

        def set_bytes(scalar: LValue) -> None:
            self.variants(scalar, lambda closed: self.put(closed, value(closed.type)))

        self.each_scalar(lvalue, set_bytes, whole_unions=True)

    def zero_value(self, ctype: CType) -> Value:
        return NULL if is_pointer(ctype) else Const(0, self.layout.int_type(ctype))

    def each_scalar(self, lvalue: LValue, action: Callable[[LValue], None], *, whole_unions: bool = False) -> None:
        """Run an action on every scalar of an lvalue, in order of members and elements. Of a union that is one member
        that covers the others, or all of its fields."""
        match lvalue.type:
            case RecordType(key) if self.layout.records[key].union and whole_unions:
                for scalar in self.layout.fields(lvalue.type):
                    action(self.inside(lvalue, scalar))
            case RecordType(key):
                record = self.layout.records[key]
                members = record.fields
                if record.union:
                    members = tuple(sorted(members, key=lambda m: -self.layout.size(m.type)))[:1]
                for member in members:
                    self.each_scalar(self.member(lvalue, key, member.name), action, whole_unions=whole_unions)
            case ArrayType(_, count):
                self.each_element(
                    count,
                    lambda index: self.each_scalar(
                        self.element(lvalue, index, lvalue.subject), action, whole_unions=whole_unions
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
            self.lowerer.values.count_loop(Const(count, type), action)

    def copy(self, target: LValue, source: LValue) -> None:
        """Copy values, never links."""
        if not target.base and is_aggregate(target.type):
            source = self.hold(source)  # `n = *n.next` overwrites what leads to the source
        match target.type:
            case RecordType(key):
                record = self.layout.records[key]
                if record.union:
                    self.copy_union(target, source)
                    return
                for member in record.fields:
                    self.copy(self.member(target, key, member.name), self.member(source, key, member.name))
            case ArrayType(_, count):
                self.each_element(
                    count,
                    lambda index: self.copy(
                        self.element(target, index, target.subject), self.element(source, index, source.subject)
                    ),
                )
            case _:
                self.store(target, self.load(source))

    def copy_union(self, target: LValue, source: LValue) -> None:
        """Every field of a union on its own: what the source does not know, the copy does not know either."""
        assert isinstance(target.type, RecordType)
        for scalar in self.layout.fields(target.type):
            value = self.load(self.inside(source, scalar))
            self.variants(self.inside(target, scalar), partial(self.put, value=value))

    def inside(self, lvalue: LValue, scalar: Scalar) -> LValue:
        return replace(lvalue, type=scalar.type, path=join(lvalue.path, scalar.path), bits=scalar.bits)

    def uninitialised(self, lvalue: LValue) -> None:
        """A declared variable without an initialiser."""
        for scalar in self.layout.fields(lvalue.type):
            self.forget(join(lvalue.variable, scalar.path))


def join(name: str, path: str) -> str:
    """A path below a name: `s` and `a` give `s.a`, `a` and `[0]` give `a[0]`."""
    if not name or not path:
        return name or path
    return name + path if path.startswith("[") else f"{name}.{path}"
