"""Sufficient preconditions for any domain: the clauses of each obligation, their test on small inputs, and the report.

required = ObligationPrecondition(result, clauses, missed=(), examples=(smallest,))
found = InferredPrecondition(inferred, (required,), clauses, inputs=23, safe=20, excluded=0, complete=True)
reported(found, Presentation(...))
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sized
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from heapwright.engines.infer.closure_modes import Closure
from heapwright.engines.infer.obligation_analysis import AnyObligation, Counts, InferenceResult, ObligationResult
from heapwright.program.heap_picture import HeapPicture
from heapwright.result.precondition import Conjunct, IntegerInput, Precondition, Requirement

C = TypeVar("C", bound=Sized)  # a clause
D = TypeVar("D", bound=AnyObligation)
E = TypeVar("E")  # an element of the domain
I = TypeVar("I")  # noqa: E741  # an input
T = TypeVar("T")  # a task


@dataclass(frozen=True, slots=True)
class Options:
    """`lengths` are the parameters that are the lengths of arrays, by array. `cycles`: inputs may be cyclic. `prover`
    is an external one, for queries that z3 leaves unknown; `closure` the encoding of reachability. `iterate`: maximum
    number of alternations of forward and backward analysis."""

    lengths: Mapping[str, str] = field(default_factory=dict)
    cycles: bool = False
    prover: str | None = None
    closure: Closure | None = None
    iterate: int = 0


@dataclass(frozen=True)
class ObligationPrecondition(Generic[D, E, C, I]):
    """Sufficient precondition of one obligation. `missed` are small inputs that satisfy it and fail: an internal error.
    `examples` are failing inputs, smallest first, at most one for each abstract input. `lost` are failing inputs that
    no abstract one describes, where that was looked at."""

    result: ObligationResult[D, E]
    clauses: tuple[C, ...]
    missed: tuple[I, ...]
    examples: tuple[I, ...]
    lost: tuple[I, ...] = ()


@dataclass(frozen=True)
class InferredPrecondition(Generic[T, D, E, C, I]):
    """Conjunction of the preconditions of all obligations. Of the small `inputs`, `safe` ones do not fail, and of these
    `excluded` ones do not satisfy the clauses; from `varying` others some runs fail and some do not; `integers` tells
    how many of these are safe for a value of an integer input."""

    inferred: InferenceResult[T, D, E]
    preconditions: tuple[ObligationPrecondition[D, E, C, I], ...]
    clauses: tuple[C, ...]
    inputs: int
    safe: int
    excluded: int
    complete: bool  # all runs from small inputs terminated within the limits
    varying: int = 0
    integers: tuple[IntegerInput, ...] = ()

    @property
    def missed(self) -> int:
        return sum(len(one.missed) for one in self.preconditions)

    @property
    def lost(self) -> int:
        return sum(len(one.lost) for one in self.preconditions)


@dataclass(frozen=True)
class Inference(Generic[T, D, E]):
    """The backward analysis of a function: abstract inputs from which an obligation may fail, and its cost."""

    inferred: InferenceResult[T, D, E]

    @property
    def counts(self) -> Counts:
        return self.inferred.counts

    @property
    def seconds(self) -> float:
        return self.inferred.seconds


@dataclass(frozen=True)
class Presentation(Generic[C, I, E]):
    """Presentation of clauses and inputs. `tested` names the inputs of the test and their parts ("heaps", "objects"),
    of which each has at most `most`. `abstract` draws an abstract input."""

    words: Callable[[C], str]
    text: Callable[[C], str]
    macro: Callable[[C], str | None]
    picture: Callable[[I], HeapPicture]
    contract: tuple[str, ...]
    assumptions: tuple[str, ...]
    given: str
    tested: tuple[str, str]
    most: int
    abstract: Callable[[E], HeapPicture] | None = None


def reported(found: InferredPrecondition[T, D, E, C, I], shown: Presentation[C, I, E]) -> Precondition:
    conjuncts = tuple(
        Conjunct(
            shown.words(clause),
            shown.text(clause),
            shown.macro(clause),
            tuple(
                f"{one.result.obligation.span}: {one.result.obligation.text} [{one.result.obligation.kind}]"
                for one in found.preconditions
                if clause in one.clauses or (not clause and one.clauses)
            ),
        )
        for clause in found.clauses
    )
    requirements = tuple(
        Requirement(
            str(one.result.obligation.span),
            one.result.obligation.span.line,
            one.result.obligation.kind,
            one.result.obligation.text,
            len(one.result.failing),
            tuple(shown.picture(example) for example in one.examples),
            tuple(shown.words(clause) for clause in one.clauses),
            one.result.obligation.untracked,
            tuple(map(shown.abstract, one.result.failing)) if shown.abstract else (),
        )
        for one in found.preconditions
    )
    inferred = found.inferred
    stats: tuple[tuple[str, float | int], ...] = (
        ("structures", inferred.elements),
        ("rounds", max((result.rounds for result in inferred.results), default=0)),
        ("questions", inferred.counts.questions),
        ("models", inferred.counts.models),
        ("unknown", inferred.counts.unknown),
        ("from cache", inferred.counts.kept),
        ("seconds", round(inferred.seconds, 1)),
        ("processor seconds", round(time.process_time(), 1)),
    )
    return Precondition(
        conjuncts,
        shown.contract,
        requirements,
        shown.assumptions,
        found.inputs,
        shown.most,
        found.safe,
        found.excluded,
        found.missed,
        found.complete,
        any(not clause for clause in found.clauses),
        stats,
        shown.given,
        shown.tested,
        found.varying,
        found.integers,
        found.lost,
    )
