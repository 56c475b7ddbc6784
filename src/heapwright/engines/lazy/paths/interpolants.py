"""Interpolant sequences along an infeasible path, by weakest preconditions.

Only the assumptions of an unsatisfiable core are used. From the end backwards, the weakest precondition of each step is
taken, and of its cases the one that the path satisfies. So every formula is implied by the prefix of the path, implies
the next one over its edge, and mentions only variables that are read later. For

    p = a;  [p->h != 3]      after a->h = 3

the sequence is  a->h == 3,  p->h == 3,  false.
"""

from __future__ import annotations

from collections.abc import Sequence

from heapwright.engines.lazy.logic import terms as t
from heapwright.engines.lazy.logic.solver import Solver
from heapwright.engines.lazy.logic.substitution import before_write, renamed, substituted
from heapwright.engines.lazy.paths.command_semantics import Assign, Havoc, Require, Semantics, Write
from heapwright.engines.lazy.paths.path_constraints import PathKind, constraints
from heapwright.engines.lazy.paths.path_formula import Path, PathFormula, PathStep
from heapwright.logic.connectives import FALSE, TRUE, And, Or

Sequence_ = tuple[t.Formula, ...]


class NoSequence(Exception):
    """The method has no sequence for a path."""


def interpolate(path: Path, steps: Sequence[PathStep], solver: Solver, kind: PathKind = "arrays") -> Sequence_ | None:
    """The interpolant sequence: one formula per location of the path; None if the path is feasible. `kind`: the path
    formula that the unsatisfiable core is of."""
    formula = PathFormula(steps)
    core = solver.core(list(enumerate(constraints(path, steps, kind))))
    if core is None:
        return None
    return _Newton(steps, formula, frozenset(core), solver, path.semantics).sequence(len(path.edges))


class _Newton:
    def __init__(
        self,
        steps: Sequence[PathStep],
        formula: PathFormula,
        core: frozenset[int],
        solver: Solver,
        semantics: Semantics,
    ) -> None:
        self.background = semantics.background
        self.steps = steps
        self.formula = formula
        self.solver = solver
        self.kept = [i in core or not isinstance(path_step.step, Require) for i, path_step in enumerate(steps)]

    def sequence(self, length: int) -> Sequence_:
        now: t.Formula = FALSE
        first: dict[int, t.Formula] = {}  # the formula before the first step of each edge
        for number in reversed(range(len(self.steps))):
            if self.kept[number]:
                now = self._before(number, now)
            first[self.steps[number].position] = now
        found: list[t.Formula] = [FALSE]
        for position in range(length, -1, -1):
            found.append(first.get(position, found[-1]))
        return tuple(reversed(found[1:]))

    def _before(self, number: int, now: t.Formula) -> t.Formula:
        """The weakest precondition of a step, restricted to the case that the path satisfies."""
        match self.steps[number].step:
            case Assign(name, value):
                if name not in t.names(now):
                    return now
                now = substituted(now, {name: value})
            case Write(array, index, value):
                if array not in t.arrays(now):
                    return now
                now = before_write(now, array, index, value)
            case Havoc(name):
                if name not in t.names(now):
                    return now
                now = for_all(name, now)
            case Require(required):
                excluded = t.negation(required)
                parts = now.operands if isinstance(now, And) else (now,)
                now = t.conj(t.disj((excluded, part)) for part in parts)
        return self._settled(now, number)

    def _settled(self, formula: t.Formula, number: int) -> t.Formula:
        """A stronger formula that the path implies before a step: of alternatives, one that holds."""
        if formula in (TRUE, FALSE):
            return formula
        match formula:
            case And(operands):
                return t.conj(self._settled(operand, number) for operand in operands)
            case Or(operands):
                if self._always(formula):
                    return TRUE
                for operand in sorted(operands, key=_cost):
                    if self._holds(operand, number):
                        return self._settled(operand, number)
                return formula
        return TRUE if self._always(formula) else formula

    def _always(self, formula: t.Formula) -> bool:
        """Whether the formula is valid under the invariants of variables."""
        return not self.solver.satisfiable((t.negation(formula), *self.background(t.names(formula))))

    def _holds(self, formula: t.Formula, number: int) -> bool:
        known = [one for one, kept in zip(self.formula.formulas[:number], self.kept, strict=False) if kept]
        return self.solver.implied(known, renamed(formula, self.formula.names[number]))


def _cost(formula: t.Formula) -> tuple[int, int, str]:
    return len(t.arrays(formula)), len(t.names(formula)), repr(formula)


# --- universal quantification --------------------------------------------------------------------------------------


def for_all(name: str, formula: t.Formula) -> t.Formula:
    """The formula for every value of a variable.

    >>> from heapwright.engines.lazy.logic.terms import disj, lt, text, var
    >>> text(for_all("x", disj((lt(var("x"), var("a")), lt(var("b"), var("x"))))))
    'b <= a - 1'
    """
    match formula:
        case And(operands):
            return t.conj(for_all(name, operand) for operand in operands)
        case Or(operands):
            return _clause(name, operands)
        case _ if name in t.names(formula):
            return _clause(name, (formula,))
    return formula


def _clause(name: str, literals: Sequence[t.Formula]) -> t.Formula:
    """The elimination of a variable from a disjunction: upper and lower bounds that leave no gap, or the rest."""
    rest = [one for one in literals if name not in t.names(one)]
    bound = [one for one in literals if name in t.names(one)]
    for literal in bound:
        others = [one for one in literals if one is not literal]
        if isinstance(literal, And):
            return t.conj(for_all(name, t.disj((operand, *others))) for operand in literal.operands)
        if isinstance(literal, t.NotZero):
            solved = _solved(name, literal.term)
            return t.disj(substituted(one, {name: solved}) for one in others)
    if len(bound) == 1:
        return t.disj(rest)  # no one value, and no one bound, is that of every number
    above: list[t.Term] = []  # name <= t is one of the alternatives
    below: list[t.Term] = []
    for literal in bound:
        if not isinstance(literal, t.AtMost):
            raise NoSequence(name)
        (above if _coefficient(name, literal.term) > 0 else below).append(_solved(name, literal.term))
    gaps = [t.le(low, t.plus(high, t.num(1))) for low in below for high in above]
    return t.disj((*rest, *gaps))


def _coefficient(name: str, term: t.Term) -> int:
    return next((k for leaf, k in term.parts if leaf == t.Variable(name)), 0)


def _solved(name: str, term: t.Term) -> t.Term:
    """The value of the variable for which the term is 0."""
    k = _coefficient(name, term)
    without = t.minus(term, t.Term(0, ((t.Variable(name), k),)))
    if abs(k) != 1 or name in t.names(without):
        raise NoSequence(name)
    return t.times(without, -k)


# --- checking ------------------------------------------------------------------------------------------------------


def faults(path: Path, sequence: Sequence_, semantics: Semantics, solver: Solver) -> list[str]:
    """The faults of an interpolant sequence: the first formula must hold initially, the last must be false, each must
    imply the next over its edge and mention only variables that occur later on the path."""
    found: list[str] = []
    steps = path.steps()
    by_position: dict[int, list[PathStep]] = {}
    for path_step in steps:
        by_position.setdefault(path_step.position, []).append(path_step)
    before: list[t.Formula] = [TRUE, *sequence]
    after: list[t.Formula] = [*sequence, FALSE]
    for position, (first, second) in enumerate(zip(before, after, strict=True), start=-1):
        formula = PathFormula(by_position.get(position, []))
        end = renamed(second, formula.names[-1])
        known = semantics.background(t.names(first).union(t.names(second), *map(t.names, formula.formulas)))
        final = semantics.background(t.names(second))
        known += [renamed(one, formula.names[-1]) for one in final]
        if solver.satisfiable((first, *known, *formula.formulas, t.negation(end))):
            found.append(f"step {position}: does not lead from one formula to the next")
    seen: frozenset[str] = frozenset()
    for position in reversed(range(len(path.edges) + 1)):
        for path_step in by_position.get(position, []):
            seen |= _read(path_step)
        foreign = t.names(sequence[position]) - seen
        if foreign:
            found.append(f"cut {position}: {', '.join(sorted(foreign))} is not read later")
    return found


def _read(path_step: PathStep) -> frozenset[str]:
    match path_step.step:
        case Assign(_, value):
            return t.names(value)
        case Write(_, index, value):
            return t.names(index) | t.names(value)
        case Require(formula):
            return t.names(formula)
        case Havoc():
            return frozenset()
