"""An answer of `infer`, over heaps or over arrays, as a report.

precondition_report(source, answer, Presentation(...))
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sized
from dataclasses import dataclass
from typing import Generic, TypeVar

from heapwright.analysis.pipeline import Input
from heapwright.base.errors import InternalError
from heapwright.engines.infer.obligation_analysis import Demanded
from heapwright.engines.infer.precondition import Answer
from heapwright.program.heap_picture import HeapPicture
from heapwright.report.precondition import Conjunct, PreconditionReport, Requirement

C = TypeVar("C", bound=Sized)
D = TypeVar("D", bound=Demanded)
E = TypeVar("E")
I = TypeVar("I")  # noqa: E741  # an input
T = TypeVar("T")


@dataclass(frozen=True)
class Presentation(Generic[C, I]):
    """How to show a clause and an input, and what else is said. The inputs that the answer was tested on are `tested`
    ("heaps", "objects"), of which each had `most` at most."""

    words: Callable[[C], str]
    text: Callable[[C], str]
    macro: Callable[[C], str | None]
    picture: Callable[[I], HeapPicture]
    contract: tuple[str, ...]
    assumptions: tuple[str, ...]
    given: str
    tested: tuple[str, str]
    most: int


def precondition_report(source: Input, found: Answer[T, D, E, C, I], shown: Presentation[C, I]) -> PreconditionReport:
    if found.missed:
        raise InternalError(f"the precondition allows one of the {shown.tested[0]} from which a run fails")
    conjuncts = tuple(
        Conjunct(
            shown.words(clause),
            shown.text(clause),
            shown.macro(clause),
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
            tuple(shown.picture(example) for example in one.examples),
            one.part.demand.followed,
        )
        for one in found.needed
    )
    inferred = found.inferred
    stats: tuple[tuple[str, float | int], ...] = (
        ("structures", inferred.elements),
        ("rounds", max((part.rounds for part in inferred.parts), default=0)),
        ("questions", inferred.counts.questions),
        ("models", inferred.counts.models),
        ("unknown", inferred.counts.unknown),
        ("from cache", inferred.counts.kept),
        ("seconds", round(inferred.seconds, 1)),
        ("processor seconds", round(time.process_time(), 1)),
    )
    return PreconditionReport(
        source.files,
        source.function or "",
        conjuncts,
        shown.contract,
        requirements,
        shown.assumptions,
        found.inputs,
        shown.most,
        found.harmless,
        found.excluded,
        found.complete,
        any(not clause for clause in found.clauses),
        stats,
        given=shown.given,
        tested=shown.tested,
    )
