"""Families of instrumentation predicates: their constraints, and their update formulas for each kind of step.

A step without an update of a family leaves its predicates unchanged. The updates of one step read the values before it.
The smallest family has a predicate that holds of what a variable once pointed to:

    class Seen(Family):
        def predicates(self):
            return [Predicate("seen", 1)]
        def assigned(self, target, value):
            return [Update("seen", ("v",), Or((atom("seen", "v"), points_to(value, "v"))))]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from heapwright.engines.tvl.encoding.predicate_names import IS_NEW
from heapwright.logic.actions import Action, Update
from heapwright.logic.formulas import Formula, IfThenElse, atom
from heapwright.logic.vocabulary import Constraint, Predicate
from heapwright.program.commands import Compute, Havoc, LoadData, New, StoreData
from heapwright.program.expressions import Literal, Pointer

Data = LoadData | StoreData | Compute | Havoc


class Family:
    """Fields go by the names of their predicates, `T.f`; variables that a step dereferences point to a live object."""

    def predicates(self) -> Iterable[Predicate]:
        return ()

    def constraints(self) -> Iterable[Constraint]:
        """Integrity constraints that do not follow from one definition alone."""
        return ()

    def assigned(self, target: str, value: Pointer) -> Iterable[Update]:
        """target = value"""
        return ()

    def focus_loaded(self, target: str, base: str, field: str) -> Iterable[Formula]:
        """Focus formulas of target = base.field; likewise for the two halves of a store below."""
        return ()

    def loaded(self, target: str, base: str, field: str) -> Iterable[Update]:
        """target = base.field"""
        return ()

    def focus_cut(self, base: str, field: str) -> Iterable[Formula]:
        return ()

    def cut(self, base: str, field: str) -> Iterable[Update]:
        """base.field is null afterwards: the first half of a store, and part of `free`."""
        return ()

    def focus_connected(self, base: str, field: str, value: Pointer) -> Iterable[Formula]:
        return ()

    def connected(self, base: str, field: str, value: Pointer) -> Iterable[Update]:
        """base.field, which is null, points to a value afterwards: the second half of a store."""
        return ()

    def overwritten(self, base: str, cells: str, value: Pointer) -> Iterable[Update]:
        """One of the cells of base that share a name leads to a value afterwards; which one is not known."""
        return ()

    def created(self, command: New) -> Iterable[Update]:
        """A block was made; its node is the one of `isNew`."""
        return ()

    def made(self, site: int) -> Iterable[Update]:
        """The same; the site is the number of the edge."""
        return ()

    def appeared(self) -> Iterable[Update]:
        """A node that is no object was made, the one of `isNew`."""
        return ()

    def focus_computed(self, command: Data) -> Iterable[Formula]:
        """Focus formulas of an assignment to an integer variable or data field."""
        return ()

    def computed(self, command: Data) -> Iterable[Update]:
        """An integer variable or data field has a new value."""
        return ()

    def staged(self, action: Action, command: Data, live: frozenset[str]) -> list[Action]:
        """The steps that a data command takes, given the last one: nodes that are no objects may come and go. `live`
        are the variables that are read afterwards."""
        return [action]

    def followed(self, action: Action) -> Iterable[Update]:
        """Updates that follow from those of a step of a data command."""
        return ()

    def gone(self, names: frozenset[str]) -> Iterable[Action]:
        """Integer variables are dead."""
        return ()

    def focus(self, literal: Literal) -> Iterable[Formula]:
        """Focus formulas of a condition."""
        return ()

    def meaning(self, literal: Literal) -> Formula | None:
        """The formula of a condition; None if the family does not support it."""
        return None

    def learned(self, literal: Literal) -> Iterable[Update]:
        """Updates after a condition has been found to hold."""
        return ()

    def collected(self, lost: Callable[[str], Formula]) -> Iterable[Update]:
        """Garbage, the nodes of which `lost` holds, is removed: nothing else refers to it, but it may refer to
        others."""
        return ()

    def held(self) -> Iterable[Formula]:
        """Formulas over v; a freed object is kept where one of them holds."""
        return ()

    def reached(self) -> Iterable[Formula]:
        """Formulas over v; a block is no garbage where one of them holds."""
        return ()


def on_new_node(predicate: str, value: Formula) -> Update:
    """The update of a unary predicate by a step that makes a node: its value there."""
    return Update(predicate, ("v",), IfThenElse(atom(IS_NEW, "v"), value, atom(predicate, "v")))
