"""Integers in an abstract state: expressions are evaluated and variables assigned.

evaluate(state, expr)             # an interval
assign(state, "i", expr)          # i = expr
"""

from __future__ import annotations

from heapwright.engines.floor.domain import intervals
from heapwright.engines.floor.domain.differences import Term
from heapwright.engines.floor.domain.intervals import FAR, Interval
from heapwright.engines.floor.domain.state import State
from heapwright.program.expressions import (
    Binary,
    Const,
    Convert,
    Expr,
    IntVar,
    Unary,
    variables_of,
)

Linear = tuple[Term | None, int]  # a term plus a number; without a term a number

DEEPEST = 4  # definitions that are followed
MOST_TURNS = 9  # that a number wraps, so that each is looked at


def evaluate(state: State, expr: Expr) -> Interval:
    match expr:
        case IntVar(name, type):
            whole = intervals.range_of(type)
            known = state.numbers.get(name)
            found = whole if known is None else intervals.meet(known, whole) or whole
            return without_zero(found) if name in state.nonzero else found
        case Const(value, _):
            return value, value
        case Convert(operand, type):
            return intervals.wrapped(evaluate(state, operand), type)
        case Unary(op, operand, type):
            return intervals.unary(op, evaluate(state, operand), type)
        case Binary("-", left, right, type):
            exact = intervals.minus(evaluate(state, left), evaluate(state, right))
            return intervals.wrapped(_difference(state, left, right, exact), type)
        case Binary(op, left, right, type):
            return intervals.binary(op, evaluate(state, left), evaluate(state, right), type)


def _difference(state: State, left: Expr, right: Expr, exact: Interval) -> Interval:
    one, other = linear(state, left), linear(state, right)
    if one is None or other is None or one[0] is None or other[0] is None:
        return exact
    distance = one[1] - other[1]
    found = intervals.meet(exact, (distance - state.bound(other[0], one[0]), distance + state.bound(one[0], other[0])))
    return found or exact


def linear(state: State, expr: Expr, depth: int = 0) -> Linear | None:
    """An expression as a term plus a number, if nothing wraps."""
    match expr:
        case Const(value, _):
            return None, value
        case IntVar(name, _):
            return name, 0
        case Convert(operand, type):
            low, high = evaluate(state, operand)
            return linear(state, operand, depth) if type.minimum <= low and high <= type.maximum else None
        case Binary("+" | "-" as op, left, right, type):
            one, other = linear(state, left, depth), linear(state, right, depth)
            if one is None or other is None:
                return None
            low, high = intervals.exact(op, evaluate(state, left), evaluate(state, right), type)
            if low < type.minimum or high > type.maximum:
                return None
            if op == "-":
                return None if other[0] is not None else (one[0], one[1] - other[1])
            if one[0] is not None and other[0] is not None:
                return None
            return one[0] if other[0] is None else other[0], one[1] + other[1]
        case Binary("/", left, Const(divisor, _), _) if divisor > 0:
            factor = multiplied(state, left, divisor, depth)
            return None if factor is None else linear(state, factor, depth + 1)
    return None


def upper(state: State, expr: Expr) -> Linear | None:
    """A term plus a number that an expression is not greater than."""
    found = linear(state, expr)
    if found is not None:
        return found
    match expr:
        case Convert(operand, type):
            low, high = evaluate(state, operand)
            return upper(state, operand) if type.minimum <= low and high <= type.maximum else None
        case Binary("/" | ">>" | "&" as op, left, right, _):
            low, least = evaluate(state, left)[0], evaluate(state, right)[0]
            most = upper(state, right) if op == "&" and least >= 0 else None
            return most or (upper(state, left) if low >= 0 and least >= 0 else None)
        case Binary("%", left, right, _) if evaluate(state, left)[0] >= 0 and evaluate(state, right)[0] > 0:
            most = upper(state, right)
            return None if most is None else (most[0], most[1] - 1)
    return None


def multiplied(state: State, expr: Expr, by: int, depth: int = 0) -> Expr | None:
    """The expression that another is a multiple of, if nothing wraps."""
    match expr:
        case IntVar(name, _) if depth < DEEPEST and name in state.definitions:
            return multiplied(state, state.definitions[name], by, depth + 1)
        case Convert(operand, type):
            low, high = evaluate(state, operand)
            fits = type.minimum <= low and high <= type.maximum
            return multiplied(state, operand, by, depth) if fits else None
        case Binary("*", left, Const(factor, _), type) if factor == by:
            low, high = intervals.exact("*", evaluate(state, left), (by, by), type)
            return left if type.minimum <= low and high <= type.maximum else None
        case Binary("*", Const(factor, _), right, type) if factor == by:
            return multiplied(state, Binary("*", right, Const(factor, type), type), by, depth)
    return expr if by == 1 else None


# --- assignments -----------------------------------------------------------------------------------------------------


def assign(state: State, target: str, expr: Expr) -> None:
    """target = expr"""
    value, form = evaluate(state, expr), linear(state, expr)
    if form is not None and form[0] == target:
        undefine(state, target)
        state.differences.move(target, form[1])
        state.numbers[target] = value
        return
    nonzero = value[0] <= 0 <= value[1] and not feasible(state, expr, intervals.FALSE)
    set_number(state, target, value)
    if nonzero:
        state.nonzero |= {target}
    if form is not None and form[0] is not None:
        state.differences.add(target, form[0], form[1])
        state.differences.add(form[0], target, -form[1])
    elif form is None and (most := upper(state, expr)) is not None and most[0] is not None and most[0] != target:
        state.differences.add(target, most[0], most[1])
    product = _product(state, expr)
    if product is not None and product[0] != target:
        _relate_product(state, target, product[0], product[1])
    if not isinstance(expr, Const | IntVar) and target not in variables_of(expr) and _is_small(expr):
        state.definitions[target] = expr


def _product(state: State, expr: Expr, by: int = 1) -> tuple[str, int] | None:
    """A variable that is not negative, and what it is multiplied by, if nothing wraps."""
    match expr:
        case IntVar(name, _):
            return (name, by) if by > 1 and evaluate(state, expr)[0] >= 0 else None
        case Convert(operand, type):
            low, high = evaluate(state, operand)
            return _product(state, operand, by) if type.minimum <= low and high <= type.maximum else None
        case Binary("*", Const(factor, _), operand, type) | Binary("*", operand, Const(factor, _), type) if factor > 0:
            low, high = intervals.exact("*", evaluate(state, operand), (factor, factor), type)
            return _product(state, operand, by * factor) if type.minimum <= low and high <= type.maximum else None
    return None


def _relate_product(state: State, target: str, name: str, factor: int) -> None:
    """target = name * factor: it is greater by at least so many, and equal to what is computed in the same way."""
    low = state.numbers.get(name, (0, 0))[0]
    state.differences.add(name, target, -(factor - 1) * max(low, 0))
    for other, expr in state.definitions.items():
        known = _product(state, expr) if other != target else None
        if known is not None and known[1] == factor and _equal(state, name, known[0]):
            state.differences.add(target, other, 0)
            state.differences.add(other, target, 0)


def _equal(state: State, one: str, other: str) -> bool:
    return one == other or (state.bound(one, other) <= 0 and state.bound(other, one) <= 0)


def _is_small(expr: Expr, left: int = 3) -> bool:
    match expr:
        case Convert(operand, _) | Unary(_, operand, _):
            return left > 0 and _is_small(operand, left - 1)
        case Binary(_, one, other, _):
            return left > 0 and _is_small(one, left - 1) and _is_small(other, left - 1)
    return True


def set_number(state: State, target: str, value: Interval) -> None:
    """The variable has some value of an interval."""
    undefine(state, target)
    state.differences.forget(target)
    state.numbers[target] = value


def undefine(state: State, target: str) -> None:
    """The variable changes: nothing is defined by it."""
    if target in state.nonzero:
        state.nonzero -= {target}
    if target in state.tested:
        state.untest(target)
    definitions = state.definitions
    if definitions:
        definitions.pop(target, None)
        for name in [name for name, expr in definitions.items() if target in variables_of(expr)]:
            del definitions[name]


# --- possible values -------------------------------------------------------------------------------------------------


def without_zero(value: Interval) -> Interval:
    return value[0] + (value[0] == 0), value[1] - (value[1] == 0)


def feasible(state: State, expr: Expr, value: Interval, depth: int = 0) -> bool:
    """Whether an expression may have a value of the interval: one with few values, of which those that wrapping brings
    there are looked at one by one."""
    both = intervals.meet(evaluate(state, expr), value)
    if both is None:
        return False
    match expr:
        case IntVar(name, _):
            if both == (0, 0) and name in state.nonzero:
                return False
            if depth < DEEPEST and name in state.definitions:
                return feasible(state, state.definitions[name], both, depth + 1)
        case Convert() | Binary():
            found = operand_for(state, expr, both)
            if found is not None:
                return any(feasible(state, found[0], piece, depth) for piece in found[1])
    return True


def operand_for(state: State, expr: Convert | Binary, value: Interval) -> tuple[Expr, list[Interval]] | None:
    """The only operand that is not constant, and where it must be for a result in the interval; None if that is not
    known."""
    match expr:
        case Convert(operand, type):
            pieces = _pieces(evaluate(state, operand), type.bits, value)
            return None if pieces is None else (operand, pieces)
        case Binary("*", Const(number, _), left, type) | Binary(_, left, Const(number, _), type):
            exact = intervals.exact(expr.op, evaluate(state, left), (number, number), type)
            whole = type.minimum <= exact[0] and exact[1] <= type.maximum
            pieces = [value] if whole else None
            if not whole and expr.op in ("+", "-", "*"):
                pieces = _pieces(exact, type.bits, value)
            inverse = [_inverse(expr.op, piece, number) for piece in pieces or ()]
            if pieces is None or None in inverse:
                return None
            return left, [piece for piece in inverse if piece is not None and piece[0] <= piece[1]]
    return None


def _pieces(exact: Interval, bits: int, value: Interval) -> list[Interval] | None:
    """The numbers of an interval that wrapping to so many bits brings to a value of another; None if it wraps often."""
    turn = 1 << bits
    first, last = (value[0] - exact[1]) // turn, -((exact[0] - value[1]) // turn)
    if exact[1] - exact[0] >= MOST_TURNS * turn:
        return None
    pieces = (
        intervals.meet(exact, (value[0] - turns * turn, value[1] - turns * turn)) for turns in range(first, last + 1)
    )
    return [piece for piece in pieces if piece is not None]


def _inverse(op: str, value: Interval, number: int) -> Interval | None:
    """The left operands for which an operation without wrapping has a value of the interval."""
    if op == "+":
        return value[0] - number, value[1] - number
    if op == "-":
        return value[0] + number, value[1] + number
    if op == "*" and number > 0:
        return -(-value[0] // number), value[1] // number
    if op == "/" and number > 0 and value[0] > 0:
        return value[0] * number, value[1] * number + number - 1
    if op == "/" and number > 0:
        return -FAR, max(value[1], 0) * number + number - 1
    return None
