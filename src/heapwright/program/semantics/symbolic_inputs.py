"""Symbolic inputs: numbers that get a value only when it matters.

A symbol has a range, which comparisons with known numbers split in two; adding a constant moves it, and only real
arithmetic forces a value. A restriction holds for the rest of the run, for all copies of the symbol.

>>> narrowed(Range(0, 10), "<", 3)[:2], narrowed(Range(0, 10), "!=", 0)[:2], narrowed(Range(0, 10), ">", 10)
((0, 2), (1, 10), None)
"""

from __future__ import annotations

from heapwright.base.source import NOWHERE
from heapwright.program.expressions import NEGATED, apply_binary, compare
from heapwright.program.semantics.objects import IntValue, Symbol
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
    if not isinstance(value, Symbol):
        return value
    known = touch(state, value.id)
    if known.low == known.high:
        return known.low + value.offset
    found, all_of_them = candidates(known, state.context.bounds.values)
    if not all_of_them:
        state.context.hit("values", known.request.span if known.request else NOWHERE)
    raise ChoicePoint(refinements=tuple((value.id, known._replace(low=v, high=v, excluded=frozenset())) for v in found))


def decide(state: State, op: str, left: IntValue, right: IntValue) -> bool:
    """Whether `left op right`; splits the range of a symbolic input where both outcomes are possible."""
    if not isinstance(left, Symbol):
        if not isinstance(right, Symbol):
            return compare(op, left, right)
        left, right, op = right, left, SWAPPED[op]
    if isinstance(right, Symbol):
        if left.id == right.id:
            return compare(op, left.offset, right.offset)
        return _decide_two(state, op, left, right)
    known = touch(state, left.id)
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
    if first.high - first.low <= second.high - second.low:
        return decide(state, op, force(state, left), right)
    return decide(state, op, left, force(state, right))


def fitted(state: State, symbol: Symbol, type: IntType) -> IntValue:
    """The value converted to a type: moved by a multiple of the type's period, after splitting where that differs."""
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
