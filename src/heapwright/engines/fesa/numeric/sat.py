"""Boolean functions as clauses or cubes, turned into each other by a SAT solver, as the paper has it (section 5).

A meet puts clauses together, a join puts cubes together, and forgetting flags is easy on cubes. A solver finds a vector
of the clauses, literals are taken away from it while it still satisfies every clause, and the prime implicant that is
left is excluded before the next vector is looked for: what was found in the end is the same function in cubes. Cubes
become clauses in the same way, by the negation. Needs the package `python-sat`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pysat.solvers import Minisat22  # type: ignore[import-untyped]

from heapwright.engines.fesa.numeric.api import Flag, Sizes
from heapwright.engines.fesa.numeric.serialization import Clauses

Literal = tuple[Flag, bool]
Group = frozenset[Literal]  # a clause or a cube


@dataclass(eq=False)
class Normal:
    """At least one of the two forms; the other is found when it is needed."""

    clauses: frozenset[Group] | None = None
    cubes: frozenset[Group] | None = None
    empty: bool | None = field(default=None, repr=False)


class Sat:
    def __init__(self) -> None:
        self.sizes = Sizes()  # of the clauses that became cubes

    def fresh(self) -> Sat:
        return Sat()

    def top(self) -> Normal:
        return Normal(frozenset(), frozenset({frozenset()}))

    def bottom(self) -> Normal:
        return Normal(frozenset({frozenset()}), frozenset())

    def literal(self, flag: Flag, value: bool = True) -> Normal:
        alone = frozenset({frozenset({(flag, value)})})
        return Normal(alone, alone)

    def meet(self, left: Normal, right: Normal) -> Normal:
        return Normal(clauses=_strongest(self._clauses(left) | self._clauses(right)))

    def join(self, left: Normal, right: Normal) -> Normal:
        return Normal(cubes=_strongest(self._cubes(left) | self._cubes(right)))

    def drop(self, function: Normal, flags: Iterable[Flag]) -> Normal:
        gone = set(flags)
        cubes = self._cubes(function)
        return Normal(cubes=_strongest(frozenset(frozenset(x for x in cube if x[0] not in gone) for cube in cubes)))

    def rename(self, function: Normal, names: Mapping[Flag, Flag]) -> Normal:
        return Normal(_renamed(function.clauses, names), _renamed(function.cubes, names), function.empty)

    def leq(self, left: Normal, right: Normal) -> bool:
        """Every clause of the right one follows from the left one: together with its negation there is no vector."""
        clauses = self._clauses(left)
        numbers = _Numbers()
        with Minisat22(bootstrap_with=[numbers.of(clause) for clause in clauses]) as solver:
            return not any(
                solver.solve(assumptions=[-literal for literal in numbers.of(clause)])
                for clause in self._clauses(right)
            )

    def is_bottom(self, function: Normal) -> bool:
        if function.empty is None:
            if function.cubes is not None:
                function.empty = not function.cubes
            else:
                function.empty = not self._satisfiable(self._clauses(function), ())
        return function.empty

    def _satisfiable(self, clauses: frozenset[Group], assumed: tuple[Literal, ...]) -> bool:
        numbers = _Numbers()
        with Minisat22(bootstrap_with=[numbers.of(clause) for clause in clauses]) as solver:
            return bool(solver.solve(assumptions=numbers.of(assumed)))

    def values(self, function: Normal, flag: Flag) -> tuple[bool, bool]:
        if function.cubes is not None:
            zero = any((flag, True) not in cube for cube in function.cubes)
            return zero, any((flag, False) not in cube for cube in function.cubes)
        clauses = self._clauses(function)
        return self._satisfiable(clauses, ((flag, False),)), self._satisfiable(clauses, ((flag, True),))

    def possible(self, function: Normal, flags: Iterable[Flag]) -> set[Flag]:
        return {flag for flag in flags if self.values(function, flag)[1]}

    def size(self, function: Normal) -> tuple[int, int]:
        clauses = self._clauses(function)
        return len({flag for clause in clauses for flag, _ in clause}), len(clauses)

    def serialize(self, function: Normal) -> Clauses:
        return Clauses(tuple(sorted(tuple(sorted(clause)) for clause in self._clauses(function))))

    def _clauses(self, function: Normal) -> frozenset[Group]:
        if function.clauses is None:
            assert function.cubes is not None
            negated = frozenset(_negated(cube) for cube in function.cubes)
            function.clauses = frozenset(_negated(cube) for cube in implicants(negated))
        return function.clauses

    def _cubes(self, function: Normal) -> frozenset[Group]:
        if function.cubes is None:
            assert function.clauses is not None
            self.sizes.add(self.size(function))
            function.cubes = implicants(function.clauses)
        return function.cubes


class _Numbers:
    """Flags as the numbers that a solver knows them by."""

    def __init__(self) -> None:
        self.numbers: dict[Flag, int] = {}
        self.flags: list[Flag] = []

    def of(self, literals: Iterable[Literal]) -> list[int]:
        found = []
        for flag, value in literals:
            number = self.numbers.get(flag)
            if number is None:
                self.flags.append(flag)
                number = self.numbers[flag] = len(self.flags)
            found.append(number if value else -number)
        return found


def implicants(clauses: frozenset[Group]) -> frozenset[Group]:
    """Prime implicants that cover all vectors of a set of clauses."""
    ordered = sorted(clauses, key=lambda clause: sorted(map(repr, clause)))
    numbers = _Numbers()
    found: list[Group] = []
    with Minisat22(bootstrap_with=[numbers.of(sorted(clause, key=repr)) for clause in ordered]) as solver:
        while solver.solve():
            model = solver.get_model()
            true = {(flag, model[index] > 0) for index, flag in enumerate(numbers.flags) if index < len(model)}
            cube = _prime(true, ordered)
            found.append(cube)
            if not cube:
                break
            solver.add_clause([-literal for literal in numbers.of(cube)])
    return frozenset(found)


def _prime(model: set[Literal], clauses: list[Group]) -> Group:
    """Part of a model that still satisfies every clause, and from which nothing can be taken away."""
    where: dict[Literal, list[int]] = {literal: [] for literal in model}
    counts: list[int] = []
    for index, clause in enumerate(clauses):
        true = [literal for literal in clause if literal in model]
        counts.append(len(true))
        for literal in true:
            where[literal].append(index)
    kept = set(model)
    for literal in sorted(model, key=repr):
        if all(counts[index] > 1 for index in where[literal]):
            kept.discard(literal)
            for index in where[literal]:
                counts[index] -= 1
    return frozenset(kept)


def _negated(group: Group) -> Group:
    return frozenset((flag, not value) for flag, value in group)


def _renamed(groups: frozenset[Group] | None, names: Mapping[Flag, Flag]) -> frozenset[Group] | None:
    if groups is None:
        return None
    return frozenset(frozenset((names.get(flag, flag), value) for flag, value in group) for group in groups)


def _strongest(groups: frozenset[Group]) -> frozenset[Group]:
    """Without groups that contain another one: a shorter clause says more, a shorter cube covers more."""
    kept: list[Group] = []
    for group in sorted(groups, key=len):
        if not any(other <= group for other in kept):
            kept.append(group)
    return frozenset(kept)
