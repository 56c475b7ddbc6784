"""The weakest precondition of a heap predicate, by substitution (Proposition 2).

The result is a pair: the assumption of the command about the state before it, and a formula. The predicate holds
afterwards if the assumption entails the formula, and does not hold if it entails its negation; so one computation
serves both, although one precondition is not the negation of the other. `fresh` and the numbers `?0`, `?1`, ... are
nondeterministic choices and universally quantified.

>>> from heapwright.engines.boolheap.logic.formulas import V, eq, field, name
>>> from heapwright.engines.boolheap.logic.printing import text
>>> text(hwp((Link(name("x"), "next", name("y")),), eq(field("next", V), name("z"))).formula)
'(x = v & y = z) | (x != v & z = v.next)'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heapwright.engines.boolheap.logic.formulas import (
    FRESH,
    Alive,
    Between,
    Constant,
    Data,
    Equal,
    Formula,
    Less,
    Marked,
    Name,
    Number,
    Numeric,
    Same,
    Sum,
    Term,
    alive,
    between,
    conj,
    disj,
    eq,
    field,
    less,
    negation,
    plus,
    reach,
    same,
)
from heapwright.engines.boolheap.logic.heap_commands import (
    Count,
    Create,
    End,
    HeapCommand,
    Link,
    Mark,
    Point,
    Suppose,
    Write,
)
from heapwright.engines.boolheap.logic.substitution import instantiated, over_atoms, substituted, substituted_term
from heapwright.logic.connectives import TRUE

ANY = "?"  # prefix of names of nondeterministic integers


@dataclass(frozen=True, slots=True)
class Precondition:
    supposed: Formula
    formula: Formula


def hwp(commands: Sequence[HeapCommand], formula: Formula) -> Precondition:
    """The weakest precondition of a formula over commands, of the same object."""
    supposed: Formula = TRUE
    for place, command in reversed(tuple(enumerate(commands))):
        if isinstance(command, Suppose):
            supposed = conj(command.formula, supposed)
        else:
            supposed = _before(command, place, supposed)
            formula = _before(command, place, formula)
    return Precondition(supposed, formula)


def _before(command: HeapCommand, place: int, formula: Formula) -> Formula:
    match command:
        case Point(variable, value):
            return substituted(formula, {Name(variable): value})
        case Create(variable):
            return _created(formula, variable)
        case End(object):
            return _ended(formula, object)
        case Count(variable, value):
            return substituted(formula, {}, {variable: Number(f"{ANY}{place}") if value is None else value})
        case Write(base, name, value):
            return _rewritten(formula, _DataUpdate(base, name, Number(f"{ANY}{place}") if value is None else value))
        case Link(base, name, value):
            return _rewritten(formula, _PointerUpdate(base, name, value))
        case Suppose(condition):
            return disj(negation(condition), formula)
        case Mark(mark, now):
            return over_atoms(formula, lambda atom: _marked(atom, mark, now))


def _created(formula: Formula, variable: str) -> Formula:
    """The allocated object is alive now; `substituted` uses that it was not before."""

    def change(atom: Formula) -> Formula:
        if not isinstance(atom, Alive):
            return substituted(atom, {Name(variable): FRESH})
        object = substituted_term(atom.object, {Name(variable): FRESH})
        return disj(eq(object, FRESH), alive(object))

    return over_atoms(formula, change)


def _ended(formula: Formula, object: Term) -> Formula:
    def change(atom: Formula) -> Formula:
        return conj(negation(eq(atom.object, object)), atom) if isinstance(atom, Alive) else atom

    return over_atoms(formula, change)


def _marked(atom: Formula, mark: str, now: Formula) -> Formula:
    return instantiated(now, atom.object) if isinstance(atom, Marked) and atom.mark == mark else atom


Cases = list[tuple[Formula, Term]]
NumberCases = list[tuple[Formula, Numeric]]


class _PointerUpdate:
    """A pointer field is another function: that of one object is changed."""

    def __init__(self, base: Term, field: str, value: Term) -> None:
        self.base, self.field, self.value = base, field, value

    def terms(self, term: Term) -> Cases:
        if isinstance(term, Name):
            return [(TRUE, term)]
        found: Cases = []
        for guard, inner in self.terms(term.base):
            here = eq(inner, self.base) if term.field == self.field else negation(TRUE)
            found.append((conj(guard, here), self.value))
            found.append((conj(guard, negation(here)), field(term.field, inner)))
        return [(guard, inner) for guard, inner in found if guard != negation(TRUE)]

    def numbers(self, number: Numeric) -> NumberCases:
        match number:
            case Data(name, base):
                return [(guard, Data(name, inner)) for guard, inner in self.terms(base)]
            case Sum(inner, constant):
                return [(guard, plus(one, constant)) for guard, one in self.numbers(inner)]
            case Constant() | Number():
                return [(TRUE, number)]

    def path(self, name: str, start: Term, middle: Term, end: Term) -> Formula:
        if name != self.field:
            return between(name, start, middle, end)
        if middle == end:
            return self._reaches(start, end)
        f, base, value = name, self.base, self.value
        old = conj(between(f, start, middle, end), self._avoiding(start, end, base))
        passes = conj(negation(eq(base, end)), self._avoiding(start, base, end), self._avoiding(value, end, base))
        return disj(old, conj(passes, disj(between(f, start, middle, base), between(f, value, middle, end))))

    def _reaches(self, start: Term, end: Term) -> Formula:
        by_the_new = conj(reach(self.field, start, self.base), self._avoiding(self.value, end, self.base))
        return disj(self._avoiding(start, end, self.base), by_the_new)

    def _avoiding(self, start: Term, end: Term, avoided: Term) -> Formula:
        """The start reaches the end, and the avoided object not before that."""
        clear = conj(reach(self.field, start, end), negation(reach(self.field, start, avoided)))
        return disj(between(self.field, start, end, avoided), clear)


class _DataUpdate(_PointerUpdate):
    """A data field is another function; objects and paths are what they were."""

    def __init__(self, base: Term, field: str, number: Numeric) -> None:
        super().__init__(base, "", base)
        self.data, self.number = field, number

    def numbers(self, number: Numeric) -> NumberCases:
        match number:
            case Data(name, base) if name == self.data:
                here = eq(base, self.base)
                return [(here, self.number), (negation(here), number)]
            case Sum(inner, constant):
                return [(guard, plus(one, constant)) for guard, one in self.numbers(inner)]
        return [(TRUE, number)]


def _rewritten(formula: Formula, change: _PointerUpdate) -> Formula:
    """Terms become terms by case; each case is an atom of its own, so that no lambda remains."""

    def atom(one: Formula) -> Formula:
        match one:
            case Equal(left, right):
                return _by_case(change, (left, right), lambda a, b: eq(a, b))
            case Alive(object):
                return _by_case(change, (object,), lambda a: alive(a))
            case Marked(mark, object):
                return _by_case(change, (object,), lambda a: Marked(mark, a))
            case Between(name, start, middle, end) if middle == end:
                return _by_case(change, (start, end), lambda a, b: change.path(name, a, b, b))
            case Between(name, start, middle, end):
                return _by_case(change, (start, middle, end), lambda a, b, c: change.path(name, a, b, c))
            case Less(left, right) | Same(left, right):
                make = less if isinstance(one, Less) else same
                return disj(
                    *(
                        conj(guard, other, make(a, b))
                        for guard, a in change.numbers(left)
                        for other, b in change.numbers(right)
                    )
                )
        return one

    return over_atoms(formula, atom)


def _by_case(change: _PointerUpdate, terms: Sequence[Term], make: Callable[..., Formula]) -> Formula:
    combinations: list[tuple[Formula, tuple[Term, ...]]] = [(TRUE, ())]
    for term in terms:
        combinations = [
            (conj(guard, more), (*chosen, found))
            for guard, chosen in combinations
            for more, found in change.terms(term)
        ]
    return disj(*(conj(guard, make(*chosen)) for guard, chosen in combinations))
