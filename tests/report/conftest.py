"""A report made by hand: one violation with its run, a proof, three unknowns, assumptions and a suppression."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from heapwright.base.source import Span
from heapwright.program.checks import Check, CheckKind, Goal
from heapwright.program.graph import Assumption
from heapwright.program.heap_picture import Fact, HeapArrow, HeapNode, HeapPicture
from heapwright.program.trace import (
    Choice,
    ChoiceKind,
    Ending,
    Run,
    TraceStep,
    Violation,
)
from heapwright.report.model import Report, make_report
from heapwright.result.outcomes import Outcome, Result, Verdict

SOURCE = """\
#include <stdlib.h>
struct node { int data; struct node *next; };

int main(void) {
\tstruct node *x = malloc(sizeof *x);
\tx->next = NULL;
\tint n = __VERIFIER_nondet_int();
\twhile (n > 0) {
\t\tn = n - 1;
\t}
\tfree(x);
\treturn x->data;
}
"""


def at(line: int, column: int = 2, end: int = 0) -> Span:
    return Span("list.c", line, column, line if end else 0, end)


def use_after_free() -> Check:
    return Check(CheckKind.USE_AFTER_FREE, at(12, 9, 16), "main", subject="x->data")


def heap() -> HeapPicture:
    return HeapPicture(
        nodes=(
            HeapNode(1, "node", "heap", "freed", (("data", "?"),), at(5, 19), at(11)),
            HeapNode(2, "node", "heap", "live", (("data", "3"),), at(5, 19), None),
        ),
        arrows=(HeapArrow("x", "", 1), HeapArrow(1, "next", 2), HeapArrow(2, "next", "null")),
        data=(("n", "0"),),
    )


def run() -> Run:
    choice = Choice(ChoiceKind.INPUT, "__VERIFIER_nondet_int", 2, at(7, 10))
    loop = [TraceStep(at(9, 3), "main", "n = n - 1", (f"n = {value}",)) for value in (1, 0)]
    return Run(
        choices=(choice,),
        steps=(
            TraceStep(at(5, 19), "main", "x = malloc(16)", ("#1",), important=True),
            TraceStep(at(6), "main", "x->next = null"),
            TraceStep(at(7, 10), "main", "n = __VERIFIER_nondet_int()", ("n = 2",), choice),
            *loop,
            TraceStep(at(11), "main", "free(x)", ("#1 freed",), important=True),
            TraceStep(at(12, 9), "main", "reads x->data", heap=heap(), important=True),
        ),
        ending=Ending.VIOLATION,
        violation=Violation(use_after_free(), "'x' points to freed memory", "x", at(5, 19), at(11)),
    )


def outcomes() -> tuple[Outcome, ...]:
    bound = "not all runs were explored: a run has more than 10000 steps (--steps)"
    return (
        Outcome(use_after_free(), Verdict.VIOLATED, "explore", run()),
        Outcome(Check(CheckKind.NULL_DEREF, at(6), "main", "x"), Verdict.PROVED, "explore"),
        Outcome(Check(CheckKind.LEAK, at(11), "main"), Verdict.UNKNOWN, "explore", reason=bound),
        Outcome(Check(CheckKind.LEAK, at(12), "main"), Verdict.UNKNOWN, "explore", reason=bound),
        Outcome(
            Check(CheckKind.DOUBLE_FREE, at(11), "main", "x"),
            Verdict.UNKNOWN,
            "explore",
            reason="a store of an uninitialised pointer is not supported",
        ),
    )


def alarm() -> Outcome:
    """A check that an abstraction could not prove, with the abstract run to it."""
    known = HeapPicture(
        nodes=(HeapNode(1), HeapNode(2, summary=True, facts=(Fact("r[x]"), Fact("c", certain=False)))),
        arrows=(HeapArrow("x", "", 1), HeapArrow(1, "next", 2, False), HeapArrow("y", "", "null")),
        facts=(Fact("n != 0"),),
    )
    trace = (
        TraceStep(at(5, 19), "main", "struct node *x = malloc(sizeof *x);", heap=HeapPicture((), ()), important=True),
        TraceStep(at(6), "main", "x->next = NULL;", heap=known),
        TraceStep(at(12, 9), "main", "return x->data;", heap=known, important=True),
    )
    return Outcome(
        use_after_free(),
        Verdict.UNKNOWN,
        "tvl",
        reason="the check may fail in an abstract heap at this location",
        trace=trace,
    )


ASSUMPTIONS = (
    Assumption("allocation never fails (malloc, calloc, realloc, ...; see --malloc-may-fail)"),
    Assumption("'log' has no body and changes nothing", at(3)),
    Assumption("'log' has no body and changes nothing", at(4)),
    Assumption("allocation never fails (malloc, calloc, realloc, ...; see --malloc-may-fail)"),
)
STATS: dict[str, float | int | str] = {"time_s": 0.42, "peak_mb": 30.5, "locations": 12, "iterations": 7}

MakeReport = Callable[..., Report]


@pytest.fixture
def make() -> MakeReport:
    """Makes a report; everything can be replaced."""

    def make_it(
        outcomes: tuple[Outcome, ...] = outcomes(),
        source: str = SOURCE,
        goal: Goal | None = None,
        limit: str = "",
        sound: bool = True,
        suppress: bool = True,
        analysed: bool = True,
        assumptions: tuple[Assumption, ...] = ASSUMPTIONS,
    ) -> Report:
        result = Result(
            "explore", outcomes, dropped="" if sound else limit, assumptions=assumptions, stats=STATS, limit=limit
        )
        sources = {"list.c": source} if analysed else {}
        return make_report(("list.c",), "main", goal or Goal(), result, sources, suppress=suppress, analysed=analysed)

    return make_it


@pytest.fixture
def report(make: MakeReport) -> Report:
    return make()


@pytest.fixture
def proved() -> Outcome:
    return outcomes()[1]


@pytest.fixture
def violated() -> Outcome:
    return outcomes()[0]


@pytest.fixture
def alarmed() -> Outcome:
    return alarm()


@pytest.fixture
def picture() -> HeapPicture:
    return heap()


@pytest.fixture
def source() -> str:
    return SOURCE
