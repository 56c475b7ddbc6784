"""`heapwright infer`: what it prints, and that a function with the contract that it writes is proved."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from cli.hand_made import Heapwright
from support.paths import EXAMPLES, ROOT

from heapwright.report.precondition import SCHEMA

APPEND = (EXAMPLES / "list_append.c").read_text(encoding="utf-8")
FIRST = "struct node { int data; struct node *n; };\nint first(struct node *x)\n{\n    return x->data;\n}\n"


@pytest.fixture(autouse=True)
def _cache_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_the_precondition_in_words_as_a_formula_and_in_c(heapwright: Heapwright) -> None:
    Path("a.c").write_text(FIRST)
    said = heapwright("infer", "a.c", "-f", "first")
    assert said.code == 0
    assert "x is not null\n      x ≠ null\n      x != 0\n" in said.out
    assert "failing inputs of a.c:4:15 [null-deref]:\n  1. x ──> null\n" in said.out
    assert "no allowed input fails, no safe input is excluded" in said.out
    plain = heapwright("infer", "a.c", "-f", "first", "--ascii")
    assert plain.out.isascii()


def test_json(heapwright: Heapwright) -> None:
    Path("a.c").write_text(FIRST)
    said = heapwright("infer", "a.c", "-f", "first", "--json", "-")
    found = json.loads(said.out)
    jsonschema.validate(found, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert found["tested"] == {"on": "heaps", "of": "objects", "most": 4}
    assert [one["macro"] for one in found["precondition"]] == ["x != 0"]
    assert found["excluded"] == 0
    assert not found["impossible"]


def test_where_integers_decide_it_says_so(heapwright: Heapwright) -> None:
    Path("a.c").write_text(FIRST.replace("*x)", "*x, int k)").replace("return x->data", "return k ? x->data : 0"))
    said = heapwright("infer", "a.c", "-f", "first", "--json", "-")
    assert said.code == 0
    found = json.loads(said.out)
    jsonschema.validate(found, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert found["excluded"] == 0
    assert found["varying"] == found["heaps"] - found["harmless"] > 0
    said = heapwright("infer", "a.c", "-f", "first")
    assert "no input that is safe in every run is excluded; " in said.out
    assert f"{found['varying']} of the excluded inputs fail in some runs only, as integers or other" in said.out


@pytest.mark.slow
def test_with_its_contract_a_function_is_proved(heapwright: Heapwright) -> None:
    Path("a.c").write_text(APPEND)
    said = heapwright("infer", "a.c", "-f", "append", "--as-contract")
    assert said.code == 0
    assert "hw_assume(hw_disjoint(x, y, n));" in said.out
    opening = "struct node *append(struct node *x, struct node *y)\n{\n"
    assert APPEND.count(opening) == 1
    assert heapwright("check", "a.c", "--function", "append").code == 1
    Path("a.c").write_text(APPEND.replace(opening, opening + said.out))
    assert heapwright("check", "a.c", "--function", "append").code == 0


ROUND = """\
#include "heapwright.h"
struct node { int data; struct node *n; };
int size(struct node *x)
{
    int count = 0;
    struct node *p = x;
    do {
        count++;
        p = p->n;
    } while (p != x);
    return count;
}
"""


@pytest.mark.slow
def test_turning_a_list_around_needs_it_in_order(heapwright: Heapwright) -> None:
    """Without the contract there is a run that breaks the assertion, with it the function is proved."""
    programs = ROOT / "src" / "heapwright" / "reproduce" / "backward" / "programs"
    text = (programs / "reverse_order.c").read_text(encoding="utf-8")
    Path("a.c").write_text(text)
    lines = heapwright("infer", "a.c", "-f", "reverse_order", "--as-contract").out
    assert lines == "hw_assume(hw_acyclic(x, n));\nhw_assume(hw_sorted(x, n, val));\n"
    assert heapwright("check", "a.c", "--function", "reverse_order").code == 1
    Path("a.c").write_text(text.replace("x)\n{\n", "x)\n{\n" + lines))
    assert heapwright("check", "a.c", "--function", "reverse_order").code == 0


@pytest.mark.slow
def test_cyclic_inputs(heapwright: Heapwright) -> None:
    Path("a.c").write_text(ROUND)
    assert heapwright("infer", "a.c", "-f", "size").code == 3
    said = heapwright("infer", "a.c", "-f", "size", "--allow-cycles")
    assert said.code == 0
    assert "is safe (if it terminates) if" in said.out
    assert "hw_acyclic" not in said.out.replace("!hw_acyclic(x, n)", "")
    lines = heapwright("infer", "a.c", "-f", "size", "--allow-cycles", "--as-contract").out
    Path("a.c").write_text(ROUND.replace("x)\n{\n", "x)\n{\n" + lines))
    assert heapwright("check", "a.c", "--function", "size").code == 0
    Path("a.c").write_text(APPEND)
    refused = heapwright("infer", "a.c", "-f", "append", "--allow-cycles")
    assert refused.code == 2
    assert "cyclic inputs" in refused.err


def test_a_second_prover(heapwright: Heapwright) -> None:
    Path("a.c").write_text(FIRST)
    said = heapwright("infer", "a.c", "-f", "first", "--prover", "nobody")
    assert said.code == 2
    assert "the prover 'nobody' is not installed" in said.err


def test_ways_of_telling_reachability(heapwright: Heapwright) -> None:
    Path("a.c").write_text(FIRST)
    said = heapwright("infer", "a.c", "-f", "first", "--closure", "regions", "--as-contract")
    assert said.code == 0
    assert "hw_assume(x != 0);" in said.out
    assert heapwright("infer", "a.c", "-f", "first", "--closure", "guesses").code == 2
    said = heapwright("infer", "a.c", "-f", "first", "--closure", "regions", "--allow-cycles")
    assert said.code == 2
    assert "--allow-cycles" in said.err
    Path("b.c").write_text("int f(int *a) { return a[5]; }\n")
    said = heapwright("infer", "b.c", "-f", "f", "--closure", "updates")
    assert said.code == 2
    assert "--closure applies to linked structures only" in said.err
    said = heapwright("reproduce", "arnold", "--closure", "regions")
    assert said.code == 2
    assert "apply to 'backward' only" in said.err


def test_a_function_without_a_safe_input(heapwright: Heapwright) -> None:
    text = FIRST.replace("return x->data;", "struct node *y = 0;\n    return (x ? x->data : 0) + y->data;")
    Path("a.c").write_text(text)
    said = heapwright("infer", "a.c", "-f", "first")
    assert said.code == 3
    assert "false: no input was found to be safe" in said.out


def test_bad_usage_and_functions_out_of_reach_get_a_sentence(heapwright: Heapwright) -> None:
    Path("a.c").write_text(FIRST)
    assert heapwright("infer", "a.c").code == 2
    said = heapwright("infer", "a.c", "-f", "nothing")
    assert said.code == 2
    assert "no definition of function 'nothing'" in said.err
    Path("b.c").write_text("int f(int **a) { return a[3][0]; }\n")
    said = heapwright("infer", "b.c", "-f", "f")
    assert said.code == 2
    assert "Traceback" not in said.err
    assert said.err.count("\n") <= 3


LENGTH = (EXAMPLES / "string_length.c").read_text(encoding="utf-8")


def test_an_array_and_inputs_that_break_it(heapwright: Heapwright) -> None:
    Path("a.c").write_text(LENGTH)
    said = heapwright("infer", "a.c", "-f", "length")
    assert said.code == 0
    assert "  some element of s is 0\n      ∃j. 0 ≤ j < |s| ∧ s[j] = 0\n" in said.out
    assert "  1. s ──> #1 char[0]\n" in said.out
    assert "arrays of up to 4 cells: no allowed input fails, no safe input is excluded" in said.out
    assert heapwright("infer", "a.c", "-f", "length", "--ascii").out.isascii()


def test_the_length_of_an_array_is_a_parameter(heapwright: Heapwright) -> None:
    Path("a.c").write_text("int f(int *a, int n) { return a[n - 1]; }\n")
    said = heapwright("infer", "a.c", "-f", "f", "--length", "a=n", "--json", "-")
    found = json.loads(said.out)
    jsonschema.validate(found, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert found["tested"]["on"] == "arrays"
    assert [one["macro"] for one in found["precondition"]] == ["n > 0", "a != 0"]
    assert heapwright("infer", "a.c", "-f", "f", "--length", "a").code == 2
    assert heapwright("infer", "a.c", "-f", "f", "--length", "b=n").code == 2
    Path("b.c").write_text(FIRST)
    assert heapwright("infer", "b.c", "-f", "first", "--length", "x=n").code == 2


def test_a_constant_index(heapwright: Heapwright) -> None:
    Path("a.c").write_text("int f(int *a) { return a[5]; }\n")
    said = heapwright("infer", "a.c", "-f", "f")
    assert said.code == 0
    assert "|a| > 5" in said.out


def test_two_arrays(heapwright: Heapwright) -> None:
    text = "int f(int *a, int *b, int n) { for (int i = 0; i < n; i++) if (a[i] != b[i]) return 0; return 1; }\n"
    Path("a.c").write_text(text)
    said = heapwright("infer", "a.c", "-f", "f")
    assert said.code == 0
    assert "  n is at most the length of a\n" in said.out
    assert "  n is at most the length of b\n" in said.out
    assert "arrays are analysed one at a time" in said.out


def test_forwards_and_back_again(heapwright: Heapwright) -> None:
    Path("a.c").write_text(LENGTH)
    once = heapwright("infer", "a.c", "-f", "length", "--json", "-")
    again = heapwright("infer", "a.c", "-f", "length", "--iterate", "1", "--json", "-")
    one, two = (json.loads(said.out) for said in (once, again))
    assert one["precondition"] == two["precondition"]
    assert two["stats"]["structures"] < one["stats"]["structures"]
    assert two["stats"]["rounds"] == 1
    assert heapwright("infer", "a.c", "-f", "length", "--iterate", "x").code == 2


def test_a_place_that_cannot_be_written_is_refused_at_once(heapwright: Heapwright) -> None:
    Path("a.c").write_text(FIRST)
    said = heapwright("infer", "a.c", "-f", "first", "--json", "nowhere/a.json")
    assert said.code == 2
    assert "cannot write" in said.err
    assert not said.out
