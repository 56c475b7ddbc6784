"""Names of files with line breaks, quotes and worse come out right in every report and in generated C tests."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest
from cli.hand_made import Heapwright

from heapwright.base.source import Span, file_stem, printable
from heapwright.program.checks import Check, CheckKind
from heapwright.program.trace import Violation
from heapwright.witness.c_test import confirm

SOURCE = """struct n { struct n *next; };
void *malloc(unsigned long); void free(void *);
int main(void) {
  struct n *x = malloc(sizeof *x);
  free(x);
  return x->next != 0;
}
"""
NAMES = [
    "line\nbreak.c",
    'quo"te.c',
    "back\\slash\\n.c",
    "per%cent%20.c",
    "d*/star.c",
    "tri??/graph.c",
    "./-dash.c",
    "\x1b[2Jclear.c",
    os.fsdecode(b"caf\xe9.c"),
    "\u202edrawkcab.c",
    "$(touch pwned).c",
]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_every_report(heapwright: Heapwright, name: str) -> None:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(SOURCE, encoding="utf-8")
    said = heapwright(
        "check", name, "--engine", "explore", "--json", "out.json", "--sarif", "out.sarif", "--witness", "w"
    )
    assert said.code == 1
    assert said.out.startswith(f"{printable(name)}:6:13: error: use after free")
    assert all(line.isprintable() for line in said.out.splitlines())
    assert json.loads(Path("out.json").read_text(encoding="utf-8"))["files"] == [name]
    sarif = json.loads(Path("out.sarif").read_text(encoding="utf-8"))
    uri = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote_to_bytes(uri) == os.fsencode(os.path.normpath(name))
    (test,) = Path("w").glob("*.c")
    assert test.name == f"{file_stem(name)}-6-use-after-free.c"
    if shutil.which("gcc"):
        violation = Violation(Check(CheckKind.USE_AFTER_FREE, Span(name, 6, 13), "main"), "")
        assert confirm(test, violation).confirmed


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_pictures(heapwright: Heapwright, name: str) -> None:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(SOURCE, encoding="utf-8")
    assert heapwright("show", name, "--line", "5", "-o", "out").code == 0
    assert Path(f"out/{file_stem(name)}-5-1.svg").is_file()
    page = Path("out/index.html").read_text(encoding="utf-8")
    assert 'id="page-data"' in page
    assert all(line.isprintable() for line in page.splitlines())


def test_names_in_diagnostics(heapwright: Heapwright) -> None:
    said = heapwright("check", "no\n\x1b[31m.c")
    assert (said.code, said.err) == (2, "heapwright: error: 'no\\n\\x1b[31m.c' does not exist\n")


def test_the_text_of_a_program_does_not_control_the_terminal(heapwright: Heapwright) -> None:
    source = (
        '#include <assert.h>\nint main(void) { int x = 0; // \x1b[2J\n  assert(x && "\x1b[2J\x1b[8m"); return 0; }\n'
    )
    Path("a.c").write_text(source, encoding="utf-8")
    for arguments in (("check", "a.c", "--engine", "explore", "-v"), ("run", "a.c", "-v")):
        for colour in ("always", "never"):
            said = heapwright(*arguments, "--color", colour)
            assert said.code == 1
            assert "\x1b[2J" not in said.out + said.err
            assert "\x1b[8m" not in said.out + said.err
