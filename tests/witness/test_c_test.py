"""Tests written from hand-made runs fail under gcc at the line that the violation names, and only there."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from witness.hand_made import call, marked, program_of, run_of, uninitialised

from heapwright.base.errors import InputError, UsageError
from heapwright.base.source import Span
from heapwright.program.checks import CheckKind
from heapwright.program.trace import Choice, Ending, Run
from heapwright.witness.c_test import confirm, write_c_test

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc to compile the test with")

NODE = "#include <stdlib.h>\nstruct node { struct node *next; int data; };\n"


@dataclass(frozen=True)
class Case:
    name: str
    kind: CheckKind
    text: str
    choices: tuple[Choice, ...] = ()
    block: int = -1
    error_function: str = ""
    cleanup: bool = False

    def run(self) -> Run:
        return run_of(
            self.text,
            self.kind,
            *self.choices,
            block=self.block,
            error_function=self.error_function,
            cleanup=self.cleanup,
        )


def nondet(text: str, *values: int) -> tuple[Choice, ...]:
    return tuple(call(text, "__VERIFIER_nondet_int", value) for value in values)


GUARDED = (
    NODE
    + """extern int __VERIFIER_nondet_int(void);
int main(void) {
    struct node *p = 0;
    if (__VERIFIER_nondet_int() == 7)
        p = malloc(sizeof *p);
    p->data = 1; // HERE
    free(p);
    return 0;
}
"""
)

LOOP_LEAK = (
    NODE
    + """int __VERIFIER_nondet_int();
int main() {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *p = malloc(sizeof *p); // ALLOC
        p->next = 0;
        list = p;
    }
    free(list);
    return 0;
}
"""
)

CASES = [
    Case("null struct member", CheckKind.NULL_DEREF, GUARDED, nondet(GUARDED, 3)),
    Case(
        "null plain pointer in a callee",
        CheckKind.NULL_DEREF,
        "static int get(int *p) {\n    return *p; // HERE\n}\nint main(void) { return get(0); }\n",
    ),
    Case(
        "failed malloc",
        CheckKind.NULL_DEREF,
        NODE + "int main(void) {\n  struct node *p = malloc(sizeof *p);\n  struct node *q = malloc(sizeof *q);\n"
        "  p->data = 1;\n  q->data = 1; // HERE\n  return 0;\n}\n",
        (call("malloc(1);", "malloc", 0), call("\nmalloc(1);", "malloc", 1)),
    ),
    Case(
        "address of a null pointer's field is no access",
        CheckKind.NULL_DEREF,
        NODE + "int main(void) {\n  struct node *p = 0;\n  int *d = &p->data;\n  *d = 1; // HERE\n  return 0;\n}\n",
    ),
    Case(
        "uninitialised pointer",
        CheckKind.INVALID_DEREF,
        NODE + "int use(struct node *q) { struct node *r = q; return r == 0; }\nint main(void) {\n"
        "  struct node *p, *q = malloc(sizeof *q);\n  use(q);\n  p->data = 1; // HERE\n  return 0;\n}\n",
    ),
    Case(
        "uninitialised field",
        CheckKind.INVALID_DEREF,
        NODE
        + "int main(void) {\n  struct node *p = malloc(sizeof *p);\n  p->next->data = 1; // HERE\n  return 0;\n}\n",
    ),
    Case(
        "out of scope",
        CheckKind.INVALID_DEREF,
        "int main(void) {\n  int *p;\n  { int x = 1; p = &x; }\n  return *p; // HERE\n}\n",
    ),
    Case(
        "variable of a function that returned",
        CheckKind.INVALID_DEREF,
        "int *f(void) { int x = 1; int *p = &x; return p; }\n"
        "int main(void) {\n  int *p = f();\n  return *p; // HERE\n}\n",
    ),
    Case(
        "use after free",
        CheckKind.USE_AFTER_FREE,
        NODE + "int main(void) {\n  struct node *p = calloc(1, sizeof *p); // ALLOC\n  free(p);\n"
        "  return p->data; // HERE\n}\n",
        block=0,
    ),
    Case(
        "use after realloc",
        CheckKind.USE_AFTER_FREE,
        NODE + "int main(void) {\n  int *p = malloc(8), *q = realloc(p, 16);\n  q[3] = 1;\n"
        "  p[0] = 1; // HERE\n  return 0;\n}\n",
    ),
    Case(
        "double free",
        CheckKind.DOUBLE_FREE,
        NODE
        + "void drop(void *p) {\n  free(p); // HERE\n}\nint main(void) { void *p = malloc(4); drop(p); drop(p); }\n",
        block=0,
    ),
    Case(
        "free of a variable",
        CheckKind.INVALID_FREE,
        NODE + "int main(void) {\n  struct node n;\n  free(&n); // HERE\n  return 0;\n}\n",
    ),
    Case(
        "free of an inner pointer",
        CheckKind.INVALID_FREE,
        NODE + "int main(void) {\n  struct node *p = malloc(sizeof *p);\n  free(&p->data); // HERE\n  return 0;\n}\n",
    ),
    Case(
        "free of an uninitialised pointer",
        CheckKind.INVALID_FREE,
        NODE + "int main(void) {\n  struct node *p;\n  free(p); // HERE\n  return 0;\n}\n",
    ),
    Case("leak in a loop", CheckKind.LEAK, LOOP_LEAK, nondet(LOOP_LEAK, 1, 1), block=0),
    Case(
        "leak, and no end",
        CheckKind.LEAK,
        NODE + "int main(void) {\n  void *p = malloc(4); // ALLOC\n  p = malloc(8);\n  while (1) ;\n}\n",
        block=0,
    ),
    Case(
        "leak before exit",
        CheckKind.LEAK,
        NODE + "int main(void) {\n  void *p = malloc(4); // ALLOC\n  p = malloc(8);\n  exit(0);\n}\n",
        block=0,
    ),
    Case(
        "leak before another failure",
        CheckKind.LEAK,
        NODE + "int *z;\nint main(void) {\n  z = malloc(4); // ALLOC\n  z = 0;\n  return *z;\n}\n",
        block=0,
    ),
    Case(
        "leak by free, and then a use after free",
        CheckKind.LEAK,
        NODE + "static void drop(struct node *p) {\n  if (p) {\n    free(p);\n    drop(p->next);\n  }\n}\n"
        "int main(void) {\n  struct node *p = malloc(sizeof *p);\n  p->next = calloc(1, sizeof *p); // ALLOC\n"
        "  drop(p);\n  return 0;\n}\n",
        block=1,
    ),
    Case(
        "leak of what a leaked block holds",
        CheckKind.LEAK,
        NODE + "int main(void) {\n  struct node *p = malloc(sizeof *p);\n  p->next = malloc(sizeof *p); // ALLOC\n"
        "  return 0;\n}\n",
        block=1,
    ),
    Case(
        "cleanup counts what a global holds",
        CheckKind.LEAK,
        NODE + "void *kept;\nint main(void) {\n  kept = malloc(4); // ALLOC\n  return 0;\n}\n",
        block=0,
        cleanup=True,
    ),
    Case(
        "assert",
        CheckKind.ASSERT,
        "#include <assert.h>\nint main(void) {\n  int x = 1;\n  assert(x == 2); // HERE\n  return 0;\n}\n",
    ),
    Case(
        "undefined error function",
        CheckKind.ASSERT,
        "extern void __VERIFIER_error() __attribute__ ((__noreturn__));\nint main(void) {\n"
        "  ERROR: __VERIFIER_error(); // HERE\n}\n",
        error_function="__VERIFIER_error",
    ),
    Case(
        "error function with an empty body",
        CheckKind.ASSERT,
        "void reach_error() {}\nint main(void) {\n  reach_error(); // HERE\n  return 0;\n}\n",
        error_function="reach_error",
    ),
    Case(
        "error function that asserts",
        CheckKind.ASSERT,
        "#include <assert.h>\nvoid reach_error() { assert(0); }\nvoid __VERIFIER_assert(int c) {\n  if (!c) {\n"
        "    reach_error(); // HERE\n  }\n}\nint main(void) { __VERIFIER_assert(0); return 0; }\n",
        error_function="reach_error",
    ),
    Case(
        "heap array",
        CheckKind.BOUNDS,
        NODE + "int main(void) {\n  int *a = malloc(4 * sizeof(int));\n  for (int i = 0; i <= 4; i++)\n"
        "    a[i] = i; // HERE\n  return 0;\n}\n",
    ),
    Case(
        "stack array",
        CheckKind.BOUNDS,
        "int main(void) {\n  int a[4], i;\n  for (i = 0; i <= 4; i++)\n    a[i] = i; // HERE\n  return 0;\n}\n",
    ),
    Case(
        "array inside a struct",
        CheckKind.BOUNDS,
        "struct s { int a[2]; int b[2]; } s;\nint main(void) {\n  int i = 2;\n  return s.a[i]; // HERE\n}\n",
    ),
    Case(
        "block smaller than the struct",
        CheckKind.BOUNDS,
        NODE + "int main(void) {\n  struct node *p = malloc(sizeof(p));\n  p->data = 1; // HERE\n  return 0;\n}\n",
    ),
    Case(
        "list that is cyclic",
        CheckKind.SHAPE,
        '#include <assert.h>\n#include "heapwright.h"\nstruct node { struct node *next; };\nint main(void) {\n'
        "  struct node a, b;\n  a.next = &b; b.next = &a;\n  assert(hw_acyclic(&a, next)); // HERE\n  return 0;\n}\n",
    ),
    Case(
        "block that the list does not reach",
        CheckKind.SHAPE,
        '#include <assert.h>\n#include <stdlib.h>\n#include "heapwright.h"\nstruct node { struct node *next; };\n'
        "int main(void) {\n  struct node *p = calloc(1, sizeof *p), *q;\n  assert(hw_all_reachable(p, next));\n"
        "  q = malloc(sizeof *q);\n  assert(hw_all_reachable(p, next)); // HERE\n  return 0;\n}\n",
    ),
    Case(
        "block that neither list reaches",
        CheckKind.SHAPE,
        '#include <assert.h>\n#include <stdlib.h>\n#include "heapwright.h"\nstruct node { struct node *next; };\n'
        "int main(void) {\n  struct node *p = calloc(1, sizeof *p), *q = calloc(1, sizeof *q), *r;\n"
        "  assert(hw_all_reachable_from(p, q, next));\n  q->next = p;\n  assert(hw_all_reachable(q, next));\n"
        "  r = malloc(sizeof *r);\n  assert(hw_all_reachable_from(q, p, next)); // HERE\n  return 0;\n}\n",
    ),
    Case(
        "uninitialised variable that is 0",
        CheckKind.NULL_DEREF,
        "int main(void) {\n  int x, *p = 0;\n  if (x == 0)\n    *p = 1; // HERE\n  return 0;\n}\n",
        (uninitialised(0),),
    ),
    Case(
        "uninitialised field with a value",
        CheckKind.NULL_DEREF,
        NODE + "int main(void) {\n  struct node *p = malloc(sizeof *p);\n  if (p->data == -3)\n"
        "    p = 0;\n  p->next = 0; // HERE\n  return 0;\n}\n",
        (uninitialised(-3, block=0, offset=8),),
    ),
]


@pytest.mark.exhaustive(4)
@needs_gcc
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_fails_at_the_line(case: Case, tmp_path: Path) -> None:
    run = case.run()
    assert run.violation is not None
    path = write_c_test(program_of({"list.c": case.text}), run, tmp_path)
    answer = confirm(path, run.violation)
    assert answer.confirmed, f"{answer.reason}\n{answer.output}"


@needs_gcc
@pytest.mark.parametrize("kind", [kind for kind in CheckKind if kind is not CheckKind.LEAK], ids=lambda k: k.value)
def test_says_no_to_a_safe_program(kind: CheckKind, tmp_path: Path) -> None:
    text = NODE + "int main(void) {\n  void *p = malloc(4);\n  free(p); // HERE\n  return 0;\n}\n"
    run = run_of(text, kind)
    assert run.violation is not None
    answer = confirm(write_c_test(program_of({"list.c": text}), run, tmp_path), run.violation)
    assert not answer.confirmed
    assert answer.reason == "the test ended without a report"


@needs_gcc
@pytest.mark.parametrize(
    ("name", "body", "reason"),
    [
        ("freed", "void *p = malloc(4); free(p); return 0;", "block 0 was freed"),
        ("global", "kept = malloc(4); return 0;", "block 0 is still reachable"),
        ("local at exit", "void *p = malloc(4); exit(0);", "block 0 is still reachable"),
        ("in a register", "kept = first(malloc(4), __VERIFIER_nondet_int()); return 0;", "block 0 is still reachable"),
        ("static", "static void *p; p = malloc(4); return 0;", "block 0 is still reachable"),
        ("through a block", "kept = malloc(8); *(void **)kept = malloc(4); return 0;", "block 1 is still reachable"),
        ("none", "return 0;", "block 0 was never allocated"),
    ],
)
def test_says_no_to_a_leak_that_is_none(name: str, body: str, reason: str, tmp_path: Path) -> None:
    first = "void *kept;\nint __VERIFIER_nondet_int(void);\nstatic void *first(void *p, int n) { return p; }\n"
    text = NODE + first + f"int main(void) {{\n  {body} // ALLOC\n}}\n"
    run = run_of(text, CheckKind.LEAK, block=1 if name == "through a block" else 0)
    assert run.violation is not None
    answer = confirm(write_c_test(program_of({"list.c": text}), run, tmp_path), run.violation)
    assert (answer.confirmed, answer.reason) == (False, reason)


@needs_gcc
@pytest.mark.slow
@pytest.mark.parametrize("body", ["void *p = malloc(4); while (1) ;", "spin(malloc(4));"])
def test_what_an_endless_loop_holds_is_no_leak(body: str, tmp_path: Path) -> None:
    """Also below the top of the stack, where a function that calls nothing has its variables."""
    text = NODE + f"static void spin(void *p) {{ while (1) ; }}\nint main(void) {{\n  {body} // ALLOC\n}}\n"
    run = run_of(text, CheckKind.LEAK, block=0)
    assert run.violation is not None
    answer = confirm(write_c_test(program_of({"list.c": text}), run, tmp_path), run.violation)
    assert (answer.confirmed, answer.reason) == (False, "the program was still running when the time was up")
    assert "heapwright: block 0 is still reachable" in answer.output


@needs_gcc
def test_says_no_when_the_failure_is_elsewhere_or_of_another_kind(tmp_path: Path) -> None:
    run = run_of(GUARDED, CheckKind.NULL_DEREF, *nondet(GUARDED, 3))
    violation = run.violation
    assert violation is not None
    path = write_c_test(program_of({"list.c": GUARDED}), run, tmp_path)
    elsewhere = replace(violation, check=replace(violation.check, span=Span("list.c", 9, 5)))
    assert "failed at list.c:8, not at list.c:9" in confirm(path, elsewhere).reason
    other = replace(violation, check=replace(violation.check, kind=CheckKind.DOUBLE_FREE))
    assert confirm(path, other).reason.startswith("the test failed with a different error: ")
    other_file = replace(violation, check=replace(violation.check, span=Span("tree.c", 8, 5)))
    assert not confirm(path, other_file).confirmed


@needs_gcc
def test_other_choices_take_another_path(tmp_path: Path) -> None:
    run = run_of(GUARDED, CheckKind.NULL_DEREF, *nondet(GUARDED, 7))
    assert run.violation is not None
    assert not confirm(write_c_test(program_of({"list.c": GUARDED}), run, tmp_path), run.violation).confirmed


@needs_gcc
def test_an_assumption_that_fails_ends_the_test(tmp_path: Path) -> None:
    text = "void __VERIFIER_assume(int);\nint main(void) {\n  __VERIFIER_assume(0);\n  return *(int *)0; // HERE\n}\n"
    run = run_of(text, CheckKind.NULL_DEREF)
    assert run.violation is not None
    answer = confirm(write_c_test(program_of({"list.c": text}), run, tmp_path), run.violation)
    assert (answer.confirmed, answer.reason) == (False, "an assumption does not hold")


def test_a_run_without_violation_or_text_makes_no_test(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="requires a run with a violation"):
        write_c_test(program_of({"list.c": GUARDED}), Run((), (), Ending.EXIT), tmp_path)
    with pytest.raises(UsageError, match="requires the source text"):
        write_c_test(program_of({}), run_of(GUARDED, CheckKind.NULL_DEREF), tmp_path)


def test_a_directory_that_cannot_be_made_gets_a_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(InputError, match="it is not a directory"):
        write_c_test(program_of({"list.c": GUARDED}), run_of(GUARDED, CheckKind.NULL_DEREF), blocked)


def test_same_run_same_text(tmp_path: Path) -> None:
    program, run = program_of({"list.c": GUARDED}), run_of(GUARDED, CheckKind.NULL_DEREF, *nondet(GUARDED, 3))
    first = write_c_test(program, run, tmp_path / "a")
    second = write_c_test(program, run, tmp_path / "b")
    assert first.name == "list-8-null-deref.c"
    assert first.read_bytes() == second.read_bytes()


def test_marks_are_found() -> None:
    assert marked(GUARDED, "HERE") == Span("list.c", 8, 1)
