"""Each law of the conformance suite can fail: an engine with the fault that it is about does not pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support import faulty_engines as faulty

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import build
from heapwright.engines import ENGINES, load_engine
from heapwright.engines.api import Engine, NullProgress
from heapwright.engines.explore.engine import Explore
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.proof.verify import verify
from heapwright.result.outcomes import Result, Verdict
from heapwright.testing import conformance
from heapwright.testing.answers import LIMITS
from heapwright.testing.conformance import FOLDER, PROGRAMS, Conformance, name_of
from heapwright.testing.expectations import read

BAD, JUNK, SAFE = (FOLDER / f"{name}.c" for name in ("lists/last_bad_null", "memory/junk_bad", "lists/build_free_ok"))
UNSELECTED = FOLDER / "unselected" / "dereference_unknown.c"


def suite(made: str | Callable[..., Engine]) -> Conformance:
    class Suite(Conformance):
        engine = made
        programs = (SAFE,)

    return Suite()


LAWS: dict[str, list[tuple[Callable[..., Engine], Path, str]]] = {
    "test_verdicts_agree_with_the_marks": [
        (faulty.Boast, BAD, "marked as violated, and proved"),
        (faulty.ShortSighted, BAD, "marked as violated, and proved"),
        (faulty.Slander, BAD, "violated, and not marked"),
    ],
    "test_no_run_violates_what_is_proved": [
        (faulty.Boast, BAD, "a run of the interpreter violates it"),
        (faulty.ShortSighted, BAD, "a run of the interpreter violates it"),
    ],
    "test_violations_are_replayed": [
        (faulty.Slander, BAD, "the run violates .*:null-deref instead of"),
        (faulty.NoRun, BAD, "violated without a run"),
        (faulty.ApproximateRun, BAD, "the run is approximate"),
        (faulty.InventedRun, BAD, "the run cannot be replayed|the run violates nothing"),
    ],
    "test_silence_is_unknown": [(faulty.Mumble, SAFE, "unknown without a reason")],
    "test_unselected_checks_may_fail": [(faulty.Boast, UNSELECTED, "decided behind an unselected check")],
    "test_states_contain_the_heaps_of_runs": [(faulty.Forgetful, SAFE, "a heap of a run is not in the states")],
    "test_limits_are_kept": [
        (faulty.Endless, SAFE, "more than .* calls"),
        (faulty.Hasty, SAFE, "cut short, and complete"),
        (faulty.Boast, BAD, "marked as violated, and proved"),
    ],
    "test_results_are_pickled": [(faulty.Unpicklable, SAFE, "cannot be pickled")],
    "test_invariants_are_drawn": [(faulty.Scribble, SAFE, "no location")],
    "test_certificates_are_verified": [(faulty.Forgery, SAFE, "the certificate is rejected")],
}
CASES = [(law, *case) for law, cases in LAWS.items() for case in cases]


@pytest.mark.parametrize(
    ("law", "engine", "path", "message"), CASES, ids=[f"{case[0]}-{case[1].__name__}" for case in CASES]
)
def test_a_fault_breaks_the_law(law: str, engine: Callable[..., Engine], path: Path, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        getattr(suite(engine), law)(path)
    getattr(suite("explore"), law)(path)


def test_answers_in_the_order_of_a_set() -> None:
    with pytest.raises(AssertionError, match=r"lists/build_free_ok: .*reason"):
        suite(faulty.Unordered).test_answers_do_not_depend_on_the_hash_seed()


@pytest.mark.parametrize(
    ("engine", "error"), [(faulty.WrongDefault, AssertionError), (faulty.UnknownOption, TypeError)]
)
def test_options_that_do_not_work(engine: Callable[..., Engine], error: type[Exception]) -> None:
    with pytest.raises(error, match="depth"):
        suite(engine).test_options_have_defaults()


def test_a_certificate_that_nothing_speaks_against(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "evasive", "support.faulty_engines:Evasive")
    with pytest.raises(AssertionError, match="a certificate is accepted with no state at the entry"):
        suite("evasive").test_certificates_are_verified(SAFE)


@pytest.mark.parametrize("engine", ["tvl", "fesa", "boolheap"])
def test_a_false_claim_about_a_leak_is_rejected(engine: str) -> None:
    """The variable that loses the block is not read again: heaps in which it holds one must be tried."""
    path = FOLDER / "memory" / "overwritten_bad_leak.c"
    program, goal = build(read(path).input(path), lambda phase: None), Goal(certificate=True)
    (section,) = run_engine(load_engine(engine), program, goal, LIMITS, NullProgress()).sections
    (leak,) = (check.id for check in program.checks if check.kind is CheckKind.LEAK and check.span.line == 11)
    (found,) = verify(program, goal, (replace(section, claims=(*section.claims, leak)),), objects=2)
    assert found.refutation is not None


def test_a_judgement_that_makes_verdicts_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Silence is judged, not the engine: without the judgement the law fails for every engine."""

    def gullible(result: Result, program: Program, goal: Goal, doubts: object = None) -> Result:
        return faulty.Boast().analyze(program, goal, LIMITS, NullProgress())

    monkeypatch.setattr(conformance, "checked", gullible)
    with pytest.raises(AssertionError, match="a verdict that the engine did not give"):
        suite(Explore).test_silence_is_unknown(JUNK)


def test_laws_and_faults() -> None:
    """No law without a fault that breaks it."""
    laws = {name for name in vars(Conformance) if name.startswith("test_")}
    elsewhere = {"test_answers_do_not_depend_on_the_hash_seed", "test_options_have_defaults"}
    assert laws == LAWS.keys() | elsewhere


# --- the programs ----------------------------------------------------------------------------------------------------


def test_the_programs_cover_much() -> None:
    marks = {kind for path in PROGRAMS for _, kind in read(path).bad}
    # Checks of resources are there only where they are asked for; tests/programs/library has programs with them.
    assert marks == {kind.value for kind in CheckKind} - {"shape", "resource-leak"}
    assert 25 <= len(PROGRAMS) <= 60
    assert {path.parent.name for path in PROGRAMS} == {
        *("arrays", "commands", "control", "dll", "functions", "lists", "memory", "strings", "trees", "unions"),
        "unselected",
    }


@pytest.mark.parametrize("path", PROGRAMS, ids=name_of)
def test_explore_finds_the_marks(path: Path) -> None:
    """Every mark is a violation that runs show, and there are no others."""
    analysis = suite("explore")._analysis(path)
    violated = {
        (one.check.span.line, one.check.kind.value)
        for one in analysis.result.outcomes
        if one.verdict is Verdict.VIOLATED
    }
    assert violated == analysis.expected.bad
    assert analysis.result.verdict.value == analysis.expected.explore


def test_names_of_programs() -> None:
    assert name_of(SAFE) == "lists/build_free_ok"
    assert name_of(Path("elsewhere/list.c")) == "list"
