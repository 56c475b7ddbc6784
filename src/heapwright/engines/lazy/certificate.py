"""The certificate of a complete abstract reachability tree: its nodes as plain data, and membership after
deserialization.

A node is its cube and, for each component, the structures of a shape class, which is serialized as its tracking
definition (see docs/certificates.md). Covered nodes are omitted. Auxiliary invariants (`heap_facts`) and vocabularies
are recomputed from the program.

    part = serialize(search)
    TreeReader(program, part).contains(location, heap)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from heapwright.engines.kit.certificate_reader import CertificateReader
from heapwright.engines.lazy.heap.coarse_aliases import aliases_of, loads_of
from heapwright.engines.lazy.heap.component_programs import Projection
from heapwright.engines.lazy.heap.heap_facts import HeapFacts
from heapwright.engines.lazy.logic import serialization as formulas
from heapwright.engines.lazy.logic.terms import Formula, arrays, names
from heapwright.engines.lazy.precision.shape_vocabulary import TrackedVocabulary, tracked_vocabulary
from heapwright.engines.lazy.precision.tracking_definition import NodePredicate, ShapeType, Tracking
from heapwright.engines.lazy.states.membership import ClassOfShapes, NodeState, Shape, TreeMembership
from heapwright.engines.lazy.states.representative_values import Compared, compared_in, representatives
from heapwright.engines.tvl import api as tvl
from heapwright.program.graph import Program
from heapwright.program.runs.snapshot import Snapshot
from heapwright.program.types import ValueKind

if TYPE_CHECKING:
    from heapwright.engines.lazy.art.cegar_loop import Search
    from heapwright.engines.lazy.art.reachability_tree import AbstractState

# --- writing ---------------------------------------------------------------------------------------------------------


def serialize(search: Search) -> dict[str, Any]:
    classes: dict[int, tuple[int, dict[str, Any]]] = {}

    def number(component: int, made: ClassOfShapes) -> int:
        known = classes.setdefault(id(made), (len(classes), _class(component, made.tracking)))
        return known[0]

    def shape(component: int, region: Shape | None) -> dict[str, Any] | None:
        if region is None:
            return None
        made = region.shape_class
        structures = [tvl.written_structure(made.signature, one) for one in region.structures]
        return {"class": number(component, made), "structures": structures}

    def written_region(one: AbstractState) -> dict[str, Any]:
        shapes = {str(component): shape(component, region) for component, region in sorted(one.shapes.items())}
        return {"cube": [formulas.serialize(literal) for literal in one.cube], "shapes": shapes}

    regions: dict[int, list[AbstractState]] = {}
    for node in search.tree.nodes():
        state = None if node.number in search.covering.coverers else search.covering.open_state(node)
        if state is not None:
            regions.setdefault(node.location, []).append(state)
    locations = {
        str(location): [written_region(one) for one in _largest(search, known)]
        for location, known in sorted(regions.items())
    }
    return {"leaks": search.shapes.leaks, "classes": [made for _, made in classes.values()], "locations": locations}


def _largest(search: Search, regions: list[AbstractState]) -> list[AbstractState]:
    """The maximal regions under coverage; in loops, later ones mostly cover earlier ones."""
    kept: list[AbstractState] = []
    for one in reversed(regions):
        if not any(search.covers(other, one) for other in kept):
            kept = [other for other in kept if not search.covers(one, other)] + [one]
    return kept[::-1]


def _class(component: int, tracking: Tracking) -> dict[str, Any]:
    return {
        "component": component,
        "type": int(tracking.type),
        "all_apart": tracking.all_apart,
        "separating": sorted(tracking.separating),
        "predicates": [[one.cell, formulas.serialize(one.atom)] for one in tracking.ordered],
    }


# --- reading ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ShapeClassData:
    tracking: Tracking
    heap: TrackedVocabulary
    signature: tvl.Signature


@dataclass(frozen=True)
class ShapeData:
    shape_class: ShapeClassData
    structures: tuple[tvl.Structure, ...]


class TreeReader(CertificateReader):
    """The nodes of a complete tree, by location: cubes, and structures of shape classes."""

    def __init__(self, program: Program, part: Mapping[str, Any]) -> None:
        super().__init__(program)
        self.heap = tvl.HeapVocabulary(program)
        self.leaks = bool(part["leaks"])
        self.aliases = aliases_of(self.heap, lean=not self.leaks)
        self.loads = loads_of(program, self.aliases)
        self.projections = {
            one: Projection(self.aliases, self.loads, one, leaks=self.leaks) for one in self.aliases.components
        }
        self.classes = [self._class(known) for known in part["classes"]]
        nodes = self.by_location(part, lambda _, known: [self._node(one) for one in known])
        self.members = TreeMembership(HeapFacts(self.aliases, self.loads), self.projections, nodes)

    def _class(self, known: Mapping[str, Any]) -> ShapeClassData:
        predicates = frozenset(
            NodePredicate(str(cell), formulas.deserialize(atom)) for cell, atom in known["predicates"]
        )
        separating = frozenset(map(str, known["separating"]))
        tracking = Tracking(separating, predicates, ShapeType(known["type"]), bool(known["all_apart"]))
        heap = tracked_vocabulary(self.projections[int(known["component"])], tracking)
        return ShapeClassData(tracking, heap, tvl.Signature(heap.vocabulary))

    def _node(self, known: Mapping[str, Any]) -> NodeState:
        cube = tuple(formulas.deserialize(literal) for literal in known["cube"])
        shapes: dict[int, Shape | None] = {}
        for component, shape in known["shapes"].items():
            if int(component) not in self.projections:
                raise ValueError(f"there is no component {component}")
            shapes[int(component)] = None if shape is None else self._shape(shape)
        return cube, shapes

    def _shape(self, known: Mapping[str, Any]) -> ShapeData:
        number = int(known["class"])
        if not 0 <= number < len(self.classes):
            raise ValueError(f"there is no class {number}")
        made = self.classes[number]
        return ShapeData(made, tuple(tvl.read_structure(made.signature, one) for one in known["structures"]))

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        return self.members.contains(location, heap)

    # --- what it distinguishes ---------------------------------------------------------------------------------------

    def pointers(self, location: int) -> tuple[str, ...]:
        """The live pointers, those of structures and predicates, and, if leaks are checked, all that the user wrote."""
        spoken = self._spoken(location)
        return tuple(name for name in self.heap.variables if name in spoken or self._counts(location, name))

    def _counts(self, location: int, name: str) -> bool:
        liveness = self.heap.liveness
        if liveness.at(location) & liveness.bit(name):
            return True
        if self.leaks and not self.program.variables[name].temporary:
            return True
        return any(
            name in one.projection.variables and one.is_needed(location, name) for one in self.members.parts.values()
        )

    def _spoken(self, location: int) -> frozenset[str]:
        """The variables of predicates at a location."""
        found = self._spoken_at.get(location)
        if found is None:
            literals: list[Formula] = []
            for cube, shapes in self.members.nodes.get(location, ()):
                literals += cube
                literals += (p.atom for one in shapes.values() if one for p in one.shape_class.tracking.ordered)
            found = self._spoken_at[location] = frozenset[str]().union(*map(names, literals))
        return found

    @cached_property
    def _spoken_at(self) -> dict[int, frozenset[str]]:
        return {}

    def numbers(self, location: int) -> Mapping[str, tuple[int, ...]]:
        """Relevant integers, including variables that equal a relevant cell."""
        equal = {name for name, (_, cell) in self.loads.at(location).items() if cell in self._cells}
        wanted = self._spoken(location) | equal
        return {name: self.values[name] for name in self.heap.integers if name in wanted}

    @cached_property
    def values(self) -> Mapping[str, tuple[int, ...]]:
        return {name: self._tries(name) for name in self.heap.integers}

    @cached_property
    def _cells(self) -> frozenset[str]:
        """The cells that predicates mention."""
        spoken = (arrays(literal) for literal in self._literals())
        known = (predicate.cells for made in self.classes for predicate in made.tracking.ordered)
        return frozenset[str]().union(*known, *spoken)

    def _literals(self) -> Iterator[Formula]:
        for known in self.members.nodes.values():
            for cube, _ in known:
                yield from cube

    @cached_property
    def _compared(self) -> Compared:
        predicates = [p for made in self.classes for p in made.tracking.ordered]
        return compared_in(self.program, dict.fromkeys(self._literals()), predicates)

    def _tries(self, *wanted: str) -> tuple[int, ...]:
        return representatives(one for name in wanted for one in self._compared.get(name, ()))

    @cached_property
    def pointer_fields(self) -> frozenset[tuple[str, str]]:
        return frozenset(tvl.fields_named(self.program, (*self.heap.fields, *self.heap.arrays), ValueKind.POINTER))

    @cached_property
    def data_fields(self) -> Mapping[tuple[str, str], tuple[int, ...]]:
        """Data fields of predicates and of available loads."""
        equal: dict[str, set[str]] = {cell: {cell} for cell in self._cells}
        for location in range(len(self.program.graph.locations)):
            for name, (_, cell) in self.loads.at(location).items():
                if cell in equal:
                    equal[cell].add(name)
        fields = tvl.fields_named(self.program, sorted(self._cells), ValueKind.DATA)
        return {field: self._tries(*sorted(equal[cell])) for field, cell in fields.items()}

    def kind(self, site: int) -> Hashable:
        return self.program.graph.edges[site].span
