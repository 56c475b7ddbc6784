"""Backward analysis of all obligations of a function over linked objects.

found = infer(translate(program))
found.results[0].failing                   # the structures of inputs from which the first obligation may fail
"""

from __future__ import annotations

import time
from dataclasses import replace

from heapwright.engines.infer import obligation_analysis
from heapwright.engines.infer.algorithm import Arc, ProverResult, Transformer
from heapwright.engines.infer.closure_modes import Closure
from heapwright.engines.infer.external_prover import ExternalProver
from heapwright.engines.infer.heaps.canonical_abstraction import blur
from heapwright.engines.infer.heaps.domain import Shapes
from heapwright.engines.infer.heaps.forward_analysis import LocationFacts, location_facts
from heapwright.engines.infer.heaps.negated_assertions import Obligation
from heapwright.engines.infer.heaps.pairs import Assertion, Pair
from heapwright.engines.infer.heaps.pointer_facts import sharpened
from heapwright.engines.infer.heaps.program_translation import Task
from heapwright.engines.infer.heaps.prover.solver import Model, Solver
from heapwright.engines.infer.heaps.prover.terms import EncodedTerms
from heapwright.engines.infer.heaps.steps import GuardedStep, Step, plain
from heapwright.engines.infer.heaps.structure import Structure, forget, normalise
from heapwright.engines.infer.obligation_analysis import Monitor, Problem, Tell
from heapwright.engines.infer.query_cache import Cache

ObligationResult = obligation_analysis.ObligationResult[Obligation, Structure]
Inferred = obligation_analysis.InferenceResult[Task, Obligation, Structure]


def infer(
    task: Task,
    *,
    deadline: float | None = None,
    tell: Tell = lambda text: None,
    cache: Cache | None = None,
    forward: bool = True,
    external: ExternalProver | None = None,
    closure: Closure = Closure.UPDATES,
    solver: Solver | None = None,
    iterate: int = 0,
) -> Inferred:
    """Failing inputs of every obligation. `forward`: restrict the analysis by pointer facts. `iterate`: maximum number
    of alternations with a forward analysis, which requires exact updates of reachability. `solver` replaces the
    default one. Raises `LimitReached` at the deadline, as an unfinished fixpoint proves nothing."""
    start = time.monotonic()
    solver = solver or Solver(task.vocabulary, dangling=task.frees, cache=cache, external=external, closure=closure)
    entry = Solver(task.vocabulary, dangling=False) if task.frees or solver.learns else solver
    known = (
        location_facts((*task.prologue, *task.arcs), task.entry, len(task.vocabulary.variables), len(task.fields))
        if forward and not task.vocabulary.cyclic
        else None
    )
    monitor = Monitor(tell, deadline)
    results = tuple(
        obligation_analysis.analyse(obligation, _problem(task, obligation, known, solver, entry, iterate), monitor)
        for obligation in task.obligations
    )
    counts = solver.counts if entry is solver else solver.counts + entry.counts
    return Inferred(task, results, counts, time.monotonic() - start)


def _problem(
    task: Task, obligation: Obligation, known: LocationFacts | None, solver: Solver, entry: Solver, iterate: int
) -> Problem[Structure, Pair, Step, Assertion, Model]:
    definitions = EncodedTerms(entry.encoding).definitions

    def about(structure: Structure) -> Structure | None:
        found = _about_inputs(task, structure)
        if found is None or entry.possible(found, definitions) is ProverResult.UNSAT:
            return None
        return found

    return Problem(
        Transformer(Shapes(task.vocabulary), solver, repeat=solver.learns),
        task.arcs if known is None else _guarded(task, known),
        obligation.failing if known is None else _reached(obligation, known, task.vocabulary.ghosts),
        task.start,
        {location: index for index, location in enumerate(task.program.graph.postorder)},
        solver.meets,
        about,
        solver.counts,
        0 if solver.learns else iterate,
    )


def _guarded(task: Task, known: LocationFacts) -> list[Arc[Step]]:
    """The reachable arcs, guarded by the pointer facts before them."""
    return [
        replace(arc, step=GuardedStep(plain(arc.step), known[arc.target])) for arc in task.arcs if arc.target in known
    ]


def _reached(obligation: Obligation, known: LocationFacts, ghosts: frozenset[int]) -> list[tuple[int, Structure]]:
    """The structures that violate an obligation and are consistent with the pointer facts."""
    found: list[tuple[int, Structure]] = []
    for location, structure in obligation.failing:
        here = sharpened(known[location], structure, ghosts) if location in known else None
        settled = None if here is None else normalise(here)
        if settled is not None:
            found.append((location, settled))
    return found


def _about_inputs(task: Task, structure: Structure) -> Structure | None:
    """Projection of a structure to the inputs; other variables are uninitialised at the entry."""
    kept = {*(task.vocabulary.witnesses or ()), *task.vocabulary.ghosts, *task.vocabulary.roots}
    for index, name in enumerate(task.vocabulary.variables):
        if name not in task.inputs and index not in kept:
            structure = forget(structure, index)
    return normalise(blur(structure))
