"""The interpreter and gcc agree on programs of library calls; where they do not, the comparison says so."""

from __future__ import annotations

import shutil

import pytest

from heapwright.fuzz.library.campaign import compare_library
from heapwright.fuzz.library.programs import generate
from heapwright.program.runs.console import RealConsole

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")]


def test_the_interpreter_agrees_with_gcc() -> None:
    found = list(compare_library(range(12)))
    assert not [one.detail for one in found if one.agrees is False]
    assert sum(one.agrees is True for one in found) >= 9


def test_a_wrong_character_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    put = RealConsole._put
    monkeypatch.setattr(RealConsole, "_put", lambda self, to, text: put(self, to, text.replace(b"c", b"k")))
    assert any(one.agrees is False and "khekksum" in one.detail for one in compare_library(range(1, 6)))


def test_programs_are_the_same_for_a_seed_and_many_kinds_of_calls_occur() -> None:
    programs = [generate(seed) for seed in range(200)]
    assert programs[7] == generate(7)
    assert all(one.reads for one in programs if one.input)
    assert [one.reads for one in programs].count(True) > 100
    text = "".join(one.text for one in programs)
    for name in ("qsort", "bsearch", "sscanf", "scanf", "fgets", "fread", "getline", "asprintf", "strtok_r", "wcscpy"):
        assert f"{name}(" in text, name
