"""Rewriting of formulas: renaming of variables, normal names for bound ones, disjunctive normal form.

Names made here contain `#`, which no identifier of a specification does.

>>> some = f.Exists(("u",), f.Atom("n", ("u", "v")))
>>> f.text(renamed(some, {"v": "u"}))
'E(#1) n(#1,u)'
>>> normalized(some) == normalized(f.Exists(("w",), f.Atom("n", ("w", "v"))))
True
>>> quantifiers, terms = prenex_dnf(f.Not(f.And((some, f.Atom("b", ())))))
>>> [[f.text(literal) for literal in term] for term in terms]
[['!n(#1,v)'], ['!b()']]
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import count
from math import prod

from heapwright.base.immutable import Immutable
from heapwright.logic import formulas as f


def fresh_variable(*used: frozenset[str] | set[str]) -> str:
    """A variable that none of the given sets contains."""
    return next(name for i in count(1) if not any((name := f"#{i}") in names for names in used))


@cache
def all_variables(formula: f.Formula) -> frozenset[str]:
    """Free and bound ones."""
    match formula:
        case f.Truth() | f.Atom() | f.Equal():
            return f.free_variables(formula)
        case f.Not(operand):
            return all_variables(operand)
        case f.And(operands) | f.Or(operands):
            return frozenset[str]().union(*(all_variables(operand) for operand in operands))
        case f.Iff(first, second):
            return all_variables(first) | all_variables(second)
        case f.IfThenElse(condition, then, other):
            return all_variables(condition) | all_variables(then) | all_variables(other)
        case f.Exists(variables, body) | f.ForAll(variables, body):
            return all_variables(body) | set(variables)
        case f.TransitiveClosure(left, right, source, target, body):
            return all_variables(body) | {left, right, source, target}


def renamed(formula: f.Formula, names: Mapping[str, str]) -> f.Formula:
    """The formula with other names for free variables, all at once; bound ones give way where they would capture."""
    names = {old: new for old, new in names.items() if old != new}
    return _renamed(formula, names) if names else formula


def _renamed(formula: f.Formula, names: Mapping[str, str]) -> f.Formula:
    match formula:
        case f.Truth():
            return formula
        case f.Atom(predicate, arguments):
            return f.Atom(predicate, tuple([names.get(a, a) for a in arguments]))
        case f.Equal(left, right):
            return f.Equal(names.get(left, left), names.get(right, right))
        case f.Not(operand):
            return f.Not(_renamed(operand, names))
        case f.And(operands):
            return f.And(tuple([_renamed(operand, names) for operand in operands]))
        case f.Or(operands):
            return f.Or(tuple([_renamed(operand, names) for operand in operands]))
        case f.Iff(first, second):
            return f.Iff(_renamed(first, names), _renamed(second, names))
        case f.IfThenElse(condition, then, other):
            return f.IfThenElse(_renamed(condition, names), _renamed(then, names), _renamed(other, names))
        case f.Exists(variables, body):
            bound, body, inner = _within(variables, body, names)
            return f.Exists(bound, renamed(body, inner))
        case f.ForAll(variables, body):
            bound, body, inner = _within(variables, body, names)
            return f.ForAll(bound, renamed(body, inner))
        case f.TransitiveClosure(left, right, source, target, body):
            (source, target), body, inner = _within((source, target), body, names)
            return f.TransitiveClosure(
                names.get(left, left), names.get(right, right), source, target, renamed(body, inner)
            )


def _within(
    bound: tuple[str, ...], body: f.Formula, names: Mapping[str, str]
) -> tuple[tuple[str, ...], f.Formula, Mapping[str, str]]:
    """A renaming inside a quantifier, whose variables are renamed where it would capture them."""
    names = {old: new for old, new in names.items() if old not in bound}
    taken = set(names.values())
    if taken.isdisjoint(bound):
        return bound, body, names
    names = {old: new for old, new in names.items() if old in f.free_variables(body)}
    taken = set(names.values())
    used = all_variables(body) | taken | set(names) | set(bound)
    changes: dict[str, str] = {}
    for variable in bound:
        if variable in taken:
            changes[variable] = fresh_variable(used, set(changes.values()))
    return tuple(changes.get(v, v) for v in bound), renamed(body, changes), names


@cache
def normalized(formula: f.Formula) -> f.Formula:
    """Bound variables by depth, and nested conjunctions and disjunctions flat: equal for formulas that differ only
    in those."""
    return _normalized(formula, 0)


def _normalized(formula: f.Formula, depth: int) -> f.Formula:
    match formula:
        case f.Truth() | f.Atom() | f.Equal():
            return formula
        case f.Not(operand):
            return f.Not(_normalized(operand, depth))
        case f.And():
            return f.And(tuple(_normalized(part, depth) for part in flat(formula, f.And)))
        case f.Or():
            return f.Or(tuple(_normalized(part, depth) for part in flat(formula, f.Or)))
        case f.Iff(first, second):
            return f.Iff(_normalized(first, depth), _normalized(second, depth))
        case f.IfThenElse(condition, then, other):
            return f.IfThenElse(_normalized(condition, depth), _normalized(then, depth), _normalized(other, depth))
        case f.Exists(variables, body) | f.ForAll(variables, body):
            names = {v: f"#b{depth + i}" for i, v in enumerate(variables)}
            inner = _normalized(renamed(body, names), depth + len(variables))
            kind = type(formula)
            if isinstance(inner, kind):
                return kind((*names.values(), *inner.variables), inner.body)
            return kind(tuple(names.values()), inner)
        case f.TransitiveClosure(left, right, source, target, body):
            names = {source: f"#b{depth}", target: f"#b{depth + 1}"}
            inner = _normalized(renamed(body, names), depth + 2)
            return f.TransitiveClosure(left, right, names[source], names[target], inner)


def flat(formula: f.Formula, kind: type[f.And] | type[f.Or]) -> list[f.Formula]:
    if isinstance(formula, kind):
        return [part for operand in formula.operands for part in flat(operand, kind)]
    return [formula]


class Quantifier(Immutable):
    universal: bool
    variable: str


Term = tuple[f.Formula, ...]  # a conjunction of literals


def prenex_dnf(formula: f.Formula) -> tuple[tuple[Quantifier, ...], tuple[Term, ...]]:
    """Quantifiers in front of a disjunction of conjunctions. A transitive closure counts as an atom."""
    quantifiers: list[Quantifier] = []
    used = set(all_variables(formula))
    terms = _terms(formula, False, quantifiers, used)
    return tuple(quantifiers), terms


def count_terms(formula: f.Formula, negative: bool = False) -> int:
    """The number of conjunctions in the disjunctive normal form of a formula, or of its negation: it may be very
    large."""
    match formula:
        case f.Exists(_, body) | f.ForAll(_, body):
            return count_terms(body, negative)
        case f.And(operands) | f.Or(operands):
            counts = [count_terms(operand, negative) for operand in operands]
            return sum(counts) if isinstance(formula, f.Or) != negative else prod(counts)
        case f.Not(operand):
            return count_terms(operand, not negative)
        case f.Iff(first, second):
            return count_terms(f.Or((f.And((first, second)), f.And((f.Not(first), f.Not(second))))), negative)
        case f.IfThenElse(condition, then, other):
            return count_terms(f.Or((f.And((condition, then)), f.And((f.Not(condition), other)))), negative)
    return 1


def _terms(formula: f.Formula, negative: bool, quantifiers: list[Quantifier], used: set[str]) -> tuple[Term, ...]:
    match formula:
        case f.Exists(variables, body) | f.ForAll(variables, body):
            names = {}
            for variable in variables:
                names[variable] = fresh_variable(used)
                used.add(names[variable])
                quantifiers.append(Quantifier(isinstance(formula, f.ForAll) != negative, names[variable]))
            return _terms(renamed(body, names), negative, quantifiers, used)
        case f.And(operands) | f.Or(operands):
            parts = [_terms(operand, negative, quantifiers, used) for operand in operands]
            if isinstance(formula, f.Or) != negative:
                return tuple(term for part in parts for term in part)
            product: tuple[Term, ...] = ((),)
            for part in parts:
                product = tuple(left + right for left in product for right in part)
            return product
        case f.Not(operand):
            return _terms(operand, not negative, quantifiers, used)
        case f.Iff(first, second):
            cases = f.Or((f.And((first, second)), f.And((f.Not(first), f.Not(second)))))
            return _terms(cases, negative, quantifiers, used)
        case f.IfThenElse(condition, then, other):
            cases = f.Or((f.And((condition, then)), f.And((f.Not(condition), other))))
            return _terms(cases, negative, quantifiers, used)
        case _:
            return ((f.Not(formula) if negative else formula,),)


def reflexive_closure(formula: f.Formula) -> f.TransitiveClosure | None:
    """The closure TC(u, v)... of a formula u == v | TC(u, v)..."""
    if not isinstance(formula, f.Or) or len(formula.operands) != 2:
        return None
    for equality, closure in (formula.operands, formula.operands[::-1]):
        if (
            isinstance(equality, f.Equal)
            and isinstance(closure, f.TransitiveClosure)
            and {equality.left, equality.right} == {closure.left, closure.right}
        ):
            return closure
    return None


# --- constructors that simplify ---


def make_not(formula: f.Formula) -> f.Formula:
    match formula:
        case f.Truth(f.Kleene.TRUE):
            return f.FALSE
        case f.Truth(f.Kleene.FALSE):
            return f.TRUE
        case f.Truth(f.Kleene.HALF):
            return f.HALF
        case f.Not(operand):
            return operand
        case f.IfThenElse(condition, then, other):
            return make_if(condition, make_not(then), make_not(other))
        case f.Exists(variables, body):
            return make_all(variables, make_not(body))
        case f.ForAll(variables, body):
            return make_exists(variables, make_not(body))
        case f.And(operands):
            return make_or(*map(make_not, operands))
        case f.Or(operands):
            return make_and(*map(make_not, operands))
        case _:
            return f.Not(formula)


def make_and(*operands: f.Formula) -> f.Formula:
    return _make(operands, f.And, f.TRUE, f.FALSE)


def make_or(*operands: f.Formula) -> f.Formula:
    return _make(operands, f.Or, f.FALSE, f.TRUE)


def _make(
    operands: tuple[f.Formula, ...], kind: type[f.And] | type[f.Or], neutral: f.Formula, zero: f.Formula
) -> f.Formula:
    parts: list[f.Formula] = []
    for operand in operands:
        for part in operand.operands if isinstance(operand, kind) else (operand,):
            if isinstance(part, f.Truth):
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


def _contradicts(part: f.Formula, others: list[f.Formula]) -> bool:
    if isinstance(part, f.Not):
        return part.operand in others
    return any(isinstance(other, f.Not) and other.operand == part for other in others)


def make_if(condition: f.Formula, then: f.Formula, other: f.Formula) -> f.Formula:
    if condition == f.TRUE or then == other:
        return then
    if condition == f.FALSE:
        return other
    if then == f.TRUE:
        return make_or(condition, other)
    if then == f.FALSE:
        return make_and(make_not(condition), other)
    if other == f.TRUE:
        return make_or(make_not(condition), then)
    if other == f.FALSE:
        return make_and(condition, then)
    if isinstance(condition, f.Not):
        return f.IfThenElse(condition.operand, other, then)
    return f.IfThenElse(condition, then, other)


def make_exists(variables: tuple[str, ...], body: f.Formula) -> f.Formula:
    return body if body == f.FALSE or not variables else f.Exists(variables, body)


def make_all(variables: tuple[str, ...], body: f.Formula) -> f.Formula:
    return body if body == f.TRUE or not variables else f.ForAll(variables, body)


def make_closure(left: str, right: str, source: str, target: str, body: f.Formula) -> f.Formula:
    return body if body == f.FALSE else f.TransitiveClosure(left, right, source, target, body)


def simplified(formula: f.Formula) -> f.Formula:
    match formula:
        case f.And(operands):
            return make_and(*map(simplified, operands))
        case f.Or(operands):
            return make_or(*map(simplified, operands))
        case f.Not(operand):
            return make_not(simplified(operand))
        case f.Exists(variables, body):
            return make_exists(variables, simplified(body))
        case f.ForAll(variables, body):
            return make_all(variables, simplified(body))
        case f.TransitiveClosure(left, right, source, target, body):
            return make_closure(left, right, source, target, simplified(body))
        case f.IfThenElse(condition, then, other):
            return make_if(simplified(condition), simplified(then), simplified(other))
        case _:
            return formula
