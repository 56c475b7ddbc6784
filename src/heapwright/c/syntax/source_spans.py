"""Source map: clang's locations as spans in the user's files, and the text of those files.

A location inside a macro is that of the macro's use. Line markers are not followed. The text of a file is
kept once a span refers to it, those of the C library's headers excepted.

>>> decode(b"caf\\xe9")
'café'
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path

from heapwright.base.source import NOWHERE, Span
from heapwright.c import clang
from heapwright.c.clang import Cursor, Location, Range, library
from heapwright.c.options import HEADERS

_WORD = re.compile(rb"\w*")


def decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


class Source:
    """One file: its name as the user or an #include gave it, and its bytes."""

    __slots__ = ("_lines", "ascii", "data", "name", "own")

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data
        self.ascii = data.isascii()
        self.own = os.path.abspath(name).startswith(str(HEADERS) + os.sep)
        self._lines = [0, *accumulate(len(line) for line in data.splitlines(keepends=True))]

    def point(self, offset: int) -> tuple[int, int]:
        """Line and column; columns count characters."""
        line = bisect_right(self._lines, offset)
        start = self._lines[line - 1]
        return line, (offset - start if self.ascii else len(decode(self.data[start:offset]))) + 1


class SourceMap:
    """Spans and texts of one translation unit."""

    def __init__(self, main: Source, contents: Mapping[str, bytes] | None = None) -> None:
        """`contents` are files that were read before, by name; others are read from disk."""
        self.main = main
        self._contents = contents or {}
        self._files: dict[int, Source] = {}
        self._points: dict[int, tuple[Source, int, int] | None] = {}
        self._used: dict[str, Source] = {main.name: main}

    @property
    def sources(self) -> dict[str, str]:
        return {name: decode(source.data) for name, source in self._used.items()}

    def span(self, cursor: Cursor) -> Span:
        """From the first to the last character of a cursor."""
        extent: Range = library().clang_getCursorExtent(cursor)
        return self.between(extent, extent.begin)

    def named(self, cursor: Cursor) -> Span:
        """From the name of a declaration or member to the end of the cursor: `next` in `p->next`."""
        location: Location = library().clang_getCursorLocation(cursor)
        return self.between(library().clang_getCursorExtent(cursor), location.offset)

    def name(self, cursor: Cursor) -> Span:
        """The start of a name, without an end."""
        location: Location = library().clang_getCursorLocation(cursor)
        return self.at(location)

    def at(self, location: Location) -> Span:
        point = self._point(location)
        return Span(point[0].name, point[1], point[2]) if point else NOWHERE

    def between(self, extent: Range, begin: int) -> Span:
        first = self._point(Location(extent.first, extent.second, begin))
        last = self._point(Location(extent.first, extent.second, extent.end))
        if first is None:
            return NOWHERE
        if last is None or last[0] is not first[0] or last[1:] < first[1:]:
            return Span(first[0].name, first[1], first[2])
        return Span(first[0].name, first[1], first[2], last[1], last[2])

    def end(self, cursor: Cursor) -> Span:
        """The last character of a cursor: the closing brace of a block."""
        extent: Range = library().clang_getCursorExtent(cursor)
        point = self._point(Location(extent.first, extent.second, extent.end))
        return Span(point[0].name, point[1], max(point[2] - 1, 1)) if point else self.span(cursor)

    def spelled(self, cursor: Cursor) -> tuple[Source, int] | None:
        """The file that holds the text of a cursor's first token, and its offset there. Of a token that a macro's
        definition wrote (not one of its arguments) it is the use of the macro."""
        extent: Range = library().clang_getCursorExtent(cursor)
        location = Location(extent.first, extent.second, extent.begin)
        handle, offset = clang.locate(location, spelling=True)
        source = self._source(handle)
        return (source, offset) if source else None

    def word(self, cursor: Cursor) -> str:
        """The first word of a cursor's text, or nothing."""
        found = self.spelled(cursor)
        match = _WORD.match(found[0].data, found[1]) if found else None
        return match.group().decode() if match else ""

    def text(self, cursor: Cursor) -> str | None:
        """The text of a cursor, if no macro produced a part of it."""
        extent: Range = library().clang_getCursorExtent(cursor)
        ends = []
        for offset in (extent.begin, extent.end):
            location = Location(extent.first, extent.second, offset)
            spelled = clang.locate(location, spelling=True)
            if spelled != clang.locate(location):
                return None
            ends.append(spelled)
        source = self._source(ends[0][0])
        if source is None or ends[0][0] != ends[1][0]:
            return None
        return decode(source.data[ends[0][1] : ends[1][1]])

    def after(self, first: Cursor, sign: str, whole: Cursor) -> Span:
        """From a sign that follows the first part of a cursor to its end: `[` in `a[i]`. In a macro: the whole."""
        extent: Range = library().clang_getCursorExtent(first)
        location = Location(extent.first, extent.second, extent.end)
        spelled = clang.locate(location, spelling=True)
        source = self._source(spelled[0])
        if source is None or spelled != clang.locate(location):
            return self.span(whole)
        rest = source.data[spelled[1] : spelled[1] + 200]
        blank = len(rest) - len(rest.lstrip())
        if not rest[blank:].startswith(sign.encode()):
            return self.span(whole)
        whole_extent: Range = library().clang_getCursorExtent(whole)
        return self.between(whole_extent, extent.end + blank)

    def is_system(self, cursor: Cursor) -> bool:
        """In a header of the C library. Line markers may claim this of the main file; they are ignored."""
        location: Location = library().clang_getCursorLocation(cursor)
        source = self._source(clang.locate(location)[0])
        return source is None or self._is_library(source, location)

    def _is_library(self, source: Source, location: Location) -> bool:
        return source.own or (source is not self.main and bool(library().clang_Location_isInSystemHeader(location)))

    def _point(self, location: Location) -> tuple[Source, int, int] | None:
        offset = location.offset
        if offset in self._points:
            return self._points[offset]
        handle, at = clang.locate(location)
        source = self._source(handle)
        point = (source, *source.point(at)) if source else None
        if source and source.name not in self._used and not self._is_library(source, location):
            self._used[source.name] = source
        self._points[offset] = point
        return point

    def _source(self, handle: int | None) -> Source | None:
        if handle is None:
            return None
        source = self._files.get(handle)
        if source is None:
            name = clang.file_name(handle)
            is_main = name in (self.main.name, f"./{self.main.name}")
            source = self.main if is_main else Source(name.removeprefix("./"), self._read(name))
            self._files[handle] = source
        return source

    def _read(self, name: str) -> bytes:
        """The bytes of a header; clang has read it already, so that a failure here only costs the excerpts."""
        if name in self._contents:
            return self._contents[name]
        try:
            return Path(name).read_bytes()
        except OSError:
            return b""
