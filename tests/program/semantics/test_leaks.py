"""Leaks on the way of a run: recorded once for each block, and the run goes on without it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from support.assembler import assemble
from support.running import NODE, ended, explored, failures, verdicts

from heapwright.program.checks import CheckKind, Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.runs.interpreter import Machine, replay
from heapwright.program.runs.sample_runs import SMALL, small_steps
from heapwright.program.runs.snapshot import snapshots
from heapwright.program.trace import Ending
from heapwright.result.outcomes import ProgramVerdict

LEAK_THEN_NULL = "p = new node\np = null\ni = p.data"  # from line 8 on
WITHOUT_LEAKS = Goal(frozenset(CheckKind) - {CheckKind.LEAK})
LIST = "p = new node\nq = new node\np.next = q\nq.next = null\nq = null\n"


def test_a_run_goes_on_behind_a_leak() -> None:
    run = ended(NODE + LEAK_THEN_NULL, trace=True)
    assert failures(run) == ["leak:9", "null-deref:10"]
    assert (run.ending, run.length) == (Ending.VIOLATION, 2)
    assert [step.text for step in run.steps if "no longer reachable" in step.text]


@pytest.mark.parametrize("kinds", [frozenset(CheckKind), WITHOUT_LEAKS.kinds, frozenset({CheckKind.LEAK}), frozenset()])
def test_runs_do_not_depend_on_what_is_selected(kinds: frozenset[CheckKind]) -> None:
    program = assemble(NODE + LIST + "p = null\nskip\nh = new node\nfree h")
    expected = [*snapshots(Machine(program, Goal()), RandomChoices(1))]
    assert [*snapshots(Machine(program, Goal(kinds)), RandomChoices(1))] == expected
    assert [len(heap.objects) for _, heap in expected][-4:] == [0, 0, 1, 1], "garbage is not in heaps"


def test_blocks_that_are_lost_together_are_one_leak() -> None:
    assert failures(ended(NODE + LIST + "p = null\nh = new node\nfree h")) == ["leak:13"]


def test_a_block_leaks_once() -> None:
    """A dead temporary still has its address when it is overwritten."""
    text = NODE + "tmp t -> node\nt = new node\np = t\np = null\nt = null\nh = new node\nh = null"
    assert failures(ended(text)) == ["leak:11", "leak:14"]
    assert verdicts(explored(text)) == {"11:leak": "violated", "14:leak": "violated"}


def test_the_contents_of_a_freed_block_may_leak() -> None:
    assert failures(ended(NODE + LIST + "free p\ni = p.data")) == ["leak:13", "use-after-free:14"]


def test_a_later_approximate_choice_does_not_spoil_a_leak() -> None:
    text = NODE + "havoc i\np = new node\np = null\nhavoc j approximate\nif j == 7 goto end\np = new node\nfree p"
    run = ended(text, 5, 3)
    assert not run.exact
    ((violation, cut),) = run.failures
    assert violation.check.kind is CheckKind.LEAK
    assert cut.exact
    assert [choice.value for choice in cut.choices] == [5]
    again = replay(assemble(text), Goal(), cut.choices, check=violation.check.id)
    assert (again.violation, again.ending, again.choices) == (violation, Ending.VIOLATION, cut.choices)
    assert again.steps[-1].text == violation.message
    assert verdicts(explored(text)) == {"10:leak": "violated"}


def test_a_leak_in_an_endless_loop_is_replayed() -> None:
    result = explored(NODE + "loop:\np = new node\np = null\ngoto loop")
    assert result.complete, "leaks are no part of a state"
    assert verdicts(result) == {"10:leak": "violated"}


def test_the_search_finds_what_lies_behind_a_leak() -> None:
    assert verdicts(explored(NODE + LEAK_THEN_NULL)) == {"9:leak": "violated", "10:null-deref": "violated"}
    assert verdicts(explored(NODE + LEAK_THEN_NULL, WITHOUT_LEAKS)) == {"10:null-deref": "violated"}


def test_cleanup_sees_what_was_lost() -> None:
    text = NODE + "p = new node\np = null\ncleanup"
    assert verdicts(explored(text, Goal(cleanup=True))) == {"9:leak": "violated", "10:leak": "violated"}
    assert failures(ended(text, goal=Goal(cleanup=True))) == ["leak:9", "leak:10"]
    loop = NODE + "loop:\nhavoc i\nif i == 0 goto done\np = new node\np = null\ngoto loop\ndone:\ncleanup"
    result = explored(loop, Goal(cleanup=True))
    assert result.complete, "one lost block of a type is kept"
    assert verdicts(result) == {"12:leak": "violated", "15:leak": "violated"}


def test_all_reachable_sees_what_was_lost() -> None:
    text = NODE + "p = new node\np = null\nassert all_reachable(p, next)"
    assert verdicts(explored(text)) == {"9:leak": "violated", "10:shape": "violated"}


def test_a_lost_block_is_no_value_of_an_input_that_is_read_later() -> None:
    """The two fields may be equal. Then nothing is lost; such runs are left out, and the search says so."""
    two = "type pair 16: one@0 -> pair, two@8 -> pair\nvar p -> pair\nvar q -> pair\n"
    text = two + "p = any pair\nassume p != null\nq = p.one\nassume q != null\nassume q != p\np.one = null\nq = null\n"
    result = explored(text + "q = p.two\nq = null", input_objects=4)
    assert verdicts(result)["9:leak"] == "violated"
    assert "an input cell that was not read may lead to a block that was lost" in result.limit
    assert result.verdict is ProgramVerdict.UNSAFE


def test_small_steps_have_the_leaks_of_the_step() -> None:
    machine = Machine(assemble(NODE + LEAK_THEN_NULL), Goal(), SMALL)
    steps = [*small_steps(machine, 100)]
    assert [len(after.leaks) for _, after, _ in steps] == [0, 0, 1, 0]
    assert [fault is None for _, _, fault in steps] == [True, True, True, False]
    assert all(one[1] is two[0] for one, two in pairwise(steps))
