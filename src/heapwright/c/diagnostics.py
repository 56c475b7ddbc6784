"""Errors of clang, and calls of undeclared functions, as one sentence for the user.

A call of an undeclared function is an error in every dialect: a misspelt name would be an external function, of which
next to nothing is known.
"""

from __future__ import annotations

import functools
import re
from difflib import get_close_matches

from heapwright.base.errors import InputError
from heapwright.base.source import Span
from heapwright.c import clang
from heapwright.c.clang import library
from heapwright.c.options import HEADERS, ParseOptions
from heapwright.c.syntax.source_spans import SourceMap

_ERROR = 3  # clang's severity; 4 is fatal
_UNDECLARED = re.compile(
    r"(?:call to undeclared|implicit declaration of|implicitly declaring)( library)? function '(\w+)'"
)
_DEALLOCATOR = re.compile(r"'(?:__)?malloc(?:__)?' attribute takes no arguments")
_IMPLICIT = "__VERIFIER_"  # competition programs may call these without a declaration
OWN_PREFIX = "hw_"


def complain(unit: int, source_map: SourceMap, options: ParseOptions) -> None:
    """Raises the first error of a translation unit as an InputError, with the number of further errors."""
    lib = library()
    errors: list[InputError] = []
    for number in range(lib.clang_getNumDiagnostics(unit)):
        diagnostic = lib.clang_getDiagnostic(unit, number)
        message = clang.text(lib.clang_getDiagnosticSpelling(diagnostic))
        undeclared = _UNDECLARED.match(message)
        severe = lib.clang_getDiagnosticSeverity(diagnostic) >= _ERROR and not _is_known_to_gcc(message)
        if (severe or undeclared) and not (undeclared and undeclared[2].startswith(_IMPLICIT)):
            found = source_map.at(lib.clang_getDiagnosticLocation(diagnostic))
            span = found if found.line else None
            if undeclared:
                errors.append(_undeclared(undeclared[2], bool(undeclared[1]), span))
            else:
                errors.append(_error(message, span, options))
        lib.clang_disposeDiagnostic(diagnostic)
    if not errors:
        return
    first, more = errors[0], len(errors) - 1
    if more:
        text = f"{first.message} (and {more} more error{'s' if more > 1 else ''})"
        raise InputError(text, first.span, first.hint)
    raise first


def _is_known_to_gcc(message: str) -> bool:
    """`malloc(deallocator)`, an attribute of GCC alone: clang drops it, and then less is known of the function."""
    return _DEALLOCATOR.fullmatch(message) is not None


def _error(message: str, span: Span | None, options: ParseOptions) -> InputError:
    if message.startswith("bracket nesting level"):
        return InputError("the program is nested too deeply here", span)
    hint = ""
    if message.endswith("file not found"):
        hint = "add its folder with -I" + ("" if options.system_headers else ", or use --system-headers")
    return InputError(message, span, hint)


def _undeclared(name: str, of_library: bool, span: Span | None) -> InputError:
    if name.startswith(OWN_PREFIX):
        return unknown_own(name, span)
    hint = "include the header that declares it" if of_library else "declare it, or include the header that does"
    return InputError(f"call of undeclared function '{name}'", span, hint)


def unknown_own(name: str, span: Span | None) -> InputError:
    """The error for a function named like one of heapwright.h that is not declared or not there."""
    known = own_names()
    if name in known:
        return InputError(f"call of undeclared function '{name}'", span, "include <heapwright.h>")
    close = get_close_matches(name, sorted(known), 1)
    return InputError(f"heapwright.h has no '{name}'", span, f"did you mean '{close[0]}'?" if close else "")


@functools.cache
def own_names() -> frozenset[str]:
    """The names that heapwright.h gives to programs."""
    text = (HEADERS / "heapwright.h").read_text(encoding="utf-8").partition("#else")[0]
    return frozenset(re.findall(rf"\b{OWN_PREFIX}\w+(?=\()", text))
