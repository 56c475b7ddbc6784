"""Runs as a person reads them: steps in the user's words, and what a violation says."""

from __future__ import annotations

import pytest
from support.assembler import assemble
from support.running import NODE, ended

from heapwright.base.errors import InputError
from heapwright.base.source import NOWHERE
from heapwright.program.checks import Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.runs.interpreter import replay, run
from heapwright.program.trace import Choice, ChoiceKind, Ending

MESSAGES = {
    "p = null\nq = p.next": "`p` is null here",
    "q = p.next": "`p` is uninitialised or not a valid pointer",
    "p = new node\nfree p\ni = p.data": "use after free: node #1 was freed at t.c:9:1",
    "p = new node\nfree p\nfree p": "double free: node #1 was already freed at t.c:9:1",
    "p = new node\np = null": "the node allocated at t.c:8:1 is no longer reachable",
    "p = new node stack\nleave p\ni = p.data": "`p` points to p, whose scope ended at t.c:9:1",
    "p = new node stack\nfree p": "invalid free: `p` points to p, which was not allocated",
    "p = new node\nq = p + 1\nfree q": "invalid free: `q` does not point to the start of a block",
    "p = new node size (8)\np.data = 1": "`p` is out of bounds: the block has 8 bytes",
    "free p": "`p` is freed, but is uninitialised or not a valid pointer",
    "i = 1\nassert i == 2": "the assertion `i == 2` fails",
}


@pytest.mark.parametrize(("text", "message"), MESSAGES.items())
def test_a_violation_says_what_is_wrong(text: str, message: str) -> None:
    run = ended(NODE + text, trace=True)
    (violation, _), *_ = run.failures
    assert violation.message == message
    assert run.steps[-1].text == message
    assert run.steps[-1].important
    assert run.steps[-1].heap is not None


def test_places_and_holder() -> None:
    run = ended(NODE + "q = new node\np = q\nfree q\ni = p.data", trace=True)
    violation = run.violation
    assert violation is not None
    assert violation.holder == "p"
    assert violation.allocated is not None
    assert violation.allocated.line == 8
    assert violation.freed is not None
    assert violation.freed.line == 10
    assert violation.block == 0


TEXT = (
    NODE
    + """tmp t -> node
havoc n
i = 99
t = new node
p = t
p.data = n
q = p.next
if n == 3 goto bad
free p
goto end
bad:
free p
i = p.data
"""
)


def test_steps_speak_the_language_of_the_source() -> None:
    run = ended(TEXT, 3, trace=True)
    texts = [step.text for step in run.steps]
    assert texts == [
        "n = __VERIFIER_nondet_int() gives 3",
        "i = 99",
        "a new node #1 (16 bytes) is allocated",
        "p = node #1",
        "p->data = n",
        "q = p->next is uninitialised",
        "n == 3 is true",
        "free(p): node #1 is freed",
        "use after free: node #1 was freed at t.c:19:1",
    ]
    assert not any("$" in text for text in texts)
    assert run.steps[6].notes == ("n is 3",)
    important = [step.text for step in run.steps if step.important]
    assert "i = 99" not in important
    assert "free(p): node #1 is freed" in important
    assert all(step.heap is not None for step in run.steps if step.important)


def test_the_picture_at_the_end() -> None:
    heap = ended(TEXT, 3, trace=True).steps[-1].heap
    assert heap is not None
    assert [(node.id, node.type, node.state) for node in heap.nodes] == [(1, "node", "freed")]
    assert [(arrow.source, arrow.target) for arrow in heap.arrows] == [("p", 1)]
    assert dict(heap.data)["n"] == "3"


def test_a_replay_tells_the_same_run() -> None:
    program = assemble(TEXT)
    for seed in range(20):
        first = run(program, Goal(), RandomChoices(seed), max_steps=1000)
        again = replay(program, Goal(), first.choices)
        assert (again.ending, again.choices) == (first.ending, first.choices)
        assert (again.violation is None) == (first.violation is None)


def test_decisions_of_another_program_are_refused_with_a_sentence() -> None:
    with pytest.raises(InputError, match="do not match the program"):
        replay(assemble(TEXT), Goal(), [Choice(ChoiceKind.INPUT, "malloc", 1, NOWHERE)])
    with pytest.raises(InputError, match="out of range"):
        replay(assemble(TEXT), Goal(), [Choice(ChoiceKind.INPUT, "__VERIFIER_nondet_int", 2**40, NOWHERE)])


def test_after_the_last_decision_comes_zero() -> None:
    assert replay(assemble(TEXT), Goal(), []).ending is Ending.EXIT
