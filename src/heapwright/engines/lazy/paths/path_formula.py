"""Path formulas in static single assignment form; satisfiable if and only if the path is feasible.

Every assignment gives a new name to a variable, and every write one to the cells of a field: `x@3` is x after the third
step. Without the heap, loads are havoc and writes are omitted.

    path = Path(semantics, (0, 1, 4), failure)
    formula = PathFormula(path.steps())
    solver.satisfiable(formula.formulas)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heapwright.engines.lazy.logic.integer_terms import in_range
from heapwright.engines.lazy.logic.substitution import Rebuild, renamed, renamed_term
from heapwright.engines.lazy.logic.terms import JUNK, NEXT, Formula, Stored, Term, eq, names, num, var
from heapwright.engines.lazy.paths.command_semantics import Assign, Havoc, Require, Semantics, Step, Write
from heapwright.logic.connectives import TRUE
from heapwright.program.types import ValueKind


@dataclass(frozen=True, slots=True)
class PathStep:
    """A step of the `position`-th edge of a path, -1 for initial steps."""

    position: int
    step: Step


@dataclass(frozen=True)
class Path:
    """An abstract counterexample: the edges from the entry, and the failure condition at the end."""

    semantics: Semantics
    edges: tuple[int, ...]
    failure: Formula = TRUE

    def steps(self) -> tuple[PathStep, ...]:
        found = [PathStep(-1, step) for step in self._beginning()]
        for position, number in enumerate(self.edges):
            found += [PathStep(position, step) for step in self.semantics.effects[number].steps]
        if self.failure != TRUE:
            unknown = sorted(name for name in names(self.failure) if name.startswith("#") and name != NEXT)
            found += [PathStep(len(self.edges), Havoc(name)) for name in unknown]
            found.append(PathStep(len(self.edges), Require(self.failure)))
        return tuple(found)

    def _beginning(self) -> list[Step]:
        steps: list[Step] = [Assign(NEXT, num(1))]
        for name, variable in self.semantics.program.variables.items():
            if variable.kind is ValueKind.POINTER:
                steps.append(Assign(name, JUNK))
            elif variable.type is not None:
                steps.append(Require(in_range(name, variable.type)))
        return steps

    def locations(self) -> list[int]:
        """The location before each edge, and the last one."""
        graph = self.semantics.program.graph
        if not self.edges:
            return [graph.entry]
        return [*(graph.edges[number].source for number in self.edges), graph.edges[self.edges[-1]].target]


class _WithoutCells(Rebuild):
    """Every load is replaced by an unknown value."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self.prefix = prefix
        self.unknown: list[str] = []

    def cell(self, array: str, index: Term) -> Term:
        self.unknown.append(f"{self.prefix}{len(self.unknown)}")
        return var(self.unknown[-1])


def without_heap(steps: Sequence[PathStep]) -> tuple[PathStep, ...]:
    """The steps with loads replaced by havoc."""
    found: list[PathStep] = []
    for number, path_step in enumerate(steps):
        blind = _WithoutCells(f"#heap{number}.")
        step: Step
        match path_step.step:
            case Assign(name, value):
                step = Assign(name, blind.term(value))
            case Require(formula):
                step = Require(blind.formula(formula))
            case Havoc():
                step = path_step.step
            case Write():
                continue
        found += [PathStep(path_step.position, Havoc(name)) for name in blind.unknown]
        found.append(PathStep(path_step.position, step))
    return tuple(found)


class PathFormula:
    """`formulas[i]` is the constraint of the i-th step, `names[i]` the names before it; `names[-1]` those at the
    end."""

    def __init__(self, steps: Sequence[PathStep]) -> None:
        self.steps = steps
        self.formulas: list[Formula] = []
        self.names: list[dict[str, str]] = [{}]
        for number, path_step in enumerate(steps):
            self._add(number, path_step.step)

    def _add(self, number: int, step: Step) -> None:
        now = self.names[-1]
        after = now
        match step:
            case Assign(name, value):
                after = {**now, name: f"{name}@{number}"}
                self.formulas.append(eq(var(after[name]), renamed_term(value, now)))
            case Write(array, index, value):
                after = {**now, array: f"{array}@{number}"}
                at, new = renamed_term(index, now), renamed_term(value, now)
                self.formulas.append(Stored(after[array], now.get(array, array), at, new))
            case Havoc(name):
                after = {**now, name: f"{name}@{number}"}
                self.formulas.append(TRUE)
            case Require(formula):
                self.formulas.append(renamed(formula, now))
        self.names.append(after)
