"""Every heap of every run is one that the structures of its location stand for: on random programs and on the corpus,
for both embeddings and both ways of refining."""

from __future__ import annotations

from pathlib import Path

import pytest
from engines.tvl.encoding.test_user_predicates import supplied
from support.collection import PROGRAMS, name_of, programs
from support.judging import heaps_described
from support.random_runs import Kind, random_program

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.tvl.encoding.predicate_names import (
    ENDED,
    FREED,
    HEAP,
    INPUT,
    LOST,
    PICKED,
    chosen,
    is_type,
    junk,
    undecided,
)
from heapwright.engines.tvl.encoding.predicates.activation_records import Frames
from heapwright.engines.tvl.encoding.predicates.allocation_sites import Sites
from heapwright.engines.tvl.encoding.predicates.field_reachability import Reach
from heapwright.engines.tvl.encoding.predicates.integer_constants import Constants
from heapwright.engines.tvl.encoding.predicates.key_order import Order
from heapwright.engines.tvl.encoding.variable_coalescing import coalesced
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.engines.tvl.engine import Tvl
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.snapshot import snapshots
from heapwright.result.outcomes import Result
from heapwright.testing.expectations import read

MODES = {
    "strict": Tvl(),
    "loose": Tvl(embedding="loose"),
    "adaptive": Tvl(embedding="adaptive"),
    "meet": Tvl(focus="meet"),
    "adaptive-meet": Tvl(embedding="adaptive", focus="meet"),
    "loose-meet": Tvl(embedding="loose", focus="meet"),
    "rel": Tvl(join="rel"),
}
ALL = frozenset(CheckKind)
GOALS = [Goal(ALL, audit=True), Goal(ALL - {CheckKind.LEAK}, audit=True)]  # a leak ends a run


def built(path: Path) -> Program:
    return build(read(path).input(path), lambda phase: None)


def audited(program: Program, engine: Tvl, goal: Goal = GOALS[0], *, runs: int) -> int:
    """How many heaps were looked at; 0 where the analysis does not come to an end."""
    limits = Limits(states=5_000)
    return held_against_runs(program, run_engine(engine, program, goal, limits, NullProgress()), goal, runs=runs)


def held_against_runs(program: Program, result: Result, goal: Goal, *, runs: int) -> int:
    if result.states is None:
        return 0
    return heaps_described(program, result, goal, runs=runs)


# --- random programs -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_a_few_random_programs(mode: str, tmp_path: Path) -> None:
    kinds: list[Kind] = ["plain", "parts", "inputs"]
    programs = [random_program(seed, tmp_path, size=4, kind=kind) for kind in kinds for seed in range(2)]
    assert sum(audited(program, MODES[mode], runs=5) for program in programs) > 100


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["plain", "parts", "inputs", "keys", "any"])
def test_many_random_programs(kind: Kind, mode: str, tmp_path: Path) -> None:
    found = 0
    for seed in range(2000, 2010):
        program = random_program(seed, tmp_path, size=8, kind=kind)
        found += audited(program, MODES[mode], GOALS[seed % 2], runs=8)
    assert found > 200


# --- the corpus -------------------------------------------------------------------------------------------------------

FEW = (
    "circular/sentinel_ok",
    "dll/remove_ok",
    "embedded/hlist_ok",
    "lists/remove_ok",
    "memory/untyped_ok",
    "pointers/swap_ok",
    "specs/dll_ok",
    "structures/sll/reverse_bad_leak",
    "structures/sll/search_ok",
    "structures/sorted/insert_ok",
    "unions/tagged_ok",
)


@pytest.mark.exhaustive(9)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("path", [p for p in programs() if name_of(p) in FEW], ids=name_of)
def test_some_programs(path: Path, mode: str) -> None:
    assert audited(built(path), MODES[mode], runs=2) > 10


@pytest.mark.long
@pytest.mark.parametrize(
    ("number", "path"), list(enumerate(programs())), ids=lambda p: name_of(p) if isinstance(p, Path) else ""
)
def test_the_whole_corpus(number: int, path: Path) -> None:
    """Each program in the mode that is most used, and in one of the others."""
    others = list(MODES)[1:]
    for mode in ("strict", others[number % len(others)]):
        audited(built(path), MODES[mode], GOALS[number % 2], runs=4)


LEAN = [p for p in programs() if name_of(p).startswith(("structures/sll/", "structures/dll/", "lists/"))]


@pytest.mark.exhaustive(3)
@pytest.mark.parametrize("path", LEAN[::9], ids=name_of)
def test_lean_programs(path: Path) -> None:
    """The lean program is analysed first, and must be as right about itself."""
    heap = HeapVocabulary(built(path))
    slim = HeapVocabulary(coalesced(heap), heap)
    result = Tvl()._whole(slim, GOALS[1], Limits(states=20_000), NullProgress())
    assert held_against_runs(slim.program, result, GOALS[1], runs=3) > 20


@pytest.mark.exhaustive(3)
@pytest.mark.parametrize("mode", ["strict", "loose", "meet"])
@pytest.mark.parametrize("name", ["lists/reverse_ok", "structures/circular/delete_ok"])
def test_supplied_predicates(name: str, mode: str) -> None:
    settings = MODES[mode].settings
    engine = Tvl(embedding=settings.embedding, focus=settings.refine, predicate_file=supplied)
    assert audited(built(PROGRAMS / f"{name}.c"), engine, runs=3) > 20


# --- the audit itself -------------------------------------------------------------------------------------------------


def test_a_heap_that_cannot_be_there_is_none_of_them() -> None:
    """An audit can fail: what one location may have is not what another one may."""
    program = built(PROGRAMS / "structures" / "sll" / "create_ok.c")
    result = run_engine(Tvl(), program, GOALS[0], Limits(), NullProgress())
    seen = list(snapshots(Machine(program, GOALS[0]), RandomChoices(3), max_steps=40))
    answers = {result.contains(location, heap) for _, heap in seen for location, _ in seen}
    assert answers == {True, False}


def test_nothing_is_told_unless_it_is_asked_for() -> None:
    program = built(PROGRAMS / "structures" / "sll" / "create_ok.c")
    assert run_engine(Tvl(), program, Goal(), Limits(), NullProgress()).states is None


def covered(heap: HeapVocabulary) -> frozenset[str]:
    """The predicates without definitions that membership knows how to read off a heap, or that hold of nothing at the
    locations of a program."""
    names = {FREED, ENDED, HEAP, LOST, INPUT, PICKED, *heap.variables, *heap.fields, *heap.arrays}
    names |= {junk(name) for name in (*heap.variables, *heap.fields, *heap.arrays)}
    names |= {is_type(name) for name in heap.types} | {undecided(name) for name in heap.inputs}
    names |= {chosen(name) for name in heap.arrays}
    for family in heap.families:
        if isinstance(family, Constants | Sites | Frames | Order | Reach) or family is heap.tags:
            names |= {predicate.name for predicate in family.predicates()}
    return frozenset(names)


@pytest.mark.parametrize("path", list(programs())[::5], ids=name_of)
def test_every_predicate_is_read_off_heaps(path: Path) -> None:
    heap = HeapVocabulary(built(path), all_keys=True)
    core = {predicate.name for predicate in heap.vocabulary.predicates if predicate.definition is None}
    assert core <= covered(heap)
