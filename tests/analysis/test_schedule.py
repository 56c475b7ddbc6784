"""Several engines on one program: who is asked about what, who is stopped when, and what happens when one fails."""

from __future__ import annotations

import json
import pickle
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from cli.fake_engines import ENGINES, Base, run_that_breaks
from cli.hand_made import small_program

import heapwright.engines
from heapwright.analysis.schedule import SCHEDULES, Stage, run_schedule, stages_of
from heapwright.base.errors import Contradiction, UsageError
from heapwright.cli import main
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, NullProgress, Progress
from heapwright.program.checks import Check, Goal
from heapwright.program.graph import Program
from heapwright.result.outcomes import Outcome, ProgramVerdict, Result, Verdict

PROGRAM = small_program("a.c")
FIRST, *REST = PROGRAM.checks


class ProvesTheFirst(Base):
    name = "narrow"

    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        return [Outcome(check, Verdict.PROVED, self.name) for check in checks if check.id == FIRST.id]


class TellsWhatItIsAsked(Base):
    name = "curious"

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        asked = ", ".join(check.id for check in program.checks if goal.selects(check))
        settled = ", ".join(sorted(goal.proved | goal.violated))
        return Result(self.name, (), dropped="", limit=f"asked about {asked}, given {settled}")


class BreaksSlowly(Base):
    name = "slow"

    def outcomes(self, checks: list[Check], limits: Limits, progress: Progress) -> list[Outcome]:
        time.sleep(0.3)
        return [Outcome(check, Verdict.VIOLATED, self.name, run_that_breaks(check)) for check in checks]


@pytest.fixture(autouse=True)
def _engines(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {kind.name: f"{__name__}:{kind.__name__}" for kind in (ProvesTheFirst, TellsWhatItIsAsked, BreaksSlowly)}
    monkeypatch.setattr(heapwright.engines, "ENGINES", {**ENGINES, **own})


def conducted(stages: Sequence[Stage], seconds: float | None = 60, processes: int = 2) -> Result:
    limits = Limits(deadline=None if seconds is None else time.monotonic() + seconds)
    return run_schedule(PROGRAM, Goal(), stages, limits, NullProgress(), processes=processes)


def test_schedules_name_engines_that_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for schedule in SCHEDULES.values():
        for stage in schedule:
            engine = load_engine(stage.engine, dict(stage.options))
            assert engine.name == stage.engine
            assert set(dict(stage.options)) <= {option.name for option in engine.options}


def test_an_unknown_engine() -> None:
    with pytest.raises(UsageError, match="unknown engine 'magic'"):
        stages_of("magic")


@pytest.mark.parametrize("processes", [1, 2])
def test_what_one_has_proved_the_next_is_not_asked(processes: int) -> None:
    result = conducted([Stage("narrow", first=True), Stage("curious"), Stage("shrugs")], processes=processes)
    assert result.outcomes[0].verdict is Verdict.PROVED
    assert result.outcomes[0].engine == "narrow"
    asked = ", ".join(check.id for check in REST)
    assert f"asked about {asked}, given {FIRST.id}" in result.limit
    assert result.verdict is ProgramVerdict.UNKNOWN


def test_engines_stop_when_nothing_is_open() -> None:
    begin = time.monotonic()
    result = conducted([Stage("shrugs", first=True), Stage("sleeps"), Stage("proves")])
    assert result.verdict is ProgramVerdict.SAFE
    assert result.engine == "fake"
    assert time.monotonic() - begin < 50, "it was stopped in its sleep of a minute"


@pytest.mark.parametrize("engine", ["segfaults", "raises", "stops"])
def test_a_failing_engine_costs_its_own_verdicts_only(engine: str) -> None:
    assert conducted([Stage("shrugs", first=True), Stage(engine), Stage("proves")]).verdict is ProgramVerdict.SAFE
    alone = conducted([Stage("forgets", first=True), Stage(engine)])
    assert alone.verdict is ProgramVerdict.UNKNOWN
    assert engine in alone.limit


def test_an_engine_that_ignores_its_time_is_stopped() -> None:
    result = conducted([Stage("shrugs", first=True), Stage("spins", seconds=0.5), Stage("shrugs")])
    assert "spins ran out of time" in result.limit


def test_what_was_found_counts_though_its_finder_fails() -> None:
    result = conducted([Stage("shrugs", first=True), Stage("findsandraises")])
    assert result.outcomes[0].verdict is Verdict.VIOLATED
    assert result.verdict is ProgramVerdict.UNSAFE


def test_without_a_limit_everybody_has_a_turn() -> None:
    assert conducted([Stage("shrugs", first=True), Stage("proves")], seconds=None).verdict is ProgramVerdict.SAFE


def test_a_guess_is_no_violation() -> None:
    result = conducted([Stage("shrugs", first=True), Stage("guesses")])
    assert {outcome.verdict for outcome in result.outcomes} == {Verdict.UNKNOWN}


def test_engines_that_contradict_each_other() -> None:
    with pytest.raises(Contradiction) as caught:
        conducted([Stage("shrugs", first=True), Stage("narrow"), Stage("slow")])
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.check, again.proved_by, again.violated_by) == (FIRST.id, "narrow", "slow")
    assert str(again) == str(caught.value)


def test_a_contradiction_is_no_answer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("heapwright.analysis.supervisor.build", lambda source, phase: PROGRAM)
    stages = (Stage("shrugs", first=True), Stage("narrow"), Stage("slow"))
    monkeypatch.setattr("heapwright.analysis.supervisor.stages_of", lambda name: stages)
    Path("a.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    assert main(("check", "a.c")) == 4
    said = capsys.readouterr()
    assert "proved by narrow" in said.err
    assert "violated by a run of slow" in said.err
    assert said.out == ""
    assert [path.name for path in tmp_path.iterdir()] == ["a.c"]  # nothing is written unasked
    assert main(("check", "a.c", "--keep-evidence", "kept.json")) == 4
    assert "wrote a reproducer to kept.json" in capsys.readouterr().err
    kept = json.loads(Path("kept.json").read_text(encoding="utf-8"))
    assert (kept["check"], kept["choices"], kept["sources"]) == (FIRST.id, [1], dict(PROGRAM.sources))
