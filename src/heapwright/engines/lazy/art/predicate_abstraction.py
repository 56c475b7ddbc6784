"""Predicate abstraction: regions are cubes, conjunctions of literals over the predicates of a location.

The successor of a cube has the entailed literals (Cartesian abstraction). At exact locations, where a refuted path
recurred, an undecided predicate splits the successor (Boolean abstraction, as a set of cubes).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heapwright.engines.lazy.logic.solver import Solver
from heapwright.engines.lazy.logic.substitution import renamed
from heapwright.engines.lazy.logic.terms import AtMost, Atom, Formula, NotZero, Zero, arrays, names, negation
from heapwright.engines.lazy.paths.command_semantics import Assign, Havoc, Semantics, Step, Write
from heapwright.engines.lazy.paths.path_formula import PathFormula, PathStep

Cube = tuple[Formula, ...]  # literals


def predicate(atom: Atom) -> Atom:
    """The canonical one of an atom and its negation."""
    if isinstance(atom, NotZero):
        return Zero(atom.term)
    if isinstance(atom, AtMost):
        opposite = negation(atom)
        assert isinstance(opposite, AtMost)
        return min(atom, opposite, key=repr)
    return atom


class Precision:
    """The predicates of each location, and the exact locations. It grows monotonically."""

    def __init__(self) -> None:
        self._predicates: dict[int, dict[Atom, None]] = {}
        self.exact: set[int] = set()

    def at(self, location: int) -> tuple[Atom, ...]:
        return tuple(self._predicates.get(location, ()))

    def add(self, location: int, atoms: Iterable[Atom]) -> bool:
        """Adds predicates; whether any is new."""
        known = self._predicates.setdefault(location, {})
        before = len(known)
        known.update(dict.fromkeys(map(predicate, atoms)))
        return len(known) > before

    def version(self, location: int) -> tuple[int, bool]:
        """Changes whenever the precision of a location does."""
        return len(self._predicates.get(location, ())), location in self.exact

    @property
    def count(self) -> int:
        return sum(map(len, self._predicates.values()))

    def locations(self) -> list[int]:
        return sorted(location for location, known in self._predicates.items() if known)


class Abstraction:
    """The abstract post of cubes, memoised."""

    def __init__(self, semantics: Semantics, solver: Solver, precision: Precision) -> None:
        self.semantics = semantics
        self.solver = solver
        self.precision = precision
        graph = semantics.program.graph
        self.targets = [edge.target for edge in graph.edges]
        self.formulas = [PathFormula([PathStep(0, step) for step in one.steps]) for one in semantics.effects]
        self._posts: dict[tuple[Cube, int, tuple[int, bool], Cube], list[Cube]] = {}
        self.changed = [_changed(one.steps) for one in semantics.effects]

    def start(self, steps: Sequence[Step]) -> list[Cube]:
        """The cubes at the entry, after the initial steps."""
        formula = PathFormula([PathStep(-1, step) for step in steps])
        return self._cubes((), formula, self.semantics.program.graph.entry, frozenset())

    def possible(self, cube: Cube, condition: Formula) -> bool:
        """Whether a condition may hold in a region."""
        return self.solver.satisfiable((*cube, condition, *self._background(cube, (condition,))))

    def post(self, cube: Cube, number: int, told: Cube = ()) -> list[Cube]:
        """The successors over an edge; `told` is known of the state after it."""
        formula, target = self.formulas[number], self.targets[number]
        key = (cube, number, self.precision.version(target), told)
        found = self._posts.get(key)
        if found is None:
            found = self._posts[key] = self._cubes(cube, formula, target, self.changed[number], told)
        return found

    def _cubes(
        self, cube: Cube, formula: PathFormula, target: int, changed: frozenset[str], told: Cube = ()
    ) -> list[Cube]:
        after = formula.names[-1]
        known = [*cube, *formula.formulas, *self._background(cube, formula.formulas)]
        known += (renamed(one, after) for one in told)
        if not self.solver.satisfiable(known):
            return []
        found: list[Formula] = []
        undecided: list[Atom] = []
        for atom in self.precision.at(target):
            carried = next((one for one in cube if one in (atom, negation(atom))), None)
            if carried is not None and not changed & (names(atom) | arrays(atom)):
                found.append(carried)
                continue
            literal = renamed(atom, after)
            premises = [*known, *self._background((literal,), ())]
            if not self.solver.satisfiable((*premises, negation(literal))):
                found.append(atom)
            elif not self.solver.satisfiable((*premises, literal)):
                found.append(negation(atom))
            else:
                undecided.append(atom)
        if target not in self.precision.exact:
            return [tuple(found)]
        return [(*found, *more) for more in self._valuations(known, after, undecided)]

    def _valuations(self, known: list[Formula], after: dict[str, str], atoms: list[Atom]) -> list[Cube]:
        """All satisfiable valuations of predicates."""
        if not atoms:
            return [()] if self.solver.satisfiable(known) else []
        first, *rest = atoms
        found: list[Cube] = []
        for literal in (first, negation(first)):
            extended = [*known, renamed(literal, after)]
            if self.solver.satisfiable(extended):
                found += [(literal, *more) for more in self._valuations(extended, after, rest)]
        return found

    def _background(self, formulas: Iterable[Formula], more: Iterable[Formula]) -> list[Formula]:
        mentioned = frozenset[str]().union(*(names(one) for one in (*formulas, *more)))
        return self.semantics.background(mentioned)

    def covers(self, bigger: Cube, smaller: Cube) -> bool:
        return all(
            literal in smaller
            or not self.solver.satisfiable((*smaller, negation(literal), *self._background((*smaller, literal), ())))
            for literal in bigger
        )


def _changed(steps: Iterable[Step]) -> frozenset[str]:
    found: set[str] = set()
    for step in steps:
        match step:
            case Assign(name) | Havoc(name):
                found.add(name)
            case Write(array):
                found.add(array)
    return frozenset(found)
