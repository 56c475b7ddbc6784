"""Commands that compute a number from bits: conversions between pointers and integers, floating point, and variables
that are members of one union.

Where the operands are not known, the target is any number: `unknown` is the havoc that the command is, too.

    execute = number_step(ToInteger(target, type, pointer="p"), evaluation, unknown, location, span)
"""

from __future__ import annotations

from heapwright.base.source import Span
from heapwright.program import floating_point
from heapwright.program.commands import FloatingPoint, FromInteger, Overlay, ToInteger
from heapwright.program.number_text import NUMBER_TEXT
from heapwright.program.semantics.byte_memory.memory_values import (
    as_integer,
    as_scalar,
    digits_of,
    pointer_digits,
    pointer_of,
)
from heapwright.program.semantics.environment import number_character
from heapwright.program.semantics.evaluation import Evaluation
from heapwright.program.semantics.objects import JUNK, SCRAMBLED, UNSET, IntValue
from heapwright.program.semantics.state import Execute, State
from heapwright.program.types import IntType


def number_step(
    command: FloatingPoint | Overlay | ToInteger, evaluation: Evaluation, unknown: Execute, target: int, span: Span
) -> Execute:
    match command:
        case FloatingPoint():
            return _floating_point(command, evaluation, unknown, target, span)
        case Overlay():
            return _overlay(command, evaluation, unknown, target, span)
        case ToInteger():
            return _to_integer(command, evaluation, unknown, target)


def _floating_point(
    command: FloatingPoint, evaluation: Evaluation, unknown: Execute, target: int, span: Span
) -> Execute:
    slot, operation, size, type_ = evaluation.slots[command.target], command.operation, command.size, command.type
    operands = tuple(evaluation.expression(operand, span) for operand in command.operands)
    computed = number_character if operation.startswith(NUMBER_TEXT) else floating_point.apply

    def compute(state: State) -> int:
        values = tuple(operand(state) for operand in operands)
        result = None
        if all(type(value) is int for value in values):
            result = computed(operation, values, size, type_)  # type: ignore[arg-type]  # all integers
        if result is None:
            return unknown(state)
        state.vars[slot] = result
        return target

    return compute


def _overlay(command: Overlay, evaluation: Evaluation, unknown: Execute, target: int, span: Span) -> Execute:
    assert command.value is not None
    slot, type, bit, width = evaluation.slots[command.target], command.type, command.bit, command.value.type.bits
    written = evaluation.expression(command.value, span)

    def overlay(state: State) -> int:
        result = _overlaid(state, state.vars[slot], type, written(state), width, bit)
        if result is None:
            return unknown(state)
        state.vars[slot] = result
        return target

    return overlay


def _overlaid(state: State, old: object, type: IntType, value: IntValue, width: int, bit: int) -> object:
    """What a variable holds after `width` bits from `bit` on were written; None if that is not known."""
    if not (type.bits % 8 or width % 8 or bit % 8):
        digits, start = list(digits_of(old, type.bits // 8)), bit // 8
        for index, digit in enumerate(digits_of(value, width // 8)):
            if 0 <= start + index < len(digits):
                digits[start + index] = digit
        return as_integer(state, tuple(digits), type.signed)
    whole = bit <= 0 and bit + width >= type.bits
    if not isinstance(value, int) or not (whole or isinstance(old, int)):
        return None
    mask = (1 << width) - 1
    moved, covered = (value & mask, mask)
    moved, covered = (moved << bit, covered << bit) if bit >= 0 else (moved >> -bit, covered >> -bit)
    return type.wrap((old & ~covered if isinstance(old, int) else 0) | moved)


def _to_integer(command: ToInteger, evaluation: Evaluation, unknown: Execute, target: int) -> Execute:
    slot, base, size = evaluation.slots[command.target], evaluation.slots[command.pointer], command.type.bits // 8

    def convert(state: State) -> int:
        digits = pointer_digits(state.vars[base], size)
        if digits[0] is UNSET or digits[0] is SCRAMBLED:
            return unknown(state)
        state.vars[slot] = as_scalar(digits, signed=False)
        return target

    return convert


def from_integer(command: FromInteger, evaluation: Evaluation, unknown: Execute, target: int, span: Span) -> Execute:
    """`unknown` is a step after which the run is approximate."""
    assert command.integer is not None
    slot, integer = evaluation.slots[command.target], evaluation.expression(command.integer, span)

    def convert(state: State) -> int:
        found = pointer_of(state, integer(state))
        state.vars[slot] = JUNK if found is None else found
        return target if found is not None else unknown(state)

    return convert
