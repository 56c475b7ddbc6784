"""Pictures of structures: every node and arrow is there once, by the user's names, and no more than that."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from engines.tvl.lists import vocabulary

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.tvl.engine import Tvl
from heapwright.engines.tvl.structure_pictures import captions_of, drawn
from heapwright.engines.tvl.structures.structure import ACTIVE, SUMMARY, Draft, Signature, Structure
from heapwright.program.checks import Goal
from heapwright.program.heap_picture import HeapPicture
from heapwright.report.terminal.heap_text import heap_lines
from heapwright.result.outcomes import Result

LIST = """\
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { struct node *next; int mark; };
int main(void) {
    struct node *x = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *y = malloc(sizeof *y);
        y->next = x;
        y->mark = 0;
        x = y;
    }
    if (x != NULL) {
        x->mark = 1;
        struct node *z = x->next;
        free(x);
        x = NULL;
        while (z != NULL && z->mark == 0) {
            struct node *rest = z->next;
            free(z);
            z = rest;
        }
    }
    return 0;
}
"""


def random_structure(source: random.Random, signature: Signature) -> Structure:
    n = source.randrange(5)
    draft = Draft.empty(signature, n)
    for number in range(signature.size):
        cells = n ** signature.arity[number]
        if number != ACTIVE:
            draft.may[number] = source.getrandbits(cells) if cells else 0
            draft.must[number] = draft.may[number] & source.getrandbits(cells) if cells and number != SUMMARY else 0
    draft.must[ACTIVE] &= source.getrandbits(n) if n else 0
    return draft.freeze()


@pytest.mark.parametrize("seed", range(50))
def test_every_value_of_a_specification_is_drawn_once(seed: int) -> None:
    signature = Signature(vocabulary(acyclic=False))
    structure = random_structure(random.Random(seed), signature)
    picture = drawn(structure, captions_of(signature))
    assert sorted(node.id for node in picture.nodes) == list(range(1, structure.n + 1))
    assert sum(node.summary for node in picture.nodes) == structure.may[SUMMARY].bit_count()
    assert sum(node.optional for node in picture.nodes) == structure.n - structure.must[ACTIVE].bit_count()
    numbers = signature.number
    links = Counter((arrow.label, arrow.certain) for arrow in picture.arrows)
    assert links["n", True] == structure.must[numbers["n"]].bit_count()
    assert links["n", True] + links["n", False] == structure.may[numbers["n"]].bit_count()
    assert not links["t", True] + links["t", False]  # paths along n, which are seen
    assert len(set(picture.arrows)) == len(picture.arrows)
    labels = Counter((fact.text, fact.certain) for node in picture.nodes for fact in node.facts)
    for name in ("x", "y", "is", "c", "rx"):
        assert labels[name, True] == structure.must[numbers[name]].bit_count()
        assert labels[name, True] + labels[name, False] == structure.may[numbers[name]].bit_count()
    assert {fact.text for fact in picture.facts} == {name for name in ("b", "lone") if structure.may[numbers[name]]}


@pytest.fixture(scope="module")
def analysed(tmp_path_factory: pytest.TempPathFactory) -> Result:
    path = tmp_path_factory.mktemp("pictures") / "list.c"
    path.write_text(LIST, encoding="utf-8")
    return pictured(path)


def pictured(path: Path) -> Result:
    program = build(Input((str(path),)), lambda phase: None)
    result = run_engine(Tvl(), program, Goal(pictures=True), Limits(), NullProgress())
    lines = {edge.source: edge.span.line for edge in program.graph.edges}
    by_line: dict[int, list[HeapPicture]] = {}
    for location, pictures in result.invariants.items():
        by_line.setdefault(lines.get(location, 0), []).extend(pictures)
    return Result("tvl", (), dropped="", invariants={line: tuple(found) for line, found in by_line.items()})


def texts(result: Result, line: int) -> set[str]:
    return {"\n".join(heap_lines(picture)) for picture in result.invariants[line]}


def test_a_list_after_a_loop(analysed: Result) -> None:
    assert texts(analysed, 12) == {
        "x ──> null",
        "x ──> #1 {mark: 0}",
        "x ──> #1 {mark: 0} ┄┄next┄┄> #2+ {mark: 0, r[x]} ┄┄next┄┄> #2",
    }


def test_what_is_freed_says_so(analysed: Result) -> None:
    assert "x ──> #1 {mark != 0} (freed)\nz ──> null" in texts(analysed, 16)


def test_dead_variables_that_are_null_and_temporaries_stay_out(analysed: Result) -> None:
    assert texts(analysed, 17) >= {"z ──> null", "z ──> #1 {mark: 0}"}


DOUBLY_LINKED = """\
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { struct node *next, *prev; };
struct node *first;
int main(void) {
    while (__VERIFIER_nondet_int()) {
        struct node *y = calloc(1, sizeof *y);
        y->next = first;
        if (first)
            first->prev = y;
        first = y;
    }
    return 0;
}
"""


def test_fields_that_lead_back_are_told_where_arrows_do_not(tmp_path: Path) -> None:
    path = tmp_path / "list.c"
    path.write_text(DOUBLY_LINKED, encoding="utf-8")
    found = texts(pictured(path), 13)
    summarised = max(found, key=len)
    assert "b[next,prev]" in summarised
    assert "node." not in summarised
    assert all("b[" not in text for text in found if "+" not in text)


PARTS = """\
#include <stdlib.h>
struct pair { int first, second; };
static void set(int *place, int value) {
    *place = value;
}
int main(void) {
    struct pair *p = malloc(sizeof *p);
    set(&p->first, 1);
    set(&p->second, 2);
    free(p);
    return 0;
}
"""


def test_variables_may_point_to_parts(tmp_path: Path) -> None:
    path = tmp_path / "pair.c"
    path.write_text(PARTS, encoding="utf-8")
    found = texts(pictured(path), 4)
    assert any("place ──&second──> #1" in text for text in found)
    assert not any("@" in text or "$" in text for text in found)


def test_pictures_come_only_when_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "list.c"
    path.write_text(LIST, encoding="utf-8")
    program = build(Input((str(path),)), lambda phase: None)
    assert not run_engine(Tvl(), program, Goal(), Limits(), NullProgress()).invariants
