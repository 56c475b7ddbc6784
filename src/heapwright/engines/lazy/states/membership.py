"""Membership of a concrete heap in the invariant of a complete tree: it satisfies the auxiliary invariants
(`heap_facts`), and at some node of the location, the cube holds and the structures of each component contain the
projection of the heap (see `component_heaps`).

Unknown integers and absent cells may have any value.

    tree_membership(search).contains(location, heap)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from heapwright.engines.lazy.heap.component_heaps import ComponentAssignment, HeapProjection
from heapwright.engines.lazy.heap.component_programs import Projection
from heapwright.engines.lazy.heap.heap_facts import HeapFacts
from heapwright.engines.lazy.logic import terms as t
from heapwright.engines.lazy.precision.shape_vocabulary import TrackedVocabulary
from heapwright.engines.lazy.precision.tracking_definition import NodePredicate, Tracking
from heapwright.engines.tvl.api import HeapEncoder, Membership, PointsToFilter, Signature, Structure
from heapwright.logic.connectives import Truth
from heapwright.program.runs.snapshot import (
    ANY_ADDRESS,
    JUNK_ADDRESS,
    NULL_ADDRESS,
    UNDECIDED_ADDRESS,
    Address,
    Snapshot,
)
from heapwright.program.types import Storage

if TYPE_CHECKING:
    from heapwright.engines.lazy.art.cegar_loop import Search

STATUSES = {"freed": t.FREED, "ended": t.ENDED}


class ClassOfShapes(Protocol):
    """The interface of a shape class that membership needs."""

    @property
    def tracking(self) -> Tracking: ...

    @property
    def heap(self) -> TrackedVocabulary: ...

    @property
    def signature(self) -> Signature: ...


class Shape(Protocol):
    """The interface of a shape region that membership needs."""

    @property
    def shape_class(self) -> ClassOfShapes: ...

    @property
    def structures(self) -> tuple[Structure, ...]: ...


NodeState = tuple[tuple[t.Formula, ...], Mapping[int, Shape | None]]  # a cube, and a region for each component


def tree_membership(search: Search) -> TreeMembership:
    nodes: dict[int, list[NodeState]] = {}
    for node in search.tree.nodes():
        nodes.setdefault(node.location, []).append((node.state.cube, node.state.shapes))
    return TreeMembership(HeapFacts(search.aliases, search.loads), search.shapes.projections, nodes)


class TreeMembership:
    """`nodes` are the abstract states of each location: a heap must be in one of them."""

    def __init__(
        self, facts: HeapFacts, projections: Mapping[int, Projection], nodes: Mapping[int, Sequence[NodeState]]
    ) -> None:
        self.facts = facts
        self.nodes = nodes
        self.parts = {one: HeapProjection(projection) for one, projection in projections.items()}
        self._assignments = ComponentAssignment(facts.aliases)
        self._classes: dict[int, ClassMembership] = {}

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        """Whether the heap is in a node of the location; None if it has no representation as a structure."""
        return self.is_in(location, heap, self.nodes.get(location, ()))

    def is_in(self, location: int, heap: Snapshot, known: Sequence[NodeState]) -> bool | None:
        """Whether the heap is in one of these states of the location."""
        fitting = [shapes for cube, shapes in known if all(truth(one, heap) is not False for one in cube)]
        if not fitting or not self.facts.allow(location, heap):
            return False
        assignments = self._assignments.assignments(heap)
        if assignments is None:
            tracked = any(one is not None for shapes in fitting for one in shapes.values())
            return None if tracked or heap.objects else True
        unsure = False
        for assignment in assignments:
            parts = {component: one.project(location, heap, assignment) for component, one in self.parts.items()}
            if all(part is not None for part in parts.values()):
                answer = self._among(location, parts, fitting)
                if answer:
                    return True
                unsure = unsure or answer is None
        return None if unsure else False

    def _among(
        self, location: int, parts: Mapping[int, Snapshot | None], fitting: Iterable[Mapping[int, Shape | None]]
    ) -> bool | None:
        unsure = False
        for shapes in fitting:
            answers = {self._described(location, part, one, shapes) for one, part in parts.items() if part is not None}
            if answers <= {True}:
                return True
            unsure = unsure or False not in answers
        return None if unsure else False

    def _described(
        self, location: int, part: Snapshot, component: int, shapes: Mapping[int, Shape | None]
    ) -> bool | None:
        if component not in shapes:
            return not part.objects  # the component is still empty
        region = shapes[component]
        if region is None:
            return True  # it is not tracked
        members = self._classes.get(id(region.shape_class))
        if members is None:
            members = self._classes[id(region.shape_class)] = ClassMembership(region.shape_class)
        return members.described(location, part, region.structures, (location, region.structures))


class ClassMembership(Membership):
    """Membership in the structures of a class, with its node predicates."""

    def __init__(self, made: ClassOfShapes) -> None:
        self.made = made  # a reference, so that the id of the class stays unique
        self.predicates: tuple[NodePredicate, ...] = made.tracking.ordered
        self.points_to = PointsToFilter(made.heap)
        super().__init__(made.heap, made.signature)

    def described(self, location: int, heap: Snapshot, by: Iterable[Structure], key: object) -> bool | None:
        view = self.concrete.view(heap)
        if view is not None and not self.points_to.allows(view, self._live(location, self.heap.variables)):
            return False
        return super().described(location, heap, by, key)

    def complete(self, filling: HeapEncoder) -> None:
        for block, node in filling.node.items():
            live = filling.view.snapshot.objects[block].status == "live"
            cells = filling.view.cells[block]
            for one in self.predicates:
                if one.cell in cells or not live:
                    found = {name: cells.get(name, ()) for name in one.cells}
                    known = {name: values[0] for name, values in found.items() if len(values) == 1}
                    holds = _of_values(one, known, filling.view.snapshot)
                    if holds is not False:
                        (filling.open if holds is None else filling.true)(one.name, node)


def _of_values(predicate: NodePredicate, values: Mapping[str, object], heap: Snapshot) -> bool | None:
    """A node predicate of a node with these cells; None if one of them is unknown."""
    numbers = {name: t.num(value) for name, value in values.items() if isinstance(value, int)}
    return truth(predicate.with_values(numbers.__getitem__), heap) if numbers.keys() >= predicate.cells else None


def truth(literal: t.Formula, heap: Snapshot) -> bool | None:
    """The value of a literal on a heap; None if unknown."""
    match literal:
        case Truth(known):
            return known
        case t.AtMost(term):
            value = _value(term, heap)
            return None if value is None else value <= 0
        case t.Zero(term):
            value = _value(term, heap)
            return None if value is None else value == 0
        case t.NotZero(term):
            value = _value(term, heap)
            return None if value is None else value != 0
    return None


def _value(term: t.Term, heap: Snapshot) -> int | None:
    found = term.constant
    for leaf, factor in term.parts:
        value: int | None = None
        match leaf:
            case t.Variable(name) if name in heap.data:
                value = heap.data[name]
            case t.Variable(name) if name in heap.pointers:
                value = _number(heap.pointers[name])
            case t.Cell(array, index):
                owner = _value(index, heap)
                value = None if owner is None else _cell(array, owner, heap)
        if value is None:
            return None
        found += factor * value
    return found


def _number(address: Address) -> int | None:
    """None if it may be any: a pointer that is not decided yet."""
    if address in (ANY_ADDRESS, UNDECIDED_ADDRESS):
        return None
    return 0 if address == NULL_ADDRESS else -1 if address == JUNK_ADDRESS else address.object


def _cell(array: str, number: int, heap: Snapshot) -> int | None:
    known = heap.objects.get(number)
    if known is None:
        return None
    if array == t.STATUS:
        return STATUSES.get(known.status, t.HEAP if known.storage is Storage.HEAP else t.OTHER)
    type, _, field = array.rpartition(".")
    if known.status != "live" or known.type != type:
        return None
    if field in known.pointers:
        return _number(known.pointers[field])
    return known.data.get(field)
