"""Syntax trees that are kept, so that a file whose functions are analysed one after the other is parsed once.

trees = SyntaxTrees()
trees.parse("list.c", ParseOptions(), contents)
trees.parse("list.c", ParseOptions(), contents)     # the same tree again
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from heapwright.c.ast import TranslationUnit
from heapwright.c.options import ParseOptions
from heapwright.c.parse import parse

MOST_BYTES = 4_000_000  # of source text whose trees are kept


class SyntaxTrees:
    """The trees of what was parsed last. A tree serves the same file with the same options and the same contents of all
    files that it might read."""

    def __init__(self) -> None:
        self._kept: deque[tuple[str, ParseOptions, Mapping[str, bytes], TranslationUnit]] = deque()
        self._bytes = 0

    def parse(self, file: str, options: ParseOptions, contents: Mapping[str, bytes]) -> TranslationUnit:
        for known, with_options, with_contents, tree in self._kept:
            if known == file and with_options == options and with_contents == contents:
                return tree
        tree = parse(file, options, contents=contents)
        self._kept.append((file, options, contents, tree))
        self._bytes += _size(contents)
        while self._bytes > MOST_BYTES and len(self._kept) > 1:
            self._bytes -= _size(self._kept.popleft()[2])
        return tree


def _size(contents: Mapping[str, bytes]) -> int:
    return sum(map(len, contents.values()))
