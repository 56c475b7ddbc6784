"""Formulas prepared for compilation: numbered by form, negations moved inwards, conjunctions taken apart.

>>> numbering = Numbering()
>>> numbering.number(f.Not(f.Atom("b", ()))) == numbering.number(f.Not(f.Atom("b", ())))
True
"""

from __future__ import annotations

from heapwright.logic import formulas as f

CONNECTIVES = (f.And, f.Or)
QUANTIFIERS = (f.Exists, f.ForAll)
NO_VARIABLES: frozenset[str] = frozenset()


def negated(formula: f.Formula) -> f.Formula:
    """The negation, moved one step inwards where there is something to move it through."""
    match formula:
        case f.Not(operand):
            return operand
        case f.And(operands):
            return f.Or(tuple(map(negated, operands)))
        case f.Or(operands):
            return f.And(tuple(map(negated, operands)))
        case f.Exists(variables, body):
            return f.ForAll(variables, negated(body))
        case f.ForAll(variables, body):
            return f.Exists(variables, negated(body))
        case _:
            return f.Not(formula)


def conjuncts(formula: f.Formula) -> list[f.Formula]:
    match formula:
        case f.And(operands):
            return [part for operand in operands for part in conjuncts(operand)]
        case f.Not(f.And() | f.Or() | f.Not() | f.Exists() | f.ForAll() as operand):
            inner = negated(operand)
            return [inner] if isinstance(inner, f.Or) else conjuncts(inner)
        case _:
            return [formula]


def first_use(formula: f.Formula) -> dict[str, int]:
    """Free variables by the order in which they first occur."""
    found: dict[str, int] = {}

    def go(part: f.Formula, bound: frozenset[str]) -> None:
        match part:
            case f.Atom(_, arguments):
                used = arguments
            case f.Equal(left, right):
                used = (left, right)
            case f.TransitiveClosure(left, right, source, target, body):
                used = (left, right)
                go(body, bound | {source, target})
            case f.Exists(variables, body) | f.ForAll(variables, body):
                return go(body, bound | set(variables))
            case f.Not(operand):
                return go(operand, bound)
            case f.And(operands) | f.Or(operands):
                used = ()
                for operand in operands:
                    go(operand, bound)
            case f.Iff(first, second):
                used = ()
                go(first, bound)
                go(second, bound)
            case f.IfThenElse(condition, then, other):
                used = ()
                for part in (condition, then, other):
                    go(part, bound)
            case f.Truth():
                used = ()
        for variable in used:
            if variable not in bound:
                found.setdefault(variable, len(found))
        return None

    go(formula, frozenset())
    return found


class Numbering:
    """Hash-consing: numbers formulas so that equal ones get equal numbers, each visited once, with their free
    variables."""

    def __init__(self) -> None:
        self._by_object: dict[int, int] = {}
        self._by_shape: dict[tuple[object, ...], int] = {}
        self._kept: list[f.Formula] = []  # objects must stay alive for their identities to mean anything
        self.variables: list[tuple[str, ...]] = []  # the free ones of each formula, sorted
        self._free: list[frozenset[str]] = []
        self._weight: list[int] = []

    def number(self, formula: f.Formula) -> int:
        found = self._by_object.get(id(formula))
        if found is not None:
            return found
        inner: tuple[int, ...] = ()
        bound: tuple[str, ...] = ()
        own: tuple[object, ...] = ()
        free = NO_VARIABLES
        if isinstance(formula, f.Atom):
            own, free = (formula.predicate, formula.arguments), frozenset(formula.arguments)
        elif isinstance(formula, CONNECTIVES):
            inner = tuple([self.number(operand) for operand in formula.operands])
        elif isinstance(formula, f.Not):
            inner = (self.number(formula.operand),)
        elif isinstance(formula, QUANTIFIERS):
            inner, own, bound = (self.number(formula.body),), formula.variables, formula.variables
        elif isinstance(formula, f.Equal):
            own, free = (formula.left, formula.right), frozenset((formula.left, formula.right))
        elif isinstance(formula, f.Truth):
            own = (formula.value,)
        elif isinstance(formula, f.Iff):
            inner = (self.number(formula.left), self.number(formula.right))
        elif isinstance(formula, f.IfThenElse):
            inner = (self.number(formula.condition), self.number(formula.then), self.number(formula.other))
        else:
            inner, bound = (self.number(formula.body),), (formula.source, formula.target)
            own, free = (formula.left, formula.right, *bound), frozenset((formula.left, formula.right))
        shape = (type(formula), own, inner)
        found = self._by_shape.get(shape)
        if found is None:
            found = self._by_shape[shape] = len(self._free)
            self._learn(inner, bound, free)
        self._by_object[id(formula)] = found
        self._kept.append(formula)
        return found

    def _learn(self, inner: tuple[int, ...], bound: tuple[str, ...], free: frozenset[str]) -> None:
        weight = 0
        if inner:
            below = NO_VARIABLES.union(*[self._free[number] for number in inner])
            free |= below.difference(bound) if bound else below
            weight = max([self._weight[number] for number in inner])
        self._free.append(free)
        self.variables.append(tuple(sorted(free)))
        self._weight.append(len(bound) + weight)

    def free(self, formula: f.Formula) -> frozenset[str]:
        return self._free[self.number(formula)]

    def weight(self, formula: f.Formula) -> int:
        """The depth of nested quantified variables."""
        return self._weight[self.number(formula)]
