"""The surroundings of a program that is executed: its input, its output and its files.

The program makes requests (`Request` of program/commands.py); the answer to one is the next choice with the source
`console`. Other inputs are random. Files are read from the disk; what is written to them stays in memory, so that a run
changes nothing but the streams that it is given.

>>> import io
>>> console = RealConsole(io.BytesIO(b"7"), io.BytesIO(), io.BytesIO(), seed=0)
>>> console.request("read", b"", [0]); console.answer
55
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from heapwright.program import floating_point
from heapwright.program.choices import ChoiceRequest, RandomChoices
from heapwright.program.number_text import SIZE, float_bits, number_text

SOURCE = "console"
MATH = "math "  # what requests of functions of math.h begin with
CHUNK = 1 << 16
MOST = 1 << 28  # bytes of a file


def computed(function: str, operands: Sequence[int]) -> int:
    """The bits of the result of a function of math.h."""
    numbers = [floating_point.number(one, SIZE) for one in operands]
    try:
        return float_bits(float((_FUNCTIONS.get(function) or getattr(math, function))(*numbers)))
    except ValueError:
        return float_bits(math.nan)
    except OverflowError:
        return float_bits(math.inf)


def _to_nearest(number: float) -> float:
    return math.copysign(float(round(number)), number) if math.isfinite(number) else number


def _away_from_zero(number: float) -> float:
    return math.copysign(float(math.floor(abs(number) + 0.5)), number) if abs(number) < 2**52 else number


_FUNCTIONS: dict[str, Callable[..., float]] = {
    "rint": _to_nearest,
    "nearbyint": _to_nearest,
    "round": _away_from_zero,
    "tgamma": math.gamma,
    "exp2": lambda number: 2.0**number,
    "cbrt": lambda number: math.copysign(math.cbrt(abs(number)), number),
    "fmax": max,
    "fmin": min,
    "fdim": lambda left, right: max(left - right, 0.0),
    "ldexp": lambda number, exponent: math.ldexp(number, int(exponent)),
}


@dataclass
class _File:
    """An open file: the bytes of its name are shared by all that have it open."""

    name: str
    reads: bool
    writes: bool
    appends: bool
    at: int = 0
    ended: bool = False
    kept: int = -1  # a byte that was pushed back


class RealConsole:
    """A console, and the source of all choices of the run. `argument` of `open` and others comes before, byte by byte,
    by the request `character`."""

    def __init__(self, input: BinaryIO, output: BinaryIO, errors: BinaryIO, *, seed: int) -> None:
        self._input, self._outputs = input, {1: output, 2: errors}
        self._others = RandomChoices(seed)
        self._standard = _File("", True, False, False)
        self._position = 0
        self._given = b""
        self._texts: list[bytes] = [b""]
        self._contents: dict[str, bytearray] = {}
        self._files: dict[int, _File] = {0: self._standard}
        self.read = bytearray()  # from the standard input
        self.answer = 0
        self._handlers: dict[str, Callable[..., int]] = {
            "begin": self._begin,
            "character": self._character,
            "format": self._format,
            "read": self._read,
            "unread": self._unread,
            "open": self._open,
            "close": self._close,
            "eof": self._eof,
            "clear": self._clear,
            "seek": self._seek,
            "tell": self._tell,
            "write": self._write,
            "remove": self._remove,
            "double": self._double,
            "getenv": self._getenv,
            "next": self._next,
        }

    # --- choices -----------------------------------------------------------------------------------------------------

    def value(self, request: ChoiceRequest) -> int | None:
        if request.source == SOURCE:
            return min(max(self.answer, request.low), request.high)
        return self._others.value(request)

    def pick(self, request: ChoiceRequest, options: Sequence[int]) -> int:
        """What some exact run does, if that is known."""
        real = request.real
        return real if real is not None and real in options else self._others.pick(request, options)

    # --- requests ----------------------------------------------------------------------------------------------------

    def request(self, name: str, text: bytes, operands: Sequence[int]) -> None:
        if name == "print":
            self.answer = self._print(text, *operands)
        elif name.startswith(MATH):
            self.answer = computed(name.removeprefix(MATH), operands)
        else:
            self.answer = self._handlers[name](*operands)

    def flush(self) -> None:
        for stream in self._outputs.values():
            stream.flush()

    def _print(self, text: bytes, descriptor: int, value: int | None = None) -> int:
        if value is not None:
            text = number_text(text.decode("latin-1"), value) or b""
        self._put(descriptor, text)
        return len(text)

    def _write(self, descriptor: int, byte: int) -> int:
        return self._put(descriptor, bytes((byte & 255,)))

    def _put(self, descriptor: int, text: bytes) -> int:
        stream = self._outputs.get(descriptor)
        if stream is not None:
            if descriptor == 2:
                self._outputs[1].flush()
            stream.write(text)
            return len(text)
        file = self._files.get(descriptor)
        if file is None or not file.writes:
            return -1
        content = self._contents[file.name]
        start = len(content) if file.appends else file.at
        if start + len(text) > MOST:
            return -1
        content.extend(bytes(max(0, start - len(content))))
        content[start : start + len(text)] = text
        file.at = start + len(text)
        return len(text)

    def _character(self, byte: int) -> int:
        """A byte of an argument; 0 ends one."""
        if byte == 0:
            self._texts.append(b"")
        else:
            self._texts[-1] += bytes((byte & 255,))
        return 0

    def _begin(self) -> int:
        self._texts = [b""]
        return 0

    def _format(self, value: int) -> int:
        """The length of a number by the specification that came before; `next` gives its characters."""
        (specification,) = self._take(1)
        unsigned = specification[-1:] in ("u", "x", "X", "o")
        self._given = number_text(specification, value % 2**64 if unsigned else value) or b""
        return len(self._given)

    def _take(self, count: int) -> list[str]:
        """The last arguments."""
        taken = [os.fsdecode(text) for text in self._texts[-1 - count : -1]]
        self._texts = [b""]
        return taken

    def _read(self, descriptor: int) -> int:
        file = self._files.get(descriptor)
        if file is None or not file.reads or file.ended:
            return -1
        if file.kept >= 0:
            byte, file.kept = file.kept, -1
            return byte
        byte = self._next_input() if file is self._standard else self._next_of(file)
        file.ended = byte < 0
        return byte

    def _next_input(self) -> int:
        if self._position == len(self.read):
            self._outputs[1].flush()
            reader = getattr(self._input, "read1", self._input.read)
            self.read += reader(CHUNK)
            if self._position == len(self.read):
                return -1
        self._position += 1
        return self.read[self._position - 1]

    def _next_of(self, file: _File) -> int:
        content = self._contents[file.name]
        if file.at >= len(content):
            return -1
        file.at += 1
        return content[file.at - 1]

    def _unread(self, descriptor: int, byte: int) -> int:
        file = self._files.get(descriptor)
        if file is None or byte < 0:
            return -1
        file.kept, file.ended = byte & 255, False
        return byte & 255

    def _open(self) -> int:
        name, mode = self._take(2)
        if not mode or mode[0] not in "rwa":
            return -1
        if name not in self._contents or mode[0] == "w":
            content = self._content(name, mode[0])
            if content is None:
                return -1
            self._contents[name] = content
        number = max(max(self._files), 2) + 1
        both = "+" in mode
        self._files[number] = _File(name, mode[0] == "r" or both, mode[0] != "r" or both, mode[0] == "a")
        return number

    def _content(self, name: str, mode: str) -> bytearray | None:
        if mode == "w":
            return bytearray()
        try:
            path = Path(name)
            if path.is_file() and path.stat().st_size <= MOST:
                return bytearray(path.read_bytes())
        except (OSError, ValueError):
            return None
        return bytearray() if mode == "a" else None

    def _close(self, descriptor: int) -> int:
        return 0 if self._files.pop(descriptor, None) or descriptor in self._outputs else -1

    def _remove(self) -> int:
        (name,) = self._take(1)
        return 0 if self._contents.pop(name, None) is not None else -1

    def _eof(self, descriptor: int) -> int:
        file = self._files.get(descriptor)
        return int(file is not None and file.ended)

    def _clear(self, descriptor: int) -> int:
        file = self._files.get(descriptor)
        if file is not None:
            file.ended = False
        return 0

    def _seek(self, descriptor: int, offset: int, whence: int) -> int:
        file = self._files.get(descriptor)
        if file is None or file is self._standard:
            return -1
        start = {0: 0, 1: self._tell(descriptor), 2: len(self._contents[file.name])}.get(whence, -1)
        if start < 0 or start + offset < 0:
            return -1
        file.at, file.kept, file.ended = start + offset, -1, False
        return 0

    def _tell(self, descriptor: int) -> int:
        file = self._files.get(descriptor)
        if file is None or file is self._standard:
            return -1
        return file.at - (file.kept >= 0)

    def _double(self) -> int:
        """The bits of the number that the last argument spells."""
        (text,) = self._take(1)
        try:
            spelled = text.lower().lstrip("+-")
            number = float.fromhex(text) if spelled.startswith("0x") else float(text)
        except (ValueError, OverflowError):
            number = 0.0
        return float_bits(number)

    def _getenv(self) -> int:
        """The length of a variable of the environment, whose bytes `next` gives; -1 if there is none."""
        (name,) = self._take(1)
        found = os.environ.get(name)
        self._given = b"" if found is None else os.fsencode(found)
        return -1 if found is None else len(self._given)

    def _next(self) -> int:
        byte, self._given = self._given[0], self._given[1:]
        return byte
