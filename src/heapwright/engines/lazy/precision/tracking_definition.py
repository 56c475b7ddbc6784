"""Tracking definitions: the separating pointers, node predicates and shape type of a component.

A tracking definition maps to a shape class, a vocabulary of `tvl` (see `shape_classes`). A node predicate is an atom in
which `*` stands for the value of a cell: `* == 3` of the cell `node.h` holds of a node whose h is 3. Shape types are
ordered by refinement: fields alone, then reachability, sharing and cycles along them as well. What a list is, singly or
doubly linked, nested, or a tree, follows from the fields of its C types and needs no name.

>>> from heapwright.engines.lazy.logic.terms import eq, num, var
>>> Tracking().refined(separating={"p"}, predicates={NodePredicate("node.h", eq(var(VALUE), num(3)))}).text()
'fields; apart: p; of nodes: node.h == 3'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum

from heapwright.engines.lazy.logic.substitution import substituted
from heapwright.engines.lazy.logic.terms import Formula, Term, names, text, var

VALUE = "*"


class ShapeType(IntEnum):
    """From coarse to fine."""

    FIELDS = 0
    REACHABILITY = 1


TYPE_NAMES = {ShapeType.FIELDS: "fields", ShapeType.REACHABILITY: "fields and reachability"}


@dataclass(frozen=True, slots=True)
class NodePredicate:
    """An atom over `*`, the value of a cell, and integer variables."""

    cell: str
    atom: Formula

    def of(self, value: Term) -> Formula:
        """The atom with a value in place of `*`."""
        return substituted(self.atom, {VALUE: value})

    @property
    def scalars(self) -> frozenset[str]:
        return names(self.atom) - {VALUE}

    @property
    def name(self) -> str:
        return text(substituted(self.atom, {VALUE: var(self.cell)}))


@dataclass(frozen=True, slots=True)
class Tracking:
    """The tracking definition of a component. All of its pointers are tracked (it is closed under aliasing); those of
    `separating` are abstraction predicates. `all_apart`: every pointer is."""

    separating: frozenset[str] = frozenset()
    predicates: frozenset[NodePredicate] = frozenset()
    type: ShapeType = ShapeType.FIELDS
    all_apart: bool = False

    def refined(self, separating: Iterable[str] = (), predicates: Iterable[NodePredicate] = ()) -> Tracking:
        return replace(self, separating=self.separating | set(separating), predicates=self.predicates | set(predicates))

    def finer(self) -> Tracking | None:
        """The next shape type, once nothing else is left to add; None after the last one."""
        if self.type < ShapeType.REACHABILITY:
            return replace(self, type=ShapeType(self.type + 1))
        return None if self.all_apart else replace(self, all_apart=True)

    @staticmethod
    def finest(predicates: Iterable[NodePredicate] = ()) -> Tracking:
        return Tracking(frozenset(), frozenset(predicates), ShapeType.REACHABILITY, True)

    @property
    def ordered(self) -> tuple[NodePredicate, ...]:
        return tuple(sorted(self.predicates, key=lambda one: (one.cell, one.name)))

    def text(self) -> str:
        parts = [TYPE_NAMES[self.type]]
        apart = "all" if self.all_apart else ", ".join(sorted(self.separating))
        parts += [f"apart: {apart}"] if apart else []
        parts += ["of nodes: " + ", ".join(one.name for one in self.ordered)] if self.predicates else []
        return "; ".join(parts)
