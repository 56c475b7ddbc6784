"""What programs look like in the wild: preprocessed text, headers, several files, functions of every declaration."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from witness.hand_made import call, marked, program_of, run_of

from heapwright.program.checks import CheckKind
from heapwright.program.trace import Choice, Run
from heapwright.witness.c_test import Confirmation, confirm, write_c_test
from heapwright.witness.source_text import closing_parenthesis, inlined, scan

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc to compile the test with")


def confirmed(
    sources: dict[str, str], run: Run, folder: Path, files: tuple[str, ...] = (), defines: tuple[str, ...] = ()
) -> Confirmation:
    assert run.violation is not None
    path = write_c_test(program_of(sources, files), run, folder, defines=defines)
    return confirm(path, run.violation)


def holds(answer: Confirmation) -> None:
    assert answer.confirmed, f"{answer.reason}\n{answer.output}"


PREPROCESSED = """# 1 "orig.c"
# 1 "<built-in>"
typedef unsigned int size_t;
# 466 "/usr/include/stdlib.h" 3 4
extern void *malloc (size_t __size) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__)) ;
extern void free (void *__ptr) __attribute__ ((__nothrow__ , __leaf__));
extern int printf (const char *__restrict __format, ...);
extern void abort (void) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
extern void __assert_fail (const char *__assertion, const char *__file, unsigned int __line, const char *__function);
# 7 "orig.c"
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
typedef struct cell { struct cell *next; } cell;
# 99 "orig.c"
int main() {
  cell *p = (cell *) malloc(sizeof(cell));
#line 500 "elsewhere.c"
  unsigned long n = __VERIFIER_nondet_ulong();
  p->next = 0;
  printf("%lu\\n", n);
  if (__VERIFIER_nondet_bool() && n > 4294967295UL)
    free(p);
  ((void) 0, ((p->next == 0) ? (void) (0) : __assert_fail ("p", "orig.c", 3, "main"))); // HERE
  return 0;
}
"""


@needs_gcc
def test_preprocessed_file_with_markers(tmp_path: Path) -> None:
    big = call(PREPROCESSED, "__VERIFIER_nondet_ulong", (1 << 64) - 1)
    yes = call(PREPROCESSED, "__VERIFIER_nondet_bool", 1)
    holds(confirmed({"list.c": PREPROCESSED}, run_of(PREPROCESSED, CheckKind.USE_AFTER_FREE, big, yes), tmp_path))


@needs_gcc
def test_assertion_in_a_preprocessed_file_is_placed_by_its_call(tmp_path: Path) -> None:
    text = PREPROCESSED.replace("p->next = 0;", "p->next = p;")
    holds(confirmed({"list.c": text}, run_of(text, CheckKind.ASSERT), tmp_path))


@needs_gcc
@pytest.mark.parametrize(
    "declaration",
    ["extern int __VERIFIER_nondet_int(void);", "int __VERIFIER_nondet_int();", ""],
    ids=["prototype", "old style", "none"],
)
def test_every_declaration_fits(declaration: str, tmp_path: Path) -> None:
    text = f"{declaration}\nint main(void) {{\n  int x = __VERIFIER_nondet_int();\n  if (x < -5)\n" + (
        "    *(int *)0 = x; // HERE\n  return 0;\n}\n"
    )
    run = run_of(text, CheckKind.NULL_DEREF, call(text, "__VERIFIER_nondet_int", -(1 << 31)))
    holds(confirmed({"list.c": text}, run, tmp_path))


@needs_gcc
def test_undeclared_malloc_and_external_functions(tmp_path: Path) -> None:
    text = """struct node { struct node *next; };
extern void log_it(const char *, int);
short external(int);
int main(void) {
  struct node *p = malloc(sizeof(struct node));
  log_it("x", 1);
  unknown_too(2);
  if (external(3) == -7)
    free(p);
  p->next = 0; // HERE
  return 0;
}
"""
    run = run_of(text, CheckKind.USE_AFTER_FREE, call(text, "external", -7, file="list.c"))
    holds(confirmed({"list.c": text}, run, tmp_path))


@needs_gcc
def test_casts_and_operators_are_no_calls(tmp_path: Path) -> None:
    text = """#include <stddef.h>
struct inner { int x; };
struct outer { int y; struct inner in; };
static void nothing(void) {}
int main(void) {
  struct outer o, *p = &o;
  const typeof(((struct outer *)0)->in) *m = &p->in;
  void (*f)(void) = (void (*)(void))nothing;
  f();
  p = (struct outer *)((char *)m - offsetof(struct outer, in));
  if (p == &o && _Alignof(int) && __builtin_expect(1, 1))
    p = (void *)0;
  return p->y; // HERE
}
"""
    holds(confirmed({"list.c": text}, run_of(text, CheckKind.NULL_DEREF), tmp_path))


@needs_gcc
def test_functions_that_the_program_defines_stay_its_own(tmp_path: Path) -> None:
    text = """typedef unsigned long size_t;
static char pool[1000];
static int used;
void *malloc(size_t n) { void *p = pool + used; used += n; return p; }
void free(void *p) { if (!p) *(int *)p = 0; } // HERE
void __VERIFIER_assume(int c) { if (!c) { LOOP: goto LOOP; } }
void exit(int c) { free(0); }
int main(void) { int *p = malloc(8); __VERIFIER_assume(p == (int *)pool); free(p); exit(0); return 0; }
"""
    holds(confirmed({"list.c": text}, run_of(text, CheckKind.NULL_DEREF), tmp_path))


@needs_gcc
def test_values_go_to_the_line_of_their_call(tmp_path: Path) -> None:
    """gcc evaluates arguments from the right."""
    text = """int __VERIFIER_nondet_int(void);
static int f(void) { return __VERIFIER_nondet_int(); } // FIRST
static int g(void) { return __VERIFIER_nondet_int(); } // SECOND
static void check(int a, int b) {
  if (a == 1 && b == 2)
    *(int *)0 = 1; // HERE
}
int main(void) { check(f(), g()); return 0; }
"""
    choices: list[Choice] = [
        call(text, "__VERIFIER_nondet_int", 1, "FIRST"),
        call(text, "__VERIFIER_nondet_int", 2, "SECOND"),
    ]
    holds(confirmed({"list.c": text}, run_of(text, CheckKind.NULL_DEREF, *choices), tmp_path))


@needs_gcc
def test_headers_are_put_in_place(tmp_path: Path) -> None:
    header = '#pragma once\n#include <stdlib.h>\n#include "../types.h"\nint *make(void);\n'
    types = "#ifndef T\n#define T\nstatic inline int bad(int *p) {\n  return *p; // HERE\n}\n#endif\n"
    main = (
        '/*\n#include "lost.h"\n*/\n#include "inc/list.h"\n#include "inc/list.h"\nint main(void) { return bad(0); }\n'
    )
    sources = {"src/list.c": main, "src/inc/list.h": header, "src/types.h": types}
    run = run_of(types, CheckKind.NULL_DEREF, file="src/types.h")
    holds(confirmed(sources, run, tmp_path, ("src/list.c",)))
    assert [p.name for p in tmp_path.iterdir()] == ["types-4-null-deref.c"]


@needs_gcc
def test_several_files_with_the_same_static_names(tmp_path: Path) -> None:
    one = "#include <stdlib.h>\nstatic int n = 1;\nint *get(void);\nint main(void) { int *p = get(); return *p + n; }\n"
    two = (
        "#include <stdlib.h>\nstatic int *n;\nint __VERIFIER_nondet_int(void);\nint *get(void) {\n  n = malloc(4);\n"
        "  if (__VERIFIER_nondet_int() == 5)\n    free(n);\n  return n + *n; // HERE\n}\n"
    )
    run = run_of(two, CheckKind.USE_AFTER_FREE, call(two, "__VERIFIER_nondet_int", 5, file="two.c"), file="two.c")
    holds(confirmed({"one.c": one, "two.c": two}, run, tmp_path, ("one.c", "two.c")))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["two-8-use-after-free-2.c", "two-8-use-after-free.c"]


@needs_gcc
def test_macros_of_the_command_line(tmp_path: Path) -> None:
    text = "int main(void) {\n#ifdef BAD\n  return *(int *)BAD; // HERE\n#endif\n  return 0;\n}\n"
    holds(confirmed({"list.c": text}, run_of(text, CheckKind.NULL_DEREF), tmp_path, defines=("BAD=0", "OTHER")))


@needs_gcc
def test_main_of_every_form(tmp_path: Path) -> None:
    for form in ["void main()", "int main(int argc, char **argv)", "main()"]:
        text = f"{form} {{\n  int *p = 0;\n  *p = 1; // HERE\n}}\n"
        holds(confirmed({"list.c": text}, run_of(text, CheckKind.NULL_DEREF), tmp_path))


def test_scan_sees_definitions_declarations_and_calls() -> None:
    text = """extern int foo(int (*callback)(void)) __attribute__((noreturn));
struct s { int a; } x;
struct s *make(void) { return 0; }
static __attribute__((noinline)) int old(a, b) int a; char *b; { bar(); if (a) handler(3); return sizeof(int); }
int (*handler)(int);
int values[] = { 1, 2 };
typedef int (*type)(int);
#define MACRO(x) x
int main() { /* not(this) */ return "nor(this)" == 0; }
"""
    found = scan(text)
    assert set(found.defined) == {"make", "old", "main"}
    assert found.declared == {"foo", "make", "old", "main"}
    assert found.called == {"bar", "handler"}
    assert {"handler", "x", "values"} <= found.objects
    assert found.macros == {"MACRO"}
    assert text[found.defined["make"] :].startswith(" return 0;")


def test_closing_parenthesis_of_a_call() -> None:
    text = "int x;\n  x = f(g(1),\n ')') + f(2);\n"
    assert closing_parenthesis(text, 2, 3, "f") == (3, 5)
    assert closing_parenthesis(text, 3, 6, "f") == (3, 12)
    assert closing_parenthesis(text, 3, 1, "h") is None
    assert closing_parenthesis(text, 9, 1, "f") is None


def test_inlining_keeps_lines_and_ends_with_recursion() -> None:
    sources = {"a.c": '#include "a.h"\nint x;', "a.h": '#include "a.h"\nint y;\n'}
    text = inlined("a.c", sources, {})
    assert text == '#line 1 "a.c"\n#line 1 "a.h"\n#line 2 "a.h"\nint y;\n#line 2 "a.c"\nint x;\n'


def test_marks_are_found() -> None:
    assert marked("\nx // HERE", "HERE") is not None
