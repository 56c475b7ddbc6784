"""How results of engines are held to their promises and put together."""

from __future__ import annotations

import pytest
from cli.hand_made import small_program

from heapwright.engines.api import Limits, Progress, Quiet
from heapwright.pipeline import analyze, combine, cut_short
from heapwright.program.checks import Check, CheckKind, Goal
from heapwright.program.graph import Assumption
from heapwright.result import Outcome, ProgramVerdict, Result, Verdict
from heapwright.source import Span

A, B = (Check(CheckKind.LEAK, Span("a.c", line, 1), "main") for line in (1, 2))


def result(engine: str, a: Verdict, b: Verdict, *, sound: bool = True) -> Result:
    outcomes = (Outcome(A, a, engine), Outcome(B, b, engine))
    return Result(engine, outcomes, (Assumption(engine),), {engine: 1}, sound=sound)


def test_together_they_know_more() -> None:
    both = combine(result("x", Verdict.PROVED, Verdict.UNKNOWN), result("y", Verdict.UNKNOWN, Verdict.PROVED))
    assert [outcome.engine for outcome in both.outcomes] == ["x", "y"]
    assert both.verdict is ProgramVerdict.SAFE
    assert both.engine == "x + y"
    assert {assumption.text for assumption in both.assumptions} == {"x", "y"}


def test_an_unsound_part_that_contributes_nothing_does_not_spoil_a_proof() -> None:
    unsound = result("x", Verdict.UNKNOWN, Verdict.UNKNOWN, sound=False)
    assert combine(unsound, result("y", Verdict.PROVED, Verdict.PROVED)).verdict is ProgramVerdict.SAFE
    assert combine(unsound, result("y", Verdict.PROVED, Verdict.UNKNOWN)).verdict is ProgramVerdict.UNKNOWN


def test_engines_are_asked_in_order_while_something_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    class Fake:
        proves = frozenset(CheckKind)

        def __init__(self, name: str, verdict: Verdict) -> None:
            self.name = name
            self.verdict = verdict

        def analyze(self, program: object, goal: Goal, limits: Limits, progress: Progress) -> Result:
            asked.append(self.name)
            checks = small_program("a.c").checks
            return Result(self.name, tuple(Outcome(check, self.verdict, self.name) for check in checks))

    engines = {
        "one": Fake("one", Verdict.UNKNOWN),
        "two": Fake("two", Verdict.PROVED),
        "three": Fake("three", Verdict.PROVED),
    }
    monkeypatch.setattr("heapwright.pipeline.load_engine", lambda name, options: engines[name])
    progress = Quiet()
    combined = analyze(small_program("a.c"), Goal(), ("one", "two", "three"), Limits(), progress)
    assert asked == ["one", "two"]
    assert combined.verdict is ProgramVerdict.SAFE


def test_cut_short() -> None:
    found = Outcome(A, Verdict.PROVED, "x")
    cut = cut_short((A, B), {A.id: found}, "x", "the time limit")
    assert cut.outcomes == (found, Outcome(B, Verdict.UNKNOWN, "x", reason="the time limit"))
    assert (cut.complete, cut.verdict) == (False, ProgramVerdict.UNKNOWN)
    assert cut_short((), {}, "x", "the time limit").verdict is ProgramVerdict.UNKNOWN
