"""A failure that is suppressed or not selected hides no other one behind it: the program is never safe.

Each program of the suite that fails fails once more at its end, by a null dereference in every run that gets there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from heapwright.analysis.pipeline import build
from heapwright.analysis.schedule import Stage, run_schedule, stages_of
from heapwright.engines import ENGINES
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.report.model import make_report
from heapwright.result.outcomes import Outcome, ProgramVerdict, Verdict
from heapwright.testing.conformance import PROGRAMS, name_of
from heapwright.testing.expectations import read

LIMITS = Limits(states=2_000, steps=2_000, objects=6)
RETURN = re.compile(r"^ +return [^;]*;(?![^\n]*BAD)(?=[^\n]*\n}\n\Z)", re.MULTILINE)
SECOND = "    { int *at_the_end = 0; *at_the_end = 1; }\n"
QUICK = {"memory/overwritten_bad_leak", "memory/null_bad", "lists/remove_bad_leak", "dll/remove_bad_use"}


def failing_twice(path: Path) -> str:
    """The program with a second failure at its end, "" if it does not end by a plain return."""
    text = path.read_text(encoding="utf-8")
    return RETURN.sub(lambda match: SECOND + match.group(), text) if RETURN.search(text) else ""


CASES = [
    pytest.param(path, id=name_of(path), marks=[] if name_of(path) in QUICK else pytest.mark.slow)
    for path in PROGRAMS
    if read(path).bad and read(path).function is None and failing_twice(path)
]


def test_there_are_programs() -> None:
    assert len(CASES) >= 15
    assert {case.id for case in CASES} >= QUICK


def written(text: str, original: Path, folder: Path) -> Program:
    file = folder / original.name
    file.write_text(text, encoding="utf-8")
    return build(read(original).input(file), phase=lambda message: None)


def second_failure(outcomes: Sequence[Outcome]) -> Outcome:
    (found,) = [one for one in outcomes if one.check.subject == "at_the_end" and one.check.kind is CheckKind.NULL_DEREF]
    return found


@pytest.mark.parametrize("path", CASES)
@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_a_suppressed_failure_hides_nothing(engine: str, path: Path, tmp_path: Path) -> None:
    text = re.sub(r"// BAD: (.*)", r"// heapwright: ignore[\1] on purpose", failing_twice(path))
    program = written(text, path, tmp_path)
    result = run_schedule(program, Goal(), (Stage(engine),), LIMITS, NullProgress())
    report = make_report(program.files, "main", Goal(), result, program.sources)
    assert report.verdict is not ProgramVerdict.SAFE, [(one.check.id, one.verdict) for one in report.outcomes]
    if all(kind == "leak" for _, kind in read(path).bad):
        second = second_failure(report.outcomes)
        assert second.verdict in (Verdict.VIOLATED, Verdict.UNKNOWN), "runs go on behind a leak"


@pytest.mark.parametrize("path", CASES)
@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_an_unselected_failure_hides_nothing(engine: str, path: Path, tmp_path: Path) -> None:
    failing = {CheckKind(kind) for _, kind in read(path).bad} - {CheckKind.NULL_DEREF}
    if not failing:
        pytest.skip("both failures are of one kind")
    goal = Goal(kinds=frozenset(CheckKind) - failing)
    program = written(failing_twice(path), path, tmp_path)
    result = run_schedule(program, goal, (Stage(engine),), LIMITS, NullProgress())
    assert result.verdict is not ProgramVerdict.SAFE, [(one.check.id, one.verdict) for one in result.outcomes]


@pytest.mark.parametrize("path", [case for case in CASES if not case.marks])
def test_together_they_find_or_mask_both(path: Path, tmp_path: Path) -> None:
    program = written(failing_twice(path), path, tmp_path)
    result = run_schedule(program, Goal(), stages_of("auto"), LIMITS, NullProgress(), processes=1)
    places = {(one.check.span.line, one.check.kind.value) for one in result.outcomes if one.verdict is Verdict.VIOLATED}
    assert places >= read(path).bad
    second = second_failure(result.outcomes)
    assert second.verdict in (Verdict.VIOLATED, Verdict.MASKED)
