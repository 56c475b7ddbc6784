"""`heapwright show`: pictures in the terminal and as files, limits, and what is said where there are none."""

from __future__ import annotations

import io
import json
import re
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from cli.hand_made import Heapwright

import heapwright.engines as engines
from heapwright.engines.api import Declaration
from heapwright.program.checks import CheckKind
from heapwright.program.graph import Program
from heapwright.program.heap_picture import HeapPicture
from heapwright.report.json_report import SCHEMA as REPORT_SCHEMA
from heapwright.report.views_json import SCHEMA
from heapwright.result.outcomes import Outcome, Result, Verdict

LIST = """\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };

int main(void) {
    struct node *x = NULL;
    for (int i = __VERIFIER_nondet_int(); i > 0; i--) {
        struct node *y = malloc(sizeof *y);
        y->next = x;
        x = y;
    }
    x = x->next;
    return 0;
}
"""


@pytest.fixture
def source(heapwright: Heapwright) -> Path:
    path = Path("list.c")
    path.write_text(LIST, encoding="utf-8")
    return path


def test_every_line(heapwright: Heapwright, source: Path) -> None:
    said = heapwright("show", "list.c")
    assert (said.code, said.err) == (0, "")
    assert "list.c:6: struct node *x = NULL;  (1 heap)\n  1  empty heap\n" in said.out
    assert "list.c:7:18: for (" in said.out  # where it begins
    assert "list.c:7:50: for (" in said.out  # where it goes on
    assert "list.c:13: return 0;  (3 heaps)\n" in said.out  # behind the leak
    assert (
        "list.c:10: x = y;  (3 heaps)\n"
        "  1  y ──> #1\n"
        "  2  x ──> #1\n"
        "     y ──> #2 ──next──> #1\n"
        "  3  x ──> #1 ┄┄next┄┄> #2+ {r[x], r[y]} ┄┄next┄┄> #2\n"
        "     y ──> #3 ──next──> #1\n"
    ) in said.out


def test_one_line_with_what_may_fail_there(heapwright: Heapwright, source: Path) -> None:
    said = heapwright("show", "list.c", "--line", "12")
    assert said.code == 0
    assert said.out == (
        "list.c:12: x = x->next;  (3 heaps)\n"
        "  unknown: cannot prove that no memory leaks here [leak]\n"
        "  unknown: cannot prove that 'x' is not null [null-deref]\n"
        "  1  x ──> null\n"
        "  2  x ──> #1\n"
        "  3  x ──> #1 ┄┄next┄┄> #2+ {r[x]} ┄┄next┄┄> #2\n"
    )
    assert heapwright("show", "list.c", "--line", "list.c:12").out == said.out


def test_ascii(heapwright: Heapwright, source: Path) -> None:
    said = heapwright("show", "list.c", "--line", "12", "--ascii")
    assert said.out.isascii()
    assert "x --> #1 ..next..> #2+ {r[x]} ..next..> #2" in said.out


def test_a_terminal_without_the_letters_gets_ascii(monkeypatch: pytest.MonkeyPatch, source: Path) -> None:
    from heapwright.cli import main

    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert main(["show", "list.c", "--line", "12"]) == 0
    sys.stdout.flush()
    assert b"x --> #1 ..next..> #2+" in raw.getvalue()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--line", "x"), "'line' must be of the form N or FILE:N"),
        (("--line", "0"), "'line' must be of the form N or FILE:N"),
        (("--line", "1"), "line 1 of 'list.c' has no executable code (the next such line is 5)"),
        (("--line", "99"), "line 99 of 'list.c' has no executable code (the last such line is 13)"),
        (("--line", "b.c:2"), "'b.c' has no executable line"),
        (("--engine", "explore"), "engine 'explore' has no pictures (use --engine tvl)"),
        (("--engine", "magic"), "unknown engine 'magic'"),
        (("-o", "list.c"), "cannot write to 'list.c': it is not a directory"),
    ],
)
def test_bad_usage(heapwright: Heapwright, source: Path, arguments: tuple[str, ...], sentence: str) -> None:
    said = heapwright("show", "list.c", *arguments)
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    assert said.err.count("\n") == 1


def test_files(heapwright: Heapwright, source: Path) -> None:
    said = heapwright("show", "list.c", "-o", "out/pictures")
    assert "pictures to out/pictures/index.html" in said.out
    directory = Path("out/pictures")
    drawings = sorted(directory.glob("*.svg"))
    assert "list-12-3.svg" in [path.name for path in drawings]
    for path in drawings:
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
        assert path.with_suffix(".dot").read_text(encoding="utf-8").startswith("digraph heap {")
    page = (directory / "index.html").read_text(encoding="utf-8")
    found = re.search(r'id="page-data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    views = json.loads(found[1])["views"]
    assert sum(len(view["heaps"]) for view in views) == len(drawings)
    assert {"y->next = x;", "return 0;"} <= {view["text"] for view in views}


def test_json(heapwright: Heapwright, source: Path) -> None:
    said = heapwright("show", "list.c", "--json", "-", "--line", "10")
    content = json.loads(said.out)
    jsonschema.validate(content, json.loads(SCHEMA.read_text(encoding="utf-8")))
    (view,) = content["views"]
    assert (view["line"], view["function"], view["text"], content["complete"]) == (10, "main", "x = y;", True)
    assert [len(heap["objects"]) for heap in view["heaps"]] == [1, 2, 3]
    assert "list.c:10" in said.err


def test_the_schemas_agree_on_heaps() -> None:
    one, other = (json.loads(path.read_text(encoding="utf-8"))["$defs"] for path in (SCHEMA, REPORT_SCHEMA))
    assert (one["heap"], one["facts"]) == (other["heap"], other["facts"])


class Lost(Declaration):
    name = "lost"
    proves = frozenset(CheckKind)
    draws = True

    def analyze(self, program: Program, *rest: object) -> Result:
        outcomes = (Outcome(check, Verdict.UNKNOWN, "lost", reason="it is too hard") for check in program.checks)
        return Result("lost", tuple(outcomes), dropped="", complete=False)


class Interrupted(Declaration):
    name = "interrupted"
    proves = frozenset(CheckKind)
    draws = True

    def analyze(self, program: Program, *rest: object) -> Result:
        known = {program.graph.entry: (HeapPicture((), ()),)}
        return Result("interrupted", (), dropped="", complete=False, limit="it took too long", invariants=known)


def test_what_was_cut_short_is_not_said_to_be_all(
    heapwright: Heapwright, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(engines.ENGINES, "interrupted", f"{__name__}:Interrupted")
    said = heapwright("show", "list.c", "--engine", "interrupted", "-o", "out")
    assert said.code == 3
    assert "none found so far" in Path("out/index.html").read_text(encoding="utf-8")
    assert "unreachable" not in said.out + Path("out/index.html").read_text(encoding="utf-8")
    assert said.err == "list.c: incomplete: more heaps are possible: it took too long\n"


def test_what_the_engine_cannot_follow(heapwright: Heapwright, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engines.ENGINES, "lost", f"{__name__}:Lost")
    said = heapwright("show", "list.c", "--engine", "lost")
    assert (said.code, said.out) == (3, "")
    assert said.err == "list.c: no heaps: it is too hard\n"


class Slow(Declaration):
    name = "slow"
    proves = frozenset(CheckKind)
    draws = True

    def analyze(self, *arguments: object) -> None:
        time.sleep(60)


def test_limits_hold(heapwright: Heapwright, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engines.ENGINES, "slow", f"{__name__}:Slow")
    said = heapwright("show", "list.c", "--engine", "slow", "--timeout", "2")
    assert said.code == 3
    assert "the time limit of 2 s was reached while" in said.err
