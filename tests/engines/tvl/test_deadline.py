"""A time limit holds inside one step: everything that may run long checks the deadline often."""

from __future__ import annotations

import itertools
import sys
import time
from pathlib import Path
from types import FrameType

import pytest
from engines.tvl.lists import at
from engines.tvl.test_fixpoint import graph
from engines.tvl.walks import program_of

from heapwright.analysis.judgement import run_engine
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.kit.deadline import Deadline, DeadlineExceeded
from heapwright.engines.tvl.constraints.coerce import components
from heapwright.engines.tvl.engine import Tvl
from heapwright.engines.tvl.fixpoint import Options, TvlOutcome, run
from heapwright.logic.actions import Action, NamedStructure
from heapwright.logic.formulas import And, Kleene
from heapwright.logic.vocabulary import Predicate, Vocabulary
from heapwright.program.checks import Goal
from heapwright.result.outcomes import Verdict
from heapwright.testing.call_budget import call_budget

NAMES = [f"b{i}" for i in range(17)]  # one step makes 2 ** 17 structures of one


def analysed(options: Options) -> TvlOutcome:
    """An action that decides very many facts at once, in a structure that knows none of them."""
    words = Vocabulary(tuple(Predicate(name, 0) for name in NAMES))
    decide = Action("decide", focus=tuple(map(at, NAMES)), precondition=And(tuple(map(at, NAMES))))
    start = NamedStructure((), dict.fromkeys(NAMES, Kleene.HALF), mentioned=frozenset(NAMES))
    return run(words, (), graph(("a", decide, "z"))[0], [start], options, None, Limits())


@pytest.mark.parametrize("options", [Options(), Options(embedding="loose")], ids=["strict", "loose"])
def test_a_long_step_ends_at_the_limit(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    checks = itertools.count()

    def check(self: Deadline) -> None:
        if next(checks) >= 100:
            raise DeadlineExceeded

    monkeypatch.setattr(Deadline, "check", check)
    with call_budget(1_000_000):
        outcome = analysed(options)
    assert not outcome.complete
    assert outcome.structures_in_graph == 1, "the step did not come to its end"


@pytest.mark.slow
def test_the_deadline_is_checked_often(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, checks = 0, [0]

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    monkeypatch.setattr(Deadline, "check", lambda self: checks.append(calls))
    sys.setprofile(count)
    try:
        outcome = analysed(Options())
    finally:
        sys.setprofile(None)
    assert outcome.complete
    assert outcome.structures_in_graph == 2
    assert len(checks) > 100, "a step that is long"
    assert max(after - before for before, after in itertools.pairwise((*checks, calls))) < 200_000


def test_time_may_be_over_before_there_are_actions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs with very many variables take long to be made into actions."""
    program = program_of("int main(void) { int *p = 0; return *p; }", tmp_path)
    monkeypatch.setattr("heapwright.engines.tvl.engine.run", None)  # nothing is run
    result = run_engine(Tvl(), program, Goal(), Limits(deadline=time.monotonic()), NullProgress())
    assert not result.complete
    assert {outcome.verdict for outcome in result.outcomes} == {Verdict.UNKNOWN}
    assert result.limit


def test_many_constraints_are_ordered_in_linear_time() -> None:
    """A ring, and as many nodes on the way to it."""
    count = 20_000
    with call_budget(60 * count):
        found = components([[(node + 1) % count] for node in range(count)] + [[0]] * count)
    assert len(found) == count + 1
    assert sorted(found[-1]) == list(range(count))
