"""The programs under tests/programs."""

from __future__ import annotations

from pathlib import Path

from support.paths import TESTS

PROGRAMS = TESTS / "programs"


def programs() -> list[Path]:
    return sorted(PROGRAMS.rglob("*.c"))


def name_of(path: Path) -> str:
    """How a test is called: `lists/reverse_ok`."""
    return str(path.relative_to(PROGRAMS).with_suffix(""))
