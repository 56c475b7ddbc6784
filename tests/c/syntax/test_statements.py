"""Statements as the parser reads them, loops above all: libclang does not say which parts of a `for` it shows."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from support.syntax_text import body_text, parsed

PRELUDE = "struct node { int d; struct node *next; } *p, *q; int i, j; unsigned u; char c; void f(int); int g(void);\n"

CASES = {
    "{ i; { j; } }": "{i; {j;}}",
    ";": ";",
    "if (i) f(1);": "if i @f(1);",
    "if (p) i = 1; else if (q) i = 2; else { i = 3; }": "if p (i = 1); else if q (i = 2); else {(i = 3);}",
    "while (p && i++ < 3) p = p->next;": "while (p && ((i++) < 3)) (p = p->next);",
    "do { i--; } while (i);": "do {(i--);} while i",
    "for (int k = 0, m = 1; k < 3; k++) { if (k) continue; break; }": (
        "for (int k = 0; int m = 1; (k < 3); (k++)) {if k continue; break;}"
    ),
    "switch (i) { case 1: f(1); break; case 2 ... 4: case 'a': f(2); default: ; }": (
        "switch i {case 1: @f(1); break; case 2...4: case 97: @f(2); default: ;}"
    ),
    "switch (u) { case -1: ; }": "switch u {case 4294967295: ;}",
    "switch (c) { case -1: ; }": "switch <int>c {case -1: ;}",
    "switch (i) case 3: f(1);": "switch i case 3: @f(1);",
    "goto end; end: i = 1;": "goto end; end: (i = 1);",
    "again: ; goto again;": "again: ; goto again;",
    "return;": "return;",
    "return (void)0;": "return (void)0;",
    "switch (i) { case 1: f(1); __attribute__((fallthrough)); case 2: ; }": ("switch i {case 1: @f(1); ; case 2: ;}"),
    # declarations
    "int k, *l = &k;": "int k; int* l = (&k);",
    "static int count = 3;": "static int count = 3;",
    "extern int elsewhere; elsewhere = 1;": "; (elsewhere = 1);",
    "typedef int number; number k = 1;": "; int k = 1;",
    "struct local { int x; } v = { 1 }; v.x = 2;": "#local@INPUT:4:10 v = {.x = 1}; (v.x = 2);",
    "int inner(int); inner(1);": "; @inner(1);",
    '_Static_assert(sizeof(int) == 4, "int"); enum { A = 3 }; i = A;': "; ; (i = 3);",
    "__auto_type k = i;": "int k = i;",
    "__typeof__(p) k = p;": "#node* k = p;",
    "register int k; volatile int l; const int m = 1;": "int k; int l; int m = 1;",
    "int a[i];": "int[] a of i;",
    "int a[i + 1][4];": "int[4][] a of (i + 1);",
    "int a[4][i];": "long length of a 0 = <long>4; long length of a 1 = <long>i; "
    "int[] a of (length of a 0 * length of a 1);",
    "int (*a)[i] = 0; a[1][2] = 3;": "long length of a 0 = <long>i; int* a = <int*>0; "
    "((a + (<long>1 * length of a 0))[<long>2 below length of a 0] = 3);",
    "typedef int row[i]; row a;": "long length of row 0 = <long>i; int[] a of length of row 0;",
    # what is not expressed is named
    'asm("nop");': ";",
    'asm("bswap %0" : "+r"(i));': "?inline assembly?",
    '__asm__ volatile ("" : "+r"(i) : : "memory");': ";",
    '__asm__ volatile ("" : "=r"(i) : : "memory");': "?inline assembly?",
    "void *l = &&here; here: goto *l;": "void* l = &&here; here: goto *l;",
    "__attribute__((cleanup(fin))) int k = 0;": "int k = 0; {}",
    "AUTO int k = 0; k = 1;": "int k = 0; {(k = 1);}",
}


@pytest.mark.parametrize("text", CASES)
def test_statement(tmp_path: Path, text: str) -> None:
    prelude = PRELUDE.replace("\n", " void fin(int *);\n#define AUTO __attribute__((cleanup(fin)))\n")
    unit = parsed(tmp_path, prelude + f"void w(void)\n{{ {text} }}")
    shown = body_text(unit, "w").removeprefix("{").removesuffix("}")
    assert shown.replace(f"{tmp_path}/input.c", "INPUT") == CASES[text]


PARTS = list(product(("i = 0", ""), ("i < 3", ""), ("i++", "")))


@pytest.mark.parametrize("parts", PARTS)
@pytest.mark.parametrize(
    "form",
    [
        "{prelude} void w(void) {{ for ({0}; {1}; {2}) f(i); }}",
        "{prelude} void w(void) {{ for /* ( ; */ ({0} /* ; */; // ;\n {1} ; {2} ) f(';'); }}",
        "{prelude}\n#define LOOP for ({0}; {1}; {2})\nvoid w(void) {{ LOOP f(i); }}",
        "{prelude}\n#define IN(a, b, c) for (a; b; c)\n#define OUT(a, b, c) IN(a, b, c)\n"
        "void w(void) {{ OUT({0}, {1}, {2}) f(i); }}",
        '{prelude} void w(void) {{ "for (;;)"; for (;;) break; for ({0}; {1}; {2}) f(i); for (i = 1; ; ) ; }}',
    ],
)
def test_absent_parts_of_a_for(tmp_path: Path, parts: tuple[str, str, str], form: str) -> None:
    shown = body_text(parsed(tmp_path, form.format(*parts, prelude=PRELUDE)), "w")
    init = "(i = 0);" if parts[0] else ";"
    condition = "(i < 3)" if parts[1] else ""
    step = "(i++)" if parts[2] else ""
    assert f"for ({init} {condition}; {step}) @f(" in shown


def test_declaration_as_the_only_part_of_a_for(tmp_path: Path) -> None:
    unit = parsed(tmp_path, PRELUDE + "void w(void) { for (struct node *k = p;;) ; }")
    assert body_text(unit, "w") == "{for (#node* k = p; ; ) ;}"


def test_loops_inside_parts_of_loops(tmp_path: Path) -> None:
    text = "void w(void) { for (i = ({ for (;j;) ; 1; }); ; ) for (; ; j++) ; }"
    assert body_text(parsed(tmp_path, PRELUDE + text), "w") == (
        "{for ((i = ({for (; j; ) ; 1;})); ; ) for (; ; (j++)) ;}"
    )


def test_list_macros(tmp_path: Path) -> None:
    text = """
#define each(pos) for (; pos; pos = (pos)->next)
#define while_true(body) for (;;) { body }
void w(void) { each(p) { each(q) f(q->d); } while_true(break;) }
"""
    assert body_text(parsed(tmp_path, PRELUDE + text), "w") == (
        "{for (; p; (p = p->next)) {for (; q; (q = q->next)) @f(q->d);} for (; ; ) {break;}}"
    )
