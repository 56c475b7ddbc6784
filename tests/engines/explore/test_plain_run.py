"""Runs without choices: followed to their end, however long."""

from __future__ import annotations

import re

import pytest
from support.running import NODE, explored, verdicts

from heapwright.result.outcomes import ProgramVerdict, Verdict

BUILD = """
h = null
i = 0
build:
if i == 2000 goto built
p = new node
p.next = h
h = p
i = i + 1
goto build
built:
p = null
"""
DESTROY = """
destroy:
if h == null goto end
p = h.next
free h
h = p
goto destroy
"""


def test_a_long_run_is_followed_to_its_end() -> None:
    result = explored(NODE + BUILD + DESTROY)
    assert result.verdict is ProgramVerdict.SAFE
    assert result.complete
    assert result.stats["runs"] == 1


@pytest.mark.parametrize("bound", ["steps", "objects"])
def test_a_bound_that_is_given_holds(bound: str) -> None:
    result = explored(NODE + BUILD + DESTROY, None, **{bound: 900})
    assert result.verdict is ProgramVerdict.UNKNOWN
    assert f"more than 900 {'steps (--steps)' if bound == 'steps' else 'heap blocks (--objects)'}" in result.limit


@pytest.mark.parametrize(
    ("loop", "verdict"),
    [
        (
            "loop:\np = new node\np.data = i\nfree p\ni = i + 1\nif i == 700 goto again\ngoto loop\nagain:\ni = 0",
            "safe",
        ),
        (
            "loop:\np = new node\np.data = i\nfree p\ni = i + 1\nif i == 700 goto again\ngoto loop\nagain:\ni = 1",
            "safe",
        ),
        ("loop:\nq = p\np = new node\nfree q\ni = 0", "safe"),
        ("loop:\ni = i + 1", "unknown"),  # 2^32 states
    ],
)
def test_a_run_that_repeats_a_state_has_no_end(loop: str, verdict: str) -> None:
    assert explored(NODE + f"i = 0\np = null\n{loop}\ngoto loop").verdict.value == verdict


def test_a_leak_on_a_long_run_is_found_where_it_happens() -> None:
    lose = "if i == 0 goto after\np = new node\np = null\nafter:\n"
    result = explored(NODE + BUILD + lose + DESTROY)
    line = (NODE + BUILD + lose).splitlines().index("p = null", (NODE + BUILD).count("\n"))
    assert verdicts(result) == {f"{line}:leak": "violated"}


def test_a_failure_behind_a_leak_is_found() -> None:
    result = explored(NODE + BUILD + "p = new node\np = null\ni = p.data\n" + DESTROY)
    assert sorted(verdicts(result).values())[-2:] == ["violated", "violated"]


def test_a_failure_at_the_end_of_a_long_run_is_shown_by_its_last_steps() -> None:
    result = explored(NODE + BUILD + "p = new node\nfree p\np.data = 1")
    (found,) = [one for one in result.outcomes if one.verdict is Verdict.VIOLATED]
    assert found.run is not None
    assert found.run.length > 12_000
    texts = [step.text for step in found.run.steps]
    assert texts[-2].startswith("free(p)")
    counts = [int(re.findall(r"\d+", text)[0]) for text in texts if "left out" in text]
    assert sum(counts) > found.run.length - 3_000
    assert len(texts) < 2_000


def test_a_search_begins_where_the_run_makes_its_first_choice() -> None:
    """Its bounds count from there."""
    result = explored(NODE + BUILD + "havoc n\nif n == 3 goto destroy\nh.data = n" + DESTROY)
    assert result.verdict is ProgramVerdict.SAFE
    assert result.stats["depth"] == 1
