"""Places: where values live, and how to read, write, copy and point to them.

A place is in a variable (`s.a` of a struct that dissolved), in a field of the object that a variable points to, or in
a cell of an array. An index into a dissolved array that is not constant stays open in the place's path as a selector,
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
class Place:
    type: CType
    root: CType  # type of the variable or object that the path starts at
    variable: str = ""  # name of that variable, if the place is in variables
    base: str = ""  # else: the pointer variable that holds the object's address
    path: str = ""
    index: Expr | None = None  # of a cell
    selectors: tuple[tuple[Expr, int], ...] = ()  # (index, count) for each OPEN of the path
    subject: str = ""  # the pointer in the user's words
    bits: int | None = None  # width of a bit-field


Value = Expr | Pointer


class Places:
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

    def temporary(self, ctype: CType) -> Place:
        """A place for an intermediate value."""
        name = self.b.pointer_temporary()
        if self.layout.needs_object(ctype):
            self.lowerer.scopes.stack_block(name, ctype)
            return self.dereference(Var(name), ctype, "")
        del self.b.variables[name]
        self.declare(name, ctype, "", self.b.function)
        return Place(ctype, ctype, variable=name)

    # --- navigation -----------------------------------------------------------------------------------------------

    def of_variable(self, decl: VarDecl) -> Place:
        name = self.lowerer.name_of(decl)
        if self.lowerer.is_boxed(decl):
            return self.dereference(Var("&" + name), decl.type, decl.name)
        return Place(decl.type, decl.type, variable=name, subject=decl.name)

    def dereference(self, pointer: Pointer, to: CType, subject: str) -> Place:
        if isinstance(pointer, Var):
            base = pointer.name
        else:
            base = self.b.pointer_temporary(self.layout.target(to))
            self.b.quietly(Assign(base, pointer))
        if not isinstance(to, VoidType | FunctionType):
            self.layout.object_type(to)  # the interpreter matches accesses by layout
        if is_aggregate(to) or isinstance(to, VoidType):
            return Place(to, to, base=base, subject=subject)
        if self.layout.has_arrays(to):
            return Place(to, to, base=base, index=Const(0, self.layout.size_type), subject=subject)
        return Place(to, to, base=base, path=self.layout.box_field(to), subject=subject)

    def member(self, place: Place, record: str, name: str) -> Place:
        member = self.layout.member(record, name, self.b.span)
        if self.layout.is_part(record, name):
            self.layout.object_type(RecordType(record))
            target = self.b.pointer_temporary(self.layout.target(member.type))
            self.b.do(Follow(target, place.base, record, name, up=False), place.subject)
            return self.dereference(Var(target), member.type, place.subject)
        path = f"{place.path}.{name}" if place.path else name
        return replace(place, type=member.type, path=path, bits=member.bits)

    def element(self, place: Place, index: Expr, subject: str) -> Place:
        """`place[index]` of an array that is not behind a pointer."""
        assert isinstance(place.type, ArrayType)
        of, count = place.type.of, place.type.count
        if self.is_array_object(place):
            if is_aggregate(of):
                target = self.b.pointer_temporary(self.layout.target(of))
                self.b.do(Shift(target, place.base, index, self.layout.size(of)), subject)
                return self.dereference(Var(target), of, subject)
            return Place(of, of, base=place.base, index=index, subject=subject)
        if isinstance(index, Const):
            if not 0 <= index.value < (count or 0):
                self.b.emit(Assert(FALSE, self.b.check(CheckKind.BOUNDS, subject)))
                return replace(place, type=of, path=f"{place.path}[0]")
            return replace(place, type=of, path=f"{place.path}[{index.value}]")
        fixed = self.lowerer.values.snapshot(index)
        self.check_index(fixed, count or 0, subject)
        return replace(place, type=of, path=f"{place.path}[{OPEN}]", selectors=(*place.selectors, (fixed, count or 0)))

    def is_array_object(self, place: Place) -> bool:
        """Whether a place is a whole array object rather than a dissolved array."""
        return bool(place.base) and not place.path and place.index is None and place.root == place.type

    def check_index(self, index: Expr, count: int, subject: str) -> None:
        check = self.b.check(CheckKind.BOUNDS, subject)
        if index.type.signed:
            self.b.emit(Assert(Compare(">=", index, Const(0, index.type)), check))
        self.b.emit(Assert(Compare("<", index, Const(count, index.type)), check))

    def address(self, place: Place, into: str = "") -> Pointer:
        if not place.base or (place.path and not self.is_box(place)):
            raise UnsupportedError("the address of this place", self.b.span)
        if place.index is None or place.index == Const(0, self.layout.size_type):
            return Var(place.base)
        target = into or self.b.pointer_temporary(self.layout.target(place.type))
        self.b.do(Shift(target, place.base, place.index, self.layout.size(place.type)), place.subject)
        return Var(target)

    def is_box(self, place: Place) -> bool:
        return not is_aggregate(place.root)

    def hold(self, place: Place) -> Place:
        """The place as it is now, whatever happens to the variables that lead to it."""
        values = self.lowerer.values
        index = None if place.index is None else values.snapshot(place.index)
        if not place.base or place.base.startswith(("$", "&")):  # set once, by what led to the place
            return replace(place, index=index)
        kept = values.snapshot_pointer(Var(place.base))
        assert isinstance(kept, Var)
        return replace(place, base=kept.name, index=index)

    # --- reading and writing --------------------------------------------------------------------------------------

    def variants(self, place: Place, action: Callable[[Place], None]) -> None:
        """Run an action on the place for every value of its open indices."""
        if not place.selectors:
            action(place)
            return
        (index, count), *rest = place.selectors
        start, after = self.b.current, None
        for value in range(count):
            self.b.current = start
            self.b.assume(Compare("==", index, Const(value, index.type)))
            closed = replace(place, path=place.path.replace(OPEN, str(value), 1), selectors=tuple(rest))
            self.variants(closed, action)
            if self.b.current is not None:
                if after is None:
                    after = self.b.location()
                self.b.goto(after)
        self.b.current = after

    def load(self, place: Place, into: str = "") -> Value:
        """The scalar at a place. `into` is a variable that may receive it directly."""
        if not place.selectors and not place.base:
            value = self.of_name(join(place.variable, self.canonical(place)))
            return self.lowerer.values.convert(value, self.seen_type(place)) if isinstance(value, Expr) else value
        if is_pointer(place.type):
            target = into or self.b.pointer_temporary(self.pointer_target(place.type))
            self.variants(place, lambda closed: self.load_pointer(closed, target))
            return Var(target)
        kept = self.kept_type(place)
        data = IntVar(self.b.data_temporary(kept), kept)
        self.variants(place, lambda closed: self.load_data(closed, data))
        return self.lowerer.values.convert(data, self.layout.int_type(place.type))

    def pointer_target(self, ctype: CType) -> str:
        return self.layout.target(ctype.to) if isinstance(ctype, PointerType) else ""

    def of_name(self, name: str) -> Value:
        variable = self.b.variables[name]
        return Var(name) if variable.type is None else IntVar(name, variable.type)

    def canonical(self, place: Place) -> str:
        if self.is_box(place):
            return place.path
        return self.layout.canonical(place.root, place.path)

    def kept_type(self, place: Place) -> IntType:
        """The type that a data place is kept in; members of a union may share what one of them is kept in."""
        if place.index is not None or (self.is_box(place) and place.base):
            return self.layout.cell_type(place.type)
        if self.is_box(place) or place.selectors:
            return self.seen_type(place)
        return self.layout.kept_type(self.layout.scalar(place.root, self.canonical(place)))

    def seen_type(self, place: Place) -> IntType:
        """The type that a data place is read and written as."""
        int_type = self.layout.int_type(place.type)
        return int_type if place.bits is None else IntType(place.bits, int_type.signed)

    def load_pointer(self, place: Place, target: str) -> None:
        if not place.base:
            self.b.do(Assign(target, Var(join(place.variable, self.canonical(place)))))
        elif place.index is not None:
            self.b.do(LoadCell(target, place.base, place.index), place.subject)
        else:
            self.b.do(Load(target, place.base, self.canonical(place)), place.subject)

    def load_data(self, place: Place, target: IntVar) -> None:
        convert = self.lowerer.values.convert
        if not place.base:
            value = self.of_name(join(place.variable, self.canonical(place)))
            assert isinstance(value, Expr)
            self.b.emit(Compute(target.name, convert(value, target.type)))
            return
        kept = self.kept_type(place)
        loaded = target if kept == target.type else IntVar(self.b.data_temporary(kept), kept)
        if place.index is not None:
            self.b.do(LoadDataCell(loaded.name, place.base, place.index), place.subject)
        else:
            self.b.do(LoadData(loaded.name, place.base, self.canonical(place)), place.subject)
        if loaded is not target:
            self.b.emit(Compute(target.name, convert(loaded, target.type)))

    def store(self, place: Place, value: Value) -> None:
        self.variants(place, lambda closed: self.store_closed(closed, value))

    def store_closed(self, place: Place, value: Value) -> None:
        self.put(place, value)
        self.scramble_others(place)

    def put(self, place: Place, value: Value) -> None:
        """Store without a look at what overlaps."""
        if is_pointer(place.type):
            assert not isinstance(value, Expr)
            self.store_pointer(place, value)
        else:
            assert isinstance(value, Expr)
            self.store_data(place, self.lowerer.values.convert(value, self.kept_type(place)))

    def store_pointer(self, place: Place, value: Pointer) -> None:
        if not place.base:
            target = join(place.variable, self.canonical(place))
            if value != Var(target):
                self.b.do(Assign(target, value))
        elif place.index is not None:
            self.b.do(StoreCell(place.base, place.index, value), place.subject)
        else:
            self.b.do(Store(place.base, self.canonical(place), value), place.subject)

    def store_data(self, place: Place, value: Expr) -> None:
        if not place.base:
            self.b.emit(Compute(join(place.variable, self.canonical(place)), value))
        elif place.index is not None:
            self.b.do(StoreDataCell(place.base, place.index, value), place.subject)
        else:
            self.b.do(StoreData(place.base, self.canonical(place), value), place.subject)

    def scramble_others(self, place: Place) -> None:
        """The other members of a union, after one was written."""
        if self.is_box(place) or place.index is not None:
            return
        for other in self.layout.overlapping(place.root, self.canonical(place)):
            if place.base:
                self.b.do(Scramble(place.base, other.path), place.subject)
            else:
                self.forget(join(place.variable, other.path), approximate=True)

    def forget(self, name: str, *, approximate: bool = False) -> None:
        """A variable holds nothing definite any more."""
        variable = self.b.variables[name]
        if variable.type is None:
            self.b.do(Assign(name, JUNK))
        else:
            self.b.emit(Havoc(name, variable.type, "approximation" if approximate else "uninitialised", approximate))

    # --- whole aggregates -----------------------------------------------------------------------------------------

    def zero(self, place: Place) -> None:
        self.fill(place, self.zero_value)

    def fill(self, place: Place, value: Callable[[CType], Value]) -> None:
        """Set each scalar to the value that its bytes make up, so that the members of a union agree."""

        def set_bytes(scalar: Place) -> None:
            self.variants(scalar, lambda closed: self.put(closed, value(closed.type)))

        self.each_scalar(place, set_bytes, whole_unions=True)

    def zero_value(self, ctype: CType) -> Value:
        return NULL if is_pointer(ctype) else Const(0, self.layout.int_type(ctype))

    def each_scalar(self, place: Place, action: Callable[[Place], None], *, whole_unions: bool = False) -> None:
        """Run an action on every scalar of a place, in order of members and elements. Of a union that is one member
        that covers the others, or all of its fields."""
        match place.type:
            case RecordType(key) if self.layout.records[key].union and whole_unions:
                for scalar in self.layout.fields(place.type):
                    action(self.inside(place, scalar))
            case RecordType(key):
                record = self.layout.records[key]
                members = record.fields
                if record.union:
                    members = tuple(sorted(members, key=lambda m: -self.layout.size(m.type)))[:1]
                for member in members:
                    self.each_scalar(self.member(place, key, member.name), action, whole_unions=whole_unions)
            case ArrayType(_, count):
                self.each_element(
                    count,
                    lambda index: self.each_scalar(
                        self.element(place, index, place.subject), action, whole_unions=whole_unions
                    ),
                )
            case _:
                action(place)

    def each_element(self, count: int | None, action: Callable[[Expr], None]) -> None:
        """Run an action for every index: one after the other for a few, in a loop for many."""
        type = self.layout.size_type
        if count is not None and count <= UNROLLED:
            for index in range(count):
                action(Const(index, type))
        elif count is not None:
            self.lowerer.values.count_loop(Const(count, type), action)

    def copy(self, target: Place, source: Place) -> None:
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

    def copy_union(self, target: Place, source: Place) -> None:
        """Every field of a union on its own: what the source does not know, the copy does not know either."""
        assert isinstance(target.type, RecordType)
        for scalar in self.layout.fields(target.type):
            value = self.load(self.inside(source, scalar))
            self.variants(self.inside(target, scalar), partial(self.put, value=value))

    def inside(self, place: Place, scalar: Scalar) -> Place:
        return replace(place, type=scalar.type, path=join(place.path, scalar.path), bits=scalar.bits)

    def uninitialised(self, place: Place) -> None:
        """A declared variable without an initialiser."""
        for scalar in self.layout.fields(place.type):
            self.forget(join(place.variable, scalar.path))


def join(name: str, path: str) -> str:
    """A path below a name: `s` and `a` give `s.a`, `a` and `[0]` give `a[0]`."""
    if not name or not path:
        return name or path
    return name + path if path.startswith("[") else f"{name}.{path}"
