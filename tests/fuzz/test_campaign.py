"""The fuzzer itself: it finds what engines do wrong, makes it small, keeps it; and it finds nothing that is not so."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.faulty_engines import Boast

import heapwright.engines
from heapwright.base.errors import UsageError
from heapwright.cli import main
from heapwright.engines.api import Limits, Progress
from heapwright.fuzz.campaign import Campaign, Plan
from heapwright.fuzz.determinism import arguments_of, same_answer
from heapwright.fuzz.generators.recipes import KINDS, Recipe
from heapwright.fuzz.generators.structure_programs import SHAPES, generate_shapes
from heapwright.fuzz.shrink import shrunk
from heapwright.fuzz.trial import CRASH, LOST_HEAP, WRONG_PROOF, Bounds, EngineConfig, lowered, tried
from heapwright.program.checks import Goal
from heapwright.program.graph import Program
from heapwright.program.runs.snapshot import Snapshot
from heapwright.result.outcomes import Result

QUICK = Bounds(
    engine_seconds=600,
    engine_states=5_000,
    search_seconds=600,
    search_states=2_000,
    runs=15,
    audited_runs=3,
    audited_steps=80,
)


class Boasts(Boast):
    """Proves everything, and describes nothing."""

    name = "boasts"

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        return replace(super().analyze(program, goal, limits, progress), states=Nowhere() if goal.audit else None)


class Nowhere:
    def contains(self, location: int, heap: Snapshot) -> bool | None:
        return False


class Fails(Boasts):
    name = "fails"

    def analyze(self, program: Program, goal: Goal, limits: Limits, progress: Progress) -> Result:
        raise ZeroDivisionError("nothing there")


@pytest.fixture
def bad_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (Boasts, Fails):
        monkeypatch.setitem(heapwright.engines.ENGINES, kind.name, f"{__name__}:{kind.__name__}")


# --- programs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_programs_can_be_read(kind: str) -> None:
    for seed in range(5):
        text = Recipe(kind, seed).text()
        assert lowered(text, KINDS[kind].function).checks
        assert text == Recipe(kind, seed).text()


def test_all_shapes_come_up() -> None:
    texts = [generate_shapes(seed) for seed in range(60)]
    fields = {shape.fields for shape in SHAPES.values()}
    assert {
        next(one for one in sorted(fields, key=len, reverse=True) if all(f in text for f in one)) for text in texts
    } == fields


# --- what is found ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("bad_engines")
def test_a_wrong_proof_and_a_lost_heap_are_found() -> None:
    trial = tried(Recipe("plain", 3).text(), [EngineConfig("boasts")], QUICK)
    assert trial.violated
    assert {find.kind for find in trial.finds} == {WRONG_PROOF, LOST_HEAP}


@pytest.mark.slow
@pytest.mark.usefixtures("bad_engines")
def test_finds_are_made_small_and_kept(tmp_path: Path) -> None:
    plan = Plan(
        (EngineConfig("boasts"),), ("plain",), count=2, bounds=QUICK, jobs=2, folder=tmp_path, repeated=0, shrinking=150
    )
    tally = Campaign(plan).run()
    assert tally.programs == 2
    (file, *_) = sorted(tmp_path.glob("*wrong_proof.c"))
    text = file.read_text(encoding="utf-8")
    assert text.startswith("// boasts: wrong proof: random.c:")
    assert len(text) < 700  # the program had several thousand letters


@pytest.mark.slow
@pytest.mark.usefixtures("bad_engines")
def test_mutants_of_a_program(tmp_path: Path) -> None:
    texts = (generate_shapes(3),)
    plan = Plan(
        (EngineConfig("boasts"),), count=3, bounds=QUICK, texts=texts, folder=tmp_path, repeated=0, shrinking=10
    )
    assert {find.kind for _, find in Campaign(plan).run().finds} >= {LOST_HEAP}
    assert list(tmp_path.glob("mutant_*_lost_heap.c"))


@pytest.mark.usefixtures("bad_engines")
def test_a_crash_is_found() -> None:
    tally = Campaign(Plan((EngineConfig("fails"),), ("plain",), count=1, bounds=QUICK, repeated=0)).run()
    ((_, find),) = tally.finds
    assert (find.kind, find.setting) == (CRASH, "fails")
    assert "nothing there" in find.detail


@pytest.mark.slow
def test_the_same_plan_tries_the_same_programs() -> None:
    def texts(jobs: int) -> list[str]:
        campaign = Campaign(
            Plan((EngineConfig("explore"),), ("plain", "parts"), count=20, bounds=QUICK, jobs=jobs, repeated=0)
        )
        campaign.run()
        return [candidate.text for candidate in campaign.corpus]

    first = texts(1)
    assert first == texts(2)
    assert len(first) > 5


def test_shrinking_keeps_what_fails() -> None:
    text = Recipe("shapes", 3).text()
    assert "free(q);" in text
    small = shrunk(text, lambda candidate: "free(q);" in candidate)
    assert small.strip() == "free(q);"


@pytest.mark.slow
def test_answers_do_not_depend_on_hash_seeds() -> None:
    """The order of sets once numbered the variables of a diagram."""
    text = Recipe("keys", 2, 3).text()
    for engine in ("fesa", "tvl"):
        assert same_answer(text, "main", EngineConfig(engine), 60) == ""


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    options = ["--count", "3", "--engine", "explore,tvl:embedding=loose", "--kinds", "plain", "--each", "100"]
    assert main(["fuzz", *options, "--json", "counts.json"]) == 0
    assert "0 finds" in capsys.readouterr().out
    counts = json.loads((tmp_path / "counts.json").read_text(encoding="utf-8"))
    assert counts["programs"] == 3
    assert counts["engines"]["tvl embedding=loose"]["ended"] > 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--engine", "magic"], "unknown engine 'magic'"),
        (["--engine", "tvl:loose"], "'tvl:loose' is not an engine with options"),
        (["--engine", "tvl:numeric=bdd"], "the engine 'tvl' has no option 'numeric'"),
        (["--engine", "fesa:instrumentation=maybe"], "'instrumentation' must be true or false"),
        (["--engine", "boolheap:refinements=few"], "'refinements' must be a non-negative integer"),
        (["--kinds", "ropes"], "unknown kind of programs 'ropes'"),
        (["--count", "0"], "must be at least 1"),
        (["gone.c"], "cannot read 'gone.c'"),
    ],
)
def test_bad_usage(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_options_of_engines_have_their_types(monkeypatch: pytest.MonkeyPatch) -> None:
    plans: list[Plan] = []

    def remember(plan: Plan, told: object) -> Campaign:
        plans.append(plan)
        raise UsageError("enough")

    monkeypatch.setattr("heapwright.cli.commands.fuzz.Campaign", remember)
    assert main(["fuzz", "--engine", "fesa:instrumentation=off:numeric=pairs,boolheap:refinements=1"]) == 2
    (plan,) = plans
    assert [setting.options for setting in plan.settings] == [
        (("instrumentation", False), ("numeric", "pairs")),
        (("refinements", 1),),
    ]
    assert [setting.name for setting in plan.settings] == [
        "fesa instrumentation=off numeric=pairs",
        "boolheap refinements=1",
    ]


def test_options_of_engines_on_the_command_line() -> None:
    assert arguments_of("instrumentation", False) == ["--no-instrumentation"]
    assert arguments_of("instrumentation", True) == ["--instrumentation"]
    assert arguments_of("refinements", 1) == ["--refinements", "1"]
    assert arguments_of("predicate", ("v = x", "v = y")) == ["--predicate", "v = x", "--predicate", "v = y"]


# --- a portion of the real thing -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engines", "kinds", "count"),
    [
        ("explore,fesa,tvl", "plain,parts,any", 16),
        ("tvl,tvl:embedding=loose,fesa", "shapes,keys", 2),
        ("tvl", "inputs", 4),
        ("lazy", "plain,parts,shapes", 4),
        ("boolheap", "plain", 2),
        pytest.param("explore,fesa,tvl", "plain,parts,any", 100, marks=pytest.mark.long),
        pytest.param("tvl,tvl:embedding=loose,fesa", "shapes,keys", 30, marks=pytest.mark.long),
        pytest.param("lazy", "plain,parts,shapes", 30, marks=pytest.mark.long),
    ],
)
def test_nothing_is_found(engines: str, kinds: str, count: int, tmp_path: Path) -> None:
    found = tmp_path / "found"
    options = ["--engine", engines, "--kinds", kinds, "--count", str(count), "--each", "30"]
    assert main(["fuzz", *options, "-o", str(found)]) == 0, [file.read_text("utf-8") for file in found.glob("*.c")]
