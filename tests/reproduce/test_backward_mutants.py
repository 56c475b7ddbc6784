"""`heapwright reproduce backward` fails when the engine is broken: mutants of the running engine, one at a time.

A mutant lives in the process of the test and in those that it forks. Each has a query cache of its own, and its visits
are bounded. What is not among `MEASURED` is as published, so that a claim fails because of these programs.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reproduce.as_published import rows

from heapwright.cli import main
from heapwright.engines.infer.heaps import canonical_abstraction, domain, steps
from heapwright.engines.infer.heaps import structure as shapes
from heapwright.engines.infer.heaps.domain import Shapes
from heapwright.engines.infer.heaps.pairs import Pair
from heapwright.engines.infer.heaps.prover.reachability_updates import ExactUpdate, PathUpdate
from heapwright.engines.infer.heaps.prover.unchanged_regions import Change
from heapwright.engines.infer.heaps.structure import HALF, NO, YES, Node
from heapwright.reproduce.backward import measure as measuring
from heapwright.reproduce.backward import table
from heapwright.reproduce.backward.measure import Measurement, measure
from heapwright.smt.terms import conj, disj, negation

pytestmark = pytest.mark.slow
Patch = pytest.MonkeyPatch
MEASURED = ("append", "reverse")


def closure_that_keeps_everything(patch: Patch) -> None:
    """Paths through the field that is overwritten remain."""

    def written(self: ExactUpdate, encoding: Any, change: Change) -> PathUpdate:
        view, path = encoding.view, encoding.paths[change.field]
        if change.value is None:
            return PathUpdate(path)
        here, there, new = view.where[change.base], view.there[change.value], view.where[change.value]
        return PathUpdate(lambda x, y: disj(path(x, y), conj(there, path(x, here), path(new, y))))

    patch.setattr(ExactUpdate, "written", written)


def closure_that_drops_everything(patch: Patch) -> None:
    """After a write objects reach themselves, and what the value reaches is reached from the written object alone."""

    def written(self: ExactUpdate, encoding: Any, change: Change) -> PathUpdate:
        view, path = encoding.view, encoding.paths[change.field]
        if change.value is None:
            return PathUpdate(lambda x, y: x == y)
        here, there, new = view.where[change.base], view.there[change.value], view.where[change.value]
        return PathUpdate(lambda x, y: disj(x == y, conj(there, x == here, path(new, y))))

    patch.setattr(ExactUpdate, "written", written)


def closure_that_adds_nothing(patch: Patch) -> None:
    """A write cuts a path, and its value begins none."""

    def written(self: ExactUpdate, encoding: Any, change: Change) -> PathUpdate:
        path, here = encoding.paths[change.field], encoding.view.where[change.base]
        return PathUpdate(lambda x, y: conj(path(x, y), disj(negation(path(x, here)), path(y, here))))

    patch.setattr(ExactUpdate, "written", written)


def focus_without_bifurcation(patch: Patch) -> None:
    """A variable that points to an object of a summary node points to all of it."""

    def positions(
        self: Shapes, pair: Pair, variable: int, step: steps.Plain, *, ahead: bool = False
    ) -> list[Pair] | None:
        at, half = self.vocabulary.at(variable), pair.after if ahead else pair.before
        if half.null[variable] == YES or any(node.values[at] == YES for node in half.nodes):
            return None
        null = [domain._with_half(pair, shapes.with_null(half, variable, YES), ahead)]
        places = [domain._at(pair, i, at, ahead) for i, node in enumerate(half.nodes) if node.values[at] != NO]
        drafts = [*(null if half.null[variable] == HALF else []), *places]
        return [case for case in (self._settled(draft, step) for draft in drafts) if case is not None]

    patch.setattr(Shapes, "_positions", positions)


def covering_that_always_holds(patch: Patch) -> None:
    patch.setattr(domain, "covers", lambda bigger, smaller: True)


def merge_that_forgets_the_footprint(patch: Patch) -> None:
    """Nodes that the program has not accessed are merged with others, too, if their values are less definite."""

    def alike(one: Node, other: Node) -> bool:
        return all(mine in (HALF, yours) for mine, yours in zip(one.values, other.values, strict=True))

    patch.setattr(canonical_abstraction, "_alike", alike)


SAFE = "no heap of up to 4 objects, and no array of up to 4 cells, is allowed and fails"
WEAKEST = "no safe input is excluded"
MUTANTS: dict[Callable[[Patch], None], str] = {
    closure_that_keeps_everything: SAFE,
    closure_that_drops_everything: WEAKEST,
    closure_that_adds_nothing: WEAKEST,
    focus_without_bifurcation: SAFE,
    covering_that_always_holds: SAFE,
    merge_that_forgets_the_footprint: WEAKEST,
}


@pytest.fixture(autouse=True)
def few_programs(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    published = {row.program: row for row in rows()}

    def chosen(program: str, *arguments: Any) -> Measurement:
        return measure(program, *arguments) if program in MEASURED else published[program]

    monkeypatch.setattr(table, "measure", chosen)


def reproduced(folder: Path) -> tuple[int, list[str]]:
    """The exit code, and the claims that fail."""
    found = folder / "found.json"
    code = main(["reproduce", "backward", "--timeout", "0", "--json", str(found)])
    return code, [claim["text"] for claim in json.loads(found.read_text())["claims"] if not claim["holds"]]


def test_the_engine_reproduces_the_paper(tmp_path: Path) -> None:
    assert reproduced(tmp_path) == (0, [])


@pytest.mark.parametrize("mutate", MUTANTS, ids=lambda mutate: mutate.__name__)
def test_a_mutant_is_noticed(mutate: Callable[[Patch], None], monkeypatch: Patch, tmp_path: Path) -> None:
    mutate(monkeypatch)
    code, failing = reproduced(tmp_path)
    assert code == 1
    assert MUTANTS[mutate] in failing


def test_an_analysis_without_a_fixpoint_is_stopped(monkeypatch: Patch, tmp_path: Path) -> None:
    monkeypatch.setattr(measuring, "VISITS", 5)
    code, failing = reproduced(tmp_path)
    assert code == 1
    assert SAFE in failing
