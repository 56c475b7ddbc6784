"""Alarms of the 3-valued engine, confirmed or refuted by a search along the abstract run."""

from __future__ import annotations

from pathlib import Path

from heapwright.analysis.counterexample_replay import REFUTED, along, confirm_alarms
from heapwright.analysis.pipeline import Input, analyze, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.result.outcomes import Outcome, Verdict

LATE_BUG = """
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
int main(void) {
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = head;
        head = fresh;
    }
    int other = 0;
    for (int i = 0; i < 30; i++)
        if (__VERIFIER_nondet_int() > i) other += i;
    if (head && head->next && !head->next->next) {
        free(head->next);
        head = head->next->next;
    }
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
"""

TOO_COARSE = """
#include <stdlib.h>
int main(void) {
    int *p = NULL;
    int a = 3, b = 4;
    if (a + b == 8)
        *p = 1;
    return 0;
}
"""


def program_of(text: str, folder: Path) -> Program:
    file = folder / "program.c"
    file.write_text(text)
    return build(Input((str(file),)), lambda phase: None)


def outcomes_of(text: str, folder: Path) -> list[Outcome]:
    return list(analyze(program_of(text, folder), Goal(), "tvl", Limits(), NullProgress()).outcomes)


def test_an_alarm_is_confirmed_by_a_run_of_the_whole_program(tmp_path: Path) -> None:
    violated = [found for found in outcomes_of(LATE_BUG, tmp_path) if found.verdict is Verdict.VIOLATED]
    assert {found.check.kind for found in violated} == {CheckKind.USE_AFTER_FREE}
    for found in violated:
        assert found.run is not None
        assert found.run.exact
        assert found.run.violation is not None
        assert found.run.violation.check == found.check


def test_a_run_that_the_program_does_not_have_is_refuted(tmp_path: Path) -> None:
    (found,) = [found for found in outcomes_of(TOO_COARSE, tmp_path) if found.verdict is not Verdict.PROVED]
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason.endswith(REFUTED)


def test_only_edges_of_the_path_are_left(tmp_path: Path) -> None:
    program = program_of(LATE_BUG, tmp_path)
    part = along(program, (0, 2))
    assert part.graph.edges == (program.graph.edges[0], program.graph.edges[2])
    assert part.graph.locations == program.graph.locations


def test_a_path_that_misses_its_check_settles_nothing(tmp_path: Path) -> None:
    program = program_of(TOO_COARSE, tmp_path)
    alarm = Outcome(program.checks[0], Verdict.UNKNOWN, "tvl", reason="open", path=(0,))
    assert confirm_alarms(program, Goal(), (alarm,), Limits(), NullProgress()) == (alarm,)
