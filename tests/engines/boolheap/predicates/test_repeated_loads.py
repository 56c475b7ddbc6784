"""Where it matters what a field led to when it was read before."""

from __future__ import annotations

from pathlib import Path

from heapwright.analysis.pipeline import Input, build
from heapwright.engines.boolheap.logic.formulas import Field, Name
from heapwright.engines.boolheap.predicates.repeated_loads import repeated_loads
from heapwright.program import commands as c

SOURCE = """
#include <stdlib.h>
struct node { struct node *next, *prev; };
int main(void) {
    struct node *x = calloc(1, sizeof *x);
    if (x->prev)
        x->prev->next = x->next;
    CHANGE
    if (x->next)
        return 1;
    return 0;
}"""


def in_use(change: str, tmp_path: Path) -> dict[str, set[int]]:
    """By field of `x`: the lines of the commands before which it is in use."""
    path = tmp_path / "program.c"
    path.write_text(SOURCE.replace("CHANGE", change))
    program = build(Input((str(path),)), lambda phase: None)
    found: dict[str, set[int]] = {"next": set(), "prev": set()}
    for location, terms in enumerate(repeated_loads(program)):
        for term in terms:
            assert isinstance(term, Field)
            assert isinstance(term.base, Name)
            if term.base.id == "x":
                found[term.field].update(edge.span.line for edge in program.graph.successors[location])
    return found


def test_between_two_reads(tmp_path: Path) -> None:
    found = in_use("", tmp_path)
    assert found["prev"] == {6, 7}
    assert found["next"] == {7, 9}


def test_a_write_by_the_same_name_ends_it(tmp_path: Path) -> None:
    assert in_use("x->next = NULL;", tmp_path)["next"] == set()
    assert in_use("x = NULL;", tmp_path)["next"] == set()


def test_a_write_by_another_name_does_not(tmp_path: Path) -> None:
    assert in_use("struct node *y = calloc(1, sizeof *y); y->next = x;", tmp_path)["next"] >= {7, 8, 9}


def test_loads_of_other_variables_are_others(tmp_path: Path) -> None:
    source = SOURCE.replace("CHANGE", "struct node *y = x; if (y->next) y->next = NULL;")
    path = tmp_path / "program.c"
    path.write_text(source)
    program = build(Input((str(path),)), lambda phase: None)
    bases = {edge.command.base for edge in program.graph.edges if isinstance(edge.command, c.Load)}
    assert {"x", "y"} <= bases
    assert all(term != Field("next", Name("y")) for terms in repeated_loads(program) for term in terms)
