"""What an engine says of its proof beside verdicts: topics for pages, and how abstract states come from one another.

>>> Topic("Predicates", columns=("name", "meaning"), rows=(("r[x]", "v is reached from x"),)).rows[0][0]
'r[x]'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from heapwright.base.source import Span
from heapwright.program.heap_picture import HeapPicture

if TYPE_CHECKING:
    from heapwright.program.runs.snapshot import Snapshot


class TreeRow(NamedTuple):
    """A node of a tree, in preorder: its depth, its name, what is known there, and where it ends ("": it goes on)."""

    depth: int
    name: str
    text: str
    end: str = ""


@dataclass(frozen=True, slots=True)
class Topic:
    """A heading with what belongs to it: paragraphs, a table, a tree, pictures; at a place of the source, if any."""

    title: str
    text: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    tree: tuple[TreeRow, ...] = ()
    pictures: tuple[tuple[str, HeapPicture], ...] = ()  # with captions
    span: Span | None = None


class Picture(NamedTuple):
    """A picture of `Result.invariants`: its location, and its number there."""

    location: int
    number: int


@runtime_checkable
class DrawnStates(Protocol):
    """Abstract states whose pictures are known."""

    def picture_of(self, location: int, heap: Snapshot) -> int | None:
        """The number of a picture at the location whose state contains a concrete heap, None if none is known to."""
        ...
