"""Evaluation of expressions and literals, compiled to functions of a state.

Each is compiled once into a closure over variable slots. An expression gives an int, or a symbol if it only offsets a
symbolic input; a literal gives a truth value, splitting symbolic inputs where both outcomes are possible.

    value = Evaluation(program).expression(Binary("+", IntVar("i", i32), Const(1, i32), i32), span)
    value(state)
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from heapwright.base.source import Span
from heapwright.program.choices import ChoiceRequest
from heapwright.program.expressions import (
    Binary,
    Compare,
    Const,
    Convert,
    Expr,
    IntVar,
    Junk,
    Literal,
    Null,
    Pointer,
    PointerCompare,
    ShapeLiteral,
    Unary,
    Var,
    apply_binary,
    negate,
)
from heapwright.program.graph import Program
from heapwright.program.semantics import shape_predicates as shapes
from heapwright.program.semantics.byte_memory.memory_values import initialised
from heapwright.program.semantics.memory import before, same_address
from heapwright.program.semantics.objects import JUNK, NULL, UNKNOWN, UNSET, Bytes, IntValue, PointerValue
from heapwright.program.semantics.state import State
from heapwright.program.semantics.symbolic_inputs import decide, fitted, force, symbolic_binary, symbolic_unary
from heapwright.program.trace import ChoiceKind
from heapwright.program.types import IntType

Value = Callable[[State], IntValue]
Number = Callable[[State], int]
PointerOf = Callable[[State], PointerValue]
Test = Callable[[State], bool]

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}


class Evaluation:
    """Compiles for one program; `constants` are those of program/dataflow/relevant_inputs.py."""

    def __init__(self, program: Program, constants: dict[tuple[str, str], tuple[int, ...]]) -> None:
        self.program = program
        self.constants = constants
        self.slots = {name: slot for slot, name in enumerate(program.variables)}

    # --- expressions -------------------------------------------------------------------------------------------------

    def expression(self, expr: Expr, span: Span) -> Value:
        match expr:
            case Const(value, _):
                return lambda state: value
            case IntVar(name, type):
                return self._variable(name, type, span)
            case Unary(op, operand, type):
                return _unary(op, self.expression(operand, span), type)
            case Binary(op, left, right, type):
                return self._binary(op, left, right, type, span)
            case Convert(operand, type):
                return _convert(self.expression(operand, span), type)

    def number(self, expr: Expr, span: Span) -> Number:
        """An expression whose value is needed."""
        value = self.expression(expr, span)

        def decided(state: State) -> int:
            found = value(state)
            return found if type(found) is int else force(state, found)

        return decided

    def _variable(self, name: str, type: IntType, span: Span) -> Value:
        slot = self.slots[name]
        declared = self.program.variables[name].type or type
        constants = self.constants.get(("", name), ())
        request = ChoiceRequest(
            ChoiceKind.INPUT, "uninitialised", span, declared.minimum, declared.maximum, constants=constants
        )

        def read(state: State) -> IntValue:
            value = state.vars[slot]
            if value is UNSET:
                value = state.vars[slot] = state.fresh(request)
            elif isinstance(value, Bytes):
                value = state.vars[slot] = initialised(state, value, request)
            result: IntValue = value
            return result

        return read

    def _binary(self, op: str, left: Expr, right: Expr, type_: IntType, span: Span) -> Value:
        first, second = self.expression(left, span), self.expression(right, span)
        if op in _COMPARISONS:
            test = _COMPARISONS[op]

            def compared(state: State) -> IntValue:
                a, b = first(state), second(state)
                if type(a) is int and type(b) is int:
                    return 1 if test(a, b) else 0
                return int(decide(state, op, a, b))

            return compared
        low, high, wrap = type_.minimum, type_.maximum, type_.wrap
        if op not in _ARITHMETIC:

            def applied(state: State) -> IntValue:
                a, b = first(state), second(state)
                if type(a) is int and type(b) is int:
                    return apply_binary(op, a, b, type_)
                return symbolic_binary(state, op, a, b, type_)

            return applied
        function = _ARITHMETIC[op]
        if isinstance(left, IntVar) and isinstance(right, Const):
            slot, constant = self.slots[left.name], right.value

            def moved(state: State) -> IntValue:
                a = state.vars[slot]
                if type(a) is int:
                    result = function(a, constant)
                    return result if low <= result <= high else wrap(result)
                return symbolic_binary(state, op, first(state), constant, type_)

            return moved

        def computed(state: State) -> IntValue:
            a, b = first(state), second(state)
            if type(a) is int and type(b) is int:
                result = function(a, b)
                return result if low <= result <= high else wrap(result)
            return symbolic_binary(state, op, a, b, type_)

        return computed

    # --- pointers and literals ---------------------------------------------------------------------------------------

    def pointer(self, pointer: Pointer) -> PointerOf:
        match pointer:
            case Null():
                return lambda state: NULL
            case Junk():
                return lambda state: JUNK
            case Var(name):
                slot = self.slots[name]

                def read(state: State) -> PointerValue:
                    value: PointerValue = state.vars[slot]
                    return value

                return read

    def literal(self, literal: Literal, span: Span) -> Test:
        match literal:
            case Compare(op, left, right):
                return self._compare(op, left, right, span)
            case PointerCompare(op, one, two):
                if op in (">", ">=", "!="):
                    return _not(self.literal(negate(literal), span))
                if op == "==":
                    return self._same(one, two, span)
                first, second, strict = self.pointer(one), self.pointer(two), op == "<"
                return lambda state: before(state, first(state), second(state), strict, span)
            case ShapeLiteral():
                return self._shape(literal, span)

    def _compare(self, op: str, left: Expr, right: Expr, span: Span) -> Test:
        test, first, second = _COMPARISONS[op], self.expression(left, span), self.expression(right, span)
        if isinstance(left, IntVar) and isinstance(right, Const):
            slot, constant = self.slots[left.name], right.value

            def compared_with(state: State) -> bool:
                a = state.vars[slot]
                if type(a) is int:
                    return test(a, constant)
                return decide(state, op, first(state), constant)

            return compared_with

        def compared(state: State) -> bool:
            a, b = first(state), second(state)
            if type(a) is int and type(b) is int:
                return test(a, b)
            return decide(state, op, a, b)

        return compared

    def _same(self, one: Pointer, two: Pointer, span: Span) -> Test:
        if isinstance(one, Null):
            one, two = two, one
        if isinstance(one, Var) and isinstance(two, Null):
            slot = self.slots[one.name]

            def is_null(state: State) -> bool:
                value = state.vars[slot]
                if value in (JUNK, UNKNOWN):
                    return same_address(state, value, NULL, span)
                return value == NULL  # type: ignore[no-any-return]  # variables are not typed one by one

            return is_null
        first, second = self.pointer(one), self.pointer(two)
        return lambda state: same_address(state, first(state), second(state), span)

    def _shape(self, literal: ShapeLiteral, span: Span) -> Test:
        pointers = tuple(self.pointer(pointer) for pointer in literal.pointers)
        targets = [self.program.variables[p.name].target for p in literal.pointers if isinstance(p, Var)]
        type_name = targets[0] if targets else ""
        predicate, fields, negated = literal.predicate, literal.fields, literal.negated

        def test(state: State) -> bool:
            values = tuple(pointer(state) for pointer in pointers)
            return shapes.holds(state, predicate, values, fields, type_name, span) != negated

        return test


def _not(test: Test) -> Test:
    return lambda state: not test(state)


def _unary(op: str, operand: Value, type_: IntType) -> Value:
    wrap = type_.wrap

    def applied(state: State) -> IntValue:
        value = operand(state)
        if type(value) is not int:
            return symbolic_unary(state, op, value, type_)
        return wrap(-value) if op == "-" else wrap(~value) if op == "~" else int(value == 0)

    return applied


def _convert(operand: Value, type_: IntType) -> Value:
    low, high, wrap = type_.minimum, type_.maximum, type_.wrap

    def converted(state: State) -> IntValue:
        value = operand(state)
        if not isinstance(value, int):
            return fitted(state, value, type_)
        return value if low <= value <= high else wrap(value)

    return converted
