"""Addresses in blocks: the results of links, casts and accesses, and the addresses that the pointers of a program
hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, build
from heapwright.engines.tvl.encoding.memory.cells import Access
from heapwright.engines.tvl.encoding.memory.points_to import PointsTo, flow_of
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.program.checks import CheckKind
from heapwright.program.graph import Program
from heapwright.program.semantics.objects import NULL
from heapwright.program.types import ValueKind

ITEMS = """
#include <stddef.h>
#include <stdlib.h>
struct head { struct head *next; };
struct item { int value; struct head link; struct head other; };
#define item_of(p) ((struct item *)((char *)(p) - offsetof(struct item, link)))
"""


def program_of(text: str, folder: Path) -> Program:
    path = folder / "places.c"
    path.write_text(text, encoding="utf-8")
    return build(Input((str(path),)), lambda phase: None)


def held(flow: PointsTo, name: str) -> set[tuple[str, str]]:
    """Kinds and tags of the addresses that a variable holds."""
    return {(flow.blocks.kind(place).name, flow.blocks.tag(place)) for place in flow.pointers(name)}


def accesses(program: Program, flow: PointsTo, variable: str, field: str, kind: ValueKind) -> set[Access]:
    declared = program.variables[variable].target
    places = flow.pointers(variable)
    return {access for place in places for access in flow.blocks.field(place, declared, field, kind)}


def test_container_of_a_part_is_its_owner_and_of_anything_else_an_owner_that_is_not_there(tmp_path: Path) -> None:
    text = """int main(void) {
        struct head list, *pos;
        struct item *it = malloc(sizeof *it), *found;
        list.next = &it->link;
        it->link.next = &list;
        pos = list.next;
        pos = pos->next;
        found = item_of(pos);
        return found->value;
    }"""
    program = program_of(ITEMS + text, tmp_path)
    flow = flow_of(program)
    assert held(flow, "pos") == {("head", ""), ("item", "link")}
    assert held(flow, "found") == {("item", ""), ("head", "^item.link")}
    found = accesses(program, flow, "found", "value", ValueKind.DATA)
    assert {access.fault for access in found} == {None, CheckKind.INVALID_DEREF}
    assert {access.cell.name for access in found if access.cell} == {"item.value"}


def test_objects_of_one_type_in_a_block_have_cells_of_their_own(tmp_path: Path) -> None:
    text = """int main(void) {
        struct item *it = malloc(sizeof *it);
        struct head *p = &it->link;
        if (it->value) p = &it->other;
        p->next = &it->link;
        return 0;
    }"""
    program = program_of(ITEMS + text, tmp_path)
    heap = HeapVocabulary(program)
    assert heap.fields == ("head.next", "head.next#other")
    assert heap.tags.tags("p") == ("link", "other")
    assert heap.tags.tags("it") == ()


def test_addresses_computed_from_null_are_told_apart_from_null(tmp_path: Path) -> None:
    text = """int main(void) {
        struct item *it = NULL;
        struct head *p = &it->link;
        it = item_of(p);
        return 0;
    }"""
    flow = flow_of(program_of(ITEMS + text, tmp_path))
    assert NULL in flow.of("it")
    assert [flow.blocks.tag(place) for place in flow.near_null("p")] == ["null+8"]
    assert flow.near_null("it") == ()


def test_blocks_without_a_type_get_the_one_that_they_are_used_as(tmp_path: Path) -> None:
    text = "int main(void) { void *raw = malloc(24); struct item *it = raw; it->value = 1; free(it); return 0; }"
    flow = flow_of(program_of(ITEMS + text, tmp_path))
    assert flow.blocks.cells(flow.blocks.kinds[0])[0].name == "item.value"
    text = """int main(void) {
        void *raw = malloc(24);
        if (raw) { struct item *it = raw; it->value = 1; } else { struct head *h = raw; h->next = NULL; }
        return 0;
    }"""
    program = program_of(ITEMS + text, tmp_path)
    flow = flow_of(program)
    (found,) = accesses(program, flow, "it", "value", ValueKind.DATA)
    assert found.confused


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        ("3", {("int[20][]", None, False)}),
        ("20", {("", CheckKind.BOUNDS, False)}),
        ("i", {("int[20][]", None, True)}),
    ],
)
def test_cells_of_arrays(index: str, expected: set[tuple[str, CheckKind | None, bool]], tmp_path: Path) -> None:
    text = f"""extern int __VERIFIER_nondet_int(void);
    int main(void) {{ int a[20], i = __VERIFIER_nondet_int(); a[{index}] = 1; return 0; }}"""
    heap = HeapVocabulary(program_of(text, tmp_path))
    found = [case.access for cases in heap.cases for case in cases if case.access is not None]
    assert {(a.cell.name if a.cell else "", a.fault, a.bounds) for a in found} == expected


def test_an_array_of_few_cells_has_one_for_each_index(tmp_path: Path) -> None:
    text = """extern int __VERIFIER_nondet_int(void);
    int *last(int *a, int n) { return &a[n]; }
    int main(void) {
        int *a = malloc(2 * sizeof *a);
        a[__VERIFIER_nondet_int()] = 1;
        return *last(a, 1);
    }"""
    heap = HeapVocabulary(program_of(ITEMS + text, tmp_path))
    names = {case.access.cell.name for cases in heap.cases for case in cases if case.access and case.access.cell}
    assert names == {"int[][0]", "int[][1]"}
    assert any(case.access.bounds for cases in heap.cases for case in cases if case.access)
