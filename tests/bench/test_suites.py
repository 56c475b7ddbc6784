"""The public suites: small ones of our own, with the layout of the real ones and one answer of each kind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.paths import ROOT

SCRIPT = ROOT / "bench" / "suites.py"
HALVES = """#include <stdlib.h>
#include "support.h"
#ifndef OMITGOOD
int main(void) { int *x = malloc(sizeof *x); print(*x = 1); free(x); return 0; }
#else
int main(void) { int *x = malloc(sizeof *x); free(x); print(*x = 1); return 0; }
#endif
"""
SWAPPED = HALVES.replace("ifndef OMITGOOD", "ifdef OMITGOOD")
LEAKING = "#include <stdlib.h>\nint main(void) { return malloc(4) == NULL; }\n"


def suites(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *options, "--engine", "explore", "--timeout", "60"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def row(output: str, name: str) -> list[int]:
    """Runs, right, unknown, refused, wrong, crashed."""
    (line,) = [line for line in output.splitlines() if line.startswith(f"{name} ")]
    return [int(cell) for cell in line.removeprefix(name).split()[:6]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    support, tests = tmp_path / "testcasesupport", tmp_path / "testcases" / "CWE416_Use" / "s01"
    support.mkdir()
    tests.mkdir(parents=True)
    (support / "support.h").write_text("void print(int value);\n", encoding="utf-8")
    (support / "io.c").write_text('#include <stdio.h>\nvoid print(int v) { printf("%d", v); }\n', encoding="utf-8")
    (tests / "CWE416_Use__int_01.c").write_text(HALVES, encoding="utf-8")
    (tests / "CWE416_Use__int_62a.cpp").write_text("class C {};\n", encoding="utf-8")
    (tests / "CWE416_Use__w32_01.c").write_text("#include <windows.h>\n", encoding="utf-8")
    return tmp_path


def test_both_halves_are_right_and_other_tests_left_out(folder: Path) -> None:
    done = suites(folder, "--juliet", ".", "--weaknesses", "416")
    assert done.returncode == 0, done.stdout + done.stderr
    assert row(done.stdout, "juliet 416 bad") == [1, 1, 0, 0, 0, 0]
    assert row(done.stdout, "juliet 416 good") == [1, 1, 0, 0, 0, 0]
    assert row(done.stdout, "together") == [2, 2, 0, 0, 0, 0]
    assert "juliet 416: 1 tests, 2 left out" in done.stdout


def test_files_that_differ_in_a_letter_are_one_program(folder: Path) -> None:
    tests = folder / "testcases" / "CWE416_Use" / "s01"
    (tests / "CWE416_Use__int_01.c").unlink()
    (tests / "CWE416_Use__int_51a.c").write_text("int other(void);\nint main(void) { return other(); }\n")
    (tests / "CWE416_Use__int_51b.c").write_text(
        "#include <stdlib.h>\nint other(void) { int *x = malloc(4); *x = 1; free(x);\n"
        "#ifdef OMITGOOD\nfree(x);\n#endif\nreturn 0; }\n"
    )
    done = suites(folder, "--juliet", ".", "--weaknesses", "416")
    assert row(done.stdout, "together") == [2, 2, 0, 0, 0, 0], done.stdout


def test_a_wrong_answer_is_named_and_fails(folder: Path) -> None:
    (folder / "testcases" / "CWE416_Use" / "s01" / "CWE416_Use__int_01.c").write_text(SWAPPED, encoding="utf-8")
    done = suites(folder, "--juliet", ".", "--weaknesses", "416")
    assert done.returncode == 1
    assert row(done.stdout, "together") == [2, 0, 0, 0, 2, 0]
    assert "WRONG   CWE416_Use__int_01 bad" in done.stdout


@pytest.mark.slow
def test_leaks_are_asked_for_where_the_suite_is_about_them(tmp_path: Path) -> None:
    programs = tmp_path / "tests" / "single-exec"
    programs.mkdir(parents=True)
    (programs / "00001.c").write_text("int main(void) { return 0; }\n", encoding="utf-8")
    (programs / "00001.c.expected").write_bytes(b"")
    (programs / "00002.c").write_text(LEAKING, encoding="utf-8")
    (programs / "00002.c.expected").write_bytes(b"something else\n")
    (programs / "00003.c").write_text("int main(void) { return }\n", encoding="utf-8")
    done = suites(tmp_path, "--c-testsuite", ".")
    assert done.returncode == 1
    assert row(done.stdout, "c-testsuite") == [3, 1, 0, 1, 1, 0]
    assert row(done.stdout, "run of c-testsuite") == [2, 1, 0, 0, 1, 0]
    (tmp_path / "testcases" / "CWE415_Free").mkdir(parents=True)
    (tmp_path / "testcasesupport").mkdir()
    (tmp_path / "testcasesupport" / "io.c").write_text("", encoding="utf-8")
    (tmp_path / "testcases" / "CWE415_Free" / "CWE415_Free__x_01.c").write_text(LEAKING, encoding="utf-8")
    done = suites(tmp_path, "--juliet", ".", "--weaknesses", "415")
    assert row(done.stdout, "juliet 415 good") == [1, 1, 0, 0, 0, 0], done.stdout


def test_tasks_with_a_list(tmp_path: Path) -> None:
    (tmp_path / "leak.c").write_text(LEAKING, encoding="utf-8")
    header, task = "path\tproperty\texpected\tkind\tlines\tdata_model", "leak.c\tvalid-memsafety\t{}\tnone\t2\tLP64"
    for expected, code in (("false(valid-memtrack)", 0), ("true", 1)):
        (tmp_path / "tasks.tsv").write_text(f"{header}\n{task.format(expected)}\n", encoding="utf-8")
        assert suites(tmp_path, "--sv-comp", ".", "--tasks", "tasks.tsv").returncode == code


def test_without_a_suite_there_is_nothing_to_run(tmp_path: Path) -> None:
    assert suites(tmp_path).returncode == 2
