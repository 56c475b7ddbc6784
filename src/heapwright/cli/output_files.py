"""Where reports go: to a file, or to standard output, which is called "-".

writable("report.json")  # before time is spent
write_to("report.json", text)
"""

from __future__ import annotations

import os
import sys

from heapwright.base.errors import InputError


def writable(path: str | None) -> None:
    """Refuses a place that cannot be written to before time is spent on an analysis."""
    if path is not None and path != "-" and (os.path.isdir(path) or not os.path.isdir(_folder(path))):
        raise InputError(f"cannot write '{path}': it is a directory, or its directory does not exist")


def write_to(path: str, text: str) -> None:
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError as error:
        raise InputError(f"cannot write '{path}': {error.strerror}") from None


def _folder(path: str) -> str:
    return os.path.dirname(os.path.realpath(path))
