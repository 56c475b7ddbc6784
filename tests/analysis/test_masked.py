"""Checks that no run reaches because of a failure before them, and four verdicts put together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from cli.fake_engines import run_that_breaks
from cli.hand_made import small_program

from heapwright.analysis.judgement import Findings, checked, combine, more_informative, run_engine, with_masked
from heapwright.analysis.pipeline import Input, build
from heapwright.analysis.schedule import Stage, run_schedule
from heapwright.base.errors import Contradiction
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.explore.engine import Explore
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.proof.certificate import certificate_of
from heapwright.report.model import make_report
from heapwright.result.outcomes import NO_RUNS, Outcome, ProgramVerdict, Result, Section, Verdict
from heapwright.settings.properties import goal_of

START = "#include <assert.h>\n#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\nint main(void) {\n"


def built(body: str, folder: Path) -> Program:
    file = folder / "a.c"
    file.write_text(START + body + "return 0; }\n")
    return build(Input((str(file),)), phase=lambda message: None)


def judged(body: str, folder: Path, goal: Goal | None = None) -> Result:
    program = built(body, folder)
    return run_schedule(program, goal or Goal(), (Stage("explore"),), Limits(), NullProgress())


def lines(result: Result, verdict: Verdict) -> set[tuple[int, str]]:
    return {(one.check.span.line, one.check.kind.value) for one in result.outcomes if one.verdict is verdict}


NULL_THEN_ASSERTION = "int *p = 0;\n*p = 1;\nassert(p == 0);\n"


def test_what_every_run_ends_before_is_masked(tmp_path: Path) -> None:
    result = judged(NULL_THEN_ASSERTION, tmp_path)
    assert lines(result, Verdict.VIOLATED) == {(6, "null-deref")}
    assert lines(result, Verdict.MASKED) >= {(7, "assert")}
    assert not [line for line, _ in lines(result, Verdict.PROVED) if line > 6]
    reason = next(one.reason for one in result.outcomes if one.verdict is Verdict.MASKED)
    assert reason == f"not reached: every run ends before it at {tmp_path / 'a.c'}:6"
    assert result.verdict is ProgramVerdict.UNSAFE


def test_what_some_run_reaches_is_not_masked(tmp_path: Path) -> None:
    body = "int *p = malloc(4);\nif (__VERIFIER_nondet_int()) { free(p); p = 0; *p = 1; }\nfree(p);\nassert(1);\n"
    result = judged(body, tmp_path)
    assert lines(result, Verdict.VIOLATED) == {(6, "null-deref")}
    assert lines(result, Verdict.MASKED) == set()


def test_dead_code_without_a_failure_before_it_is_proved(tmp_path: Path) -> None:
    result = judged("int *p = malloc(4);\n*p = 1;\nif (*p == 2) { assert(0); }\nfree(p);\n", tmp_path)
    assert result.unreached
    assert result.verdict is ProgramVerdict.SAFE


def test_a_leak_masks_nothing(tmp_path: Path) -> None:
    result = judged("int *p = malloc(4);\np = 0;\nassert(p == 0);\nif (p) assert(0);\n", tmp_path)
    assert lines(result, Verdict.VIOLATED) == {(6, "leak")}
    assert lines(result, Verdict.MASKED) == set()


def test_an_unselected_assertion_masks_but_only_if_it_may_fail(tmp_path: Path) -> None:
    """It ends a run like `abort`, and engines are not asked for it."""
    memory = goal_of(["valid-memsafety"])
    fails = judged("int n = 1;\nassert(n == 2);\nint *p = 0;\n*p = 1;\n", tmp_path, memory)
    assert lines(fails, Verdict.MASKED) >= {(8, "null-deref")}
    assert fails.verdict is ProgramVerdict.UNKNOWN
    holds = judged("int n = 1;\nassert(n == 1);\nif (n == 2) { int *p = 0;\n*p = 1; }\n", tmp_path, memory)
    assert holds.verdict is ProgramVerdict.SAFE


def test_behind_an_unselected_access_checks_are_unknown_and_not_masked(tmp_path: Path) -> None:
    result = judged(NULL_THEN_ASSERTION, tmp_path, Goal(kinds=frozenset({CheckKind.ASSERT})))
    assert lines(result, Verdict.UNKNOWN) == {(7, "assert")}


@pytest.mark.parametrize("suppressed", ["null-deref", "null-deref,assert"])
def test_a_suppressed_failure_hides_nothing_behind_it(suppressed: str, tmp_path: Path) -> None:
    comment = f"// heapwright: ignore[{suppressed}] on purpose\n"
    program = built(NULL_THEN_ASSERTION.replace("*p = 1;\n", f"*p = 1; {comment}"), tmp_path)
    result = run_schedule(program, Goal(), (Stage("explore"),), Limits(), NullProgress())
    report = make_report(program.files, "main", Goal(), result, program.sources)
    assert [one.outcome.check.kind for one in report.suppressed] == [CheckKind.NULL_DEREF]
    assert report.verdict is ProgramVerdict.UNKNOWN
    assert report.verdict.exit_code == 3


def test_a_masked_check_cannot_be_suppressed(tmp_path: Path) -> None:
    text = NULL_THEN_ASSERTION.replace("*p = 1;", "*p = 1; // heapwright: ignore[null-deref] on purpose")
    text = text.replace("== 0);", "== 0); // heapwright: ignore[assert, leak] on purpose")
    program = built(text, tmp_path)
    result = run_schedule(program, Goal(), (Stage("explore"),), Limits(), NullProgress())
    report = make_report(program.files, "main", Goal(), result, program.sources)
    assert report.verdict is ProgramVerdict.UNKNOWN
    assert report.warnings == ()


def test_every_copy_of_a_check_must_be_unreached(tmp_path: Path) -> None:
    program = built(
        "for (int i = 0; i < 2; i++) { int *p = malloc(4); *p = i;\nif (i) p = 0;\n*p = 2; free(p); }\n", tmp_path
    )
    result = run_engine(Explore(), program, Goal(), Limits(), NullProgress())
    assert lines(with_masked(result, program), Verdict.MASKED) <= {(line, "leak") for line in (5, 8, 9)}


# --- results together ------------------------------------------------------------------------------------------------


def test_locations_count_only_if_the_result_is_sound_and_complete(tmp_path: Path) -> None:
    program = built(NULL_THEN_ASSERTION, tmp_path)
    found = Explore().analyze(program, Goal(), Limits(), NullProgress())

    assert checked(found, program, Goal()).unreached
    assert not checked(replace(found, complete=False), program, Goal()).unreached
    assert not checked(replace(found, dropped="long runs"), program, Goal()).unreached


def test_locations_of_several_results_hold_together() -> None:
    one, other = (Result(name, (), dropped=NO_RUNS, unreached=frozenset({n})) for name, n in (("x", 1), ("y", 2)))
    assert combine(one, other).unreached == {1, 2}


def test_masked_and_violated_contradict_one_another() -> None:
    check = small_program("a.c").checks[0]
    proved, masked = (Outcome(check, verdict, "x") for verdict in (Verdict.PROVED, Verdict.MASKED))
    violated = Outcome(check, Verdict.VIOLATED, "y", run=run_that_breaks(check))
    for one, other in ((masked, violated), (violated, masked), (proved, violated)):
        with pytest.raises(Contradiction, match="x"):
            more_informative(one, other)


def test_engines_that_start_later_know_what_is_proved_and_what_is_violated() -> None:
    program = small_program("a.c")
    first, second, *_ = program.checks
    findings = Findings(program, Goal())
    findings.decide(Outcome(first, Verdict.PROVED, "x"))
    findings.decide(Outcome(second, Verdict.VIOLATED, "x", run=run_that_breaks(second)))
    goal = findings.open_goal()
    assert (goal.proved, goal.violated) == (frozenset({first.id}), frozenset({second.id}))
    assert not goal.selects(first)
    assert not goal.selects(second)


def test_certificates_claim_what_is_masked(tmp_path: Path) -> None:
    program = built(NULL_THEN_ASSERTION, tmp_path)
    goal = Goal(certificate=True)
    result = run_schedule(program, goal, (Stage("explore"),), Limits(), NullProgress())
    held = {one.check.id for one in result.outcomes if one.verdict in (Verdict.PROVED, Verdict.MASKED)}
    (section,) = certificate_of({}, program, goal, result).sections
    assert isinstance(section, Section)
    assert set(section.claims) == held
