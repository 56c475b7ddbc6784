"""Models of printf, scanf and their relatives: C text that is generated for each format string of a program.

A call with a literal format becomes a call of a function that does what this format says: read strings, store what `%n`
counted, write the characters of `sprintf`, assign what `scanf` reads. The helpers that it calls are in models/format.c.

    printf("%s: %d\\n", name, 7)   ->   static int f(const char *a1) { strlen(a1); return 0; }

Arguments that are constants or string literals are formatted here and not passed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from heapwright.c import ast
from heapwright.c.conversion_specifications import Conversion, conversions
from heapwright.c.types import FloatType, PointerType

PREFIX = "heapwright_format_"
STREAMS = frozenset({"stdin", "stdout", "stderr"})


@dataclass(frozen=True, slots=True)
class Shape:
    """A family of functions: its parameters before the variable ones, the format among them by number, and how it
    begins: what is done with the parameters `b` (buffer, text or stream) and `size`."""

    parameters: tuple[str, ...]
    format: int
    scans: bool = False


PRINTERS = {
    "printf": Shape(("",), 0),
    "__builtin_printf": Shape(("",), 0),
    "printk": Shape(("",), 0),
    "fprintf": Shape(("FILE *b", ""), 1),
    "dprintf": Shape(("int b", ""), 1),
    "syslog": Shape(("int b", ""), 1),
    "sprintf": Shape(("char *b", ""), 1),
    "__builtin_sprintf": Shape(("char *b", ""), 1),
    "snprintf": Shape(("char *b", "size_t size", ""), 2),
    "__builtin_snprintf": Shape(("char *b", "size_t size", ""), 2),
    "asprintf": Shape(("char **b", ""), 1),
}
SCANNERS = {
    "scanf": Shape(("",), 0, scans=True),
    "fscanf": Shape(("FILE *b", ""), 1, scans=True),
    "sscanf": Shape(("const char *b", ""), 1, scans=True),
}
FAMILIES = PRINTERS | SCANNERS


@dataclass(frozen=True, slots=True)
class FormatCall:
    """What of a call determines its model: the function, the format, and for each argument behind it a constant's text
    or its kind. `passed` has the positions of the arguments that the model gets."""

    name: str
    format: bytes | None  # None: not a literal
    arguments: tuple[str | bytes | int, ...]  # "pointer", "integer", "float"; a literal string or number
    passed: tuple[int, ...]

    @property
    def shape(self) -> Shape:
        return FAMILIES[self.name]


def format_call(call: ast.Call, name: str) -> FormatCall | None:
    """The description of a call of a function by its name, None if that has no format."""
    shape = FAMILIES.get(name)
    if shape is None or len(call.arguments) <= shape.format:
        return None
    literal = _bare(call.arguments[shape.format])
    text = literal.bytes if isinstance(literal, ast.StringLiteral) else None
    kinds = tuple(_kind(argument) for argument in call.arguments[shape.format + 1 :])
    if text is None:
        passed = range(len(call.arguments))
        return FormatCall(name, None, kinds, tuple(passed)) if not kinds else None
    first = shape.format + 1
    before = [i for i in range(shape.format) if not _is_stream(call.arguments[i])]
    variable = [first + i for i, kind in enumerate(kinds) if isinstance(kind, str)]
    return FormatCall(name, text.removesuffix(b"\0"), kinds, tuple(before + variable))


def _bare(expr: ast.Expr) -> ast.Expr:
    while isinstance(expr, ast.Cast):
        expr = expr.operand
    return expr


def _is_stream(expr: ast.Expr) -> bool:
    """Whether an argument is one of the standard streams, which are always open."""
    bare = _bare(expr)
    return isinstance(bare, ast.VarRef) and bare.decl.storage == "extern" and bare.decl.name in STREAMS


def _kind(expr: ast.Expr) -> str | bytes | int:
    bare = _bare(expr)
    if isinstance(bare, ast.StringLiteral):
        return bare.bytes.partition(b"\0")[0]
    if isinstance(expr, ast.IntLiteral):
        return expr.value
    if isinstance(expr.type, PointerType):
        return "pointer"
    return "float" if isinstance(expr.type, FloatType) else "integer"


# --- text ------------------------------------------------------------------------------------------------------------


def model_text(calls: Iterable[FormatCall]) -> tuple[str, dict[FormatCall, tuple[str, str]]]:
    """C text with the models of the calls, and the names of each one's models: where the result is not used, and where
    it is."""
    names: dict[FormatCall, tuple[str, str]] = {}
    functions: list[str] = []
    for call in calls:
        if call in names:
            continue
        number = len(names)
        quiet, counting = f"{PREFIX}{number}", f"{PREFIX}{number}_counting"
        names[call] = (quiet, counting)
        for name, counts in ((quiet, False), (counting, True)):
            functions.append(_function(name, call, counts=counts))
    return '#include "intrinsics.h"\n' + "\n".join(functions), names


def _function(name: str, call: FormatCall, *, counts: bool) -> str:
    parameters, body = _Scanner(call).text() if call.shape.scans else _Printer(call, counts=counts).text()
    lines = "".join(f"    {line}\n" for line in body)
    return f"int {name}({', '.join(parameters) or 'void'})\n{{\n{lines}}}\n"


class _Text:
    """The text of one model: parameters, and statements in `lines`."""

    def __init__(self, call: FormatCall) -> None:
        self.call = call
        self.lines: list[str] = []
        self.parameters: list[str] = []
        self.rest = list(enumerate(call.arguments))
        for position, parameter in enumerate(call.shape.parameters):
            if parameter and position in call.passed:
                self.parameters.append(parameter)
                if parameter.startswith("FILE"):
                    self.lines.append("hw_model_use_stream(b);")
        self.conversions = None if call.format is None else conversions(call.format, scans=call.shape.scans)

    def unknown(self) -> tuple[list[str], list[str]]:
        """The model of a call that is not followed: what it is handed may change."""
        types = {"pointer": "const void *", "float": "double", "integer": "long long"}
        for number, kind in self.rest:
            if isinstance(kind, str):
                self.parameters.append(f"{types[kind]} a{number}")
        self.lines += ["hw_model_unmodelled();", "return hw_model_approximate_int();"]
        return self.parameters, self.lines

    def take(self, ctype: str, kind: str) -> str | bytes | int | None:
        """The next argument: a constant, or a parameter of that type; None if it is of another kind."""
        if not self.rest:
            return None
        number, given = self.rest.pop(0)
        if isinstance(given, bytes):
            return given if kind == "string" else None
        if isinstance(given, int):
            return given if kind == "integer" else None
        if given != ("pointer" if kind == "string" else kind):
            return None
        self.parameters.append(f"{ctype}a{number}")
        return f"a{number}"

    def parameter(self, ctype: str, kind: str) -> str | None:
        """The next argument as an expression."""
        value = self.take(ctype, kind)
        return None if value is None or isinstance(value, bytes) else str(value)


class _Printer(_Text):
    """printf and its relatives. `n` counts characters; `limit` is the number of them that the buffer has room for."""

    def __init__(self, call: FormatCall, *, counts: bool) -> None:
        super().__init__(call)
        self.buffer = call.name.removeprefix("__builtin_") in ("sprintf", "snprintf")
        self.limited = "snprintf" in call.name
        self.counts = counts or self.buffer or any(one.letter == "n" for one in self.conversions or ())
        self.used = counts

    def text(self) -> tuple[list[str], list[str]]:
        if self.call.format is None:
            return self.open_format()
        if self.conversions is None or self.call.name == "asprintf":
            return self.unknown()
        kept = (list(self.parameters), list(self.lines), list(self.rest))
        if self.counts:
            self.lines.append("size_t n = 0;")
        if self.buffer:
            self.lines.append(f"size_t limit = {'size > 0 ? size - 1 : 0' if self.limited else '(size_t)-1'};")
        for one in self.conversions:
            if not self.conversion(one):
                self.parameters, self.lines, self.rest = kept
                return self.unknown()
        self.finish()
        return self.parameters, self.lines

    def open_format(self) -> tuple[list[str], list[str]]:
        """A format that is not a literal, without further arguments."""
        parameters = [one or "const char *format" for one in self.call.shape.parameters]
        if self.buffer or self.call.name == "asprintf":
            return parameters, ["hw_model_unmodelled();", "return hw_model_approximate_int();"]
        lines = ["hw_model_read_format(format);", "return hw_model_approximate_int();"]
        return parameters, [*(line for line in self.lines if "b" in "".join(self.parameters)), *lines]

    def finish(self) -> None:
        if self.buffer and self.limited:
            self.lines.append("if (size > 0) b[n < limit ? n : limit] = 0;")
        elif self.buffer:
            self.lines.append("b[n] = 0;")
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
            case "s":
                return self.string(one, width, precision)
            case "n":
                target = self.parameter(f"{one.ctype} *", "pointer")
                self.lines.append(f"*{target} = ({one.ctype})n;")
                return target is not None
            case "c":
                return self.character(width, "-" in one.flags)
            case "p":
                return self.padded(self.parameter("const void *", "pointer"), "hw_model_between(3, 18)", width, one)
            case "f" | "F" | "e" | "E" | "g" | "G" | "a" | "A":
                value = self.parameter(f"{one.ctype} ", "float")
                return self.padded(value, "hw_model_between(3, 330)", width, one)
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
        extra = ("#" in one.flags) * 2 + int(any(flag in one.flags for flag in "+ "))
        base = {"x": 16, "X": 16, "o": 8}.get(one.letter, 10)
        least = f"hw_model_least({precision})" if precision else "1"
        signed = one.letter in "di"
        length = f"hw_model_{'signed' if signed else 'unsigned'}_length({value}, {base}, {least})"
        return self.padded(value, length if not extra else f"{length} + hw_model_between(0, {extra})", width, one)

    def padded(self, value: object, length: str, width: str, one: Conversion) -> bool:
        """Characters of which only the number is known."""
        if value is None:
            return False
        if self.buffer:
            self.lines.append(f"n = hw_model_put_any(b, limit, n, hw_model_wider({length}, {width or 0}));")
        elif self.counts:
            self.lines.append(f"n += hw_model_wider({length}, {width or 0});")
        return True


class _Scanner(_Text):
    """scanf and its relatives: `done` is the number of objects that are assigned. What `sscanf` assigns follows from a
    text that is not interpreted, so that it is approximate; what the others assign is an input."""

    def text(self) -> tuple[list[str], list[str]]:
        of_text = self.call.name == "sscanf"
        self.any = "approximate" if of_text else "input"
        if self.conversions is None:
            return self.unknown()
        kept = (list(self.parameters), list(self.lines), list(self.rest))
        assigned = [one for one in self.conversions if one.letter not in ("", "n") and "*" not in one.flags]
        self.lines.append("size_t longest = (size_t)-1;" if not of_text else "size_t longest = strlen(b);")
        self.lines.append(f"int done = hw_model_{self.any}_between(-1, {len(assigned)});")
        done = 0
        for one in self.conversions:
            if one.letter == "" or "*" in one.flags:
                continue
            if not self.conversion(one, done):
                self.parameters, self.lines, self.rest = kept
                return self.unknown()
            done += one.letter != "n"
        self.lines.append("return done;")
        return self.parameters, self.lines

    def conversion(self, one: Conversion, done: int) -> bool:
        if one.letter in ("s", "[", "c"):
            target = self.parameter("char *", "pointer")
            characters = one.letter == "c"
            width = f"{one.width or 1}" if characters else one.width or "(size_t)-1"
            function = f"hw_model_{self.any}_{'characters' if characters else 'string'}"
            rest = "" if characters else ", longest"
            self.lines.append(f"if (done > {done}) {function}({target}, {width}{rest});")
            return target is not None
        if one.letter == "p":
            return False
        target = self.parameter(f"{one.ctype} *", "pointer")
        any = "approximate" if one.letter == "n" else self.any
        value = f"hw_model_{any}_{one.ctype.replace(' ', '_')}()"
        self.lines.append(f"if (done {'>=' if one.letter == 'n' else '>'} {done}) *{target} = {value};")
        return target is not None
