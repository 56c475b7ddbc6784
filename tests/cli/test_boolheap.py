"""`heapwright boolheap`: a Boolean heap program written from C, and run without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from heapwright.cli import main

SOURCE = """
#include <stdlib.h>
struct node { struct node *next; };
int main(void) {
    struct node *list = malloc(sizeof *list);
    list->next = NULL;
    struct node *last = list->next;
    FREE
    return last == list;
}
"""


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEAPWRIGHT_CACHE", "off")


def source(tmp_path: Path, free: str) -> str:
    path = tmp_path / "program.c"
    path.write_text(SOURCE.replace("FREE", free))
    return str(path)


def test_what_was_written_runs_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    emitted = tmp_path / "program.bhp"
    path = source(tmp_path, "free(list);")
    assert main(["boolheap", path, "--emit", str(emitted)]) == 0
    Path(path).unlink()
    assert main(["boolheap", str(emitted)]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert first.startswith("every check holds")


def test_what_may_fail_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boolheap", source(tmp_path, "free(list); free(list);")]) == 3
    assert "may fail" in (told := capsys.readouterr().out)
    assert "double-free" in told


@pytest.mark.parametrize("arguments", [["missing.bhp"], ["missing.c"]])
def test_bad_input_gets_a_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boolheap", *arguments]) == 2
    assert capsys.readouterr().err.startswith("heapwright: error: ")


def test_a_text_that_is_no_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.bhp"
    path.write_text("boolean heap program\nnonsense\n")
    assert main(["boolheap", str(path)]) == 2
    assert "line 2" in capsys.readouterr().err


def test_a_predicate_that_does_not_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boolheap", source(tmp_path, ""), "--predicate", "reach(nobody, v, next)"]) == 2
    assert "'nobody'" in capsys.readouterr().err


def test_claims_about_marks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, mark = source(tmp_path, ""), "7: then = reach(list, v, next)"
    assert main(["boolheap", path, "--mark", mark, "--claim", "9: mark(then, v) -> reach(list, v, next)"]) == 0
    assert main(["boolheap", path, "--mark", mark, "--claim", "9: mark(then, v) -> v = list"]) == 3
    assert "may fail" in capsys.readouterr().out


def test_a_claim_is_in_the_text_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    emitted = str(tmp_path / "program.bhp")
    arguments = ["--mark", "7: then = alive(v)", "--claim", "9: mark(then, v) -> v = list", "--emit", emitted]
    assert main(["boolheap", source(tmp_path, ""), *arguments]) == 0
    assert main(["boolheap", emitted]) == 0
    assert "mark then := alive(v)" in Path(emitted).read_text()
    capsys.readouterr()


@pytest.mark.parametrize(
    "arguments", [["--mark", "nonsense"], ["--claim", "9: mark(then, v)"], ["--refine", "x"], ["--jobs", "-1"]]
)
def test_wrong_options_get_a_sentence(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boolheap", source(tmp_path, ""), *arguments]) == 2
    assert "heapwright: error: " in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["--jobs", "2"], ["--splitting", "guided", "--refine", "1"], ["--post", "cartesian"], ["--leaks"]]
)
def test_ways_of_analysing(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boolheap", source(tmp_path, "free(list);"), *arguments]) == 0
    assert capsys.readouterr().out.startswith("every check holds")


def test_leaks_of_inputs_are_not_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        '#include "heapwright.h"\nstruct node { struct node *next; };\n'
        "int main(void) { struct node *x = hw_any_list(next); return !x; }\n"
    )
    assert main(["boolheap", str(path)]) == 0
    assert main(["boolheap", str(path), "--leaks"]) == 3
    assert "unknown: the engine does not tell inputs" in capsys.readouterr().out


def test_leaks_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boolheap", source(tmp_path, ""), "--leaks"]) == 3
    assert "leak" in capsys.readouterr().out
