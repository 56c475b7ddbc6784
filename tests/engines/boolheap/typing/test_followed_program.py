"""What pointers lead to, and what the engine makes of `void *`, of arrays, and of steps that it does not follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import Input, analyze, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.engines.boolheap.engine import BoolHeap
from heapwright.engines.boolheap.typing.followed_program import FollowedProgram, unsupported
from heapwright.engines.boolheap.typing.object_types import ObjectTypes
from heapwright.program.checks import DEREF_KINDS, FREE_KINDS, CheckKind, Goal
from heapwright.program.graph import Program
from heapwright.result.outcomes import Result, Verdict

MEMORY = frozenset((*DEREF_KINDS, *FREE_KINDS, CheckKind.LEAK, CheckKind.ASSERT))
HEAD = """
#include <assert.h>
#include <stdlib.h>
struct crate { struct crate *under; int weight; };
struct label { int weight; struct crate *on; };
static void *get(unsigned long size) { void *block = malloc(size); if (!block) abort(); return block; }
static void drop(void *block) { free(block); }
extern int more(void);
"""


def lowered(body: str, tmp_path: Path) -> Program:
    path = tmp_path / "program.c"
    path.write_text(HEAD + body)
    return build(Input((str(path),)), lambda phase: None)


def result_of(body: str, tmp_path: Path) -> Result:
    return run_engine(BoolHeap(), lowered(body, tmp_path), Goal(kinds=MEMORY), Limits(), NullProgress())


def open_kinds(result: Result) -> set[str]:
    return {one.check.kind.value for one in result.outcomes if one.verdict is not Verdict.PROVED}


STACK = """
int main(void) {
    struct crate *top = NULL;
    while (more()) { struct crate *one = get(sizeof *one); one->under = top; top = one; }
    while (top) { struct crate *next = top->under; drop(top); top = next; }
    return 0;
}"""


def test_a_wrapper_of_malloc_is_no_obstacle(tmp_path: Path) -> None:
    assert open_kinds(result_of(STACK, tmp_path)) == set()


@pytest.mark.parametrize(
    ("good", "bad", "kind"),
    [
        ("next = top->under; drop(top)", "next = top->under; drop(next)", "use-after-free"),
        ("drop(top); top = next", "top = next", "leak"),
        ("while (top) {", "while (more()) {", "null-deref"),
        ("drop(top); top", "drop(top); drop(top); top", "double-free"),
    ],
)
def test_twins_are_not_proved(good: str, bad: str, kind: str, tmp_path: Path) -> None:
    assert good in STACK
    assert kind in open_kinds(result_of(STACK.replace(good, bad), tmp_path))


BOTH = """
int main(void) {
    struct crate *crate = get(sizeof *crate);
    struct label *label = get(sizeof *label);
    crate->under = NULL; label->on = crate;
    struct crate *same = label->on;
    same->weight = 1;
    drop(crate); drop(label);
    return 0;
}"""


def test_one_wrapper_makes_objects_of_two_types(tmp_path: Path) -> None:
    types = ObjectTypes(lowered(BOTH, tmp_path))
    assert types.everywhere("crate") == {"crate"} == types.everywhere("same")
    assert types.everywhere("label") == {"label"}
    assert types.everywhere("get::block") == {"crate", "label"}
    assert types.cells["label", "on"] == {"crate"}


def test_what_a_wrapper_frees_has_no_fields_afterwards(tmp_path: Path) -> None:
    """The parameter of `drop` has two types, and the fields of either end with their object."""
    result = result_of(BOTH, tmp_path)
    assert open_kinds(result) <= {"leak"}
    late = BOTH.replace("drop(label);", "drop(label); crate = label->on;")
    assert "use-after-free" in open_kinds(result_of(late, tmp_path))


def test_an_object_is_accessed_by_its_own_fields(tmp_path: Path) -> None:
    """The first member of a crate is a pointer, that of a label a number: nothing is known of such an access."""
    confused = """
int main(void) {
    struct label *label = get(sizeof *label);
    label->weight = 0; label->on = NULL;
    struct crate *crate = (struct crate *)(void *)label;
    if (crate->under) crate->under->weight = 2;
    free(label);
    return 0;
}"""
    program = lowered(confused, tmp_path)
    assert FollowedProgram(program).first_stop.endswith("'under' is not supported")
    assert open_kinds(result_of(confused, tmp_path)) != set()


ARRAY = """
int main(void) {
    int *numbers = malloc(10 * sizeof *numbers);
    numbers[3] = 1;
    int *here = numbers;
    STEP
    free(here);
    return 0;
}"""


def test_an_array_is_an_object_without_contents(tmp_path: Path) -> None:
    assert open_kinds(result_of(ARRAY.replace("STEP", ""), tmp_path)) == {"bounds"}


def test_a_pointer_that_has_moved_cannot_be_freed(tmp_path: Path) -> None:
    assert "invalid-free" in open_kinds(result_of(ARRAY.replace("STEP", "here++;"), tmp_path))


def test_numbers_read_from_an_array_are_anything(tmp_path: Path) -> None:
    assert "assert" in open_kinds(result_of(ARRAY.replace("STEP", "assert(numbers[3] == 1);"), tmp_path))


def test_pointers_read_from_an_array_lead_anywhere(tmp_path: Path) -> None:
    body = """
int main(void) {
    struct crate **all = malloc(4 * sizeof *all);
    all[0] = get(sizeof **all);
    struct crate *one = all[0];
    free(one);
    struct crate *two = all[0];
    two->weight = 3;
    free(all);
    return 0;
}"""
    assert {"use-after-free", "null-deref"} <= open_kinds(result_of(body, tmp_path))


def test_what_is_not_on_the_heap_is_not_freed(tmp_path: Path) -> None:
    body = """
int main(void) {
    struct crate here = { NULL, 0 };
    struct crate *one = &here, *two = get(sizeof *two);
    two->under = one;
    free(more() ? one : two);
    return 0;
}"""
    assert "invalid-free" in open_kinds(result_of(body, tmp_path))


def test_small_blocks_are_not_proved_large(tmp_path: Path) -> None:
    body = "int main(void) { struct crate *one = malloc(8); one->under = NULL; one->weight = 1; free(one); return 0; }"
    assert open_kinds(result_of(body, tmp_path)) == {"bounds"}


BEHIND = """
struct pair { struct crate first, second; };
int main(void) {
    struct crate *one = get(sizeof *one);
    one->under = NULL;
    drop(one);
    struct pair *pair = get(sizeof *pair);
    struct crate *inner = &pair->second;
    inner->under = inner;
    inner->under->under = NULL;
    drop(pair);
    return 0;
}"""


def test_nothing_is_proved_behind_a_step_that_is_not_followed(tmp_path: Path) -> None:
    program = lowered(BEHIND, tmp_path)
    followed = FollowedProgram(program)
    assert unsupported(followed) == "" != followed.first_stop
    result = result_of(BEHIND, tmp_path)
    proved = {one.check.span.line for one in result.outcomes if one.verdict is Verdict.PROVED}
    line = next(number for number, text in enumerate((HEAD + BEHIND).splitlines(), 1) if "one->under = NULL" in text)
    assert line in proved
    assert not any(one > line + 1 for one in proved)


def test_a_violation_is_found_where_part_of_a_program_is_not_followed(tmp_path: Path) -> None:
    program = lowered(BEHIND.replace("drop(one);", "drop(one); one->weight = 4;"), tmp_path)
    result = analyze(program, Goal(kinds=MEMORY), "boolheap", Limits(), NullProgress())
    assert "use-after-free" in {o.check.kind.value for o in result.outcomes if o.verdict is Verdict.VIOLATED}


INPUT = """
#include <heapwright.h>
struct box { struct box *next; void *held; };
int main(void) {
    struct box *box = hw_any();
    if (box) {
        void *held = box->held;
        STEP
    }
    return 0;
}"""


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        ("free(held);", "invalid-free"),
        ("struct crate *crate = held; if (crate) crate->weight = 1;", "invalid-deref"),
        ("assert(held == box);", "assert"),
        ("if (held) assert(held != box);", "assert"),
    ],
)
def test_nothing_is_known_of_what_an_input_holds(step: str, kind: str, tmp_path: Path) -> None:
    assert kind in open_kinds(result_of(INPUT.replace("STEP", step), tmp_path))


def test_what_an_input_holds_may_be_held_by_another(tmp_path: Path) -> None:
    step = "box->next = NULL; box->held = held; assert(box->next == NULL);"
    assert "assert" not in open_kinds(result_of(INPUT.replace("STEP", step), tmp_path))
