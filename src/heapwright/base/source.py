"""Source spans, and names of files as people read them.

>>> str(Span("list.c", 12, 5))
'list.c:12:5'
>>> printable("a\\nb.c")
'a\\\\nb.c'
"""

from __future__ import annotations

import os
import re

from heapwright.base.immutable import Immutable


def printable(text: str) -> str:
    """The text in one line, with control characters and bytes that are no text as escapes: the names of files must not
    control the terminal."""
    return text if text.isprintable() else "".join(map(_escaped, text))


def _escaped(char: str) -> str:
    if char.isprintable():
        return char
    if "\udc80" <= char <= "\udcff":  # a byte that is not UTF-8
        return f"\\x{ord(char) - 0xDC00:02x}"
    return char.encode("unicode_escape").decode("ascii")


def file_stem(file: str) -> str:
    """The name of a file without its ending, as a part of names of other files: letters, digits, dots and dashes, and
    no dash or dot first."""
    return re.sub(r"[^\w.-]", "_", os.path.splitext(os.path.basename(file))[0]).lstrip("-.") or "file"


class Span(Immutable):
    """A range of a file as it stands on disk (`# line` markers are ignored). Lines and columns count from 1."""

    file: str
    line: int
    column: int
    end_line: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        return f"{printable(self.file)}:{self.line}:{self.column}"

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
