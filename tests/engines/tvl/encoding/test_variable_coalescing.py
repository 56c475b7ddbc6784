"""Programs with fewer variables run as the whole ones do, but for leaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from engines.tvl.walks import program_of
from support.random_runs import Kind, random_program

from heapwright.engines.tvl.encoding.variable_coalescing import coalesced, renamed
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.program.checks import CheckKind, Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.commands import Skip
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import run

GOAL = Goal(frozenset(CheckKind) - {CheckKind.LEAK})


def ends(program: Program, seed: int) -> object:
    made = run(program, GOAL, RandomChoices(seed), max_steps=3_000)
    found = made.violation
    return made.ending, found.check.id if found is not None else "", made.exact


def compare(seed: int, folder: Path, *, kind: Kind) -> int:
    """How many variables are saved."""
    program = random_program(seed, folder, size=8, kind=kind)
    heap = HeapVocabulary(program)
    slim = coalesced(heap)
    for choices in range(12):
        assert ends(slim, choices) == ends(program, choices), (seed, choices)
    return len(heap.variables) - len(HeapVocabulary(slim).variables)


@pytest.mark.exhaustive(3)
@pytest.mark.parametrize("kind", ["plain", "any", "keys"])
@pytest.mark.slow
def test_runs_are_the_same(kind: Kind, tmp_path: Path) -> None:
    saved = [compare(seed, tmp_path, kind=kind) for seed in range(40)]
    assert sum(saved) > 100
    assert min(saved) >= 0


@pytest.mark.long
@pytest.mark.parametrize("kind", ["plain", "any", "keys"])
def test_many_runs_are_the_same(kind: Kind, tmp_path: Path) -> None:
    for seed in range(1000, 1300):
        compare(seed, tmp_path, kind=kind)


def test_a_walk_and_a_search_share_their_variables(tmp_path: Path) -> None:
    text = """
    #include <stdlib.h>
    struct node { struct node *next; };
    int main(void) {
        struct node *list = calloc(1, sizeof *list);
        list->next = calloc(1, sizeof *list);
        for (struct node *a = list; a; a = a->next) { }
        for (struct node *b = list; b; b = b->next) { }
        while (list) { struct node *next = list->next; free(list); list = next; }
    }
    """
    heap = HeapVocabulary(program_of(text, tmp_path))
    assert len(HeapVocabulary(coalesced(heap)).variables) == 2


def test_a_variable_that_another_engine_may_summarise_from_is_renamed_as_well() -> None:
    assert renamed(Skip("", "x"), {"x": "y"}) == Skip("", "y")
