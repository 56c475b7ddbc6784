"""Random functions for `infer`: each failing small heap is described and excluded, and contracts suffice."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heapwright.cli import main
from heapwright.engines.infer.heaps import domain
from heapwright.fuzz.preconditions.functions import KINDS, random_function
from heapwright.fuzz.preconditions.trial import ALLOWED, LOST, Bounds, tried

MARKS = {kind: pytest.mark.long for kind in KINDS if kind != "list"}
FEW = Bounds(visits=60, objects=2)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_function_and_compiles(kind: str, tmp_path: Path) -> None:
    texts = [random_function(kind, seed) for seed in range(20)]
    assert texts == [random_function(kind, seed) for seed in range(20)]
    assert len(set(texts)) > 15
    (tmp_path / "a.c").write_text(texts[0])
    command = ["gcc", "-fsyntax-only", "-w", "-idirafter", str(_headers()), "a.c"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0


def _headers() -> Path:
    import heapwright.c

    return Path(heapwright.c.__file__).parent / "headers"


@pytest.mark.parametrize("kind", [pytest.param(one, marks=MARKS.get(one, pytest.mark.slow)) for one in KINDS])
def test_no_failing_heap_is_outside_the_answer(kind: str) -> None:
    trials = [tried(kind, random_function(kind, seed), FEW) for seed in range(1_000, 1_004)]
    assert not [find for trial in trials for find in trial.finds]
    assert sum(trial.heaps > 0 for trial in trials) >= 2


def _keeps_first(patch: pytest.MonkeyPatch) -> None:
    """One case of a focus is followed, the others are dropped."""
    focus = domain.Shapes.focus

    def only_one(self: domain.Shapes, *arguments: Any) -> Any:
        return focus(self, *arguments)[-1:]

    patch.setattr(domain.Shapes, "focus", only_one)


def _covers(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(domain, "covers", lambda bigger, smaller: True)


@pytest.mark.slow
@pytest.mark.parametrize("broken", [_keeps_first, _covers], ids=lambda one: one.__name__)
def test_a_broken_engine_is_found(
    broken: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(monkeypatch)
    text = """\
#include "heapwright.h"
struct node { int data; struct node *n; };
void f(struct node *x, struct node *y) {
    if (x != y) {
        if (x) x->n->data = 1;
        if (y) y->n->data = 1;
    }
}
"""
    found = tried("lists", text, Bounds(objects=2))
    assert {find.kind for find in found.finds} & {ALLOWED, LOST}


@pytest.mark.slow
def test_the_command_counts_and_is_repeatable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    options = ["--kinds", "list,trees", "--count", "4", "--seed", "3", "--states", "60", "--json", "counts.json"]
    found = []
    for jobs in ("1", "2"):
        assert main(["fuzz", "--infer", *options, "--jobs", jobs]) == 0
        found.append(json.loads(Path("counts.json").read_text())["kinds"])
        assert "0 finds" in capsys.readouterr().out
    assert found[0] == found[1]
    assert {kind: found[0][kind]["functions"] for kind in found[0]} == {"list": 2, "trees": 2}


def test_files_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "--infer", "a.c"]) == 2
    assert "'--infer' tests random functions only" in capsys.readouterr().err
