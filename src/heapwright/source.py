"""Places in source files.

>>> str(Span("list.c", 12, 5))
'list.c:12:5'
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a file as it stands on disk (`# line` markers are not followed). Lines and columns count from 1."""

    file: str
    line: int
    column: int
    end_line: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Span("<built-in>", 0, 0)
