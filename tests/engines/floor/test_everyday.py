"""Programs as people write them, and with bugs seeded: `// seeded KIND: TEXT` says what replaces the line.

`recency` leaves the check of each bug open, and proves most of what there is without it. A run shows the bug where
`explore` comes to it within a few states.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heapwright.analysis.pipeline import Input, analyze, build
from heapwright.engines.api import Limits, NullProgress
from heapwright.program.checks import Goal
from heapwright.result.outcomes import Verdict

FOLDER = Path(__file__).parent / "everyday"
SEED = re.compile(r"^(\s*)(.*) // seeded (\S+): (.*)$", re.MULTILINE)
SOURCES = sorted(FOLDER.glob("*.c"))
SEEDS = [(path, number) for path in SOURCES for number in range(len(SEED.findall(path.read_text("utf-8"))))]
DECIDED = 0.8  # of the checks of a program
STATES = 2_000
DEEP = frozenset({"big_numbers 1"})  # bugs that need more states than these


def verdicts(path: Path, engine: str) -> dict[tuple[int, str], set[Verdict]]:
    program = build(Input((str(path),)), lambda phase: None)
    result = analyze(program, Goal(), engine, Limits(states=STATES), NullProgress())
    found: dict[tuple[int, str], set[Verdict]] = {}
    for one in result.outcomes:
        found.setdefault((one.check.span.line, one.check.kind.value), set()).add(one.verdict)
    return found


def test_there_are_ten_programs_with_three_bugs_each() -> None:
    assert len(SOURCES) >= 10
    assert all(len([one for one, _ in SEEDS if one == path]) >= 3 for path in SOURCES)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_most_checks_are_proved(path: Path) -> None:
    found = verdicts(path, "recency")
    assert sum(one == {Verdict.PROVED} for one in found.values()) >= DECIDED * len(found)


def with_bug(path: Path, number: int, folder: Path) -> tuple[Path, str]:
    """The program with a bug, and the kind of the check that it fails."""
    text = path.read_text("utf-8")
    seed = list(SEED.finditer(text))[number]
    bad = folder / path.name
    bad.write_text(text[: seed.start()] + seed.group(1) + seed.group(4) + text[seed.end() :], encoding="utf-8")
    return bad, seed.group(3)


@pytest.mark.parametrize(("path", "number"), SEEDS, ids=[f"{path.stem}-{number}" for path, number in SEEDS])
def test_a_seeded_bug_is_not_proved(path: Path, number: int, tmp_path: Path) -> None:
    bad, kind = with_bug(path, number, tmp_path)
    left = [
        {one for one, found in verdicts(file, "recency").items() if found != {Verdict.PROVED}} for file in (path, bad)
    ]
    assert kind in {one for _, one in left[1] - left[0]} or kind in {one for _, one in left[0]}


@pytest.mark.slow
@pytest.mark.parametrize(("path", "number"), SEEDS, ids=[f"{path.stem}-{number}" for path, number in SEEDS])
def test_what_a_run_shows_is_not_proved(path: Path, number: int, tmp_path: Path) -> None:
    bad, kind = with_bug(path, number, tmp_path)
    shown = {check for check, found in verdicts(bad, "explore").items() if Verdict.VIOLATED in found}
    proved = {check for check, found in verdicts(bad, "recency").items() if found == {Verdict.PROVED}}
    assert not shown & proved
    assert f"{path.stem} {number}" in DEEP or kind in {one for _, one in shown}
