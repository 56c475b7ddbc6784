"""Outcomes, statistics and conjunctions that engines share."""

from __future__ import annotations

import time

import pytest
from cli.hand_made import small_program

from heapwright.base.source import Span
from heapwright.engines.api import Declaration
from heapwright.engines.kit.conjunction import Conjunction
from heapwright.engines.kit.outcomes import not_supported, proved_unless
from heapwright.engines.kit.statistics import statistics
from heapwright.program.checks import Check, CheckKind
from heapwright.program.runs.snapshot import Snapshot
from heapwright.result.outcomes import Verdict

NULL, LEAK = (Check(kind, Span("a.c", 1, 1), "main") for kind in (CheckKind.NULL_DEREF, CheckKind.LEAK))


class Narrow(Declaration):
    name = "narrow"
    proves = frozenset({CheckKind.NULL_DEREF})


@pytest.mark.parametrize(
    ("check", "inconclusive", "verdict", "reason"),
    [
        (NULL, "", Verdict.PROVED, ""),
        (NULL, "time ran out", Verdict.UNKNOWN, "time ran out"),
        (LEAK, "", Verdict.UNKNOWN, "the engine does not prove checks of the kind leak"),
        (LEAK, "time ran out", Verdict.UNKNOWN, "time ran out"),
    ],
)
def test_a_check_without_an_alarm(check: Check, inconclusive: str, verdict: Verdict, reason: str) -> None:
    outcome = proved_unless(Narrow, check, inconclusive)
    assert (outcome.verdict, outcome.reason, outcome.engine) == (verdict, reason, "narrow")


def test_a_program_that_is_not_supported() -> None:
    result = not_supported(Narrow, [NULL, LEAK], "unions are not supported")
    assert {(outcome.verdict, outcome.reason) for outcome in result.outcomes} == {(Verdict.UNKNOWN, result.limit)}
    assert [outcome.check for outcome in result.outcomes] == [NULL, LEAK]
    assert (result.complete, result.limit) == (False, "unions are not supported")


def test_statistics_have_what_reports_show_first() -> None:
    program = small_program("a.c")
    found = statistics(program, time.monotonic(), 7, nodes=3)
    assert list(found) == ["time_s", "peak_mb", "locations", "iterations", "nodes"]
    assert (found["locations"], found["iterations"], found["nodes"]) == (len(program.graph.locations), 7, 3)
    assert float(found["peak_mb"]) > 1


class Says:
    def __init__(self, answer: bool | None) -> None:
        self.answer = answer

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        return self.answer


@pytest.mark.parametrize(
    ("answers", "together"),
    [
        ((True, True), True),
        ((True, None), None),
        ((None, True), None),
        ((None, False), False),
        ((False, None), False),
        ((True, False), False),
    ],
)
def test_a_heap_must_be_in_every_part(answers: tuple[bool | None, ...], together: bool | None) -> None:
    assert Conjunction(tuple(map(Says, answers))).contains(0, None) is together  # type: ignore[arg-type]
