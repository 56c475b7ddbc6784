"""How results of engines are held to their promises and put together."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from cli.hand_made import small_program

import heapwright
from heapwright.analysis import judgement
from heapwright.analysis.judgement import Findings, combine, partial_result, run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.base.errors import Contradiction
from heapwright.base.source import Span
from heapwright.engines import load_engine
from heapwright.engines.api import Declaration, Limits, NullProgress, Progress
from heapwright.engines.floor.domain.pointers import JUNK_POINTER
from heapwright.engines.floor.transform import access as floor_access
from heapwright.engines.floor.transform import transfer as floor_transfer
from heapwright.program.checks import Check, CheckKind, Goal
from heapwright.program.graph import Assumption, Program
from heapwright.result.outcomes import NO_RUNS, Outcome, ProgramVerdict, Result, Verdict
from heapwright.settings.properties import goal_of

A, B = (Check(CheckKind.LEAK, Span("a.c", line, 1), "main") for line in (1, 2))
PACKAGE = Path(heapwright.__file__).parent


def result(engine: str, a: Verdict, b: Verdict, *, dropped: str = NO_RUNS) -> Result:
    outcomes = (Outcome(A, a, engine), Outcome(B, b, engine))
    return Result(engine, outcomes, dropped=dropped, assumptions=(Assumption(engine),), stats={engine: 1})


def test_together_they_know_more() -> None:
    both = combine(result("x", Verdict.PROVED, Verdict.UNKNOWN), result("y", Verdict.UNKNOWN, Verdict.PROVED))
    assert [outcome.engine for outcome in both.outcomes] == ["x", "y"]
    assert both.verdict is ProgramVerdict.SAFE
    assert both.engine == "x + y"
    assert {assumption.text for assumption in both.assumptions} == {"x", "y"}


def test_an_unsound_part_that_contributes_nothing_does_not_spoil_a_proof() -> None:
    unsound = result("x", Verdict.UNKNOWN, Verdict.UNKNOWN, dropped="long runs")
    assert combine(unsound, result("y", Verdict.PROVED, Verdict.PROVED)).verdict is ProgramVerdict.SAFE
    assert combine(unsound, result("y", Verdict.PROVED, Verdict.UNKNOWN)).verdict is ProgramVerdict.UNKNOWN


def test_cut_short() -> None:
    found = Outcome(A, Verdict.PROVED, "x")
    cut = partial_result((A, B), {A.id: found}, "x", "the time limit")
    assert cut.outcomes == (found, Outcome(B, Verdict.UNKNOWN, "x", reason="the time limit"))
    assert (cut.complete, cut.verdict) == (False, ProgramVerdict.UNKNOWN)
    assert partial_result((), {}, "x", "the time limit").verdict is ProgramVerdict.UNKNOWN


# --- what an engine may claim ----------------------------------------------------------------------------------------


class Boaster(Declaration):
    """Proves every check that it is willing to speak about."""

    name = "boaster"
    proves = frozenset(CheckKind)

    def __init__(self, speaks_of: frozenset[CheckKind] = frozenset(CheckKind), **result: object) -> None:
        self.speaks_of, self.result = speaks_of, {"dropped": NO_RUNS, **result}

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        checks = [check for check in program.checks if check.kind in self.speaks_of]
        return Result(
            self.name,
            tuple(Outcome(check, Verdict.PROVED, self.name) for check in checks),
            **self.result,  # type: ignore[arg-type]
        )


BOTH_SIDES = """
#include <heapwright.h>
#include <stdlib.h>
void reach_error(void);
int main(void) {
    int *p = malloc(sizeof *p);
    if (__VERIFIER_nondet_int()) {
        *p = 1;
        if (*p != 1) reach_error();
        free(p);
    } else {
        int n = __VERIFIER_nondet_int();
        free(p);
        if (n < 0 && n > 0) reach_error();
    }
    return 0;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    file = tmp_path / "sides.c"
    file.write_text(BOTH_SIDES)
    return build(Input((str(file),)), phase=lambda message: None)


def verdicts(engine: Boaster, program: Program, goal: Goal) -> dict[int, str]:
    found = run_engine(engine, program, goal, Limits(), NullProgress())
    return {outcome.check.span.line: outcome.verdict.value for outcome in found.outcomes}


def test_a_result_must_say_which_runs_were_dropped() -> None:
    with pytest.raises(TypeError, match="dropped"):
        Result("x", ())  # type: ignore[call-arg]


def test_nothing_is_proved_of_dropped_runs_or_without_a_fixpoint(program: Program) -> None:
    goal = Goal(kinds=frozenset({CheckKind.ASSERT}))
    assert set(verdicts(Boaster(), program, goal).values()) == {"proved"}
    assert set(verdicts(Boaster(dropped="long runs"), program, goal).values()) == {"unknown"}
    assert set(verdicts(Boaster(complete=False), program, goal).values()) == {"unknown"}


def test_what_an_engine_is_silent_about_is_unknown(program: Program) -> None:
    silent = Boaster(frozenset())
    assert set(verdicts(silent, program, Goal()).values()) == {"unknown"}


def test_proofs_behind_an_unselected_check_that_may_fail_do_not_count(program: Program) -> None:
    """The engine never speaks of dereferences, and has no line about what follows from that."""
    assertions = Boaster(frozenset({CheckKind.ASSERT, CheckKind.DOUBLE_FREE, CheckKind.INVALID_FREE}))
    found = verdicts(assertions, program, Goal(kinds=frozenset({CheckKind.ASSERT})))
    assert found == {9: "unknown", 14: "proved"}, "the access of line 8 stands before line 9 alone"
    reason = next(
        outcome.reason
        for outcome in run_engine(assertions, program, goal_of(["unreach-call"]), Limits(), NullProgress()).outcomes
    )
    assert re.search(r"check at .*sides.c:8:\d+ is not selected and may fail", reason)


def test_what_was_proved_before_may_be_taken_for_granted(program: Program) -> None:
    findings = Findings(program, Goal(kinds=frozenset({CheckKind.ASSERT})))
    accesses = Boaster(frozenset(CheckKind) - {CheckKind.ASSERT})
    assert list(findings.add(run_engine(accesses, program, findings.goal, Limits(), NullProgress()))) == []
    assertions = Boaster(frozenset({CheckKind.ASSERT}))
    assert set(verdicts(assertions, program, findings.open_goal()).values()) == {"proved"}
    assert set(verdicts(assertions, program, findings.goal).values()) == {"unknown"}


def test_claims_of_a_user_stand_behind_everything(program: Program) -> None:
    """Where they are is not in the program's graph."""
    own = Check(CheckKind.ASSERT, Span("sides.c", 6, 1), "main", subject="acyclic")

    class Claiming(Boaster):
        def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
            found = super().analyze(program, goal, limits, progress)
            return replace(found, outcomes=(*found.outcomes, Outcome(own, Verdict.PROVED, self.name)))

    goal = Goal(kinds=frozenset({CheckKind.ASSERT}))
    assert verdicts(Claiming(), program, goal)[6] == "proved"
    assert verdicts(Claiming(dropped="long runs"), program, goal)[6] == "unknown"
    assert verdicts(Claiming(frozenset({CheckKind.ASSERT})), program, goal)[6] == "unknown"


def test_certificates_claim_only_what_counts(program: Program) -> None:
    from heapwright.result.outcomes import Section

    claims = tuple(check.id for check in program.checks)
    engine = Boaster(frozenset({CheckKind.ASSERT}), sections=(Section("boaster", claims, ({},)),))
    goal = Goal(kinds=frozenset({CheckKind.ASSERT}))
    assert run_engine(engine, program, goal, Limits(), NullProgress()).sections == ()
    (section,) = run_engine(engine, program, Goal(), Limits(), NullProgress()).sections
    assert len(section.claims) == 2


class Hasty(Boaster):
    """Reports its proofs, and a violation that depends on an approximation, as it goes."""

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        found = super().analyze(program, goal, limits, progress)
        for outcome in found.outcomes:
            progress.found(outcome)
            progress.found(replace(outcome, verdict=Verdict.VIOLATED))
        return found


def test_only_violations_with_an_exact_run_count_before_the_result() -> None:
    """Outcomes that are reported early survive a limit, after which no result comes that could be checked."""
    program, progress = small_program("a.c"), NullProgress()
    result = run_engine(Hasty(dropped="long runs"), program, Goal(), Limits(), progress)
    assert result.outcomes
    assert progress.outcomes == []


def test_engines_are_run_in_one_place() -> None:
    """Whoever calls `analyze` of an engine bypasses what holds it to its promises."""
    callers = [
        str(path.relative_to(PACKAGE))
        for path in sorted(PACKAGE.rglob("*.py"))
        if re.search(
            r"\.analyze\((\w+\.)?(program|followed),", path.read_text(encoding="utf-8").partition('"""\n\nfrom')[2]
        )
    ]
    assert callers == ["analysis/judgement.py", "engines/lazy/explicit_heaps.py", "testing/conformance.py"], (
        "lazy has explore as a part of itself, and the conformance suite looks at what engines claim"
    )


def test_a_proof_and_a_run_that_breaks_it_are_no_answer() -> None:
    program = small_program("a.c")
    findings = Findings(program, Goal())
    check = program.checks[0]
    from cli.fake_engines import run_that_breaks

    assert findings.decide(Outcome(check, Verdict.PROVED, "x"))
    assert not findings.decide(Outcome(check, Verdict.UNKNOWN, "y"))
    with pytest.raises(Contradiction):
        findings.decide(Outcome(check, Verdict.VIOLATED, "y", run=run_that_breaks(check)))


# --- steps that no command models ------------------------------------------------------------------------------------


def judged(tmp_path: Path, text: str) -> dict[tuple[int, str], str]:
    """The verdicts on what an engine proves that proves everything, by line and kind."""
    file = tmp_path / "steps.c"
    file.write_text(text)
    found = run_engine(
        Boaster(), build(Input((str(file),)), phase=lambda message: None), Goal(), Limits(), NullProgress()
    )
    return {(one.check.span.line, one.check.kind.value): one.verdict.value for one in found.outcomes}


def test_nothing_is_proved_behind_a_function_without_a_model(tmp_path: Path) -> None:
    text = "#include <malloc.h>\nint main(void) {\nint a[2]; int *p = a;\n*p = 1;\nmalloc_usable_size(p);\n*p = 2;\n"
    text += "return 0; }\n"
    found = judged(tmp_path, text)
    assert (found[4, "bounds"], found[6, "bounds"]) == ("proved", "unknown")


def test_nothing_is_proved_behind_bytes_that_an_engine_does_not_follow(tmp_path: Path) -> None:
    start = "#include <string.h>\nstruct s { int a, b; };\nint main(void) {\nstruct s x, y; struct s *p = &x;\n"
    found = judged(tmp_path, start + "p->a = 1;\nmemcpy(p, &y, sizeof(int));\np->a = 2;\nreturn 0; }\n")
    assert found[5, "null-deref"] == "proved"
    assert found[6, "null-deref"] == found[7, "null-deref"] == "unknown"


def test_no_write_is_proved_that_may_be_to_read_only_memory(tmp_path: Path) -> None:
    text = 'int main(void) {\nchar t[4];\nchar *s = "abc";\nchar *u = t;\nu[0] = 1;\ns[0] = 1;\nreturn 0; }\n'
    found = judged(tmp_path, text)
    assert (found[5, "invalid-deref"], found[6, "invalid-deref"]) == ("proved", "unknown")
    assert found[6, "null-deref"] == "proved"


# --- unknown pointers ------------------------------------------------------------------------------------------------

FROM_INTEGER = """
#include <stdint.h>
#include <stdlib.h>
extern void hook(int **);
int main(void) {
    int a = 1;
    int *y = malloc(sizeof *y);
    int **p = &y;
    uintptr_t i = 0x7f0000;
    if (a) { MORE; }
    *y = 2;
    return 0;
}
"""


@pytest.mark.parametrize(
    "more",
    [
        "free((void *)i)",
        "y = realloc((void *)i, 64)",
        "*(int **)i = 0",
        "int **q = (int **)i; struct { int **r; } s = {q}; if (q) { *s.r = 0; }",
        "hook((int **)i)",
        "int **q = (int **)i; q++; q[-1] = 0",
    ],
)
def test_nothing_is_proved_behind_an_access_through_an_unknown_pointer(tmp_path: Path, more: str) -> None:
    """Such an access ends the run in the interpreter, while in C it may hit any object and go on."""
    file = tmp_path / "unknown.c"
    file.write_text(FROM_INTEGER.replace("MORE", more))
    program = build(Input((str(file),)), phase=lambda message: None)
    found = run_engine(load_engine("recency"), program, Goal(), Limits(), NullProgress())
    behind = {one.check.kind.value: one.verdict.value for one in found.outcomes if one.check.span.line == 11}
    assert behind["null-deref"] == behind["use-after-free"] == "unknown"
    before = [one.verdict.value for one in found.outcomes if one.check.span.line == 8]
    assert set(before) <= {"proved"}


def test_an_engine_that_takes_unknown_for_junk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Junk ends a run where it is used, and then nothing behind is reached. What is unknown goes on: the judgement
    keeps such an engine from deciding anything behind."""
    path = Path(__file__).parents[1] / "programs" / "bytes" / "unknown_pointer_bad.c"
    program = build(Input((str(path),)), phase=lambda message: None)
    for module in (floor_access, floor_transfer):
        monkeypatch.setattr(module, "ANY_POINTER", JUNK_POINTER)

    def behind() -> set[str]:
        found = run_engine(load_engine("recency"), program, Goal(), Limits(), NullProgress())
        return {one.verdict.value for one in found.outcomes if one.check.span.line == 20}

    assert behind() == {"unknown"}
    monkeypatch.setattr(judgement, "behind_unknown", lambda program, proved: {})
    assert "unknown" not in behind(), "the mutant would have decided what lies behind"


@pytest.mark.parametrize("more", ["if (p == (int **)-1) { p = 0; }", "p = (int **)16; p = &y; *p = *p"])
def test_unknown_pointers_that_are_only_compared_or_stored_harm_nothing(tmp_path: Path, more: str) -> None:
    file = tmp_path / "poison.c"
    file.write_text(FROM_INTEGER.replace("MORE", more))
    program = build(Input((str(file),)), phase=lambda message: None)
    found = run_engine(load_engine("explore"), program, Goal(), Limits(), NullProgress())
    assert {one.verdict.value for one in found.outcomes if one.check.span.line == 11} == {"proved"}


@pytest.mark.parametrize("engine", ["explore", "recency", "tvl", "fesa", "boolheap", "lazy"])
def test_an_access_through_an_integer_is_neither_violated_nor_proved(tmp_path: Path, engine: str) -> None:
    """Where the pointer leads may be freed or too small; that it is not null is known."""
    file = tmp_path / "register.c"
    file.write_text("int main(void) { *(volatile unsigned *)0x40021000u = 1; return 0; }")
    program = build(Input((str(file),)), phase=lambda message: None)
    found = run_engine(load_engine(engine), program, Goal(), Limits(), NullProgress())
    others = {one.verdict.value for one in found.outcomes if one.check.kind.value != "null-deref"}
    assert others == {"unknown"}
