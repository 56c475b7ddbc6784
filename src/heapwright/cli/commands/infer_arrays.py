"""`heapwright infer` for a function over arrays: the analysis, and its report.

array_report(source, program, {"a": "n"}, deadline=None, tell=print, send=print)
"""

from __future__ import annotations

from collections.abc import Mapping

from heapwright.analysis.pipeline import Input
from heapwright.cli.precondition_report import Presentation, precondition_report
from heapwright.engines.infer.arrays.inference import infer_arrays
from heapwright.engines.infer.arrays.preconditions.claim_selection import answer_arrays, small_arrays
from heapwright.engines.infer.arrays.preconditions.claims import clause_in_c, clause_text, clause_words, largest, shown
from heapwright.engines.infer.arrays.preconditions.pictures import array_assumptions, array_contract, array_picture
from heapwright.engines.infer.arrays.preconditions.small_arrays import count
from heapwright.engines.infer.arrays.program_translation import read_arrays
from heapwright.engines.infer.obligation_analysis import Tell
from heapwright.engines.infer.query_cache import Cache, default_path
from heapwright.program.graph import Program
from heapwright.report.precondition import PreconditionReport

CELLS = 4  # of the arrays on which the answer is tested
MOST_ARRAYS = 20_000


def array_report(
    source: Input,
    program: Program,
    lengths: Mapping[str, str],
    *,
    deadline: float | None,
    tell: Tell,
    send: Tell,
    iterate: int = 0,
) -> PreconditionReport:
    tasks = read_arrays(program, lengths)
    inferred = infer_arrays(tasks, deadline=deadline, tell=tell, cache=Cache(default_path()), iterate=iterate)
    send("running small arrays")
    cells = max(CELLS, *(largest(task) + 1 for task in tasks))
    while cells > 1 and count(tasks, cells) > MOST_ARRAYS:
        cells -= 1
    small = small_arrays(tasks, cells)
    send("choosing clauses")
    found, names = answer_arrays(inferred, small), [shown(task) for task in tasks]
    return precondition_report(
        source,
        found,
        Presentation(
            words=lambda said: clause_words(said.clause, names[said.array]),
            text=lambda said: clause_text(said.clause, names[said.array]),
            macro=lambda said: clause_in_c(said.clause, names[said.array]),
            picture=lambda given: array_picture(tasks, given),
            contract=array_contract(tasks, found.clauses),
            assumptions=array_assumptions(tasks),
            given="if it terminates",
            tested=("arrays", "cells"),
            most=cells,
        ),
    )
