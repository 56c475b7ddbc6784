"""What surrounds a program: functions that do not return, integers made pointers, globals of a function by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, InputHeaps, analyze, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import Goal
from heapwright.result.outcomes import Result, Verdict

PRELUDE = """#include <assert.h>
#include <stdlib.h>
#include <stdint.h>
int __VERIFIER_nondet_int(void);
"""


def explored(
    folder: Path, text: str, function: str | None = None, inputs: InputHeaps = "separate", engine: str = "explore"
) -> Result:
    file = folder / "input.c"
    file.write_text(PRELUDE + text)
    program = build(Input((str(file),), function, inputs=inputs), phase=lambda _: None)
    return analyze(program, Goal(), engine, Limits(), NullProgress())


def verdict(result: Result) -> str:
    found = {one.verdict for one in result.outcomes}
    if Verdict.VIOLATED in found:
        return "unsafe"
    return "safe" if found <= {Verdict.PROVED} and result.complete else "unknown"


# --- functions that do not return ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "declaration",
    [
        "_Noreturn void die(int);",
        "#include <stdnoreturn.h>\nnoreturn void die(int);",
        "__attribute__((noreturn)) void die(int);",
        "void die(int) __attribute__((__noreturn__));",
        "void die(int); __attribute__((noreturn)) void die(int);",
        "[[noreturn]] void die(int);",
        "[[gnu::noreturn]] void die(int);",
    ],
)
def test_noreturn_ends_a_run(tmp_path: Path, declaration: str) -> None:
    text = declaration + "int main(void) { int *p = 0; if (__VERIFIER_nondet_int()) die(1); else p = &(int){1};"
    assert verdict(explored(tmp_path, text.replace(";int", ";\nint") + " return *p; }")) == "safe"


def test_what_noreturn_does_not_end_goes_on(tmp_path: Path) -> None:
    text = "_Noreturn void die(void);\nint main(void) { int *p = 0; if (__VERIFIER_nondet_int()) die(); return *p; }"
    assert verdict(explored(tmp_path, text)) == "unsafe"


# --- integers made pointers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["(int *)0x400000", "(int *)(uintptr_t)n", "(int *)(intptr_t)(0x400000 + (n & 8))"])
def test_an_integer_made_a_pointer_is_unknown(tmp_path: Path, value: str) -> None:
    text = f"int n = __VERIFIER_nondet_int(); if (!n) return 0; int *p = {value}; n++; return *p;"
    assert verdict(explored(tmp_path, f"int main(void) {{ {text} }}")) == "unknown"


def test_the_first_page_has_no_objects(tmp_path: Path) -> None:
    assert verdict(explored(tmp_path, "int main(void) { int *p = (int *)42; return *p; }")) == "unsafe"


def test_a_round_trip_through_an_integer_keeps_the_pointer(tmp_path: Path) -> None:
    text = "int main(void) { int x = 1; int *p = (int *)(uintptr_t)&x; return *p; }"
    assert verdict(explored(tmp_path, text)) == "safe"


# --- where a program starts ------------------------------------------------------------------------------------------


def test_main_has_no_negative_number_of_arguments(tmp_path: Path) -> None:
    text = "int main(int argc, char **argv) { int *p = 0; (void)argv; if (argc < 0) return *p; return 0; }"
    assert verdict(explored(tmp_path, text)) == "safe"
    assert verdict(explored(tmp_path, text.replace("argc < 0", "argc < 1"))) == "unsafe"


ARGUMENTS = [
    ("if (argc > 1) return argv[1][0];", "safe"),
    ("return argv[1][0];", "unsafe"),
    ("if (argc > 1) return argv[1][1];", "unsafe"),
    ("if (argc > 1 && argv[1][0] == '-' && argv[1][1] == 'v') return argv[1][2];", "safe"),
    ("if (argc > 1 && argv[1][0] == '-' && argv[1][1] == 'v') return argv[1][3];", "unsafe"),
    ("if (argc == 1) return argv[1][0];", "unsafe"),
    ("if (argc == 1) assert(argv[1] == 0 && argv[0] != 0);", "safe"),
    ("if (argc == 2 && argv[3]) return 1;", "unsafe"),
    ("if (argc > 0) { ++argv; if (*argv) return **argv; }", "safe"),
    ("if (argc > 1) free(argv[1]);", "unsafe"),
    ("if (argc > 1) return atoi(argv[1]);", "safe"),
    ("return atoi(argv[1]);", "unsafe"),
    ('const char *name = argc > 1 ? argv[1] : "none"; return (int)strlen(name);', "safe"),
    ("if (argc > 1 && strlen(argv[1]) > 2) return argv[1][2];", "safe"),
    ("if (argc > 1 && strlen(argv[1]) > 2) return argv[1][4];", "unsafe"),
    ('if (argc > 1 && strcmp(argv[1], "-v") == 0) return 1;', "safe"),
    ('if (argc > 1) { int *p = 0; if (strcmp(argv[1], "-v") == 0) return *p; }', "unsafe"),
    ('if (argc > 0) printf("usage: %s file\\n", argv[0]);', "safe"),
    ('printf("usage: %s file\\n", argv[0]);', "unsafe"),
    ("char name[8]; if (argc > 1) strcpy(name, argv[1]);", "unsafe"),
    ("if (argc > 1) return parse(argc, argv);", "safe"),
    ("return parse(argc, argv);", "unsafe"),
    ("if (argc == 2) { argv[1][0] = 'x'; return argv[1][0]; }", "safe"),
]


@pytest.mark.parametrize(("body", "expected"), ARGUMENTS)
def test_arguments_of_main(tmp_path: Path, body: str, expected: str) -> None:
    text = f"""#include <stdio.h>
    #include <string.h>
    static int parse(int count, char *words[]) {{ const char *word = words[1]; return count ? atoi(word) : 0; }}
    int main(int argc, char **argv) {{ {body} return 0; }}"""
    assert verdict(explored(tmp_path, text)) == expected


@pytest.mark.parametrize("engine", ["tvl", "fesa", "boolheap", "lazy"])
def test_no_engine_proves_what_an_argument_may_break(tmp_path: Path, engine: str) -> None:
    for body, expected in ARGUMENTS[1:6]:
        file = tmp_path / "input.c"
        file.write_text(PRELUDE + f"int main(int argc, char **argv) {{ {body} return 0; }}")
        program = build(Input((str(file),)), phase=lambda _: None)
        result = analyze(program, Goal(), engine, Limits(), NullProgress())
        assert expected == "safe" or verdict(result) != "safe"


GLOBALS = """
const int size = 5; static int limit = 8, used, taken = 4; int shared = 4;
static const char *const names[2] = {"a", "b"}; static const int table[3] = {1, 2, 3};
static struct { int a, b[3]; } pair = {1, {2, 3, 4}}; static int cells[2] = {1, 2}, lent[2] = {5, 6};
int *lend(void) { return lent; }
void set(int i) { cells[i] = 3; used++; (&taken)[0] = 1; }
int f(int i) { static int once = 3; assert(CONDITION); return i; }
"""


@pytest.mark.parametrize("code", ["__atomic_store_n(&limit, 2, 0);", 'asm("movl $2, %0" : "=m"(limit));'])
def test_what_is_not_supported_may_write_globals(tmp_path: Path, code: str) -> None:
    text = f"static int limit = 8; void set(void) {{ {code} }}\n"
    text += "int f(void) { static int own = 3; assert(own == 3); assert(limit == 8); return 0; }"
    result = explored(tmp_path, text, "f")
    assert [one.check.subject for one in result.outcomes if one.verdict is Verdict.PROVED] == ["own == 3"]


@pytest.mark.parametrize(
    "kept",
    ["size == 5", "limit == 8", "names[1][0] == 'b'", "table[2] == 3", "pair.a == 1 && pair.b[1] == 3", "once == 3"],
)
def test_globals_that_are_never_written_keep_their_values(tmp_path: Path, kept: str) -> None:
    assert verdict(explored(tmp_path, GLOBALS.replace("CONDITION", kept), "f")) == "safe"


@pytest.mark.parametrize("open_", ["used == 0", "shared == 4", "cells[0] == 1", "lent[1] == 6", "taken == 4"])
def test_other_globals_hold_anything(tmp_path: Path, open_: str) -> None:
    assert verdict(explored(tmp_path, GLOBALS.replace("CONDITION", open_), "f")) == "unsafe"


HOOKS = """
struct hooks { void *(*make)(size_t); void (*drop)(void *); int calls; };
static struct hooks hooks = {malloc, free, 0};
void set_hooks(void *(*make)(size_t), void (*drop)(void *)) { hooks.make = make; hooks.drop = drop; }
void f(void) { int *p = hooks.make(sizeof *p); *p = 1; CONDITION; hooks.drop(p); }
"""


def test_a_table_of_functions_has_its_initial_value(tmp_path: Path) -> None:
    result = explored(tmp_path, HOOKS.replace("CONDITION", ""), "f")
    assert verdict(result) == "safe"
    assert any("functions in 'hooks'" in assumption.text for assumption in result.assumptions)
    assert verdict(explored(tmp_path, HOOKS.replace("CONDITION", "assert(hooks.calls == 0)"), "f")) == "unsafe"


# --- callbacks -------------------------------------------------------------------------------------------------------

CALLBACKS = """
static int seen; void visit(int x) { seen = 7; } static void hidden(int x) { seen = 9; }
struct node { struct node *next; }; struct ops { void (*run)(int); };
static void (*hook)(int); void set_hook(void (*h)(int)) { hook = h; }
static void (*const fixed)(int) = hidden;
void (*find(void))(int);
typedef int (*compare)(const void *, const void *); static int plain(const void *a, const void *b) { return 0; }
"""


@pytest.mark.parametrize(
    "text",
    [
        "void f(void (*c)(int)) { c(1); }",
        "void f(void (*c)(int)) { seen = 0; c(1); assert(seen == 0 || seen == 7 || seen == 9); }",
        "void f(struct ops *o) { if (o && o->run) o->run(1); }",
        "void f(void) { void (*g)(int) = find(); if (g) g(1); }",
        "void f(void) { fixed(1); assert(seen == 9); }",
        "void f(void (*c)(const struct node *)) { struct node n = {0}; c(&n); assert(!n.next); }",
    ],
)
def test_callbacks_are_functions(tmp_path: Path, text: str) -> None:
    assert verdict(explored(tmp_path, CALLBACKS + text, "f")) == "safe"


@pytest.mark.parametrize(
    "text",
    [
        "void f(void (*c)(int)) { seen = 0; c(1); assert(seen == 0); }",
        "void f(struct ops *o) { if (o) o->run(1); }",
        "void f(void) { hook(1); }",
        "void f(void) { void (*g)(int) = find(); g(1); }",
        "void f(void) { void (*g)(int); g(1); }",
        "void f(void (*c)(struct node *)) { struct node n = {0}; c(&n); assert(!n.next); }",
        "void f(struct node *p, void (*c)(struct node *)) { if (p) { p->next = p; c(p); p->next->next = 0; } }",
    ],
)
def test_what_callbacks_may_do(tmp_path: Path, text: str) -> None:
    assert verdict(explored(tmp_path, CALLBACKS + text, "f")) == "unsafe"


def test_a_callback_may_be_a_function_that_it_is_compared_with(tmp_path: Path) -> None:
    text = "void f(compare c) { compare own = plain; int same = 0; if (c == own) same = 1; assert(!same); }"
    assert verdict(explored(tmp_path, CALLBACKS + text, "f")) == "unknown"


# --- inputs that overlap ---------------------------------------------------------------------------------------------

OVERLAPPING = [
    "int g; int f(int *p) { if (!p) return 0; g = 1; *p = 2; assert(g == 1); return 0; }",
    "static int g; int f(int *p) { if (!p) return 0; g = 1; *p = 2; assert(g == 1); return 0; }",
    "struct n { int v; struct n *next; };"
    "int f(struct n **h, struct n *x) { if (!h || !x || !x->next) return 0; *h = 0; return x->next->v; }",
    "struct n { int v; struct n *next; };"
    "int f(struct n *x, struct n **h) { if (!h || !x || !x->next) return 0; *h = 0; return x->next->v; }",
    "struct n { struct n *next; int v; }; static struct n head;"
    "int f(struct n *x) { if (!x) return 0; free(x); return head.v; }",
    "struct p { int a, b; };"
    "int f(struct p *x, int *y) { if (!x || !y) return 0; x->b = 1; *y = 2; assert(x->b == 1); return 0; }",
    "struct in { int k; }; struct out { int a; struct in in; };"
    "void f(struct out *x, struct in *y) { if (!x || !y) return; x->in.k = 1; y->k = 2; assert(x->in.k == 1); }",
]


@pytest.mark.parametrize("text", OVERLAPPING)
def test_inputs_that_overlap(tmp_path: Path, text: str) -> None:
    separate = explored(tmp_path, text, "f")
    assert verdict(separate) == "safe"
    assert any("inputs are separate" in one.text for one in separate.assumptions)
    overlapping = explored(tmp_path, text, "f", "any")
    assert verdict(overlapping) == "unsafe"
    assert not any("inputs are separate" in one.text for one in overlapping.assumptions)


@pytest.mark.parametrize("text", OVERLAPPING[:3])
@pytest.mark.parametrize("engine", ["tvl", "fesa", "boolheap", "lazy"])
def test_no_engine_proves_against_inputs_that_overlap(tmp_path: Path, engine: str, text: str) -> None:
    assert verdict(explored(tmp_path, text, "f", "any", engine)) != "safe"


def test_what_does_not_overlap_is_still_proved(tmp_path: Path) -> None:
    text = (
        "int g; int f(int *p) { if (!p) return 0; *p = 2; g = 1; assert(g == 1); int x = 3; *p = 4; assert(x == 3); }"
    )
    assert verdict(explored(tmp_path, text, "f", "any")) == "safe"


PAIR = "struct pair { int *p; int k; };\n"


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        (PAIR + "int f(struct pair a) { return a.p ? *a.p : 0; }", "safe"),
        (PAIR + "void f(struct pair a) { a.p = 0; }", "safe"),
        (PAIR + "void f(struct pair a) { a.p = malloc(4); }", "unsafe"),
        (PAIR + "struct pair f(void) { struct pair a = {malloc(4), 1}; return a; }", "safe"),
        (PAIR + "struct pair f(void) { struct pair a = {malloc(4), 1}; a.p = 0; return a; }", "unsafe"),
    ],
)
def test_structs_by_value_belong_to_the_caller(tmp_path: Path, text: str, truth: str) -> None:
    assert verdict(explored(tmp_path, text, "f")) == truth


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("int f(int (*g)(int *)) { return g(0); }", "safe"),
        ("struct ops { int (*g)(int *); };\nint f(struct ops *o) { return o && o->g ? o->g(0) : 0; }", "safe"),
        ("int rd(int *x) { return *x; }\nint f(int (*g)(int *)) { return g(0); }", "unsafe"),
        ('int f(int (*g)(const char *, int *)) { int x = 0; return g("x", &x); }', "safe"),
    ],
)
def test_callbacks_get_constants(tmp_path: Path, text: str, truth: str) -> None:
    assert verdict(explored(tmp_path, text, "f")) == truth


@pytest.mark.parametrize("callback", ["drop", "&drop", "(void (*)(void))drop"])
def test_a_conditional_callee_is_handed_a_function(tmp_path: Path, callback: str) -> None:
    """The functions that are called back are those that a call by name would hand over."""
    text = (
        "extern void on(void (*call)(void)), at(void (*call)(void));\nstatic int dropped;\n"
        "static void drop(void) { dropped = 1; }\n"
        "int main(void) { int late = __VERIFIER_nondet_int();"
    )
    call = f" (late ? on : at)({callback});"
    assert verdict(explored(tmp_path, f"{text}{call} assert(dropped == 0 || dropped == 1); return 0; }}")) == "safe"
    assert verdict(explored(tmp_path, f"{text}{call} assert(dropped == 0); return 0; }}")) == "unsafe"
