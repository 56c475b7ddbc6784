"""Suppression comments: what they reach, what they leave alone, and what is wrong with them."""

from __future__ import annotations

import pytest

from heapwright.base.source import Span
from heapwright.program.checks import Check, CheckKind
from heapwright.result.outcomes import Outcome, Verdict
from heapwright.settings.suppressions import find_comments, split


def outcome(line: int, kind: CheckKind = CheckKind.LEAK, verdict: Verdict = Verdict.VIOLATED) -> Outcome:
    return Outcome(Check(kind, Span("a.c", line, 1), "main"), verdict, "explore")


def suppressed(text: str, *outcomes: Outcome) -> list[tuple[int, str]]:
    return [(s.outcome.check.span.line, s.reason) for s in split(outcomes, {"a.c": text}).suppressed]


def warnings(text: str, *outcomes: Outcome) -> list[str]:
    return [f"{w.span.line}:{w.span.column} {w.text}" for w in split(outcomes, {"a.c": text}).warnings]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x(); // heapwright: ignore[leak] why", 1),
        ("x(); /* heapwright: ignore[leak] why */", 1),
        ("/* heapwright: ignore[leak] why */ x();", 1),
        ("// heapwright: ignore[leak] why\nx();", 2),
        ("  /* heapwright: ignore[leak] why */  \nx();", 2),
        ("// heapwright: ignore[leak] why\n// heapwright: ignore[bounds] more\nx();", 3),
        ("x(); //heapwright:ignore[ bounds , leak ] why", 1),
    ],
)
def test_reach(text: str, line: int) -> None:
    others = [outcome(other) for other in range(1, 5)]
    assert suppressed(text, *others) == [(line, "why")]


@pytest.mark.parametrize(
    "text",
    [
        "x(); // heapwright: ignore[bounds] another kind",
        'puts("// heapwright: ignore[leak] text");',
        "x(); // ignore[leak] not for us",
        "x(); // heapwright: ignore leak",
    ],
)
def test_no_reach(text: str) -> None:
    assert suppressed(text, outcome(1)) == []


def test_only_what_is_not_proved_is_suppressed() -> None:
    text = "x(); // heapwright: ignore[leak] why"
    assert suppressed(text, outcome(1, verdict=Verdict.UNKNOWN)) == [(1, "why")]
    assert suppressed(text, outcome(1, verdict=Verdict.PROVED)) == []


def test_warnings() -> None:
    assert warnings("x(); // heapwright: ignore[leak] why", outcome(1)) == []
    assert warnings("x(); // heapwright: ignore[leak] why") == ["1:6 unused suppression comment"]
    assert warnings("x(); // heapwright: ignore[leak]", outcome(1)) == [
        "1:6 suppression without a reason after the bracket"
    ]
    (unknown,) = warnings("x(); // heapwright: ignore[leaks] why", outcome(1))
    assert unknown.startswith("1:6 unknown kind of check 'leaks' (kinds: null-deref, ")
    assert warnings("// heapwright: be quiet") == ["1:1 malformed comment: expected 'heapwright: ignore[kind] reason'"]


def test_one_comment_for_several_checks_of_a_line() -> None:
    text = "x(); // heapwright: ignore[leak, bounds] why"
    assert suppressed(text, outcome(1), outcome(1, CheckKind.BOUNDS)) == [(1, "why"), (1, "why")]
    assert warnings(text, outcome(1)) == []


def test_files_do_not_mix() -> None:
    comments, _ = find_comments({"a.c": "", "b.c": "x(); // heapwright: ignore[leak] why"})
    assert [comment.span.file for comment in comments] == ["b.c"]
    assert split((outcome(1),), {"b.c": "x(); // heapwright: ignore[leak] why"}).suppressed == ()


def test_what_is_masked_is_not_suppressed() -> None:
    text = "x(); // heapwright: ignore[leak] why"
    assert suppressed(text, outcome(1, verdict=Verdict.MASKED)) == []
    assert warnings(text, outcome(1, verdict=Verdict.MASKED)) == []
