"""Predecessors of pictures: every step of a run leads from one to the other."""

from __future__ import annotations

from pathlib import Path

import pytest
from engines.lazy.programs import analysed, compiled

from heapwright.engines.lazy.states.drawn_membership import DrawnTree
from heapwright.program.checks import Goal
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.sample_runs import SMALL, small_steps
from heapwright.program.runs.snapshot import Snapshot, snapshot

REVERSAL = """int main(void) {
    struct node *list = 0, *done = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->n = list;
        list = node;
    }
    while (list) {
        struct node *rest = list->n;
        list->n = done;
        done = list;
        list = rest;
    }
    while (done) {
        struct node *rest = done->n;
        free(done);
        done = rest;
    }
    return 0;
}
"""
TWO = """int main(void) {
    struct node *a = malloc(sizeof *a), *b = NULL;
    int n = __VERIFIER_nondet_int();
    a->n = NULL;
    if (n > 3) {
        b = malloc(sizeof *b);
        b->n = NULL;
    }
    if (n > 3) b->h = 1;
    free(a);
    free(b);
    return 0;
}
"""


@pytest.mark.parametrize(("text", "least"), [(REVERSAL, 100), (TWO, 5)], ids=["reversal", "two"])
def test_every_step_of_a_run_is_between_linked_pictures(tmp_path: Path, text: str, least: int) -> None:
    program = compiled(tmp_path, text)
    result = analysed(program, Goal(pictures=True, audit=True))
    states = result.states
    assert isinstance(states, DrawnTree)
    assert set(result.predecessors) == set(result.invariants)

    def containing(location: int, heap: Snapshot) -> set[int]:
        return {states.pictures[location].index(one.picture) for one in states.containing(location, heap)}

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
    assert steps > least
