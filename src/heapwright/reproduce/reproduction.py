"""Result of a reproduction: tables, checked claims, and notes on differences.

>>> print(Table(("program", "ours"), (("a", "12"), ("bc", "3"))).text())
program  ours
a          12
bc          3
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from heapwright import __version__


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits per run."""

    timeout: float | None = None
    memory_mb: float | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The first column is aligned left, the others right; `title` is printed above."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""

    def text(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.columns, *self.rows, strict=True)]
        lines = [self.title] if self.title else []
        for row in (self.columns, *self.rows):
            cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
            lines.append("  ".join([row[0].ljust(widths[0]), *cells[1:]]).rstrip())
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of the paper, whether it holds, and the observation."""

    text: str
    holds: bool
    seen: str = ""


@dataclass(frozen=True)
class Reproduction:
    """`rows` are the measurements as data; `notes` explain differences to the published figures."""

    paper: str
    title: str
    tables: tuple[Table, ...]
    claims: tuple[Claim, ...]
    notes: tuple[str, ...]
    rows: Sequence[Mapping[str, Any]] = field(default_factory=tuple)

    @property
    def held(self) -> bool:
        return bool(self.claims) and all(claim.holds for claim in self.claims)


class Reproduce(Protocol):
    """Runs the measurements; `phase` is called with the current activity."""

    __name__: str

    def __call__(self, phase: Callable[[str], None], bounds: Bounds) -> Reproduction: ...


def as_text(found: Reproduction) -> str:
    blocks = [found.title, *(table.text() for table in found.tables)]
    claims = [
        f"{'holds' if claim.holds else 'FAILS'}: {claim.text}" + (f" ({claim.seen})" if claim.seen else "")
        for claim in found.claims
    ]
    blocks.append("\n".join(claims))
    if found.notes:
        blocks.append("\n".join(["notes on differences:", *(f"  - {note}" for note in found.notes)]))
    conclusion = "all claims hold" if found.held else "some claims fail"
    return "\n\n".join([*blocks, f"{found.paper}: {conclusion}"]) + "\n"


def as_object(found: Reproduction) -> dict[str, Any]:
    return {
        "tool": "heapwright",
        "version": __version__,
        "paper": found.paper,
        "title": found.title,
        "held": found.held,
        "claims": [{"text": claim.text, "holds": claim.holds, "seen": claim.seen} for claim in found.claims],
        "rows": [dict(row) for row in found.rows],
        "notes": list(found.notes),
    }


def as_page(found: Reproduction) -> dict[str, Any]:
    """The data of a page: the claims, each table, and the notes."""
    from heapwright.report.html.parts import blank_page, topic_object
    from heapwright.result.explanation import Topic

    claims = tuple(("holds" if one.holds else "fails", one.text, one.seen or "-") for one in found.claims)
    topics = [Topic("Claims", (), ("", "claim of the paper", "measured"), claims)]
    topics += [
        Topic(table.title or f"Table {number}", (), table.columns, table.rows)
        for number, table in enumerate(found.tables, 1)
    ]
    if found.notes:
        topics.append(Topic("Notes on differences", found.notes))
    held = sum(one.holds for one in found.claims)
    return blank_page(
        found.title,
        summary=f"{held} of {len(found.claims)} claims hold",
        engine=found.paper,
        topics=[topic_object(topic) for topic in topics],
    )
