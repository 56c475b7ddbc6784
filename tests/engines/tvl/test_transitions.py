"""Predecessors of pictures: every step of a run leads from one to the other, and an example is in its heap."""

from __future__ import annotations

from pathlib import Path

from engines.tvl.walks import program_of
from report.html.conftest import REVERSAL

from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.tvl.encoding.states.drawn_membership import DrawnMembership
from heapwright.engines.tvl.engine import Tvl
from heapwright.program.checks import Goal
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.sample_runs import SMALL, small_steps
from heapwright.program.runs.snapshot import Snapshot, snapshot


def test_every_step_of_a_run_is_between_linked_pictures(tmp_path: Path) -> None:
    program = program_of(REVERSAL, tmp_path)
    result = Tvl().analyze(program, Goal(pictures=True, audit=True), Limits(), NullProgress())
    states = result.states
    assert isinstance(states, DrawnMembership)
    assert set(result.predecessors) == set(result.invariants)

    def containing(location: int, heap: Snapshot) -> set[int]:
        pictures = list(result.invariants[location])
        found = enumerate(states.structures[location])
        inside = [n for n, one in found if states.described(location, heap, (one,), (location, n))]
        return {pictures.index(states.drawn[location][number]) for number in inside}

    steps = 0
    for before, after, fault in small_steps(Machine(program, Goal(), SMALL), 150):
        if before is None or fault is not None:
            continue
        sources = containing(before.location, snapshot(program, before))
        targets = containing(after.location, snapshot(program, after))
        known = result.predecessors[after.location]
        assert any((before.location, one) in known[target] for target in targets for one in sources)
        assert states.picture_of(after.location, snapshot(program, after)) in targets
        steps += 1
    assert steps > 100
