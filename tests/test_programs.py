"""Every program under tests/programs gets the verdict that its comments say, violation by violation.

The collection is the definition of what heapwright says about C; heapwright/testing/expectations.py reads the marks.
Counting which programs an engine cannot decide is as much the point as the verdicts: `// explore: unknown` is visible
at the program, and repairing a weakness shows up as a change there.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.collection import name_of, programs

from heapwright.analysis.pipeline import analyze, build
from heapwright.engines.api import NullProgress
from heapwright.program.checks import CheckKind
from heapwright.result.outcomes import Result, Verdict
from heapwright.settings.properties import goal_of
from heapwright.testing.expectations import BadExpectation, Expectation, parse, read

CASES = [pytest.param(path, id=name_of(path)) for path in programs()]


def explore(path: Path, expected: Expectation) -> Result:
    program = build(expected.input(path), phase=lambda message: None)
    return analyze(program, goal_of(expected.properties), "explore", expected.limits(), NullProgress())


@pytest.mark.exhaustive(9)
@pytest.mark.parametrize("path", CASES)
def test_explore_gives_the_verdict_of_the_comments(path: Path) -> None:
    expected = read(path)
    result = explore(path, expected)
    violated = {
        (outcome.check.span.line, outcome.check.kind.value)
        for outcome in result.outcomes
        if outcome.verdict is Verdict.VIOLATED
    }
    open_checks = [
        f"{outcome.check.id}: {outcome.reason}" for outcome in result.outcomes if outcome.verdict is Verdict.UNKNOWN
    ]
    assert violated <= expected.bad, "never a violation of a program's that is none"
    assert result.verdict.value == expected.explore, [result.limit, *open_checks]
    if expected.explore == "unsafe":
        assert violated == expected.bad
    else:
        assert not violated
    if expected.explore == "safe":
        assert {outcome.verdict for outcome in result.outcomes} <= {Verdict.PROVED}


# --- the collection itself -------------------------------------------------------------------------------------------


def test_the_collection_is_large_and_covers_every_kind_of_check() -> None:
    expectations = [read(path) for path in programs()]
    assert len(expectations) >= 100
    assert {kind for expected in expectations for _, kind in expected.bad} == {kind.value for kind in CheckKind}
    assert {expected.verdict for expected in expectations} == {"safe", "unsafe", "unknown"}


def test_names_tell_the_verdict() -> None:
    for path in programs():
        expected = read(path)
        for word, verdict in (("_ok", "safe"), ("_bad", "unsafe"), ("_unknown", "unknown")):
            if re.search(word + r"(_|$)", path.stem):
                assert expected.verdict == verdict, path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int x;", "'expect' must be one of"),
        ("// expect: fine", "'expect' must be one of"),
        ("// expect: safe\n// expect: safe", "given twice"),
        ("// expect: unsafe", "belong to the programs that are unsafe"),
        ("// expect: safe\nf(); // BAD: leak", "belong to the programs that are unsafe"),
        ("// expect: unsafe\nf(); // BAD: lek", "no check is of kind 'lek'"),
        ("// expect: unsafe\nf(); // BAD leak", "line 2 looks like a mark"),
        ("// expect: safe\n// options: --fast", "no option '--fast'"),
        ("// expect: safe\n// options: --data-model LP65", "invalid choice"),
        ("// expect: safe\n// gcc: never", "'gcc' is 'keeps'"),
    ],
)
def test_comments_that_contradict_themselves_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadExpectation, match=message):
        parse(text)


def test_marks_are_read_with_their_lines() -> None:
    expected = parse("// expect: unsafe\n// options: --function f --malloc-may-fail\nf(); // BAD: leak, bounds\n")
    assert expected.bad == {(3, "leak"), (3, "bounds")}
    assert (expected.function, expected.malloc_may_fail, expected.data_model) == ("f", True, "LP64")
