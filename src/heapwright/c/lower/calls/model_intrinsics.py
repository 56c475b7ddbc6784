"""Intrinsics of library models: inputs, approximations, memory of the environment.

Declared in models/intrinsics.h. A model reports what it does not cover with `hw_model_unmodelled()`: then nothing that
follows is proved or violated.
"""

from __future__ import annotations

from collections.abc import Callable

from heapwright.c import ast
from heapwright.c.lower.calls.allocation import Allocation
from heapwright.c.lower.calls.block_types import BlockTypes
from heapwright.c.lower.calls.inputs import Inputs
from heapwright.c.lower.context import Context, Part
from heapwright.c.lower.expressions.rvalues import RValues
from heapwright.c.lower.graph_builder import INT
from heapwright.c.lower.prepass.object_layout import is_aggregate
from heapwright.c.lower.prepass.tree_queries import called_name, strip_casts
from heapwright.c.lower.storage.values import LValue, Value
from heapwright.c.types import CType, IntegerType, PointerType
from heapwright.program.commands import (
    Assign,
    Compute,
    FloatingPoint,
    Free,
    Havoc,
    Shift,
    Skip,
    StoreDataCell,
)
from heapwright.program.expressions import JUNK, NULL, Compare, Const, Expr, IntVar, Pointer, PointerCompare, Var
from heapwright.program.number_text import NUMBER_TEXT
from heapwright.program.requests import Request
from heapwright.program.types import IntType, Storage

SCALARS = (
    *("int", "long", "char", "signed_char", "short", "long_long", "float", "double", "long_double"),
    *("unsigned_char", "unsigned_short", "unsigned_int", "unsigned_long", "unsigned_long_long"),
)
CONSOLE = "console"  # the source of answers to requests (program/runs/console.py)
CHARACTER = IntegerType(IntType(8, True), "char")


class ModelIntrinsics(Part):
    def __init__(
        self, context: Context, evaluator: RValues, allocation: Allocation, block_types: BlockTypes, inputs: Inputs
    ) -> None:
        super().__init__(context)
        self.evaluator = evaluator
        self.allocation = allocation
        self.block_types = block_types
        self.inputs = inputs
        self.handlers: dict[str, Callable[[ast.Call, CType | None, str], Value | LValue | None]] = {
            **{f"hw_model_input_{name}": self.input for name in SCALARS},
            **{f"hw_model_approximate_{name}": self.approximate for name in SCALARS},
            "hw_model_input_between": self.between,
            "hw_model_approximate_between": self.between,
            "hw_model_either": self.either,
            "hw_model_sign_is_tested": self.tested,
            "hw_model_truth_is_tested": self.tested,
            "hw_model_calls": self.calls,
            "hw_model_records": self.records,
            "hw_model_text": self.input_text,
            "hw_model_unmodelled": self.unmodelled,
            "hw_model_console": self.console,
            "hw_model_console_double": self.console,
            "hw_model_print": self.print,
            "hw_model_number_character": self.number_text,
            "hw_model_number_length": self.number_text,
            "hw_model_environment": self.environment,
            "hw_model_end": self.end,
            "hw_model_reserve": self.reserve,
            "hw_model_store": self.store,
            "hw_model_element": self.element,
            "hw_model_use_elements": self.use_elements,
            "hw_model_input_element": self.input_element,
            "hw_model_swap": self.swap,
        }

    @property
    def source(self) -> str:
        """The origin of an input, as reports show it."""
        return f"input of {self.modelled}"

    @property
    def modelled(self) -> str:
        """The library function of the model."""
        return self.state.frame.modelled or self.state.frame.function.name

    def input(self, expr: ast.Call, want: CType | None, into: str) -> Value | LValue | None:
        self.b.at(expr.span)
        return self.inputs.any_value(expr.type, self.source)

    def approximate(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        self.b.at(expr.span)
        return self.operands.approximate(self.layout.int_type(expr.type))

    def between(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        low, high = self.evaluator.integers(expr.arguments[0], expr.arguments[1])
        assert isinstance(low, Const)
        assert isinstance(high, Const)
        approximate = "approximate" in called_name(expr)
        name = self.b.data_temporary(INT)
        self.b.at(expr.span)
        source = "approximation" if approximate else self.source
        self.b.emit(Havoc(name, INT, source, approximate, low.value, high.value))
        return IntVar(name, INT)

    def tested(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        """1 if the caller only tests the result of the model: its truth, or also its sign."""
        allowed = ("truth", "sign") if called_name(expr) == "hw_model_sign_is_tested" else ("truth",)
        return Const(int(self.state.frame.tested in allowed), INT)

    def either(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        """A comparison of junk: that it is not null is a run, that it is null an approximation."""
        self.b.at(expr.span)
        junk = self.b.pointer_temporary()
        self.b.emit(Assign(junk, JUNK))
        result = self.b.data_temporary(INT)
        yes, no, after = self.b.location(), self.b.location(), self.b.location()
        self.b.split(PointerCompare("==", Var(junk), NULL), yes, no)
        for start, value in ((yes, 1), (no, 0)):
            self.b.current = start
            self.b.emit(Compute(result, Const(value, INT)))
            self.b.goto(after)
        self.b.current = after
        return IntVar(result, INT)

    def calls(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        """1 if the program refers to one of the functions."""
        names = _literal(expr.arguments[0]).decode().split()
        return Const(int(not self.context.linked.referred.isdisjoint(names)), INT)

    def records(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        return Const(int(self.context.recorded), INT)

    def input_text(self, expr: ast.Call, want: CType | None, into: str) -> None:
        """A piece of the text that is read."""
        if not self.context.recorded:
            return
        specification, *rest = expr.arguments
        operands = [self.operands.snapshot(self.evaluator.integer(argument)) for argument in rest]
        self.b.at(expr.span)
        self.b.emit(Skip(request=Request("text", _literal(specification), tuple(operands))))

    def unmodelled(self, expr: ast.Call, want: CType | None, into: str) -> None:
        self.b.at(expr.span)
        self.note(f"what '{self.modelled}' does here is not modelled")

    def console(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        """A request to the surroundings of a program that is executed, and their answer."""
        name, *rest = expr.arguments
        operands = [self.operands.snapshot(self.evaluator.integer(argument)) for argument in rest]
        self.b.at(expr.span)
        self.b.emit(Skip(request=Request(_literal(name).decode(), b"", tuple(operands))))
        return self.answer(self.layout.int_type(expr.type))

    def answer(self, type: IntType) -> Value:
        answer = IntVar(self.b.data_temporary(type), type)
        self.b.emit(Havoc(answer.name, type, CONSOLE))
        return answer

    def print(self, expr: ast.Call, want: CType | None, into: str) -> Value | None:
        """Print a text, or a number as a conversion specification says."""
        discarded = self.state.discarded
        descriptor, text, *rest = expr.arguments
        operands = [self.operands.snapshot(self.evaluator.integer(one)) for one in (descriptor, *rest)]
        self.b.at(expr.span)
        self.b.emit(Skip(request=Request("print", _literal(text), tuple(operands))))
        return None if discarded else self.answer(INT)

    def number_text(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        """A character of the text of a number, or its length; any if the number is not known."""
        text, *rest = expr.arguments
        length = called_name(expr) == "hw_model_number_length"
        operands = [self.evaluator.integer(argument) for argument in rest]
        low, high = (ord(" "), ord("x"))
        if length:
            most = operands.pop()
            assert isinstance(most, Const)
            low, high = 0, most.value
        self.b.at(expr.span)
        name = self.b.data_temporary(INT)
        operation = NUMBER_TEXT + _literal(text).decode()
        self.b.emit(FloatingPoint(name, INT, "approximation", True, low, high, operation, tuple(operands), 8))
        return IntVar(name, INT)

    def note(self, reason: str) -> None:
        self.b.emit(Skip("", "", reason))

    def environment(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        size = self.evaluator.integer(expr.arguments[0])
        measured = self.block_types.measured(expr.arguments[0])
        self.b.at(expr.span)
        return self.allocation.allocate(size, measured, want, into, storage=Storage.STATIC)

    def end(self, expr: ast.Call, want: CType | None, into: str) -> None:
        pointer = self.evaluator.pointer(expr.arguments[0])
        self.b.at(expr.span)
        if isinstance(pointer, Var):
            self.b.emit_checked(Free(pointer.name, closes=True))

    # --- buffers of characters ---------------------------------------------------------------------------------------

    def reserve(self, expr: ast.Call, want: CType | None, into: str) -> None:
        """Check that so many characters can be written: read and write the first and the last one."""
        target = self.operands.snapshot_pointer(self.evaluator.pointer(expr.arguments[0]))
        count = self.evaluator.integer(expr.arguments[1])
        self.b.at(expr.span)
        self.layout.learn_arrays(CHARACTER)
        some, after = self.b.location(), self.b.location()
        self.b.split(Compare(">", count, Const(0, count.type)), some, after)
        self.b.current = some
        last = self.operands.arithmetic("-", count, Const(1, count.type), count.type)
        for index in (Const(0, count.type), self.operands.snapshot(last)):
            cell = self.memory_cell(target, index)
            self.accesses.store(cell, self.accesses.load(cell))
        self.b.goto(after)
        self.b.current = after

    def memory_cell(self, target: Pointer, index: Expr) -> LValue:
        base = target.name if isinstance(target, Var) else self.operands.held_in_variable(target)
        return LValue(CHARACTER, CHARACTER, base=base, index=index, subject="buffer")

    def store(self, expr: ast.Call, want: CType | None, into: str) -> None:
        """Write a character where that has been checked."""
        target = self.evaluator.pointer(expr.arguments[0])
        index, value = self.evaluator.integers(expr.arguments[1], expr.arguments[2])
        self.b.at(expr.span)
        cell = self.memory_cell(target, index)
        kept = self.operands.convert(value, self.accesses.kept_type(cell))
        self.b.emit(StoreDataCell(cell.base, index, kept))

    # --- arrays of elements whose type only the caller knows ----------------------------------------------------------

    def element(self, expr: ast.Call, want: CType | None, into: str) -> Value:
        base = self.evaluator.pointer(expr.arguments[0])
        index, size = self.evaluator.integers(expr.arguments[1], expr.arguments[2])
        self.b.at(expr.span)
        element = self.block_types.memory_type(expr.arguments[0], expr.arguments[2])
        if element is None or not isinstance(size, Const) or self.layout.size(element) != size.value:
            self.note(f"'{self.modelled}' works on elements of unknown type")
            return base
        if not isinstance(base, Var):
            return base
        self.learn(element)
        target = self.b.pointer_temporary(self.layout.target(element))
        self.b.emit_checked(Shift(target, base.name, index, size.value))
        return Var(target)

    def learn(self, element: CType) -> None:
        if not is_aggregate(element):
            self.layout.learn_arrays(element)

    def unit(self, base: ast.Expr, size: Expr) -> CType | None:
        """The type of the elements of which so many bytes are a whole number, None if it is not known."""
        element = self.block_types.memory_type(base, base)
        if element is None or not isinstance(size, Const) or self.layout.size(element) == 0:
            return None
        return element if size.value % self.layout.size(element) == 0 else None

    def position(self, index: Expr, size: Const, element: CType) -> Expr:
        """The index of a unit of several elements, in elements."""
        factor = size.value // self.layout.size(element)
        return self.operands.snapshot(self.operands.arithmetic("*", index, Const(factor, index.type), index.type))

    def use_elements(self, expr: ast.Call, want: CType | None, into: str) -> None:
        """Check that so many elements can be read: read the first and the last one."""
        base = self.operands.snapshot_pointer(self.evaluator.pointer(expr.arguments[0]))
        count, size = self.evaluator.integers(expr.arguments[1], expr.arguments[2])
        element = self.unit(expr.arguments[0], size)
        self.b.at(expr.span)
        if element is None:
            self.note(f"'{self.modelled}' works on elements of unknown type")
            return
        assert isinstance(size, Const)
        some, after = self.b.location(), self.b.location()
        self.b.split(Compare(">", count, Const(0, count.type)), some, after)
        self.b.current = some
        end = self.position(count, size, element)
        last = self.operands.arithmetic("-", end, Const(1, end.type), end.type)
        for index in (Const(0, end.type), self.operands.snapshot(last)):
            self.aggregates.each_scalar(self.element_at(base, index, element), self.read)
        self.b.goto(after)
        self.b.current = after

    def read(self, scalar: LValue) -> None:
        self.accesses.load(scalar)

    def element_at(self, base: Pointer, index: Expr, element: CType) -> LValue:
        self.learn(element)
        pointer = self.operands.shift(base, index, False, PointerType(element))
        return self.lvalues.dereference(pointer, element, "buffer")

    def input_element(self, expr: ast.Call, want: CType | None, into: str) -> None:
        base = self.operands.snapshot_pointer(self.evaluator.pointer(expr.arguments[0]))
        index, size = self.evaluator.integers(expr.arguments[1], expr.arguments[2])
        element = self.unit(expr.arguments[0], size)
        self.b.at(expr.span)
        if element is None or self.layout.holds_pointers(element):
            self.note(f"'{self.modelled}' reads elements of unknown type, or pointers")
            return
        assert isinstance(size, Const)
        start = self.position(index, size, element)
        for number in range(size.value // self.layout.size(element)):
            cell = self.operands.arithmetic("+", start, Const(number, start.type), start.type)
            target = self.element_at(base, self.operands.snapshot(cell), element)
            self.aggregates.each_scalar(target, lambda scalar: self.inputs.any_scalar(scalar, self.source))

    def swap(self, expr: ast.Call, want: CType | None, into: str) -> None:
        left = self.operands.snapshot_pointer(self.evaluator.pointer(expr.arguments[0]))
        right = self.operands.snapshot_pointer(self.evaluator.pointer(expr.arguments[1]))
        frame = self.state.frame
        element = next((frame.pointees.get(id(one)) for one in frame.function.parameters if one.name == "base"), None)
        self.b.at(expr.span)
        if element is None:
            self.note(f"'{self.modelled}' works on elements of unknown type")
            return
        subject = "element"
        first = self.lvalues.dereference(left, element, subject)
        second = self.lvalues.dereference(right, element, subject)
        kept = self.lvalues.temporary(element)
        self.aggregates.copy(kept, first)
        self.aggregates.copy(first, second)
        self.aggregates.copy(second, kept)


def _literal(expr: ast.Expr) -> bytes:
    """The text of a string literal."""
    bare = strip_casts(expr)
    while isinstance(bare, ast.Cast):
        bare = bare.operand
    assert isinstance(bare, ast.StringLiteral)
    return bare.bytes.removesuffix(b"\0")
