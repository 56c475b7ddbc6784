"""Audits: no engine loses a heap of a run, and one that did would be reported with the command that lost it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from support.collection import PROGRAMS

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.cli import main
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.boolheap.fixpoint import Analysis as BooleanAnalysis
from heapwright.engines.fesa.transfer.commands import Transfer
from heapwright.engines.lazy.art.shape_regions import Shapes, ShapeState
from heapwright.engines.tvl.transform.transformer import Transformer
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.commands import Free
from heapwright.program.graph import Program
from heapwright.program.runs.snapshot import Snapshot
from heapwright.proof.audit import audit

PROGRAM = PROGRAMS / "lists" / "build_free_ok.c"
GOAL = Goal(frozenset(CheckKind) - {CheckKind.LEAK}, audit=True)


@pytest.fixture(scope="module")
def program() -> Program:
    return build(Input((str(PROGRAM),)), lambda text: None)


@dataclass(frozen=True)
class Forgetful:
    """Knows every heap but those with a freed object at some locations."""

    lost: frozenset[int]

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        freed = any(item.status == "freed" for item in heap.objects.values())
        return not (location in self.lost and freed)


def test_the_command_that_lost_a_heap_is_told(program: Program) -> None:
    after_free = frozenset(edge.target for edge in program.graph.edges if isinstance(edge.command, Free))
    told = audit(program, GOAL, {"forgetful": Forgetful(after_free)}, runs=5, states_tried=500)
    (loss,) = told.missing
    assert loss.edge is not None
    assert isinstance(loss.edge.command, Free)
    assert loss.before is not None
    assert loss.before.location == loss.edge.source
    assert loss.after.location in after_free


@pytest.mark.parametrize("engine", ["boolheap", "fesa", "lazy", "tvl"])
def test_no_heap_is_lost(program: Program, engine: str) -> None:
    result = run_engine(load_engine(engine), program, GOAL, Limits(), NullProgress())
    assert result.states is not None
    told = audit(program, GOAL, {engine: result.states}, runs=50, states_tried=300)
    assert told.missing == ()
    assert told.found[engine] == told.heaps > 500


# --- transformers that are broken ------------------------------------------------------------------------------------


def _without_free(action: object, step: object) -> object:
    return replace(step, results=()) if "free" in str(getattr(action, "title", "")) else step  # type: ignore[type-var]


def _break_tvl(patch: pytest.MonkeyPatch) -> None:
    """No structure is left after `free`."""
    apply = Transformer.apply
    patch.setattr(Transformer, "apply", lambda self, one: _without_free(self.action, apply(self, one)))


def _break_lazy(patch: pytest.MonkeyPatch) -> None:
    """No region is left after `free`."""
    post = Shapes.post

    def broken(self: Shapes, state: ShapeState, number: int, *rest: Any) -> ShapeState | None:
        free = isinstance(self.semantics.program.graph.edges[number].command, Free)
        return None if free else post(self, state, number, *rest)

    patch.setattr(Shapes, "post", broken)


def _break_fesa(patch: pytest.MonkeyPatch) -> None:
    """What was freed is still there."""
    patch.setattr(Transfer, "_ended", lambda self, heap, node: heap)


def _break_boolheap(patch: pytest.MonkeyPatch) -> None:
    """Nothing comes after `free`."""
    steps = BooleanAnalysis.steps

    def broken(self: BooleanAnalysis, number: int) -> object:
        return () if self.program.graph.edges[number].command.text.startswith("free") else steps(self, number)

    patch.setattr(BooleanAnalysis, "steps", broken)


BROKEN = [
    ("tvl", (), _break_tvl),
    ("tvl", ("--embedding", "loose"), _break_tvl),
    ("fesa", (), _break_fesa),
    ("boolheap", (), _break_boolheap),
    ("lazy", ("--shapes", "always"), _break_lazy),
]


@pytest.mark.parametrize(("engine", "options", "plant"), BROKEN, ids=["tvl", "tvl-loose", "fesa", "boolheap", "lazy"])
def test_a_broken_transformer_is_found(
    engine: str,
    options: tuple[str, ...],
    plant: Callable[[pytest.MonkeyPatch], None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The heap, the state and the command are shown."""
    plant(monkeypatch)
    arguments = ["audit", str(PROGRAM), "--engine", engine, *options, "--runs", "20", "--small", "300"]
    assert main(arguments) == 1
    told = capsys.readouterr().out
    assert f"{engine}: unsound state at {PROGRAM}" in told
    assert "lost by the transformer of 'free" in told
    assert "freed" in told
    assert "the state there" in told


def test_blocks_that_only_dead_pointers_lead_to_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    """After `free(a)`, a is dead; the structures still know where it points."""
    path = PROGRAMS / "arrays" / "heap_length_ok.c"
    assert main(["audit", str(path), "--engine", "tvl", "--runs", "5", "--small", "200"]) == 0
    assert "heaps were in its states" in capsys.readouterr().out


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", str(PROGRAM), "--engine", "fesa", "--runs", "20", "--small", "200"]) == 0
    assert "heaps were in its states" in capsys.readouterr().out
    assert main(["audit", str(PROGRAM), "--engine", "explore"]) == 2
    assert "cannot be audited" in capsys.readouterr().err


def test_verify_proof_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proof = tmp_path / "proof.json"
    assert main(["check", "-q", str(PROGRAM), "--engine", "tvl", "--proof", str(proof)]) == 0
    assert "wrote certificate of 20 of 20 proved checks" in capsys.readouterr().out
    assert main(["verify-proof", str(proof), "--objects", "2"]) == 0
    assert "20 claims checked up to 2 objects" in capsys.readouterr().out
    proof.write_text(proof.read_text(encoding="utf-8").replace('"nodes":', '"knots":'), encoding="utf-8")
    assert main(["verify-proof", str(proof)]) == 2
    assert "malformed" in capsys.readouterr().err
    assert main(["verify-proof", str(tmp_path / "none.json")]) == 2
