"""Side-effect-free integer expressions with exact C semantics, and the literals that `assume` and `assert` test.

Every expression carries the type of its value; unsigned and narrowing arithmetic wraps, and so does signed arithmetic
(a listed assumption). Comparisons give 0 or 1.

>>> i32 = IntType(32, True)
>>> evaluate(Binary("+", IntVar("i", i32), Const(1, i32), i32), {"i": 2147483647})
-2147483648
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal as OneOf

from heapwright.program.types import IntType

UnaryOp = OneOf["-", "~", "!"]
BinaryOp = OneOf["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "==", "!=", "<", "<=", ">", ">="]
ComparisonOp = OneOf["==", "!=", "<", "<=", ">", ">="]

COMPARISONS: tuple[ComparisonOp, ...] = ("==", "!=", "<", "<=", ">", ">=")
NEGATED: dict[str, ComparisonOp] = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


@dataclass(frozen=True, slots=True)
class Const:
    value: int
    type: IntType


@dataclass(frozen=True, slots=True)
class IntVar:
    name: str
    type: IntType


@dataclass(frozen=True, slots=True)
class Unary:
    op: UnaryOp
    operand: Expr
    type: IntType


@dataclass(frozen=True, slots=True)
class Binary:
    """Both operands have one type (lowering inserts conversions), except for shifts; comparisons have type int."""

    op: BinaryOp
    left: Expr
    right: Expr
    type: IntType


@dataclass(frozen=True, slots=True)
class Convert:
    operand: Expr
    type: IntType


Expr = Const | IntVar | Unary | Binary | Convert


# --- pointer operands ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Null:
    def __str__(self) -> str:
        return "null"


@dataclass(frozen=True, slots=True)
class Junk:
    """An uninitialised or scrambled pointer. It stands for an `unknown` one, too, which may be valid in C: no run that
    uses it is followed."""

    unknown: bool = False

    def __str__(self) -> str:
        return "junk"


@dataclass(frozen=True, slots=True)
class Var:
    name: str

    def __str__(self) -> str:
        return self.name


Pointer = Null | Junk | Var
NULL = Null()
JUNK = Junk()
UNKNOWN = Junk(unknown=True)


# --- literals --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison of two integers of one type."""

    op: ComparisonOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class PointerCompare:
    """`==` and `!=` compare addresses (see semantics/memory.py for dangling ones); the order needs both in one
    array."""

    op: ComparisonOp
    left: Pointer
    right: Pointer


@dataclass(frozen=True, slots=True)
class ShapeLiteral:
    """A predicate of heapwright.h, such as `acyclic(x, next)`, or its negation."""

    predicate: str  # acyclic, reach, disjoint, sorted, sorted_down, dll, cyclic, tree, all_reachable
    pointers: tuple[Pointer, ...]
    fields: tuple[str, ...]
    negated: bool = False


Literal = Compare | PointerCompare | ShapeLiteral


def negate(literal: Literal) -> Literal:
    match literal:
        case Compare(op, left, right):
            return Compare(NEGATED[op], left, right)
        case PointerCompare(op, left, right):
            return PointerCompare(NEGATED[op], left, right)
        case ShapeLiteral(predicate, pointers, fields, negated):
            return ShapeLiteral(predicate, pointers, fields, not negated)


# --- evaluation ------------------------------------------------------------------------------------------------------


def divide(left: int, right: int) -> int:
    """C division truncates towards zero."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def apply_binary(op: str, left: int, right: int, type: IntType) -> int:
    """The value of `left op right`; division by zero gives 0 and shift counts are taken modulo the width, so that the
    operation is total (lowering puts an `assume` before every division)."""
    match op:
        case "+":
            return type.wrap(left + right)
        case "-":
            return type.wrap(left - right)
        case "*":
            return type.wrap(left * right)
        case "/":
            return type.wrap(divide(left, right)) if right else 0
        case "%":
            return type.wrap(left - right * divide(left, right)) if right else 0
        case "<<":
            return type.wrap(left << (right % type.bits))
        case ">>":
            return type.wrap(left >> (right % type.bits))
        case "&":
            return type.wrap(left & right)
        case "|":
            return type.wrap(left | right)
        case "^":
            return type.wrap(left ^ right)
        case _:
            return int(compare(op, left, right))


def compare(op: str, left: int, right: int) -> bool:
    match op:
        case "==":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
    raise ValueError(f"no comparison {op!r}")


def evaluate(expr: Expr, values: Mapping[str, int]) -> int:
    match expr:
        case Const(value, _):
            return value
        case IntVar(name, _):
            return values[name]
        case Unary(op, operand, type):
            value = evaluate(operand, values)
            return type.wrap(-value) if op == "-" else type.wrap(~value) if op == "~" else int(value == 0)
        case Binary(op, left, right, type):
            return apply_binary(op, evaluate(left, values), evaluate(right, values), type)
        case Convert(operand, type):
            return type.wrap(evaluate(operand, values))


def variables_of(expr: Expr) -> frozenset[str]:
    match expr:
        case Const():
            return frozenset()
        case IntVar(name, _):
            return frozenset((name,))
        case Unary(_, operand, _) | Convert(operand, _):
            return variables_of(operand)
        case Binary(_, left, right, _):
            return variables_of(left) | variables_of(right)


# --- linear forms ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Linear:
    """constant + sum of coefficient * variable over unbounded integers; equal to the expression while nothing wraps."""

    constant: int
    terms: tuple[tuple[str, int], ...]  # sorted by name, no zero coefficient


def linear(expr: Expr) -> Linear | None:
    """The linear form of an expression, or None where it has none. A narrowing conversion has none; the caller proves
    that nothing wraps, or gives up."""
    match expr:
        case Const(value, _):
            return Linear(value, ())
        case IntVar(name, _):
            return Linear(0, ((name, 1),))
        case Unary("-", operand, _):
            inner = linear(operand)
            return _scale(inner, -1) if inner else None
        case Binary("+", left, right, _):
            return _add(linear(left), linear(right), 1)
        case Binary("-", left, right, _):
            return _add(linear(left), linear(right), -1)
        case Binary("*", left, right, _):
            first, second = linear(left), linear(right)
            if first and not first.terms and second:
                return _scale(second, first.constant)
            if second and not second.terms and first:
                return _scale(first, second.constant)
            return None
        case Convert(operand, type):
            source = operand.type
            widening = type.minimum <= source.minimum and source.maximum <= type.maximum
            return linear(operand) if widening else None
    return None


def _scale(form: Linear, factor: int) -> Linear:
    terms = tuple((name, factor * coefficient) for name, coefficient in form.terms) if factor else ()
    return Linear(form.constant * factor, terms)


def _add(left: Linear | None, right: Linear | None, sign: int) -> Linear | None:
    if left is None or right is None:
        return None
    terms = dict(left.terms)
    for name, coefficient in right.terms:
        terms[name] = terms.get(name, 0) + sign * coefficient
    kept = tuple(sorted((name, coefficient) for name, coefficient in terms.items() if coefficient))
    return Linear(left.constant + sign * right.constant, kept)
