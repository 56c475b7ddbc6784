"""Precision refinement from a spurious counterexample: predicates per location, tracking definitions per heap
component.

If the path is infeasible without the heap, only predicates are added. Else the atoms of the interpolants decide: one
about the data of an object adds a node predicate and separating pointers to the tracking definition of its component;
one about pointer fields is a predicate of its location at first, and makes the component tracked if the same check
recurs. If a path recurs with nothing new to add, its locations become exact, then the shape types of the components on
it are refined; after that, refinement fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from heapwright.engines.lazy.art.predicate_abstraction import Cube, Precision, predicate
from heapwright.engines.lazy.art.reachability_tree import Node
from heapwright.engines.lazy.art.shape_regions import ShapeRegion, Shapes
from heapwright.engines.lazy.heap.aliases import SEVERAL
from heapwright.engines.lazy.heap.available_loads import Loads
from heapwright.engines.lazy.logic import terms as t
from heapwright.engines.lazy.logic.solver import Solver
from heapwright.engines.lazy.logic.substitution import Rebuild, substituted
from heapwright.engines.lazy.paths.command_semantics import Require, Semantics
from heapwright.engines.lazy.paths.interpolants import NoSequence, faults, interpolate
from heapwright.engines.lazy.paths.path_constraints import PathKind
from heapwright.engines.lazy.paths.path_formula import Path, PathStep, without_heap
from heapwright.engines.lazy.precision.tracking_definition import VALUE, NodePredicate, Tracking
from heapwright.program.checks import Check
from heapwright.program.commands import Assert, Assume

MOST_DEREFERENCES = 1  # of a predicate
SHOWN = 4  # of what a refinement added, in one line


@dataclass(frozen=True)
class RefinementRecord:
    """One refinement: the spurious counterexample, its interpolants, and the added precision."""

    check: Check
    edges: tuple[int, ...]
    interpolants: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def summary(self) -> str:
        """In one line, with the first few additions."""
        more = f" and {len(self.added) - SHOWN} more" if len(self.added) > SHOWN else ""
        return f"{self.check.id}, a path of {len(self.edges)} steps; {'; '.join(self.added[:SHOWN])}{more}"


@dataclass
class Change:
    """Added precision; `first` is the position on the path from which the tree must be rebuilt."""

    first: int
    added: list[str] = field(default_factory=list)


class Refinement:
    """`shapes` None: predicates only."""

    def __init__(
        self,
        semantics: Semantics,
        solver: Solver,
        precision: Precision,
        shapes: Shapes | None,
        *,
        checked: bool = False,
        paths: PathKind = "arrays",
    ) -> None:
        self.checked = checked
        self.paths = paths
        self.semantics = semantics
        self.solver = solver
        self.precision = precision
        self.shapes = shapes
        self.log: list[RefinementRecord] = []
        self._blind = True  # whether the heap is ignored
        self._tried: set[tuple[str, int]] = set()  # checks that predicates about pointer fields did not decide
        self._left: set[int] = set()  # components that a sequence leaves to predicates
        self._pointer_cells = frozenset(semantics.aliases.heap.fields)

    def refine(self, path: Path, check: Check, nodes: Sequence[Node]) -> Change | None:
        """The refinement from an infeasible path; None if nothing is left to add. Nodes with an outdated precision are
        rebuilt first."""
        steps = path.steps()
        found: tuple[t.Formula, ...] = ()
        for blind in (True, False):
            change = None if blind else self._from_changes(path, check, nodes)
            if change is not None:
                return change
            self._blind = blind
            sequence = self._sequence(path, without_heap(steps) if blind else steps)
            if sequence is None:
                continue
            found = sequence
            change = self._add(path, sequence, check)
            if change is not None:
                return self._record(path, check, sequence, change)
            change = self._outdated(nodes)
            if change is not None:
                return change
            change = self._exact(path, sequence) if blind else None
            if change is not None:
                return self._record(path, check, sequence, change)
        change = self._refine_shapes(path) or self._add(path, found, check, everything=True) or self._exact(path, found)
        return None if change is None else self._record(path, check, found, change)

    def _outdated(self, nodes: Sequence[Node]) -> Change | None:
        for index, node in enumerate(nodes):
            if node.state.version != self.precision.version(node.location) or self._outdated_shapes(node):
                return Change(index)
        return None

    def _outdated_shapes(self, node: Node) -> bool:
        """Whether a region would be of another shape class now. What comes from an untracked one is untracked."""
        if self.shapes is None:
            return False
        before = {} if node.parent is None else node.parent.state.shapes
        for component, region in node.state.shapes.items():
            wanted = self.shapes.tracking.at(component, node.location)
            if region is None and wanted is not None and before.get(component, region) is None and component in before:
                continue
            if wanted != (None if region is None else region.shape_class.tracking):
                return True
        return False

    def track_everywhere(
        self, components: Sequence[int], path: Path, check: Check, nodes: Sequence[Node]
    ) -> Change | None:
        """A leak has no atoms: the components that may leak are tracked with reachability; then comparisons of the
        program become node predicates, and those that stores leave unknown are refined along the path."""
        if self.shapes is None:
            return None
        for predicates in ((), tuple(program_predicates(self.semantics, self.shapes.loads))):
            change = Change(len(path.edges))
            for component in components:
                mine = self.shapes.projections[component].cells
                new = Tracking.finest(one for one in predicates if one.cell in mine)
                if self.shapes.tracking.refine_everywhere(component, new):
                    change.first = min(change.first, self._touched(component, path) + 1)
                    change.added.append(f"tracked: {self.shapes.tracking.text(component)}")
            if change.added:
                return self._record(path, check, (), change)
            outdated = self._outdated(nodes)
            if outdated is not None:
                return outdated
        return self._from_stores(path, check, nodes)

    def _from_stores(self, path: Path, check: Check, nodes: Sequence[Node]) -> Change | None:
        """Predicates that decide the value of a node predicate after a store on the path."""
        assert self.shapes is not None
        for index, number in enumerate(path.edges):
            if index >= len(nodes):
                break
            state = nodes[index].state
            for region in state.shapes.values():
                for claim in () if region is None else self._open_claims(region, number, state.cube):
                    change = self._integer_predicates(Path(self.semantics, path.edges[:index], claim), check)
                    if change is not None:
                        return change
        return None

    def _from_changes(self, path: Path, check: Check, nodes: Sequence[Node]) -> Change | None:
        """Predicates that show that a node predicate survives the change of a variable on the path."""
        if self.shapes is None:
            return None
        for index, number in enumerate(path.edges[: len(nodes)]):
            state = nodes[index].state
            for region in state.shapes.values():
                known = () if region is None else self.shapes.reduction.kept_if(region.shape_class, number, state.cube)
                for claim in known:
                    change = self._predicates_for(Path(self.semantics, path.edges[:index], t.negation(claim)), check)
                    if change is not None:
                        return change
        return None

    def _predicates_for(self, path: Path, check: Check) -> Change | None:
        """Predicates of locations, also about cells, that exclude a path, if it is infeasible."""
        change = self._integer_predicates(path, check)
        if change is not None:
            return change
        self._blind = False
        sequence = self._sequence(path, path.steps())
        change = None if sequence is None else self._add(path, sequence, check, everything=True)
        return None if change is None or sequence is None else self._record(path, check, sequence, change)

    def _open_claims(self, region: ShapeRegion, number: int, cube: Cube) -> Iterator[t.Formula]:
        assert self.shapes is not None
        return self.shapes.reduction.open_claims(region.shape_class, number, cube)

    def _integer_predicates(self, path: Path, check: Check) -> Change | None:
        """Integer predicates that exclude a path, if it is infeasible."""
        self._blind = True
        sequence = self._sequence(path, without_heap(path.steps()))
        change = None if sequence is None else self._add(path, sequence, check)
        return None if change is None or sequence is None else self._record(path, check, sequence, change)

    def _record(self, path: Path, check: Check, sequence: Sequence[t.Formula], change: Change) -> Change:
        shown = tuple(t.text(one) for one in sequence)
        self.log.append(RefinementRecord(check, path.edges, shown, tuple(change.added)))
        return change

    def _sequence(self, path: Path, steps: Sequence[PathStep]) -> tuple[t.Formula, ...] | None:
        try:
            found = interpolate(path, steps, self.solver, self.paths)
        except NoSequence:
            return None
        if self.checked and found is not None:
            wrong = faults(path, found, self.semantics, self.solver)
            if wrong:
                raise AssertionError(f"invalid interpolant sequence: {wrong[0]}")
        return found

    # --- atoms -----------------------------------------------------------------------------------------------------

    def _add(
        self, path: Path, sequence: Sequence[t.Formula], check: Check, *, everything: bool = False
    ) -> Change | None:
        """Adds the atoms of a sequence to the precision; `everything`: as predicates, even of tracked components."""
        change = Change(len(path.edges))
        locations = path.locations()
        wanted: dict[int, Tracking] = {}
        self._left = set()
        occurrences = [
            (atom, index, locations[index])
            for index, formula in enumerate(sequence)
            for atom in dict.fromkeys(t.atoms(formula))
        ]
        # Atoms over cells first: the components that they make tracked decide equalities of their pointers.
        for atom, index, location in sorted(occurrences, key=lambda one: not t.arrays(one[0])):
            known = self.semantics.background(t.names(atom))
            if any(not self.solver.satisfiable((*known, one)) for one in (atom, t.negation(atom))):
                continue
            if everything or not self._add_to_tracking(atom, location, check, wanted):
                self._add_predicate(atom, index, location, change)
        self._tried |= {(check.id, component) for component in self._left}
        if self.shapes is not None:
            for component, new in sorted(wanted.items()):
                self._track(component, new, path, change)
        return change if change.added else None

    def _add_predicate(self, atom: t.Atom, index: int, location: int, change: Change) -> None:
        """Adds the atom to the predicates of its location."""
        if any(name.startswith("#") and name != t.NEXT for name in t.names(atom)):
            return  # of a step, not of a state
        if t.depth(atom.term) <= MOST_DEREFERENCES and self.precision.add(location, (atom,)):
            change.first = min(change.first, index)
            change.added.append(f"at {location}: {t.text(predicate(atom))}")

    def _add_to_tracking(self, atom: t.Atom, location: int, check: Check, wanted: dict[int, Tracking]) -> bool:
        """Adds an atom about the heap to a tracking definition, if possible."""
        if self.shapes is None:
            return False
        pointers = sorted(name for name in t.names(atom) if self.semantics.is_pointer(name))
        found = (self.semantics.aliases.component(location, name) for name in pointers)
        component = next((one for one in found if one is not None and one != SEVERAL), None)
        if component is None:
            return False
        old = wanted.get(component) or self.shapes.tracking.at(component, location)
        if not t.arrays(atom):
            compared = len(pointers) == 2 and old is not None and not self._blind
            if compared:
                wanted[component] = wanted.get(component, Tracking()).refined(pointers)
            return compared
        data = [one for one in sorted(t.arrays(atom)) if one != t.STATUS and one not in self._pointer_cells]
        predicates = list(_node_predicates(atom, data))
        if old is None and not predicates and (check.id, component) not in self._tried:
            self._left.add(component)
            return False
        wanted[component] = wanted.get(component, Tracking()).refined(pointers, predicates)
        return not data or bool(predicates)

    def _track(self, component: int, new: Tracking, path: Path, change: Change) -> None:
        """Refines the definitions of a component on the ways to the end of a path."""
        assert self.shapes is not None
        start, locations = self._touched(component, path) + 1, path.locations()
        if start >= len(locations):
            return
        between = self.shapes.projections[component].before(locations[-1])
        changed = self.shapes.tracking.refine(component, {*between, *locations[start:]}, new)
        if changed:
            mine = [index for index in range(start, len(locations)) if locations[index] in changed]
            change.first = min((change.first, *mine))
            change.added.append(f"tracked: {self.shapes.tracking.text(component)}")

    def _touched(self, component: int, path: Path) -> int:
        """The position of the first edge of a path that touches a component."""
        assert self.shapes is not None
        touched = self.shapes.projections[component].touched
        return next((index for index, edge in enumerate(path.edges) if edge in touched), len(path.edges))

    # --- nothing new -----------------------------------------------------------------------------------------------

    def _exact(self, path: Path, sequence: Sequence[t.Formula]) -> Change | None:
        locations = path.locations()
        new = [
            index
            for index, formula in enumerate(sequence)
            if locations[index] not in self.precision.exact and self.precision.at(locations[index])
        ]
        if not new:
            return None
        self.precision.exact.update(locations[index] for index in new)
        return Change(new[0], ["exact: " + ", ".join(str(locations[index]) for index in new)])

    def _refine_shapes(self, path: Path) -> Change | None:
        """Climbs to the next shape type, wherever the components on the path are tracked."""
        if self.shapes is None:
            return None
        change, locations = Change(len(path.edges)), path.locations()
        for component in self.shapes.projections:
            here = locations[self._touched(component, path) + 1 :]
            known = [self.shapes.tracking.at(component, location) for location in here]
            if None in known:
                self._track(component, Tracking(), path, change)
            elif known:
                lowest = min((one.rung for one in known if one is not None), key=lambda one: (one.type, one.all_apart))
                finer = lowest.finer()
                if finer is not None:
                    self._track(component, finer, path, change)
                    self.shapes.tracking.refine_tracked(component, finer)
        return change if change.added else None


def program_predicates(semantics: Semantics, loads: Loads) -> Iterable[NodePredicate]:
    """Node predicates from the program text: its comparisons of loaded cells."""
    for number, edge in enumerate(semantics.program.graph.edges):
        if not isinstance(edge.command, Assume | Assert):
            continue
        for step in semantics.effects[number].steps:
            for atom in t.atoms(step.formula) if isinstance(step, Require) else ():
                tested = t.names(atom)
                read = loads.at(edge.source).get(min(tested)) if len(tested) == 1 and not t.arrays(atom) else None
                if read is not None:
                    of_value = substituted(predicate(atom), {min(tested): t.var(VALUE)})
                    yield NodePredicate(read[1], of_value)


class _Values(Rebuild):
    """Names in place of the data cells of one node, `*` for the first of them."""

    def __init__(self, wanted: Sequence[t.Cell]) -> None:
        super().__init__()
        self.wanted = wanted

    def cell(self, array: str, index: t.Term) -> t.Term:
        found = super().cell(array, index)
        for number, one in enumerate(self.wanted):
            if found.parts == ((one, 1),):
                return t.var(VALUE + one.array if number else VALUE)
        return found


def _node_predicates(atom: t.Atom, data: Iterable[str]) -> Iterable[NodePredicate]:
    """The atom as one about the values of data cells of one node, if all else in it are integer variables."""
    found = {leaf for leaf in t.leaves(atom) if isinstance(leaf, t.Cell) and leaf.array in data}
    by_node: dict[t.Term, list[t.Cell]] = {}
    for leaf in sorted(found, key=repr):
        by_node.setdefault(leaf.index, []).append(leaf)
    for leaves in by_node.values():
        of_values = _Values(leaves).formula(predicate(atom))
        inside = [one for one in t.leaves(of_values) if isinstance(one, t.Cell)]
        if not inside:
            assert isinstance(of_values, t.Atom)
            yield NodePredicate(leaves[0].array, of_values)
