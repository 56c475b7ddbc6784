"""Value groups: at a load, the structures of a region by the node predicates of the object that is read.

Each group has a successor of its own, whose cube is computed with what the node predicates say about the object. So a
list of 3s tells a variable that is loaded from it that it is 3. At a store the objects are those that the stored value
was loaded from, and the object that is written. Groups with equal successors are one: where no predicate depends on the
value, nothing is split.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from heapwright.engines.lazy.art.predicate_abstraction import Abstraction
from heapwright.engines.lazy.art.reduction import Cube
from heapwright.engines.lazy.art.shape_regions import ShapeRegion, Shapes, ShapeState
from heapwright.engines.lazy.logic.terms import Formula, arrays, names, negation, var
from heapwright.engines.lazy.precision.tracking_definition import NodePredicate
from heapwright.program.commands import LoadData, StoreData

MOST_PREDICATES = 6  # of an edge that structures are grouped by


@dataclass(frozen=True)
class ValueGroup:
    """Structures, and what they say: `before` of the state before the edge, `after` of the one after it."""

    shapes: ShapeState
    before: Cube = ()
    after: tuple[Formula, ...] = ()


@dataclass(frozen=True)
class Question:
    """A node predicate of the object that a pointer points to, in a component."""

    component: int
    pointer: str
    predicate: NodePredicate


class ValueGroups:
    def __init__(self, shapes: Shapes, abstraction: Abstraction) -> None:
        self.shapes = shapes
        self.abstraction = abstraction
        self.reduction = shapes.reduction
        self.semantics = shapes.semantics
        self.edges = shapes.semantics.program.graph.edges

    def groups(self, state: ShapeState, number: int, cube: Cube) -> list[ValueGroup]:
        """The groups of structures that have different successors over an edge."""
        asked = list(self._asked(state, number, cube))[:MOST_PREDICATES]
        whole = ValueGroup(state)
        if not asked:
            return [whole]
        found = [whole]
        for question in asked:
            found = [half for group in found for half in self._halves(group, question, number)]
        by_outcome: dict[object, list[ValueGroup]] = {}
        for group in found:
            by_outcome.setdefault(self._outcome(group, number, cube), []).append(group)
        if len(by_outcome) == 1:  # the structures as they were, with what any group says: its outcome is that of all
            return [replace(found[0], shapes=state)]
        return [self._union(known) for known in by_outcome.values()]

    def _outcome(self, group: ValueGroup, number: int, cube: Cube) -> object:
        """What depends on what a group says: the cubes after the edge, and the node predicates that a store or a change
        of a variable sets."""
        told = (*cube, *group.before)
        cubes = self.abstraction.post(told, number, group.after)
        updates = [
            (
                self.reduction.values(component, region.shape_class, number, told),
                self.reduction.changed(component, region.shape_class, number, told),
            )
            for component, region in sorted(group.shapes.items())
            if region is not None
        ]
        return tuple(cubes), tuple(updates)

    def _union(self, groups: list[ValueGroup]) -> ValueGroup:
        """Groups with one outcome, which is that of the first of them."""
        shapes: dict[int, ShapeRegion | None] = dict(groups[0].shapes)
        for component, region in groups[0].shapes.items():
            regions = [one for group in groups if (one := group.shapes[component]) is not None]
            if region is not None and any(one is not region for one in regions):
                together = [structure for one in regions for structure in one.structures]
                joined = region.shape_class.transformers.joined(together)
                shapes[component] = ShapeRegion(region.shape_class, joined)
        return replace(groups[0], shapes=shapes)

    # --- questions -------------------------------------------------------------------------------------------------

    def _asked(self, state: ShapeState, number: int, cube: Cube) -> Iterator[Question]:
        edge = self.edges[number]
        match edge.command:
            case LoadData(target, base):
                read = self.shapes.loads.at(edge.target).get(target, ("", ""))[1]
                if read and self._matters(edge.target, target, read):
                    yield from self._about(state, edge.source, base, frozenset((read,)))
            case StoreData(base):
                yield from self._before_store(state, number, base, cube)

    def _matters(self, location: int, target: str, read: str) -> bool:
        """Whether a predicate after a load is about what was loaded."""
        known = self.abstraction.precision.at(location)
        return any(target in names(one) or read in arrays(one) for one in known)

    def _before_store(self, state: ShapeState, number: int, base: str, cube: Cube) -> Iterator[Question]:
        """The objects that a stored value was loaded from, and the one that is written, if that may decide some node
        predicate."""
        written, location = self.semantics.stored(number), self.edges[number].source
        component = self.semantics.aliases.component(location, base)
        region = None if component is None else state.get(component)
        if written is None or region is None:
            return
        open_ = [
            one
            for one in region.shape_class.predicates
            if written.array in one.cells and self.reduction.stored(one, number, cube) is None
        ]
        if not open_:
            return
        loads = self.shapes.loads.at(location)
        asked = {loads[name] for name in names(written.value) if name in loads}
        asked |= {(base, array) for one in open_ for array in one.cells - {written.array}}
        for pointer in sorted({one for one, _ in asked}):
            cells = frozenset(array for one, array in asked if one == pointer)
            yield from self._about(state, location, pointer, cells)

    def _about(self, state: ShapeState, location: int, pointer: str, cells: frozenset[str]) -> Iterator[Question]:
        """The node predicates about some cells of what a pointer points to."""
        component = self.semantics.aliases.component(location, pointer)
        region = None if component is None else state.get(component)
        if component is None or region is None or not region.shape_class.tracks(location, pointer):
            return
        for one in region.shape_class.predicates:
            if not one.cells.isdisjoint(cells):
                yield Question(component, pointer, one)

    # --- answers ---------------------------------------------------------------------------------------------------

    def _halves(self, group: ValueGroup, question: Question, number: int) -> Iterator[ValueGroup]:
        """The structures in which a node predicate holds, and those in which it does not."""
        region = group.shapes[question.component]
        assert region is not None
        claim = question.predicate.at(question.pointer)
        for holds in (True, False):
            kept = self.shapes.filtered(region, ((question.pointer, question.predicate.name, holds),))
            if kept:
                structures = region.shape_class.transformers.joined(kept)
                shapes = {**group.shapes, question.component: ShapeRegion(region.shape_class, structures)}
                told = claim if holds else negation(claim)
                yield ValueGroup(shapes, (*group.before, told), (*group.after, *self._loaded(question, number, holds)))

    def _loaded(self, question: Question, number: int, holds: bool) -> Iterator[Formula]:
        """What a node predicate says about the variable that is loaded, where cells are not in formulas."""
        command, predicate = self.edges[number].command, question.predicate
        if not self.semantics.aliases.coarse or not isinstance(command, LoadData):
            return
        if predicate.cells == {predicate.cell} and command.target not in predicate.scalars:
            claim = predicate.with_values(lambda _: var(command.target))
            yield claim if holds else negation(claim)
