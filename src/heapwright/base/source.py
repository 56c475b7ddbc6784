"""Source spans.

>>> str(Span("list.c", 12, 5))
'list.c:12:5'
"""

from __future__ import annotations

from heapwright.base.immutable import Immutable


class Span(Immutable):
    """A range of a file as it stands on disk (`# line` markers are ignored). Lines and columns count from 1."""

    file: str
    line: int
    column: int
    end_line: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def __lt__(self, other: Span) -> bool:
        return self._key < other._key

    def __le__(self, other: Span) -> bool:
        return self._key <= other._key

    def __gt__(self, other: Span) -> bool:
        return self._key > other._key

    def __ge__(self, other: Span) -> bool:
        return self._key >= other._key

    @property
    def _key(self) -> tuple[str, int, int, int, int]:
        return self.file, self.line, self.column, self.end_line, self.end_column


NOWHERE = Span("<built-in>", 0, 0)
