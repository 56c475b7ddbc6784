"""A function that should return a value and does not is named where its value is used."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.explore.engine import Explore
from heapwright.program.checks import Goal
from heapwright.result.outcomes import Outcome, Verdict

MAKE = """#include <assert.h>
#include <stdlib.h>
struct node { int data; };
struct node *make(struct node *old) { if (old) return old; }
int size(int n) { if (n > 0) return n; }
int main(void) {
    struct node *p = BODY
    return 0;
}
"""


def violated(body: str, folder: Path) -> list[Outcome]:
    file = folder / "a.c"
    file.write_text(MAKE.replace("BODY", body))
    program = build(Input((str(file),)), phase=lambda message: None)
    found = run_engine(Explore(), program, Goal(), Limits(), NullProgress())
    return [outcome for outcome in found.outcomes if outcome.verdict is Verdict.VIOLATED]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("make(0); p->data = 1;", "invalid-deref"),
        ("(struct node *)(void *)make(0); struct node *q = p; return q->data;", "invalid-deref"),
        ("0; make(0)->data = 2;", "invalid-deref"),
        ("make(0); free(p);", "invalid-free"),
    ],
)
def test_the_function_is_named_where_its_value_is_used(body: str, kind: str, tmp_path: Path) -> None:
    (outcome,) = violated(body, tmp_path)
    assert outcome.check.kind.value == kind
    assert outcome.run is not None
    assert outcome.run.violation is not None
    assert outcome.run.violation.message == "the value of make() is used, but make returned without one"
    assert "make returns without a value" in [step.text for step in outcome.run.steps]


def test_a_value_that_is_given_is_not_blamed(tmp_path: Path) -> None:
    body = "make(0); p = make(malloc(sizeof *p)); p->data = 1; free(p); struct node *q; q->data = 1;"
    (outcome,) = violated(body, tmp_path)
    assert outcome.run is not None
    assert outcome.run.violation is not None
    assert outcome.run.violation.message == "`q` is uninitialised or not a valid pointer"


def test_an_unused_value_is_no_fault(tmp_path: Path) -> None:
    assert violated("0; make(0); size(0);", tmp_path) == []


def test_a_missing_number_is_in_the_run(tmp_path: Path) -> None:
    (outcome,) = violated("0; int n = size(0); assert(n == 0);", tmp_path)
    assert outcome.run is not None
    assert "size returns without a value" in [step.text for step in outcome.run.steps]
