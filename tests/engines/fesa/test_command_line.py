"""The engine from the command line: trees distinguished from graphs, and solvers that are imported on selection."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from heapwright.cli import main

PROGRAM = """\
#include <stdlib.h>
#include <heapwright.h>
struct tree { struct tree *left, *right; };
static struct tree *mk(struct tree *left, struct tree *right) {
    struct tree *t = malloc(sizeof *t);
    t->left = left;
    t->right = right;
    return t;
}
int main(void) {
    struct tree *d = mk(0, 0), *a = mk(mk(d, 0), mk(SECOND, 0));
    d = 0;
    hw_fesa_summarize(a);
    while (a) {
        if (!a->left) { struct tree *t = a->right; free(a); a = t; }
        else { struct tree *l = a->left; a->left = l->right; l->right = a; a = l; }
    }
    return 0;
}
"""


Check = Callable[[str], tuple[int, str]]


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    def call(second: str) -> tuple[int, str]:
        path = tmp_path / "program.c"
        path.write_text(PROGRAM.replace("SECOND", second), encoding="utf-8")
        options = ("--engine", "fesa", "--property", "valid-deref", "--property", "valid-free", "--timeout", "60")
        code = main(("check", str(path), *options))
        return code, capsys.readouterr().out

    return call


def test_a_tree_is_freed_by_rotations(check: Check) -> None:
    code, said = check("mk(0, 0)")
    assert (code, " safe: " in said) == (0, True)


def test_a_diamond_is_not_and_the_run_is_shown(check: Check) -> None:
    code, said = check("d")
    assert code == 1
    assert "use after free" in said
    assert "1 violated" in said


START = """\
import sys
from heapwright.cli import main
main(["--help"])
"""
ANALYSE = """\
import sys
from heapwright.engines.api import Limits, NullProgress
from heapwright.analysis.pipeline import Input, analyze, build
from heapwright.program.checks import Goal
analyze(build(Input(("program.c",)), lambda phase: None), Goal(), "ENGINE", Limits(), NullProgress())
"""
TELL = "print([m for m in ('oxidd', 'pysat') if m in sys.modules], file=sys.stderr)"


@pytest.mark.parametrize(
    ("script", "loaded"),
    [(START, "[]"), (ANALYSE.replace("ENGINE", "tvl"), "[]"), (ANALYSE.replace("ENGINE", "fesa"), "['oxidd']")],
    ids=["help", "tvl", "fesa"],
)
def test_solvers_are_loaded_by_this_engine_alone(script: str, loaded: str, tmp_path: Path) -> None:
    (tmp_path / "program.c").write_text("int main(void) { int *p = 0; return p != 0; }\n", encoding="utf-8")
    command = [sys.executable, "-c", script + TELL]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr.splitlines()[-1] == loaded
