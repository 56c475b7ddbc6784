"""Boolean heaps as formulas in the names of the user."""

from __future__ import annotations

from pathlib import Path

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.boolheap.domain.vectors import Vector, VectorSet
from heapwright.engines.boolheap.engine import BoolHeap
from heapwright.engines.boolheap.logic.parser import parse
from heapwright.engines.boolheap.predicate_topics import formula_of
from heapwright.program.checks import Goal

SOURCE = """#include <stdlib.h>
struct node { struct node *next; };
static struct node *push(struct node *list) {
    struct node *made = malloc(sizeof *made);
    made->next = list;
    return made;
}
int main(void) {
    struct node *list = push(NULL);
    list->next = NULL;
    free(list);
    return 0;
}"""


def lines_of(tmp_path: Path) -> dict[int, tuple[str, ...]]:
    path = tmp_path / "program.c"
    path.write_text(SOURCE)
    program = build(Input((str(path),)), lambda phase: None)
    result = run_engine(BoolHeap(), program, Goal(pictures=True), Limits(), NullProgress())
    return {topic.span.line: topic.text for topic in result.topics if topic.span is not None}


def test_a_line_has_a_formula_for_each_heap(tmp_path: Path) -> None:
    (formula,) = lines_of(tmp_path)[10]
    first, *others = formula.removeprefix("for all v: ").split("\n    or ")
    assert others
    for vector in (first, *others):
        assert all(parse(literal) for literal in vector.split(" & "))
    (alive,) = [vector for vector in (first, *others) if "alive(v)" in vector.split(" & ")]
    assert "list = v" in alive.split(" & ")
    assert not any("push::" in vector or "$" in vector for vector in (first, *others))


def test_names_of_two_variables_stay_apart(tmp_path: Path) -> None:
    """In `push`, both the parameter and the variable of `main` are called `list`."""
    path = tmp_path / "program.c"
    path.write_text(SOURCE)
    program = build(Input((str(path),)), lambda phase: None)
    own = [parse(f"{name} = v") for name in ("list", "push::list", "push::made")]
    heap = VectorSet([Vector(0b101, 0b010), Vector(0b010, 0b101)])
    assert {one.source_name for one in program.variables.values()} >= {"list", "made"}
    assert "made = v & push::list != v" not in formula_of(heap, own[1:], 0b11, program)
    both = formula_of(heap, own, 0b111, program)
    assert both == "for all v: list = v & made = v & push::list != v\n    or push::list = v & list != v & made != v"
