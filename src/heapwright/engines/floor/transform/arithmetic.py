"""Integers in an abstract state: expressions are evaluated, variables assigned, and conditions assumed.

evaluate(state, expr)             # an interval
assume(state, literal)            # whether the condition may hold; the state is narrowed to where it does
"""

from __future__ import annotations

from heapwright.engines.floor.domain import intervals
from heapwright.engines.floor.domain.differences import Term
from heapwright.engines.floor.domain.intervals import FAR, Interval
from heapwright.engines.floor.domain.state import State
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

Linear = tuple[Term | None, int]  # a term plus a number; without a term a number

DEEPEST = 4  # definitions that are followed
MOST_TURNS = 9  # that a number wraps, so that each is looked at
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


def evaluate(state: State, expr: Expr) -> Interval:
    match expr:
        case IntVar(name, type):
            whole = intervals.range_of(type)
            known = state.numbers.get(name)
            found = whole if known is None else intervals.meet(known, whole) or whole
            return _without_zero(found) if name in state.nonzero else found
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
    definitions = state.definitions
    if definitions:
        definitions.pop(target, None)
        for name in [name for name, expr in definitions.items() if target in variables_of(expr)]:
            del definitions[name]


# --- conditions ------------------------------------------------------------------------------------------------------


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
                both = _without_zero(both)
                if both[0] > both[1]:
                    return False
            state.numbers[name] = both
            if both != known and not _narrow_related(state, name, both):
                return False
            if depth < DEEPEST and name in state.definitions and both != known:
                return constrain(state, state.definitions[name], both, depth + 1)
        case Convert() | Binary():
            found = _operand(state, expr, both)
            if found is not None:
                operand, pieces = found
                pieces = [piece for piece in pieces if feasible(state, operand, piece, depth)]
                if not pieces:
                    return False
                hull = min(low for low, _ in pieces), max(high for _, high in pieces)
                return constrain(state, operand, hull, depth)
    return True


def _without_zero(value: Interval) -> Interval:
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
            found = _operand(state, expr, both)
            if found is not None:
                return any(feasible(state, found[0], piece, depth) for piece in found[1])
    return True


def _operand(state: State, expr: Convert | Binary, value: Interval) -> tuple[Expr, list[Interval]] | None:
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


def constrain_halves(state: State, expr: Expr, value: Interval) -> bool:
    """Narrows the state as `constrain` does; and drops the negative, or the other, half of variables whose sign decides
    whether the expression wraps: the size of an allocation of `n` objects, say."""
    if not constrain(state, expr, value):
        return False
    whole = _substituted(state, expr, 0)
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


def _substituted(state: State, expr: Expr, depth: int) -> Expr:
    """An expression with variables replaced by what defines them."""
    match expr:
        case IntVar(name, _) if depth < DEEPEST and name in state.definitions:
            return _substituted(state, state.definitions[name], depth + 1)
        case Convert(operand, type):
            return Convert(_substituted(state, operand, depth), type)
        case Binary(op, left, right, type):
            return Binary(op, _substituted(state, left, depth), _substituted(state, right, depth), type)
    return expr
