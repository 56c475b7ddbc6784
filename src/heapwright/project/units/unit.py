"""A unit, and the compilations that it consists of.

>>> Unit("list.c", "main", (Compilation("/p/list.c", ParseOptions()),), ("/p/list.c",)).is_program
True
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from heapwright.c.options import ParseOptions

# Set by a compiler when it runs, so that no two answers would be alike.
CLOCK = ('-D__DATE__="Jan  1 1970"', '-D__TIME__="00:00:00"', '-D__TIMESTAMP__="Thu Jan  1 00:00:00 1970"')


@dataclass(frozen=True, slots=True)
class Compilation:
    """A C file with its parse options: a line of a compilation database. `outputs` are its object files: a build may
    compile it several times with the same options."""

    file: str
    options: ParseOptions
    outputs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """A program (its entry is main) or a function of a library. `compilations` are in link order; `files` are all that
    they read, as clang names them, without the headers of the package. `notes` are remarks about how the unit was put
    together. `error` says why it cannot be parsed, "" if it can."""

    name: str
    entry: str
    compilations: tuple[Compilation, ...]
    files: tuple[str, ...]
    notes: tuple[str, ...] = ()
    error: str = ""

    @property
    def is_program(self) -> bool:
        return self.entry == "main"


def beneath(root: str, path: str) -> str:
    """A path as reports and keys name it: relative to the root, with forward slashes, if it is inside it.

    >>> beneath("/p", "/p/src/../list.c"), beneath("/p", "/usr/include/stdio.h")
    ('list.c', '/usr/include/stdio.h')
    """
    normal = os.path.normpath(path)
    inside = root.rstrip(os.sep) + os.sep
    return normal[len(inside) :].replace(os.sep, "/") if normal.startswith(inside) else normal
