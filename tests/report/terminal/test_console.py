"""The console report, compared with what it should look like to the letter. `UPDATE_SNAPSHOTS=1 pytest` rewrites the
expected texts, whose changes are then read like any other change."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from heapwright.base.source import Span
from heapwright.program.checks import Check, CheckKind
from heapwright.report.model import Report
from heapwright.report.terminal.colours import COLOURED, style_for
from heapwright.report.terminal.console import Detail, render, summary
from heapwright.result.outcomes import Outcome, ProgramVerdict, Verdict
from heapwright.settings.properties import PROPERTIES

SNAPSHOTS = Path(__file__).with_name("snapshots")
MakeReport = Callable[..., Report]


def same_as(name: str, text: str) -> None:
    path = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("detail", list(Detail))
def test_unsafe(report: Report, detail: Detail) -> None:
    same_as(f"unsafe-{detail.name.lower()}", render(report, detail=detail))


def test_coloured(report: Report) -> None:
    same_as("unsafe-coloured", render(report, COLOURED))


def test_colours_change_no_letter(report: Report) -> None:
    import re

    assert re.sub(r"\x1b\[[0-9;]*m", "", render(report, COLOURED)) == render(report)


def test_an_alarm_shows_its_abstract_run(make: MakeReport, alarmed: Outcome) -> None:
    same_as("alarm-full", render(make((alarmed,), assumptions=()), detail=Detail.FULL))


def test_safe(make: MakeReport, proved: Outcome) -> None:
    same_as("safe", render(make((proved,), assumptions=())))


def test_limit(make: MakeReport, proved: Outcome) -> None:
    limit = "the time limit of 2 s was reached while analysing with explore: 1200 states"
    unknown = replace(proved, verdict=Verdict.UNKNOWN, reason=limit)
    same_as("limit", render(make((unknown,), limit=limit)))


@pytest.mark.parametrize(
    ("engine", "limit", "reason", "action"),
    [
        ("explore", "a run has more than 9 steps (--steps) at a.c:1:1", "not all runs were explored", "raise --steps"),
        ("explore + tvl", "explore: more than 9 states (--states) | tvl ran out of time", "", "raise --timeout"),
        ("tvl", "", "the leak check at a.c:1:1 is not selected and may fail", "omit --property, so that"),
        ("tvl", "", "arrays of pointers are not supported", "use --engine auto"),
    ],
)
def test_help_fits_the_cause(
    make: MakeReport, proved: Outcome, engine: str, limit: str, reason: str, action: str
) -> None:
    report = make((replace(proved, verdict=Verdict.UNKNOWN, reason=reason),), limit=limit)
    report = replace(report, result=replace(report.result, engine=engine))
    assert f"\nhelp: {action}" in render(report)
    assert f"\nhelp: {action}" in render(report, detail=Detail.FULL)


def test_help_for_an_unconfirmed_run(make: MakeReport, violated: Outcome) -> None:
    unknown = replace(violated, verdict=Verdict.UNKNOWN, reason="which is approximated")
    assert "\nhelp: use --confirm" in render(make((unknown,)))
    tested = replace(unknown, reason=f"{unknown.reason}; its C test does not confirm it")
    assert "--confirm" not in render(make((tested,)))


def test_no_action_helps_where_every_engine_ran(make: MakeReport, alarmed: Outcome) -> None:
    report = make((alarmed,))
    report = replace(report, result=replace(report.result, engine="explore + tvl"))
    assert render(report).count("help:") == 1
    assert "help: use -v to see the abstract counterexamples\n" in render(report)


def test_suppressed(make: MakeReport, proved: Outcome, violated: Outcome, source: str) -> None:
    text = source.replace("x->data;", "x->data; // heapwright: ignore[use-after-free] known, see the tracker")
    text = text.replace("free(x);", "free(x); // heapwright: ignore[leak]")
    report = make((proved, violated), source=text)
    assert report.verdict is ProgramVerdict.SAFE
    same_as("suppressed", render(report))
    same_as("suppressed-full", render(report, detail=Detail.FULL))


def test_no_checks_is_said_aloud(make: MakeReport) -> None:
    assert "list.c: no checks: nothing to prove in main (explore" in render(make(()))
    about = render(make((), goal=PROPERTIES["unreach-call"]))
    functions = "neither __VERIFIER_error nor reach_error is called (for assertions: --property assertions)"
    assert f"list.c: no checks: nothing to prove in main about unreach-call: {functions} (" in about
    assert "safe" not in about
    goal = replace(PROPERTIES["unreach-call"], error_functions=frozenset({"reach_error"}))
    assert "about unreach-call: reach_error is not called (" in render(make((), goal=goal))


def test_nothing_analysed(make: MakeReport) -> None:
    report = make((), analysed=False, sound=False, limit="the time limit of 1 s was reached while parsing list.c")
    text = render(report)
    assert report.verdict is ProgramVerdict.UNKNOWN
    assert "list.c: unknown: nothing was analysed" in text
    assert "stopped: the time limit of 1 s was reached while parsing list.c" in text


def test_only_suppressed_ones_do_not_look_like_nothing(make: MakeReport, violated: Outcome, source: str) -> None:
    text = source.replace("x->data;", "x->data; // heapwright: ignore[use-after-free] known")
    assert summary(make((violated,), source=text)) == "list.c: safe: 0 proved, 1 suppressed (explore, 0.4 s)"


def test_many_places_of_one_reason_are_counted(make: MakeReport) -> None:
    checks = [Check(CheckKind.LEAK, Span("list.c", line, 1), "main") for line in range(1, 10)]
    report = make(tuple(Outcome(check, Verdict.UNKNOWN, "explore", reason="too far") for check in checks))
    assert "9 checks: too far" in render(report)
    assert "9 checks at 9 places could not be decided" in render(report)


def test_a_place_outside_of_functions_is_at_the_start(make: MakeReport) -> None:
    check = Check(CheckKind.LEAK, Span("list.c", 1, 1), "")
    shown = render(make((Outcome(check, Verdict.UNKNOWN, "explore", reason="too far"),)))
    assert "  at the start of the program:\n    list.c:1:1: memory may leak" in shown


def test_twenty_places_without_verbose(make: MakeReport) -> None:
    checks = [Check(CheckKind.LEAK, Span("list.c", line, 1), f"f{line % 2}") for line in range(1, 32)]
    report = make(tuple(Outcome(check, Verdict.UNKNOWN, "explore", reason="too far") for check in checks))
    shown = render(report)
    assert (shown.count("memory may leak"), "  and 11 more places (use -v to see them)\n" in shown) == (20, True)
    assert render(report, detail=Detail.FULL).count("memory may leak") == 31


def test_one_sentence_per_engine(make: MakeReport, proved: Outcome) -> None:
    report = make((replace(proved, verdict=Verdict.UNKNOWN, reason="too far"),))
    remarks = (("explore", "1 of 1 checks open: time ran out"), ("tvl", "1 of 1 checks open: too far"))
    report = replace(report, result=replace(report.result, engine="explore + tvl", remarks=remarks))
    assert "  explore: 1 of 1 checks open: time ran out\n  tvl: 1 of 1 checks open: too far\n" in render(
        report, detail=Detail.FULL
    )
    assert "time ran out" not in render(report)


def test_several_files_in_the_summary(report: Report) -> None:
    assert summary(replace(report, files=("a.c", "b.c", "c.c"))).startswith("a.c (+2 files): unsafe: ")


class Terminal:
    def isatty(self) -> bool:
        return True


def test_colours_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import sys

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    assert not style_for(sys.stdout, "auto").coloured
    assert style_for(sys.stdout, "always").coloured
    assert style_for(terminal, "auto").coloured  # type: ignore[arg-type]
    assert not style_for(terminal, "never").coloured  # type: ignore[arg-type]
    monkeypatch.setenv("NO_COLOR", "1")
    assert not style_for(terminal, "auto").coloured  # type: ignore[arg-type]


def test_masked(make: MakeReport, proved: Outcome) -> None:
    reason = "not reached: every run ends before it at list.c:5"
    text = render(make((replace(proved, verdict=Verdict.MASKED, reason=reason),), assumptions=()))
    assert f"masked: 1 check {reason}\n  list.c:6:2 [null-deref]\n" in text
    assert "list.c: unknown: 1 masked (explore" in text
