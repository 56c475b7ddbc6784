"""The whole for one function: what may fail, demand by demand, followed back to the inputs.

found = infer(read(program))
found.parts[0].bad                         # the structures of inputs from which the first demand may fail
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from heapwright.engines.infer.algorithm import Transformer, Verdict, add, fixpoint
from heapwright.engines.infer.cache import Cache
from heapwright.engines.infer.domain import Shapes
from heapwright.engines.infer.initial import Demand
from heapwright.engines.infer.reading import Task
from heapwright.engines.infer.solver import Solver
from heapwright.engines.infer.structure import Structure, blur, forget, normalise
from heapwright.errors import LimitReached

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Part:
    """A demand, and the structures of inputs from which it may be the first to fail."""

    demand: Demand
    bad: tuple[Structure, ...]
    elements: int  # at all locations together


@dataclass(frozen=True, slots=True)
class Inferred:
    task: Task
    parts: tuple[Part, ...]
    questions: int
    models: int
    unknown: int
    kept: int
    seconds: float


def infer(
    task: Task, *, deadline: float | None = None, tell: Tell = lambda text: None, cache: Cache | None = None
) -> Inferred:
    """Follows every demand back. Raises `LimitReached` at the deadline: half of a fixpoint says nothing."""
    start = time.monotonic()
    solver = Solver(task.vocabulary, dangling=task.frees, cache=cache)
    entry = Solver(task.vocabulary, dangling=False) if task.frees else solver
    parts = tuple(_part(task, demand, solver, entry, deadline, tell) for demand in task.demands)
    solvers = (solver, entry) if entry is not solver else (solver,)
    return Inferred(
        task,
        parts,
        sum(one.counts.questions for one in solvers),
        sum(one.counts.models for one in solvers),
        sum(one.counts.unknown for one in solvers),
        sum(one.counts.kept for one in solvers),
        time.monotonic() - start,
    )


def _part(task: Task, demand: Demand, solver: Solver, entry: Solver, deadline: float | None, tell: Tell) -> Part:
    ranks = {location: place for place, location in enumerate(task.program.graph.postorder)}

    def tick(place: int, elements: int) -> None:
        tell(f"{demand.span.line}: {demand.kind}: {elements} structures, {solver.counts.questions} questions")
        if deadline is not None and time.monotonic() >= deadline:
            raise LimitReached("the time limit was reached before the precondition was found")

    domain = Shapes(task.vocabulary)
    solution = fixpoint(
        Transformer(domain, solver), task.arcs, demand.bad, rank=lambda place: ranks.get(place, 0), tick=tick
    )
    bad: list[Structure] = []
    for structure in solution.get(task.start, ()):
        about = _about_inputs(task, structure)
        if about is not None and entry.possible(about) is not Verdict.NONE:
            add(domain, bad, about)
    return Part(demand, tuple(bad), sum(map(len, solution.values())))


def _about_inputs(task: Task, structure: Structure) -> Structure | None:
    """What a structure says of the inputs; nobody has given the other variables a value."""
    for place, name in enumerate(task.vocabulary.variables):
        if name not in task.inputs:
            structure = forget(structure, place)
    return normalise(blur(structure))
