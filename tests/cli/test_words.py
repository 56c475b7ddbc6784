"""What users read: in their own words, and once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli.hand_made import Heapwright

from heapwright.engines.api import Limits
from heapwright.engines.tvl import engine

STRINGS = """#include <string.h>
#include <stdlib.h>
struct list { struct list *next; char c; };
struct two { struct list *head, *tail; };
int main(void) {
  char *s = "hello";
  char buf[8];
  strcpy(buf, s);
  char d = buf[1];
  struct list *l = malloc(sizeof *l);
  l->c = 'x';
  struct two q;
  struct list **pp = &q.tail;
  *pp = l;
  free(l);
  return (*pp)->c + d;
}
"""

LIST = """#include <stdlib.h>
struct list { struct list *next; };
int main(void) {
  struct list *l = malloc(sizeof *l);
  l->next = 0;
  free(l);
  return 0;
}
"""


@pytest.fixture
def said(heapwright: Heapwright) -> str:
    Path("a.c").write_text(STRINGS, encoding="utf-8")
    return heapwright("run", "a.c", "-v").err


def test_a_call_of_the_library_is_one_step(said: str) -> None:
    steps = [line for line in said.splitlines() if re.match(r" +\d+  a\.c:8:", line)]
    assert [line.partition(": ")[2] for line in steps] == ["strcpy(buf, s)"]
    assert "source" not in said  # a parameter of the model


def test_strings_and_characters(said: str) -> None:
    assert 's = "hello"\n' in said
    assert "d = buf[1], that is 'e'\n" in said
    assert "l->c = 'x'\n" in said
    assert '&buf ──> #1 char[8] {[0..5]: "hello"}' in re.sub(r"#\d+ char", "#1 char", said)
    assert "string 1" not in said


def test_parts_of_objects_have_the_names_of_the_user(said: str) -> None:
    assert "──.tail──>" in said
    assert "$" not in said
    assert "──*──" not in said


def test_heaps_have_no_variables_of_the_library(heapwright: Heapwright) -> None:
    """Nor functions that no pointer leads to."""
    Path("a.c").write_text(
        "#include <stdio.h>\n#include <stdlib.h>\n"
        "static int cmp(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }\n"
        "static int none(void) { return 0; }\n"
        "int main(int argc, char **argv) {\n"
        "    char t[2] = {2, 1}; int (*f)(void) = none; int *p = 0; int c = getchar();\n"
        "    qsort(t, 2, 1, cmp);\n"
        "    return argc > 1 && argv[1] && f ? *p + c : 0;\n}\n",
        encoding="utf-8",
    )
    heap = heapwright("check", "a.c", "--engine", "explore").out.partition("heap at the end:")[2]
    assert "f, &none ──> " in heap
    assert "char *[]" in heap
    assert "cmp" not in heap.partition("\n\n")[0]
    assert "standard" not in heap


def test_the_argument_of_a_library_function_that_fails(heapwright: Heapwright) -> None:
    Path("a.c").write_text(
        "#include <string.h>\nint main(void) { char *name = 0; return strlen(name) > 3; }\n", encoding="utf-8"
    )
    assert "a.c:2:41: error: `name` is null here [null-deref]" in heapwright("check", "a.c", "--engine", "explore").out


def test_an_assertion_fails_and_is_not_called(heapwright: Heapwright) -> None:
    text = "#include <assert.h>\nint n(void); int main(void) { double d = n(); assert(d < 2.5); return 0; }\n"
    Path("a.c").write_text(text, encoding="utf-8")
    out = heapwright("check", "a.c", "--engine", "explore").out
    assert "a.c:2:47: 'd < 2.5' may be false [assert]" in out
    assert "approximated values" in out  # how d follows from an input is not followed
    Path("a.c").write_text(text.replace("double d", "int d").replace("2.5", "2"), encoding="utf-8")
    assert "error: the assertion `d < 2` fails" in heapwright("check", "a.c", "--engine", "explore").out


def test_what_is_not_supported_is_said_in_the_words_of_the_source(heapwright: Heapwright) -> None:
    Path("a.c").write_text(
        "#include <stdlib.h>\nstruct outer { struct { int *first, *second; } inner; };\n"
        "int main(void) {\n  struct outer *x = malloc(sizeof *x);\n"
        "  int **p = &x->inner.second; *p = 0; free(x); return 0; }\n",
        encoding="utf-8",
    )
    out = heapwright("check", "a.c", "--engine", "boolheap").out
    assert "a.c:4:21: 'malloc(sizeof *x)' is not supported" in out
    assert "$" not in out
    assert "= new" not in out


def test_globals_are_initialised_under_a_heading(heapwright: Heapwright) -> None:
    Path("a.c").write_text("int g = 3, *p = &g; int main(void) { return *p; }\n", encoding="utf-8")
    lines = heapwright("run", "a.c", "-v").err.splitlines()
    assert lines[0].strip() == "in main:"
    assert sum("in main:" in line for line in lines) == 1


def test_an_input_has_one_name(heapwright: Heapwright) -> None:
    Path("a.c").write_text(
        "struct n { struct n *next; };\nvoid *f(struct n *l) { return l->next; }\n", encoding="utf-8"
    )
    assert "l, l" not in heapwright("check", "a.c", "--function", "f", "--engine", "explore").out
    assert "l, l" not in heapwright("show", "a.c", "--function", "f").out


def test_choices_that_the_run_has_no_use_for(heapwright: Heapwright) -> None:
    Path("a.c").write_text(
        "int __VERIFIER_nondet_int(void);\nint main(void) { return __VERIFIER_nondet_int(); }\n", encoding="utf-8"
    )
    said = heapwright("run", "a.c", "--choices", "1,2,-1,0")
    assert (said.code, said.err) == (0, "heapwright: warning: the run had no choice for 2, -1, 0 of --choices\n")
    assert heapwright("run", "a.c", "--choices", "-1").err == ""


def test_an_option_of_another_command(heapwright: Heapwright) -> None:
    said = heapwright("check", "a.c", "--line", "3")
    assert said.code == 2
    assert said.err.startswith("heapwright: error: unknown option '--line', which is one of 'heapwright show' (see")


def test_no_checks(heapwright: Heapwright) -> None:
    Path("a.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    said = heapwright("check", "a.c", "--property", "unreach-call")
    called = r"neither __VERIFIER_error nor reach_error is called \([^()]*\)"
    assert re.search(
        rf"no checks: nothing to prove in main about unreach-call: {called} \(explore, [\d.]+ s\)", said.out
    )


def test_one_picture_in_a_file(heapwright: Heapwright) -> None:
    Path("a.c").write_text(LIST, encoding="utf-8")
    said = heapwright("show", "a.c", "--line", "5", "-o", "heap.svg")
    assert (said.code, said.out) == (0, "wrote 1 picture to heap.svg\n")
    assert Path("heap.svg").read_text(encoding="utf-8").startswith("<svg ")
    assert heapwright("show", "a.c", "--line", "5", "-o", "heap.dot").code == 0
    assert Path("heap.dot").read_text(encoding="utf-8").startswith("digraph ")
    several = heapwright("show", "a.c", "-o", "all.svg")
    assert (several.code, several.err.count("\n"), Path("all.svg").exists()) == (2, 1, False)
    assert "'all.svg' is the file of one picture, and there are " in several.err


def test_what_was_drawn_within_the_time_is_shown(heapwright: Heapwright, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[None] = []

    def expired(self: Limits) -> bool:
        if self.deadline == 0:
            drawn.append(None)
        return len(drawn) > 2

    monkeypatch.setattr(Limits, "expired", expired)
    monkeypatch.setattr(engine, "_share_of_drawing", lambda start, limits: Limits(deadline=0))
    Path("a.c").write_text(LIST, encoding="utf-8")
    said = heapwright("show", "a.c", "-o", "out")
    assert said.code == 3
    assert "wrote 2 pictures to out/index.html" in said.out
    assert "the time limit was reached: 2 of " in said.err


@pytest.mark.parametrize(
    ("condition", "message"),
    [("i < 0 || i > 4", "the array has 4 cells"), ("i < -1 || i > 3", "the index is negative")],
)
def test_an_index_beside_a_small_array(heapwright: Heapwright, condition: str, message: str) -> None:
    text = f"int f(int i) {{ int a[4] = {{0}}; return {condition} ? 0 : a[i]; }}\n"
    Path("a.c").write_text(text, encoding="utf-8")
    out = heapwright("check", "a.c", "--function", "f", "--engine", "explore").out
    assert f"error: `a[i]` is out of bounds: {message} [bounds]" in out
