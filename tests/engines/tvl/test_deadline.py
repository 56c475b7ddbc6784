"""A time limit holds inside one step: everything that may take long looks at the clock often."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pytest
from engines.tvl.lists import at
from engines.tvl.test_fixpoint import graph
from engines.tvl.walks import program_of

from heapwright.analysis.judgement import run_engine
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.kit.deadline import Deadline
from heapwright.engines.tvl.constraints.coerce import components
from heapwright.engines.tvl.engine import Tvl
from heapwright.engines.tvl.fixpoint import Options, TvlOutcome, run
from heapwright.logic.actions import Action, NamedStructure
from heapwright.logic.formulas import And, Kleene
from heapwright.logic.vocabulary import Predicate, Vocabulary
from heapwright.program.checks import Goal
from heapwright.result.outcomes import Verdict

NAMES = [f"b{i}" for i in range(17)]  # one step makes 2 ** 17 structures of one


def analysed(options: Options, seconds: float | None) -> TvlOutcome:
    """An action that decides very many facts at once, in a structure that knows none of them."""
    words = Vocabulary(tuple(Predicate(name, 0) for name in NAMES))
    decide = Action("decide", focus=tuple(map(at, NAMES)), precondition=And(tuple(map(at, NAMES))))
    start = NamedStructure((), dict.fromkeys(NAMES, Kleene.HALF), mentioned=frozenset(NAMES))
    deadline = None if seconds is None else time.monotonic() + seconds
    return run(words, (), graph(("a", decide, "z"))[0], [start], options, None, Limits(deadline=deadline))


@pytest.mark.parametrize("options", [Options(), Options(embedding="loose")], ids=["strict", "loose"])
def test_a_long_step_ends_at_the_limit(options: Options) -> None:
    begin = time.process_time()
    outcome = analysed(options, 0.2)
    assert not outcome.complete
    assert outcome.structures_in_graph == 1, "the step did not come to its end"
    assert time.process_time() - begin < 1


@pytest.mark.slow
def test_the_clock_is_looked_at_often(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = [time.process_time()]
    monkeypatch.setattr(Deadline, "look", lambda self: looks.append(time.process_time()))
    outcome = analysed(Options(), None)
    assert outcome.complete
    assert outcome.structures_in_graph == 2
    assert looks[-1] - looks[0] > 0.5, "a step that is long"
    assert max(after - before for before, after in itertools.pairwise(looks)) < 0.2


def test_time_may_be_over_before_there_are_actions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs with very many variables take long to be made into actions."""
    program = program_of("int main(void) { int *p = 0; return *p; }", tmp_path)
    monkeypatch.setattr("heapwright.engines.tvl.engine.run", None)  # nothing is run
    result = run_engine(Tvl(), program, Goal(), Limits(deadline=time.monotonic()), NullProgress())
    assert not result.complete
    assert {outcome.verdict for outcome in result.outcomes} == {Verdict.UNKNOWN}
    assert result.limit


def test_many_constraints_are_ordered_in_no_time() -> None:
    """A ring, and as many nodes on the way to it."""
    count = 20_000
    begin = time.process_time()
    found = components([[(node + 1) % count] for node in range(count)] + [[0]] * count)
    assert time.process_time() - begin < 2
    assert len(found) == count + 1
    assert sorted(found[-1]) == list(range(count))
