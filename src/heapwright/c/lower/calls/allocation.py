"""Allocation and the functions that work on whole objects: malloc, calloc, realloc, free, alloca, memset, memcpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from heapwright.base.errors import UnsupportedError
from heapwright.c import ast
from heapwright.c.ast import ArrayType, CType, FunctionType, IntegerType, PointerType, RecordType, VoidType
from heapwright.c.lower.expressions.lvalues import LValue, Value
from heapwright.c.lower.graph_builder import INT
from heapwright.c.lower.prepass.object_layout import is_aggregate, is_pointer
from heapwright.c.lower.prepass.tree_queries import called_name, text, walk
from heapwright.program.commands import Assign, Compute, Free, Leave, Length, Load, New, Shift, Store
from heapwright.program.expressions import (
    JUNK,
    NULL,
    Binary,
    Compare,
    Const,
    Expr,
    IntVar,
    Null,
    Pointer,
    PointerCompare,
    Var,
)
from heapwright.program.types import Field, ObjectType, Storage, ValueKind, Variable

if TYPE_CHECKING:
    from heapwright.c.lower.lowerer import Lowerer

CHAIN = "alloca record"
MOVES = frozenset({"memmove", "__builtin_memmove"})
ALLOCA = frozenset({"alloca", "__builtin_alloca"})


class Memory:
    def __init__(self, lowerer: Lowerer) -> None:
        self.lowerer = lowerer
        self.b = lowerer.builder
        self.layout = lowerer.layout

    # --- measured sizes -------------------------------------------------------------------------------------------

    def measured(self, size: ast.Expr) -> CType | None:
        """The type whose `sizeof` reaches a size, through parameters and variables that are set once."""
        match size:
            case ast.IntLiteral():
                return size.measured
            case ast.Cast():
                return self.measured(size.operand)
            case ast.Binary() if size.op in ("*", "+"):
                return self.measured(size.left) or self.measured(size.right)
            case ast.VarRef():
                decl = size.decl
                if id(decl) in self.lowerer.frame.measures:
                    return self.lowerer.frame.measures[id(decl)]
                once = decl.initializer is not None and id(decl) not in self.lowerer.callgraph.assigned
                return self.measured(decl.initializer) if once and decl.initializer is not None else None
        return None

    # --- allocation -----------------------------------------------------------------------------------------------

    def malloc(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        size = self.lowerer.values.integer(expr.arguments[0])
        measured = self.measured(expr.arguments[0])
        self.b.at(expr.span)
        return self.allocate(size, measured, want, into)

    def calloc(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        first, second = self.lowerer.values.operands(expr.arguments[0], expr.arguments[1])
        measured = self.measured(expr.arguments[1]) or self.measured(expr.arguments[0])
        self.b.at(expr.span)
        size = self.lowerer.values.arithmetic("*", second, first, self.layout.size_type)
        return self.allocate(size, measured, want, into, zeroed=True)

    def alloca(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        size = self.lowerer.values.integer(expr.arguments[0])
        measured = self.measured(expr.arguments[0])
        self.b.at(expr.span)
        block = self.allocate(size, measured, want, "", storage=Storage.STACK)
        self.remember(block)
        return block

    def allocate(
        self,
        size: Expr,
        measured: CType | None,
        want: CType | None,
        into: str,
        *,
        storage: Storage = Storage.HEAP,
        zeroed: bool = False,
    ) -> Var:
        """A new block for `size` bytes, of the measured type or of the type that the result is used as."""
        element = self.element_type(measured, want or self.lowerer.frame.want)
        target = into or self.b.pointer_temporary(self.layout.target(element) if element else "")
        may_fail = self.lowerer.malloc_may_fail and storage is Storage.HEAP
        if storage is Storage.HEAP and not may_fail:
            self.b.assumption("malloc and its kin never fail")
        if element is None:
            self.layout.facts.learn_raw_blocks()
            self.b.emit_checked(New(target, "", storage, None, size, zeroed, may_fail))
            return Var(target)
        name, count, exact = self.shape(element, size)
        self.b.emit_checked(New(target, name, storage, count, None if exact else size, zeroed, may_fail))
        return Var(target)

    def element_type(self, measured: CType | None, want: CType | None) -> CType | None:
        """What a block holds: what it is used as, unless that is bytes or nothing; else what its size measures."""
        if isinstance(measured, ArrayType):
            measured = measured.of
        if isinstance(want, VoidType | FunctionType):
            want = None
        if measured is None or isinstance(measured, VoidType):
            return want
        return measured if want is None or is_char(want) else want

    def shape(self, element: CType, size: Expr) -> tuple[str, Expr | None, bool]:
        """The object type and count for a block of `size` bytes, and whether they say its size exactly."""
        if isinstance(element, RecordType) and self.is_open_ended(element.key):
            return self.layout.object_type(element).name, None, False
        unit = self.layout.size(element) or 1
        known = size.value if isinstance(size, Const) else -1
        single = (
            0 <= known < 2 * unit if is_aggregate(element) else known == unit and not self.layout.has_arrays(element)
        )
        if single:
            return self.layout.object_type(element).name, None, known == unit
        if not is_aggregate(element):
            self.layout.facts.learn(self.layout.facts.arrays, self.layout.scalar_name(element))
        array = self.layout.object_type(ArrayType(element, None))
        if isinstance(size, Const):
            return array.name, Const(size.value // unit, size.type), size.value % unit == 0
        factor = self.factor(size, unit)
        if factor is not None:
            return array.name, factor, True
        if unit == 1:
            return array.name, size, True
        return array.name, Binary("/", size, Const(unit, size.type), size.type), False

    def is_open_ended(self, record: str) -> bool:
        """Whether a struct ends with an array without a length, which takes what room there is."""
        fields = self.layout.records[record].fields
        last = fields[-1].type if fields else None
        return isinstance(last, ArrayType) and not last.count

    def factor(self, size: Expr, unit: int) -> Expr | None:
        """The n of a size `n * unit`."""
        if isinstance(size, Binary) and size.op == "*":
            self.b.assumption("sizes of allocations do not overflow")
            if isinstance(size.left, Const) and size.left.value == unit:
                return size.right
            if isinstance(size.right, Const) and size.right.value == unit:
                return size.left
        return None

    # --- alloca: the blocks of a function end with it -------------------------------------------------------------

    def prepare_alloca(self, function: ast.FunctionDecl) -> None:
        """A function that calls alloca starts with an empty chain of blocks."""
        assert function.body is not None
        if not any(called_name(node) in ALLOCA for node in walk(function.body) if isinstance(node, ast.Call)):
            return
        size = self.layout.pointer_bits // 8
        fields = (
            Field("block", ValueKind.POINTER, 0, size),
            Field("next", ValueKind.POINTER, size, size, target=CHAIN),
        )
        self.layout.types[CHAIN] = ObjectType(CHAIN, 2 * size, fields)
        chain = self.b.declare(Variable(chain_of(function), ValueKind.POINTER, None, CHAIN, "alloca", function.name))
        self.lowerer.scopes.stack[0].chains.append(chain)
        self.b.emit(Assign(chain, NULL))

    def remember(self, block: Value) -> None:
        """Put a stack block of alloca on the chain that the end of the function takes down."""
        assert isinstance(block, Var)
        chain = chain_of(self.lowerer.frame.function)
        record = self.b.pointer_temporary(CHAIN)
        self.b.emit(New(record, CHAIN, Storage.STACK))
        self.b.emit(Store(record, "block", block))
        self.b.emit(Store(record, "next", Var(chain)))
        self.b.emit(Assign(chain, Var(record)))

    def leave_chain(self, chain: str) -> None:
        if self.b.current is None:
            return
        head, after = self.b.location(), self.b.location()
        self.b.goto(head)
        self.b.current = head
        self.b.assume(PointerCompare("!=", Var(chain), NULL))
        block, rest = self.b.pointer_temporary(), self.b.pointer_temporary(CHAIN)
        self.b.emit(Load(block, chain, "block"))
        self.b.emit(Load(rest, chain, "next"))
        self.b.emit_checked(Leave(block))
        self.b.emit(Leave(chain))
        self.b.emit(Assign(chain, Var(rest)))
        self.b.goto(head)
        self.b.current = head
        self.b.assume(PointerCompare("==", Var(chain), NULL))
        self.b.goto(after)
        self.b.current = after

    # --- free and realloc -----------------------------------------------------------------------------------------

    def free(self, expr: ast.Call, want: CType | None, into: str) -> None:
        pointer = self.lowerer.values.pointer(expr.arguments[0])
        self.b.at(expr.span)
        self.release(pointer, text(expr.arguments[0], self.layout))

    def release(self, pointer: Pointer, subject: str) -> None:
        if isinstance(pointer, Null):
            return
        if not isinstance(pointer, Var):
            name = self.b.pointer_temporary()
            self.b.emit(Assign(name, pointer))
            pointer = Var(name)
        self.b.emit_checked(Free(pointer.name), subject)

    def realloc(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        values = self.lowerer.values
        old = values.snapshot_pointer(values.pointer(expr.arguments[0]))
        size = values.snapshot(values.integer(expr.arguments[1]))
        self.b.at(expr.span)
        source = ast_pointee(expr.arguments[0])
        element = self.element_type(self.measured(expr.arguments[1]), want or source)
        if element is None:
            raise UnsupportedError("realloc of a block of unknown type", expr.span)
        if not is_aggregate(element):
            self.layout.facts.learn(self.layout.facts.arrays, self.layout.scalar_name(element))
        new = self.allocate(size, element, element, "")
        self.move(old, new, element, text(expr.arguments[0], self.layout))
        return new

    def move(self, old: Pointer, new: Var, element: CType, subject: str) -> None:
        """Copy what both blocks have room for, then free the old one."""
        if not isinstance(old, Var):
            return
        full, after = self.b.location(), self.b.location()
        self.lowerer.conditions.split(PointerCompare("!=", old, NULL), full, after)
        self.b.current = full
        if self.lowerer.malloc_may_fail:
            got = self.b.location()
            self.lowerer.conditions.split(PointerCompare("!=", new, NULL), got, after)
            self.b.current = got
        type = self.layout.size_type
        lengths = []
        for block in (old, new):
            length = self.b.data_temporary(type)
            self.b.emit(Length(length, block.name))
            lengths.append(IntVar(length, type))
        smaller = IntVar(self.b.data_temporary(type), type)
        first, second, copy = self.b.location(), self.b.location(), self.b.location()
        self.lowerer.conditions.split(Compare("<", lengths[0], lengths[1]), first, second)
        for start, length_value in ((first, lengths[0]), (second, lengths[1])):
            self.b.current = start
            self.b.emit(Compute(smaller.name, length_value))
            self.b.goto(copy)
        self.b.current = copy
        self.lowerer.values.count_loop(smaller, lambda index: self.copy_cell(new, old, index, element, subject))
        self.release(old, subject)
        self.b.goto(after)
        self.b.current = after

    def copy_cell(self, target: Pointer, source: Pointer, index: Expr, element: CType, subject: str) -> None:
        lvalues = self.lowerer.lvalues
        lvalues.copy(self.cell(target, index, element, subject), self.cell(source, index, element, subject))

    def cell(self, pointer: Pointer, index: Expr, element: CType, subject: str) -> LValue:
        """`pointer[index]`"""
        if not isinstance(pointer, Var):
            return self.lowerer.lvalues.dereference(pointer, element, subject)
        if is_aggregate(element):
            moved = self.b.pointer_temporary(self.layout.target(element))
            self.b.emit(Shift(moved, pointer.name, index, self.layout.size(element)))
            return self.lowerer.lvalues.dereference(Var(moved), element, subject)
        if self.layout.has_arrays(element):
            return LValue(element, element, base=pointer.name, index=index, subject=subject)
        return self.lowerer.lvalues.dereference(pointer, element, subject)

    # --- whole objects --------------------------------------------------------------------------------------------

    def memset(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        values = self.lowerer.values
        target = values.snapshot_pointer(values.pointer(expr.arguments[0]))
        byte, size = values.operands(expr.arguments[1], expr.arguments[2])
        self.b.at(expr.span)
        element = self.memory_type(expr.arguments[0], expr.arguments[2])
        if element is None:
            raise UnsupportedError("memset of memory of unknown type", expr.span)
        subject = text(expr.arguments[0], self.layout)
        byte = values.snapshot(byte)
        self.each_cell(target, size, element, subject, lambda lvalue: self.fill(lvalue, byte), expr)
        return target

    def fill(self, lvalue: LValue, byte: Expr) -> None:
        self.lowerer.lvalues.fill(lvalue, lambda ctype: self.repeated(byte, ctype))

    def repeated(self, byte: Expr, ctype: CType) -> Value:
        """The scalar whose bytes are all the same."""
        if isinstance(byte, Const) and byte.value & 0xFF == 0:
            return self.lowerer.lvalues.zero_value(ctype)
        if is_pointer(ctype):
            return JUNK
        type = self.layout.int_type(ctype)
        if type.bits == 8:
            return self.lowerer.values.convert(byte, type)
        if isinstance(byte, Const):
            return Const(type.wrap(int.from_bytes(bytes([byte.value & 0xFF]) * (type.bits // 8), "little")), type)
        return self.lowerer.values.approximate(type)

    def memcpy(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        values = self.lowerer.values
        target = values.snapshot_pointer(values.pointer(expr.arguments[0]))
        source = values.snapshot_pointer(values.pointer(expr.arguments[1]))
        size = values.integer(expr.arguments[2])
        self.b.at(expr.span)
        element = self.memory_type(expr.arguments[0], expr.arguments[2])
        other = self.memory_type(expr.arguments[1], expr.arguments[2])
        element = element or other
        if element is None or (other is not None and self.layout.size(other) != self.layout.size(element)):
            raise UnsupportedError("memcpy between memory of unknown or different types", expr.span)
        subject = text(expr.arguments[0], self.layout)
        unit = self.layout.size(element)
        if isinstance(size, Const) and size.value == unit:
            self.copy_cell(target, source, values.size_constant(0), element, subject)
        elif called_name(expr) in MOVES:
            self.move_cells(target, source, self.count_of(size, unit, expr), element, subject)
        else:
            count = self.count_of(size, unit, expr)
            values.count_loop(count, lambda index: self.copy_cell(target, source, index, element, subject))
        self.rest(target, size, element, subject)
        return target

    def move_cells(self, target: Pointer, source: Pointer, count: Expr, element: CType, subject: str) -> None:
        """memmove: from the end if the target begins inside the source, else from the start."""
        values = self.lowerer.values
        if not isinstance(source, Var):
            source = Var(values.held_in_variable(source))
        overlaps = IntVar(self.b.data_temporary(INT), INT)
        self.b.emit(Compute(overlaps.name, Const(0, INT)))

        def look(index: Expr) -> None:
            here = values.shift(source, index, False, PointerType(element))
            inside, on = self.b.location(), self.b.location()
            self.lowerer.conditions.split(PointerCompare("==", here, target), inside, on)
            self.b.current = inside
            self.b.emit(Compute(overlaps.name, Const(1, INT)))
            self.b.goto(on)
            self.b.current = on

        def from_end(index: Expr) -> None:
            last = values.arithmetic("-", count, Const(1, count.type), count.type)
            mirrored = values.snapshot(values.arithmetic("-", last, index, count.type))
            self.copy_cell(target, source, mirrored, element, subject)

        values.count_loop(count, look)
        backwards, forwards, after = self.b.location(), self.b.location(), self.b.location()
        self.lowerer.conditions.split(Compare("!=", overlaps, Const(0, INT)), backwards, forwards)
        self.b.current = backwards
        values.count_loop(count, from_end)
        self.b.goto(after)
        self.b.current = forwards
        values.count_loop(count, lambda index: self.copy_cell(target, source, index, element, subject))
        self.b.goto(after)
        self.b.current = after

    def each_cell(
        self,
        target: Pointer,
        size: Expr,
        element: CType,
        subject: str,
        action: Callable[[LValue], None],
        expr: ast.Call,
    ) -> None:
        unit = self.layout.size(element)
        if isinstance(size, Const) and size.value == unit:
            action(self.cell(target, self.lowerer.values.size_constant(0), element, subject))
            return
        count = self.count_of(size, unit, expr)
        self.lowerer.values.count_loop(count, lambda index: action(self.cell(target, index, element, subject)))
        self.rest(target, size, element, subject)

    def rest(self, target: Pointer, size: Expr, element: CType, subject: str) -> None:
        """The element of which only the first bytes are written holds anything then."""
        unit, lvalues = self.layout.size(element), self.lowerer.lvalues
        if unit == 1 or isinstance(size, Const) or self.factor(size, unit) is not None:
            return
        part, after = self.b.location(), self.b.location()
        divisor = Const(unit, size.type)
        left_over = Binary("%", size, divisor, size.type)
        self.lowerer.conditions.split(Compare("!=", left_over, Const(0, size.type)), part, after)
        self.b.current = part
        last = self.lowerer.values.snapshot(Binary("/", size, divisor, size.type))
        lvalues.fill(self.cell(target, last, element, subject), self.anything)
        self.b.goto(after)
        self.b.current = after

    def anything(self, ctype: CType) -> Value:
        if is_pointer(ctype):
            return JUNK
        return self.lowerer.values.approximate(self.layout.int_type(ctype))

    def count_of(self, size: Expr, unit: int, expr: ast.Call) -> Expr:
        """How many whole elements so many bytes are; a constant part of an element cannot be expressed."""
        if isinstance(size, Const):
            if size.value % unit:
                raise UnsupportedError("memset or memcpy of a part of an object", expr.span)
            return Const(size.value // unit, size.type)
        factor = self.factor(size, unit)
        if factor is None and unit != 1:
            factor = Binary("/", size, Const(unit, size.type), size.type)
        return self.lowerer.values.snapshot(factor if factor is not None else size)

    def memory_type(self, pointer: ast.Expr, size: ast.Expr) -> CType | None:
        """The type of the elements that a `void *` argument points to."""
        pointee = ast_pointee(pointer)
        if isinstance(pointee, ArrayType):
            pointee = pointee.of
        if pointee is None:
            pointee = self.measured(size)
        return pointee


def chain_of(function: ast.FunctionDecl) -> str:
    return f"{function.name}::$alloca"


def ast_pointee(expr: ast.Expr) -> CType | None:
    """What a pointer argument points to before it was converted to `void *`."""
    while isinstance(expr, ast.Cast) and not expr.decay and isinstance(expr.type, PointerType):
        if not isinstance(expr.type.to, VoidType) and not is_char(expr.type.to):
            break
        if not is_pointer(expr.operand.type):
            break
        expr = expr.operand
    if isinstance(expr.type, PointerType) and not isinstance(expr.type.to, VoidType | FunctionType):
        return expr.type.to
    return None


def is_char(ctype: CType) -> bool:
    return isinstance(ctype, IntegerType) and ctype.int.bits == 8
