"""Library functions as C text: `models/` holds plain bodies for those that a program may call without defining them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from heapwright.c.ast import DataModel, FunctionDecl, TranslationUnit
from heapwright.c.format_models import FormatCall, model_text
from heapwright.c.options import HEADERS, ParseOptions
from heapwright.c.types import ArrayType, PointerType

FOLDER = Path(__file__).parent / "models"
EXECUTED = FOLDER / "executed"  # with the real input and output
_DECLARATION = re.compile(r"^(?!#|typedef)[A-Za-z_][\w \t*()]*?\b(\w+)\([^;{}]*\)+;", re.MULTILINE)
_DEFINITION = re.compile(r"^[A-Za-z_][\w \t*]*?\b(\w+)\s*\([^;{]*\)\s*\{", re.MULTILINE)
_VARIABLE = re.compile(r"^(?:FILE \*|char \*|int )(\w+) =", re.MULTILINE)
_TEMPLATE = re.compile(r"^#define NAME\(rest\) (\w+)##rest\n#include \"(\w+\.h)\"", re.MULTILINE)
_OF_TEMPLATE = re.compile(r"^\w[\w *]*\bNAME\((\w+)\)\(", re.MULTILINE)


@cache
def _defined(executed: bool = False) -> dict[str, Path]:
    """Every function and variable of the models, with the file that defines it. Models of a program that is `executed`
    come first."""
    found: dict[str, Path] = {}
    for path in [*sorted(FOLDER.glob("*.c")), *(sorted(EXECUTED.glob("*.c")) if executed else ())]:
        text = path.read_text(encoding="utf-8")
        for name in (*_DEFINITION.findall(text), *_VARIABLE.findall(text)):
            found[name] = path
        for prefix, template in _TEMPLATE.findall(text):
            for rest in _OF_TEMPLATE.findall((FOLDER / template).read_text(encoding="utf-8")):
                found[prefix + rest] = path
    return found


def modelled_functions() -> frozenset[str]:
    """The functions that have a body in C."""
    return frozenset(_defined())


def models_by_function() -> dict[str, str]:
    """The file of each function's model, below `models/`."""
    return {name: str(path.relative_to(FOLDER)) for name, path in _defined().items()}


def declared_in(header: Path) -> frozenset[str]:
    """The functions that a header declares."""
    return frozenset(_DECLARATION.findall(header.read_text(encoding="utf-8")))


@cache
def declared_functions(headers: tuple[str, ...] = ()) -> frozenset[str]:
    """The functions that the headers, or those of these names, declare."""
    paths = [path for path in HEADERS.rglob("*.h") if path.name != "heapwright.h"]
    texts = [path.read_text(encoding="utf-8") for path in paths if not headers or path.name in headers]
    return frozenset(name for text in texts for name in _DECLARATION.findall(text))


@cache
def _shapes() -> dict[str, set[tuple[bool, ...]]]:
    """Of each function of the headers, which of its parameters are pointers; those before `...`."""
    found: dict[str, set[tuple[bool, ...]]] = {}
    for path in HEADERS.rglob("*.h"):
        for declaration in _DECLARATION.finditer(path.read_text(encoding="utf-8")):
            parameters = _parameters(declaration[0][declaration.end(1) - declaration.start() :])
            found.setdefault(declaration[1], set()).add(tuple(map(_is_pointer, parameters)))
    return found


@cache
def takes_pointers(name: str) -> bool:
    """Whether a function of the headers has pointers among its parameters, or returns one."""
    found = (one for path in HEADERS.rglob("*.h") for one in _DECLARATION.finditer(path.read_text(encoding="utf-8")))
    results = [one[0][: one.start(1) - one.start()] for one in found if one[1] == name]
    return any(map(any, _shapes().get(name, ()))) or any("*" in result for result in results)


def _parameters(text: str) -> list[str]:
    """The parameters of a declaration, from the opening parenthesis on."""
    parts, depth = [""], 0
    for letter in text[: text.rindex(")") + 1]:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 1:
            parts.append("")
        elif depth > 0 and not (letter == "(" and depth == 1):
            parts[-1] += letter
        elif depth == 0:
            break
    return [part.strip() for part in parts if part.strip() not in ("", "void", "...")]


def _is_pointer(parameter: str) -> bool:
    return any(mark in parameter for mark in ("*", "[", "va_list"))


def is_library_function(name: str, function: FunctionDecl | None) -> bool:
    """Whether a function without a body is the one of the C library that has its name: with as many parameters, and
    with pointers where that has them. Others are functions of the program's own, such as `void poll(void)`."""
    name = name.removeprefix("__builtin_")
    if name not in declared_functions():
        return False
    if function is None or (function.type.variadic and not function.type.parameters):
        return True  # declared without a prototype
    return tuple(isinstance(one, PointerType | ArrayType) for one in function.type.parameters) in _shapes()[name]


def model_units(names: set[str], model: DataModel, executed: bool = False) -> list[TranslationUnit]:
    """The parsed model files that define some of the named functions."""
    found = {path for name, path in _defined(executed).items() if name in names}
    paths = sorted(found, key=lambda path: (path.parent != EXECUTED, path))
    return [_parsed(path, model) for path in paths]


@cache
def _parsed(path: Path, model: DataModel) -> TranslationUnit:
    """A model file, which many programs of one process share."""
    from heapwright.c.parse import parse

    return parse(str(path), ParseOptions(model=model.name, include_dirs=(str(FOLDER),)))


def format_unit(
    calls: Sequence[FormatCall], model: DataModel, executed: bool = False
) -> tuple[TranslationUnit, dict[FormatCall, tuple[str, str]]]:
    """The parsed models of calls of printf, scanf and the like, and their names."""
    from heapwright.c.parse import parse

    text, names = model_text(calls, executed)
    file = str(FOLDER / "generated.c")
    return parse(file, ParseOptions(model=model.name), text=text), names
