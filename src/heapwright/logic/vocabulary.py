"""Vocabularies: the predicates of an analysis with their properties and definitions, and integrity constraints.

>>> next_ = Predicate("n", 2, function=True)
>>> Vocabulary((next_,))["n"].function
True
"""

from __future__ import annotations

from functools import cached_property

from heapwright.base.immutable import Immutable
from heapwright.base.source import Span
from heapwright.logic.formulas import Formula, Kleene


class Predicate(Immutable):
    """A core predicate, or an instrumentation predicate with its definition over `parameters`."""

    name: str
    arity: int
    definition: Formula | None = None
    parameters: tuple[str, ...] = ()
    abstraction: bool = True  # takes part in canonical names; only nullary and unary ones do
    # Variables (unique predicates), one for each argument: structures in which the predicate has different values on
    # the nodes of such variables are not joined.
    separates: tuple[tuple[str, ...], ...] = ()
    unique: bool = False
    function: bool = False
    invfunction: bool = False
    symmetric: bool = False
    antisymmetric: bool = False
    transitive: bool = False
    reflexive: bool = False
    antireflexive: bool = False
    acyclic: bool = False
    unique_per_component: str = ""  # of which binary predicate
    pointer: bool = False  # drawn as an arrow
    shown: frozenset[Kleene] = frozenset((Kleene.TRUE, Kleene.HALF))
    span: Span | None = None


class Vocabulary(Immutable):
    predicates: tuple[Predicate, ...]

    @cached_property
    def by_name(self) -> dict[str, Predicate]:
        return {predicate.name: predicate for predicate in self.predicates}

    def __getitem__(self, name: str) -> Predicate:
        return self.by_name[name]

    def __contains__(self, name: str) -> bool:
        return name in self.by_name


class Constraint(Immutable):
    """body ==> head; the head is an atom, a negated atom, an equality, an inequality or false."""

    body: Formula
    head: Formula
    span: Span | None = None
