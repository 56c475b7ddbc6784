"""The precondition of a library function, put at the start of its body."""

from __future__ import annotations

import pytest

from heapwright.analysis.function_contracts import Contract, inferred_contract, under
from heapwright.analysis.pipeline import Input, Snapshot, build
from heapwright.c.options import ParseOptions

NODE = "struct node { int value; struct node *next; };\n"


def source(text: str, function: str = "f", **files: str) -> Input:
    contents = {"/p/list.c": text.encode(), **{f"/p/{name}.h": other.encode() for name, other in files.items()}}
    return Input(("/p/list.c",), function, snapshot=Snapshot((ParseOptions(),), contents))


def contract(text: str, **files: str) -> Contract | None:
    return inferred_contract(source(text, **files), None).contract


def test_it_goes_behind_the_brace() -> None:
    text = NODE + "int f(struct node *n) { return n->value; }\n"
    found = contract(text)
    assert found is not None
    assert (found.file, found.line, found.brace) == ("/p/list.c", 2, 23)
    assert "n != 0" in found.claims
    changed = under(source(text), found)
    assert changed.snapshot is not None
    lines = changed.snapshot.contents["/p/list.c"].decode().splitlines()
    assert lines[1] == "int f(struct node *n) {" + found.text + " return n->value; }"
    assert build(changed, lambda text: None).checks


def test_columns_are_those_of_the_source() -> None:
    found = Contract("f", "/p/list.c", 2, 10, ("p != 0",), ())
    shift = len(" hw_assume(p != 0);")
    assert found.column("/p/list.c", 2, 10) == 10
    assert found.column("/p/list.c", 2, 11 + shift) == 11
    assert found.column("/p/list.c", 2, 15) == 10  # inside of the contract
    assert found.column("/p/list.c", 3, 40) == 40
    assert found.column("/p/other.h", 2, 40) == 40


@pytest.mark.parametrize(
    "text",
    [
        NODE + "int f(void) { return 1; }\n",  # needs nothing
        NODE + "int f(struct node *n) { n = 0; return n->value; }\n",  # always fails
        NODE + "#define BEGIN {\nint f(struct node *n) BEGIN return n->value; }\n",  # no brace in the text
    ],
)
def test_without_a_contract(text: str) -> None:
    search = inferred_contract(source(text), None)
    assert search.contract is None
    assert not search.cut


def test_bytes_of_the_file_stay() -> None:
    text = NODE.encode() + b"/* caf\xe9 */\nint f(struct node *n)\n{\n    return n->value; /* \xff */\n}\n"
    given = Input(("/p/list.c",), "f", snapshot=Snapshot((ParseOptions(),), {"/p/list.c": text}))
    found = inferred_contract(given, None).contract
    assert found is not None
    changed = under(given, found).snapshot
    assert changed is not None
    assert changed.contents["/p/list.c"].replace(found.text.encode(), b"") == text


def test_a_limit_is_told_apart_from_nothing_to_find() -> None:
    assert inferred_contract(source(NODE + "int f(struct node *n) { return n->value; }\n"), 0.0).cut
