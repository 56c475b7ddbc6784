"""Functions without a body write what they reach, keep what they are handed, and return memory of their own."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Externals, Input, analyze, build
from heapwright.base.errors import InputError, UnsupportedError
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import Goal
from heapwright.program.commands import External
from heapwright.result.outcomes import Result, Verdict

PRELUDE = """#include <assert.h>
#include <errno.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct n { struct n *next; int v; };
struct point { int x, y; };
void poll(void); void hook(int *); void look(const int *); void move(struct point *); int read(struct point);
void take(struct n *); struct n *get(void); void log_it(const struct n *); void fill(char *, int);
void each(void (*)(int)); void with(void (*)(struct n *), struct n *); void show(struct n **);
int same(int *) __attribute__((pure)); int needs(int *) __attribute__((nonnull));
struct box { struct point *at; struct box *next; const struct point *from; int v; };
void view(const struct box *); void views(const struct box *, int);
int *fresh(void) __attribute__((malloc)); int *there(void) __attribute__((returns_nonnull));
"""


def lowered(folder: Path, text: str, externals: Externals = "havoc") -> Input:
    file = folder / "input.c"
    file.write_text(PRELUDE + text)
    return Input((str(file),), externals=externals)


def analysed(folder: Path, text: str, engine: str = "explore", externals: Externals = "havoc") -> Result:
    program = build(lowered(folder, text, externals), phase=lambda _: None)
    return analyze(program, Goal(), engine, Limits(), NullProgress())


def verdict(result: Result) -> str:
    found = {one.verdict for one in result.outcomes}
    if Verdict.VIOLATED in found:
        return "unsafe"
    return "safe" if found <= {Verdict.PROVED} and result.complete else "unknown"


def main(body: str) -> str:
    return f"int main(void) {{ {body} return 0; }}"


TWICE_CONST = "struct in { int *at; }; struct out { const struct in *in; }; void see(const struct out *);"

CALLED = "int calls; int order(const void *, const void *);"
RAW = "void raw(const void *); void bytes(const char *);"

ARGUMENTS = "void permute(char **); int main(int c, char **v) { BODY return 0; }"
SAFE = [
    main("int *p = fresh(); if (p) { *p = 1; poll(); assert(*p == 1); free(p); }"),
    main("struct n *p = get(); if (p && p->next) p->next->v = 1;"),
    main("struct box b = {0, 0, 0, 7}; view(&b); assert(b.v == 7 && !b.at);"),
    main("struct box c = {0, 0, 0, 1}, b = {0, &c, 0, 7}; view(&b); assert(b.next->v == 1);"),
    main("struct point p = {1, 2}; struct box b = {0, 0, &p, 7}; view(&b); assert(p.x == 1);"),
    main("struct point p = {1, 2}; struct box b = {&p, 0, 0, 7}; view(&b); p.x = 3; poll(); assert(p.x == 3);"),
    main("int x = 0; poll(); assert(x == 0); look(&x); assert(x == 0);"),
    main("for (int i = 0; i < 3; i++) { int x = 0; poll(); assert(x == 0); hook(&x); }"),
    "static int g;" + main("g = 1; poll(); assert(g == 1);"),
    main("int x = 4; same(&x); assert(x == 4);"),
    main("struct point p = {1, 2}; read(p); assert(p.x == 1);"),
    main("struct n *p = malloc(sizeof *p); p->next = 0; take(p);"),
    main("struct n *p = malloc(sizeof *p); p->next = 0; p->v = 1; log_it(p); assert(p->v == 1); free(p);"),
    "static struct n *head;"
    + main("head = malloc(sizeof *head); head->v = 4; poll(); assert(head->v == 4); free(head);"),
    main("struct n *p = get(); if (p) p->v = 1; p = 0;"),
    main("struct n *p = malloc(sizeof *p); p->next = 0; take(p); free(p); struct n *q = get(); if (q) q->v = 1;"),
    main('char buffer[10] = "abc"; fill(buffer, 10); buffer[9] = 0; assert(buffer[9] == 0);'),
    "static int count; static void set(int i) { count = 1; }"
    + main("poll(); assert(count == 0); each(set); assert(count <= 1);"),
    main("int *p = there(); *p = 1;"),
    main("int *p = fresh(); if (p) *p = 1; free(p);"),
    "const int size = 4;" + main("poll(); assert(size == 4);"),
    main("int y = 0; { int c[3] = {0}; hook(c); } poll(); assert(y == 0);"),
    main(
        "int k = 0; again: { int c[2] = {0, 0}; poll(); assert(c[0] == 0); hook(c); if (++k < 3) goto again; } poll();"
    ),
    main("int x = 0, *p = 0; hook(p); assert(x == 0); p = &x; poll(); assert(*p == 0);"),
    "static void f(int *p) { hook(p); }" + main("int x = 0, y = 3, *q = &y; f(&x); assert(*q == 3);"),
    main('char *s = "abc"; fill(s, 0); assert(s[1] == 98);'),
    main("const struct n x = {0, 7}; struct n y = {(struct n *)&x, 1}; take(&y); assert(x.v == 7);"),
    "struct n z; static const struct n x = {&z, 7};" + main("take((struct n *)&x); assert(x.v == 7); z.v = 1;"),
    "static int x; const int *shown = &x;" + main("poll(); assert(x == 0);"),
    "static int x; const int *shown;" + main("shown = &x; poll(); assert(x == 0);"),
    "static int x; struct two { const int *from; int *to; } shown = {&x, 0};" + main("poll(); assert(x == 0);"),
    TWICE_CONST
    + main("int y = 1; struct in i = {&y}; struct out o = {&i}; see(&o); assert(o.in == &i && i.at == &y);"),
    TWICE_CONST
    + "const struct in *shown;"
    + main("int y; struct in i = {&y}; shown = &i; poll(); assert(i.at == &y);"),
    main("int *p = fresh(), *q = fresh(); if (p && q) assert(p != q); free(p); free(q);"),
    "_Noreturn void loop(void (*)(int)); static int *g; static void set(int i) { if (g) *g = i; }" + main("loop(set);"),
    "void part(int *, int *__attribute__((nonnull))) __attribute__((cold));" + main("int x; part(0, &x);"),
    main("void (*f)(const int *) = look; int x = 1; f(&x); assert(x == 1);"),
    "_Noreturn void die(int);" + main("void (*f)(int) = die; f(1); *(int *)0 = 1;"),
    RAW + main("struct point p = {1, 2}; raw(&p); bytes((char *)&p); assert(p.x == 1);"),
    RAW + main("struct n x = {0, 7}; raw(&x); bytes((const char *)&x); assert(x.v == 7);"),
    "static int own(int *p) { return *p; }" + main("int x = 3; errno = 0; own(&x); assert(errno == 0);"),
    main('errno = 0; long v = strtol("12", 0, 10); assert(errno == 0 && v == 12);'),
]

UNSAFE = [
    main("int x = 0; hook(&x); assert(x == 0);"),
    main("struct n *p = get(); if (p && p->next) { poll(); p->next->v = 1; }"),
    main("int *p = there(); *p = 1; poll(); assert(*p == 1);"),
    main("struct n *p = get(); if (!p) return 0; p->v = 1; struct n *q = get(); if (q) q->v = 2; assert(p->v == 1);"),
    "static struct n *f(void) { return get(); }"
    + main("struct n *p = f(); if (!p) return 0; p->v = 1; struct n *q = f(); if (q) q->v = 2; assert(p->v == 1);"),
    main(
        "int y = 0; struct n *p = 0, *q; while (y++ < 2) { q = get(); if (p && q) { q->v = 4; assert(p->v == 3); } "
        "p = q; if (p) p->v = 3; }"
    ),
    ARGUMENTS.replace("BODY", "if (c > 0) { permute(v); return v[0][0]; }"),
    ARGUMENTS.replace("BODY", "permute(v); if (c > 0 && v[0]) { poll(); return v[0][0]; }"),
    ARGUMENTS.replace("BODY", "permute(v); if (c == 0) assert(!v[0]);"),
    ARGUMENTS.replace("BODY", "if (c > 0) { fill(v[0], 3); return v[0][1]; }"),
    main("int x = 0; hook(&x); x = 1; poll(); assert(x == 1);"),
    "int g;" + main("g = 1; poll(); assert(g == 1);"),
    "static int g; static void f(void) { poll(); }" + main("hook(&g); g = 1; f(); assert(g == 1);"),
    "static void f(int n) { if (n > 0) f(n - 1); else poll(); }"
    + main("int x; hook(&x); x = 1; f(2); assert(x == 1);"),
    main("struct point p = {1, 2}; move(&p); assert(p.y == 2);"),
    main("struct n y = {0, 0}, x = {&y, 0}; take(&x); x.next->v = 1;"),
    main("struct n y = {0, 0}, x = {&y, 0}; take(&x); y.v = 1; poll(); assert(y.v == 1);"),
    main(
        "struct n *p = malloc(sizeof *p); take(p); p->v = 3; struct n *q = get(); if (q) q->v = 7; assert(p->v == 3);"
    ),
    main("struct n *p = malloc(sizeof *p); take(p); struct n *q = get(); free(p); if (q) q->v = 1;"),
    "struct n *head;" + main("head = malloc(sizeof *head); poll(); head->v = 1;"),
    "struct n *head;" + main("head = malloc(sizeof *head); head->v = 1; poll(); if (head) assert(head->v == 1);"),
    main("struct n *p = malloc(sizeof *p); p->next = 0; show(&p); p->v = 1;"),
    main("char buffer[10] = \"abc\"; fill(buffer, 10); assert(buffer[1] == 'b');"),
    "static int count; static void add(int i) { count++; }" + main("each(add); assert(count == 0);"),
    "static int count; static void add(int i) { count++; }" + main("each(add); count = 0; poll(); assert(count == 0);"),
    "static void set(struct n *p) { p->v = 1; }" + main("struct n x = {0, 0}; with(set, &x);"),
    main("int *p = 0; needs(p);"),
    main("int *p = fresh(); *p = 1; free(p);"),
    main("int *p = fresh(); p = 0;"),
    main("struct n *p = get(); p->v = 1;"),
    main("struct n *p = malloc(sizeof *p); log_it(p);"),
    "static int x; int *const p = &x;" + main("x = 1; poll(); assert(x == 1);"),
    "static struct n z; static const struct n x = {&z, 7};"
    + main("take((struct n *)&x); z.v = 1; poll(); assert(z.v == 1);"),
    "struct one { int *p; }; void give(struct one);" + main("int x = 0; struct one o = {&x}; give(o); assert(x == 0);"),
    "void (*any(void))(int *);" + main("int x = 0; void (*f)(int *) = any(); if (f) f(&x); assert(x == 0);"),
    "void (*any(void))(int *); static int x;" + main("void (*f)(int *) = any(); if (f) f(&x); assert(x == 0);"),
    main("int c[4] = {0}; hook(c); assert(c[1] == 0);"),
    main("int c[4] = {0}; hook(&c[1]); assert(c[1] == 0);"),
    main("int c[4] = {0}, i = 0; hook(&c[i++]); assert(c[0] == i - 1);"),
    main("struct point p = {1, 2}; hook(&p.y); assert(p.y == 2);"),
    main("int x = 0, *p = &x; hook(p); p = 0; poll(); assert(x == 0);"),
    main("int x = 0, y = 0; int *p = __VERIFIER_nondet_int() ? &x : &y; hook(p); assert(y == 0);"),
    main("int c[2] = {0}, *p = c + 2; hook(--p); assert(c[1] == 0);"),
    main("int x = 0, y = 0, *p = &x, **q = &p; *q = &y; hook(p); assert(y == 0);"),
    main("int x = 0, c[2] = {0}, *p = __VERIFIER_nondet_int() ? &x : c; p++; hook(p); assert(c[1] == 0);"),
    main("int x = 0, c[2] = {0}, *p = __VERIFIER_nondet_int() ? &x : c; p += 1; hook(p); assert(c[1] == 0);"),
    "static void f(int *p) { hook(p); }" + main("int x = 0, c[2] = {0}; f(&x); f(c + 1); assert(x + c[1] == 0);"),
    "static void f(int n, int *up) { int c[2] = {0}; hook(c); if (n) f(n - 1, c); if (up) assert(up[0] == 0); }"
    + main("f(2, 0);"),
    "static int x, y, *p = &x; static void set(int i) { p = &y; }" + main("each(set); hook(p); assert(y == 0);"),
    main("struct point p = {1, 2}; struct box b = {&p, 0, 0, 7}; view(&b); assert(p.x == 1);"),
    main("struct point p = {1, 2}; struct box c = {&p, 0, 0, 1}, b = {0, &c, 0, 7}; views(&b, 1); assert(p.y == 2);"),
    main("struct box b = {0, 0, 0, 7}; b.at = malloc(sizeof *b.at); view(&b); b.at = 0;"),
    "static int y; int *shown = &y;" + main("poll(); assert(y == 0);"),
    "static int y; struct { int *p; } shown[1] = {{&y}};" + main("poll(); assert(y == 0);"),
    "static int y, *a = &y; int **shown = &a;" + main("poll(); assert(y == 0);"),
    "struct in { int *p; }; static int y; static const struct in k = {&y}; const struct in *const shown = &k;"
    + main("poll(); assert(y == 0);"),
    TWICE_CONST + main("int y = 1; struct in i = {&y}; struct out o = {&i}; see(&o); assert(y == 1);"),
    TWICE_CONST
    + "const struct in *shown;"
    + main("int y = 1; struct in i = {&y}; shown = &i; poll(); assert(y == 1);"),
    "static int x; const int *shown;" + main("shown = &x; poll(); assert(shown == &x);"),
    "_Noreturn void loop(void (*)(int)); static int *g; static void set(int i) { *g = i; }" + main("loop(set);"),
    "_Noreturn void loop(void); static int *g; static void set(int i) { *g = i; }"
    + main("int x; g = &x; each(set); g = 0; loop();"),
    "void part(int *, int *__attribute__((nonnull))) __attribute__((cold));" + main("int x; part(&x, 0);"),
    main("void (*f)(int *) = hook; int x = 1; f(&x); assert(x == 1);"),
    main("void (*f)(int *) = hook; int x = 1; f(&x); x = 2; poll(); assert(x == 2);"),
    "int g;" + main("void (*f)(void) = poll; g = 1; f(); assert(g == 1);"),
    "static void own(int *p) { *p = 1; }"
    + main("int x = 1; (__VERIFIER_nondet_int() ? hook : own)(&x); assert(x == 1);"),
    "static void apply(void (*f)(int *), int *p) { f(p); }" + main("int x = 1; apply(hook, &x); assert(x == 1);"),
    "static void own(int *p) { } static void (*const t[])(int *) = {own, hook};"
    + main("int x = 1; t[__VERIFIER_nondet_int() & 1](&x); assert(x == 1);"),
    main("void (*f)(const int *) = (void (*)(const int *))hook; int x = 1; f(&x); assert(x == 1);"),
    "struct ops { void (*run)(struct n *); };"
    + main("struct n y = {0, 2}, x = {&y, 1}; struct ops o = {take}; o.run(&x); x.next->v = 1;"),
    CALLED + main("int a[2] = {2, 1}; qsort(a, 2, sizeof *a, order); assert(calls == 0);"),
    CALLED + main("int a[2] = {1, 2}, k = 2; bsearch(&k, a, 2, sizeof *a, order); assert(calls == 0);"),
    RAW + main("struct point p = {1, 2}; struct box b = {&p, 0, 0, 7}; raw(&b); assert(p.x == 1);"),
    RAW + main("struct point p = {1, 2}; struct box b = {&p, 0, 0, 7}; void *q = &b; raw(q); assert(p.x == 1);"),
    RAW + main("struct point p = {1, 2}; struct box b = {&p, 0, 0, 7}; bytes((char *)&b); assert(p.x == 1);"),
    main("errno = 0; poll(); assert(errno == 0);"),
    main("errno = 0; int *p = malloc(4); free(p); assert(errno == 0);"),
]


@pytest.mark.parametrize("text", SAFE)
def test_safe(tmp_path: Path, text: str) -> None:
    assert verdict(analysed(tmp_path, text)) == "safe"


@pytest.mark.parametrize("text", UNSAFE)
def test_unsafe(tmp_path: Path, text: str) -> None:
    assert verdict(analysed(tmp_path, text)) == "unsafe"


@pytest.mark.parametrize(
    "body",
    [
        "struct n *p = get(); free(p);",
        "struct n *p = get(); if (p) p[1].v = 1;",
        "struct n *p = get(); if (p) free(p->next);",
    ],
)
@pytest.mark.parametrize("engine", ["explore", "tvl", "fesa", "boolheap", "lazy"])
def test_what_lies_beyond_a_result_is_unknown(tmp_path: Path, engine: str, body: str) -> None:
    assert verdict(analysed(tmp_path, main(body), engine)) == "unknown"


@pytest.mark.parametrize("text", [text for text in UNSAFE if "struct n" in text])
@pytest.mark.parametrize("engine", ["tvl", "fesa", "boolheap", "lazy"])
def test_no_engine_proves_what_a_call_may_change(tmp_path: Path, engine: str, text: str) -> None:
    assert verdict(analysed(tmp_path, text, engine)) != "safe"


SET = "static int *g; static void set(int i) { *g = i; } static void no(int i) { (void)i; }"
OPS = "struct ops { void (*run)(int); }; void plug(struct ops *); void keep(void *);"


@pytest.mark.parametrize(
    "text",
    [
        SET + main("void (*f)(int) = set; each(f);"),
        SET + main("each(__VERIFIER_nondet_int() ? set : no);"),
        SET + "void (*shown)(int);" + main("shown = set; poll();"),
        SET + "void (*shown)(int) = set;" + main("poll();"),
        SET + "const struct { void (*f)(int); } shown[] = {{no}, {set}};" + main("poll();"),
        SET + OPS + main("static struct ops o; o.run = set; void *p = &o; keep(p);"),
        SET + OPS + main("static struct ops o; o.run = set; plug(&o); int x; g = &x; each(set);"),
        SET + OPS + "void see(const struct ops *);" + main("static const struct ops o = {set}; see(&o);"),
        "void number(unsigned long);" + main("int x = 1; number((unsigned long)&x); assert(x == 1);"),
        "void number(unsigned long);"
        + main("int x = 1; unsigned long u = (unsigned long)&x; number(u); assert(x == 1);"),
        "#include <string.h>\n" + main("int x = 1, *p = &x; char b[8]; memcpy(b, &p, 8); fill(b, 8); assert(x == 1);"),
    ],
)
def test_what_the_environment_may_find_is_not_proved(tmp_path: Path, text: str) -> None:
    """Functions and addresses that it is not handed by name."""
    assert verdict(analysed(tmp_path, text)) == "unknown"


def test_functions_in_memory_may_be_called_back(tmp_path: Path) -> None:
    text = """struct ops { void (*run)(int); int n; }; void reg(struct ops *); static int count;
    static void add(int i) { count = 1; } static struct ops ops = {add, 0};"""
    assert verdict(analysed(tmp_path, text + main("reg(&ops); poll(); assert(count == 0);"))) == "unknown"
    assert verdict(analysed(tmp_path, text + main("reg(&ops); poll(); assert(count <= 1);"))) == "safe"


def test_a_pure_function_may_return_what_it_was_handed(tmp_path: Path) -> None:
    text = "struct n *find(struct n *) __attribute__((pure));"
    body = "struct n x = {0, 1}; struct n *p = find(&x); if (p) p->v = 2; assert(x.v != 2);"
    assert verdict(analysed(tmp_path, text + main(body))) == "unsafe"


def test_assumptions_are_listed_by_function(tmp_path: Path) -> None:
    texts = [one.text for one in analysed(tmp_path, main("int x; hook(&x); poll();")).assumptions]
    assert {text.split("'")[1] for text in texts if text.startswith("external function")} == {"hook", "poll"}


def test_pure_functions_change_nothing(tmp_path: Path) -> None:
    result = analysed(tmp_path, UNSAFE[0], externals="pure")
    assert verdict(result) == "safe"
    assert any("'hook'" in one.text and "changes no memory" in one.text for one in result.assumptions)


HANDED = [
    ("use-after-free", main("struct n *p = malloc(sizeof *p); free(p); log_it(p);")),
    ("use-after-free", main("struct n *p = malloc(sizeof *p); free(p); take(p);")),
    ("use-after-free", main("int *p = malloc(4 * sizeof *p); int *q = p + 2; free(p); look(q);")),
    ("use-after-free", main("struct box *p = malloc(sizeof *p); free(p); raw(p);") + RAW),
    ("use-after-free", main("struct box *p = malloc(sizeof *p); free(p); hook(&p->v);")),
    ("invalid-deref", main("struct n *p; if (__VERIFIER_nondet_int()) p = 0; log_it(p);")),
    ("invalid-deref", main("int *p; { int x = 1; p = &x; } look(p);")),
    ("invalid-deref", "int *at(void) { int x = 1; int *p = &x; return p; }" + main("hook(at());")),
    (
        "use-after-free",
        main(
            "void (*call)(const int *) = look; int *p = malloc(4); free(p); if (same(p)) call = 0; if (call) call(p);"
        ),
    ),
]


@pytest.mark.parametrize(("kind", "text"), [(kind, RAW + text.replace(RAW, "")) for kind, text in HANDED])
@pytest.mark.parametrize("engine", ["explore", "tvl", "fesa", "boolheap", "lazy", "recency"])
def test_arguments_are_neither_freed_nor_uninitialised(tmp_path: Path, kind: str, text: str, engine: str) -> None:
    try:
        result = analysed(tmp_path, text, engine)
    except UnsupportedError:
        return
    found = {one.check.kind.value: one.verdict for one in result.outcomes if one.verdict is not Verdict.PROVED}
    assert kind in found
    assert engine != "explore" or found[kind] is Verdict.VIOLATED


@pytest.mark.parametrize(
    "body",
    [
        "int a[3] = {0}; look(a + 3); hook(a + 3);",
        "int *p = malloc(3 * sizeof *p); look(p + 3); free(p);",
        "struct n *p = 0; log_it(p); take(p);",
        "raw((void *)(long)__VERIFIER_nondet_int()); raw((void *)-1);",
        "struct n n = {0, 1}; log_it(&n); each(0);",
    ],
)
@pytest.mark.parametrize("engine", ["explore", "tvl", "recency"])
def test_arguments_may_be_null_or_at_an_end(tmp_path: Path, engine: str, body: str) -> None:
    result = analysed(tmp_path, RAW + main(body), engine)
    kinds = {"use-after-free", "invalid-deref"}
    assert not [one for one in result.outcomes if one.verdict is Verdict.VIOLATED]
    assert not [one for one in result.outcomes if one.check.kind.value in kinds and one.verdict is not Verdict.PROVED]


def test_without_effects_arguments_are_not_looked_at(tmp_path: Path) -> None:
    """`--externals pure` is an assumption about all that a call does."""
    assert verdict(analysed(tmp_path, HANDED[0][1], externals="pure")) == "safe"


def test_calls_can_be_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'hook', a function without a body, is refused"):
        build(lowered(tmp_path, UNSAFE[0], "refuse"), phase=lambda _: None)


LISTS = """
int main(void)
{
    int x = 0, some[4] = {0};
    struct point point = {0, 0};
    struct n *list = 0, *other = 0;
    CALLS
    while (__VERIFIER_nondet_int()) {
        struct n *p = malloc(sizeof *p);
        p->next = list; p->v = 1; list = p;
        CALLS
    }
    while (list) { struct n *t = list->next; list->next = other; other = list; list = t; CALLS }
    CALLS
    while (other) { struct n *t = other->next; free(other); other = t; CALLS }
    CALLS
    return 0;
}
"""


@pytest.mark.parametrize(
    "calls", ["hook(&x); log_it(list); log_it(other);", "hook(&point.y); hook(some); hook(&some[x & 1]); take(0);"]
)
@pytest.mark.parametrize("engine", ["tvl", "boolheap", "lazy", "fesa"])
@pytest.mark.slow
def test_calls_beside_a_list_cost_no_proof(tmp_path: Path, engine: str, calls: str) -> None:
    def kinds(calls: str, *, proved: bool) -> Counter[str]:
        result = analysed(tmp_path, LISTS.replace("CALLS", calls), engine)
        return Counter(one.check.kind.value for one in result.outcomes if (one.verdict is Verdict.PROVED) == proved)

    without = kinds("", proved=True)
    assert without["null-deref"] >= 4
    assert kinds(calls, proved=True) >= without
    assert kinds(calls, proved=False) == kinds("", proved=False)


@pytest.mark.parametrize(
    "calls",
    [
        "hook(&x); log_it(list);",
        "hook(some); hook(&point.x);",
        "int *p = &x; hook(p); hook(p ? p : some);",
        'char *s = "abc", line[80]; fill(s, 3); fill(line, 80); s = line; fill(s + 1, 79);',
    ],
)
def test_data_needs_no_command_of_its_own(tmp_path: Path, calls: str) -> None:
    program = build(lowered(tmp_path, LISTS.replace("CALLS", f"{{ {calls} }}")), phase=lambda _: None)
    assert not any(isinstance(edge.command, External) for edge in program.graph.edges)
