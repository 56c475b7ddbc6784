"""Shape regions: sets of 3-valued structures per heap component, and their abstract post.

A region has a shape class and a set of structures. A component that no edge of the path has touched has no region,
since it is empty; one that is not tracked has the region None, any heap. Tracking is local: over an edge into a
location with another shape class, structures lose the predicates that this lacks, and get those that it adds as far as
its integrity constraints tell them (project, extend, coerce).

Cubes and structures are reduced against each other (see `reduction`): tests and stores set node predicates as far as
the cube entails them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from heapwright.base.errors import LimitReached
from heapwright.base.immutable import Immutable
from heapwright.engines.api import Limits
from heapwright.engines.lazy.art.reduction import Cube, Needs, Reduction, Values
from heapwright.engines.lazy.heap.available_loads import Loads
from heapwright.engines.lazy.heap.component_programs import Projection
from heapwright.engines.lazy.logic.solver import Solver
from heapwright.engines.lazy.logic.terms import Formula as Claim
from heapwright.engines.lazy.paths.command_semantics import Semantics
from heapwright.engines.lazy.precision.local_tracking import LocalTracking
from heapwright.engines.lazy.precision.shape_classes import ShapeClass, extended
from heapwright.engines.lazy.precision.tracking_definition import Tracking
from heapwright.engines.tvl.api import CONFUSED, SharedTransformers, Signature, Structure, embeds
from heapwright.logic.actions import Action, Update
from heapwright.logic.formulas import And, Exists, IfThenElse, Not, atom
from heapwright.program.checks import Goal


class InconsistentShapes(Exception):
    """A constraint violation in an action, or an access that may confuse types: the result must not be used. A finer
    shape class of the component may avoid it."""

    def __init__(self, title: str, component: int) -> None:
        super().__init__(title)
        self.component = component


class ShapeRegion(Immutable):
    """Structures of one class; the classes are compared by identity."""

    shape_class: ShapeClass
    structures: tuple[Structure, ...]


ShapeState = Mapping[int, ShapeRegion | None]


class ShapePost(Immutable):
    """The abstract post of a region, and the checks that may fail."""

    structures: tuple[Structure, ...]
    raised: frozenset[str]


class Shapes:
    """Shape regions of all components; `tracking` has the tracking definitions of their locations."""

    def __init__(
        self,
        semantics: Semantics,
        loads: Loads,
        goal: Goal,
        solver: Solver,
        *,
        leaks: bool,
        alike: SharedTransformers | None = None,
    ) -> None:
        self.semantics = semantics
        self.loads = loads
        self.goal = goal
        self.solver = solver
        self.tracking = LocalTracking()
        self.leaks = leaks
        aliases = semantics.aliases
        self.projections = {one: Projection(aliases, loads, one, leaks=leaks) for one in aliases.components}
        self._alike: SharedTransformers = {} if alike is None else alike
        self._classes: dict[tuple[int, Tracking], ShapeClass] = {}
        self._results: dict[tuple[object, ...], ShapePost] = {}
        self._converted: dict[tuple[Structure, int, int], tuple[Structure, ...]] = {}
        self._unions: dict[tuple[int, int], tuple[Signature, dict[str, int], list[int]]] = {}
        self.reduction = Reduction(semantics, loads, solver)
        self.limits = Limits()
        self.operations = 0  # applications of transformers that were not memoised

    def shape_class(self, component: int, location: int) -> ShapeClass | None:
        tracking = self.tracking.at(component, location)
        return None if tracking is None else self.class_of(component, tracking)

    def class_of(self, component: int, tracking: Tracking) -> ShapeClass:
        found = self._classes.get((component, tracking))
        if found is None:
            projection = self.projections[component]
            found = ShapeClass(projection, tracking, self.goal, self.solver, self._alike)
            self._classes[component, tracking] = found
        return found

    # --- over edges ------------------------------------------------------------------------------------------------

    def post(self, state: ShapeState, number: int, cube: Cube, claims: Sequence[Claim]) -> ShapeState | None:
        """The abstract post of an edge, given the cube before it and the assumptions of the edge; None if it is
        empty."""
        after: dict[int, ShapeRegion | None] = dict(state)
        for component, region in self._regions(state, number):
            if region is None:
                after[component] = None
                continue
            result = self._result(component, region, number, cube, claims)
            if not result.structures:
                return None
            target = self.semantics.program.graph.edges[number].target
            placed = self._placed(component, ShapeRegion(region.shape_class, result.structures), target)
            if placed is not None and not placed.structures:
                return None
            after[component] = placed
        return after

    def _placed(self, component: int, region: ShapeRegion, location: int) -> ShapeRegion | None:
        """A region in the shape class of a location, None if the component is not tracked there."""
        made = self.shape_class(component, location)
        if made is None or made is region.shape_class:
            return None if made is None else region
        found: list[Structure] = []
        for structure in region.structures:
            key = (structure, id(region.shape_class), id(made))
            converted = self._converted.get(key)
            if converted is None:
                signature = made.signature
                wide = extended(structure, region.shape_class.signature, signature.number, signature.arity)
                self.operations += 1
                converted = self._converted[key] = made.transformers.sharpened(wide)
            found += converted
        return ShapeRegion(made, made.transformers.joined(found))

    def may_fail(self, state: ShapeState, number: int, check: str, component: int, cube: Cube) -> bool:
        """Whether the structures of a component do not exclude that a check fails on an edge."""
        region = dict(self._regions(state, number)).get(component)
        return region is None or check in self._result(component, region, number, cube, ()).raised

    def may_leak(self, state: ShapeState, number: int, check: str, cube: Cube) -> Iterator[int]:
        """The components that may lose a block on an edge. One that is not tracked may, if the edge does anything to
        its pointers."""
        for component, region in self._regions(state, number):
            if not self.projections[component].may_have_blocks(number):
                continue
            if region is None:
                if self.class_of(component, Tracking()).raises(number, check):
                    yield component
            elif check in self._result(component, region, number, cube, ()).raised:
                yield component

    def admit(self, state: ShapeState, location: int, cube: Cube, claims: Sequence[Claim]) -> bool:
        """Whether every component has structures that are consistent with the claims."""
        for component, region in state.items():
            if region is not None:
                needs = self.reduction.needs(component, region.shape_class, location, cube, claims)
                if needs and not self.filtered(region, needs):
                    return False
        return True

    def _regions(self, state: ShapeState, number: int) -> list[tuple[int, ShapeRegion | None]]:
        """The regions of components before an edge; initial ones for components that it touches first."""
        found = list(state.items())
        for component, projection in self.projections.items():
            if component not in state and number in projection.touched:
                made = self.shape_class(component, self.semantics.program.graph.edges[number].target)
                found.append((component, None if made is None else ShapeRegion(made, (made.initial,))))
        return found

    def _result(
        self, component: int, region: ShapeRegion, number: int, cube: Cube, claims: Sequence[Claim]
    ) -> ShapePost:
        made = region.shape_class
        location = self.semantics.program.graph.edges[number].source
        needs = self.reduction.needs(component, made, location, cube, claims)
        values = self.reduction.values(component, made, number, cube)
        changed = self.reduction.changed(component, made, number, cube)
        if not needs and not values and not changed and made.is_idle(number):
            return ShapePost(region.structures, frozenset())
        key = (id(made), region.structures, number, needs, values, changed)
        found = self._results.get(key)
        if found is None:
            found = self._results[key] = self._compute(region, number, needs, values, changed)
        return found

    def _compute(
        self, region: ShapeRegion, number: int, needs: Needs, values: Values, changed: tuple[Update, ...]
    ) -> ShapePost:
        made = region.shape_class
        start = self.filtered(region, needs) if needs else region.structures
        last = [Action("a variable changes", updates=changed)] if changed else []
        reached: list[Structure] = []
        raised: set[str] = set()
        for chain in made.chains(number):
            now: Sequence[Structure] = start
            for action in [*(_with_values(one, values) for one in chain), *last]:
                if action.messages:
                    check = made.transformers.check(action)
                    for structure in now:
                        self.operations += structure not in check.memo
                        raised |= {action.messages[int(one.text)].text for one in check.apply(structure).raised}
                now = self._applied(made, replace(action, messages=()), now)
            reached += now
        if CONFUSED in raised:
            raise InconsistentShapes(CONFUSED, made.projection.component)
        return ShapePost(made.transformers.joined(reached), frozenset(raised))

    def _applied(self, made: ShapeClass, action: Action, structures: Sequence[Structure]) -> list[Structure]:
        if action == Action(action.title):
            return list(structures)
        transformer = made.transformers.transformer(action)
        found: dict[Structure, None] = {}
        for structure in structures:
            if self.limits.expired():
                raise LimitReached("the time limit was reached")
            self.operations += structure not in transformer.memo
            step = transformer.apply(structure)
            if step.breach is not None:
                raise InconsistentShapes(action.title, made.projection.component)
            found.update(dict.fromkeys(step.results))
        return list(found)

    # --- predicates and structures ---------------------------------------------------------------------------------

    def filtered(self, region: ShapeRegion, needs: Needs) -> list[Structure]:
        """The structures of a region in which node predicates of some pointers' objects have these values."""
        now: list[Structure] = list(region.structures)
        for variable, name, holds in needs:
            pointer, value = region.shape_class.projection.name(variable), atom(name, "v")
            there = Exists(("v",), And((atom(pointer, "v"), value)))
            wanted = there if holds else Exists(("v",), And((atom(pointer, "v"), Not(value))))
            action = Action(f"{pointer}: {'' if holds else 'not '}{name}", (atom(pointer, "v"), there), wanted)
            now = self._applied(region.shape_class, action, now)
        return now

    # --- covering --------------------------------------------------------------------------------------------------

    def covers(self, bigger: ShapeState, smaller: ShapeState) -> bool:
        """Coverage: whether every heap of the smaller is one of the bigger."""
        for component, region in smaller.items():
            if component not in bigger:
                return False
            known = bigger[component]
            if known is not None and (region is None or not self._embedded(region, known)):
                return False
        for component, known in bigger.items():
            if component not in smaller and known is not None:
                empty = ShapeRegion(known.shape_class, (known.shape_class.initial,))
                if not self._embedded(empty, known):
                    return False
        return True

    def _embedded(self, region: ShapeRegion, other: ShapeRegion) -> bool:
        if region.shape_class is other.shape_class:
            kept = set(other.structures)
            rest = [one for one in region.structures if one not in kept]
            signature = region.shape_class.signature
            return all(any(embeds(signature, one, big) for big in other.structures) for one in rest)
        union, numbers, arities = self._union(region.shape_class, other.shape_class)
        big = [extended(one, other.shape_class.signature, numbers, arities) for one in other.structures]
        return all(
            any(embeds(union, extended(one, region.shape_class.signature, numbers, arities), two) for two in big)
            for one in region.structures
        )

    def _union(self, one: ShapeClass, other: ShapeClass) -> tuple[Signature, dict[str, int], list[int]]:
        found = self._unions.get((id(one), id(other)))
        if found is None:
            from heapwright.logic.vocabulary import Vocabulary

            known = {p.name: p for p in (*one.heap.vocabulary.predicates, *other.heap.vocabulary.predicates)}
            union = Signature(Vocabulary(tuple(known.values())))
            found = self._unions[id(one), id(other)] = (union, dict(union.number), list(union.arity))
        return found


def _with_values(action: Action, values: Values) -> Action:
    """The action of a store with the known values of node predicates."""
    if not values:
        return action
    known = dict(values)
    updates = []
    for update in action.updates:
        if update.predicate in known and isinstance(update.formula, IfThenElse):
            formula = IfThenElse(update.formula.condition, known[update.predicate], update.formula.other)
            updates.append(Update(update.predicate, update.parameters, formula))
        else:
            updates.append(update)
    return replace(action, updates=tuple(updates))
