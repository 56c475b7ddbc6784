"""Heap formulas over one free object `v`; closed ones are about the whole heap (Podelski, Wies 2005, Definition 1).

Terms are objects: the variables of the program, `null`, `junk` (what an uninitialised pointer holds), `v`, `fresh` (any
object that was never allocated) and fields of terms. Numbers are constants, variables, data fields, and sums of one of
them and a constant. Atoms compare terms, say that an object is alive, or that a path of one field leads from an object
to another: `between(f, a, b, c)` says that b lies on the shortest path from a to c (Lahiri, Qadeer, POPL 2008), which
needs no assumption about cycles.

Every object has every field; that of null is null, and those of objects that are not alive are junk. The functions
below make formulas and simplify by that.

>>> from heapwright.engines.boolheap.logic.printing import text
>>> text(conj(eq(field("next", V), name("x")), negation(reach("next", NULL, V))))
'x = v.next & null != v'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from heapwright.logic import connectives
from heapwright.logic.connectives import FALSE, TRUE, And, Not, Or, Truth, flattened


@dataclass(frozen=True, slots=True)
class Name:
    """An object by name: a variable of the program, or one of the names below."""

    id: str


@dataclass(frozen=True, slots=True)
class Field:
    field: str
    base: Term


Term = Name | Field
V, NULL, JUNK, FRESH = Name("%v"), Name("%null"), Name("%junk"), Name("%fresh")  # no variable of C is called so
CHOSEN = Name("?chosen")  # whatever an input points to: a constant for the time of one step
RESERVED = {one.id[1:]: one for one in (V, NULL, JUNK, FRESH)}


@dataclass(frozen=True, slots=True)
class Constant:
    value: int


@dataclass(frozen=True, slots=True)
class Number:
    """A variable of the program that is a number."""

    id: str


@dataclass(frozen=True, slots=True)
class Data:
    field: str
    base: Term


@dataclass(frozen=True, slots=True)
class Sum:
    number: Number | Data
    constant: int


Numeric = Constant | Number | Data | Sum


@dataclass(frozen=True, slots=True)
class Equal:
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Alive:
    object: Term


@dataclass(frozen=True, slots=True)
class Marked:
    """A ghost predicate: the value of a formula at an earlier time, which no command changes."""

    mark: str
    object: Term


@dataclass(frozen=True, slots=True)
class Between:
    field: str
    start: Term
    middle: Term
    end: Term


@dataclass(frozen=True, slots=True)
class Less:
    left: Numeric
    right: Numeric


@dataclass(frozen=True, slots=True)
class Same:
    left: Numeric
    right: Numeric


Atom = Equal | Alive | Marked | Between | Less | Same
Formula = Truth | Atom | Not["Formula"] | And["Formula"] | Or["Formula"]

# --- making them -----------------------------------------------------------------------------------------------------


def name(id: str) -> Name:
    return Name(id)


def field(field: str, base: Term) -> Term:
    if base in (NULL, JUNK):
        return base
    return JUNK if base == FRESH else Field(field, base)


def plus(number: Numeric, constant: int) -> Numeric:
    match number:
        case Constant(value):
            return Constant(value + constant)
        case Sum(inner, old):
            return plus(inner, old + constant)
        case Number() | Data():
            return Sum(number, constant) if constant else number


def eq(left: Term, right: Term) -> Formula:
    if left == right:
        return TRUE
    ends = {left, right}
    if ends <= {NULL, JUNK, FRESH} or (FRESH in ends and V not in ends):
        return FALSE  # nothing leads to an object that was never allocated
    first, second = sorted((left, right), key=_order)
    return Equal(first, second)


def _order(term: Term) -> tuple[int, str]:
    return (isinstance(term, Field), term_text(term)) if term != V else (2, "")


def alive(object: Term) -> Formula:
    return FALSE if object in (NULL, JUNK, FRESH) else Alive(object)


def between(field: str, start: Term, middle: Term, end: Term) -> Formula:
    """The middle is on the shortest path from the start to the end."""
    if start == middle:
        return reach(field, start, end)
    if start == end:
        return eq(start, middle)
    if start in (NULL, JUNK):
        return conj(eq(start, middle), eq(start, end))
    if start == FRESH:
        alone = conj(eq(start, middle), eq(start, end))
        return disj(alone, conj(eq(end, JUNK), disj(eq(middle, FRESH), eq(middle, JUNK))))
    if end == FRESH:
        return conj(eq(start, end), eq(middle, end))
    return Between(field, start, middle, end)


def reach(field: str, start: Term, end: Term) -> Formula:
    """Reachability along a field, reflexive."""
    if start == end:
        return TRUE
    if start in (NULL, JUNK) or end == FRESH:
        return eq(start, end)
    if start == FRESH:
        return disj(eq(start, end), eq(end, JUNK))
    return Between(field, start, end, end)


def less(left: Numeric, right: Numeric) -> Formula:
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Truth(left.value < right.value)
    return FALSE if left == right else Less(*_level(left, right))


def same(left: Numeric, right: Numeric) -> Formula:
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Truth(left.value == right.value)
    return TRUE if left == right else Same(*_level(left, right))


COMPARISONS = frozenset({"=", "!=", "<", ">", "<=", ">="})


def comparison(symbol: str, left: Numeric, right: Numeric) -> Formula:
    match symbol:
        case "=":
            return same(left, right)
        case "!=":
            return negation(same(left, right))
        case "<":
            return less(left, right)
        case ">":
            return less(right, left)
        case "<=":
            return negation(less(right, left))
        case ">=":
            return negation(less(left, right))
    raise ValueError(f"'{symbol}' compares nothing")


def _level(left: Numeric, right: Numeric) -> tuple[Numeric, Numeric]:
    """Both sides less what the left one adds."""
    if isinstance(left, Sum):
        return left.number, plus(right, -left.constant)
    if isinstance(left, Constant) and isinstance(right, Sum):
        return Constant(left.value - right.constant), right.number
    return left, right


def negation(formula: Formula) -> Formula:
    match formula:
        case Truth(value):
            return Truth(not value)
        case Not(operand):
            return operand
        case And(operands):
            return disj(*map(negation, operands))
        case Or(operands):
            return conj(*map(negation, operands))
    return Not(formula)


def conj(*parts: Formula) -> Formula:
    return _joined(parts, And, FALSE)


def disj(*parts: Formula) -> Formula:
    return _joined(parts, Or, TRUE)


def _joined(parts: Iterable[Formula], kind: type[And[Formula] | Or[Formula]], zero: Truth) -> Formula:
    found = flattened(parts, kind)
    if found is None:
        return zero
    known = set(found)
    if any(negation(one) in known for one in found):
        return zero
    return kind(tuple(found)) if len(found) > 1 else found[0] if found else Truth(not zero.value)


def implies(left: Formula, right: Formula) -> Formula:
    return disj(negation(left), right)


# --- looking at them -------------------------------------------------------------------------------------------------


def atoms(formula: Formula) -> Iterator[Atom]:
    return connectives.atoms(formula)


def terms_of(atom: Atom) -> tuple[Term, ...]:
    match atom:
        case Equal(left, right):
            return left, right
        case Alive(object) | Marked(_, object):
            return (object,)
        case Between(_, start, middle, end):
            return start, middle, end
        case Less(left, right) | Same(left, right):
            return tuple(found.base for found in map(bare, (left, right)) if isinstance(found, Data))


def bare(number: Numeric) -> Numeric:
    return number.number if isinstance(number, Sum) else number


def subterms(found: Iterable[Atom]) -> list[Term]:
    """The terms of atoms and what they are fields of, with the names that every heap has, in one order."""
    every: dict[Term, None] = dict.fromkeys((V, NULL, JUNK, FRESH))
    for term in (term for atom in found for term in terms_of(atom)):
        every[term] = None
        while isinstance(term, Field):
            term = term.base
            every[term] = None
    return sorted(every, key=term_text)


def fields_of(term: Term) -> set[str]:
    found = set()
    while isinstance(term, Field):
        found.add(term.field)
        term = term.base
    return found


def root(term: Term) -> Name:
    while isinstance(term, Field):
        term = term.base
    return term


def names_of(formula: Formula) -> frozenset[str]:
    """The variables of the program that a formula mentions, integers included."""
    found: set[str] = set()
    for atom in atoms(formula):
        found.update(root(term).id for term in terms_of(atom))
        if isinstance(atom, Less | Same):
            sides = map(bare, (atom.left, atom.right))
            found.update(side.id for side in sides if isinstance(side, Number))
    return frozenset(one for one in found if not one.startswith("%"))


def marks_of(formula: Formula) -> frozenset[str]:
    return frozenset(atom.mark for atom in atoms(formula) if isinstance(atom, Marked))


def is_closed(formula: Formula) -> bool:
    """Whether `v` does not occur."""
    return all(root(term) != V for atom in atoms(formula) for term in terms_of(atom))


# --- their order -----------------------------------------------------------------------------------------------------


def term_text(term: Term) -> str:
    """A variable with the name of something else has a quote before it."""
    if isinstance(term, Field):
        return f"{term_text(term.base)}.{term.field}"
    return term.id[1:] if term.id.startswith("%") else f"`{term.id}" if term.id in RESERVED else term.id
