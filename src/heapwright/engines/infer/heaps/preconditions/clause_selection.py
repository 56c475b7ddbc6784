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

from heapwright.engines.infer import precondition as needs
from heapwright.engines.infer.algorithm import Verdict
from heapwright.engines.infer.heaps.inference import Inferred, Part
from heapwright.engines.infer.heaps.membership import Facts, facts, placement
from heapwright.engines.infer.heaps.negated_assertions import Demand
from heapwright.engines.infer.heaps.preconditions.clauses import FALSE, Clause, clause_formula, clause_holds, clauses
from heapwright.engines.infer.heaps.preconditions.small_heaps import Runner, embedded, heaps, witnessed
from heapwright.engines.infer.heaps.program_translation import Task
from heapwright.engines.infer.heaps.prover.solver import Solver
from heapwright.engines.infer.heaps.steps import Heap
from heapwright.engines.infer.heaps.structure import Structure
from heapwright.engines.infer.input_runs import Failures

MOST_SPARE = 3


@dataclass(frozen=True, slots=True)
class Small:
    """A small heap of inputs, as one of the vocabulary, and what fails in runs from it. `guises` are what structures
    may take it for: with witnesses at their places, and with spare objects where some are allocated, as the objects of
    a structure are there before they are."""

    inputs: Heap
    heap: Heap
    guises: tuple[Facts, ...]
    failures: Failures

    def described(self, structure: Structure) -> bool:
        return any(placement([(structure, guise)]) is not None for guise in self.guises)


def small_heaps(task: Task, objects: int) -> list[Small]:
    runner = Runner(task)
    vocabulary = task.vocabulary
    found: list[Small] = []
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
        guises = tuple(facts(vocabulary, guise) for guise in (*witnessed(vocabulary, whole), *spare))
        found.append(Small(heap, whole, guises, runner.failures(heap)))
    return found


Needed = needs.Needed[Demand, Structure, Clause, Heap]
Answer = needs.Answer[Task, Demand, Structure, Clause, Heap]


def answer(inferred: Inferred, small: Sequence[Small]) -> Answer:
    solver = Solver(inferred.task.vocabulary, dangling=False, order=True)
    needed = tuple(_needed(inferred.task, part, small, solver) for part in inferred.parts)
    harmless = [one for one in small if not one.failures.broken]
    together = tuple(dict.fromkeys(clause for one in needed for clause in one.clauses))
    if not _allowed(together, inferred.task, small):
        together = (FALSE,)  # clauses that contradict one another say no more
    kept = _allowed(together, inferred.task, harmless)
    complete = all(one.failures.complete for one in small)
    return Answer(inferred, needed, together, len(small), len(harmless), len(harmless) - len(kept), complete)


def _allowed(clauses: Sequence[Clause], task: Task, small: Sequence[Small]) -> list[Small]:
    return [one for one in small if all(clause_holds(clause, task.vocabulary, one.heap) for clause in clauses)]


def _needed(task: Task, part: Part, small: Sequence[Small], solver: Solver) -> Needed:
    identity = part.demand.id
    chosen = _chosen(task, part, small, solver)
    missed = tuple(one.inputs for one in _allowed(chosen, task, small) if identity in one.failures.broken)
    examples: dict[Heap, None] = {}
    for structure in part.bad:
        for one in small:
            if identity in one.failures.broken and one.described(structure):
                examples[one.inputs] = None
                break
    ordered = sorted(examples, key=lambda heap: heap.size)
    return Needed(part, chosen, missed, tuple(ordered))


def _chosen(task: Task, part: Part, small: Sequence[Small], solver: Solver) -> tuple[Clause, ...]:
    """Clauses that exclude all structures of a part, one structure after the other by the clause that rejects the
    fewest harmless heaps; what the others make superfluous is left out again."""
    if not part.bad:
        return ()
    vocabulary = task.vocabulary
    described = [[one.heap for one in small if one.described(bad)] for bad in part.bad]
    harmless = [one.heap for one in small if not one.failures.broken]
    ranked: list[tuple[int, int, Clause]] = []
    for place, clause in enumerate(clauses(task.inputs, vocabulary)):
        rejected = sum(1 for heap in harmless if not clause_holds(clause, vocabulary, heap))
        ranked.append((rejected, place, clause))
    ranked.sort(key=lambda entry: entry[:2])
    chosen: list[Clause] = []
    left = set(range(len(part.bad)))
    for _, _, clause in ranked:
        excluded = {i for i in left if _excludes(clause, part.bad[i], described[i], task, solver)}
        if excluded:
            chosen.append(clause)
            left -= excluded
        if not left:
            break
    return _irredundant(chosen, part.bad, described, task, solver)


def _excludes(clause: Clause, bad: Structure, described: list[Heap], task: Task, solver: Solver) -> bool:
    if any(clause_holds(clause, task.vocabulary, heap) for heap in described):
        return False
    if clause == FALSE:
        return True
    return solver.possible(bad, [clause_formula(clause, solver.words)]) is Verdict.NONE


def _irredundant(
    chosen: list[Clause], bad: Sequence[Structure], described: list[list[Heap]], task: Task, solver: Solver
) -> tuple[Clause, ...]:
    kept = list(chosen)
    for clause in reversed(chosen):
        others = [one for one in kept if one != clause]
        if all(
            any(_excludes(one, structure, described[i], task, solver) for one in others)
            for i, structure in enumerate(bad)
        ):
            kept = others
    return tuple(kept)
