"""The table of library functions: it has each function of the headers, and says of each model that there is one."""

from __future__ import annotations

import re

from support.paths import ROOT

from heapwright.c.library_models import declared_functions, modelled_functions

TEXT = (ROOT / "docs" / "c-library.md").read_text(encoding="utf-8")
ROWS = [row.strip("|").split("|") for row in TEXT.splitlines() if row.startswith("| ")]
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


def test_what_has_a_model_is_not_called_approximate() -> None:
    approximate = {name for name, kind in NAMED.items() if kind == "approximate"}
    assert approximate
    assert not approximate & modelled_functions()
