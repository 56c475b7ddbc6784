"""Input heaps: any that a function may get, decided as they are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.engines.tvl.engine import Tvl
from heapwright.program.checks import Goal
from heapwright.program.commands import Assume
from heapwright.program.dataflow.dead_ends import is_dead_end
from heapwright.program.expressions import ShapeLiteral
from heapwright.program.graph import Program
from heapwright.result.outcomes import Verdict

HEADER = """
#include <assert.h>
#include <stdlib.h>
#include "heapwright.h"
struct node { struct node *next, *prev; int data; };
"""


def program_of(text: str, folder: Path, function: str | None = None) -> Program:
    path = folder / "inputs.c"
    path.write_text(HEADER + text, encoding="utf-8")
    return build(Input((str(path),), function=function), lambda phase: None)


def open_kinds(text: str, folder: Path, function: str | None = None) -> set[str]:
    """The kinds of checks that are not proved."""
    program = program_of(text, folder, function)
    result = run_engine(Tvl(), program, Goal(), Limits(), NullProgress())
    assert result.complete, result.limit
    return {outcome.check.kind.value for outcome in result.outcomes if outcome.verdict is not Verdict.PROVED}


WALK = "while (x) x = x->next;"
FREE = "while (x) { struct node *next = x->next; free(x); x = next; }"


@pytest.mark.parametrize(
    ("body", "unproved"),
    [
        (WALK, set()),  # it may not end, and that is no check
        ("x = x->next;", {"null-deref"}),
        ("if (x) x = x->next;", set()),
        ("if (x && y) { free(x); free(y); }", {"double-free"}),  # both may be one
        ("if (x && y) { free(x); x->next = NULL; }", {"use-after-free"}),
        # an unread input cell may point to a freed object that is otherwise unreachable
        (
            "hw_assume(x && x->next && x->next != x && x->next->next && x->next->next != x->next); y = x->next->next;"
            "free(x->next); x->next = y; if (y != x && y->next) y->next->data = 1;",
            {"use-after-free"},
        ),
        ("hw_assume(hw_acyclic(x, next)); assert(hw_acyclic(x, next));", set()),
        ("assert(hw_acyclic(x, next));", {"shape"}),
        ("hw_assume(hw_acyclic(x, next) && hw_disjoint(x, y, next)); if (x) assert(x != y);", set()),
        ("hw_assume(x && hw_cyclic(x, next)); x = x->next; x = x->next; assert(hw_cyclic(x, next));", set()),
        ("hw_assume(hw_dll(x, next, prev)); if (x && x->next) assert(x->next->prev == x);", set()),
        ("if (x && x->next) assert(x->next->prev == x);", {"assert"}),
        ("hw_assume(hw_reach(x, y, next)); assert(!y || x);", set()),
        ("if (!hw_acyclic(x, next)) return; assert(hw_acyclic(x, next));", set()),
        ("if (hw_acyclic(x, next)) return; assert(x);", set()),
    ],
)
def test_functions_with_any_parameters(body: str, unproved: set[str], tmp_path: Path) -> None:
    assert open_kinds(f"void f(struct node *x, struct node *y) {{ {body} }}", tmp_path, "f") == unproved


@pytest.mark.parametrize(
    ("start", "body", "unproved"),
    [
        ("hw_any_list(next)", FREE, set()),
        ("hw_any_dll(next, prev)", FREE, set()),
        ("hw_any_list(next)", "if (x) free(x);", {"leak"}),  # what the shape looked at is there
        ("hw_any()", "if (x) free(x);", set()),  # unread input cells are exempt
        ("hw_any_cyclic(next)", "if (x) x = x->next->next;", {"leak"}),
        ("hw_any_list(next)", "struct node *y = hw_any_list(next); if (x && y) assert(x != y);", {"assert", "leak"}),
    ],
)
def test_inputs_of_programs(start: str, body: str, unproved: set[str], tmp_path: Path) -> None:
    assert open_kinds(f"int main(void) {{ struct node *x = {start}; {body} return 0; }}", tmp_path) == unproved


def test_input_pointers_may_lead_into_blocks(tmp_path: Path) -> None:
    text = """
    struct box { int a; struct node node; };
    void g(struct box *b, struct node *n) { if (b && n && n != &b->node) n->data = b->a; }
    void f(struct box *b, struct node *n) { if (n && (!b || n != &b->node)) free(n); }
    """
    assert open_kinds(text, tmp_path, "g") == set()
    assert open_kinds(text, tmp_path, "f") == {"invalid-free"}  # it may be that of another box


def test_void_pointers_lead_to_blocks_of_any_size(tmp_path: Path) -> None:
    assert open_kinds("int f(void *p) { struct node *n = p; return n ? n->data : 0; }", tmp_path, "f") == {"bounds"}


def test_the_other_branch_of_an_assumption_is_left_out(tmp_path: Path) -> None:
    program = program_of("void f(struct node *x) { hw_assume(x && hw_acyclic(x, next)); }", tmp_path, "f")
    tests = [edge for edge in program.graph.edges if isinstance(edge.command, Assume)]
    shapes = {
        command.literal.negated: is_dead_end(program, edge.target)
        for edge in tests
        if isinstance(command := edge.command, Assume) and isinstance(command.literal, ShapeLiteral)
    }
    assert shapes == {True: True, False: False}


def test_cells_that_only_a_shape_looks_at_are_inputs_too(tmp_path: Path) -> None:
    program = program_of("int main(void) { struct node *x = hw_any_list(next); free(x); return 0; }", tmp_path)
    assert HeapVocabulary(program).inputs == ("node.next",)
