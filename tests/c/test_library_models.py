"""Which functions are of the library, models of the user's own, and headers of compilers."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, build
from heapwright.c.library_models import is_library_function
from heapwright.c.options import ParseOptions, compiler_headers
from heapwright.c.parse import parse
from heapwright.program.commands import External, Free


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("int poll(void)", False),
        ("int poll(int *p, unsigned long n, int t)", True),
        ("int poll()", True),
        ("int link(struct n *p)", False),
        ("int stat(const char *n, struct s *r)", True),
        ("void hook(int x)", False),
    ],
)
def test_a_function_of_the_library_has_its_parameters(declaration: str, expected: bool) -> None:
    name = declaration.partition("(")[0].split()[-1]
    unit = parse("a.c", ParseOptions(), text=f"{declaration}; void *f(void) {{ return (void *){name}; }}")
    assert is_library_function(name, unit.functions[name]) is expected


def test_a_model_of_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("void give(int *p); void f(int *p) { give(p); } int main(void) { f(0); return 0; }")
    (tmp_path / "model.c").write_text("#include <stdlib.h>\nvoid give(int *p) { free(p); }\nvoid other(void) {}\n")
    source = Input((str(tmp_path / "a.c"),), models=(str(tmp_path / "model.c"),))
    program = build(source, lambda phase: None)
    assert [one.text for one in program.assumptions if "model" in one.text] == [
        f"'give' does what its model in {tmp_path / 'model.c'} says"
    ]
    commands = [edge.command for edge in program.graph.edges]
    assert any(isinstance(one, Free) for one in commands)
    assert not any(isinstance(one, External) for one in commands)


def test_headers_of_the_newest_compiler(tmp_path: Path) -> None:
    assert compiler_headers(tmp_path) is None
    for version in ("9", "12"):
        (tmp_path / "lib/gcc/x" / version / "include").mkdir(parents=True)
    compiler_headers.cache_clear()
    assert compiler_headers(tmp_path) == str(tmp_path / "lib/gcc/x/12/include")
    (tmp_path / "lib/clang/14/include").mkdir(parents=True)
    compiler_headers.cache_clear()
    assert compiler_headers(tmp_path) == str(tmp_path / "lib/clang/14/include")


def test_nothing_happens_in_a_file_of_the_models(tmp_path: Path) -> None:
    file = tmp_path / "uses.c"
    file.write_text(
        "#include <errno.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n"
        'int main(void) { char line[4] = "a b"; fputs(strtok(line, " "), stderr); srand(1); time_t now = time(0);\n'
        "    puts(asctime(gmtime(&now))); return errno + rand() + (fgets(line, 4, stdin) != 0); }\n"
    )
    program = build(Input((str(file),)), phase=lambda _: None)
    checks = [check.span for check in program.checks]
    places = {span.file for span in (*checks, *(edge.span for edge in program.graph.edges)) if span.line}
    assert places == {str(file)}
