"""Numbers as printf shows them.

>>> number_text("%+05d", 42), number_text("%#x", 255), number_text("%.3d", 7), number_text("%.2f", float_bits(2.5))
(b'+0042', b'0xff', b'007', b'2.50')
>>> number_text("%5.0f|", float_bits(0.5)) is None
True
"""

from __future__ import annotations

import math
import re

from heapwright.program import floating_point

_SPECIFICATION = re.compile(r"%([-+ #0]*)(\d*)(?:\.(\d*))?([diuxXocfFeEgGaA])")
SIZE = 8  # bytes of a double
NUMBER_TEXT = "text "  # what the operation `FloatingPoint` begins with that computes the text of a number


def float_bits(value: float) -> int:
    return floating_point.bits(value, SIZE)


def number_text(specification: str, value: int) -> bytes | None:
    """The text of an integer, or of the bits of a double; None for a specification of another form."""
    match = _SPECIFICATION.fullmatch(specification)
    if match is None:
        return None
    flags, width, precision, letter = match.groups()
    if letter == "c":
        return _padded(bytes((value & 255,)), flags.replace("0", ""), int(width or 0))
    if letter in "diuxXo":
        return _integer(value, flags, int(width or 0), None if precision is None else int(precision or 0), letter)
    return _real(floating_point.number(value, SIZE), flags, width, precision, letter)


def _padded(text: bytes, flags: str, width: int) -> bytes:
    return text.ljust(width) if "-" in flags else text.rjust(width)


def _sign(negative: bool, flags: str) -> str:
    return "-" if negative else "+" if "+" in flags else " " if " " in flags else ""


def _integer(value: int, flags: str, width: int, precision: int | None, letter: str) -> bytes:
    digits = format(abs(value), {"d": "d", "i": "d", "u": "d"}.get(letter, letter))
    if precision is not None:
        digits = "" if value == 0 and precision == 0 else digits.zfill(precision)
    before = _sign(value < 0, flags) if letter in "di" else ""
    if "#" in flags and letter in "xX" and value:
        before = "0" + letter
    if "#" in flags and letter == "o" and not digits.startswith("0"):
        digits = "0" + digits
    if "0" in flags and "-" not in flags and precision is None:
        digits = digits.zfill(width - len(before))
    return _padded((before + digits).encode(), flags, width)


def _real(value: float, flags: str, width: str, precision: str | None, letter: str) -> bytes:
    negative = math.copysign(1, value) < 0
    before = _sign(negative, flags)
    if not math.isfinite(value):
        name = "inf" if math.isinf(value) else "nan"
        shown = before + (name.upper() if letter.isupper() else name)
        return _padded(shown.encode(), flags, int(width or 0))
    if letter in "aA":
        digits = _hexadecimal(abs(value), precision)
        before, digits = before + digits[:2], digits[2:]
        if letter == "A":
            before, digits = before.upper(), digits.upper()
    else:
        mark = "#" if "#" in flags else ""
        digits = f"%{mark}.{6 if precision is None else precision or 0}{letter}" % abs(value)
    if "0" in flags and "-" not in flags:
        digits = digits.zfill(int(width or 0) - len(before))
    return _padded((before + digits).encode(), flags, int(width or 0))


def _hexadecimal(value: float, precision: str | None) -> str:
    """As glibc prints it: `0x1.8p+1`, with as many digits as the value has, or as the precision says."""
    if value == 0:
        fraction = "0" * int(precision or 0)
        return f"0x0{'.' + fraction if fraction else ''}p+0"
    whole, _, rest = value.hex().partition(".")
    digits, _, exponent = rest.partition("p")
    if precision is not None:
        wanted = int(precision or 0)
        scaled = int(whole[2:] + digits, 16)
        extra = 4 * (len(digits) - wanted)
        if extra > 0:
            quotient, left = divmod(scaled, 1 << extra)
            half = 1 << (extra - 1)
            quotient += left > half or (left == half and quotient % 2 == 1)
            text = format(quotient, "x").zfill(wanted + 1)
            whole, digits = "0x" + text[: len(text) - wanted], text[len(text) - wanted :]
        else:
            digits = digits.ljust(wanted, "0")
    else:
        digits = digits.rstrip("0")
    return f"{whole}{'.' + digits if digits else ''}p{exponent}"
