"""The precondition as a conjunction of clauses that excludes every structure from which something may fail.

A clause excludes a structure if no heap that the structure describes satisfies it: a question to the prover. As the
negation of a structure is a formula of second order (its nodes are sets), the structures themselves are never negated.
Among the clauses those are taken that reject the fewest harmless heaps of all small ones, so that the answer is as weak
as clauses allow; that it suffices is proved, that it is the weakest is only ever said of the small heaps.

    answer(inferred, small_heaps(inferred.task, 3))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heapwright.engines.infer import precondition
from heapwright.engines.infer.algorithm import ProverResult
from heapwright.engines.infer.heaps.inference import Inferred, ObligationResult
from heapwright.engines.infer.heaps.membership import ConcreteStructure, concrete_structure, placement
from heapwright.engines.infer.heaps.negated_assertions import Obligation
from heapwright.engines.infer.heaps.preconditions.clauses import FALSE, Clause, clause_formula, clause_holds, clauses
from heapwright.engines.infer.heaps.preconditions.small_heaps import Runner, embedded, heaps, witnessed
from heapwright.engines.infer.heaps.program_translation import Task
from heapwright.engines.infer.heaps.prover.solver import Solver
from heapwright.engines.infer.heaps.steps import Heap
from heapwright.engines.infer.heaps.structure import Structure
from heapwright.engines.infer.input_runs import Failures

MOST_SPARE = 3


@dataclass(frozen=True, slots=True)
class SmallHeap:
    """A small heap of inputs, as one of the vocabulary, and what fails in runs from it. `guises` are what structures
    may take it for: with witnesses at their places, and with spare objects where some are allocated, as the objects of
    a structure are there before they are."""

    inputs: Heap
    heap: Heap
    embeddings: tuple[ConcreteStructure, ...]
    failures: Failures

    def described(self, structure: Structure) -> bool:
        return any(placement([(structure, embedding)]) is not None for embedding in self.embeddings)


def small_heaps(task: Task, objects: int) -> list[SmallHeap]:
    runner = Runner(task)
    vocabulary = task.vocabulary
    found: list[SmallHeap] = []
    for heap in heaps(
        len(task.inputs),
        objects,
        allocation=vocabulary.allocation,
        keys=bool(vocabulary.key),
        fields=vocabulary.fields,
        cyclic=vocabulary.cyclic,
    ):
        whole = embedded(task, heap)
        spare = tuple(embedded(task, heap, n) for n in range(1, MOST_SPARE + 1)) if task.news else ()
        embeddings = tuple(
            concrete_structure(vocabulary, embedding) for embedding in (*witnessed(vocabulary, whole), *spare)
        )
        found.append(SmallHeap(heap, whole, embeddings, runner.failures(heap)))
    return found


ObligationPrecondition = precondition.ObligationPrecondition[Obligation, Structure, Clause, Heap]
InferredPrecondition = precondition.InferredPrecondition[Task, Obligation, Structure, Clause, Heap]


def select_clauses(inferred: Inferred, small: Sequence[SmallHeap]) -> InferredPrecondition:
    solver = Solver(inferred.task.vocabulary, dangling=False, order=True)
    preconditions = tuple(_precondition(inferred.task, result, small, solver) for result in inferred.results)
    safe = [one for one in small if not one.failures.broken]
    together = tuple(dict.fromkeys(clause for one in preconditions for clause in one.clauses))
    if not _allowed(together, inferred.task, small):
        together = (FALSE,)  # clauses that contradict one another say no more
    kept = _allowed(together, inferred.task, safe)
    complete = all(one.failures.complete for one in small)
    return InferredPrecondition(
        inferred, preconditions, together, len(small), len(safe), len(safe) - len(kept), complete
    )


def _allowed(clauses: Sequence[Clause], task: Task, small: Sequence[SmallHeap]) -> list[SmallHeap]:
    return [one for one in small if all(clause_holds(clause, task.vocabulary, one.heap) for clause in clauses)]


def _precondition(
    task: Task, result: ObligationResult, small: Sequence[SmallHeap], solver: Solver
) -> ObligationPrecondition:
    identity = result.obligation.id
    chosen = _chosen(task, result, small, solver)
    missed = tuple(one.inputs for one in _allowed(chosen, task, small) if identity in one.failures.broken)
    examples: dict[Heap, None] = {}
    for structure in result.failing:
        for one in small:
            if identity in one.failures.broken and one.described(structure):
                examples[one.inputs] = None
                break
    ordered = sorted(examples, key=lambda heap: heap.size)
    return ObligationPrecondition(result, chosen, missed, tuple(ordered))


def _chosen(task: Task, result: ObligationResult, small: Sequence[SmallHeap], solver: Solver) -> tuple[Clause, ...]:
    """Clauses that exclude all structures of a part, one structure after the other by the clause that rejects the
    fewest harmless heaps; what the others make superfluous is left out again."""
    if not result.failing:
        return ()
    vocabulary = task.vocabulary
    described = [[one.heap for one in small if one.described(failing)] for failing in result.failing]
    safe = [one.heap for one in small if not one.failures.broken]
    ranked: list[tuple[int, int, Clause]] = []
    for place, clause in enumerate(clauses(task.inputs, vocabulary)):
        rejected = sum(1 for heap in safe if not clause_holds(clause, vocabulary, heap))
        ranked.append((rejected, place, clause))
    ranked.sort(key=lambda entry: entry[:2])
    chosen: list[Clause] = []
    left = set(range(len(result.failing)))
    for _, _, clause in ranked:
        excluded = {i for i in left if _excludes(clause, result.failing[i], described[i], task, solver)}
        if excluded:
            chosen.append(clause)
            left -= excluded
        if not left:
            break
    return _irredundant(chosen, result.failing, described, task, solver)


def _excludes(clause: Clause, failing: Structure, described: list[Heap], task: Task, solver: Solver) -> bool:
    if any(clause_holds(clause, task.vocabulary, heap) for heap in described):
        return False
    if clause == FALSE:
        return True
    return solver.possible(failing, [clause_formula(clause, solver.encoding)]) is ProverResult.UNSAT


def _irredundant(
    chosen: list[Clause], failing: Sequence[Structure], described: list[list[Heap]], task: Task, solver: Solver
) -> tuple[Clause, ...]:
    kept = list(chosen)
    for clause in reversed(chosen):
        others = [one for one in kept if one != clause]
        if all(
            any(_excludes(one, structure, described[i], task, solver) for one in others)
            for i, structure in enumerate(failing)
        ):
            kept = others
    return tuple(kept)
