"""The table of library functions: it has each function of the headers, and says of each model that there is one."""

from __future__ import annotations

import re

import c_library
from support.paths import ROOT

from heapwright.c.library_models import declared_functions, modelled_functions
from heapwright.c.lower import lower
from heapwright.c.options import ParseOptions
from heapwright.c.parse import parse

TEXT = (ROOT / "docs" / "c-library.md").read_text(encoding="utf-8")
ROWS = [row.strip("|").split("|") for row in TEXT.partition(c_library.MARK)[0].splitlines() if row.startswith("| ")]
NAMED = {name: row[2].strip() for row in ROWS if len(row) == 3 for name in re.findall(r"`(\w+)`", row[1])}


def headers_of_whole_rows() -> tuple[str, ...]:
    """The headers of which a row says something of all functions, or of all others."""
    found: list[str] = []
    headers = ""
    for row in ROWS:
        headers = row[0].strip() or headers
        if len(row) == 3 and re.search(r"\b(all|others?)\b", row[1]):
            found += re.findall(r"(\w+\.h)", headers)
    return tuple(found)


def test_every_function_of_the_headers_is_in_the_table() -> None:
    others = declared_functions(headers_of_whole_rows()) | {"__heapwright_assert_fail", "_exit", "fork"}
    assert declared_functions() - others <= NAMED.keys()


def test_the_table_of_every_function_is_current() -> None:
    assert c_library.page() == TEXT, "run tools/c_library.py"


def test_every_model_is_held_against_the_real_function() -> None:
    models = modelled_functions() & declared_functions()
    assert models
    assert sorted(models - c_library.compared().keys()) == []


def test_what_is_built_in_is_modelled() -> None:
    text = "int main(void) { char *p = malloc(4); if (!p) return 1; memset(p, 0, 4); memcpy(p, p + 2, 2); "
    text += "memmove(p, p + 1, 2); p = realloc(p, 8); free(p); p = calloc(2, 2); free(p); p = alloca(3); return 0; }"
    includes = "#include <alloca.h>\n#include <stdlib.h>\n#include <string.h>\n"
    program = lower([parse("a.c", ParseOptions(), text=includes + text)])
    assert not [one for edge in program.graph.edges if (one := getattr(edge.command, "unmodelled", ""))]


def test_what_has_a_model_is_not_called_approximate() -> None:
    approximate = {name for name, kind in NAMED.items() if kind == "approximate"}
    assert approximate
    assert not approximate & modelled_functions()
