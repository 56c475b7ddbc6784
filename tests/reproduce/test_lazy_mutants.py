"""`heapwright reproduce lazy` fails when the engine is broken: mutants of the running engine, one at a time.

A mutant lives in the process of the test and in those that it forks. Each has a query cache of its own, and its nodes
and refinements are bounded. What a mutant does not need is as published, so that a claim fails because of the programs
that are named beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from reproduce.test_lazy import as_published

from heapwright.cli import main
from heapwright.engines.lazy.art import precision_refinement
from heapwright.engines.lazy.art.cegar_loop import Search
from heapwright.engines.lazy.art.precision_refinement import Refinement
from heapwright.engines.lazy.art.value_groups import ValueGroup, ValueGroups
from heapwright.engines.lazy.precision.local_tracking import LocalTracking
from heapwright.engines.lazy.precision.tracking_definition import Tracking
from heapwright.logic.connectives import TRUE
from heapwright.reproduce.lazy import measure as measuring
from heapwright.reproduce.lazy import table
from heapwright.reproduce.lazy.measure import Measurement, measure

pytestmark = pytest.mark.slow
Patch = pytest.MonkeyPatch


def no_separating_pointers(patch: Patch) -> None:
    """No pointer is an abstraction predicate, until all are."""

    def refined(self: Tracking, separating: Iterable[str] = (), predicates: Iterable[Any] = ()) -> Tracking:
        return replace(self, predicates=self.predicates | set(predicates))

    patch.setattr(Tracking, "refined", refined)


def cartesian_only(patch: Patch) -> None:
    """No location becomes exact."""
    patch.setattr(Refinement, "_exact", lambda *arguments: None)


def covering_that_always_holds(patch: Patch) -> None:
    patch.setattr(Search, "covers", lambda *arguments: True)


def interpolants_that_are_all_true(patch: Patch) -> None:
    patch.setattr(
        precision_refinement, "interpolate", lambda path, *arguments: tuple(TRUE for _ in range(len(path.edges) + 1))
    )


def no_link_from_shapes_to_predicates(patch: Patch) -> None:
    patch.setattr(ValueGroups, "groups", lambda self, state, *arguments: [ValueGroup(state)])


def a_ladder_that_never_climbs(patch: Patch) -> None:
    patch.setattr(Tracking, "finer", lambda self: None)


def tracking_that_is_never_local(patch: Patch) -> None:
    def refine(self: LocalTracking, component: int, locations: Iterable[int], addition: Tracking) -> set[int]:
        old = self._everywhere.get(component)
        self._everywhere[component] = new = addition if old is None else old.joined(addition)
        return set(locations) if new != old else set()

    patch.setattr(LocalTracking, "refine", refine)


PROVED = "predicates and shapes together prove all six"
REFUTED = "each buggy twin is refuted by a run that breaks an assertion"
CLIMBED = "section 4.2: shape types are climbed from fields alone, which prove four; list and splice need the next"
MUTANTS: dict[Callable[[Patch], None], tuple[str, tuple[str, ...]]] = {
    no_separating_pointers: (CLIMBED, ("simple",)),
    cartesian_only: ("section 4.1: the post is the strongest Boolean one where a path comes back", ("correlated",)),
    covering_that_always_holds: (REFUTED, ("simple_backw_buggy",)),
    interpolants_that_are_all_true: (PROVED, ("simple_backw",)),
    no_link_from_shapes_to_predicates: (
        "theorem 1: what structures know excludes a path about a value that was read",
        ("last",),
    ),
    a_ladder_that_never_climbs: (PROVED, ("list",)),
    tracking_that_is_never_local: (
        "section 4.2: tracking is local, what comes after the check costs no shapes",
        ("reversed_once", "reversed_four_times"),
    ),
}


def only(patch: Patch, measured: Iterable[str]) -> None:
    """Some programs are measured, the others are as published."""

    def chosen(program: str, configuration: Any, *arguments: Any) -> Measurement:
        if program in measured:
            return measure(program, configuration, *arguments)
        return as_published(program, configuration)

    patch.setattr(table, "measure", chosen)


def reproduced(folder: Path) -> tuple[int, list[str]]:
    """The exit code, and the claims that fail."""
    found = folder / "found.json"
    code = main(["reproduce", "lazy", "--timeout", "0", "--json", str(found)])
    return code, [claim["text"] for claim in json.loads(found.read_text())["claims"] if not claim["holds"]]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(measuring, "VISITS", 3_000)


def test_the_engine_reproduces_what_mutants_break(monkeypatch: Patch, tmp_path: Path) -> None:
    only(monkeypatch, {name for _, names in MUTANTS.values() for name in names})
    assert reproduced(tmp_path) == (0, [])


@pytest.mark.parametrize("mutate", MUTANTS, ids=lambda mutate: mutate.__name__)
def test_a_mutant_is_noticed(mutate: Callable[[Patch], None], monkeypatch: Patch, tmp_path: Path) -> None:
    claim, programs = MUTANTS[mutate]
    mutate(monkeypatch)
    only(monkeypatch, programs)
    code, failing = reproduced(tmp_path)
    assert code == 1
    assert claim in failing


def test_an_analysis_without_an_end_is_stopped(monkeypatch: Patch, tmp_path: Path) -> None:
    monkeypatch.setattr(measuring, "VISITS", 20)
    only(monkeypatch, ("simple_backw",))
    code, failing = reproduced(tmp_path)
    assert code == 1
    assert PROVED in failing
