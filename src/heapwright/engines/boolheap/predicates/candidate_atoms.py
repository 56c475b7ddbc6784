"""Candidate predicates from the atoms of formulas.

An atom is a candidate as it is, and if it dereferences a variable, also as a predicate of any object `v`:

    candidates_of([0 < x#data])     # 0 < v#data
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.logic.substitution import substituted
from heapwright.engines.boolheap.logic.weakest_preconditions import ANY
from heapwright.logic.connectives import Truth


def candidates_of(formulas: Iterable[f.Formula], *, closed: bool = False) -> Iterator[f.Formula]:
    """The atoms of formulas that are candidates, and where they dereference a variable, the same of any object. With
    `closed`, those about variables alone are candidates as they are."""
    for atom in (atom for formula in formulas for atom in f.atoms(formula)):
        if not _plain(atom):
            continue
        objects = sorted({f.root(term).id for term in f.terms_of(atom) if _dereferences(atom, term)})
        if closed or not f.is_closed(atom) or (isinstance(atom, f.Less | f.Same) and not objects):
            yield atom
        for variable in objects:  # a predicate of all objects covers the one that the variable points to
            if not variable.startswith("%"):
                general = substituted(atom, {f.Name(variable): f.V})
                if not isinstance(general, Truth):
                    yield general


def _dereferences(atom: f.Atom, term: f.Term) -> bool:
    """Whether the atom reads the object of a term."""
    return isinstance(term, f.Field) or isinstance(atom, f.Between | f.Less | f.Same)


def _plain(atom: f.Atom) -> bool:
    """Whether an atom has no fresh objects, nested dereferences or chosen integers."""
    for term in f.terms_of(atom):
        if f.root(term) in (f.FRESH, f.CHOSEN) or (isinstance(term, f.Field) and isinstance(term.base, f.Field)):
            return False
    if isinstance(atom, f.Less | f.Same):
        sides = [f.bare(side) for side in (atom.left, atom.right)]
        if any(isinstance(side, f.Number) and side.id.startswith(ANY) for side in sides):
            return False
        return any(isinstance(side, f.Number | f.Data) for side in sides)
    return True
