"""Library functions as C text: `models/` holds plain bodies for those that a program may call without defining them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from heapwright.c.ast import DataModel, TranslationUnit
from heapwright.c.options import HEADERS, ParseOptions

FOLDER = Path(__file__).parent / "models"
_DECLARATION = re.compile(r"^(?!#|typedef)[A-Za-z_][\w \t*()]*?\b(\w+)\([^;{}]*\)+;", re.MULTILINE)
_DEFINITION = re.compile(r"^[A-Za-z_][\w \t*]*?\b(\w+)\s*\([^;{]*\)\s*\{", re.MULTILINE)


@cache
def _defined() -> dict[str, Path]:
    """Every function of the models, with the file that defines it."""
    found: dict[str, Path] = {}
    for path in sorted(FOLDER.glob("*.c")):
        for name in _DEFINITION.findall(path.read_text(encoding="utf-8")):
            found[name] = path
    return found


@cache
def declared_functions() -> frozenset[str]:
    """The functions that the headers declare."""
    texts = [path.read_text(encoding="utf-8") for path in HEADERS.rglob("*.h") if path.name != "heapwright.h"]
    return frozenset(name for text in texts for name in _DECLARATION.findall(text))


def model_units(names: set[str], model: DataModel) -> list[TranslationUnit]:
    """The parsed model files that define some of the named functions."""
    from heapwright.c.parse import parse

    paths = sorted({path for name, path in _defined().items() if name in names})
    return [parse(str(path), ParseOptions(model=model.name)) for path in paths]
