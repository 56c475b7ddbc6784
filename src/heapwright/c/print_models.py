"""Models of printf and its relatives."""

from __future__ import annotations

from heapwright.c.conversion_specifications import Conversion
from heapwright.c.format_models import ENDING, FormatCall, Text

_NARROW = {"h": "short", "hh": "char"}


class Printer(Text):
    """printf and its relatives. `n` counts characters; `limit` is the number of them that the buffer has room for."""

    def __init__(self, call: FormatCall, *, counts: bool) -> None:
        super().__init__(call)
        self.buffer = call.name.removeprefix("__builtin_") in ("sprintf", "snprintf", "asprintf")
        self.allocates = call.name == "asprintf"
        self.limited = "snprintf" in call.name or self.allocates
        self.counts = counts or self.buffer or any(one.letter == "n" for one in self.conversions or ())
        self.used = counts

    def text(self) -> tuple[list[str], list[str]]:
        if self.call.format is None:
            return self.open_format()
        if self.conversions is None:
            return self.unknown()
        kept = (list(self.parameters), list(self.lines), list(self.rest))
        if self.counts:
            self.lines.append("size_t n = 0;")
        if self.allocates:
            self.lines += ["size_t limit = 0;", "char *b = NULL;"]
        elif self.buffer:
            self.lines.append(f"size_t limit = {'size > 0 ? size - 1 : 0' if self.limited else '(size_t)-1'};")
        start = len(self.lines)
        for one in self.conversions:
            if not self.conversion(one):
                self.parameters, self.lines, self.rest = kept
                return self.unknown()
        if self.allocates:  # measured once, then written
            written = self.lines[start:]
            self.lines += ["b = malloc((n + 1) * sizeof(char));", "if (b == NULL) return -1;"]
            self.lines += ["*result = b;", "limit = n;", "n = 0;", *written]
        self.finish()
        return self.parameters, self.lines

    def open_format(self) -> tuple[list[str], list[str]]:
        """A format that is not a literal, without further arguments."""
        parameters = [one or "const char *format" for one in self.call.shape.parameters]
        if self.buffer:
            return parameters, ["hw_model_unmodelled();", "return hw_model_approximate_int();"]
        lines = ["hw_model_read_format(format);", "return hw_model_approximate_int();"]
        return parameters, [*(line for line in self.lines if "b" in "".join(self.parameters)), *lines]

    def finish(self) -> None:
        if self.allocates:
            self.lines += ["b[n < limit ? n : limit] = 0;", "n = limit;"]
        elif self.buffer and self.limited:
            self.lines.append("if (size > 0) b[n < limit ? n : limit] = 0;")
        elif self.buffer:
            self.lines.append("b[n] = 0;")
        if self.call.name in ENDING:
            self.lines.append("exit(b);")
        if not self.used:
            self.lines.append("return 0;")
        elif self.buffer:
            self.lines.append("return (int)n;")
        else:  # output may fail
            self.lines.append("return hw_model_input_between(0, 1) ? -1 : (int)n;")

    def conversion(self, one: Conversion) -> bool:
        """Appends the statements of a piece of the format; false if it is not supported."""
        if one.letter == "":
            self.literal(one.text)
            return True
        given = [self.parameter("int ", "integer") for star in (one.width, one.precision) if star == "*"]
        stars = [star for star in given if star is not None]
        if len(stars) < len(given):
            return False
        width = stars.pop(0) if one.width == "*" else one.width
        precision = stars.pop(0) if one.precision == "*" else one.precision
        match one.letter:
            case "s" | "c" if one.length:
                return self.wide(one, precision)
            case "s":
                return self.string(one, width, precision)
            case "n":
                target = self.parameter(f"{one.ctype} *", "pointer")
                self.lines.append(f"*{target} = ({one.ctype})n;")
                return target is not None
            case "c":
                return self.character(width, "-" in one.flags)
            case "p":
                return self.padded(self.parameter("const void *", "pointer"), "hw_model_between(3, 18)", width)
            case "f" | "F" | "e" | "E" | "g" | "G" | "a" | "A":
                return self.real(one, width, precision)
        return self.integer(one, width, precision)

    def literal(self, text: bytes) -> None:
        if not self.counts:
            return
        if not self.buffer:
            self.lines.append(f"n += {len(text)};")
            return
        for byte in text:
            character = f"(char){byte}"
            if self.limited:
                self.lines.append(f"if (n < limit) b[n] = {character};")
                self.lines.append("n++;")
            else:
                self.lines.append(f"b[n++] = {character};")

    def string(self, one: Conversion, width: str, precision: str) -> bool:
        value = self.take("const char *", "string")
        if value is None:
            return False
        if isinstance(value, bytes) and not one.starred:
            text = value if precision == "" else value[: int(precision)]
            pad = b" " * (int(width or 0) - len(text))
            self.literal(text + pad if "-" in one.flags else pad + text)
            return True
        if isinstance(value, bytes):
            return False
        most = f"hw_model_limit({precision})" if precision else "(size_t)-1"
        if self.buffer:
            left = "1" if "-" in one.flags else "0"
            self.lines.append(f"n = hw_model_put_string(b, limit, n, {value}, {most}, {width or 0}, {left});")
        elif self.counts:
            self.lines.append(f"n += hw_model_wider(hw_model_read_string({value}, {most}), {width or 0});")
        else:
            self.lines.append(f"hw_model_read_string({value}, {most});")
        return True

    def wide(self, one: Conversion, precision: str) -> bool:
        """A wide string or character: how many bytes become of it is not known."""
        if self.counts:
            return False
        if one.letter == "c":
            return self.parameter("int ", "integer") is not None
        value = self.parameter("const wchar_t *", "pointer")
        most = f"hw_model_limit({precision})" if precision else "(size_t)-1"
        self.lines.append(f"hw_model_read_wide({value}, {most});")
        return value is not None

    def character(self, width: str, left: bool) -> bool:
        value = self.parameter("int ", "integer")
        if value is None:
            return False
        if self.buffer:
            arguments = f"(char){value}, {width or 0}, {int(left)}"
            self.lines.append(f"n = hw_model_put_character(b, limit, n, {arguments});")
        elif self.counts:
            self.lines.append(f"n += hw_model_wider(1, {width or 0});")
        return True

    def integer(self, one: Conversion, width: str, precision: str) -> bool:
        value = self.take(f"{one.ctype} ", "integer")
        if value is None or isinstance(value, bytes):
            return False
        if isinstance(value, int) and not one.starred and one.length == "" and -(2**31) <= value < 2**31:
            shown = value if one.letter in "di" else value % 2**32
            letter = "d" if one.letter == "u" else one.letter
            specification = f"%{one.flags}{width}{'.' + precision if precision else ''}{letter}"
            if one.letter != "o" or "#" not in one.flags:
                self.literal((specification % shown).encode())
                return True
        if one.length in ("h", "hh"):
            value = f"({'signed' if one.letter in 'di' else 'unsigned'} {_NARROW[one.length]}){value}"
        extra = ("#" in one.flags) * 2 + int(any(flag in one.flags for flag in "+ "))
        base = {"x": 16, "X": 16, "o": 8}.get(one.letter, 10)
        least = f"hw_model_least({precision})" if precision else "1"
        signed = one.letter in "di"
        length = f"hw_model_{'signed' if signed else 'unsigned'}_length({value}, {base}, {least})"
        if one.starred:
            return self.padded(value, length if not extra else f"{length} + hw_model_between(0, {extra})", width)
        wide = f"({'' if signed else 'unsigned '}long long)({value})"
        if extra:
            length = (
                f'hw_model_number_length("{one.specification}", {wide}, {64 + int(width or 0) + int(precision or 0)})'
            )
        return self.characters(one, wide, f"hw_model_wider({length}, {width or 0})")

    def real(self, one: Conversion, width: str, precision: str) -> bool:
        """A floating-point number: at most 309 digits before the point."""
        value = self.parameter(f"{one.ctype} ", "float")
        if value is None:
            return False
        if one.starred:
            fraction = f"({precision} < 0 ? 6 : {precision})" if precision else "6"
            return self.padded(value, f"hw_model_between(1, 330) + {fraction}", width)
        most = 330 + int(width or 0) + int(precision or 0)
        if one.ctype != "double":
            return self.padded(value, f"hw_model_between(1, {5000 + most})", width)
        length = f'hw_model_number_length("{one.specification}", {value}, {most})'
        return self.characters(one, value, length)

    def characters(self, one: Conversion, value: str, length: str) -> bool:
        """The text of a number of that length."""
        if self.buffer:
            character = f'(char)hw_model_number_character("{one.specification}", {value}, i)'
            put = f"for (i = 0; i < length; i++) if (n + i < limit) b[n + i] = {character};"
            self.lines.append(f"{{ size_t i, length = (size_t){length}; {put} n += length; }}")
        elif self.counts:
            self.lines.append(f"n += (size_t){length};")
        return True

    def padded(self, value: object, length: str, width: str) -> bool:
        """Characters of which only the number is known."""
        if value is None:
            return False
        if self.buffer:
            self.lines.append(f"n = hw_model_put_any(b, limit, n, hw_model_wider({length}, {width or 0}));")
        elif self.counts:
            self.lines.append(f"n += hw_model_wider({length}, {width or 0});")
        return True
