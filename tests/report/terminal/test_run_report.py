"""Runs as text: what folding keeps, and that numbers stay."""

from __future__ import annotations

from heapwright.base.source import Span
from heapwright.program.trace import Ending, Run, TraceStep
from heapwright.report.terminal.run_report import render_run
from heapwright.report.terminal.run_steps import MOST_STEPS, ending_text, folded, run_lines


def steps(*important: bool) -> tuple[TraceStep, ...]:
    return tuple(
        TraceStep(Span("a.c", number, 1), "main", f"step {number}", important=flag)
        for number, flag in enumerate(important, 1)
    )


def groups(*important: bool) -> list[tuple[int, int]]:
    return [(first, last) for first, last, _ in folded(steps(*important))]


def test_folding_keeps_what_matters() -> None:
    assert groups(True, False, False, False, True) == [(1, 1), (2, 4), (5, 5)]


def test_one_hidden_step_is_shown_instead_of_counted() -> None:
    assert groups(True, False, True) == [(1, 1), (2, 2), (3, 3)]


def test_the_last_step_is_always_shown() -> None:
    assert groups(True, False, False, False) == [(1, 1), (2, 3), (4, 4)]


def test_without_important_steps_the_end_is_shown() -> None:
    assert groups(*[False] * 10) == [(1, 7), (8, 8), (9, 9), (10, 10)]


def test_nothing_is_lost() -> None:
    for pattern in ([True] * 100, [False] * 100, [i % 3 == 0 for i in range(100)], []):
        numbers = [n for first, last in groups(*pattern) for n in range(first, last + 1)]
        assert numbers == list(range(1, len(pattern) + 1))


def test_runs_of_many_important_steps_are_cut_in_the_middle() -> None:
    shown = [first for first, last in groups(*[True] * 1000) if first == last]
    assert len(shown) <= MOST_STEPS + 1
    assert shown[0] == 1
    assert shown[-1] == 1000


def test_function_is_named_when_it_changes() -> None:
    run = Run(
        (),
        (
            TraceStep(Span("a.c", 1, 1), "main", "calls f", important=True),
            TraceStep(Span("a.c", 2, 1), "f", "x = 1", important=True),
        ),
        Ending.EXIT,
    )
    lines = [line.strip() for line in run_lines(run, {})]
    assert lines == ["in main:", "1  a.c:1:1: calls f", "in f:", "2  a.c:2:1: x = 1"]


def test_endings() -> None:
    assert ending_text(Run((), (), Ending.EXIT)) == "the program ended normally"
    assert ending_text(Run((), (), Ending.CUT, reason="100 steps")) == "the run was stopped: 100 steps"
    assert ending_text(Run((), (), Ending.BLOCKED)) == "the run is infeasible"


def test_render_run_of_nothing() -> None:
    assert render_run(Run((), (), Ending.EXIT), {}) == "0 steps, 0 choices; the program ended normally\n"
