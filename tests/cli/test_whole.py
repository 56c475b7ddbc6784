"""From C files to reports, with the real front end and the real interpreter."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml
from cli.fake_engines import ENGINES
from cli.hand_made import Heapwright
from sarif_pydantic import Sarif

from heapwright.report.json_report import SCHEMA

BUGGY = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
extern int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *x = malloc(sizeof *x);
    x->next = NULL;
    if (__VERIFIER_nondet_int() > 0)
        free(x);
    x->data = 1;
    free(x);
    return 0;
}
"""


@pytest.fixture(autouse=True)
def rolls(monkeypatch: pytest.MonkeyPatch, heapwright: Heapwright) -> None:
    import heapwright.engines as engines

    monkeypatch.setitem(engines.ENGINES, "rolls", ENGINES["rolls"])
    Path("list.c").write_text(BUGGY, encoding="utf-8")


def test_violation(heapwright: Heapwright) -> None:
    said = heapwright("check", "list.c", "--engine", "rolls")
    assert said.code == 1
    assert said.out.startswith("list.c:10:5: error: ")
    assert " [use-after-free]\n" in said.out
    assert "list.c:6:22: note: allocated here: struct node *x = malloc(sizeof *x);" in said.out
    assert "list.c:9:9: note: freed here: free(x);" in said.out
    assert "__VERIFIER_nondet_int() gives " in said.out
    assert "x ──> #1 node" in said.out
    assert "list.c: unsafe: 1 violated, " in said.out


def test_every_sink_at_once(heapwright: Heapwright) -> None:
    said = heapwright(
        "check", "list.c", "--engine", "rolls", "--json", "o.json", "--sarif", "o.sarif", "--witness", "w"
    )
    assert said.code == 1
    loaded = json.loads(Path("o.json").read_text(encoding="utf-8"))
    jsonschema.validate(loaded, json.loads(SCHEMA.read_text(encoding="utf-8")))
    Sarif.model_validate_json(Path("o.sarif").read_text(encoding="utf-8"))
    assert "wrote w/list-10-use-after-free.c" in said.out
    assert "int main(void)" in Path("w/list-10-use-after-free.c").read_text(encoding="utf-8")
    (witness,) = yaml.safe_load(Path("w/list-10-use-after-free.yml").read_text(encoding="utf-8"))
    assert witness["metadata"]["task"]["specification"] == "G valid-deref"


def test_choices_of_the_report_repeat_the_run(heapwright: Heapwright) -> None:
    said = heapwright("check", "list.c", "--engine", "rolls", "--json", "-")
    (check,) = [check for check in json.loads(said.out)["checks"] if check["verdict"] == "violated"]
    choices = ",".join(str(choice["value"]) for choice in check["choices"])
    again = heapwright("run", "list.c", "--choices", choices)
    assert again.code == 1
    assert f"list.c:{check['line']}:{check['column']}: error: {check['message']} [{check['kind']}]" in again.out


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_letters_that_the_terminal_lacks(heapwright: Heapwright, encoding: str) -> None:
    Path("l.c").write_bytes(b"int main(void) { int *p = 0; return *p; /* caf\xe9 */ }\n")
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "heapwright", "run", "l.c"]
    answer = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert (answer.returncode, answer.stdout) == (1, b"")
    assert b"[null-deref]" in answer.stderr
    assert heapwright("check", "l.c", "--engine", "rolls", "--json", "o.json", "--sarif", "o.sarif").code == 1
    assert json.loads(Path("o.json").read_text(encoding="utf-8"))["verdict"] == "unsafe"


def test_run_without_violation(heapwright: Heapwright) -> None:
    said = heapwright("run", "list.c", "--choices", "0")
    assert said.code == 0
    assert said.out.endswith("; the program ended normally\n")


def test_same_seed_same_run(heapwright: Heapwright) -> None:
    assert heapwright("run", "list.c", "--seed", "5").err == heapwright("run", "list.c", "--seed", "5").err


def test_choices_that_do_not_fit(heapwright: Heapwright) -> None:
    said = heapwright("run", "list.c", "--choices", "99999999999")
    assert said.code == 2
    assert "the choice 99999999999 for '__VERIFIER_nondet_int' is out of range" in said.err


def test_run_is_cut(heapwright: Heapwright) -> None:
    Path("loop.c").write_text("int main(void) { for (;;) {} }\n", encoding="utf-8")
    said = heapwright("run", "loop.c", "--steps", "50")
    assert said.code == 0
    assert "the run was stopped" in said.err


def test_lower(heapwright: Heapwright) -> None:
    assert "new node in heap" in heapwright("lower", "list.c").out
    assert heapwright("lower", "list.c", "--dot").out.startswith("digraph ")


def test_several_files(heapwright: Heapwright) -> None:
    Path("a.c").write_text("int f(int *); int main(void) { return f((int *)0); }\n", encoding="utf-8")
    Path("b.c").write_text("int f(int *p) { return *p; }\n", encoding="utf-8")
    said = heapwright("check", "a.c", "b.c", "--engine", "rolls")
    assert said.code == 1
    assert said.out.startswith("b.c:1:")
    assert "[null-deref]" in said.out
    assert "a.c (+1 file): unsafe" in said.out


def test_input_options(heapwright: Heapwright) -> None:
    Path("inc").mkdir()
    Path("inc/value.h").write_text("#define VALUE 0\n", encoding="utf-8")
    Path("o.c").write_text('#include "value.h"\nint main(void) { return 1 / (VALUE + PLUS); }\n', encoding="utf-8")
    assert heapwright("lower", "o.c").code == 2
    assert heapwright("lower", "o.c", "-Iinc", "-D", "PLUS=1", "-std=c99", "--data-model", "ILP32").code == 0
    Path("heapwright.toml").write_text('include = ["inc"]\ndefine = ["PLUS=1"]\n', encoding="utf-8")
    assert heapwright("lower", "o.c").code == 0


def test_compilation_database(heapwright: Heapwright) -> None:
    Path("o.c").write_text("int main(void) { return VALUE; }\n", encoding="utf-8")
    entry = {"directory": str(Path.cwd()), "file": "o.c", "arguments": ["cc", "-DVALUE=3", "-c", "o.c"]}
    Path("compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
    assert heapwright("lower", "o.c", "--compile-commands", "compile_commands.json").code == 0


def test_malloc_may_fail(heapwright: Heapwright) -> None:
    Path("m.c").write_text(
        "#include <stdlib.h>\nint main(void) { int *p = malloc(4); *p = 1; free(p); return 0; }\n", encoding="utf-8"
    )
    assert heapwright("check", "m.c", "--engine", "rolls").code == 3
    said = heapwright("check", "m.c", "--engine", "rolls", "--malloc-may-fail")
    assert said.code == 1
    assert "[null-deref]" in said.out


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
@pytest.mark.parametrize(("number", "code"), [("1.5", 1), ("0.5", 3)])
def test_a_doubtful_violation_counts_if_its_test_fails(heapwright: Heapwright, number: str, code: int) -> None:
    Path("float.c").write_text(
        f"int main(void) {{ long double f = {number}; int *p = 0; if (f > 1.0) *p = 1; return 0; }}", encoding="utf-8"
    )
    assert heapwright("check", "float.c").code == 3
    assert heapwright("check", "float.c", "--confirm").code == code
