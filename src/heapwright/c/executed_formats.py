"""printf and scanf of a program that is executed: text goes to the console, and comes from it.

printf("%5d|%s", n, s)   ->   hw_model_print(1, "%5d", n); hw_model_print(1, "|"); hw_model_print_string(1, s, ...);
"""

from __future__ import annotations

from heapwright.c.conversion_specifications import Conversion, conversions
from heapwright.c.format_models import ENDING, MESSAGES, FormatCall, Text, c_literal
from heapwright.c.print_models import Printer

DESCRIPTORS = {"stdin": 0, "stdout": 1, "stderr": 2}
_FLOATING = frozenset("aAeEfFgGp")
_BASES = {"d": 10, "u": 10, "x": 16, "X": 16, "o": 8, "i": 0, "p": 16}


def reads_its_format(call: FormatCall) -> bool:
    """Whether a call is of a function that reads its format as the program runs (models/executed/print.c): the format
    is no literal, or arguments are widths."""
    if call.shape.scans or call.name not in ("printf", "fprintf", "dprintf", "sprintf", "snprintf"):
        return False
    pieces = None if call.format is None else conversions(call.format, scans=False)
    return pieces is None or any(one.starred for one in pieces)


def _descriptor(call: FormatCall, standard: int) -> str:
    if call.stream:
        return str(DESCRIPTORS[call.stream])
    first = call.shape.parameters[0]
    return "b->open" if first.startswith("FILE") else "b" if first else str(standard)


class ExecutedPrinter(Printer):
    """printf, fprintf and dprintf."""

    def __init__(self, call: FormatCall, *, counts: bool) -> None:
        super().__init__(call, counts=counts)
        self.to = "2" if call.name in MESSAGES else _descriptor(call, 1)

    def finish(self) -> None:
        if self.call.name in ENDING:
            self.lines.append("exit(b);")
        self.lines.append("return (int)n;" if self.used else "return 0;")

    def put(self, call: str) -> bool:
        self.lines.append(f"n += (size_t){call};" if self.counts else f"{call};")
        return True

    def literal(self, text: bytes) -> None:
        if text:
            self.put(f"hw_model_print({self.to}, {c_literal(text)})")

    def string(self, one: Conversion, width: str, precision: str) -> bool:
        value = self.take("const char *", "string")
        if value is None or isinstance(value, int):
            return False
        text = c_literal(value) if isinstance(value, bytes) else value
        most = f"hw_model_limit({precision})" if precision else "(size_t)-1"
        left = int("-" in one.flags)
        return self.put(f"hw_model_print_string({self.to}, {text}, {most}, {width or 0}, {left})")

    def wide(self, one: Conversion, precision: str) -> bool:
        if one.letter == "c":
            value = self.parameter("int ", "integer")
            return value is not None and self.put(f"hw_model_print_wide_character({self.to}, {value})")
        text = self.parameter("const wchar_t *", "pointer")
        most = f"hw_model_limit({precision})" if precision else "(size_t)-1"
        return text is not None and self.put(f"hw_model_print_wide_string({self.to}, {text}, {most})")

    def character(self, width: str, left: bool) -> bool:
        value = self.parameter("int ", "integer")
        return value is not None and self.put(f"hw_model_print_padded({self.to}, {value}, {width or 0}, {int(left)})")

    def real(self, one: Conversion, width: str, precision: str) -> bool:
        value = self.parameter(f"{one.ctype} ", "float")
        return value is not None and self.characters(one, f"(double){value}", "")

    def characters(self, one: Conversion, value: str, length: str) -> bool:
        return self.put(f'hw_model_print({self.to}, "{one.specification}", {value})')

    def padded(self, value: object, length: str, width: str) -> bool:
        """An address."""
        return value is not None and self.put(f"hw_model_print_pointer({self.to}, {value})")


class ExecutedScanner(Text):
    """scanf, fscanf and sscanf: what they read is read byte by byte (models/scan.c)."""

    @property
    def follows(self) -> bool:
        """Whether a text in memory is followed in any program: it has no floating-point numbers and no addresses."""
        return self.call.name == "sscanf" and all(one.letter not in _FLOATING for one in self.conversions or ())

    def text(self) -> tuple[list[str], list[str]]:
        if self.conversions is None:
            return self.unknown()
        kept = (list(self.parameters), list(self.lines), list(self.rest))
        source = "-1, b, 0" if self.call.name == "sscanf" else f"{_descriptor(self.call, 0)}, NULL, 0"
        self.lines += [f"struct hw_model_reader r = {{{source}, 0, 0, 0.0}};", "int done = 0;", "(void)done;"]
        for one in self.conversions:
            if not (self.literal(one.text) if one.letter == "" else self.conversion(one)):
                self.parameters, self.lines, self.rest = kept
                return self.unknown()
        self.lines.append("return done;")
        return self.parameters, self.lines

    def stop_unless(self, condition: str) -> None:
        self.lines.append(f"if (!{condition}) return done > 0 || !r.ended ? done : -1;")

    def literal(self, text: bytes) -> bool:
        for byte in text:
            if byte in b" \t\n\v\f\r":
                self.lines.append("hw_model_scan_space(&r);")
            else:
                if text == b"%":
                    self.lines.append("hw_model_scan_space(&r);")
                self.stop_unless(f"hw_model_scan_match(&r, {byte})")
        return True

    def conversion(self, one: Conversion) -> bool:
        kept = "*" not in one.flags
        width = one.width or "0"
        match one.letter:
            case "n":
                target = self.parameter(f"{one.ctype} *", "pointer")
                self.lines.append(f"*{target} = ({one.ctype})r.read;")
                return target is not None
            case "c" | "s" | "[":
                target = self.parameter("char *", "pointer") if kept else "NULL"
                arguments = f"&r, {target}, {one.width or ('1' if one.letter == 'c' else '0')}"
                if one.letter == "[":
                    arguments += f", {c_literal(one.text)}"
                name = {"c": "characters", "s": "word", "[": "set"}[one.letter]
                self.stop_unless(f"hw_model_scan_{name}({arguments})")
            case "p":
                return False
            case "d" | "i" | "u" | "x" | "X" | "o":
                target = self.parameter(f"{one.ctype} *", "pointer") if kept else "NULL"
                self.stop_unless(f"hw_model_scan_integer(&r, {width}, {_BASES[one.letter]})")
                if kept:
                    self.lines.append(f"*{target} = ({one.ctype})r.integer;")
            case _:
                target = self.parameter(f"{one.ctype} *", "pointer") if kept else "NULL"
                self.stop_unless(f"hw_model_scan_real(&r, {width})")
                if kept:
                    self.lines.append(f"*{target} = ({one.ctype})r.real;")
        if kept:
            self.lines.append("done++;")
        return target is not None
