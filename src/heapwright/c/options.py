"""Parse options of a C file: data model, dialect, include folders, macros.

>>> ParseOptions(model="ILP32", defines=("NDEBUG",)).arguments()[:3]
('-x', 'c', '-std=gnu17')
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

HEADERS = Path(__file__).with_name("headers")  # the package's own C library headers

# A system's headers need the compiler's own (stddef.h, stdarg.h); the package's replace those.
_SYSTEM = ("-idirafter", str(HEADERS), "-D__gnuc_va_list=__builtin_va_list")

# Where compilers keep headers of their own, with those of clang first.
_COMPILERS = ("lib/llvm-*/lib/clang/*/include", "lib/clang/*/include", "lib/gcc/*/*/include")


@cache
def compiler_headers(root: Path = Path("/usr")) -> str | None:
    """The folder of the headers that an installed compiler brings along, None if there is none."""
    found = [
        sorted(root.glob(pattern), key=lambda path: [int(n) for n in re.findall(r"\d+", str(path))])
        for pattern in _COMPILERS
    ]
    return next((str(paths[-1]) for paths in found if paths), None)


# The same on every host, so that results do not depend on it.
TARGETS = {"LP64": "x86_64-linux-gnu", "ILP32": "i686-linux-gnu"}


@dataclass(frozen=True)
class ParseOptions:
    """`defines` are `NAME` or `NAME=VALUE`; `extra` is passed to clang unchanged."""

    model: Literal["LP64", "ILP32"] = "LP64"
    std: str = "gnu17"
    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    system_headers: bool = False
    extra: tuple[str, ...] = ()

    def arguments(self) -> tuple[str, ...]:
        """The command line for clang. Warnings that newer dialects promote to errors stay off: old programs are read as
        their compilers read them. Calls of undeclared functions are the exception (diagnostics.py)."""
        return (
            *("-x", "c", f"-std={self.std}", "-target", TARGETS[self.model]),
            *("-Wno-everything", "-Wimplicit-function-declaration"),
            *("-ferror-limit=0", "-fno-spell-checking", "-D__HEAPWRIGHT__=1"),
            *(f"-D{define}" for define in self.defines),
            *(f"-I{directory}" for directory in self.include_dirs),
            *self.extra,
            *(self._system() if self.system_headers else ("-nostdinc", "-isystem", str(HEADERS))),
        )

    def _system(self) -> tuple[str, ...]:
        """The system's headers, then the package's for those that a compiler has, then the compiler's for the rest."""
        own = compiler_headers()
        return (*_SYSTEM, *(("-idirafter", own) if own is not None else ()))
