"""The text that a run reads from the standard input: a console to which a program that is recorded tells it.

Pieces are characters and numbers by conversion specifications of printf, and

- `word`: what follows is read behind white space, as numbers are;
- `space`: white space of a format, which may be none;
- `at most` n, c: up to n characters are read, and those that follow are what was read of them. A run that fails
  before fails as well if it reads so many, which are c;
- `stop`: a conversion finds nothing that it accepts; `end`: the input ends.

>>> text = InputText()
>>> text.request("text", b"%d", [12]); text.request("text", b"%d", [-3]); text.request("text", b"%c", [10])
>>> text.texts()[0]
b'12 -3\\n'
"""

from __future__ import annotations

from collections.abc import Sequence

from heapwright.program.number_text import number_text

SPACES = b" \t\n\v\f\r"
LONGEST = 10_000  # characters that are added
_STOP = None
STOPS = (b" x", b"", b"\nx\n")  # what no conversion of a number accepts, or what is read anyway


class InputText:
    def __init__(self) -> None:
        self._pieces: list[bytes | None] = []  # a number, or a character; None where a conversion stops
        self._separate = False  # whether white space must come before what follows
        self._filler = b""

    def request(self, name: str, text: bytes, operands: Sequence[int]) -> None:
        if name != "text":
            return
        specification = text.decode("latin-1")
        filler = b""
        match specification:
            case "at most":
                filler = bytes((operands[1] & 255,)) * min(operands[0], LONGEST)
            case "word":
                self._separate = True
            case "stop":
                self._pieces.append(_STOP)
            case "%c":
                if operands[0] != -1:
                    self._add(bytes((operands[0] & 255,)))
            case "space" | "end":
                pass
            case _:
                self._separate = True
                self._add(_number(specification, operands[0]))
        self._filler = filler

    def _add(self, text: bytes) -> None:
        self._pieces.append(self._between() + text)
        self._separate = False

    def _between(self) -> bytes:
        last = next((one for one in reversed(self._pieces) if one), b" ")
        return b" " if self._separate and last[-1:] not in SPACES else b""

    def texts(self) -> tuple[bytes, ...]:
        """Texts that the run may have read, the most likely one first."""
        rest = self._between() + self._filler if self._filler else b""
        found: list[bytes] = []
        for stop in STOPS:
            text = b"".join(stop if one is None else one for one in self._pieces) + rest
            found += [text, text + b"\n", text.replace(b"\0", b"\n"), text.replace(b"\0", b" ")]
        return tuple(dict.fromkeys(found))


def _number(specification: str, value: int) -> bytes:
    return number_text(specification, value % 2**64 if specification[-1] in "ouxX" else value) or b""
