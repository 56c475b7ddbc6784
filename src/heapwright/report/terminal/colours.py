"""Terminal colours by meaning, or plain text.

>>> PLAIN.error("error")
'error'
>>> COLOURED.error("error")
'\\x1b[1;31merror\\x1b[0m'
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TextIO

from heapwright.base.source import printable

_OWN = re.compile("(\x1b\\[(?:0|1|2|34|1;3[1256])m)")


@dataclass(frozen=True, slots=True)
class Style:
    """Colours text by its meaning."""

    coloured: bool = False

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.coloured and text else text

    def clean(self, text: str) -> str:
        """The text without control characters but line breaks and our own colours: names and texts of a program must
        not control the terminal."""
        if text.replace("\n", "").isprintable():
            return text
        parts = _OWN.split(text) if self.coloured else [text]
        return "".join(part if number % 2 else _clean(part) for number, part in enumerate(parts))

    def error(self, text: str) -> str:
        return self._paint("1;31", text)

    def warning(self, text: str) -> str:
        return self._paint("1;35", text)

    def note(self, text: str) -> str:
        return self._paint("1;36", text)

    def good(self, text: str) -> str:
        return self._paint("1;32", text)

    def strong(self, text: str) -> str:
        return self._paint("1", text)

    def faint(self, text: str) -> str:
        return self._paint("2", text)

    def margin(self, text: str) -> str:
        return self._paint("34", text)


def _clean(text: str) -> str:
    return "\n".join(map(printable, text.expandtabs(4).split("\n")))


PLAIN = Style()
COLOURED = Style(True)


def style_for(stream: TextIO, when: str) -> Style:
    """The style of a stream. `when` is `always`, `never` or `auto`: coloured on a terminal, unless NO_COLOR is set or
    the terminal is dumb."""
    if when == "auto":
        wanted = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        return COLOURED if wanted else PLAIN
    return COLOURED if when == "always" else PLAIN
