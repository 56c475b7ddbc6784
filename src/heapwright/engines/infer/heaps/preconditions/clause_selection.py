"""Selection of a sufficient precondition: a conjunction of clauses that excludes every failing structure.

For each failing structure there is a clause that none of its heaps satisfies (`complement`); clauses that others imply
are left out. That the conjunction is sufficient is proved; how close it is to the weakest precondition is tested on
small heaps.

    select_clauses(inferred, small_heaps(inferred.task, 3))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from heapwright.engines.infer import precondition
from heapwright.engines.infer.heaps.inference import Inferred, ObligationResult
from heapwright.engines.infer.heaps.membership import ConcreteStructure, concrete_structure, find_embedding
from heapwright.engines.infer.heaps.negated_assertions import Obligation
from heapwright.engines.infer.heaps.preconditions.clauses import (
    FALSE,
    Clause,
    claims,
    clause_holds,
    doubly_linked_claims,
    path_claims,
    well_typed,
)
from heapwright.engines.infer.heaps.preconditions.complement import Complement, FailingStructure
from heapwright.engines.infer.heaps.preconditions.small_heaps import (
    Runner,
    embedded,
    heaps,
    typed_heaps,
    witnessed,
)
from heapwright.engines.infer.heaps.program_translation import Task
from heapwright.engines.infer.heaps.prover.solver import Solver
from heapwright.engines.infer.heaps.steps import Heap
from heapwright.engines.infer.heaps.structure import Structure
from heapwright.engines.infer.input_runs import Failures
from heapwright.result.precondition import IntegerInput

MOST_SPARE = 3
MOST_VARYING = 400  # heaps that are run again for values of integers


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
        return any(find_embedding([(structure, embedding)]) is not None for embedding in self.embeddings)


def small_heaps(task: Task, objects: int) -> list[SmallHeap]:
    runner = Runner(task)
    vocabulary = task.vocabulary
    found: list[SmallHeap] = []
    for heap in all_heaps(task, objects):
        whole = embedded(task, heap)
        spare = tuple(embedded(task, heap, n) for n in range(1, MOST_SPARE + 1)) if task.news else ()
        embeddings = tuple(
            concrete_structure(vocabulary, embedding) for embedding in (*witnessed(vocabulary, whole), *spare)
        )
        found.append(SmallHeap(heap, whole, embeddings, runner.failures(heap)))
    return found


def all_heaps(task: Task, objects: int) -> Iterator[Heap]:
    """All small heaps of inputs."""
    vocabulary = task.vocabulary
    if vocabulary.edges:
        return typed_heaps(task.layout, task.kinds, objects, allocation=vocabulary.allocation)
    return heaps(
        len(task.inputs),
        objects,
        allocation=vocabulary.allocation,
        keys=bool(vocabulary.key),
        fields=vocabulary.fields,
        cyclic=vocabulary.cyclic,
    )


ObligationPrecondition = precondition.ObligationPrecondition[Obligation, Structure, Clause, Heap]
InferredPrecondition = precondition.InferredPrecondition[Task, Obligation, Structure, Clause, Heap]


def select_clauses(inferred: Inferred, small: Sequence[SmallHeap]) -> InferredPrecondition:
    task = inferred.task
    safe = [one for one in small if not one.failures.violated]
    complement = _complement(task, small)
    failing = {
        structure: FailingStructure(structure, sum(1 << i for i, one in enumerate(small) if one.described(structure)))
        for structure in dict.fromkeys(one for result in inferred.results for one in result.failing)
    }
    excluding = dict(zip(failing, complement.clauses(list(failing.values())), strict=True))
    together = _irredundant(list(dict.fromkeys(excluding.values())), complement)
    if together and not _allowed(together, task, small) and complement.follows(FALSE, together):
        together = (FALSE,)  # an unsatisfiable conjunction
    preconditions = tuple(
        _precondition(task, result, small, failing, excluding, together, complement) for result in inferred.results
    )
    kept = _allowed(together, task, safe)
    complete = all(one.failures.complete for one in small)
    varying = [one for one in small if one.failures.varying]
    return InferredPrecondition(
        inferred,
        preconditions,
        together,
        len(small),
        len(safe),
        len(safe) - len(kept),
        complete,
        len(varying),
        _decided(task, varying),
    )


def _decided(task: Task, varying: Sequence[SmallHeap]) -> tuple[IntegerInput, ...]:
    """How many of the heaps from which some runs fail are safe for small values of each integer input."""
    runner = Runner(task)
    largest = max((one.inputs.size for one in varying), default=0) + 1
    found: list[IntegerInput] = []
    for name in runner.integers if varying and len(varying) <= MOST_VARYING else ():
        safe = tuple(
            (value, sum(not runner.failures(one.inputs, {name: value}).violated for one in varying))
            for value in range(-1, largest + 1)
        )
        shown = task.program.variables[name].source_name or name
        found.append(IntegerInput(shown, safe))
    return tuple(found)


def _complement(task: Task, small: Sequence[SmallHeap]) -> Complement:
    vocabulary = task.vocabulary
    solver = Solver(vocabulary, dangling=False, order=True)
    claims_ = [*claims(task.inputs, vocabulary)]
    if task.fields[0]:
        claims_ += path_claims(task.inputs, vocabulary, *_depths(task))
    claims_ += doubly_linked_claims(task.inputs, task.doubly)
    if vocabulary.edges:
        kinds = dict(zip(task.inputs, task.kinds, strict=True))
        claims_ = [claim for claim in claims_ if well_typed(claim, task.layout, kinds)]
    safe = sum(1 << i for i, one in enumerate(small) if not one.failures.violated)
    return Complement.over(vocabulary, claims_, [one.heap for one in small], safe, solver)


def _depths(task: Task) -> tuple[int, int]:
    """Length of the paths in claims about two of them, and about one: less where there are many."""
    if task.vocabulary.edges:
        return 2, 4
    if len(task.fields) > 1 or len(task.inputs) > 2:
        return 2, 3 if len(task.inputs) == 1 else 2
    if task.vocabulary.cyclic:
        return 2, 3
    return (3, 3) if len(task.inputs) == 2 else (5, 5)


def _allowed(clauses: Sequence[Clause], task: Task, small: Sequence[SmallHeap]) -> list[SmallHeap]:
    return [one for one in small if all(clause_holds(clause, task.vocabulary, one.heap) for clause in clauses)]


def _precondition(
    task: Task,
    result: ObligationResult,
    small: Sequence[SmallHeap],
    failing: Mapping[Structure, FailingStructure],
    excluding: Mapping[Structure, Clause],
    together: Sequence[Clause],
    complement: Complement,
) -> ObligationPrecondition:
    """The clauses of the precondition that exclude the failing structures of an obligation, as far as there are such;
    others of its own follow from all of them."""
    identity = result.obligation.id
    chosen: dict[Clause, None] = {}
    for structure in result.failing:
        own = excluding[structure]
        if FALSE in together:
            chosen[FALSE] = None
        elif own in together:
            chosen[own] = None
        else:
            instead = [clause for clause in together if complement.excludes(clause, structure)]
            chosen[instead[0] if instead else own] = None
    missed = tuple(one.inputs for one in _allowed(tuple(chosen), task, small) if identity in one.failures.violated)
    fails = [(1 << i, one.inputs) for i, one in enumerate(small) if identity in one.failures.violated]
    examples: dict[Heap, None] = {}
    described = 0
    for structure in result.failing:
        of = failing[structure].described
        described |= of
        for bit, inputs in fails:
            if bit & of:
                examples[inputs] = None
                break
    ordered = sorted(examples, key=lambda heap: heap.size)
    lost = tuple(inputs for bit, inputs in fails if not bit & described)
    return ObligationPrecondition(result, tuple(chosen), missed, tuple(ordered), lost)


def _irredundant(clauses: list[Clause], complement: Complement) -> tuple[Clause, ...]:
    """Without clauses that the others imply, and without claims that add nothing to the others."""
    if FALSE in clauses:
        return (FALSE,)
    kept = list(clauses)
    for clause in sorted(clauses, key=lambda clause: -len(clause)):
        others = [one for one in kept if one != clause]
        if complement.follows(clause, others):
            kept = others
    for i, clause in enumerate(kept):
        for claim in clause if len(clause) > 2 else ():
            rest = tuple(one for one in kept[i] if one != claim)
            if complement.follows(rest, kept):
                kept[i] = rest
    return tuple(kept)
