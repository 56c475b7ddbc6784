"""`heapwright boolheap`: a Boolean heap program written from C, and run without it."""

from __future__ import annotations

import subprocess
import sys
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
    first, phases, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert phases.startswith("abstraction: ")
    assert first.startswith("every check holds")


TWICE_LINKED = """
#include <stdlib.h>
#include <heapwright.h>
#include <assert.h>
struct node { struct node *next, *prev; };
int main(void) {
    struct node *x = malloc(sizeof *x), *y = malloc(sizeof *y);
    x->next = y; x->prev = NULL; y->next = NULL; y->prev = x;
    assert(hw_dll(x, next, prev));
    return 0;
}
"""


def without_prover(path: Path) -> subprocess.CompletedProcess[str]:
    """As if z3 were not installed."""
    script = "import sys; sys.modules['z3'] = None; from heapwright.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", script, "boolheap", str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(("post", "text"), [("state", TWICE_LINKED), ("cartesian", SOURCE.replace("FREE", ""))])
def test_no_prover_is_needed_to_run_what_was_written(
    post: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, emitted = tmp_path / "twice.c", tmp_path / "twice.bhp"
    path.write_text(text)
    code = main(["boolheap", str(path), "--post", post, "--emit", str(emitted)])
    told = capsys.readouterr().out.splitlines()
    assert "import of z3 halted" in without_prover(path).stdout
    alone = without_prover(emitted)
    assert (alone.returncode, alone.stdout.splitlines()) == (code, told[:-1])
    assert ("post cartesian" in emitted.read_text()) == (post == "cartesian")


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
    "arguments", [["--mark", "nonsense"], ["--claim", "9: mark(then, v)"], ["--refinements", "x"], ["--jobs", "-1"]]
)
def test_wrong_options_get_a_sentence(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boolheap", source(tmp_path, ""), *arguments]) == 2
    assert "heapwright: error: " in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["--jobs", "2"], ["--splitting", "guided", "--refinements", "1"], ["--post", "cartesian"], ["--leaks"]],
)
def test_ways_of_analysing(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boolheap", source(tmp_path, "free(list);"), *arguments]) == 0
    assert capsys.readouterr().out.startswith("every check holds")


def test_the_plain_post_asks_nothing_once_it_is_abstracted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boolheap", source(tmp_path, "free(list);"), "--post", "cartesian"]) == 0
    phases = capsys.readouterr().out.splitlines()[-1]
    assert not phases.startswith("abstraction: 0 calls")
    assert "; fixpoint: 0 calls" in phases


def test_leaks_of_inputs_are_not_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        '#include "heapwright.h"\nstruct node { struct node *next; };\n'
        "int main(void) { struct node *x = hw_any_list(next); return !x; }\n"
    )
    assert main(["boolheap", str(path)]) == 0
    assert main(["boolheap", str(path), "--leaks"]) == 3
    assert "unknown: leak checks on input heaps are not supported" in capsys.readouterr().out


def test_leaks_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boolheap", source(tmp_path, ""), "--leaks"]) == 3
    assert "leak" in capsys.readouterr().out
