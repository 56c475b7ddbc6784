"""Every violation that `explore` finds in the programs under tests/programs fails likewise as a compiled C test."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml
from support.bounds import bounded
from support.collection import name_of, programs

from heapwright.analysis.judgement import run_engine
from heapwright.c.lower import lower
from heapwright.c.options import ParseOptions
from heapwright.c.parse import parse
from heapwright.engines import load_engine
from heapwright.engines.api import NullProgress
from heapwright.program.checks import Goal
from heapwright.program.graph import Program
from heapwright.result.outcomes import Outcome, Verdict
from heapwright.testing.expectations import read
from heapwright.witness.c_test import confirm, write_c_test
from heapwright.witness.svcomp import violation_witness

UNSAFE = [path for path in programs() if read(path).verdict == "unsafe"]
FIRST_OF_FOLDER = {path.parent: path for path in reversed(UNSAFE)}.values()

SLOW = ("by_address_bad_leak.c",)


def found(path: Path) -> tuple[Program, list[Outcome]]:
    expected = read(path)
    options = ParseOptions("ILP32" if expected.data_model == "ILP32" else "LP64")
    program = lower(
        [parse(str(path), options)], function=expected.function or "main", malloc_may_fail=expected.malloc_may_fail
    )
    goal = Goal(cleanup="valid-memcleanup" in expected.properties)
    result = run_engine(load_engine("explore"), program, goal, bounded("explore"), NullProgress())
    return program, [outcome for outcome in result.outcomes if outcome.verdict is Verdict.VIOLATED]


def marks_of(path: Path) -> list[pytest.MarkDecorator]:
    if path in FIRST_OF_FOLDER and path.name not in SLOW:
        return []
    return [pytest.mark.long if "structures" in path.parts else pytest.mark.slow]


@pytest.mark.exhaustive(9)
@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc to compile the tests with")
@pytest.mark.parametrize(
    "path",
    [pytest.param(p, id=name_of(p), marks=marks_of(p)) for p in UNSAFE],
)
def test_each_violation_fails_as_a_c_test(path: Path, tmp_path: Path) -> None:
    program, outcomes = found(path)
    shown_by_gcc = read(path).gcc
    for outcome in outcomes:
        assert outcome.run is not None
        assert outcome.run.violation is not None
        answer = confirm(write_c_test(program, outcome.run, tmp_path), outcome.run.violation)
        assert answer.reason != "the test does not compile", answer.output
        assert answer.confirmed or not shown_by_gcc, f"{outcome.check.id}: {answer.reason}\n{answer.output}"


def test_each_nondeterministic_result_stands_at_its_call() -> None:
    path = next(p for p in UNSAFE if name_of(p) == "calls/recursive_free_bad_uaf")
    program, outcomes = found(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    run = next(outcome.run for outcome in outcomes if outcome.run is not None)
    text = violation_witness(program, run, specification="G valid-free", data_model="LP64", version="1")
    *returned, target = (part["segment"][0]["waypoint"] for part in yaml.safe_load(text)[0]["content"])
    assert len(returned) == sum(choice.source.startswith("__VERIFIER_nondet") for choice in run.choices) > 0
    for point in returned:
        line, column = point["location"]["line"], point["location"]["column"]
        assert lines[line - 1][:column].endswith("__VERIFIER_nondet_bool()")
    assert target["type"] == "target"
