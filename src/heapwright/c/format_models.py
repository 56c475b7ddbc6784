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
from heapwright.c.conversion_specifications import conversions
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
    "asprintf": Shape(("char **result", ""), 1),
    "warn": Shape(("",), 0),
    "warnx": Shape(("",), 0),
    "err": Shape(("int b", ""), 1),
    "errx": Shape(("int b", ""), 1),
    "wprintf": Shape(("",), 0),
    "fwprintf": Shape(("FILE *b", ""), 1),
}
SCANNERS = {
    "scanf": Shape(("",), 0, scans=True),
    "fscanf": Shape(("FILE *b", ""), 1, scans=True),
    "sscanf": Shape(("const char *b", ""), 1, scans=True),
}
WIDE = frozenset({"wprintf", "fwprintf"})  # their format has wide characters
FAMILIES = PRINTERS | SCANNERS
ENDING = frozenset({"err", "errx"})  # they end the program
MESSAGES = ENDING | {"warn", "warnx"}  # for the standard error


@dataclass(frozen=True, slots=True)
class FormatCall:
    """The key of a model: the function, the format, and for each argument behind it a constant's text or its kind.
    `passed` has the positions of the arguments that the model gets."""

    name: str
    format: bytes | None  # None: not a literal
    arguments: tuple[str | bytes | int, ...]  # "pointer", "integer", "float"; a literal string or number
    passed: tuple[int, ...]
    stream: str = ""  # a standard stream, which is not passed

    @property
    def shape(self) -> Shape:
        return FAMILIES[self.name]

    @property
    def prints(self) -> bool:
        """Whether the text goes to a stream."""
        return not self.shape.scans and not any(one.startswith("char") for one in self.shape.parameters)


def format_call(call: ast.Call, name: str) -> FormatCall | None:
    """The description of a call of a function by its name, None if that has no format."""
    shape = FAMILIES.get(name)
    if shape is None or len(call.arguments) <= shape.format:
        return None
    literal = _bare(call.arguments[shape.format])
    text = _characters(literal) if isinstance(literal, ast.StringLiteral) else None
    kinds = tuple(_kind(argument) for argument in call.arguments[shape.format + 1 :])
    if text is None:
        passed = range(len(call.arguments))
        return FormatCall(name, None, kinds, tuple(passed)) if not kinds and name not in WIDE else None
    first = shape.format + 1
    before = [i for i in range(shape.format) if not _is_stream(call.arguments[i])]
    variable = [first + i for i, kind in enumerate(kinds) if isinstance(kind, str)]
    streams = [_is_stream(one) for one in call.arguments[: shape.format]]
    return FormatCall(name, text.partition(b"\0")[0], kinds, tuple(before + variable), "".join(streams))


def _characters(literal: ast.StringLiteral) -> bytes | None:
    """The text of a format, None if it has characters that are wider than a byte."""
    return bytes(literal.characters) if all(code < 256 for code in literal.characters) else None


def _bare(expr: ast.Expr) -> ast.Expr:
    while isinstance(expr, ast.Cast):
        expr = expr.operand
    return expr


def _is_stream(expr: ast.Expr) -> str:
    """The standard stream that an argument is, "" if it is none. They are always open."""
    bare = _bare(expr)
    if isinstance(bare, ast.VarRef) and bare.decl.storage == "extern" and bare.decl.name in STREAMS:
        return bare.decl.name
    return ""


def _kind(expr: ast.Expr) -> str | bytes | int:
    bare = _bare(expr)
    if isinstance(bare, ast.StringLiteral) and bare.width == 1:
        return bare.bytes.partition(b"\0")[0]
    if isinstance(expr, ast.IntLiteral):
        return expr.value
    if isinstance(expr.type, PointerType):
        return "pointer"
    return "float" if isinstance(expr.type, FloatType) else "integer"


def c_literal(text: bytes) -> str:
    """A string literal of C."""
    plain = [chr(byte) if 32 <= byte < 127 and byte not in b'\\"?' else f"\\{byte:03o}" for byte in text]
    return f'"{"".join(plain)}"'


# --- text ------------------------------------------------------------------------------------------------------------


def model_text(calls: Iterable[FormatCall], executed: bool = False) -> tuple[str, dict[FormatCall, tuple[str, str]]]:
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
            functions.append(_function(name, call, counts=counts, executed=executed))
    return '#include "intrinsics.h"\n#include <stdlib.h>\n' + "\n".join(functions), names


def _function(name: str, call: FormatCall, *, counts: bool, executed: bool) -> str:
    from heapwright.c.executed_formats import ExecutedPrinter, ExecutedScanner
    from heapwright.c.print_models import Printer
    from heapwright.c.scan_models import Scanner

    if call.shape.scans:
        scanner = ExecutedScanner(call)
        parameters, body = scanner.text() if executed or scanner.follows else Scanner(call).text()
    else:
        printer = ExecutedPrinter if executed and call.prints else Printer
        parameters, body = printer(call, counts=counts).text()
    lines = "".join(f"    {line}\n" for line in body)
    return f"int {name}({', '.join(parameters) or 'void'})\n{{\n{lines}}}\n"


class Text:
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
            return self.missing(ctype, kind)
        number, given = self.rest.pop(0)
        if kind in ("string", "pointer") and given in ("integer", "float") and not ctype.startswith("const void"):
            return self.missing(ctype, kind)
        if isinstance(given, bytes):
            return given if kind == "string" else None
        if isinstance(given, int):
            return given if kind == "integer" else None
        if given != ("pointer" if kind == "string" else kind):
            return None
        self.parameters.append(f"{ctype}a{number}")
        return f"a{number}"

    def missing(self, ctype: str, kind: str) -> str:
        """An argument that is not there, or a number where an address is read: a pointer to nothing is read."""
        name = f"missing_argument_{len(self.lines)}"
        declared = f"{ctype}{name};" if kind in ("string", "pointer") else f"{ctype}{name} = 0;"
        self.lines += [declared, "{ const char *missing_argument; char read = *missing_argument; (void)read; }"]
        return name

    def parameter(self, ctype: str, kind: str) -> str | None:
        """The next argument as an expression."""
        value = self.take(ctype, kind)
        return None if value is None or isinstance(value, bytes) else str(value)
