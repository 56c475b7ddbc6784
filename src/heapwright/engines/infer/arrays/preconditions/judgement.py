"""The precondition of a function over arrays, tested on all small arrays.

found = infer_array_inputs(program, Options(lengths={"a": "n"}))
found.judged().conjuncts
"""

from __future__ import annotations

from heapwright.base.errors import InputError
from heapwright.engines.infer.arrays.abstract_arrays import Element
from heapwright.engines.infer.arrays.inference import infer_arrays
from heapwright.engines.infer.arrays.negated_assertions import Obligation
from heapwright.engines.infer.arrays.preconditions import claims
from heapwright.engines.infer.arrays.preconditions.claim_selection import select_claims, small_arrays
from heapwright.engines.infer.arrays.preconditions.pictures import array_assumptions, array_contract, array_picture
from heapwright.engines.infer.arrays.preconditions.small_arrays import count
from heapwright.engines.infer.arrays.program_translation import Task, translate_arrays
from heapwright.engines.infer.obligation_analysis import Tell
from heapwright.engines.infer.precondition import Inference, Options, Presentation, reported
from heapwright.engines.infer.query_cache import Cache
from heapwright.program.graph import Program
from heapwright.result.precondition import Precondition

CELLS = 4  # of the arrays on which the precondition is tested
MOST_ARRAYS = 20_000


class ArrayInference(Inference[tuple[Task, ...], Obligation, Element]):
    """The abstract arrays of inputs from which an obligation may fail."""

    def judged(self, size: int | None = None, phase: Tell = lambda text: None) -> Precondition:
        tasks = self.inferred.task
        cells = size or _affordable(tasks)
        phase("running small arrays")
        small = small_arrays(tasks, cells)
        phase("choosing clauses")
        found, names = select_claims(self.inferred, small), [claims.display_names(task) for task in tasks]
        return reported(
            found,
            Presentation(
                words=lambda conjunct: claims.clause_words(conjunct.clause, names[conjunct.array]),
                text=lambda conjunct: claims.clause_text(conjunct.clause, names[conjunct.array]),
                macro=lambda conjunct: claims.clause_in_c(conjunct.clause, names[conjunct.array]),
                picture=lambda inputs: array_picture(tasks, inputs),
                contract=array_contract(tasks, found.clauses),
                assumptions=array_assumptions(tasks),
                given="if it terminates",
                tested=("arrays", "cells"),
                most=cells,
            ),
        )


def infer_array_inputs(
    program: Program, options: Options, *, deadline: float | None, tell: Tell, cache: Cache
) -> ArrayInference:
    if options.closure is not None:
        raise InputError("--closure applies to linked structures only; this function works on arrays")
    tasks = translate_arrays(program, options.lengths)
    return ArrayInference(infer_arrays(tasks, deadline=deadline, tell=tell, cache=cache, iterate=options.iterate))


def _affordable(tasks: tuple[Task, ...]) -> int:
    """The largest number of cells with at most `MOST_ARRAYS` arrays."""
    sizes = range(max(CELLS, *(claims.largest(task) + 1 for task in tasks)), 1, -1)
    return next((cells for cells in sizes if count(tasks, cells) <= MOST_ARRAYS), 1)
