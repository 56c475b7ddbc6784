"""The one next thing to try, and nothing that cannot help."""

from __future__ import annotations

from dataclasses import replace

import pytest
from report.conftest import MakeReport

from heapwright.program.checks import Check, CheckKind
from heapwright.report.advice import next_step
from heapwright.result.outcomes import Outcome, Verdict

ALL = "explore + fesa + tvl + lazy + boolheap"
UNSUPPORTED = "fesa: a.c:5:9: 'malloc(n)' is not supported | boolheap: a.c:5:9: 'malloc(n)' is not supported"


@pytest.mark.parametrize(
    ("engine", "limit", "reason", "expected"),
    [
        (ALL, "explore: a run has more than 9 steps (--steps) | lazy: time ran out", "", "raise --steps"),
        (ALL, "explore: a run has more than 9 steps; only some values of an input were tried", "may fail", ""),
        (ALL, "explore: only some values were tried | tvl: no fixpoint was reached within the limits", "", "--timeout"),
        ("tvl", "the memory limit of 9 MB was reached", "", "raise --memory"),
        (ALL, "the check at a.c:1:1", "the leak check at a.c:1:1 is not selected and may fail", "omit --property"),
        ("tvl", "", "the check may fail in an abstract heap", "use --engine auto"),
        (ALL, UNSUPPORTED, "may fail", "rewrite what is in the way: a.c:5:9: 'malloc(n)' is not supported"),
        (ALL, "", "the check may fail in an abstract heap", ""),
    ],
)
def test_advice(make: MakeReport, proved: Outcome, engine: str, limit: str, reason: str, expected: str) -> None:
    report = make((replace(proved, verdict=Verdict.UNKNOWN, reason=reason),), limit=limit)
    report = replace(report, result=replace(report.result, engine=engine))
    advice = next_step(report)
    assert expected in advice if expected else advice == ""


def test_a_function_by_itself_needs_a_contract(make: MakeReport, proved: Outcome) -> None:
    report = make((replace(proved, verdict=Verdict.UNKNOWN, reason="may fail"),))
    report = replace(report, function="f", result=replace(report.result, engine=ALL))
    assert next_step(report).startswith("'heapwright infer list.c -f f --as-contract' prints")
    leak = Outcome(Check(CheckKind.LEAK, proved.check.span, "f"), Verdict.UNKNOWN, "tvl", reason="may fail")
    assert next_step(replace(report, outcomes=(leak,))) == ""  # leaks are no obligations of a contract


def test_nothing_to_do_where_nothing_is_open(make: MakeReport, proved: Outcome) -> None:
    assert next_step(make((proved,), limit="time ran out")) == ""


def test_no_compiler_no_test(make: MakeReport, violated: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    report = make((replace(violated, verdict=Verdict.UNKNOWN, reason="which is approximated"),))
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
    assert next_step(report).startswith("use --confirm")
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert "--confirm" not in next_step(report)


def test_an_unsupported_construct_that_a_run_reaches_is_in_the_way(make: MakeReport, violated: Outcome) -> None:
    check = Check(CheckKind.ASSERT, violated.check.span, "main", subject="inline assembly", unsupported=True)
    report = make((replace(violated, check=check, verdict=Verdict.UNKNOWN, reason="which is approximated"),))
    assert next_step(report) == f"rewrite what is in the way: inline assembly at {check.span}"
