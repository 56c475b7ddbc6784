"""Functions over arrays in C: the precondition that is found, held against every small array."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, build
from heapwright.base.errors import InputError, UnsupportedError
from heapwright.engines.infer.arrays.inference import infer_arrays
from heapwright.engines.infer.arrays.membership import describes
from heapwright.engines.infer.arrays.preconditions.claim_selection import (
    InferredPrecondition,
    select_claims,
    small_arrays,
)
from heapwright.engines.infer.arrays.preconditions.claims import clause_in_c, clause_text, display_names
from heapwright.engines.infer.arrays.preconditions.pictures import array_contract
from heapwright.engines.infer.arrays.program_translation import translate_arrays

HEAD = '#include <assert.h>\n#include "heapwright.h"\n'
LENGTH = "int length(const char *s) { int i = 0; while (s[i] != 0) i++; return i; }"
MAX = """
int max(int *a, int n, int mi) {
    int i = 1;
    while (i < n) { if (a[mi] < a[i]) mi = i; i++; }
    int j = hw_any_int();
    hw_assume(0 <= j && j < n);
    assert(a[mi] >= a[j]);
    return mi;
}
"""


def _answer(
    tmp_path: Path,
    text: str,
    function: str,
    lengths: Mapping[str, str] | None = None,
    cells: int = 3,
    iterate: int = 0,
) -> InferredPrecondition:
    """The answer, of which the runs of all small arrays have been witnesses."""
    file = tmp_path / "a.c"
    file.write_text(HEAD + text)
    tasks = translate_arrays(build(Input((str(file),), function=function), phase=lambda text: None), lengths)
    found = infer_arrays(tasks, iterate=iterate)
    small = small_arrays(tasks, cells)
    for one in small:
        for result in found.results:
            if result.obligation.id in one.failures.violated:
                store = one.inputs.stores[result.obligation.array]
                values = tasks[result.obligation.array].vocabulary.values(store)
                assert any(describes(failing, store, values) for failing in result.failing), one
    chosen = select_claims(found, small)
    assert chosen.complete
    assert not any(one.missed for one in chosen.preconditions)
    return chosen


def _texts(found: InferredPrecondition) -> list[str]:
    names = [display_names(task) for task in found.inferred.task]
    return [clause_text(conjunct.clause, names[conjunct.array]) for conjunct in found.clauses]


def _in_c(found: InferredPrecondition) -> list[str | None]:
    names = [display_names(task) for task in found.inferred.task]
    return [clause_in_c(conjunct.clause, names[conjunct.array]) for conjunct in found.clauses]


def test_the_length_of_a_string_needs_a_zero(tmp_path: Path) -> None:
    found = _answer(tmp_path, LENGTH, "length", cells=4)
    assert _texts(found) == ["∃j. 0 ≤ j < |s| ∧ s[j] = 0", "s ≠ null"]
    assert found.excluded == 0
    assert found.safe
    assert [len(one.result.failing) for one in found.preconditions] == [4, 1]
    assert array_contract(found.inferred.task, found.clauses)[-1] == "hw_assume(s != 0);"


@pytest.mark.parametrize(
    "text",
    [
        "int f(const char *s) { const char *p = s; while (*p) p++; return p - s; }",
        "int f(const char *s) { int i = 0; while (*s++) i++; return i; }",
        "int f(const char *s) { const char *p = s + 1; while (p[-1]) p++; return p - s; }",
    ],
)
def test_pointers_that_move(tmp_path: Path, text: str) -> None:
    found = _answer(tmp_path, text, "f")
    assert _texts(found) == ["∃j. 0 ≤ j < |s| ∧ s[j] = 0", "s ≠ null"]
    assert found.excluded == 0


def test_a_pointer_to_the_end(tmp_path: Path) -> None:
    text = "int f(int *a, int n) { int s = 0; for (int *p = a; p != a + n; p++) s += *p; return s; }"
    assert _answer(tmp_path, text, "f", {"a": "n"}).clauses == ()
    found = _answer(tmp_path, text, "f")
    assert _texts(found)[0] == "0 ≤ n < |a| \N{LOGICAL OR} n = |a|"
    assert found.excluded == 0


@pytest.mark.slow
def test_the_maximum_needs_a_place_to_start_from(tmp_path: Path) -> None:
    found = _answer(tmp_path, MAX, "max", {"a": "n"}, cells=4)
    assert _texts(found) == [
        "|a| = 0 \N{LOGICAL OR} 0 ≤ mi < |a|",
        "|a| = 0 \N{LOGICAL OR} mi = 0 \N{LOGICAL OR} (∃j. 1 ≤ j < |a| ∧ a[j] ≥ a[0])",
    ]
    assert found.excluded == 0


def test_reading_one_cell(tmp_path: Path) -> None:
    found = _answer(tmp_path, "int f(int *a, int i) { return a[i]; }", "f")
    assert _texts(found) == ["0 ≤ i < |a|", "a ≠ null"]
    assert found.excluded == 0


def test_a_loop_up_to_a_parameter(tmp_path: Path) -> None:
    text = "int f(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }"
    found = _answer(tmp_path, text, "f")
    assert "n ≤ |a|" in _texts(found)
    assert found.excluded == 0
    measured = _answer(tmp_path, text, "f", {"a": "n"})
    assert measured.clauses == ()


def test_cells_are_written(tmp_path: Path) -> None:
    text = """
    void f(int *a, int i) {
        a[i] = 0;
        int j = hw_any_int();
        hw_assume(0 <= j && j < i);
        assert(a[j] <= a[i]);
    }
    """
    found = _answer(tmp_path, text, "f")
    assert "∀j. 0 ≤ j < i → a[j] ≤ 0" in _texts(found)
    assert found.excluded == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "int f(int *a, int n, int key) { int i = 0; while (i < n && a[i] != key) i++; assert(i < n); return i; }",
            ["∃j. 0 ≤ j < |a| ∧ a[j] = key"],
        ),
        ("void f(int *a, int n) { for (int i = 0; i < n; i++) assert(a[i] > 0); }", ["∀j. 0 ≤ j < |a| → a[j] > 0"]),
        (
            """
            void f(int *a, int n, int k) {
                for (int i = k; i < n; i++) a[i] = 0;
                int j = hw_any_int();
                hw_assume(0 <= j && j < n);
                assert(a[j] <= 0);
            }
            """,
            ["k ≥ 0", "∀j. 0 ≤ j < k → a[j] ≤ 0"],
        ),
    ],
)
def test_searching_asserting_and_filling(tmp_path: Path, text: str, expected: list[str]) -> None:
    found = _answer(tmp_path, text, "f", {"a": "n"})
    assert _texts(found) == expected
    assert found.excluded == 0


def test_sums_are_not_followed(tmp_path: Path) -> None:
    """What is asserted of a sum may fail as soon as there is an element: sufficient, not weakest."""
    text = "void f(int *a, int n) { int s = 1; for (int i = 0; i < n; i++) s += a[i]; assert(s > 0); }"
    found = _answer(tmp_path, text, "f", {"a": "n"}, cells=2)
    assert _texts(found) == ["|a| = 0"]
    assert found.excluded


def test_a_test_for_null_is_used(tmp_path: Path) -> None:
    found = _answer(tmp_path, "int f(int *a, int i) { return a ? a[i] : 0; }", "f")
    assert found.excluded == 0
    assert "a ≠ null" not in _texts(found)


def test_assertions_about_what_is_not_followed(tmp_path: Path) -> None:
    text = "void f(int *a, int n) { if (n > 0) assert(a[n - 1] * 2 == 4); }"
    found = _answer(tmp_path, text, "f", {"a": "n"})
    assert _in_c(found) == ["n == 0"]
    assert any(not one.result.obligation.followed for one in found.preconditions)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("int f(int *a, int *b, int i) { int *p = i ? a : b; return p[1] + a[0] + b[0]; }", "several arrays"),
        ("int f(int *a, int i) { int b[20]; b[i] = 1; return a[1]; }", "in a precondition"),
        ("int f(int *a, int i) { int *p; if (p == a) i++; return a[i]; }", "before it has a value"),
        ("int f(int *a) { int *p; if (a) p = a; return p[1]; }", "before it has a value"),
        ("int f(int *a) { a = 0; return a[1]; }", "set to null"),
    ],
)
def test_what_is_out_of_reach_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(UnsupportedError, match=words):
        _answer(tmp_path, text, "f")


def test_lengths_are_of_arrays_that_are_there(tmp_path: Path) -> None:
    text = "int f(int *a, int n) { n--; return a[n]; }"
    with pytest.raises(InputError, match="is no array"):
        _answer(tmp_path, text, "f", {"b": "n"})
    with pytest.raises(InputError, match="no integer parameter 'm'"):
        _answer(tmp_path, text, "f", {"a": "m"})
    with pytest.raises(UnsupportedError, match="and changes"):
        _answer(tmp_path, text, "f", {"a": "n"})


COPY = "void copy(int *to, const int *from, int n) { for (int i = 0; i < n; i++) to[i] = from[i]; }"
SAME = """
int same(int *a, int *b, int n) {
    for (int i = 0; i < n; i++)
        if (a[i] != b[i]) return 0;
    return 1;
}
"""


@pytest.mark.parametrize(("text", "function", "names"), [(COPY, "copy", ("to", "from")), (SAME, "same", ("a", "b"))])
def test_two_arrays(tmp_path: Path, text: str, function: str, names: tuple[str, str]) -> None:
    """Each must be long enough; where nothing is read from the second, nothing need be there."""
    found = _answer(tmp_path, text, function, cells=2)
    assert {f"n ≤ |{name}|" for name in names} <= set(_texts(found))
    assert found.missed == 0


def test_two_arrays_may_be_one(tmp_path: Path) -> None:
    """What is stored into one may be what is loaded from the other: nothing is known of it any more."""
    text = """
    void f(int *a, int *b, int i) {
        if (a[i] > 0) { b[i] = 0; int x = a[i]; assert(x > 0); }
    }
    """
    found = _answer(tmp_path, text, "f", cells=2)
    assert any(len(set(one.blocks)) == 1 for preconditions in found.preconditions for one in preconditions.examples)
    untouched = _answer(tmp_path, text.replace("b[i] = 0;", "int y = b[i];"), "f", cells=2)
    assert not [one for one in untouched.preconditions if one.result.obligation.kind == "assert" and one.clauses]


def test_how_elements_of_two_arrays_compare_is_not_known(tmp_path: Path) -> None:
    found = _answer(tmp_path, "void f(int *a, int *b, int i) { int x = a[i], y = b[i]; assert(x == y); }", "f", cells=2)
    assert _texts(found) == ["false"]


@pytest.mark.exhaustive(2)
@pytest.mark.parametrize(("text", "function", "lengths"), [(LENGTH, "length", {}), (COPY, "copy", {})])
@pytest.mark.slow
def test_forwards_and_back_no_array_is_lost(
    tmp_path: Path, text: str, function: str, lengths: Mapping[str, str]
) -> None:
    once = _answer(tmp_path, text, function, lengths, cells=2)
    again = _answer(tmp_path, text, function, lengths, cells=2, iterate=1)
    assert again.clauses == once.clauses
    assert again.inferred.elements < once.inferred.elements
