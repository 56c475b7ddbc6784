"""The engine on programs that build and rewrite structures of any size (tests/programs/structures).

`structures.tsv` beside this file has one line per program: whether the engine proves it, what that costs (`slow` is
more than two seconds), and for those that it does not prove yet the reason. The table is held in both directions: a
program that becomes provable fails its test until its line says so. Seeded bugs are never proved, whatever the cost.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.collection import PROGRAMS, name_of, programs

from heapwright.analysis.judgement import run_engine
from heapwright.analysis.pipeline import build
from heapwright.engines import load_engine
from heapwright.engines.api import Limits, NullProgress
from heapwright.result.outcomes import ProgramVerdict, Result, Verdict
from heapwright.settings.properties import goal_of
from heapwright.testing.expectations import read

TABLE = Path(__file__).with_name("structure_programs.tsv")
FOLDER = "structures/"
BUG_STATES = 500  # an analysis that is cut short proves nothing, which is right for a bug
SEARCHED = 20_000


@dataclass(frozen=True)
class Entry:
    program: str
    proved: bool
    slow: bool
    reason: str


def entries() -> list[Entry]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Entry(r["program"], r["verdict"] == "proved", r["cost"] == "slow", r["reason"]) for r in rows]


def analysed(path: Path, limits: Limits, engine: str = "tvl") -> Result:
    expected = read(path)
    program = build(expected.input(path), lambda phase: None)
    return run_engine(load_engine(engine), program, goal_of(expected.properties), limits, NullProgress())


def parameters(paths: list[Path], slow: set[str]) -> list[object]:
    return [
        pytest.param(path, id=name_of(path), marks=[pytest.mark.long] if _base(path) in slow else []) for path in paths
    ]


def _base(path: Path) -> str:
    """The program that a variant belongs to: `sll/reverse`."""
    return name_of(path).removeprefix(FOLDER).partition("_ok")[0].partition("_bad")[0]


ENTRIES = entries()
SLOW = {entry.program for entry in ENTRIES if entry.slow}
OK = {_base(path): path for path in programs() if name_of(path).startswith(FOLDER) and path.stem.endswith("_ok")}
BAD = [path for path in programs() if name_of(path).startswith(FOLDER) and "_bad_" in path.stem]
PROVED = [OK[entry.program] for entry in ENTRIES if entry.proved and entry.program in OK]
UNKNOWN = [OK[entry.program] for entry in ENTRIES if not entry.proved and entry.program in OK]


def test_the_table_is_of_these_programs() -> None:
    names = [entry.program for entry in ENTRIES]
    assert names == sorted(OK)
    assert all(bool(entry.reason) != entry.proved for entry in ENTRIES), "a reason for each that is not proved"


def test_every_program_has_two_seeded_bugs() -> None:
    seeded = sorted(_base(path) for path in BAD)
    assert seeded == sorted([*OK, *OK])


@pytest.mark.exhaustive(5)
@pytest.mark.parametrize("path", parameters(PROVED, SLOW))
def test_proved(path: Path) -> None:
    result = analysed(path, Limits())
    unknown = [f"{outcome.check.id}: {outcome.reason}" for outcome in result.outcomes if outcome.reason]
    assert result.verdict is ProgramVerdict.SAFE, unknown[:3]


@pytest.mark.parametrize("path", parameters(UNKNOWN, SLOW))
def test_not_proved_yet(path: Path) -> None:
    result = analysed(path, Limits(states=2_000))
    assert result.verdict is ProgramVerdict.UNKNOWN, f"it is proved now: say so in {TABLE.relative_to(PROGRAMS.parent)}"


@pytest.mark.exhaustive(43)
@pytest.mark.parametrize("path", parameters(BAD, SLOW))
def test_seeded_bugs_are_not_proved_away(path: Path) -> None:
    """What the search shows by a run, line by line as marked, is not among what is proved."""
    search = Limits(states=SEARCHED, objects=read(path).objects)
    found = analysed(path, search, "explore")
    shown = {o.check.id for o in found.outcomes if o.verdict is Verdict.VIOLATED}
    result = analysed(path, Limits(states=BUG_STATES))
    proved = {outcome.check.id for outcome in result.outcomes if outcome.verdict is Verdict.PROVED}
    assert shown
    assert not shown & proved
    assert result.verdict is ProgramVerdict.UNKNOWN
