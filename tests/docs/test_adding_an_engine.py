"""The engine in docs/adding-an-engine.md works as it stands there, and all that adding it takes is said there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.documented_engine import CODE, REGISTRATION, engine_class

import heapwright
from heapwright.program.checks import CheckKind
from heapwright.result.outcomes import Verdict
from heapwright.settings.properties import goal_of
from heapwright.testing.conformance import FOLDER, Conformance

ROOT = Path(__file__).parents[2]
BEHIND_A_DEREFERENCE = FOLDER / "unselected" / "dereference_unknown.c"
LAST_LINE = '    "tvl": '


class TestDocumentedEngine(Conformance):
    engine = engine_class


def test_it_proves_more_than_that_no_path_leads_to_a_check() -> None:
    suite = TestDocumentedEngine()
    verdicts = {one.check.id: one for one in suite._analysis(FOLDER / "lists" / "reverse_ok.c").result.outcomes}
    proved = [one.check for one in verdicts.values() if one.verdict is Verdict.PROVED]
    assert {check.kind for check in proved} == {CheckKind.NULL_DEREF}
    assert len(proved) == sum(one.check.kind is CheckKind.NULL_DEREF for one in verdicts.values())


def test_an_unselected_dereference() -> None:
    """The engine itself proves the assertion, and that the dereference may fail; it says nothing of what follows."""
    analysis = TestDocumentedEngine()._analysis(BEHIND_A_DEREFERENCE)
    assert analysis.goal == goal_of(["unreach-call"])
    given = {one.check.kind: one.verdict for one in analysis.raw.outcomes}
    assert given[CheckKind.ASSERT] is Verdict.PROVED
    assert given[CheckKind.NULL_DEREF] is Verdict.UNKNOWN
    (judged,) = analysis.result.outcomes
    assert judged.verdict is Verdict.UNKNOWN
    assert "is not selected and may fail" in judged.reason
    assert "settled" not in CODE
    assert "selects" not in CODE


# --- a package with one module and one line more ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def with_engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package to which the engine was added."""
    folder = tmp_path_factory.mktemp("source")
    package = folder / "heapwright"
    shutil.copytree(Path(heapwright.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "engines" / "nullness.py").write_text(f'"""Nullness of pointer variables."""\n\n{CODE}', "utf-8")
    registry = package / "engines" / "__init__.py"
    before, line, after = registry.read_text("utf-8").partition(LAST_LINE)
    assert line
    registry.write_text(before + REGISTRATION + line + after, "utf-8")
    return folder


def run_in(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_one_file_and_one_line_make_it_an_engine(with_engine: Path) -> None:
    check = (sys.executable, "-m", "heapwright", "check", str(BEHIND_A_DEREFERENCE), "--engine", "nullness")
    report = json.loads(run_in(with_engine, *check, "--property", "unreach-call", "--json", "-").stdout)
    assert report["engine"] == "nullness"
    assert [one["verdict"] for one in report["checks"]] == ["unknown"]


@pytest.mark.slow
def test_the_code_is_formatted_typed_and_keeps_the_contracts(with_engine: Path) -> None:
    module = "heapwright/engines/nullness.py"
    shutil.copy(ROOT / "pyproject.toml", with_engine)
    commands = [("ruff", "format", "--check", module), ("ruff", "check", module), ("mypy", "--strict", module)]
    for command in (*commands, ("lint-imports",)):
        done = run_in(with_engine, str(Path(sys.executable).parent / command[0]), *command[1:])
        assert done.returncode == 0, done.stdout + done.stderr
