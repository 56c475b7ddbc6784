"""`heapwright tvp`: exit codes, messages, JSON and structures of small specifications."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.hand_made import Heapwright

Write = Callable[..., None]  # writes the files of a specification

PROGRAM = """\
%s Vars {{x, y}}
%p n(v1, v2) function
foreach (z in Vars) {{ %p z(v) unique pointer }}
foreach (z in Vars) {{ %i r[z](v) = E(v1) (z(v1) & n*(v1, v)) }}
%%
%action Copy(l, r0) {{
    %t l + " = " + r0
    {{ l(v) = r0(v) }}
}}
%action Next(l, r0) {{
    %t l + " = " + r0 + "->n"
    %f {{ E(v1) r0(v1) & n(v1, v) }}
    %message (!E(v) r0(v)) -> r0 + " may be null"
    {{ l(v) = E(v1) (r0(v1) & n(v1, v)) }}
}}
%action Look(l) {{
    %message (!E(v) l(v)) -> l + " may be null"
}}
%action IsSet(l) {{
    %p E(v) l(v)
}}
%action IsNull(l) {{
    %f {{ l(v) }}
    %p !(E(v) l(v))
}}
%%
start Copy(y, x) loop
{edges}
"""

SAFE = "loop IsSet(y) body\nbody Next(y, y) loop\nloop IsNull(y) end"
NULL = "loop Next(y, y) loop"
ONCE = "loop Look(y) end"
MAYBE = "%n = {a}\n%p = {\n  x = {a:1/2}\n  r[x] = {a:1/2}\n}\n"
LIST = "%n = {a, b}\n%p = {\n  sm = {b:1/2}\n  n = {a->b:1/2, b->b:1/2}\n  x = {a}\n  r[x] = {a, b}\n}\n"


@pytest.fixture
def specification(heapwright: Heapwright) -> Write:
    def write(edges: str, structures: str = LIST) -> None:
        Path("list.tvp").write_text(PROGRAM.format(edges=edges), encoding="utf-8")
        Path("list.tvs").write_text(structures, encoding="utf-8")

    return write


@pytest.mark.parametrize(
    ("edges", "structures", "code", "word"),
    [(SAFE, LIST, 0, "proved"), (NULL, LIST, 1, "violated"), (ONCE, MAYBE, 3, "unknown")],
)
def test_exit_codes(
    heapwright: Heapwright, specification: Write, edges: str, structures: str, code: int, word: str
) -> None:
    specification(edges, structures)
    ended = heapwright("tvp", "list.tvp", "list.tvs")
    assert ended.code == code
    assert f"list.tvp: {word}:" in ended.out


def test_suffixes_may_be_left_out(heapwright: Heapwright, specification: Write) -> None:
    specification(SAFE)
    assert heapwright("tvp", "list", "list").code == 0


def test_json_has_counts_as_tvla_counts_them(heapwright: Heapwright, specification: Write) -> None:
    specification(NULL)
    ended = heapwright("tvp", "list", "list", "--json", "-")
    found = json.loads(ended.out)
    assert found["verdict"] == "violated"
    assert found["messages"][0]["text"] == "y may be null"
    assert found["stats"]["structures_in_graph"] == sum(found["locations"].values())
    assert found["stats"]["messages"] == sum(message["times"] for message in found["messages"])


def test_structures_are_drawn(heapwright: Heapwright, specification: Write) -> None:
    specification(SAFE)
    said = heapwright("tvp", "list", "list", "--pictures", "drawn")
    assert "pictures to drawn/index.html" in said.out
    counts = json.loads(heapwright("tvp", "list", "list", "--json", "-").out)["locations"]
    drawings = list(Path("drawn").glob("list-*.svg"))
    assert len(drawings) == len(list(Path("drawn").glob("list-*.dot"))) == sum(counts.values())
    assert "loop: " in Path("drawn/index.html").read_text(encoding="utf-8")
    first = Path("drawn/list-1-1.svg").read_text(encoding="utf-8")
    assert first.count("<title>") == 1
    assert ">x</text>" in first
    assert ">n</text>" in first
    assert heapwright("tvp", "list", "list", "--pictures", "list.tvp").code == 2


def test_structures_are_written_and_read_back(heapwright: Heapwright, specification: Write) -> None:
    specification(SAFE)
    assert heapwright("tvp", "list", "list", "-o", "found.tvs").code == 0
    assert "%location" in Path("found.tvs").read_text(encoding="utf-8")
    assert heapwright("tvp", "list", "found").code == 0


@pytest.mark.parametrize(("edges", "structures", "code"), [(SAFE, LIST, 0), (NULL, LIST, 1), (ONCE, MAYBE, 3)])
def test_refinement_by_meet(
    heapwright: Heapwright, specification: Write, edges: str, structures: str, code: int
) -> None:
    specification(edges, structures)
    assert heapwright("tvp", "list", "list", "--focus", "meet").code == code


@pytest.mark.parametrize("part", ['%message [x(v)] 0 -> "never"', "%compose x(v)"])
def test_nothing_is_proved_after_something_was_ignored(heapwright: Heapwright, specification: Write, part: str) -> None:
    specification(SAFE)
    text = Path("list.tvp").read_text(encoding="utf-8")
    more = f"%action Part() {{ {part} }}\n%%\nstart Part() loop\n"
    Path("list.tvp").write_text(text.replace("%%\nstart", more + "start"), encoding="utf-8")
    ended = heapwright("tvp", "list", "list", "--json", "found.json")
    assert ended.code == 3
    assert "list.tvp: unknown: 0 messages" in ended.out
    assert "parts of the specification were ignored" in ended.out
    assert json.loads(Path("found.json").read_text(encoding="utf-8"))["ignored"] is True


@pytest.mark.parametrize("join", ["part", "rel", "part_embedding"])
def test_joins(heapwright: Heapwright, specification: Write, join: str) -> None:
    specification(SAFE)
    assert heapwright("tvp", "list", "list", "--join", join).code == 0


def test_properties_turn_derived_updates_off(heapwright: Heapwright, specification: Write) -> None:
    specification(SAFE)
    Path("list.properties").write_text("tvla.differencing.difference = false\n", encoding="utf-8")
    ended = heapwright("tvp", "list", "list")
    assert ended.code == 3
    assert "r[y]" in ended.out  # not updated, so that it contradicts y


def test_what_an_update_that_breaks_a_constraint_says_is_not_certain(
    heapwright: Heapwright, specification: Write
) -> None:
    specification(SAFE)
    text = Path("list.tvp").read_text(encoding="utf-8")
    both = '%action Both() {\n %message (E(v) x(v)) -> "x is set"\n { x(v) = 1 }\n}\n%%\nstart Both() loop\n'
    Path("list.tvp").write_text(text.replace("%%\nstart", both + "start"), encoding="utf-8")
    ended = heapwright("tvp", "list", "list")
    assert ended.code == 3
    assert "x is set [possible" in ended.out
    assert "integrity constraint violated after the update" in ended.out


@pytest.mark.parametrize(
    ("edges", "structures", "complaint"),
    [
        ("loop Forward(y) end", LIST, "Forward"),
        ("loop Next(y) end", LIST, "2 parameters, not 1"),
        (SAFE, LIST.replace("x = {a}", "x = {c}"), "c"),
        (SAFE, LIST.replace("x = {a}", "w = {a}"), "w"),
        (SAFE, LIST.replace("x = {a}", "x = {a, b}"), "constraint"),
        (SAFE, "", "no structure"),
    ],
)
def test_bad_input(heapwright: Heapwright, specification: Write, edges: str, structures: str, complaint: str) -> None:
    specification(edges, structures)
    ended = heapwright("tvp", "list", "list")
    assert ended.code == 2
    assert complaint in ended.err
    assert "Traceback" not in ended.err
