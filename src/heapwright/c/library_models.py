"""Library functions as C text: `models/` holds plain bodies for those that a program may call without defining them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from heapwright.c.ast import DataModel, TranslationUnit
from heapwright.c.format_models import FormatCall, model_text
from heapwright.c.options import HEADERS, ParseOptions

FOLDER = Path(__file__).parent / "models"
_DECLARATION = re.compile(r"^(?!#|typedef)[A-Za-z_][\w \t*()]*?\b(\w+)\([^;{}]*\)+;", re.MULTILINE)
_DEFINITION = re.compile(r"^[A-Za-z_][\w \t*]*?\b(\w+)\s*\([^;{]*\)\s*\{", re.MULTILINE)


_VARIABLE = re.compile(r"^FILE \*(\w+) =", re.MULTILINE)


@cache
def _defined() -> dict[str, Path]:
    """Every function and variable of the models, with the file that defines it."""
    found: dict[str, Path] = {}
    for path in sorted(FOLDER.glob("*.c")):
        text = path.read_text(encoding="utf-8")
        for name in (*_DEFINITION.findall(text), *_VARIABLE.findall(text)):
            found[name] = path
    return found


def modelled_functions() -> frozenset[str]:
    """The functions that have a body in C."""
    return frozenset(_defined())


@cache
def declared_functions(headers: tuple[str, ...] = ()) -> frozenset[str]:
    """The functions that the headers, or those of these names, declare."""
    paths = [path for path in HEADERS.rglob("*.h") if path.name != "heapwright.h"]
    texts = [path.read_text(encoding="utf-8") for path in paths if not headers or path.name in headers]
    return frozenset(name for text in texts for name in _DECLARATION.findall(text))


def model_units(names: set[str], model: DataModel) -> list[TranslationUnit]:
    """The parsed model files that define some of the named functions."""
    from heapwright.c.parse import parse

    paths = sorted({path for name, path in _defined().items() if name in names})
    return [parse(str(path), ParseOptions(model=model.name)) for path in paths]


def format_unit(
    calls: Sequence[FormatCall], model: DataModel
) -> tuple[TranslationUnit, dict[FormatCall, tuple[str, str]]]:
    """The parsed models of calls of printf, scanf and the like, and their names."""
    from heapwright.c.parse import parse

    text, names = model_text(calls)
    file = str(FOLDER / "generated.c")
    return parse(file, ParseOptions(model=model.name), text=text), names
