"""Initialisers: whatever the user leaves out, each item names the subobject that it initialises."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.syntax_text import expr_text, parsed

PRELUDE = """
struct point { int x, y; };
struct line { struct point from, to; int width; };
struct mixed { char name[4]; union { int i; struct point p; }; int : 4; int last; };
struct node { int d; struct node *next; };
struct flexible { int n; int rest[]; };
int f(void); struct node other;
#define BOTH 0 ... 1
#define ZERO 0
"""

CASES = {
    "int v = 3": "3",
    "int v = {3}": "3",
    "long v = 3": "<long>3",
    'char *v = "ab"': "decay 'ab\\x00'",
    'char v[] = "ab"': "'ab\\x00'",
    'char v[5] = "ab"': "'ab\\x00\\x00\\x00'",
    'char v[2] = "ab"': "'ab'",
    'char v[] = {"ab"}': "'ab\\x00'",
    "char v[3] = {'a', 'b'}": "{[0] = <char>97, [1] = <char>98}",
    "int v[3] = {1, 2}": "{[0] = 1, [1] = 2}",
    "int v[3] = {0}": "{[0] = 0}",
    "int v[3] = {}": "{}",
    "long v[] = {1, 2}": "{[0] = <long>1, [1] = <long>2}",
    "int v[5] = {[2] = 1, 2, [0] = 3}": "{[2] = 1, [3] = 2, [0] = 3}",
    "int v[6] = {[1 ... 3] = 7, 8}": "{[1] = 7, [2] = 7, [3] = 7, [4] = 8}",
    "int v[2][2] = {{1, 2}, {3}}": "{[0] = {[0] = 1, [1] = 2}, [1] = {[0] = 3}}",
    "int v[2][2] = {1, 2, 3}": "{[0][0] = 1, [0][1] = 2, [1][0] = 3}",
    "int v[2][2] = {[0][1] = 1, 2}": "{[0][1] = 1, [1][0] = 2}",
    "int v[2][2] = {[0 ... 1] = {5}}": "{[0] = {[0] = 5}, [1] = {[0] = 5}}",
    "struct point v = {1, 2}": "{.x = 1, .y = 2}",
    "struct point v = {.y = 2}": "{.y = 2}",
    "struct point v = {y: 2}": "{.y = 2}",
    "struct line v = {{1, 2}, {3, 4}, 5}": "{.from = {.x = 1, .y = 2}, .to = {.x = 3, .y = 4}, .width = 5}",
    "struct line v = {1, 2, 3, 4, 5}": "{.from.x = 1, .from.y = 2, .to.x = 3, .to.y = 4, .width = 5}",
    "struct line v = {1, 2, {3}, 5}": "{.from.x = 1, .from.y = 2, .to = {.x = 3}, .width = 5}",
    "struct line v = {.to.y = 1, 2}": "{.to.y = 1, .width = 2}",
    "struct line v = {.to = {1}, .to.y = 9}": "{.to = {.x = 1}, .to.y = 9}",
    "struct line v[2] = {[1].from.y = 1, 2}": "{[1].from.y = 1, [1].to.x = 2}",
    "struct point v[] = {1, 2, 3}": "{[0].x = 1, [0].y = 2, [1].x = 3}",
    'struct mixed v = {"ab", 1, 2}': "{.name = 'ab\\x00\\x00', .$0.i = 1, .last = 2}",
    "struct mixed v = {.p.y = 1, 2}": "{.$0.p.y = 1, .last = 2}",
    "struct mixed v = {{'a'}, {2}, 3}": "{.name = {[0] = <char>97}, .$0 = {.i = 2}, .last = 3}",
    "struct mixed v = {.p = {1, 2}}": "{.$0.p = {.x = 1, .y = 2}}",
    "struct node v = {1, &other}": "{.d = 1, .next = (&other)}",
    "struct node v = {.next = 0}": "{.next = <#node*>0}",
    "union { int i; char c; } v = {.c = 1}": "{.c = <char>1}",
    "union { int i; char c; } v = {1}": "{.i = 1}",
    "struct flexible v = {2, {1, 2}}": "{.n = 2, .rest = {[0] = 1, [1] = 2}}",
    "void *v[] = {&other, f}": "{[0] = <void*>(&other), [1] = <void*>decay @f}",
    "int (*v[])(void) = {f, &f}": "{[0] = decay @f, [1] = (&@f)}",
    "int v[2] = {1, 2, 3}": "{[0] = 1, [1] = 2}",
    "struct point v = (struct point){1, 2}": "(#point){.x = 1, .y = 2}",
    "int *v = (int[]){1, 2}": "decay (int[2]){[0] = 1, [1] = 2}",
}

LOCAL_CASES = {
    "struct point a; struct line v = {a, .to = a, 3}": "{.from = a, .to = a, .width = 3}",
    "struct point a; struct point v = a": "a",
    "struct point a; struct point v = {a.x}": "{.x = a.x}",
    "int v[4] = {[0 ... 3] = f()}": "?range designator with side effects in its initialiser?",
    "int v[99999] = {[0 ... 99998] = 1}": "?this range designator?",
    "int v[2][2] = {[BOTH] = {5}}": "?this range designator?",
    "int v[2][2] = {[ZERO ... 1] = {5}}": "{[0] = {[0] = 5}, [1] = {[0] = 5}}",
    "struct node v = {f(), &v}": "{.d = @f(), .next = (&v)}",
}


@pytest.mark.parametrize("text", CASES)
def test_global_initializer(tmp_path: Path, text: str) -> None:
    unit = parsed(tmp_path, f"{PRELUDE}{text};")
    variable = next(variable for variable in unit.globals if variable.name == "v")
    assert variable.initializer is not None
    assert expr_text(variable.initializer) == CASES[text]


@pytest.mark.parametrize("text", [*CASES, *LOCAL_CASES])
def test_local_initializer(tmp_path: Path, text: str) -> None:
    if "flexible" in text:
        text = f"static {text}"  # C allows it there only
    unit = parsed(tmp_path, f"{PRELUDE}void w(void) {{ {text}; }}")
    body = unit.functions["w"].body
    assert body is not None
    variable = body.statements[-1].variables[-1]  # type: ignore[union-attr]  # a declaration
    assert variable.initializer is not None
    assert expr_text(variable.initializer) == {**CASES, **LOCAL_CASES}[text.removeprefix("static ")]
