"""The vocabulary of a tracking definition: node predicates are unary predicates, and only separating pointers are
abstraction predicates.

    TrackedVocabulary(projection.program, tracking=tracking).vocabulary
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

from heapwright.engines.lazy.heap.component_programs import Projection
from heapwright.engines.lazy.logic.terms import num
from heapwright.engines.lazy.precision.tracking_definition import NodePredicate, ShapeType, Tracking
from heapwright.engines.tvl.api import Data, Family, HeapVocabulary, on_new_node
from heapwright.logic.actions import Update
from heapwright.logic.connectives import TRUE as HOLDS
from heapwright.logic.formulas import FALSE, HALF, TRUE, Formula, IfThenElse, Not, atom
from heapwright.logic.vocabulary import Constraint, Predicate, Vocabulary
from heapwright.program.commands import New, StoreData

Exclusive = tuple[tuple[NodePredicate, bool, NodePredicate, bool], ...]  # of these pairs of values not both


@dataclass(frozen=True)
class NodePredicates(Family):
    """The node predicates as unary predicates; `cells` has the cells of new blocks."""

    known: tuple[NodePredicate, ...]
    exclusive: Exclusive
    heap: HeapVocabulary

    def predicates(self) -> Iterable[Predicate]:
        return (Predicate(one.name, 1) for one in self.known)

    def constraints(self) -> Iterable[Constraint]:
        for one, holds, other, too in self.exclusive:
            first, second = atom(one.name, "v"), atom(other.name, "v")
            yield Constraint(first if holds else Not(first), Not(second) if too else second)

    def created(self, command: New) -> Iterable[Update]:
        cells = self.heap.cells_of(command)
        for one in self.known:
            start: Formula = HALF
            if command.zeroed and not one.scalars:
                start = TRUE if one.with_values(lambda _: num(0)) == HOLDS else FALSE
            if one.cell in cells:
                yield on_new_node(one.name, start)

    def computed(self, command: Data) -> Iterable[Update]:
        """The update of a store; unknown here, replaced if the cube entails a value."""
        if isinstance(command, StoreData):
            for one in self.known:
                if command.field in one.cells:
                    yield Update(one.name, ("v",), IfThenElse(atom(command.base, "v"), HALF, atom(one.name, "v")))


@dataclass(frozen=True)
class TrackedVocabulary(HeapVocabulary):
    """The vocabulary of a component under a tracking definition."""

    tracking: Tracking = field(default_factory=Tracking)
    exclusive: Exclusive = ()

    @cached_property
    def families(self) -> tuple[Family, ...]:
        families = (self.tags, NodePredicates(self.tracking.ordered, self.exclusive, self))
        return families if self.tracking.type < ShapeType.REACHABILITY else families + self.reachability

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Predicates of pointers that are not separating are no abstraction predicates."""
        if self.tracking.all_apart:
            return super().vocabulary
        merely = [name for name in self.variables if name not in self.tracking.separating]
        marks = set(merely) | {f"{kind}[{name}" for name in merely for kind in "ro"}
        return Vocabulary(
            tuple(
                replace(one, abstraction=False) if one.arity == 1 and _stem(one.name) in marks else one
                for one in super().vocabulary.predicates
            )
        )


def _stem(name: str) -> str:
    """`r[x,f]` and `r[x]` without what comes after the variable."""
    return name.partition(",")[0].removesuffix("]") if name[1:2] == "[" else name


def tracked_vocabulary(projection: Projection, tracking: Tracking, exclusive: Exclusive = ()) -> TrackedVocabulary:
    """The vocabulary of a component; its separating pointers are renamed to the variables of its program."""
    return TrackedVocabulary(
        projection.program,
        None if projection.program is projection.whole else projection.heap,
        tracking=replace(tracking, separating=frozenset(map(projection.name, tracking.separating))),
        exclusive=exclusive,
    )
