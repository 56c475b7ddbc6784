"""Symbolic inputs: numbers that get a value only when it matters.

A symbol has a range, which comparisons with known numbers split in two; adding a constant moves it, and only real
arithmetic forces a value. A restriction holds for the rest of the run, for all copies of the symbol.

>>> narrowed(Range(0, 10), "<", 3)[:2], narrowed(Range(0, 10), "!=", 0)[:2], narrowed(Range(0, 10), ">", 10)
((0, 2), (1, 10), None)
"""

from __future__ import annotations

from dataclasses import replace

from heapwright.base.source import NOWHERE
from heapwright.program.expressions import NEGATED, apply_binary, compare
from heapwright.program.semantics.byte_memory.memory_values import (
    LOWEST,
    address_arithmetic,
    bytewise,
    digits_of,
    number_of,
    place,
    resized,
)
from heapwright.program.semantics.memory import same_address
from heapwright.program.semantics.objects import AddressNumber, Bytes, Digit, Fragment, IntValue, Symbol
from heapwright.program.semantics.state import ChoicePoint, Range, State
from heapwright.program.types import IntType

SWAPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
WHOLE = 16  # a range of so few numbers is tried in full


def narrowed(known: Range, op: str, bound: int) -> Range | None:
    """The part of the range for which `number op bound` holds, None if there is none."""
    low, high, excluded = known.low, known.high, known.excluded
    match op:
        case "==":
            if not low <= bound <= high or bound in excluded:
                return None
            low = high = bound
        case "!=":
            if low <= bound <= high:
                excluded = excluded | {bound}
        case "<":
            high = min(high, bound - 1)
        case "<=":
            high = min(high, bound)
        case ">":
            low = max(low, bound + 1)
        case ">=":
            low = max(low, bound)
    if excluded:
        while low in excluded:
            low += 1
        while high in excluded:
            high -= 1
        excluded = frozenset(value for value in excluded if low < value < high)
    if low > high:
        return None
    return Range(low, high, excluded, True, known.splits + 1, known.request)


def candidates(known: Range, values: int) -> tuple[list[int], bool]:
    """The numbers to try for an input whose value is needed, nearest to 0 first, and whether these are all."""
    low, high = known.low, known.high
    if high - low < max(WHOLE, 2 * values + 1):
        whole = [value for value in range(low, high + 1) if value not in known.excluded]
        return sorted(whole, key=_nearness), True
    request = known.request
    wanted = set(range(-values, values + 1))
    if request is not None:
        for constant in request.constants:
            wanted.update((constant - 1, constant, constant + 1))
        wanted.update(bound for bound in (low, high) if bound not in (request.low, request.high))
    found = sorted((v for v in wanted if low <= v <= high and v not in known.excluded), key=_nearness)
    if not found:
        found = [low if abs(low) <= abs(high) else high]
    return found, False


def _nearness(value: int) -> tuple[int, bool]:
    return abs(value), value < 0


def touch(state: State, symbol: int) -> Range:
    """The range of a symbol whose value is about to matter."""
    known = state.symbols[symbol]
    if not known.used:
        known = state.symbols[symbol] = known._replace(used=True)
    if known.request is not None and known.request.approximate:
        state.approximate = True
    return known


def force(state: State, value: IntValue) -> int:
    """The number; a symbolic input gets its value now."""
    if isinstance(value, int):
        return value
    if not isinstance(value, Symbol):
        return force(state, settled(state, value))
    known = touch(state, value.id)
    if known.low == known.high:
        return known.low + value.offset
    if known.parts:
        digits = bytes(force(state, Symbol(part, 0)) for part in known.parts)
        return int.from_bytes(digits, "little", signed=known.low < 0) + value.offset
    found, all_of_them = candidates(known, state.context.bounds.values)
    if not all_of_them:
        state.context.hit("values", known.request.span if known.request else NOWHERE)
    raise ChoicePoint(refinements=tuple((value.id, known._replace(low=v, high=v, excluded=frozenset())) for v in found))


def force_bound(state: State, symbol: Symbol, *, highest: bool) -> int:
    """The lowest or highest number that a symbolic input may be, where any of them has the same effect."""
    known = touch(state, symbol.id)
    if known.parts:
        return force(state, symbol)
    bound = known.high if highest else known.low
    if known.low != known.high:
        raise ChoicePoint(refinements=((symbol.id, known._replace(low=bound, high=bound, excluded=frozenset())),))
    return bound + symbol.offset


# --- bytes and addresses ---------------------------------------------------------------------------------------------


def settled(state: State, value: IntValue) -> int | Symbol:
    """The value as a number or a single input. That an address has a number is an approximation."""
    if isinstance(value, AddressNumber):
        return number_of(state, value)
    if not isinstance(value, Bytes):
        return value
    digits = [_settled_digit(state, digit) for digit in value.digits]
    type = IntType(8 * len(digits), value.signed)
    if isinstance(digits[0], Symbol) and all(isinstance(digit, int) for digit in digits[1:]):
        rest = type.wrap(sum(force(state, digit) << 8 * index for index, digit in enumerate(digits[1:], 1)))
        found = fitted(state, Symbol(digits[0].id, digits[0].offset + rest), type)
        assert isinstance(found, int | Symbol)
        return found
    return type.wrap(sum(force(state, digit) << 8 * index for index, digit in enumerate(digits)))


def _settled_digit(state: State, digit: Digit) -> int | Symbol:
    if isinstance(digit, int):
        return digit
    assert isinstance(digit, Fragment), "an uninitialised byte is an input once it is read"
    value = digit.value
    if isinstance(value, AddressNumber):
        value = number_of(state, value)
    known = touch(state, value.id)
    if value.offset == 0 and digit.position == 0 and known.low >= 0 and known.high < 256:
        return value
    if known.low + value.offset >= 0 and known.high + value.offset < 1 << 8 * digit.position:
        return 0
    parts = (known.parts or _split(state, value.id, known)) if value.offset == 0 else ()
    if digit.position < len(parts):
        return Symbol(parts[digit.position], 0)
    return force(state, value) >> 8 * digit.position & 0xFF


def _split(state: State, symbol: int, known: Range) -> tuple[int, ...]:
    """The inputs that are the bytes of one, if it may still be any number of its size; each is new."""
    width = (known.high - known.low + 1).bit_length() - 1
    if width == 0:
        return ()
    whole = known.high - known.low + 1 == 1 << width and known.low in (0, -(1 << (width - 1)))
    if not whole or width % 8 or width == 8 or known.excluded or known.request is None:
        return ()
    request, parts = replace(known.request, low=0, high=255, constants=()), list[int]()
    for _ in range(width // 8):
        parts.append(state.next_id)
        state.symbols[state.next_id] = Range(0, 255, used=True, request=request)
        state.next_id += 1
    state.symbols[symbol] = known._replace(parts=tuple(parts))
    return tuple(parts)


def _by_parts(state: State, symbol: Symbol) -> Bytes:
    """An input that was split into bytes."""
    known = state.symbols[symbol.id]
    return Bytes(tuple(Fragment(Symbol(part, 0), 0) for part in known.parts), signed=known.low < 0)


def _decide_addresses(state: State, op: str, left: IntValue, right: IntValue) -> bool | None:
    """A comparison of addresses that does not depend on where blocks lie."""
    if isinstance(right, AddressNumber) and not isinstance(left, AddressNumber):
        left, right, op = right, left, SWAPPED[op]
    if not isinstance(left, AddressNumber):
        return None
    if isinstance(right, int) and 0 <= right < LOWEST // 2:
        return compare(op, LOWEST, right)
    if not isinstance(right, AddressNumber):
        return None
    (one, start), (other, end) = place(state, left.pointer), place(state, right.pointer)
    if one == other:
        return compare(op, start + left.offset, end + right.offset)
    if op in ("==", "!=") and left.offset == right.offset:
        return same_address(state, left.pointer, right.pointer, NOWHERE) == (op == "==")
    return None


def _decide_digits(state: State, op: str, left: Bytes, right: int) -> bool:
    """A comparison byte by byte, the most significant one first."""
    size = len(left.digits)
    for digit, byte in zip(reversed(left.digits), reversed(digits_of(right, size)), strict=True):
        assert isinstance(byte, int)
        found = _settled_digit(state, digit)
        if not decide(state, "==", found, byte):
            return op == "!=" or (op != "==" and decide(state, op, found, byte))
    return op in ("==", "<=", ">=")


def decide(state: State, op: str, left: IntValue, right: IntValue) -> bool:
    """Whether `left op right`; splits the range of a symbolic input where both outcomes are possible."""
    if not (isinstance(left, int | Symbol) and isinstance(right, int | Symbol)):
        known_addresses = _decide_addresses(state, op, left, right)
        if known_addresses is not None:
            return known_addresses
        if isinstance(right, Bytes) and isinstance(left, int):
            left, right, op = right, left, SWAPPED[op]
        if isinstance(left, Bytes) and isinstance(right, int) and (op in ("==", "!=") or not left.signed):
            return _decide_digits(state, op, left, right)
        left, right = settled(state, left), settled(state, right)
    if not isinstance(left, Symbol):
        if not isinstance(right, Symbol):
            return compare(op, left, right)
        left, right, op = right, left, SWAPPED[op]
    if isinstance(right, Symbol):
        if left.id == right.id:
            return compare(op, left.offset, right.offset)
        return _decide_two(state, op, left, right)
    known = touch(state, left.id)
    if known.parts:
        return compare(op, force(state, left), right)
    bound = right - left.offset
    holds = narrowed(known, op, bound)
    if holds is None:
        return False
    fails = narrowed(known, NEGATED[op], bound)
    if fails is None:
        return True
    if known.splits >= state.context.bounds.splits:
        force(state, left)
    raise ChoicePoint(refinements=((left.id, holds), (left.id, fails)))


def _decide_two(state: State, op: str, left: Symbol, right: Symbol) -> bool:
    """Two symbolic inputs: decided by their ranges if those lie apart, else the narrower one gets a value."""
    first, second = touch(state, left.id), touch(state, right.id)
    low = first.low + left.offset - second.high - right.offset
    high = first.high + left.offset - second.low - right.offset
    if low > 0 or high < 0:
        return compare(op, low, 0)
    if first.high - first.low <= second.high - second.low or first.parts:
        return decide(state, op, force(state, left), right)
    return decide(state, op, left, force(state, right))


def fitted(state: State, symbol: IntValue, type: IntType) -> IntValue:
    """The value converted to a type: moved by a multiple of the type's period, after splitting where that differs."""
    if isinstance(symbol, Bytes | AddressNumber):
        found = resized(state, symbol, type)
        if found is not None:
            return found
        symbol = settled(state, symbol)
    if isinstance(symbol, int):
        return type.wrap(symbol)
    if state.symbols[symbol.id].parts and symbol.offset == 0:
        found = resized(state, _by_parts(state, symbol), type)
        if found is not None:
            return found
    known = state.symbols[symbol.id]
    first = (known.low + symbol.offset - type.minimum) >> type.bits
    last = (known.high + symbol.offset - type.minimum) >> type.bits
    if first == last:
        return symbol if first == 0 else Symbol(symbol.id, symbol.offset - (first << type.bits))
    if last - first > 1:
        return type.wrap(force(state, symbol))
    decide(state, "<", symbol, type.minimum + (last << type.bits))
    return fitted(state, symbol, type)


def symbolic_binary(state: State, op: str, left: IntValue, right: IntValue, type: IntType) -> IntValue:
    """`left op right`, where at least one side is symbolic."""
    if op in SWAPPED:
        return int(decide(state, op, left, right))
    found = address_arithmetic(state, op, left, right, type)
    if found is None and not (isinstance(left, Symbol) and op == "+"):
        found = bytewise(state, op, left, right, type)
    if found is not None:
        return found
    left, right = settled(state, left), settled(state, right)
    if isinstance(left, int) and isinstance(right, int):
        return apply_binary(op, left, right, type)
    if op in "+-" and isinstance(left, Symbol) and not isinstance(right, Symbol):
        moved = Symbol(left.id, left.offset + (right if op == "+" else -right))
        return fitted(state, moved, type)
    if op == "+" and isinstance(right, Symbol) and not isinstance(left, Symbol):
        return fitted(state, Symbol(right.id, right.offset + left), type)
    if isinstance(left, Symbol) and isinstance(right, Symbol) and op == "-" and left.id == right.id:
        return type.wrap(left.offset - right.offset)
    return apply_binary(op, force(state, left), force(state, right), type)


def symbolic_unary(state: State, op: str, operand: IntValue, type: IntType) -> IntValue:
    if op == "!":
        return int(decide(state, "==", operand, 0))
    value = force(state, operand)
    return type.wrap(-value if op == "-" else ~value)
