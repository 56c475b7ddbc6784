"""`heapwright infer` for a function over an array: the analysis, and its report.

array_report(source, program, {"a": "n"}, deadline=None, tell=print, send=print)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from heapwright.engines.infer.arrays.answer import Answer, answer_arrays, small_arrays
from heapwright.engines.infer.arrays.claims import clause_in_c, clause_text, clause_words, largest, shown
from heapwright.engines.infer.arrays.concrete import count
from heapwright.engines.infer.arrays.inference import infer_arrays
from heapwright.engines.infer.arrays.pictures import array_assumptions, array_contract, array_picture
from heapwright.engines.infer.arrays.reading import read_arrays
from heapwright.engines.infer.cache import Cache, default_path
from heapwright.errors import InternalError
from heapwright.pipeline import Input
from heapwright.program.graph import Program
from heapwright.report.precondition import Conjunct, PreconditionReport, Requirement

CELLS = 4  # of the arrays on which the answer is tested
MOST_ARRAYS = 20_000
Tell = Callable[[str], None]


def array_report(
    source: Input, program: Program, lengths: Mapping[str, str], *, deadline: float | None, tell: Tell, send: Tell
) -> PreconditionReport:
    task = read_arrays(program, lengths)
    inferred = infer_arrays(task, deadline=deadline, tell=tell, cache=Cache(default_path()))
    send("running small arrays")
    cells = max(CELLS, largest(task) + 1)
    while cells > 1 and count(task, cells) > MOST_ARRAYS:
        cells -= 1
    small = small_arrays(task, cells)
    send("choosing clauses")
    return _report(source, answer_arrays(inferred, small), cells)


def _report(source: Input, found: Answer, cells: int) -> PreconditionReport:
    inferred = found.inferred
    task, names = inferred.task, shown(inferred.task)
    if any(one.missed for one in found.needed):
        raise InternalError("the precondition allows an array from which a run fails")
    conjuncts = tuple(
        Conjunct(
            clause_words(clause, names),
            clause_text(clause, names),
            clause_in_c(clause, names),
            tuple(
                f"{one.part.demand.span}: {one.part.demand.text} [{one.part.demand.kind}]"
                for one in found.needed
                if clause in one.clauses or (not clause and one.clauses)
            ),
        )
        for clause in found.clauses
    )
    requirements = tuple(
        Requirement(
            str(one.part.demand.span),
            one.part.demand.kind,
            one.part.demand.text,
            len(one.part.bad),
            tuple(array_picture(task, store) for store in one.examples),
            one.part.demand.followed,
        )
        for one in found.needed
    )
    stats: tuple[tuple[str, float | int], ...] = (
        ("structures", sum(one.part.elements for one in found.needed)),
        ("questions", inferred.questions),
        ("models", inferred.models),
        ("unknown", inferred.unknown),
        ("from cache", inferred.kept),
        ("seconds", round(inferred.seconds, 1)),
        ("processor seconds", round(time.process_time(), 1)),
    )
    return PreconditionReport(
        source.files,
        source.function or "",
        conjuncts,
        array_contract(task, found.clauses),
        requirements,
        array_assumptions(task),
        found.arrays,
        cells,
        found.harmless,
        found.excluded,
        found.complete,
        () in found.clauses,
        stats,
        given="if it terminates",
        tested=("arrays", "cells"),
    )
