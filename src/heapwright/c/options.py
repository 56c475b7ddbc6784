"""Parse options of a C file: data model, dialect, include folders, macros.

>>> ParseOptions(model="ILP32", defines=("NDEBUG",)).arguments()[:3]
('-x', 'c', '-std=gnu17')
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

HEADERS = Path(__file__).with_name("headers")  # the package's own C library headers

# A system's headers need the compiler's own (stddef.h, stdarg.h); the package's replace those.
_SYSTEM = ("-idirafter", str(HEADERS), "-D__gnuc_va_list=__builtin_va_list")

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
            *(_SYSTEM if self.system_headers else ("-nostdinc", "-isystem", str(HEADERS))),
        )
