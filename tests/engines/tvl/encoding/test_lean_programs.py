"""Programs with lean activation records: their structures stand for the heaps of their runs, and what records remember
keeps no block from being lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from engines.tvl.walks import program_of
from support.collection import name_of, programs

from heapwright.analysis.pipeline import build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.tvl.encoding.record_trimming import calls_of_records, trimmed
from heapwright.engines.tvl.encoding.remembered_successors import is_remembered
from heapwright.engines.tvl.encoding.states.membership import Membership
from heapwright.engines.tvl.encoding.variable_coalescing import coalesced
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.engines.tvl.engine import compiled
from heapwright.engines.tvl.fixpoint import Options, run
from heapwright.logic.actions import NamedStructure
from heapwright.program.checks import Goal
from heapwright.program.choices import RandomChoices
from heapwright.program.commands import Store, StoreData
from heapwright.program.graph import Program
from heapwright.program.runs.interpreter import Machine
from heapwright.program.runs.snapshot import snapshots
from heapwright.testing.expectations import read

FOLDERS = ("calls/recursive_", "calls/mutual_")
RECURSIVE = [path for path in programs() if name_of(path).startswith(FOLDERS) and "_ok" in path.name]


def lean(program: Program) -> HeapVocabulary:
    heap = HeapVocabulary(program)
    saving = replace(heap, program=trimmed(heap.program))
    return replace(saving, program=coalesced(saving), origin=saving)


@pytest.mark.slow
@pytest.mark.exhaustive(4)
@pytest.mark.parametrize("path", RECURSIVE, ids=name_of)
def test_structures_stand_for_the_heaps_of_runs(path: Path) -> None:
    heap = lean(build(read(path).input(path), lambda phase: None))
    graph = compiled(heap, Goal()).graph
    beginning = [NamedStructure(())]
    outcome = run(heap.vocabulary, heap.constraints, graph, beginning, Options(), NullProgress(), Limits(states=12_000))
    if not outcome.complete:
        pytest.skip("takes too many structures")
    membership = Membership(heap, outcome.signature, outcome.structures)
    found = []
    for seed in range(6):
        for location, heap_there in snapshots(Machine(heap.program, Goal()), RandomChoices(seed), max_steps=160):
            found.append(membership.contains(location, heap_there))
            assert found[-1] is not False, (seed, location)
    assert found.count(True) > len(found) / 2


TURN = """
#include <stdlib.h>
struct node { struct node *next; };
struct node *turned(struct node *l) {
    if (!l || !l->next) return l;
    struct node *last = turned(l->next);
    %s
    l->next = NULL;
    return last;
}
int main(void) { turned(NULL); }
"""


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("l->next->next = l;", True),
        ("struct node *m = l; m->next->next = m;", False),  # read through another variable
        ("l->next = last; l->next->next = l;", False),  # written before it is read again
        ("last->next = l;", False),
    ],
)
def test_a_successor_is_remembered_if_it_is_read_again(after: str, expected: bool, tmp_path: Path) -> None:
    program = trimmed(program_of(TURN % after, tmp_path))
    fields = {field.name for type in program.types.values() for field in type.fields}
    assert any(is_remembered(field) for field in fields) == expected


def test_a_successor_that_changed_before_the_call_is_not_remembered(tmp_path: Path) -> None:
    text = TURN.replace("turned(l->next)", "(l->next->next = NULL, turned(last = l->next))").replace(
        "struct node *last =", "struct node *last; last ="
    )
    program = trimmed(program_of(text % "l->next->next = l;", tmp_path))
    remembered = [c.field for c in stores(program) if is_remembered(c.field)]
    assert remembered == ["turned::l->next"]  # of the load behind the store


def stores(program: Program) -> list[Store]:
    return [edge.command for edge in program.graph.edges if isinstance(edge.command, Store)]


def test_each_call_saves_what_is_read_where_it_returns(tmp_path: Path) -> None:
    text = """
    #include <stdlib.h>
    struct node { int key; struct node *next; };
    struct node *merged(struct node *a, struct node *b) {
        if (!a) return b;
        if (!b) return a;
        if (a->key < b->key) { a->next = merged(a->next, b); return a; }
        b->next = merged(a, b->next); return b;
    }
    int main(void) { merged(NULL, NULL); }
    """
    program = trimmed(program_of(text, tmp_path))
    calls = calls_of_records(program)
    saved: dict[object, set[str]] = {}
    for number, edge in enumerate(program.graph.edges):
        if number in calls and isinstance(edge.command, Store | StoreData):
            saved.setdefault(calls[number], set()).add(edge.command.field)
    always = {"caller", "merged::$site"}
    assert sorted(map(sorted, (fields - always for fields in saved.values()))) == [["merged::a"], ["merged::b"]]
