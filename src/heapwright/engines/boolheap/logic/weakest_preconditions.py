"""The weakest precondition of a heap predicate, by substitution (Proposition 2).

The result is a pair: the assumption of the command about the state before it, and a formula. The predicate holds
afterwards if the assumption entails the formula, and does not hold if it entails its negation; so one computation
serves both, although one precondition is not the negation of the other. `fresh` and the numbers `?0`, `?1`, ... are
nondeterministic choices and universally quantified.

>>> from heapwright.engines.boolheap.logic.formulas import V, eq, field, name
>>> from heapwright.engines.boolheap.logic.printing import text
>>> text(hwp((h.Link(name("x"), "next", name("y")),), eq(field("next", V), name("z"))).formula)
'(x = v & y = z) | (x != v & z = v.next)'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.logic import heap_commands as h
from heapwright.engines.boolheap.logic.substitution import instantiated, over_atoms, substituted, substituted_term
from heapwright.logic.connectives import TRUE

ANY = "?"  # prefix of names of nondeterministic integers


@dataclass(frozen=True, slots=True)
class Precondition:
    supposed: f.Formula
    formula: f.Formula


def hwp(commands: Sequence[h.HeapCommand], formula: f.Formula) -> Precondition:
    """The weakest precondition of a formula over commands, of the same object."""
    supposed: f.Formula = TRUE
    for index, command in reversed(tuple(enumerate(commands))):
        if isinstance(command, h.Suppose):
            supposed = f.conj(command.formula, supposed)
        else:
            supposed = _before(command, index, supposed)
            formula = _before(command, index, formula)
    return Precondition(supposed, formula)


def _before(command: h.HeapCommand, index: int, formula: f.Formula) -> f.Formula:
    match command:
        case h.Point(variable, value):
            return substituted(formula, {f.Name(variable): value})
        case h.Create(variable):
            return _created(formula, variable)
        case h.End(object):
            return _ended(formula, object)
        case h.Count(variable, value):
            return substituted(formula, {}, {variable: f.Number(f"{ANY}{index}") if value is None else value})
        case h.Write(base, name, value):
            return _rewritten(formula, _DataUpdate(base, name, f.Number(f"{ANY}{index}") if value is None else value))
        case h.Link(base, name, value):
            return _rewritten(formula, _PointerUpdate(base, name, value))
        case h.Suppose(condition):
            return f.disj(f.negation(condition), formula)
        case h.Mark(mark, now):
            return over_atoms(formula, lambda atom: _marked(atom, mark, now))


def _created(formula: f.Formula, variable: str) -> f.Formula:
    """The allocated object is alive now; `substituted` uses that it was not before."""

    def change(atom: f.Formula) -> f.Formula:
        if not isinstance(atom, f.Alive):
            return substituted(atom, {f.Name(variable): f.FRESH})
        object = substituted_term(atom.object, {f.Name(variable): f.FRESH})
        return f.disj(f.eq(object, f.FRESH), f.alive(object))

    return over_atoms(formula, change)


def _ended(formula: f.Formula, object: f.Term) -> f.Formula:
    def change(atom: f.Formula) -> f.Formula:
        return f.conj(f.negation(f.eq(atom.object, object)), atom) if isinstance(atom, f.Alive) else atom

    return over_atoms(formula, change)


def _marked(atom: f.Formula, mark: str, now: f.Formula) -> f.Formula:
    return instantiated(now, atom.object) if isinstance(atom, f.Marked) and atom.mark == mark else atom


Cases = list[tuple[f.Formula, f.Term]]
NumberCases = list[tuple[f.Formula, f.Numeric]]


class _PointerUpdate:
    """A pointer field is another function: that of one object is changed."""

    def __init__(self, base: f.Term, field: str, value: f.Term) -> None:
        self.base, self.field, self.value = base, field, value

    def terms(self, term: f.Term) -> Cases:
        if isinstance(term, f.Name):
            return [(TRUE, term)]
        found: Cases = []
        for guard, inner in self.terms(term.base):
            here = f.eq(inner, self.base) if term.field == self.field else f.negation(TRUE)
            found.append((f.conj(guard, here), self.value))
            found.append((f.conj(guard, f.negation(here)), f.field(term.field, inner)))
        return [(guard, inner) for guard, inner in found if guard != f.negation(TRUE)]

    def numbers(self, number: f.Numeric) -> NumberCases:
        match number:
            case f.Data(name, base):
                return [(guard, f.Data(name, inner)) for guard, inner in self.terms(base)]
            case f.Sum(inner, constant):
                return [(guard, f.plus(one, constant)) for guard, one in self.numbers(inner)]
            case f.Constant() | f.Number():
                return [(TRUE, number)]

    def path(self, name: str, start: f.Term, middle: f.Term, end: f.Term) -> f.Formula:
        if name != self.field:
            return f.between(name, start, middle, end)
        if middle == end:
            return self._reaches(start, end)
        base, value = self.base, self.value
        old = f.conj(f.between(name, start, middle, end), self._avoiding(start, end, base))
        passes = f.conj(f.negation(f.eq(base, end)), self._avoiding(start, base, end), self._avoiding(value, end, base))
        return f.disj(
            old, f.conj(passes, f.disj(f.between(name, start, middle, base), f.between(name, value, middle, end)))
        )

    def _reaches(self, start: f.Term, end: f.Term) -> f.Formula:
        by_the_new = f.conj(f.reach(self.field, start, self.base), self._avoiding(self.value, end, self.base))
        return f.disj(self._avoiding(start, end, self.base), by_the_new)

    def _avoiding(self, start: f.Term, end: f.Term, avoided: f.Term) -> f.Formula:
        """The start reaches the end, and the avoided object not before that."""
        clear = f.conj(f.reach(self.field, start, end), f.negation(f.reach(self.field, start, avoided)))
        return f.disj(f.between(self.field, start, end, avoided), clear)


class _DataUpdate(_PointerUpdate):
    """A data field is another function; objects and paths are what they were."""

    def __init__(self, base: f.Term, field: str, number: f.Numeric) -> None:
        super().__init__(base, "", base)
        self.data, self.number = field, number

    def numbers(self, number: f.Numeric) -> NumberCases:
        match number:
            case f.Data(name, base) if name == self.data:
                here = f.eq(base, self.base)
                return [(here, self.number), (f.negation(here), number)]
            case f.Sum(inner, constant):
                return [(guard, f.plus(one, constant)) for guard, one in self.numbers(inner)]
        return [(TRUE, number)]


def _rewritten(formula: f.Formula, change: _PointerUpdate) -> f.Formula:
    """Terms become terms by case; each case is an atom of its own, so that no lambda remains."""

    def atom(one: f.Formula) -> f.Formula:
        match one:
            case f.Equal(left, right):
                return _by_case(change, (left, right), lambda a, b: f.eq(a, b))
            case f.Alive(object):
                return _by_case(change, (object,), lambda a: f.alive(a))
            case f.Marked(mark, object):
                return _by_case(change, (object,), lambda a: f.Marked(mark, a))
            case f.Between(name, start, middle, end) if middle == end:
                return _by_case(change, (start, end), lambda a, b: change.path(name, a, b, b))
            case f.Between(name, start, middle, end):
                return _by_case(change, (start, middle, end), lambda a, b, c: change.path(name, a, b, c))
            case f.Less(left, right) | f.Same(left, right):
                make = f.less if isinstance(one, f.Less) else f.same
                return f.disj(
                    *(
                        f.conj(guard, other, make(a, b))
                        for guard, a in change.numbers(left)
                        for other, b in change.numbers(right)
                    )
                )
        return one

    return over_atoms(formula, atom)


def _by_case(change: _PointerUpdate, terms: Sequence[f.Term], make: Callable[..., f.Formula]) -> f.Formula:
    combinations: list[tuple[f.Formula, tuple[f.Term, ...]]] = [(TRUE, ())]
    for term in terms:
        combinations = [
            (f.conj(guard, more), (*chosen, found))
            for guard, chosen in combinations
            for more, found in change.terms(term)
        ]
    return f.disj(*(f.conj(guard, make(*chosen)) for guard, chosen in combinations))
