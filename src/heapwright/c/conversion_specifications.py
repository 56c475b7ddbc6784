"""Conversion specifications of printf and scanf.

>>> [(one.letter, one.text, one.ctype) for one in conversions(b"a%-5ld%%", scans=False)]
[('', b'a', ''), ('d', b'', 'long'), ('', b'%', '')]
>>> conversions(b"%1$d", scans=False) is None
True
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PRINT = re.compile(rb"%([-+ #0]*)(\*|\d*)(?:\.(\*|\d*))?(hh|h|ll|l|j|z|t|L|)([diouxXeEfFgGaAcspn%])")
_SCAN = re.compile(rb"%(\*?)(\d*)()(hh|h|ll|l|j|z|t|L|)([diouxXeEfFgGaAcspn%]|\[\^?\]?[^\]]*\])")
_LENGTHS = {
    "hh": "char",
    "h": "short",
    "": "int",
    "l": "long",
    "ll": "long long",
    "j": "long",
    "z": "long",
    "t": "long",
}
_FLOATS = {"": "float", "l": "double", "L": "long double"}


@dataclass(frozen=True, slots=True)
class Conversion:
    """A conversion, or with letter "" the text between two. A set `[...]` of scanf has the letter "[" and its
    characters as text; the flag "*" of scanf suppresses the assignment."""

    letter: str
    text: bytes = b""
    flags: str = ""
    width: str = ""
    precision: str = ""
    length: str = ""
    ctype: str = ""

    @property
    def specification(self) -> str:
        """The conversion specification without the length of its argument, if it has no stars."""
        precision = f".{self.precision}" if self.precision else ""
        return f"%{self.flags}{self.width}{precision}{self.letter}"

    @property
    def starred(self) -> bool:
        return "*" in (self.width, self.precision)


def conversions(format: bytes, *, scans: bool) -> list[Conversion] | None:
    """The pieces of a format, None if it has something that is not supported."""
    found: list[Conversion] = []
    start = 0
    while start < len(format):
        end = format.find(b"%", start)
        if end != start:
            end = len(format) if end < 0 else end
            found.append(Conversion("", format[start:end]))
            start = end
            continue
        match = (_SCAN if scans else _PRINT).match(format, start)
        if match is None:
            return None
        flags, width, precision, length, letter = ((part or b"").decode("latin-1") for part in match.groups())
        if match.group(3) == b"" and not scans:
            precision = "0"
        if letter[0] in "cs[" and length and (scans or length != "l"):
            return None
        if letter == "%":
            found.append(Conversion("", b"%"))
        else:
            ctype = _ctype(letter[0], length, scans=scans)
            found.append(Conversion(letter[0], _set(letter), flags, width, precision, length, ctype))
        start = match.end()
    return found


def _set(letter: str) -> bytes:
    """The characters of a set, with the circumflex that negates it."""
    return letter[1:-1].encode("latin-1") if letter[0] == "[" else b""


def _ctype(letter: str, length: str, *, scans: bool) -> str:
    """The type of the argument, or of the object that it points to."""
    if letter in "eEfFgGaA":
        return _FLOATS.get(length, "double") if scans else "long double" if length == "L" else "double"
    if letter in "csp[":
        return ""
    if length in ("hh", "h") and not scans and letter != "n":
        length = ""  # promoted
    name = _LENGTHS.get(length, "int")
    if letter in "din":
        return "signed char" if name == "char" else name
    return f"unsigned {name}"
