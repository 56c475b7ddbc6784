"""Random walks: violations that lie behind more choices than the search takes in every way."""

from __future__ import annotations

import pytest
from support.running import explored, verdicts

from heapwright.engines.explore import random_walks
from heapwright.result.outcomes import ProgramVerdict

RECORDS = """
var n: i32
var i: i32
var j: i32
havoc n
i = 0
read:
if i >= n goto done
i = i + 1
j = i * 3
assert j != 120
goto read
done:
i = 0
"""


@pytest.fixture
def no_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_walks.RandomWalks, "next_ones", lambda walks, expanded: iter(()))


def test_a_walk_finds_what_the_search_does_not_reach() -> None:
    assert explored(RECORDS).verdict is ProgramVerdict.UNSAFE


@pytest.mark.usefixtures("no_walks")
def test_the_search_alone_does_not_reach_it() -> None:
    assert explored(RECORDS).verdict is ProgramVerdict.UNKNOWN


def test_a_walk_has_no_more_steps_than_are_allowed() -> None:
    assert explored(RECORDS, steps=60).verdict is ProgramVerdict.UNKNOWN


def test_walks_prove_nothing() -> None:
    result = explored(RECORDS.replace("assert j != 120", "assert j != 121"))
    assert result.verdict is ProgramVerdict.UNKNOWN
    assert not result.complete


def test_walks_are_the_same_each_time() -> None:
    first, second = (explored(RECORDS) for _ in range(2))
    assert verdicts(first) == verdicts(second)
    assert [outcome.run and outcome.run.choices for outcome in first.outcomes] == [
        outcome.run and outcome.run.choices for outcome in second.outcomes
    ]
