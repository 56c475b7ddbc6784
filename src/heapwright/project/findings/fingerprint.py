"""Fingerprints of checks: they survive lines that move, and do not depend on which unit shows a check.

A fingerprint is made of the path from the root, the kind, the function, the text of the line up to the check and as a
whole, without its blanks, and the number of the line among equal ones since the function began.

>>> text = "int f(int *p) {\\n  return *p;\\n}\\n"
>>> moved = "// new\\n" + text
>>> lines, later = Lines(text), Lines(moved)
>>> lines.fingerprint("a.c", "null-deref", "f", 2, 11) == later.fingerprint("a.c", "null-deref", "f", 3, 11)
True
"""

from __future__ import annotations

import re

from heapwright.project.store.digests import digest_of

FINGERPRINT_VERSION = 1


class Lines:
    """The lines of one file."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self._plain = ["".join(line.split()) for line in self._lines]

    def fingerprint(self, path: str, kind: str, function: str, line: int, column: int) -> str:
        whole = self._plain[line - 1] if 1 <= line <= len(self._plain) else ""
        before = "".join(self._lines[line - 1][: max(column - 1, 0)].split()) if whole else ""
        start = self._beginning(function, line)
        among = self._plain[start:line].count(whole) if whole else line
        parts = [FINGERPRINT_VERSION, path, kind, function, before, whole, among]
        return digest_of(parts)[:32]

    def _beginning(self, function: str, line: int) -> int:
        """The index of the last line up to this one that starts at the margin and names the function before a bracket;
        0 if there is none."""
        names = re.compile(rf"\S.*\b{re.escape(function)}\s*\(|{re.escape(function)}\s*\(") if function else None
        for index in range(min(line, len(self._lines)) - 1, -1, -1):
            text = self._lines[index]
            if (
                names is not None
                and text[:1].strip()
                and not text.startswith(("#", "//", "/*", "*"))
                and names.match(text)
            ):
                return index
        return 0
