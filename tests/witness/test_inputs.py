"""Tests of one function: the input heap is built before the call."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from witness.hand_made import marked, program_of, run_of

from heapwright.base.source import Span
from heapwright.program.checks import CheckKind
from heapwright.program.graph import Entry, Program
from heapwright.program.trace import Choice, ChoiceKind
from heapwright.program.types import ObjectType
from heapwright.witness.c_test import confirm, write_c_test
from heapwright.witness.inputs import function_call
from heapwright.witness.source_text import heading_of

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc to compile the test with")

TEXT = """#include <stdlib.h>
struct node { struct node *next; int data; };

static int remove_second(struct node *list,
                         int wanted, void *unused)
{
    struct node *extra = malloc(sizeof *extra), *second = list->next;
    extra->data = wanted;
    if (second->data == extra->data) {
        list->next = second->next;
        free(second);
    }
    free(extra);
    return second->next == list; // HERE
}

int main(void) { return 0; }
"""


def pointer(line: int, column: int, value: int, target: int = -1, **place: int) -> Choice:
    return Choice(
        ChoiceKind.INPUT, "input pointer", value, Span("list.c", line, column), target=target, type="node", **place
    )


def program(text: str, function: str) -> Program:
    plain = program_of({"list.c": text}, entry=Entry(function, any_heap=True))
    return replace(plain, types={"node": ObjectType("node", 16)})


@needs_gcc
@pytest.mark.parametrize(("wanted", "fails"), [(-4, True), (5, False)])
def test_a_function_is_called_with_its_heap(wanted: int, fails: bool, tmp_path: Path) -> None:
    """Blocks 0 and 2 are inputs, block 1 is the program's own; the second object points back to the first."""
    run = run_of(
        TEXT,
        CheckKind.USE_AFTER_FREE,
        pointer(4, 26, 1, target=0),
        Choice(ChoiceKind.INPUT, "input data", wanted, Span("list.c", 5, 26)),
        pointer(7, 60, 1, target=2, block=0, offset=0, size=8),
        Choice(ChoiceKind.INPUT, "input data", -4, Span("list.c", 9, 9), block=2, offset=8, size=4),
        pointer(10, 22, 2, target=0, block=2, offset=0, size=8),
        block=2,
    )
    assert run.violation is not None
    path = write_c_test(program(TEXT, "remove_second"), run, tmp_path)
    answer = confirm(path, run.violation)
    assert answer.confirmed is fails, f"{answer.reason}\n{answer.output}"


@needs_gcc
def test_inputs_of_the_specification_header(tmp_path: Path) -> None:
    text = """#include "heapwright.h"
struct node { struct node *next; int data; };
int main(void) {
    struct node *list = hw_any_list(next); // LIST
    int n = hw_any_int(); // INT
    if (list && list->next && n == 3)
        return list->next->next->data; // HERE
    return 0;
}
"""
    here, number = marked(text, "LIST"), marked(text, "INT")
    assert here is not None
    assert number is not None
    run = run_of(
        text,
        CheckKind.NULL_DEREF,
        pointer(here.line, 25, 1, target=0),
        Choice(ChoiceKind.INPUT, "__hw_any_int", 3, number),
        pointer(6, 15, 1, target=1, block=0, offset=0, size=8),
        pointer(7, 16, 0, block=1, offset=0, size=8),
    )
    assert run.violation is not None
    whole = replace(program(text, "main"), entry=Entry())
    answer = confirm(write_c_test(whole, run, tmp_path), run.violation)
    assert answer.confirmed, f"{answer.reason}\n{answer.output}"


@needs_gcc
def test_an_external_function_gives_an_input_object(tmp_path: Path) -> None:
    text = """struct node { struct node *next; int data; };
struct node *external(int);
int main(void) {
    struct node *p = external(1);
    return p->next->data; // HERE
}
"""
    run = run_of(
        text,
        CheckKind.NULL_DEREF,
        pointer(4, 22, 1, target=0),
        pointer(5, 12, 0, block=0, offset=0, size=8),
    )
    assert run.violation is not None
    whole = replace(program(text, "main"), entry=Entry())
    answer = confirm(write_c_test(whole, run, tmp_path), run.violation)
    assert answer.confirmed, f"{answer.reason}\n{answer.output}"


def test_parameters_get_the_choices_placed_in_them_and_the_others_in_order() -> None:
    text = "int f(void *p, int (*g)(int, int),\n long long n, char c[3]) { return 0; }\n"
    heading = heading_of(text, "f")
    assert heading is not None
    assert [text[start:end].strip() for start, end in heading.parameters] == [
        "void *p",
        "int (*g)(int, int)",
        "long long n",
        "char c[3]",
    ]
    run = run_of(
        "// HERE",
        CheckKind.NULL_DEREF,
        Choice(ChoiceKind.INPUT, "input data", 1, Span("list.c", 1, 1)),
        Choice(ChoiceKind.INPUT, "input data", 7, Span("list.c", 2, 2)),
    )
    call = function_call(program(text, "f"), run)
    assert "((long long (*)())f)((void *)hw_test_argument(0), 0, (long long)hw_test_argument(1), 0);" in call


def test_a_function_without_parameters() -> None:
    text = "void f(void) {}\n"
    assert "((long long (*)())f)();" in function_call(program(text, "f"), run_of("// HERE", CheckKind.NULL_DEREF))
    assert heading_of(text, "g") is None


@needs_gcc
def test_variables_get_their_inputs(tmp_path: Path) -> None:
    text = """struct node { struct node *next; int data; };
static struct node *head;
static int limit = 3;
extern long elsewhere;
extern struct node *unused;
int f(void) {
    if (unused && limit == 3)
        return 0;
    if (limit == -1 && elsewhere == 1L << 40)
        return head->next->data; // HERE
    return 0;
}
"""
    run = run_of(
        text,
        CheckKind.NULL_DEREF,
        pointer(2, 1, 1, target=0),
        Choice(ChoiceKind.INPUT, "global limit", -1, Span("list.c", 3, 1)),
        Choice(ChoiceKind.INPUT, "global elsewhere", 1 << 40, Span("list.c", 4, 1)),
        pointer(10, 16, 0, block=0, offset=0, size=8),
    )
    assert run.violation is not None
    answer = confirm(write_c_test(program(text, "f"), run, tmp_path), run.violation)
    assert answer.confirmed, f"{answer.reason}\n{answer.output}"


@needs_gcc
def test_main_gets_its_count(tmp_path: Path) -> None:
    text = "int main(int n, char **words) {\n  if (n == 5)\n    return *words[1]; // HERE\n  return 0;\n}\n"
    run = run_of(text, CheckKind.NULL_DEREF, Choice(ChoiceKind.INPUT, "parameter n", 5, Span("list.c", 1, 5)))
    assert run.violation is not None
    answer = confirm(write_c_test(program_of({"list.c": text}), run, tmp_path), run.violation)
    assert answer.confirmed, f"{answer.reason}\n{answer.output}"
