"""Calls of undeclared functions, and misspelt names of heapwright.h."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.syntax_text import parsed

from heapwright.base.errors import InputError
from heapwright.c.diagnostics import own_names
from heapwright.c.lower.prepass.linking import link


def complaint(folder: Path, text: str) -> tuple[str, str]:
    with pytest.raises(InputError) as error:
        link([parsed(folder, text)])
    return str(error.value).partition(": ")[2], error.value.hint


def test_an_undeclared_function_is_an_error(tmp_path: Path) -> None:
    text = "int main(void) { return lookup(1); }"
    assert complaint(tmp_path, text) == (
        "call of undeclared function 'lookup'",
        "declare it, or include the header that does",
    )
    text = "int main(void) { void *p = malloc(4); free(p); return 0; }"
    assert complaint(tmp_path, text) == (
        "call of undeclared function 'malloc' (and 1 more error)",
        "include the header that declares it",
    )


def test_functions_of_the_competition_need_no_declaration(tmp_path: Path) -> None:
    assert "main" in link([parsed(tmp_path, "int main(void) { return __VERIFIER_nondet_int(); }")]).functions


@pytest.mark.parametrize("attribute", ["malloc(drop)", "__malloc__(drop, 1)", "malloc, malloc(drop, 1)"])
def test_the_deallocator_of_an_attribute_is_no_error(tmp_path: Path, attribute: str) -> None:
    text = f"void drop(int *p);\nint *make(void) __attribute__(({attribute}));\nint main(void) {{ drop(make()); }}"
    assert "make" in link([parsed(tmp_path, text)]).functions
    text = text.replace("drop(make())", "drop(missing())")
    assert complaint(tmp_path, text)[0] == "call of undeclared function 'missing'"


@pytest.mark.parametrize("declaration", ["", "void hw_asume(int);", "#include <heapwright.h>"])
def test_a_misspelt_name_of_heapwright(tmp_path: Path, declaration: str) -> None:
    text = f"{declaration}\nvoid hw_asume(int);\nint main(void) {{ hw_asume(1); return 0; }}"
    assert complaint(tmp_path, text) == ("heapwright.h has no 'hw_asume'", "did you mean 'hw_assume'?")


def test_a_name_of_heapwright_without_its_header(tmp_path: Path) -> None:
    text = "int main(void) { return hw_any_int(); }"
    assert complaint(tmp_path, text) == ("call of undeclared function 'hw_any_int'", "include <heapwright.h>")


def test_functions_with_a_body_may_be_called_what_they_like(tmp_path: Path) -> None:
    linked = link([parsed(tmp_path, "int hw_reset(void) { return 1; } int main(void) { return hw_reset(); }")])
    assert "hw_reset" in linked.functions


def test_names_of_the_header() -> None:
    assert {"hw_assume", "hw_any_list", "hw_any_int", "hw_tree"} <= own_names()
    assert not any(name.endswith("_") for name in own_names())
