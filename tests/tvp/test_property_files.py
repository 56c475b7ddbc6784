"""Properties files: their format and which value counts."""

from __future__ import annotations

import pytest
from tvp.reading import END, Folder

from heapwright.base.errors import HeapwrightError
from heapwright.tvp.property_files import DEFAULTS, listed, parse
from heapwright.tvp.reader import read_program, read_structures

PROGRAM = f"%% %action go() {{ }} {END}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("# a = 1\n! b = 2\n\n  \n", {}),
        ("a=1\nb : 2\nc 3\nd\ne =", {"a": "1", "b": "2", "c": "3", "d": "", "e": ""}),
        ("a = b = c: d", {"a": "b = c: d"}),
        ("a = 1\na = 2  ", {"a": "2"}),
        ("a = one, \\\n    two", {"a": "one, two"}),
        ("a = one\\\\\nb = 1", {"a": "one\\", "b": "1"}),
        (r"a\ b\=c = \u0041\tx\q", {"a b=c": "A\txq"}),
        ("a = 1\\", {"a": "1"}),
        ("\ta.b-c=1\r\n", {"a.b-c": "1"}),
    ],
)
def test_format(text: str, expected: dict[str, str]) -> None:
    assert parse(text) == expected


def test_lists() -> None:
    assert listed("A; B(1, 2),C  D") == ["A", "B(1, 2)", "C", "D"]
    assert listed(" ; ") == []


def test_later_sources_win(folder: Folder) -> None:
    join, constraints, path, macros = (key for key in DEFAULTS if key != "tvla.differencing.difference")
    folder.put(
        {
            "main.tvp": f'// @properties "named.properties"\n{PROGRAM}',
            "main.properties": f"{join} = rel\n{constraints} = false\n{path} = beside\n{macros} = BESIDE",
            "named.properties": f"{constraints} = true\n{path} = named\n{macros} = NAMED",
            "given.properties": f"{path} = given\n{macros} = GIVEN",
        }
    )
    found = read_program("main", properties=["given"], options={macros: "TOLD"}).options
    assert [found[key] for key in (join, constraints, path, macros)] == ["rel", "true", "given", "TOLD"]
    assert found["tvla.differencing.difference"] == DEFAULTS["tvla.differencing.difference"] == "true"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("tvla.engine.actionOrder = pub", "tvla.engine.actionOrder = pub is not supported; it may be fcpucb"),
        ("tvla.joinType = conc", "tvla.joinType = conc is not supported; it may be part or rel or part_embedding"),
        ("tvla.blur.threeWay = false", "is not supported; it may be true"),
        ("tvla.cfg.backwardAnalysis = true", "is not supported; it may be false"),
        ("tvla.jointype = rel", "heapwright has no property tvla.jointype"),
        ("joinType = rel", "heapwright has no property joinType"),
    ],
)
def test_a_property_without_effect_is_refused(folder: Folder, line: str, words: str) -> None:
    folder.put({"main.tvp": PROGRAM, "main.properties": line, "given.properties": line, "empty/main.tvp": PROGRAM})
    with pytest.raises(HeapwrightError, match=words):
        read_program("main")
    with pytest.raises(HeapwrightError, match=words):
        read_program("empty/main", properties=["given"])


def test_values_that_say_what_is_done_and_output_are_accepted(folder: Folder) -> None:
    lines = "tvla.engine.actionOrder = fcpucb\ntvla.blur.threeWay = true\ntvla.dot.enabled = false\ntvla.terse = true"
    folder.put({"main.tvp": PROGRAM, "main.properties": lines})
    assert read_program("main").options["tvla.dot.enabled"] == "false"


def test_a_properties_file_that_is_missing_is_an_error(folder: Folder) -> None:
    folder.put({"main.tvp": PROGRAM})
    with pytest.raises(HeapwrightError, match="none: no such file"):
        read_program("main", properties=["none"])


def test_macros_and_folders_of_properties_reach_the_preprocessor(folder: Folder) -> None:
    folder.put(
        {
            "main.tvp": f'#ifdef CYCLIC\n#include "far.tvp"\n#endif\n{PROGRAM}',
            "far/far.tvp": "%p x(v)",
            "main.tvs": "%n = {a} %p = {\n#if CYCLIC == 1\nx = {a}\n#endif\n}",
            "main.properties": "tvla.parser.externalMacros = CYCLIC\ntvla.parser.searchPath = ;far",
        }
    )
    specification = read_program("main")
    assert "x" in specification.vocabulary
    assert read_structures("main", specification)[0].mentioned == {"x"}
