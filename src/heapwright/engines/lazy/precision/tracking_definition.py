"""Tracking definitions: the separating pointers, node predicates and shape type of a component.

A tracking definition maps to a shape class, a vocabulary of `tvl` (see `shape_classes`). A node predicate is an atom in
which `*` stands for the value of a cell: `* == 3` of the cell `node.h` holds of a node whose h is 3. Other cells of the
same node have names of their own in it, such as `*node.lo`. Shape types are ordered by refinement: fields alone, then
reachability, sharing and cycles along them as well. What a list is, singly or doubly linked, nested, or a tree, follows
from the fields of its C types and needs no name.

>>> from heapwright.engines.lazy.logic.terms import eq, num, var
>>> Tracking().refined(separating={"p"}, predicates={NodePredicate("node.h", eq(var(VALUE), num(3)))}).text()
'fields; apart: p; of nodes: node.h == 3'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import IntEnum

from heapwright.engines.lazy.logic.substitution import substituted
from heapwright.engines.lazy.logic.terms import Formula, Term, cell, names, text, var

VALUE = "*"


class ShapeType(IntEnum):
    """From coarse to fine."""

    FIELDS = 0
    REACHABILITY = 1


TYPE_NAMES = {ShapeType.FIELDS: "fields", ShapeType.REACHABILITY: "fields and reachability"}


@dataclass(frozen=True, slots=True)
class NodePredicate:
    """An atom over `*`, the value of a cell, values of other cells of the same node, and integer variables."""

    cell: str
    atom: Formula

    @property
    def cells(self) -> frozenset[str]:
        """The cells that it is about."""
        return frozenset(name[1:] or self.cell for name in names(self.atom) if name.startswith(VALUE)) | {self.cell}

    def with_values(self, value: Callable[[str], Term]) -> Formula:
        """The atom with the values of its cells."""
        return substituted(self.atom, {VALUE if one == self.cell else VALUE + one: value(one) for one in self.cells})

    def at(self, pointer: str) -> Formula:
        """The atom of the node that a pointer points to."""
        return self.with_values(lambda one: cell(one, var(pointer)))

    def after_store(self, written: str, value: Term, pointer: str) -> Formula:
        """The atom of the node that a pointer points to, once one of its cells has a new value."""
        return self.with_values(lambda one: value if one == written else cell(one, var(pointer)))

    @property
    def formula(self) -> Formula:
        """The atom, in which each cell has the name that it has in all node predicates."""
        return self.with_values(lambda one: var(VALUE + one))

    @property
    def scalars(self) -> frozenset[str]:
        return frozenset(name for name in names(self.atom) if not name.startswith(VALUE))

    @property
    def name(self) -> str:
        return text(self.with_values(var))


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

    def joined(self, other: Tracking) -> Tracking:
        """The coarsest definition that is as fine as both."""
        return Tracking(
            self.separating | other.separating,
            self.predicates | other.predicates,
            max(self.type, other.type),
            self.all_apart or other.all_apart,
        )

    def finer(self) -> Tracking | None:
        """The next shape type, once nothing else is left to add; None after the last one."""
        if self.type < ShapeType.REACHABILITY:
            return replace(self, type=ShapeType(self.type + 1))
        return None if self.all_apart else replace(self, all_apart=True)

    @property
    def is_finest(self) -> bool:
        """Whether no shape type is finer."""
        return self.finer() is None

    @property
    def rung(self) -> Tracking:
        """The shape type alone."""
        return Tracking(type=self.type, all_apart=self.all_apart)

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
