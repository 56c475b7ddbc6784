"""The precondition of a function over linked objects, tested on all small heaps.

found = infer_heaps(program, Options())
found.judged().conjuncts
"""

from __future__ import annotations

from heapwright.base.errors import InputError
from heapwright.engines.infer.closure_modes import Closure
from heapwright.engines.infer.external_prover import ExternalProver
from heapwright.engines.infer.heaps.inference import infer
from heapwright.engines.infer.heaps.negated_assertions import Obligation
from heapwright.engines.infer.heaps.preconditions.clause_selection import select_clauses, small_heaps
from heapwright.engines.infer.heaps.preconditions.clauses import clause_macro, clause_text, clause_words
from heapwright.engines.infer.heaps.preconditions.pictures import assumptions, contract, heap_picture
from heapwright.engines.infer.heaps.preconditions.small_heaps import count, typed_count
from heapwright.engines.infer.heaps.preconditions.structure_pictures import structure_picture
from heapwright.engines.infer.heaps.program_translation import Task, translate
from heapwright.engines.infer.heaps.structure import Structure
from heapwright.engines.infer.obligation_analysis import Tell
from heapwright.engines.infer.precondition import Inference, Options, Presentation, reported
from heapwright.engines.infer.query_cache import Cache
from heapwright.program.graph import Program
from heapwright.result.precondition import Precondition

OBJECTS = 4  # of the heaps on which the precondition is tested
MOST_HEAPS = 40_000


class HeapInference(Inference[Task, Obligation, Structure]):
    """The structures of inputs from which an obligation may fail."""

    def judged(self, size: int | None = None, phase: Tell = lambda text: None) -> Precondition:
        task = self.inferred.task
        objects = size or _affordable(task)
        phase("running small heaps")
        small = small_heaps(task, objects)
        phase("choosing clauses")
        found = select_clauses(self.inferred, small)
        return reported(
            found,
            Presentation(
                words=lambda clause: clause_words(clause, task.fields),
                text=lambda clause: clause_text(clause, task.fields),
                macro=lambda clause: clause_macro(clause, task.fields),
                picture=lambda heap: heap_picture(task, heap),
                contract=contract(task, found.clauses),
                assumptions=assumptions(task),
                given="if it terminates" if task.vocabulary.cyclic else "given acyclic inputs, and if it terminates",
                tested=("heaps", "objects"),
                most=objects,
                abstract=lambda structure: structure_picture(task, structure),
            ),
        )


def infer_heaps(
    program: Program, options: Options, *, deadline: float | None, tell: Tell, cache: Cache
) -> HeapInference:
    if options.lengths:
        raise InputError("--length applies to arrays only; this function accesses none")
    inferred = infer(
        translate(program, cycles=options.cycles),
        deadline=deadline,
        tell=tell,
        cache=cache,
        external=None if options.prover is None else ExternalProver.find(options.prover),
        closure=options.closure or Closure.UPDATES,
        iterate=options.iterate,
    )
    return HeapInference(inferred)


def _affordable(task: Task) -> int:
    """The largest number of objects with at most `MOST_HEAPS` heaps."""
    if task.vocabulary.edges:
        return next((n for n in range(OBJECTS, 1, -1) if typed_count(task.layout, task.kinds, n) <= MOST_HEAPS), 1)
    keys, fields, cyclic = bool(task.vocabulary.key), len(task.fields), task.vocabulary.cyclic
    sizes = range(OBJECTS, 1, -1)
    fitting = (n for n in sizes if count(len(task.inputs), n, keys=keys, fields=fields, cyclic=cyclic) <= MOST_HEAPS)
    return next(fitting, 1)
