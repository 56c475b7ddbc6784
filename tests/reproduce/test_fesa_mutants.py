"""`heapwright reproduce fesa` fails when the engine is broken: mutants of the running engine, one at a time.

A mutant lives in the process of the test and in those that it forks. The prover cache of each is its own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heapwright.cli import main
from heapwright.engines.fesa.graph import reduction, summaries
from heapwright.engines.fesa.graph.abstract_heap import Heap, Name
from heapwright.engines.fesa.graph.widening import Widening
from heapwright.engines.fesa.numeric.bdd import NODES, Diagrams

SMALL = 1 << 17  # nodes of diagrams
Mutate = Callable[[pytest.MonkeyPatch], None]


def without_supported(patch: pytest.MonkeyPatch) -> None:
    """Counters need no edges that make them up, and may be less than those there are."""
    patch.setattr(reduction.Reduction, "supported", lambda self, heap: heap)


def fold_that_forgets_the_ghost(patch: pytest.MonkeyPatch) -> None:
    """The edges between two nodes are dropped when these become one."""

    def disconnected(self: Any, heap: Heap[Any], one: Name, other: Name, fields: list[str]) -> Heap[Any]:
        return self.lattice.without_flags(  # type: ignore[no-any-return]
            heap, [flag for field in fields for flag in self._between(one, other, field)]
        )

    patch.setattr(summaries.Summaries, "_disconnected", disconnected)


def materialisation_without_expand(patch: pytest.MonkeyPatch) -> None:
    """Nothing is known of an object that is taken out of a summary."""
    patch.setattr(summaries, "expand", lambda domain, function, copies, known: domain.meet(function, known))


def widening_that_never_folds(patch: pytest.MonkeyPatch) -> None:
    """Heaps grow until visits or diagrams are at their bound."""
    patch.setattr(Diagrams.__init__, "__kwdefaults__", {"nodes": SMALL})

    def widened(self: Any, old: Heap[Any] | None, new: Heap[Any]) -> Heap[Any]:
        return self.lattice.trimmed(new if old is None else self.lattice.join(old, new))  # type: ignore[no-any-return]

    patch.setattr(Widening, "widened", widened)


def counters_that_do_not_saturate(patch: pytest.MonkeyPatch) -> None:
    """They begin again at 0."""
    patch.setattr(reduction, "_stepped", lambda value, hit, up: ((value + (1 if up else -1)) % 4,) if hit else (value,))


MUTANTS: dict[Mutate, str] = {
    without_supported: "FAILS: no warning with instrumentation",
    fold_that_forgets_the_ghost: "FAILS: Figure 6c",
    materialisation_without_expand: "FAILS: Figure 7b",
    widening_that_never_folds: "FAILS: every analysis reached its fixpoint",
    counters_that_do_not_saturate: "FAILS: section 4.2",
}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.slow
@pytest.mark.parametrize("nodes", [NODES, SMALL])
def test_all_claims_hold(nodes: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(Diagrams.__init__, "__kwdefaults__", {"nodes": nodes})
    assert main(["reproduce", "fesa", "--timeout", "0"]) == 0
    assert "FAILS" not in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("mutate", MUTANTS, ids=lambda mutate: mutate.__name__)
def test_a_mutant_is_noticed(
    mutate: Mutate, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mutate(monkeypatch)
    assert main(["reproduce", "fesa", "--timeout", "0"]) == 1
    assert MUTANTS[mutate] in capsys.readouterr().out
