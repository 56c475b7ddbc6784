"""The parser as a whole: places in files, bad input in one sentence, headers, depth and speed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.syntax_text import body_text, parsed

from heapwright.base.errors import InputError, UnsupportedError
from heapwright.base.source import Span
from heapwright.c import ast
from heapwright.c.options import ParseOptions
from heapwright.c.parse import parse
from heapwright.c.types import ArrayType, IntegerType
from heapwright.testing.call_budget import call_budget


def statements(unit: ast.TranslationUnit, function: str = "main") -> tuple[ast.Stmt, ...]:
    body = unit.functions[function].body
    assert body is not None
    return body.statements


def place(span: Span) -> tuple[int, int, int, int]:
    return span.line, span.column, span.end_line, span.end_column


# --- places ----------------------------------------------------------------------------------------------------------


def test_places(tmp_path: Path) -> None:
    unit = parsed(
        tmp_path, "struct s { struct s *n; int a[2][2]; } *p;\nint main(void)\n{\n  p->n->n = p;\n  p->a[1][0];\n}\n"
    )
    body = unit.functions["main"].body
    assert body is not None
    assert (body.span.line, body.span.column) == (3, 1)
    assert (body.end.line, body.end.column) == (6, 1)
    assert unit.functions["main"].span == Span(f"{tmp_path}/input.c", 2, 5)
    assign, subscript = (one.expr for one in body.statements if isinstance(one, ast.ExprStmt))
    assert isinstance(assign, ast.Assign)
    assert isinstance(assign.left, ast.Member)
    assert isinstance(subscript, ast.Subscript)
    assert isinstance(subscript.base, ast.Cast)
    assert place(assign.span) == (4, 3, 4, 14)
    assert place(assign.left.span) == (4, 9, 4, 10)  # the second `n`: two dereferences, two places
    assert place(assign.left.base.span) == (4, 6, 4, 7)
    assert place(subscript.span) == (5, 10, 5, 13)
    assert place(subscript.base.operand.span) == (5, 7, 5, 10)


def test_a_macro_is_where_it_is_used(tmp_path: Path) -> None:
    unit = parsed(tmp_path, "#define SET(x) \\\n  x = 1\nint main(void) { int i;\n    SET(i);\n}\n")
    statement = statements(unit)[1]
    assert (statement.span.line, statement.span.column) == (4, 5)


def test_line_markers_are_not_followed(tmp_path: Path) -> None:
    unit = parsed(tmp_path, '# 1 "other.c"\n# 100 "/usr/include/stdio.h" 1 3 4\nint main(void) { return 0; }\n')
    assert unit.functions["main"].span == Span(f"{tmp_path}/input.c", 3, 5)
    assert list(unit.sources) == [f"{tmp_path}/input.c"]


def test_columns_count_characters(tmp_path: Path) -> None:
    unit = parsed(tmp_path, 'int main(void) { /* größe */ "ü"; return 0; }\n')
    assert statements(unit)[1].span.column == 35


def test_sources(tmp_path: Path) -> None:
    (tmp_path / "list.h").write_text("static inline int one(void) { return 1; }\n")
    (tmp_path / "empty.h").write_text("#define NOTHING\n")
    text = '#include <stdlib.h>\n#include "list.h"\n#include "empty.h"\nint main(void) { malloc(1); return one(); }\n'
    unit = parsed(tmp_path, text)
    assert unit.sources == {
        f"{tmp_path}/input.c": text,
        f"{tmp_path}/list.h": "static inline int one(void) { return 1; }\n",
    }


def test_names_of_files_are_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text("int main(void) { return 0; }")
    assert parse("a.c", ParseOptions()).functions["main"].span.file == "a.c"
    assert parse("./a.c", ParseOptions()).functions["main"].span.file == "./a.c"
    Path("list.h").write_text("int one(void) { return 1; }")
    Path("b.c").write_text('#include "list.h"\nint main(void) { return one(); }')
    assert list(parse("b.c", ParseOptions()).sources) == ["b.c", "list.h"]


# --- headers and options ---------------------------------------------------------------------------------------------


def test_unused_declarations_are_left_out(tmp_path: Path) -> None:
    unit = parsed(tmp_path, "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { return 0; }")
    assert list(unit.functions) == ["main"]
    assert unit.globals == ()
    assert unit.records == {}


def test_defines_and_folders(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "h.h").write_text("#define FROM_HEADER 5\n")
    text = "#include <h.h>\nint main(void) { return FROM_HEADER + A + __HEAPWRIGHT__ + B; }"
    unit = parsed(tmp_path, text, include_dirs=(str(tmp_path / "inc"),), defines=("A=2",), extra=("-DB=7",))
    assert body_text(unit) == "{return (((5 + 2) + 1) + 7);}"


@pytest.mark.skipif(not Path("/usr/include/stdio.h").exists(), reason="there are no system headers")
def test_system_headers(tmp_path: Path) -> None:
    text = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <limits.h>
int main(void) { char *s = malloc(INT_MAX > 3); printf("%p", (void *)s); return 0; }
"""
    unit = parsed(tmp_path, text, system_headers=True)
    assert list(unit.functions) == ["main", "malloc", "printf"]
    assert list(unit.sources) == [f"{tmp_path}/input.c"]


def test_dialect(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"input\.c:1:"):
        parsed(tmp_path, "int typeof; int x = typeof(1) + ;")
    assert parsed(tmp_path, "int typeof;", std="c99").globals[0].name == "typeof"
    with pytest.raises(InputError, match="c1234"):
        parsed(tmp_path, "int x;", std="c1234")


# --- bad input -------------------------------------------------------------------------------------------------------


def complaint(file: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        parse(str(file), ParseOptions())
    assert "\n" not in str(caught.value)
    return caught.value


def test_missing_file(tmp_path: Path) -> None:
    assert str(complaint(tmp_path / "none.c")) == f"{tmp_path}/none.c: no such file"


def test_directory(tmp_path: Path) -> None:
    assert "is a directory" in str(complaint(tmp_path))


def test_part_of_the_path_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("")
    assert "cannot be read" in str(complaint(tmp_path / "a.c" / "b.c"))


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert str(complaint(tmp_path / "a.c")) == f"{tmp_path}/a.c cannot be read: Permission denied"


def test_strange_file_names(tmp_path: Path) -> None:
    assert "is not a file name" in str(complaint(Path("a\0b.c")))
    for name in ("sp ace é '.c", "not \udcff unicode.c", "-x.c"):
        odd = tmp_path / name
        odd.write_text("int main(void) { return 0; }")
        assert parse(str(odd), ParseOptions()).functions["main"].span.file == str(odd)


def test_file_name_like_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-x.c").write_text("int main(void) { return 0; }")
    unit = parse("-x.c", ParseOptions())
    assert unit.functions["main"].span.file == "-x.c"
    assert list(unit.sources) == ["-x.c"]


def test_binary_file(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_bytes(b"\x7fELF\0\0\1")
    assert "is a binary file" in str(complaint(file))


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_bytes(b'/* caf\xe9 */ char *s = "\xe9"; int main(void) { /* \xe9 */ return 0; }')
    unit = parse(str(file), ParseOptions())
    assert unit.sources[str(file)].startswith("/* café */")
    assert statements(unit)[0].span.column == 52
    file.write_bytes(b"int \xe9 = 1;")
    assert complaint(file).span == Span(str(file), 1, 5)


def test_byte_order_mark_and_carriage_returns(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_bytes(b"\xef\xbb\xbfint x;\r\nint main(void) {\r\n  return x; }\r\n")
    assert statements(parse(str(file), ParseOptions()))[0].span.line == 3


def test_empty_file(tmp_path: Path) -> None:
    unit = parsed(tmp_path, "")
    assert (unit.functions, unit.globals, unit.records) == ({}, (), {})


def test_missing_header(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("int x;\n#include <no/such.h>\nint main(void) { return y; }")
    error = complaint(file)
    assert str(error) == f"{file}:2:10: 'no/such.h' file not found"
    assert "-I" in error.hint


def test_syntax_errors(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("int main(void) {\n  return 0\n}\nint f( { }\nint g) ;\n")
    error = str(complaint(file))
    assert error.startswith(f"{file}:2:11: expected ';' after return statement (and ")
    assert error.endswith("more errors)")
    file.write_text("int main(void) {\n  return nothing;\n}\n")
    assert str(complaint(file)) == f"{file}:2:10: use of undeclared identifier 'nothing'"


def test_error_in_a_header(tmp_path: Path) -> None:
    (tmp_path / "bad.h").write_text("int x\n")
    file = tmp_path / "a.c"
    file.write_text('#include "bad.h"\nstruct s { int a; };\n')
    assert str(complaint(file)).startswith(f"{tmp_path}/")


@pytest.mark.parametrize(
    "text",
    [
        "int *f(void) { int x = 3; int *p = x; return p; }",
        "f(void) { return 1; }",
        "char f(void) { unsigned char *p; char *q = p; return *q; }",
        "void f(void); int (*g)(int) = f;",
        "int f(void) { return; } void g(void) { return 1; }",
        "int f(int x) { if (x) return 1; }",
        "#warning old\nint x;",
    ],
)
def test_old_habits_are_accepted(tmp_path: Path, text: str) -> None:
    parsed(tmp_path, text)


def test_refused_at_file_scope(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="inline assembly"):
        parsed(tmp_path, 'int x; __asm__("nop");')


def test_priorities_of_constructors_and_destructors(tmp_path: Path) -> None:
    text = "__attribute__((constructor)) void f(int c) { } __attribute__((destructor(101))) static void g(void) { }"
    functions = parsed(tmp_path, text).functions
    assert functions["f"].attributes.constructor == 65535
    assert functions["g"].attributes.destructor == 101


# --- depth and speed -------------------------------------------------------------------------------------------------

DEEP: dict[str, Callable[[int], str]] = {
    "parentheses": lambda n: "int main(void) { return " + "(" * n + "1" + ")" * n + "; }",
    "blocks": lambda n: "int main(void) { " + "{" * n + "}" * n + " }",
    "not": lambda n: "int main(void) { return " + "!" * n + "1; }",
    "casts": lambda n: "int main(void) { return " + "(int)" * n + "1; }",
    "if": lambda n: "int main(void) { " + "if (1) " * n + "; }",
    "else": lambda n: "int main(void) { " + "if (1) {} else " * n + "; }",
    "labels": lambda n: "int main(void) { " + "".join(f"l{i}:" for i in range(n)) + "; }",
    "sum": lambda n: "int main(void) { return 1" + "+1" * n + "; }",
    "arrows": lambda n: "struct s { struct s *n; } *p; int main(void) { p" + "->n" * n + "; }",
    "conditions": lambda n: "int main(void) { return " + "1 ? 1 : " * n + "1; }",
    "stars": lambda n: "int " + "*" * n + "p; int main(void) { return 0; }",
    "initialiser": lambda n: "int a[] = " + "{" * n + "1" + "}" * n + "; int main(void) { return 0; }",
    "structs": lambda n: (
        "".join(f"struct s{i} {{" for i in range(n)) + "int x;" + "};" * n + "int main(void) { return 0; }"
    ),
}


@pytest.mark.exhaustive(2)
@pytest.mark.parametrize("kind", DEEP)
@pytest.mark.parametrize("depth", [5_000, 40_000])
def test_deep_nesting_is_refused(tmp_path: Path, kind: str, depth: int) -> None:
    file = tmp_path / "a.c"
    file.write_text(DEEP[kind](depth))
    assert "nested too deeply" in str(complaint(file))


@pytest.mark.parametrize("kind", DEEP)
def test_moderate_nesting_is_fine(tmp_path: Path, kind: str) -> None:
    text = DEEP[kind](100)
    if kind == "initialiser":
        text = "int main(void) { return 0; }"
    parsed(tmp_path, text)


def test_large_tables_are_fine(tmp_path: Path) -> None:
    numbers = ", ".join(str(-number) for number in range(20_000))
    unit = parsed(tmp_path, f"int table[] = {{ {numbers} }}; int main(void) {{ return table[3]; }}")
    assert unit.globals[0].type == ArrayType(IntegerType(unit.globals[0].type.of.int, "int"), 20_000)  # type: ignore[union-attr]


def test_speed(tmp_path: Path) -> None:
    """The work for a preprocessed file of 1,000 lines is bounded; this one is dense."""
    header = "".join(f"extern int unused_{i}(struct unused_{i} *, const char *restrict);\n" for i in range(300))
    function = """static struct node *work_{i}(struct node *list, int key) {{
    struct node *p, *q = 0;
    for (p = list; p; p = p->next) {{
        if (p->key == key && p->count[key % 4] > 3) {{
            q->next = p->next;
            free(p);
            return list;
        }}
        q = p;
    }}
    return (q && q->next) ? q : 0;
}}
"""
    body = "".join(function.format(i=i) for i in range(58))
    text = header + "void free(void *);\nstruct node { int key; struct node *next; int count[4]; };\n" + body
    assert 990 < text.count("\n") < 1010
    parsed(tmp_path, "int x;")  # loads the library
    with call_budget(300_000):
        parsed(tmp_path, text)
