"""The whole for one function: what may fail, demand by demand, followed back to the inputs.

found = infer(read(program))
found.parts[0].bad                         # the structures of inputs from which the first demand may fail
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from heapwright.engines.infer.algorithm import Arc, Transformer, Verdict, add, fixpoint
from heapwright.engines.infer.cache import Cache
from heapwright.engines.infer.closure import Closure
from heapwright.engines.infer.domain import Shapes
from heapwright.engines.infer.elsewhere import Elsewhere
from heapwright.engines.infer.forward import Situations, situations
from heapwright.engines.infer.initial import Demand
from heapwright.engines.infer.reading import Task
from heapwright.engines.infer.situation import told
from heapwright.engines.infer.solver import Solver
from heapwright.engines.infer.steps import Known, Step, plain
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
    task: Task,
    *,
    deadline: float | None = None,
    tell: Tell = lambda text: None,
    cache: Cache | None = None,
    forward: bool = True,
    elsewhere: Elsewhere | None = None,
    closure: Closure = Closure.UPDATES,
    solver: Solver | None = None,
) -> Inferred:
    """Follows every demand back; with `forward` only through what pointers can be. With a `solver` it is this one that
    is asked, and how is its own affair. Raises `LimitReached` at the
    deadline: half of a fixpoint says nothing."""
    start = time.monotonic()
    solver = solver or Solver(task.vocabulary, dangling=task.frees, cache=cache, elsewhere=elsewhere, closure=closure)
    entry = Solver(task.vocabulary, dangling=False) if task.frees or solver.learns else solver
    known = (
        situations(task.arcs, task.start, len(task.vocabulary.variables), len(task.fields))
        if forward and not task.vocabulary.cyclic
        else None
    )
    parts = tuple(_part(task, demand, known, solver, entry, deadline, tell) for demand in task.demands)
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


def _part(
    task: Task,
    demand: Demand,
    known: Situations | None,
    solver: Solver,
    entry: Solver,
    deadline: float | None,
    tell: Tell,
) -> Part:
    ranks = {location: place for place, location in enumerate(task.program.graph.postorder)}

    def tick(place: int, elements: int) -> None:
        tell(f"{demand.span.line}: {demand.kind}: {elements} structures, {solver.counts.questions} questions")
        if deadline is not None and time.monotonic() >= deadline:
            raise LimitReached("the time limit was reached before the precondition was found")

    domain = Shapes(task.vocabulary)
    arcs, failing = (task.arcs, demand.bad) if known is None else (_guarded(task, known), _reached(demand, known))
    transformer = Transformer(domain, solver, repeat=solver.learns)
    solution = fixpoint(transformer, arcs, failing, rank=lambda place: ranks.get(place, 0), tick=tick)
    bad: list[Structure] = []
    for structure in solution.get(task.start, ()):
        about = _about_inputs(task, structure)
        if about is not None and entry.possible(about) is not Verdict.NONE:
            add(domain, bad, about)
    return Part(demand, tuple(bad), sum(map(len, solution.values())))


def _guarded(task: Task, known: Situations) -> list[Arc[Step]]:
    """The arcs that some run takes, with the situations that it may be in before them."""
    return [replace(arc, step=Known(plain(arc.step), known[arc.target])) for arc in task.arcs if arc.target in known]


def _reached(demand: Demand, known: Situations) -> list[tuple[int, Structure]]:
    """The structures in which a demand is broken and that some run may be in."""
    found: list[tuple[int, Structure]] = []
    for place, structure in demand.bad:
        here = told(known[place], structure) if place in known else None
        settled = None if here is None else normalise(here)
        if settled is not None:
            found.append((place, settled))
    return found


def _about_inputs(task: Task, structure: Structure) -> Structure | None:
    """What a structure says of the inputs; nobody has given the other variables a value."""
    witnesses = task.vocabulary.witnesses or ()
    for place, name in enumerate(task.vocabulary.variables):
        if name not in task.inputs and place not in witnesses:
            structure = forget(structure, place)
    return normalise(blur(structure))
