"""Rewriting of formulas: renaming of variables, normal names for bound ones, disjunctive normal form.

Names made here contain `#`, which no identifier of a specification does.

>>> from heapwright.logic.formulas import text
>>> f = Exists(("u",), Atom("n", ("u", "v")))
>>> text(renamed(f, {"v": "u"}))
'E(#1) n(#1,u)'
>>> normalized(f) == normalized(Exists(("w",), Atom("n", ("w", "v"))))
True
>>> quantifiers, terms = prenex_dnf(Not(And((f, Atom("b", ())))))
>>> [[text(literal) for literal in term] for term in terms]
[['!n(#1,v)'], ['!b()']]
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import count
from math import prod

from heapwright.base.immutable import Immutable
from heapwright.logic.formulas import (
    FALSE,
    HALF,
    TRUE,
    And,
    Atom,
    Equal,
    Exists,
    ForAll,
    Formula,
    Iff,
    IfThenElse,
    Kleene,
    Not,
    Or,
    TransitiveClosure,
    Truth,
    free_variables,
)


def fresh_variable(*used: frozenset[str] | set[str]) -> str:
    """A variable that none of the given sets contains."""
    return next(name for i in count(1) if not any((name := f"#{i}") in names for names in used))


@cache
def all_variables(formula: Formula) -> frozenset[str]:
    """Free and bound ones."""
    match formula:
        case Truth() | Atom() | Equal():
            return free_variables(formula)
        case Not(operand):
            return all_variables(operand)
        case And(operands) | Or(operands):
            return frozenset[str]().union(*(all_variables(operand) for operand in operands))
        case Iff(first, second):
            return all_variables(first) | all_variables(second)
        case IfThenElse(condition, then, other):
            return all_variables(condition) | all_variables(then) | all_variables(other)
        case Exists(variables, body) | ForAll(variables, body):
            return all_variables(body) | set(variables)
        case TransitiveClosure(left, right, source, target, body):
            return all_variables(body) | {left, right, source, target}


def renamed(formula: Formula, names: Mapping[str, str]) -> Formula:
    """The formula with other names for free variables, all at once; bound ones give way where they would capture."""
    names = {old: new for old, new in names.items() if old != new}
    return _renamed(formula, names) if names else formula


def _renamed(formula: Formula, names: Mapping[str, str]) -> Formula:
    match formula:
        case Truth():
            return formula
        case Atom(predicate, arguments):
            return Atom(predicate, tuple([names.get(a, a) for a in arguments]))
        case Equal(left, right):
            return Equal(names.get(left, left), names.get(right, right))
        case Not(operand):
            return Not(_renamed(operand, names))
        case And(operands):
            return And(tuple([_renamed(operand, names) for operand in operands]))
        case Or(operands):
            return Or(tuple([_renamed(operand, names) for operand in operands]))
        case Iff(first, second):
            return Iff(_renamed(first, names), _renamed(second, names))
        case IfThenElse(condition, then, other):
            return IfThenElse(_renamed(condition, names), _renamed(then, names), _renamed(other, names))
        case Exists(variables, body):
            bound, body, inner = _within(variables, body, names)
            return Exists(bound, renamed(body, inner))
        case ForAll(variables, body):
            bound, body, inner = _within(variables, body, names)
            return ForAll(bound, renamed(body, inner))
        case TransitiveClosure(left, right, source, target, body):
            (source, target), body, inner = _within((source, target), body, names)
            return TransitiveClosure(
                names.get(left, left), names.get(right, right), source, target, renamed(body, inner)
            )


def _within(
    bound: tuple[str, ...], body: Formula, names: Mapping[str, str]
) -> tuple[tuple[str, ...], Formula, Mapping[str, str]]:
    """What a renaming is inside a quantifier, whose variables get out of its way where it would run into them."""
    names = {old: new for old, new in names.items() if old not in bound}
    taken = set(names.values())
    if taken.isdisjoint(bound):
        return bound, body, names
    names = {old: new for old, new in names.items() if old in free_variables(body)}
    taken = set(names.values())
    used = all_variables(body) | taken | set(names) | set(bound)
    changes: dict[str, str] = {}
    for variable in bound:
        if variable in taken:
            changes[variable] = fresh_variable(used, set(changes.values()))
    return tuple(changes.get(v, v) for v in bound), renamed(body, changes), names


@cache
def normalized(formula: Formula) -> Formula:
    """Bound variables by depth, and nested conjunctions and disjunctions flat: equal for formulas that differ only
    in those."""
    return _normalized(formula, 0)


def _normalized(formula: Formula, depth: int) -> Formula:
    match formula:
        case Truth() | Atom() | Equal():
            return formula
        case Not(operand):
            return Not(_normalized(operand, depth))
        case And():
            return And(tuple(_normalized(part, depth) for part in flat(formula, And)))
        case Or():
            return Or(tuple(_normalized(part, depth) for part in flat(formula, Or)))
        case Iff(first, second):
            return Iff(_normalized(first, depth), _normalized(second, depth))
        case IfThenElse(condition, then, other):
            return IfThenElse(_normalized(condition, depth), _normalized(then, depth), _normalized(other, depth))
        case Exists(variables, body) | ForAll(variables, body):
            names = {v: f"#b{depth + i}" for i, v in enumerate(variables)}
            inner = _normalized(renamed(body, names), depth + len(variables))
            kind = type(formula)
            if isinstance(inner, kind):
                return kind((*names.values(), *inner.variables), inner.body)
            return kind(tuple(names.values()), inner)
        case TransitiveClosure(left, right, source, target, body):
            names = {source: f"#b{depth}", target: f"#b{depth + 1}"}
            inner = _normalized(renamed(body, names), depth + 2)
            return TransitiveClosure(left, right, names[source], names[target], inner)


def flat(formula: Formula, kind: type[And] | type[Or]) -> list[Formula]:
    if isinstance(formula, kind):
        return [part for operand in formula.operands for part in flat(operand, kind)]
    return [formula]


class Quantifier(Immutable):
    universal: bool
    variable: str


Term = tuple[Formula, ...]  # a conjunction of literals


def prenex_dnf(formula: Formula) -> tuple[tuple[Quantifier, ...], tuple[Term, ...]]:
    """Quantifiers in front of a disjunction of conjunctions. A transitive closure counts as an atom."""
    quantifiers: list[Quantifier] = []
    used = set(all_variables(formula))
    terms = _terms(formula, False, quantifiers, used)
    return tuple(quantifiers), terms


def count_terms(formula: Formula, negative: bool = False) -> int:
    """How many conjunctions the disjunctive normal form of a formula, or of its negation, has: it may be very many."""
    match formula:
        case Exists(_, body) | ForAll(_, body):
            return count_terms(body, negative)
        case And(operands) | Or(operands):
            counts = [count_terms(operand, negative) for operand in operands]
            return sum(counts) if isinstance(formula, Or) != negative else prod(counts)
        case Not(operand):
            return count_terms(operand, not negative)
        case Iff(first, second):
            return count_terms(Or((And((first, second)), And((Not(first), Not(second))))), negative)
        case IfThenElse(condition, then, other):
            return count_terms(Or((And((condition, then)), And((Not(condition), other)))), negative)
    return 1


def _terms(formula: Formula, negative: bool, quantifiers: list[Quantifier], used: set[str]) -> tuple[Term, ...]:
    match formula:
        case Exists(variables, body) | ForAll(variables, body):
            names = {}
            for variable in variables:
                names[variable] = fresh_variable(used)
                used.add(names[variable])
                quantifiers.append(Quantifier(isinstance(formula, ForAll) != negative, names[variable]))
            return _terms(renamed(body, names), negative, quantifiers, used)
        case And(operands) | Or(operands):
            parts = [_terms(operand, negative, quantifiers, used) for operand in operands]
            if isinstance(formula, Or) != negative:
                return tuple(term for part in parts for term in part)
            product: tuple[Term, ...] = ((),)
            for part in parts:
                product = tuple(left + right for left in product for right in part)
            return product
        case Not(operand):
            return _terms(operand, not negative, quantifiers, used)
        case Iff(first, second):
            cases = Or((And((first, second)), And((Not(first), Not(second)))))
            return _terms(cases, negative, quantifiers, used)
        case IfThenElse(condition, then, other):
            cases = Or((And((condition, then)), And((Not(condition), other))))
            return _terms(cases, negative, quantifiers, used)
        case _:
            return ((Not(formula) if negative else formula,),)


def reflexive_closure(formula: Formula) -> TransitiveClosure | None:
    """The closure TC(u, v)... of a formula u == v | TC(u, v)..."""
    if not isinstance(formula, Or) or len(formula.operands) != 2:
        return None
    for equality, closure in (formula.operands, formula.operands[::-1]):
        if (
            isinstance(equality, Equal)
            and isinstance(closure, TransitiveClosure)
            and {equality.left, equality.right} == {closure.left, closure.right}
        ):
            return closure
    return None


# --- constructors that simplify ---


def make_not(formula: Formula) -> Formula:
    match formula:
        case Truth(Kleene.TRUE):
            return FALSE
        case Truth(Kleene.FALSE):
            return TRUE
        case Truth(Kleene.HALF):
            return HALF
        case Not(operand):
            return operand
        case IfThenElse(condition, then, other):
            return make_if(condition, make_not(then), make_not(other))
        case Exists(variables, body):
            return make_all(variables, make_not(body))
        case ForAll(variables, body):
            return make_exists(variables, make_not(body))
        case And(operands):
            return make_or(*map(make_not, operands))
        case Or(operands):
            return make_and(*map(make_not, operands))
        case _:
            return Not(formula)


def make_and(*operands: Formula) -> Formula:
    return _make(operands, And, TRUE, FALSE)


def make_or(*operands: Formula) -> Formula:
    return _make(operands, Or, FALSE, TRUE)


def _make(operands: tuple[Formula, ...], kind: type[And] | type[Or], neutral: Formula, zero: Formula) -> Formula:
    parts: list[Formula] = []
    for operand in operands:
        for part in operand.operands if isinstance(operand, kind) else (operand,):
            if isinstance(part, Truth):
                if part == zero:
                    return zero
                if part == neutral:
                    continue
            elif _contradicts(part, parts):
                return zero
            if part not in parts:
                parts.append(part)
    if not parts:
        return neutral
    return parts[0] if len(parts) == 1 else kind(tuple(parts))


def _contradicts(part: Formula, others: list[Formula]) -> bool:
    if isinstance(part, Not):
        return part.operand in others
    return any(isinstance(other, Not) and other.operand == part for other in others)


def make_if(condition: Formula, then: Formula, other: Formula) -> Formula:
    if condition == TRUE or then == other:
        return then
    if condition == FALSE:
        return other
    if then == TRUE:
        return make_or(condition, other)
    if then == FALSE:
        return make_and(make_not(condition), other)
    if other == TRUE:
        return make_or(make_not(condition), then)
    if other == FALSE:
        return make_and(condition, then)
    if isinstance(condition, Not):
        return IfThenElse(condition.operand, other, then)
    return IfThenElse(condition, then, other)


def make_exists(variables: tuple[str, ...], body: Formula) -> Formula:
    return body if body == FALSE or not variables else Exists(variables, body)


def make_all(variables: tuple[str, ...], body: Formula) -> Formula:
    return body if body == TRUE or not variables else ForAll(variables, body)


def make_closure(left: str, right: str, source: str, target: str, body: Formula) -> Formula:
    return body if body == FALSE else TransitiveClosure(left, right, source, target, body)


def simplified(formula: Formula) -> Formula:
    match formula:
        case And(operands):
            return make_and(*map(simplified, operands))
        case Or(operands):
            return make_or(*map(simplified, operands))
        case Not(operand):
            return make_not(simplified(operand))
        case Exists(variables, body):
            return make_exists(variables, simplified(body))
        case ForAll(variables, body):
            return make_all(variables, simplified(body))
        case TransitiveClosure(left, right, source, target, body):
            return make_closure(left, right, source, target, simplified(body))
        case IfThenElse(condition, then, other):
            return make_if(simplified(condition), simplified(then), simplified(other))
        case _:
            return formula
