"""Traces of long runs: the steps that explain the end, however far back they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heapwright.analysis.pipeline import Input, build
from heapwright.program.checks import Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Program
from heapwright.program.runs import interpreter
from heapwright.program.runs.interpreter import run
from heapwright.program.trace import Run

PROGRAM = """
#include <stdlib.h>
struct node { struct node *next; int value; };
int main(void)
{
    struct node *early = malloc(sizeof *early), *other = NULL;
    early->value = 1;
    free(early);
    for (int i = 0; i < 2000; i++) {
        other = malloc(sizeof *other);
        other->value = i;
        free(other);
    }
    int last = 7;
    return last + early->value;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    file = tmp_path_factory.mktemp("log") / "long.c"
    file.write_text(PROGRAM)
    return build(Input((str(file),)), phase=lambda message: None)


def traced(program: Program) -> Run:
    return run(program, Goal(), RandomChoices(1), max_steps=100_000, trace=True)


def test_the_steps_that_touch_the_block_of_the_failure_are_told(program: Program) -> None:
    found = traced(program)
    assert found.length > 10_000
    assert found.violation is not None
    important = [(step.span.line, step.text) for step in found.steps if step.important]
    assert (8, "free(early): node #1 is freed") in important
    assert important[-1] == (15, found.violation.message)
    assert len(found.steps) < 2_500


def test_what_is_left_out_is_counted(program: Program) -> None:
    found = traced(program)
    counts = [int(step.text.rpartition(" ")[2]) for step in found.steps if step.text.startswith("steps left out: ")]
    assert counts
    assert found.length - 3_000 < sum(counts) < found.length


def test_the_end_is_that_of_the_run_told_in_full(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    found = traced(program)
    monkeypatch.setattr(interpreter, "TOLD_WHOLE", 1_000_000)
    whole = traced(program)
    assert found.violation is not None
    assert whole.violation is not None
    assert replace(found, steps=(), violation=None) == replace(whole, steps=(), violation=None)
    assert found.violation.check == whole.violation.check
    assert [step.span for step in found.steps[-3:]] == [step.span for step in whole.steps[-3:]]
