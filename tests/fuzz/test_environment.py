"""Programs whose environment heapwright does not see: the interpreter agrees with gcc on both files, and what fails in
that run is proved by no engine that has only one of them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from heapwright.c.lower.calls.external_calls import ExternalCalls
from heapwright.cli import main
from heapwright.fuzz.compiled_batch import run_batch
from heapwright.fuzz.generators.hidden_programs import TWO_FILE_KINDS
from heapwright.fuzz.generators.two_files import HIDDEN, VISIBLE, TwoFiles
from heapwright.fuzz.linked_campaign import LinkedCampaign, LinkedPlan, LinkedTally
from heapwright.fuzz.linked_trial import DIFFERS, LinkedTrial
from heapwright.fuzz.trial import WRONG_PROOF, Bounds, EngineConfig

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
FINDS = sorted(path.parent for path in (Path(__file__).parent / "finds" / "linked").glob(f"*/{VISIBLE}"))
ENGINES = tuple(EngineConfig(name) for name in ("explore", "tvl", "fesa", "lazy", "boolheap"))
BOUNDS = Bounds(engine_seconds=600, engine_states=400)

KEPT = TwoFiles(
    """\
#include <assert.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
extern void keep(struct node *p);
extern void tick(void);
static int step;
int main(void)
{
    struct node n = { 1, NULL };
    keep(&n);
    step = 1;
    n.data = 2;
    tick();
    step = 2;
    assert(n.data == 2);
    return n.data;
}
""",
    """\
struct node { int data; struct node *next; };
static struct node *kept;
void keep(struct node *p)
{
    kept = p;
}
void tick(void)
{
    kept->data = 3;
}
""",
)


def campaign(kinds: tuple[str, ...], count: int, *engines: str, seed: int = 0) -> LinkedTally:
    settings = tuple(EngineConfig(name) for name in engines)
    return LinkedCampaign(LinkedPlan(kinds, count, seed, settings=settings, bounds=BOUNDS)).run()


# --- programs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(TWO_FILE_KINDS))
def test_programs_can_be_read(kind: str) -> None:
    write, size = TWO_FILE_KINDS[kind]
    for seed in range(3):
        files = write(seed, size)
        assert files == write(seed, size)
        trial = LinkedTrial(files)
        assert trial.visible.checks
        assert not trial.execution.run.choices or trial.execution.failed == frozenset()


def test_a_pointer_is_kept_and_written_through_later() -> None:
    trial = LinkedTrial(KEPT)
    (failed,) = trial.execution.failed
    assert failed.endswith(":assert")
    assert [heap.data["step"] for _, heap in trial.heaps(trial.visible)] == [0, 1]
    for setting in ENGINES:
        assert trial.hold(setting, BOUNDS)[2] == []


@needs_gcc
def test_gcc_shows_the_same_failure_at_the_same_line() -> None:
    harmless = TwoFiles(KEPT.visible, KEPT.hidden.replace("= 3", "= 2"))
    trial = LinkedTrial(KEPT)
    first, second = run_batch([KEPT, harmless])
    assert trial.compare(first) is None
    assert LinkedTrial(harmless).compare(second) is None
    find = trial.compare(second)
    assert find is not None
    assert find.kind == DIFFERS


@needs_gcc
def test_a_checksum_that_differs_is_found() -> None:
    harmless = TwoFiles(KEPT.visible, KEPT.hidden.replace("= 3", "= 2"))
    trial = LinkedTrial(harmless)
    find = trial.compare("checksum 3\n")
    assert find is not None
    assert "checksum 2 was expected" in find.detail


# --- samples ---------------------------------------------------------------------------------------------------------


@needs_gcc
def test_the_interpreter_agrees_with_gcc_on_a_few() -> None:
    tally = campaign(tuple(TWO_FILE_KINDS), 15)
    assert tally.finds == []
    assert tally.compared >= 12
    assert tally.failed >= 2


@needs_gcc
@pytest.mark.slow
def test_the_interpreter_agrees_with_gcc_on_many() -> None:
    tally = campaign(tuple(TWO_FILE_KINDS), 300, seed=2)
    assert tally.finds == []
    assert tally.compared >= 240
    assert tally.failed >= 40


@needs_gcc
@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [pytest.param(one, marks=[pytest.mark.long] * (one == "predicates")) for one in sorted(TWO_FILE_KINDS)]
)
def test_no_engine_proves_what_fails(kind: str) -> None:
    tally = campaign((kind,), 12, *(one.name for one in ENGINES), seed=3)
    assert tally.finds == []
    assert sum(tally.proved.values()) > 30


# --- the fuzzer bites ------------------------------------------------------------------------------------------------


def test_without_havoc_a_wrong_proof_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ExternalCalls, "effects", lambda *_: None)
    _, _, finds = LinkedTrial(KEPT).hold(EngineConfig("explore"), BOUNDS)
    assert [find.kind for find in finds] == [WRONG_PROOF]


@needs_gcc
@pytest.mark.slow
def test_without_havoc_a_campaign_finds_wrong_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ExternalCalls, "effects", lambda *_: None)
    found = campaign(("externals",), 40, "explore", seed=5).finds
    assert {find.kind for _, find in found} == {WRONG_PROOF}


# --- what was found --------------------------------------------------------------------------------------------------


@needs_gcc
@pytest.mark.parametrize("folder", FINDS, ids=lambda folder: folder.name)
def test_once_is_enough(folder: Path) -> None:
    """How it failed stands at the head of the visible file."""
    visible = (folder / VISIBLE).read_text(encoding="utf-8")
    said = dict(re.findall(r"^// (function|inputs): (\w+)$", visible, re.MULTILINE))
    hidden = (folder / HIDDEN).read_text(encoding="utf-8")
    files = TwoFiles(visible, hidden, said["function"], "any" if said["inputs"] == "any" else "separate")
    trial = LinkedTrial(files)
    if trial.comparable:
        assert trial.compare(run_batch([files])[0]) is None
    for setting in ENGINES:
        assert trial.hold(setting, BOUNDS)[2] == []


# --- the command -----------------------------------------------------------------------------------------------------


@needs_gcc
def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["fuzz", "--environment", "--count", "3", "--engine", "none", "--json", "counts.json"]) == 0
    assert "0 finds" in capsys.readouterr().out


@needs_gcc
@pytest.mark.slow
def test_the_command_limits_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same on every machine, since no clock decides."""
    monkeypatch.chdir(tmp_path)
    options = ["--engine", "explore", "--kinds", "predicates", "--count", "4", "--seed", "5", "--each", "600"]
    ended = []
    for limit in ("1", "2000"):
        assert main(["fuzz", "--environment", *options, "--states", limit, "--json", "counts.json"]) == 0
        ended.append(json.loads(Path("counts.json").read_text())["engines"]["explore"]["ended"])
    assert ended[0] < ended[1]
    assert main(["fuzz", "--states", "0"]) == 2
