"""Predicates as columns of vectors, and the table of atoms over which queries are made.

Heaps are split so that each variable points to an object with one vector, which is therefore a fact about the whole
heap. The atoms of a query are the predicates at `v` and at the objects of all *points*: null, junk, the variables,
fields of variables in predicates, and the object that a step loads or allocates. A post over these atoms depends on the
heap, as section 7 of the paper discusses, and can still be precomputed.

Atom `(slot + 1) * width + column` is the predicate of the column at the point of the slot; the first `width` atoms are
at `v`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from heapwright.engines.boolheap.domain.vectors import BooleanHeap, Vector
from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.logic.substitution import instantiated
from heapwright.logic.connectives import Truth


@dataclass(frozen=True)
class AtomTable:
    """Predicates at `v` and at named objects, numbered. If a step needs one more unique predicate, it is the last."""

    predicates: tuple[f.Formula, ...]
    found: f.Term | None = None  # the term of the further predicate
    context: bool = True  # False: atoms at `v` alone, as in Definition 5

    @property
    def width(self) -> int:
        return len(self.predicates)

    @cached_property
    def closed(self) -> int:
        return sum(1 << index for index, one in enumerate(self.predicates) if f.is_closed(one))

    @cached_property
    def points(self) -> tuple[tuple[int, f.Term], ...]:
        """The predicates `term = v`, which hold of exactly one object, with their terms."""
        named = [
            (index, one.left if one.right == f.V else one.right)
            for index, one in enumerate(self.predicates)
            if isinstance(one, f.Equal) and f.V in (one.left, one.right)
        ]
        return tuple((index, term) for index, term in named if f.root(term) != f.V)

    @cached_property
    def unique(self) -> int:
        return sum(1 << index for index, _ in self.points)

    @cached_property
    def atoms(self) -> tuple[f.Formula, ...]:
        return (
            *self.predicates,
            *(instantiated(one, term) for _, term in self.points for one in self.predicates),
        )

    @cached_property
    def distinct(self) -> int:
        """The atoms without constants and duplicates."""
        seen: set[f.Formula] = set()
        mask = 0
        for index, atom in enumerate(self.atoms):
            if not isinstance(atom, Truth) and atom not in seen:
                mask |= 1 << index
                seen.add(atom)
        return mask

    def active(self, live: frozenset[str], unset: frozenset[str] = frozenset()) -> int:
        """The predicates over these variables only, and none of these ghost predicates."""
        return sum(
            1 << index
            for index, one in enumerate(self.predicates)
            if f.names_of(one) <= live and not (unset and unset & f.marks_of(one))
        )

    def of(self, terms: Collection[f.Term]) -> int:
        """The predicates that mention one of these terms."""
        return sum(
            1 << index
            for index, one in enumerate(self.predicates)
            if any(term in terms for atom in f.atoms(one) for term in f.terms_of(atom))
        )

    def at_points(self, heap: BooleanHeap) -> Vector:
        """The vectors of the objects of all points, as atoms. The heap must have been split."""
        ones = zeros = 0
        if not self.context:
            return Vector(0, 0)
        for slot, (index, _) in enumerate(self.points):
            found = [one for one in heap if one.ones >> index & 1]
            assert len(found) <= 1, "the heap has not been split"
            if found:
                shift = (slot + 1) * self.width
                ones |= found[0].ones << shift
                zeros |= found[0].zeros << shift
        return Vector(ones, zeros)

    def extended(self, term: f.Term, predicate: f.Formula) -> AtomTable:
        return AtomTable((*self.predicates, predicate), term, self.context)

    def with_temporaries(self, predicates: tuple[f.Formula, ...]) -> AtomTable:
        """The table with predicates for the time of a step."""
        return AtomTable((*self.predicates, *predicates), self.found, self.context)
