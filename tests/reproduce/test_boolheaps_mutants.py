"""`heapwright reproduce boolheaps` fails when the engine is broken: mutants of the running engine, one at a time.

A mutant lives in the process of the test and in those that it forks. The cache of each is its own, and the table has
few programs, which all hold without a mutant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from heapwright.cli import main
from heapwright.engines.boolheap.abstraction import cartesian_post
from heapwright.engines.boolheap.abstraction.cartesian_post import Step
from heapwright.engines.boolheap.domain.vectors import Vector
from heapwright.engines.boolheap.logic import formulas as f
from heapwright.engines.boolheap.logic import weakest_preconditions
from heapwright.engines.boolheap.prover.entailment import Prover
from heapwright.logic.connectives import TRUE
from heapwright.reproduce.boolheaps import table

Mutate = Callable[[pytest.MonkeyPatch], None]


def prover_that_agrees(patch: pytest.MonkeyPatch) -> None:
    """Whatever is asked is entailed."""

    def entails(self: Prover, assumptions: Sequence[f.Formula], goal: f.Formula) -> tuple[int, ...]:
        self.interrupted = False
        return tuple(range(len(assumptions)))

    patch.setattr(Prover, "entails", entails)


def precondition_that_forgets_aliasing(patch: pytest.MonkeyPatch) -> None:
    """Only the variable that is written through points to the object that is written."""

    def terms(self: Any, term: f.Term) -> list[tuple[f.Formula, f.Term]]:
        if isinstance(term, f.Name):
            return [(TRUE, term)]
        written = term.field == self.field and term.base == self.base
        return [(TRUE, self.value if written else term)]

    patch.setattr(weakest_preconditions._PointerUpdate, "terms", terms)


def no_splitting(patch: pytest.MonkeyPatch) -> None:
    """What is loaded or allocated is not told apart before the step."""
    patch.setattr(cartesian_post, "found_term", lambda commands: None)


def open_predicates_keep_their_values(patch: pytest.MonkeyPatch) -> None:
    """A predicate of which nothing is known after a step is what it was before."""
    update = Step._update_vector

    def updated(self: Step, known: Vector, around: Vector, vector: Vector) -> Vector:
        after = update(self, known, around, vector)
        left = sum(1 << one.column for one in self.updates) & ~(after.ones | after.zeros)
        return Vector(after.ones | vector.ones & left, after.zeros | vector.zeros & left)

    patch.setattr(Step, "_update_vector", updated)


MUTANTS: dict[Mutate, str] = {
    prover_that_agrees: "FAILS: Figure 2: the prover",
    precondition_that_forgets_aliasing: "FAILS: Figure 2",
    no_splitting: "FAILS: every check of lists",
    open_predicates_keep_their_values: "FAILS: Definition 5 does not prove the ring acyclic",
}


@pytest.fixture(autouse=True)
def few_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(table, "PROVED", ("create", "search"))
    monkeypatch.setattr(table, "CARTESIAN", ("create", "search"))


@pytest.mark.slow
def test_all_claims_hold(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "boolheaps", "--timeout", "0"]) == 0
    assert "FAILS" not in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("mutate", MUTANTS, ids=lambda mutate: mutate.__name__)
def test_a_mutant_is_noticed(
    mutate: Mutate, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mutate(monkeypatch)
    assert main(["reproduce", "boolheaps", "--timeout", "0"]) == 1
    assert MUTANTS[mutate] in capsys.readouterr().out
