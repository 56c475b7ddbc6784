"""Configuration files: which one counts, and what may stand in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.paths import ROOT

from heapwright.base.errors import UsageError
from heapwright.settings.config_files import load, nearest
from heapwright.settings.table import INPUT, SETTINGS, parse_text


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "src" / "deep").mkdir(parents=True)
    return tmp_path


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_the_nearest_counts(tree: Path) -> None:
    outer = write(tree / "heapwright.toml", "timeout = 1\n")
    assert nearest(tree / "src" / "deep" / "a.c") == outer
    inner = write(tree / "src" / "heapwright.toml", "timeout = 2\n")
    assert nearest(tree / "src" / "deep" / "a.c") == inner
    assert nearest(tree / "a.c") == outer


def test_pyproject_counts_only_with_a_table(tree: Path) -> None:
    outer = write(tree / "heapwright.toml", "timeout = 1\n")
    project = write(tree / "src" / "pyproject.toml", "[project]\nname = 'x'\n")
    assert nearest(tree / "src" / "a.c") == outer
    write(project, "[tool.heapwright]\ntimeout = 3\n")
    assert nearest(tree / "src" / "a.c") == project
    assert load(project) == {"timeout": 3.0}


def test_own_file_comes_before_pyproject(tree: Path) -> None:
    write(tree / "pyproject.toml", "[tool.heapwright]\ntimeout = 3\n")
    own = write(tree / "heapwright.toml", "timeout = 1\n")
    assert nearest(tree / "a.c") == own


def test_paths_are_relative_to_the_file(tree: Path) -> None:
    path = write(tree / "heapwright.toml", 'include = ["include"]\ndefine = "X=1"\ncompile-commands = "cc.json"\n')
    assert load(path) == {
        "include": (str(tree / "include"),),
        "define": ("X=1",),
        "compile-commands": str(tree / "cc.json"),
    }


def test_every_configurable_setting_can_be_set(tree: Path) -> None:
    samples = {
        "word": '"LP64"',
        "path": '"x"',
        "number": "2",
        "count": "2",
        "flag": "true",
        "list": '["x"]',
        "paths": '["x"]',
    }
    lines = [
        f'{s.name} = "{s.choices[0]}"' if s.choices else f"{s.name} = {samples[s.kind]}"
        for s in SETTINGS.values()
        if s.configurable
    ]
    assert len(load(write(tree / "heapwright.toml", "\n".join(lines)))) == len(lines)


def test_a_table_that_is_none(tree: Path) -> None:
    path = write(tree / "pyproject.toml", "[tool]\nheapwright = 3\n")
    with pytest.raises(UsageError, match="must be a table"):
        load(path)


def test_parse_text() -> None:
    assert parse_text(SETTINGS["steps"], "12") == 12
    assert parse_text(INPUT["std"], "c99") == "c99"
    with pytest.raises(UsageError):
        parse_text(SETTINGS["steps"], "-1")


def test_the_user_guide_lists_every_setting() -> None:
    guide = (ROOT / "docs" / "user-guide.md").read_text(encoding="utf-8")
    (listed,) = re.findall(r"^All settings: (.*)$", guide, re.MULTILINE)
    assert set(re.findall(r"`([\w-]+)`", listed)) == {s.name for s in SETTINGS.values() if s.configurable}
