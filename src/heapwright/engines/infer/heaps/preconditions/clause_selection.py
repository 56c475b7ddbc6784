"""Selection of a sufficient precondition: a conjunction of clauses that excludes every failing structure.

A clause excludes a structure if no heap of its concretisation satisfies the clause: a query. Structures themselves are
never negated, as their negation is second-order. Of the clauses, those are chosen that reject the fewest safe small
heaps. That the conjunction is sufficient is proved; how close it is to the weakest precondition is tested on small
heaps.

    select_clauses(inferred, small_heaps(inferred.task, 3))
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
    """A small heap of inputs, also over the whole vocabulary, and the failures of its runs. `embeddings` are 2-valued
    structures of it: with ghost variables at all witnesses, and with spare objects where the function allocates, as a
    structure contains its objects before their allocation."""

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
    safe = [one for one in small if not one.failures.violated]
    together = tuple(dict.fromkeys(clause for one in preconditions for clause in one.clauses))
    if not _allowed(together, inferred.task, small):
        together = (FALSE,)  # an unsatisfiable conjunction
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
    missed = tuple(one.inputs for one in _allowed(chosen, task, small) if identity in one.failures.violated)
    examples: dict[Heap, None] = {}
    for structure in result.failing:
        for one in small:
            if identity in one.failures.violated and one.described(structure):
                examples[one.inputs] = None
                break
    ordered = sorted(examples, key=lambda heap: heap.size)
    return ObligationPrecondition(result, chosen, missed, tuple(ordered))


def _chosen(task: Task, result: ObligationResult, small: Sequence[SmallHeap], solver: Solver) -> tuple[Clause, ...]:
    """Greedy selection of clauses that exclude all failing structures, those first that reject the fewest safe heaps;
    redundant clauses are removed."""
    if not result.failing:
        return ()
    vocabulary = task.vocabulary
    described = [[one.heap for one in small if one.described(failing)] for failing in result.failing]
    safe = [one.heap for one in small if not one.failures.violated]
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
