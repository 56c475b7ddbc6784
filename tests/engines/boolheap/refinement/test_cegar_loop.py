"""Rounds of an analysis: alarms that runs show, splitting where alarms ask for it, rules found beforehand."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.collection import PROGRAMS

from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.boolheap import engine as engine_module
from heapwright.engines.boolheap.engine import BoolHeap, new_prover
from heapwright.engines.boolheap.fixpoint import Analysis
from heapwright.engines.boolheap.prover.query_cache import CachingProver
from heapwright.engines.boolheap.refinement.cegar_loop import RefinementLoop, load_edges
from heapwright.engines.boolheap.refinement.counterexample_replay import is_feasible
from heapwright.engines.boolheap.typing.followed_program import FollowedProgram
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.reproduce.isolated_measurement import program_of
from heapwright.testing.expectations import read

KINDS = BoolHeap.proves - {CheckKind.LEAK}
REAL = """
#include <stdlib.h>
struct node { struct node *next; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *first = malloc(sizeof *first);
        first->next = list;
        list = first;
    }
    while (list->next)
        list = list->next;
    return 0;
}"""

COUNTED = """
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int count = 0;
    while (__VERIFIER_nondet_int() && count < 1000) {
        count = count + 1;
        assert(count > 0);
    }
    return 0;
}"""
SECOND = """
#include <assert.h>
#include <stdlib.h>
struct node { struct node *next; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int count = 0;
    struct node *list = malloc(sizeof *list);
    list->next = NULL;
    struct node *other = list->next;
    while (__VERIFIER_nondet_int() && count < 1000) {
        count = count + 1;
        assert(count > 0);
    }
    other = list->next;
    return other != NULL;
}"""


def refinement_loop(program: Program, engine: BoolHeap) -> RefinementLoop:
    return engine.refinement_loop(FollowedProgram(program), Goal(kinds=KINDS), Limits(), NullProgress())


def written(text: str, tmp_path: Path) -> Program:
    path = tmp_path / "program.c"
    path.write_text(text)
    return build(Input((str(path),)), lambda phase: None)


def structure(name: str) -> Program:
    path = PROGRAMS / "structures" / f"{name}.c"
    return build(read(path).input(path), lambda phase: None)


# --- replaying -------------------------------------------------------------------------------------------------------


def test_an_alarm_that_a_run_shows_suggests_nothing(tmp_path: Path) -> None:
    found = refinement_loop(written(REAL, tmp_path), BoolHeap(refinements=3))
    (alarm,) = found.alarms(found.best)
    assert alarm.endswith("null-deref")
    assert found.real == {alarm}
    assert found.refinements == 0


def test_an_alarm_that_is_not_real_does_not_replay(tmp_path: Path) -> None:
    program = written(COUNTED, tmp_path)
    found = refinement_loop(program, BoolHeap(refinements=0))
    (alarm,) = found.alarms(found.best)
    assert not is_feasible(program, alarm, found.best.alarms[alarm].path())


# --- splitting -------------------------------------------------------------------------------------------------------


def test_guided_splitting_proves_what_splitting_everywhere_proves() -> None:
    program = program_of("boolheaps", "insert")
    everywhere = refinement_loop(program, BoolHeap())
    guided = refinement_loop(program, BoolHeap(splitting="guided"))
    assert everywhere.alarms(everywhere.best) == guided.alarms(guided.best) == []
    assert (everywhere.splittings, everywhere.unsplit) == (0, frozenset())


def test_alarms_say_where_to_split(tmp_path: Path) -> None:
    """Heaps are split at the load on the path of a spurious alarm, and at no other."""
    program = written(SECOND, tmp_path)
    found = refinement_loop(program, BoolHeap(splitting="guided", refinements=0))
    assert found.splittings == 1
    assert len(load_edges(program)) == 2
    assert len(found.unsplit) == 1


# --- the plain post --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_plain_cartesian_post_knows_less() -> None:
    """Whether a list that is linked anew reaches an object depends on where other variables point."""
    found = refinement_loop(program_of("boolheaps", "insert"), BoolHeap(refinements=0, post="cartesian"))
    assert found.best.complete
    assert {one.rpartition(":")[2] for one in found.alarms(found.best)} == {"shape"}


# --- the abstraction phase -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["create", "make_ring"])
def test_rules_found_beforehand_answer_most_of_what_is_asked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEAPWRIGHT_CACHE", "off")
    program = program_of("boolheaps", name)
    limits = Limits()
    calls, alarms = [], []
    for jobs in (0, 2):
        prover = new_prover()
        engine = BoolHeap(refinements=0, jobs=jobs)
        analysis = engine.prepare(
            FollowedProgram(program), Goal(kinds=KINDS), limits, NullProgress(), (), frozenset(), prover
        )
        before = prover.statistics.queries
        analysis.run()
        assert analysis.complete
        calls.append(prover.statistics.queries - before)
        alarms.append(sorted(analysis.alarms))
    assert alarms[0] == alarms[1]
    assert calls[1] < 0.5 * calls[0]


class Told(NullProgress):
    """Records the progress messages."""

    def __init__(self) -> None:
        super().__init__()
        self.updates: list[str] = []

    def update(self, message: str) -> None:
        self.updates.append(message)


@pytest.mark.exhaustive(4)
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("name", ["create", "make_ring"])
@pytest.mark.slow
def test_the_plain_post_asks_nothing_once_all_is_abstracted(
    name: str, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And it comes to the same heaps as one that asks as it goes."""
    monkeypatch.setenv("HEAPWRIGHT_CACHE", "off")
    program = program_of("boolheaps", name)
    engine = BoolHeap(refinements=0, jobs=jobs, post="cartesian")

    progress = Told()

    def prepare() -> tuple[Analysis, CachingProver]:
        prover = new_prover()
        limits = Limits()
        return engine.prepare(
            FollowedProgram(program), Goal(kinds=KINDS), limits, progress, (), frozenset(), prover
        ), prover

    analysis, prover = prepare()
    before = prover.statistics.queries
    assert before == analysis.abstraction.calls > 0
    for what in ("predicates", "updates", "runs"):
        assert any(one.startswith(f"abstraction, {what}: 1 of ") for one in progress.updates)
    analysis.run()
    assert prover.statistics.queries == before
    monkeypatch.setattr(engine_module, "precompute_rules", lambda *_: 0)
    asking, prover = prepare()
    assert prover.statistics.queries == 0
    asking.run()
    assert prover.statistics.queries > 0
    assert analysis.complete
    assert asking.complete
    assert set(analysis.alarms) == set(asking.alarms)
    assert {place: set(heaps.values()) for place, heaps in analysis.at.items()} == {
        place: set(heaps.values()) for place, heaps in asking.at.items()
    }
