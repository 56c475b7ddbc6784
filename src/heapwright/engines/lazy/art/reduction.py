"""Reduction of cubes and structures against each other, by node predicates.

Available loads and predicates over scalars connect the two: `$5 == 3` is `p->h == 3` where $5 equals p->h. A test sets
node predicates of the node that was read, a store those of the node that is written, as far as the cube entails them.
When a scalar changes, a node predicate over it keeps its value if the cube shows that:

    [h <= max] of a node stays true over  max = v  if  max < v.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heapwright.engines.lazy.heap.available_loads import Loads
from heapwright.engines.lazy.logic.solver import Solver
from heapwright.engines.lazy.logic.substitution import renamed, substituted
from heapwright.engines.lazy.logic.terms import AtMost, Variable, arrays, cell, eq, le, minus, names, negation, num, var
from heapwright.engines.lazy.logic.terms import Formula as Claim
from heapwright.engines.lazy.paths.command_semantics import Assign, Havoc, Semantics, Write
from heapwright.engines.lazy.paths.path_formula import PathFormula, PathStep
from heapwright.engines.lazy.precision.shape_classes import ShapeClass
from heapwright.engines.lazy.precision.tracking_definition import VALUE, NodePredicate
from heapwright.logic.actions import Update
from heapwright.logic.formulas import FALSE, HALF, TRUE, And, Exists, Formula, IfThenElse, atom
from heapwright.program.commands import Command, StoreData
from heapwright.program.graph import Edge

Cube = tuple[Claim, ...]
Values = tuple[tuple[str, Formula], ...]  # of node predicates that a store sets
Needs = tuple[tuple[str, str, bool], ...]  # (pointer, node predicate, whether it holds)


class Reduction:
    def __init__(self, semantics: Semantics, loads: Loads, solver: Solver) -> None:
        self.semantics = semantics
        self.loads = loads
        self.solver = solver
        self._steps: dict[int, PathFormula] = {}

    def told(self, claim: Claim, known: Sequence[Claim]) -> bool | None:
        """Whether premises decide a claim, and how."""
        background = self.semantics.background(names(claim).union(*map(names, known)))
        if not self.solver.satisfiable((*known, *background, negation(claim))):
            return True
        return None if self.solver.satisfiable((*known, *background, claim)) else False

    def equalities(self, location: int) -> list[Claim]:
        """Variables equal the cells that they were loaded from."""
        known = sorted(self.loads.at(location).items())
        return [eq(var(name), cell(array, var(pointer))) for name, (pointer, array) in known]

    # --- tests -----------------------------------------------------------------------------------------------------

    def needs(self, component: int, made: ShapeClass, location: int, cube: Cube, claims: Sequence[Claim]) -> Needs:
        """Node predicates that a test entails."""
        if not claims or not made.predicates:
            return ()
        mentioned = frozenset[str]().union(*map(names, claims))
        pointers: dict[str, set[str]] = {}  # and the cells that are tested
        for name, (pointer, array) in self.loads.at(location).items():
            if name in mentioned and self.semantics.aliases.component(location, pointer) == component:
                pointers.setdefault(pointer, set()).add(array)
        known = (*cube, *claims, *self.equalities(location))
        found: list[tuple[str, str, bool]] = []
        for pointer, tested in sorted(pointers.items()):
            for one in made.predicates if made.tracks(location, pointer) else ():
                if not one.cells.isdisjoint(tested):
                    holds = self.told(one.at(pointer), known)
                    if holds is not None:
                        found.append((pointer, one.name, holds))
        return tuple(found)

    # --- stores ----------------------------------------------------------------------------------------------------

    def values(self, component: int, made: ShapeClass, number: int, cube: Cube) -> Values:
        """The values of the node predicates of a node after a store."""
        edge = made.projection.program.graph.edges[number]
        if not isinstance(edge.command, StoreData) or not made.predicates:
            return ()
        written = self.semantics.stored(number)
        if written is None:
            return ()
        found: list[tuple[str, Formula]] = []
        for one in made.predicates:
            if written.array in one.cells:
                holds = self.stored(one, number, cube)
                value: Formula = HALF if holds is None else TRUE if holds else FALSE
                if holds is None:
                    value = self._copied(component, made, edge.source, written, one) or HALF
                found.append((one.name, value))
        return tuple(found)

    def stored(self, predicate: NodePredicate, number: int, cube: Cube) -> bool | None:
        """Whether a store makes a node predicate true or false; None if the cube leaves it open."""
        edge, written = self.semantics.program.graph.edges[number], self.semantics.stored(number)
        assert isinstance(edge.command, StoreData)
        assert written is not None
        claim = predicate.after_store(written.array, written.value, edge.command.base)
        return self.told(claim, (*cube, *self.equalities(edge.source)))

    def open_claims(self, made: ShapeClass, number: int, cube: Cube) -> Iterator[Claim]:
        """Conditions under which a store makes a node predicate that the cube leaves unknown true or false."""
        edge, written = self.semantics.program.graph.edges[number], self.semantics.stored(number)
        if written is None or not isinstance(edge.command, StoreData):
            return
        for one in made.predicates:
            if written.array in one.cells and self.stored(one, number, cube) is None:
                claim = one.after_store(written.array, written.value, edge.command.base)
                yield from (negation(claim), claim)

    def _copied(
        self, component: int, made: ShapeClass, location: int, written: Write, wanted: NodePredicate
    ) -> Formula | None:
        """Node predicates copied with a value that was loaded from a cell of another node."""
        parts = written.value.parts
        if len(parts) != 1 or written.value.constant or parts[0][1] != 1 or not isinstance(parts[0][0], Variable):
            return None
        read = self.loads.at(location).get(parts[0][0].name)
        if len(wanted.cells) > 1 or read is None or self.semantics.aliases.component(location, read[0]) != component:
            return None
        if not made.tracks(location, read[0]):
            return None
        same = NodePredicate(read[1], wanted.atom)
        if same not in made.tracking.predicates:
            return None
        return Exists(("w",), And((atom(made.projection.name(read[0]), "w"), atom(same.name, "w"))))

    # --- scalars ---------------------------------------------------------------------------------------------------

    def changed(self, component: int, made: ShapeClass, number: int, cube: Cube) -> tuple[Update, ...]:
        """The node predicates over variables that an edge changes, as they are afterwards."""
        if not made.predicates:
            return ()
        steps = self.semantics.effects[number].steps
        changed = {step.name for step in steps if isinstance(step, Assign | Havoc)}
        lost = [one for one in made.predicates if one.scalars & changed]
        if not lost:
            return ()
        formula = self._steps.get(number)
        if formula is None:
            formula = self._steps[number] = PathFormula([PathStep(0, step) for step in steps])
        edge = self.semantics.program.graph.edges[number]
        now = formula.names[-1]
        read = (renamed(each, now) for each in self.equalities(edge.target))
        known = (*cube, *self.equalities(edge.source), *formula.formulas, *read)
        found: list[Update] = []
        for one in lost:
            value = self._after(made, one, known, now)
            for pointer in self._read(component, made, edge, one):
                holds = self.told(renamed(one.at(pointer), now), known)
                value = IfThenElse(atom(made.projection.name(pointer), "v"), _value(holds, value), value)
            found.append(Update(one.name, ("v",), value))
        return tuple(found)

    def kept_if(self, made: ShapeClass, number: int, cube: Cube) -> Iterator[Claim]:
        """Conditions on variables under which node predicates survive that an edge changes one in them, where the cube
        leaves that open: [h <= max] stays true over  max = v  if  max <= v,  and false if  v <= max."""
        edge = self.semantics.program.graph.edges[number]
        steps = self.semantics.effects[number].steps
        changes = {step.name: step.value for step in steps if isinstance(step, Assign)}
        for one in made.predicates:
            if not isinstance(one.formula, AtMost) or not one.scalars & changes.keys():
                continue
            after = substituted(one.formula, changes)
            if not isinstance(after, AtMost):
                continue
            more = minus(after.term, one.formula.term)
            for claim in (le(more, num(0)), le(num(0), more)):
                of_variables = not any(name.startswith(VALUE) for name in names(claim)) and not arrays(claim)
                if of_variables and self.told(claim, (*cube, *self.equalities(edge.source))) is None:
                    yield claim

    def _read(self, component: int, made: ShapeClass, edge: Edge[Command], about: NodePredicate) -> list[str]:
        """The pointers whose objects have a cell of a node predicate that a variable equals."""
        known = {pointer for pointer, array in self.loads.at(edge.target).values() if array in about.cells}
        places = (edge.source, edge.target)
        aliases = self.semantics.aliases
        return [
            one
            for one in sorted(known)
            if all(aliases.component(place, one) == component and made.tracks(place, one) for place in places)
        ]

    def _after(self, made: ShapeClass, changed: NodePredicate, known: Cube, now: dict[str, str]) -> Formula:
        """The value of a node predicate, by the values that the predicates about the same cells had before."""
        claim = renamed(changed.formula, now)
        found: Formula = HALF
        related = [one for one in made.predicates if one != changed and not one.cells.isdisjoint(changed.cells)]
        for one in (*related, changed):
            yes, no = (self.told(claim, (*known, each)) for each in (one.formula, negation(one.formula)))
            if (yes, no) != (None, None):
                found = IfThenElse(atom(one.name, "v"), _value(yes, found), _value(no, found))
        return found


def _value(holds: bool | None, other: Formula) -> Formula:
    return other if holds is None else TRUE if holds else FALSE
