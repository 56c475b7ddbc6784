"""Conditions on integers in an abstract state: it is narrowed to where they hold.

assume_compare(state, "<", left, right)    # whether the comparison may hold
"""

from __future__ import annotations

from heapwright.engines.floor.domain import intervals
from heapwright.engines.floor.domain.differences import Term
from heapwright.engines.floor.domain.intervals import FAR, Interval
from heapwright.engines.floor.domain.state import State
from heapwright.engines.floor.transform.arithmetic import DEEPEST, evaluate, feasible, linear, operand_for, without_zero
from heapwright.program.expressions import (
    COMPARISONS,
    NEGATED,
    Binary,
    Const,
    Convert,
    Expr,
    IntVar,
    Unary,
    variables_of,
)

MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


def assume_compare(state: State, op: str, left: Expr, right: Expr, depth: int = 0) -> bool:
    """Whether a comparison may hold; the state is narrowed to where it does."""
    inner = _condition(state, op, left, right, depth) or _condition(state, MIRRORED[op], right, left, depth)
    if inner is not None and not assume_compare(state, *inner, depth + 1):
        return False
    one, other = evaluate(state, left), evaluate(state, right)
    if intervals.compared(op, one, other) == intervals.FALSE or not _related(state, op, left, right):
        return False
    narrowed = narrow(op, one, other)
    if narrowed is None:
        return False
    return constrain(state, left, narrowed[0]) and constrain(state, right, narrowed[1])


def _condition(state: State, op: str, left: Expr, right: Expr, depth: int) -> tuple[str, Expr, Expr] | None:
    """The comparison whose truth value is compared with 0."""
    if not (isinstance(right, Const) and right.value == 0 and op in ("==", "!=")) or depth >= DEEPEST:
        return None
    match left:
        case Binary(inner, one, other, _) if inner in COMPARISONS:
            return (inner if op == "!=" else NEGATED[inner]), one, other
        case Unary("!", operand, _):
            return NEGATED[op], operand, Const(0, operand.type)
        case Convert(operand, type) if operand.type.bits <= type.bits:
            return op, operand, Const(0, operand.type)
        case IntVar(name, _) if name in state.definitions:
            return op, state.definitions[name], right
    return None


def narrow(op: str, one: Interval, other: Interval) -> tuple[Interval, Interval] | None:
    """Both sides where a comparison holds."""
    match op:
        case ">" | ">=":
            found = narrow(MIRRORED[op], other, one)
            return None if found is None else (found[1], found[0])
        case "<" | "<=":
            strict = op == "<"
            first = intervals.meet(one, (-FAR, other[1] - strict))
            second = intervals.meet(other, (one[0] + strict, FAR))
            return None if first is None or second is None else (first, second)
        case "==":
            both = intervals.meet(one, other)
            return None if both is None else (both, both)
    first, second = _unlike(one, other), _unlike(other, one)
    return None if first is None or second is None else (first, second)


def _unlike(value: Interval, other: Interval) -> Interval | None:
    """An interval without the only number of another at its bounds."""
    low, high = value
    if other[0] == other[1]:
        low += low == other[0]
        high -= high == other[0]
    return (low, high) if low <= high else None


def _related(state: State, op: str, left: Expr, right: Expr) -> bool:
    """Records what a comparison says of differences; whether it may hold."""
    one, other = linear(state, left), linear(state, right)
    if one is None or other is None or one[0] is None or other[0] is None:
        return True
    if one[0] == other[0]:
        return intervals.compared(op, (one[1], one[1]), (other[1], other[1])) != intervals.FALSE
    return relate(state, op, one[0], other[0], other[1] - one[1])


def relate(state: State, op: str, left: Term, right: Term, distance: int) -> bool:
    """Records that `left op right + distance`; whether it may hold."""
    match op:
        case ">" | ">=":
            return relate(state, MIRRORED[op], right, left, -distance)
        case "<":
            return relate(state, "<=", left, right, distance - 1)
        case "<=":
            if state.bound(right, left) < -distance:
                return False
            state.differences.add(left, right, distance)
            low, high = state.value(left)[0] - distance, state.value(right)[1] + distance
            return _narrow_closely(state, left, (-FAR, high)) and _narrow_closely(state, right, (low, FAR))
        case "==":
            return relate(state, "<=", left, right, distance) and relate(state, "<=", right, left, -distance)
    at_most, at_least = state.bound(left, right) <= distance, state.bound(right, left) <= -distance
    if at_most and at_least:
        return False
    if at_most:
        return relate(state, "<", left, right, distance)
    return relate(state, "<", right, left, -distance) if at_least else True


def constrain(state: State, expr: Expr, value: Interval, depth: int = 0) -> bool:
    """Narrows the state to where an expression has a value of the interval; whether there is any."""
    known = evaluate(state, expr)
    both = intervals.meet(known, value)
    if both is None:
        return False
    if both == known and not isinstance(expr, IntVar):
        return True
    match expr:
        case IntVar(name, _):
            if name in state.nonzero:
                both = without_zero(both)
                if both[0] > both[1]:
                    return False
            state.numbers[name] = both
            if both != known and not _narrow_related(state, name, both):
                return False
            if depth < DEEPEST and name in state.definitions and both != known:
                return constrain(state, state.definitions[name], both, depth + 1)
        case Convert() | Binary():
            found = operand_for(state, expr, both)
            if found is not None:
                operand, pieces = found
                pieces = [piece for piece in pieces if feasible(state, operand, piece, depth)]
                if not pieces:
                    return False
                hull = min(low for low, _ in pieces), max(high for _, high in pieces)
                return constrain(state, operand, hull, depth)
    return True


def _narrow_related(state: State, name: str, value: Interval) -> bool:
    """Narrows the integers whose difference to a variable is bounded; whether there are such."""
    for right, bound in state.differences.below.get(name, {}).items():
        if not _narrow_term(state, right, (value[0] - bound, FAR)):
            return False
    for left, bound in state.differences.above.get(name, {}).items():
        if not _narrow_term(state, left, (-FAR, value[1] + bound)):
            return False
    return True


def _narrow_closely(state: State, term: Term, value: Interval) -> bool:
    """Narrows a term and what is related to it."""
    before = state.value(term)
    if not _narrow_term(state, term, value):
        return False
    after = state.value(term)
    return before == after or not isinstance(term, str) or _narrow_related(state, term, after)


def _narrow_term(state: State, term: Term, value: Interval) -> bool:
    if isinstance(term, str):
        known = state.numbers.get(term)
        both = None if known is None else intervals.meet(known, value)
        if both is not None:
            state.numbers[term] = both
        return known is None or both is not None
    if term[0] == "c":
        state.narrow_field(term, value)
    return True


def constrain_halves(state: State, expr: Expr, value: Interval) -> bool:
    """Narrows the state as `constrain` does; and drops the negative, or the other, half of variables whose sign decides
    whether the expression wraps: the size of an allocation of `n` objects, say."""
    if not constrain(state, expr, value):
        return False
    whole = substituted(state, expr)
    for name in sorted(variables_of(whole)):
        known = state.numbers.get(name)
        if known is None or not known[0] < 0 <= known[1]:
            continue
        for half, rest in (((known[0], -1), (0, known[1])), ((0, known[1]), (known[0], -1))):
            state.numbers[name] = half
            possible = intervals.meet(evaluate(state, whole), value) is not None
            state.numbers[name] = known
            if not possible:
                state.numbers[name] = rest
                break
    return True


def substituted(state: State, expr: Expr, depth: int = 0) -> Expr:
    """An expression with variables replaced by what defines them."""
    match expr:
        case IntVar(name, _) if depth < DEEPEST and name in state.definitions:
            return substituted(state, state.definitions[name], depth + 1)
        case Convert(operand, type):
            return Convert(substituted(state, operand, depth), type)
        case Binary(op, left, right, type):
            return Binary(op, substituted(state, left, depth), substituted(state, right, depth), type)
    return expr
